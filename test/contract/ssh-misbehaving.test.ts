import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AppError } from "../../shared/errors/kinds.ts";
import type { CommandSpec, RunResult } from "../../electron/run/runner.ts";
import { connectSsh } from "../../electron/run/ssh/connect.ts";
import type { SshDependencies } from "../../electron/run/ssh/connect.ts";
import type { SshConnection } from "../../electron/run/ssh/connection.ts";
import { startFakeSshd, startLink } from "../support/fake-sshd.ts";
import type { FakeCommand, FakeSshd, FakeSshdOptions } from "../support/fake-sshd.ts";
import { dependencies, must } from "../support/ssh-dependencies.ts";
import { describeRunner } from "./runner-suite.ts";

const never = new AbortController().signal;

function spec(more: Partial<CommandSpec> = {}): CommandSpec {
  return { argv: ["ibnetdiscover"], timeoutMs: 20_000, maxOutputBytes: 1 << 20, ...more };
}

function failure(result: RunResult): Extract<RunResult, { ok: false }>["error"] {
  if (result.ok) throw new Error("unexpected success");
  return result.error;
}

function text(bytes: Uint8Array | undefined): string {
  return Buffer.from(bytes ?? []).toString("utf8");
}

/** Answers kill scripts as a machine does where the process is gone, and hands other commands on. */
function killsAnswered(command: (command: FakeCommand) => void): (command: FakeCommand) => void {
  return (given) => {
    if (!given.line.includes("ibex-kill 4000000")) {
      command(given);
      return;
    }
    given.channel.exit(0);
    given.channel.end();
  };
}

