/**
 * Connections cut while measuring over OpenSSH's sshd: at every step the far sides end by themselves, and what a crash of
 * both sshd and our watch has left is known by its marker and ended by its pid, nobody else's.
 */
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ask } from "../../electron/measure/commands.ts";
import { MeasureLocks } from "../../electron/measure/locks.ts";
import { perftestsCommand, readPerftests } from "../../electron/measure/perftest-processes.ts";
import { randomRendezvousPort } from "../../electron/measure/random-port.ts";
import { runMeasurement } from "../../electron/measure/run-measurement.ts";
import { connectSsh } from "../../electron/run/ssh/connect.ts";
import { createLocalRunner } from "../../electron/run/local.ts";
import { assert } from "../../shared/base/assert.ts";
import { ok } from "../../shared/base/result.ts";
import { startLink } from "../support/fake-sshd.ts";
import { processAlive } from "../support/processes.ts";
import { dependencies, must } from "../support/ssh-dependencies.ts";
import { findSshd, startSshd } from "../support/sshd.ts";
import { devinfo, planFor } from "../unit/measure/pair-of-hosts.ts";

const never = new AbortController().signal;
const skipped = findSshd() === undefined && process.env["IBEX_NO_LAB"] === "1";

const recording = new URL("../fixtures/perftest/rxe/write_bw_default_gbits.", import.meta.url).pathname;

/** A tool that notes its pid and step, then waits for ever, or ends well when FAKE_FINISH is there; a server listens first. */
const tool = `#!${process.execPath}
const { appendFileSync, existsSync, readFileSync } = require("node:fs");
const finish = existsSync(process.env.FAKE_FINISH);
const end = (role) => { process.stdout.write(readFileSync("${recording}" + role + ".stdout.txt")); process.exit(0); };
const net = require("node:net");
const args = process.argv.slice(2);
if (args.includes("--version")) { console.log("Version: 6.06"); process.exit(1); }
const client = args.at(-1) === "127.0.0.1";
const note = () => appendFileSync(process.env.FAKE_PIDS, (client ? "client " : "server ") + process.pid + "\\n");
if (client) {
  net.connect(Number(args[args.indexOf("-p") + 1]), "127.0.0.1", () => { note(); if (finish) end("client"); });
  setInterval(() => {}, 1000);
} else net.createServer((socket) => { socket.on("error", () => {}); socket.resume(); if (finish) socket.on("close", () => end("server")); }).listen(Number(args[args.indexOf("-p") + 1]), "0.0.0.0", note);
process.on("SIGHUP", () => {});
`;

let folder = "";
const cleanup: (() => unknown)[] = [];

async function install(bin: string, name: string, text: string): Promise<void> {
  await mkdir(join(folder, bin), { recursive: true });
  await writeFile(join(folder, bin, name), text);
  await chmod(join(folder, bin, name), 0o755);
}

function started(): readonly { readonly step: string; readonly pid: number }[] {
  const file = join(folder, "pids");
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => ({ step: line.split(" ")[0] ?? "", pid: Number(line.split(" ")[1]) }));
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "ibex-cut-"));
  await install("tools", "ib_write_bw", tool);
  // Answers before the test, and no more once its client has run.
  const counters = `#!/bin/sh
if grep -q ^client "$FAKE_PIDS"; then echo "counters $$" >>"$FAKE_PIDS"; exec sleep 300; fi
shift $(($# - 2))
echo "# Port extended counters: Lid $1 port $2 (CapMask: 0x5300)"
for name in PortXmitData PortRcvData SymbolErrorCounter; do echo "$name:................0"; done
`;
  await install("tools", "perfquery", counters);
  for (const host of ["n018", "n065"] as const) {
    await install(
      host,
      "ibv_devinfo",
      `#!/bin/sh\necho "devices $$" >>"$FAKE_PIDS"\n[ -e ${folder}/hold ] && exec sleep 300\ncat <<'END'\n${devinfo(host)}\nEND\n`,
    );
  }
});
afterEach(async () => {
  for (const step of cleanup.splice(0).reverse()) await step();
  await rm(folder, { recursive: true, force: true });
});

async function host(name: "n018" | "n065") {
  const path = [join(folder, name), join(folder, "tools"), process.env["PATH"] ?? ""].join(":");
  const sshd = await startSshd({
    lines: [`SetEnv PATH=${path} FAKE_PIDS=${join(folder, "pids")} FAKE_FINISH=${join(folder, "finish")}`],
  });
  cleanup.push(() => sshd.stop());
  const link = await startLink(sshd.port);
  cleanup.push(() => link.stop());
  const directory = await mkdtemp(join(tmpdir(), "ibex-known-"));
  cleanup.push(() => rm(directory, { recursive: true, force: true }));
  await writeFile(join(directory, "known_hosts"), `[127.0.0.1]:${String(link.port)} ${sshd.hostKey}\n`);
  const target = { host: "127.0.0.1", port: link.port, identityFile: sshd.keyFile, useConfig: false };
  const connection = must(await connectSsh(target, dependencies(directory), never));
  cleanup.push(() => connection.close());
  return { connection, link };
}

