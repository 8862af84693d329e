import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createLocalAccess } from "../../electron/run/local-access.ts";
import type { CommandRunner } from "../../electron/run/runner.ts";
import { createSshAccess } from "../../electron/run/ssh/access.ts";
import { connectSsh } from "../../electron/run/ssh/connect.ts";
import type { SshConnection } from "../../electron/run/ssh/connection.ts";
import type { SshTarget } from "../../electron/run/ssh/place.ts";
import { startLink } from "../support/fake-sshd.ts";
import { processAlive } from "../support/processes.ts";
import { answers, dependencies, must } from "../support/ssh-dependencies.ts";
import { findSshd, startSshd } from "../support/sshd.ts";
import type { TestSshd } from "../support/sshd.ts";

const never = new AbortController().signal;
const skipped = findSshd() === undefined && process.env["IBEX_NO_LAB"] === "1";

async function stdoutOf(runner: CommandRunner, script: string): Promise<string> {
  const result = await runner.run({ argv: ["sh", "-c", script], timeoutMs: 30_000, maxOutputBytes: 1 << 20 }, never);
  return Buffer.from(must(result).stdout).toString("utf8");
}

describe.skipIf(skipped)("against OpenSSH's sshd (skipped only where it is not installed and IBEX_NO_LAB=1)", () => {
  let sshd: TestSshd;
  const cleanup: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    sshd = await startSshd({ lines: ["MaxSessions 2"] });
  });
  afterAll(() => sshd.stop());
  afterEach(async () => {
    for (const step of cleanup.splice(0).reverse()) await step();
  });

  const target = (more: Partial<SshTarget> = {}): SshTarget => ({
    host: sshd.host,
    port: sshd.port,
    identityFile: sshd.keyFile,
    useConfig: false,
    ...more,
  });

  async function connect(more: Partial<SshTarget> = {}): Promise<SshConnection> {
    const connection = must(await connectSsh(target(more), dependencies(sshd.directory), never));
    cleanup.push(() => connection.close());
    return connection;
  }

  it("says who is logged in where, and how", async () => {
    const connection = await connect();
    expect(connection.describe()).toMatchObject({
      user: sshd.user,
      host: "127.0.0.1",
      port: sshd.port,
      keyType: "ssh-ed25519",
      authMethod: `key ${sshd.keyFile}`,
    });
    expect(await connection.latencyMs()).toBeGreaterThan(0);
  });

  it("refuses a key that the server does not take, and says what was tried", async () => {
    const result = await connectSsh(
      target({ identityFile: sshd.strangerKeyFile, auth: ["key"] }),
      dependencies(sshd.directory),
      never,
    );
    expect(result).toMatchObject({
      ok: false,
      error: {
        kind: "auth",
        user: sshd.user,
        tried: [`key ${sshd.strangerKeyFile}`],
        detail: "the server accepts: publickey",
      },
    });
  });

  it("opens a key locked by a passphrase", async () => {
    const ask = answers({ passphrase: () => Promise.resolve("open sesame") });
    const deps = dependencies(sshd.directory, { ask });
    const connection = must(await connectSsh(target({ identityFile: sshd.lockedKeyFile }), deps, never));
    await connection.close();
  });

  it("asks the server for a key of the type that is known", async () => {
    const directory = await mkdtemp(join(tmpdir(), "ibex-rsa-"));
    cleanup.push(() => rm(directory, { recursive: true, force: true }));
    await writeFile(join(directory, "known_hosts"), `[127.0.0.1]:${String(sshd.port)} ${sshd.rsaHostKey}\n`);
    const connection = must(await connectSsh(target(), dependencies(directory), never));
    expect(connection.describe().keyType).toBe("ssh-rsa");
    await connection.close();
  });

  it("runs more commands than the server takes sessions, and still ends each one that is cancelled", async () => {
    const { runner } = await connect();
    const outputs = await Promise.all(
      Array.from({ length: 10 }, (_, index) => stdoutOf(runner, `echo ${String(index)}`)),
    );
    expect(outputs).toEqual(Array.from({ length: 10 }, (_, index) => `${String(index)}\n`));
    const controller = new AbortController();
    const pids: number[] = [];
    let both: () => void = () => undefined;
    const started = new Promise<void>((resolve) => (both = resolve));
    const onPid = (pid: number): void => {
      pids.push(pid);
      if (pids.length === 2) both();
    };
    // Both sessions are taken: there is no channel left for a kill script.
    const argv = ["sh", "-c", "trap '' TERM; sleep 300; sleep 300"] as const;
    const runs = [1, 2].map(() =>
      runner.run({ argv, timeoutMs: 60_000, maxOutputBytes: 1000, onPid }, controller.signal),
    );
    await started;
    controller.abort();
    for (const result of await Promise.all(runs))
      expect(result).toMatchObject({ ok: false, error: { kind: "cancelled" } });
    expect(await Promise.all(pids.map(processAlive))).toEqual([false, false]);
  });

  it("leaves no process behind when the link is cut", async () => {
    const link = await startLink(sshd.port);
    cleanup.push(() => link.stop());
    const directory = await mkdtemp(join(tmpdir(), "ibex-cut-"));
    cleanup.push(() => rm(directory, { recursive: true, force: true }));
    await writeFile(join(directory, "known_hosts"), `[127.0.0.1]:${String(link.port)} ${sshd.hostKey}\n`);
    const connection = must(await connectSsh(target({ port: link.port }), dependencies(directory), never));
    cleanup.push(() => connection.close());
    let pid = 0;
    const argv = ["sh", "-c", "trap '' TERM HUP; sleep 300; sleep 300"] as const;
    const result = await connection.runner.run(
      {
        argv,
        timeoutMs: 60_000,
        maxOutputBytes: 1000,
        onPid: (told) => {
          pid = told;
          link.cut();
        },
      },
      never,
    );
    expect(result).toMatchObject({ ok: false, error: { kind: "connection-lost" } });
    await expect.poll(() => processAlive(pid), { timeout: 10_000 }).toBe(false);
  });

  it("reaches hosts through the source, once for all who ask, and again after a loss", async () => {
    const link = await startLink(sshd.port);
    cleanup.push(() => link.stop());
    const known = `[127.0.0.1]:${String(sshd.port)} ${sshd.hostKey}\n[127.0.0.1]:${String(link.port)} ${sshd.hostKey}\n`;
    const directory = await mkdtemp(join(tmpdir(), "ibex-access-"));
    cleanup.push(() => rm(directory, { recursive: true, force: true }));
    await writeFile(join(directory, "known_hosts"), known);
    const access = createSshAccess(must(await connectSsh(target(), dependencies(directory), never)), {
      via: "source",
      user: sshd.user,
      identityFile: sshd.keyFile,
      nameRule: (name) => `${name}.invalid`,
      map: new Map([["gpu-a01", `127.0.0.1:${String(link.port)}`]]),
      deps: dependencies(directory),
    });
    cleanup.push(() => access.close());
    expect(access.simulated).toBe(false);
    const [first, second] = await Promise.all([access.host("gpu-a01", never), access.host("gpu-a01", never)]);
    expect(must(first).address).toBe("127.0.0.1");
    expect(must(second).runner).toBe(must(first).runner);
    expect(await stdoutOf(must(first).runner, "echo there")).toBe("there\n");
    link.cut();
    await expect
      .poll(async () => {
        const again = must(await access.host("gpu-a01", never)).runner;
        return again !== must(first).runner && (await stdoutOf(again, "echo again"));
      })
      .toBe("again\n");
    expect(await access.host("gpu-a02", never)).toMatchObject({
      ok: false,
      error: { kind: "unreachable", host: "gpu-a02.invalid" },
    });
    await access.close();
    expect(await access.host("gpu-a01", never)).toMatchObject({ ok: false, error: { kind: "cancelled" } });
  });

  it("takes one who gives up waiting for a host as cancelled, and serves the other", async () => {
    const access = createSshAccess(await connect(), {
      via: "direct",
      identityFile: sshd.keyFile,
      nameRule: () => `127.0.0.1:${String(sshd.port)}`,
      map: new Map(),
      deps: dependencies(sshd.directory),
    });
    cleanup.push(() => access.close());
    const controller = new AbortController();
    const impatient = access.host("n1", controller.signal);
    const patient = access.host("n1", never);
    controller.abort();
    expect(await impatient).toMatchObject({ ok: false, error: { kind: "cancelled" } });
    expect(await stdoutOf(must(await patient).runner, "echo here")).toBe("here\n");
  });

  it("runs commands for this machine's own name without SSH", async () => {
    const access = createLocalAccess({
      nameRule: (name) => `${name}-ib0`,
      map: new Map([["n1", `127.0.0.1:${String(sshd.port)}`]]),
      identityFile: sshd.keyFile,
      deps: dependencies(sshd.directory),
    });
    cleanup.push(() => access.close());
    const own = hostname();
    const here = must(await access.host(own, never));
    expect(here.runner).toBe(access.source);
    expect(here.address).toBe(`${own}-ib0`);
    expect(must(await access.host("n1", never)).runner.kind).toBe("ssh");
  });

  it("agrees with OpenSSH's own client about the known_hosts line that it writes", async () => {
    const directory = await mkdtemp(join(tmpdir(), "ibex-own-"));
    cleanup.push(() => rm(directory, { recursive: true, force: true }));
    const deps = dependencies(directory, { ask: answers({ hostKeyUnknown: () => Promise.resolve("always") }) });
    const connection = must(await connectSsh(target(), deps, never));
    await connection.close();
    const own = join(directory, "ibex", "known_hosts");
    expect(await readFile(own, "utf8")).toBe(`[127.0.0.1]:${String(sshd.port)} ${sshd.hostKey}\n`);
    const ssh = spawn(
      "ssh",
      [
        ...["-F", "none", "-i", sshd.keyFile, "-p", String(sshd.port)],
        ...[
          "-o",
          "StrictHostKeyChecking=yes",
          "-o",
          `UserKnownHostsFile=${own}`,
          "-o",
          "GlobalKnownHostsFile=/dev/null",
          "-o",
          "BatchMode=yes",
        ],
        ...[`${sshd.user}@127.0.0.1`, "true"],
      ],
      { stdio: "ignore" },
    );
    expect(await new Promise((resolve) => ssh.once("exit", resolve))).toBe(0);
  });
});