describe("an SSH server that misbehaves", () => {
  let directory: string;
  const cleanup: (() => Promise<unknown>)[] = [];
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "ibex-fake-"));
    cleanup.push(() => rm(directory, { recursive: true, force: true }));
  });
  afterEach(async () => {
    for (const step of cleanup.splice(0).reverse()) await step();
  });

  async function server(options: FakeSshdOptions): Promise<FakeSshd> {
    const started = await startFakeSshd(options);
    cleanup.push(() => started.stop());
    return started;
  }

  async function connect(
    to: { readonly port: number },
    hostKey: string,
    deps: Partial<SshDependencies> = {},
  ): Promise<SshConnection> {
    await writeFile(join(directory, "known_hosts"), `[127.0.0.1]:${String(to.port)} ${hostKey}\n`);
    const target = { host: "127.0.0.1", port: to.port, user: "ada", useConfig: false };
    const connection = must(await connectSsh(target, dependencies(directory, deps), never));
    cleanup.push(() => connection.close());
    return connection;
  }

  it("cuts the connection in the middle of a line: what came is kept, and every command is told", async () => {
    const fake = await server({
      command: (command) => {
        command.begin();
        command.channel.write('Switch 36 "S-0002', () => undefined);
        if (fake.lines.length === 2) setImmediate(() => command.cutConnection());
      },
    });
    const { runner, onLost } = await connect(fake, fake.hostKey).then((connection) => ({
      runner: connection.runner,
      onLost: new Promise<AppError>((resolve) => connection.onLost(resolve)),
    }));
    const results = await Promise.all([runner.run(spec(), never), runner.run(spec(), never)]);
    for (const result of results) {
      const error = failure(result);
      expect(error).toMatchObject({ kind: "connection-lost", host: "127.0.0.1", during: "ibnetdiscover" });
    }
    expect(results.map((result) => text(failure(result).partial?.stdout))).toContain('Switch 36 "S-0002');
    expect((await onLost).kind).toBe("connection-lost");
    expect(failure(await runner.run(spec(), never)).kind).toBe("connection-lost");
  });

  it("drops all packets in silence: noticed by keep-alive, running commands are told", async () => {
    const fake = await server({ command: (command) => command.begin() });
    const link = await startLink(fake.port);
    cleanup.push(() => link.stop());
    const connection = await connect(link, fake.hostKey, { keepaliveIntervalMs: 100 });
    const lost = new Promise<AppError>((resolve) => connection.onLost(resolve));
    const result = await connection.runner.run(spec({ onPid: () => link.goDead() }), never);
    expect(failure(result).kind).toBe("connection-lost");
    expect(await lost).toMatchObject({ kind: "connection-lost", host: "127.0.0.1" });
  });

  it("keeps a silent but living link", async () => {
    const fake = await server({
      command: (command) => {
        command.begin();
        setTimeout(() => {
          command.channel.write("late");
          command.channel.exit(0);
          command.channel.end();
        }, 1_000);
      },
    });
    const connection = await connect(fake, fake.hostKey, { keepaliveIntervalMs: 100 });
    expect(text(must(await connection.runner.run(spec(), never)).stdout)).toBe("late");
    expect(await connection.latencyMs()).toBeGreaterThan(0);
  });

  it("closes a channel without an exit code: not taken for a success", async () => {
    const fake = await server({
      command: (command) => {
        command.begin();
        command.channel.write("half of it");
        command.channel.end();
      },
    });
    const { runner } = await connect(fake, fake.hostKey);
    const error = failure(await runner.run(spec(), never));
    expect(error).toMatchObject({ kind: "connection-lost", during: "ibnetdiscover" });
    expect(text(error.partial?.stdout)).toBe("half of it");
    expect(error.partial?.exitCode).toBeUndefined();
  });

  it("ends its output and never says more: ended at the time limit", async () => {
    const fake = await server({
      command: killsAnswered((command) => {
        command.begin();
        command.channel.write("all of it");
        command.channel.eof();
      }),
    });
    const { runner } = await connect(fake, fake.hostKey);
    const error = failure(await runner.run(spec({ timeoutMs: 300 }), never));
    expect(error).toMatchObject({ kind: "timed-out", seconds: 0.3 });
    expect(text(error.partial?.stdout)).toBe("all of it");
  });

  it("tells the exit code and never closes the channel: the result is given, the place is free again", async () => {
    const fake = await server({
      command: (command) => {
        command.begin();
        command.channel.write("done");
        command.channel.exit(7);
        command.channel.eof();
      },
    });
    const { runner } = await connect(fake, fake.hostKey);
    const runs = Array.from({ length: 9 }, () => runner.run(spec(), never));
    for (const result of await Promise.all(runs)) {
      expect(must(result)).toMatchObject({ exitCode: 7 });
      expect(text(must(result).stdout)).toBe("done");
    }
  });

  it("never starts what it was asked to: given up at the time limit", async () => {
    const fake = await server({ command: () => undefined });
    const { runner } = await connect(fake, fake.hostKey);
    const error = failure(await runner.run(spec({ timeoutMs: 200 }), never));
    expect(error.kind).toBe("timed-out");
  });

  it("floods both streams: the limit holds, and the process is killed by its pid", async () => {
    const fake = await server({
      command: killsAnswered((command) => {
        command.begin();
        const block = Buffer.alloc(32 * 1024, "x");
        let stopped = false;
        const flood = (): void => {
          for (let n = 0; n < 8 && !stopped; n += 1) {
            command.channel.write(block);
            command.channel.stderr.write(block);
          }
          if (!stopped) setImmediate(flood);
        };
        command.channel.on("end", () => (stopped = true));
        command.channel.on("close", () => (stopped = true));
        command.channel.resume();
        flood();
      }),
    });
    const { runner } = await connect(fake, fake.hostKey);
    const error = failure(await runner.run(spec({ maxOutputBytes: 100_000 }), never));
    expect(error).toMatchObject({ kind: "output-truncated", limitBytes: 100_000 });
    expect(error.partial?.stdout.length).toBeLessThanOrEqual(100_000);
    expect(fake.lines.filter((line) => line.includes("ibex-kill 4000000"))).toHaveLength(1);
  });

  it("refuses channels beyond three: the others wait for their turn, none fails", async () => {
    const fake = await server({ takeChannel: (open) => open < 3 });
    const { runner } = await connect(fake, fake.hostKey);
    const runs = Array.from({ length: 12 }, (_, index) =>
      runner.run({ ...spec(), argv: ["echo", String(index)] }, never),
    );
    const outputs = (await Promise.all(runs)).map((result) => text(must(result).stdout));
    expect(outputs).toEqual(Array.from({ length: 12 }, (_, index) => `${String(index)}\n`));
    expect(fake.mostOpen()).toBeLessThanOrEqual(3);
  });

  it("refuses every channel: said as that", async () => {
    const fake = await server({ takeChannel: () => false });
    const { runner } = await connect(fake, fake.hostKey);
    expect(failure(await runner.run(spec(), never))).toMatchObject({ kind: "channel-refused", host: "127.0.0.1" });
  });

  it("opens channels and refuses to run anything: said as that", async () => {
    const fake = await server({ refuseExec: true });
    const { runner } = await connect(fake, fake.hostKey);
    expect(failure(await runner.run(spec(), never)).kind).toBe("channel-refused");
  });

  it("never gets more than eight commands at once", async () => {
    const fake = await server({});
    const { runner } = await connect(fake, fake.hostKey);
    const runs = Array.from({ length: 20 }, () => runner.run({ ...spec(), argv: ["true"] }, never));
    expect((await Promise.all(runs)).every((result) => result.ok)).toBe(true);
    expect(fake.mostOpen()).toBeLessThanOrEqual(8);
  });

  it("runs something else than it was asked to (a forced command): its words are the result", async () => {
    const fake = await server({
      command: (command) => {
        command.channel.write("This account is not available.\n");
        command.channel.stderr.write("noise");
        command.channel.exit(1);
        command.channel.end();
      },
    });
    const { runner } = await connect(fake, fake.hostKey);
    const { stdout, stderr, exitCode } = must(await runner.run(spec(), never));
    expect([text(stdout), text(stderr), exitCode]).toEqual(["This account is not available.\n", "noise", 1]);
  });

  it("prints noise of login scripts before the command: it is no output of the tool", async () => {
    const fake = await server({
      command: (command) => {
        command.channel.write("Welcome to the cluster!\n");
        command.channel.stderr.write("module: loading openmpi\n");
        command.begin(77);
        command.channel.write("real");
        command.channel.stderr.write("warning");
        command.channel.exit(0);
        command.channel.end();
      },
    });
    const { runner } = await connect(fake, fake.hostKey);
    const pids: number[] = [];
    const { stdout, stderr } = must(await runner.run(spec({ onPid: (pid) => pids.push(pid) }), never));
    expect([text(stdout), text(stderr), pids]).toEqual(["real", "warning", [77]]);
  });

  it("loses the jump host: the connection behind it is lost as well", async () => {
    const far = await server({ command: (command) => command.begin() });
    const gate = await server({ forward: "allow" });
    const link = await startLink(gate.port);
    cleanup.push(() => link.stop());
    const hop = await connect(link, gate.hostKey);
    await writeFile(join(directory, "known_hosts"), `[127.0.0.1]:${String(far.port)} ${far.hostKey}\n`);
    const target = { host: "127.0.0.1", port: far.port, user: "ada", jump: hop, useConfig: false };
    const connection = must(await connectSsh(target, dependencies(directory), never));
    cleanup.push(() => connection.close());
    const result = await connection.runner.run(spec({ onPid: () => link.cut() }), never);
    expect(failure(result).kind).toBe("connection-lost");
  });
});

describe("the server in this process, when it behaves", () => {
  describeRunner(
    "ssh to ssh2's server",
    async () => {
      const directory = await mkdtemp(join(tmpdir(), "ibex-fake-"));
      const fake = await startFakeSshd();
      await writeFile(join(directory, "known_hosts"), `[127.0.0.1]:${String(fake.port)} ${fake.hostKey}\n`);
      const target = { host: "127.0.0.1", port: fake.port, user: "ada", useConfig: false };
      const connection = must(await connectSsh(target, dependencies(directory), never));
      return {
        runner: connection.runner,
        cleanup: async () => {
          await connection.close();
          await fake.stop();
          await rm(directory, { recursive: true, force: true });
        },
      };
    },
    {
      shell: false,
      okCommand: ["echo", "hello world"],
      missingCommand: ["ibex-no-such-program", "-x"],
      slowCommand: ["sleep", "600"],
    },
  );
});