describe.skipIf(skipped)("a connection that is cut while measuring", () => {
  it.each(["devices", "server", "client", "counters"])(
    "at the step of the %s leaves nothing on either host",
    async (step) => {
      const [client, server] = await Promise.all([host("n018"), host("n065")]);
      if (step === "devices") await writeFile(join(folder, "hold"), "");
      if (step === "counters") await writeFile(join(folder, "finish"), "");
      const cut = (): void => {
        client.link.cut();
        server.link.cut();
      };
      const timer = setInterval(() => {
        if (!started().some((entry) => entry.step === step)) return;
        clearInterval(timer);
        cut();
      }, 20);
      cleanup.push(() => clearInterval(timer));
      // Only with LIDs on the way are its counters read.
      const plan = planFor({ preset: "bandwidth" });
      const path = plan.path.map((hop) => ({ ...hop, fromLid: 4, toLid: 5 }));
      const result = await runMeasurement(
        step === "counters" ? { ...plan, path } : plan,
        {
          access: {
            source: client.connection.runner,
            simulated: false,
            host: (name) =>
              Promise.resolve(
                ok({ runner: (name === "n018" ? client : server).connection.runner, address: "127.0.0.1" }),
              ),
            close: () => Promise.resolve(),
          },
          locks: new MeasureLocks(join(folder, "locks")),
          now: () => Date.now(),
          randomPort: randomRendezvousPort,
          passPercent: 95,
          sourceInfo: { kind: "ssh", label: "test", simulated: false },
        },
        { signal: never, onProgress: () => undefined },
      );
      // What was measured before stays.
      if (step === "counters") expect(result).toMatchObject({ ok: true, value: { bandwidthGbps: 0.14 } });
      else if (result.ok) expect(result.value.verdict.level).toBe("failed");
      else expect(result.error.kind).toBe("connection-lost");
      expect(started().some((entry) => entry.step === step)).toBe(true);
      for (const { step: what, pid } of started()) {
        await expect.poll(() => processAlive(pid), { timeout: 15_000, message: `${what} ${String(pid)}` }).toBe(false);
      }
      // Nobody is kept from the adapters.
      expect(await readdir(join(folder, "locks"))).toEqual([]);
    },
  );
});

describe("perftest processes of a host", () => {
  it("that are ours and watched by nobody are ended by their pid; watched ones and those of others stay", async () => {
    // A copy of sleep with the name of a tool, as the kernel shows it.
    const program = join(folder, "tools", "ib_send_bw");
    await copyFile("/bin/sleep", program);
    await chmod(program, 0o755);
    const run = (environment: Readonly<Record<string, string>>) => {
      const child = spawn(program, ["300"], { env: { PATH: process.env["PATH"], ...environment }, stdio: "ignore" });
      cleanup.push(() => child.kill("SIGKILL"));
      return child;
    };
    const stale = run({ IBEX_RUN: "ibex-0123456789abcdef01234567" });
    const gone = new Promise((resolve) => stale.once("exit", (_, signal) => resolve(signal)));
    const foreign = run({});
    const runner = createLocalRunner();
    cleanup.push(() => runner.close());
    let livePid = 0;
    const stop = new AbortController();
    const live = new Promise<void>((resolve) => {
      const onPid = (pid: number): void => {
        livePid = pid;
        resolve();
      };
      const spec = { argv: [program, "300"], timeoutMs: 60_000, maxOutputBytes: 1000, onPid } as const;
      cleanup.push(() => running);
      const running = runner.run(spec, stop.signal);
    });
    cleanup.push(() => stop.abort());
    await live;
    // The marker line comes right before the tool takes over the process.
    await expect.poll(() => readFile(`/proc/${String(livePid)}/comm`, "utf8")).toBe("ib_send_bw\n");
    const found = readPerftests(must(await ask(runner, perftestsCommand, never)));
    const states = new Map(found.map(({ pid, state }) => [pid, state]));
    assert(stale.pid !== undefined && foreign.pid !== undefined, "both run");
    expect(states.get(stale.pid)).toBe("stale");
    expect(states.get(foreign.pid)).toBe("other");
    expect(states.get(livePid)).toBe("live");
    expect(await gone).toBe("SIGTERM");
    expect(await processAlive(foreign.pid)).toBe(true);
    expect(await processAlive(livePid)).toBe(true);
    expect(found.find(({ pid }) => pid === foreign.pid)?.user).toMatch(/^\S+$/);
  });
});
