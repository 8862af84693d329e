import { afterAll, beforeAll, describe } from "vitest";
import { connectSsh } from "../../electron/run/ssh/connect.ts";
import { processAlive } from "../support/processes.ts";
import { dependencies, must } from "../support/ssh-dependencies.ts";
import { findSshd, startSshd } from "../support/sshd.ts";
import type { TestSshd } from "../support/sshd.ts";
import { describeRunner } from "./runner-suite.ts";

const skipped = findSshd() === undefined && process.env["IBEX_NO_LAB"] === "1";

describe.skipIf(skipped)("OpenSSH's sshd (skipped only where it is not installed and IBEX_NO_LAB=1)", () => {
  let sshd: TestSshd;
  beforeAll(async () => {
    sshd = await startSshd();
  });
  afterAll(() => sshd.stop());

  describeRunner(
    "ssh",
    async () => {
      const target = { host: sshd.host, port: sshd.port, identityFile: sshd.keyFile, useConfig: false };
      const connection = must(await connectSsh(target, dependencies(sshd.directory), new AbortController().signal));
      return { runner: connection.runner, cleanup: () => connection.close(), pidAlive: processAlive };
    },
    {
      shell: true,
      okCommand: ["echo", "hello world"],
      missingCommand: ["ibex-no-such-program", "-x"],
      slowCommand: ["sleep", "600"],
    },
  );
});
