import { afterEach, describe, expect, it } from "vitest";
import type { CommandRunner, CommandSpec, RunResult } from "../../electron/run/runner.ts";

/** A runner under test, and what the suite may use to look behind it. */
export interface RunnerUnderTest {
  readonly runner: CommandRunner;
  cleanup(): Promise<void>;
  /** Whether a process of the runner's machine still lives. */
  readonly pidAlive?: (pid: number) => Promise<boolean>;
}

/** What the machine behind a runner can do; commands that every runner has are given by its maker. */
export interface RunnerCapabilities {
  /** `/bin/sh` and the usual small programs are there. */
  readonly shell: boolean;
  /** Ends by itself with exit code 0 and prints something on stdout. */
  readonly okCommand: readonly [string, ...string[]];
  /** A program that does not exist. */
  readonly missingCommand: readonly [string, ...string[]];
  /** Runs for at least 10 s when nobody ends it. */
  readonly slowCommand: readonly [string, ...string[]];
}

const never = new AbortController().signal;

function spec(argv: readonly [string, ...string[]], more: Partial<CommandSpec> = {}): CommandSpec {
  return { argv, timeoutMs: 30_000, maxOutputBytes: 1 << 20, ...more };
}

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("utf8");
}

function output(result: RunResult): { stdout: string; stderr: string; exitCode: number | undefined } {
  if (!result.ok) throw new Error(`unexpected failure: ${JSON.stringify({ ...result.error, partial: undefined })}`);
  const { stdout, stderr, exitCode } = result.value;
  return { stdout: text(stdout), stderr: text(stderr), exitCode };
}

function failure(result: RunResult): Extract<RunResult, { ok: false }>["error"] {
  if (result.ok) throw new Error(`unexpected success: ${text(result.value.stdout)}`);
  return result.error;
}

/** Resolves with the first pid that the command tells, and gives the option that hears it. */
function hearPid(): { readonly pid: Promise<number>; readonly onPid: (pid: number) => void } {
  let onPid: (pid: number) => void = () => undefined;
  const pid = new Promise<number>((resolve) => (onPid = resolve));
  return { pid, onPid: (value) => onPid(value) };
}

/** The promises of CommandRunner, for each implementation the same. */
export function describeRunner(
  name: string,
  makeRunner: () => Promise<RunnerUnderTest>,
  capabilities: RunnerCapabilities,
): void {
  const { okCommand, missingCommand, slowCommand } = capabilities;
  describe(`${name}: the promises of a runner`, () => {
    const opened: RunnerUnderTest[] = [];
    const make = async (): Promise<RunnerUnderTest> => {
      const made = await makeRunner();
      opened.push(made);
      return made;
    };
    afterEach(async () => {
      for (const made of opened.splice(0)) await made.cleanup();
    });

    it("says which machine it is", async () => {
      const { runner } = await make();
      expect(runner.label).not.toBe("");
      expect(runner.host).not.toBe("");
    });

    it("gives the output, the exit code and the times of a command", async () => {
      const { runner } = await make();
      const before = Date.now();
      const result = await runner.run(spec(okCommand), never);
      const { stdout, exitCode } = output(result);
      expect(exitCode).toBe(0);
      expect(stdout).not.toBe("");
      if (!result.ok) return;
      expect(result.value.argv).toEqual(okCommand);
      expect(result.value.startedAt).toBeGreaterThanOrEqual(before);
      expect(result.value.durationMs).toBeGreaterThanOrEqual(0);
    });

    it("gives exit code 127 for a program that does not exist", async () => {
      const { runner } = await make();
      const result = await runner.run(spec(missingCommand), never);
      expect(output(result)).toMatchObject({ exitCode: 127, stdout: "" });
    });

    it("tells the pid once, before the command has ended", async () => {
      const { runner } = await make();
      const pids: number[] = [];
      let ended = false;
      const result = await runner.run(
        spec(okCommand, {
          onPid: (pid) => {
            expect(ended).toBe(false);
            pids.push(pid);
          },
        }),
        never,
      );
      ended = true;
      expect(result.ok).toBe(true);
      expect(pids).toHaveLength(1);
      expect(pids[0]).toBeGreaterThan(0);
    });

    it("gives the pieces of the output as they come, together the same bytes", async () => {
      const { runner } = await make();
      const pieces: Buffer[] = [];
      const result = await runner.run(
        spec(okCommand, {
          onOutput: (stream, piece) => {
            if (stream === "stdout") pieces.push(Buffer.from(piece));
          },
        }),
        never,
      );
      expect(Buffer.concat(pieces).toString("utf8")).toBe(output(result).stdout);
    });

    it("does not start a command whose signal is aborted already", async () => {
      const { runner } = await make();
      let started = false;
      const result = await runner.run(spec(okCommand, { onPid: () => (started = true) }), AbortSignal.abort());
      expect(failure(result).kind).toBe("cancelled");
      expect(started).toBe(false);
    });

    it("ends a command when its signal is aborted", async () => {
      const { runner, pidAlive } = await make();
      const controller = new AbortController();
      const { pid, onPid } = hearPid();
      const run = runner.run(spec(slowCommand, { onPid }), controller.signal);
      const started = await pid;
      controller.abort();
      expect(failure(await run)).toMatchObject({ kind: "cancelled", what: slowCommand[0] });
      if (pidAlive) expect(await pidAlive(started)).toBe(false);
    });

    it("ends a command that is aborted before it has told its pid", async () => {
      const { runner } = await make();
      const controller = new AbortController();
      const run = runner.run(spec(slowCommand), controller.signal);
      controller.abort();
      expect(failure(await run).kind).toBe("cancelled");
    });

    it("ends a command at its time limit", async () => {
      const { runner, pidAlive } = await make();
      const { pid, onPid } = hearPid();
      const result = await runner.run(spec(slowCommand, { timeoutMs: 3_000, onPid }), never);
      expect(failure(result)).toMatchObject({ kind: "timed-out", what: slowCommand[0], seconds: 3 });
      if (pidAlive) expect(await pidAlive(await pid)).toBe(false);
    });

    it("keeps no more output than its limit, and says so", async () => {
      const { runner } = await make();
      const whole = output(await runner.run(spec(okCommand), never)).stdout;
      const limit = Math.max(1, Math.floor(Buffer.byteLength(whole) / 2));
      const error = failure(await runner.run(spec(okCommand, { maxOutputBytes: limit }), never));
      expect(error).toMatchObject({ kind: "output-truncated", limitBytes: limit });
      expect(text(error.partial?.stdout ?? new Uint8Array())).toBe(
        Buffer.from(whole).subarray(0, limit).toString("utf8"),
      );
    });

    it("runs several commands at once", async () => {
      const { runner } = await make();
      const results = await Promise.all(Array.from({ length: 20 }, () => runner.run(spec(okCommand), never)));
      expect(results.map((result) => output(result).exitCode)).toEqual(Array(20).fill(0));
    });

    it("ends one command and leaves the others alone", async () => {
      const { runner } = await make();
      const controller = new AbortController();
      const slow = runner.run(spec(slowCommand), controller.signal);
      const other = runner.run(spec(okCommand), never);
      controller.abort();
      expect(failure(await slow).kind).toBe("cancelled");
      expect(output(await other).exitCode).toBe(0);
    });

    it("refuses an argument with a NUL", async () => {
      const { runner } = await make();
      expect(failure(await runner.run(spec([okCommand[0], "a\0b"]), never)).kind).toBe("bad-request");
    });

    it("ends everything that runs when it is closed, and takes no more", async () => {
      const { runner, pidAlive } = await make();
      const heard = [hearPid(), hearPid()];
      const runs = heard.map(({ onPid }) => runner.run(spec(slowCommand, { onPid }), never));
      const pids = await Promise.all(heard.map(({ pid }) => pid));
      await runner.close();
      for (const run of runs) expect(failure(await run).kind).toBe("cancelled");
      if (pidAlive) for (const pid of pids) expect(await pidAlive(pid)).toBe(false);
      expect((await runner.run(spec(okCommand), never)).ok).toBe(false);
      await runner.close();
    });

    if (capabilities.shell) describeShell(make);
  });
}

/** Promises that show only where a shell answers. */
function describeShell(make: () => Promise<RunnerUnderTest>): void {
  const sh = (script: string, more: Partial<CommandSpec> = {}): CommandSpec => spec(["sh", "-c", script], more);

  it("hands arguments over unchanged, whatever is in them", async () => {
    const { runner } = await make();
    const words = ["", " ", "a b", "'", '"', "$HOME", "`id`", "\\", "!", "\n", "*", "~", "ü ␀", "-n", "a'b\"c$d`e\\f"];
    const result = await runner.run(spec(["printf", "%s\\0", ...words]), never);
    expect(output(result).stdout).toBe(words.map((word) => `${word}\0`).join(""));
  });

  it("keeps stdout and stderr apart, byte for byte", async () => {
    const { runner } = await make();
    const result = await runner.run(sh("printf '\\377\\000\\r\\n\\303'; printf 'oops' >&2; exit 3"), never);
    if (!result.ok) throw new Error(result.error.kind);
    expect([...result.value.stdout]).toEqual([0xff, 0x00, 0x0d, 0x0a, 0xc3]);
    expect(text(result.value.stderr)).toBe("oops");
    expect(result.value.exitCode).toBe(3);
  });

  it("gives every exit code as a result", async () => {
    const { runner } = await make();
    for (const code of [0, 1, 126, 127, 255]) {
      expect(output(await runner.run(sh(`exit ${String(code)}`), never)).exitCode).toBe(code);
    }
  });

  it("gives the signal of a command that ended by one", async () => {
    const { runner } = await make();
    const result = await runner.run(sh("kill -KILL $$"), never);
    if (!result.ok) throw new Error(result.error.kind);
    expect(result.value).toMatchObject({ signal: "SIGKILL" });
    expect(result.value.exitCode).toBeUndefined();
  });

  it("drains much output on both streams at once", async () => {
    const { runner } = await make();
    const bytes = 5_000_000;
    const script = `head -c ${String(bytes)} /dev/zero >&2 & head -c ${String(bytes)} /dev/zero; wait`;
    const result = await runner.run(sh(script, { maxOutputBytes: bytes }), never);
    if (!result.ok) throw new Error(result.error.kind);
    expect(result.value.stdout).toHaveLength(bytes);
    expect(result.value.stderr).toHaveLength(bytes);
  });

  it("ends a command that prints without end at the output limit", async () => {
    const { runner, pidAlive } = await make();
    const { pid, onPid } = hearPid();
    const error = failure(await runner.run(spec(["yes"], { maxOutputBytes: 100_000, onPid }), never));
    expect(error.kind).toBe("output-truncated");
    expect(error.partial?.stdout).toHaveLength(100_000);
    if (pidAlive) expect(await pidAlive(await pid)).toBe(false);
  });

  it("gives an empty standard input", async () => {
    const { runner } = await make();
    expect(output(await runner.run(spec(["cat"]), never))).toEqual({ stdout: "", stderr: "", exitCode: 0 });
  });

  it("sets LC_ALL and keeps PATH, with the folders of system tools at its end", async () => {
    const { runner } = await make();
    const [locale, path] = output(await runner.run(sh('echo "$LC_ALL"; echo "$PATH"'), never)).stdout.split("\n");
    expect(locale).toBe("C");
    expect(path).toMatch(/.:\/usr\/local\/sbin:\/usr\/sbin:\/sbin$/);
  });

  it("ends grandchildren and those that ignore TERM", async () => {
    const { runner, pidAlive } = await make();
    const controller = new AbortController();
    const pids: number[] = [];
    const seen = new Promise<void>((resolve) => {
      let said = "";
      const onOutput = (_stream: string, piece: Uint8Array): void => {
        said += text(piece);
        const lines = said.split("\n").slice(0, -1);
        if (lines.length < 3) return;
        pids.push(...lines.map(Number));
        resolve();
      };
      const script = "trap '' TERM; sleep 300 & echo $!; sh -c 'sleep 301 & echo $!; wait' & echo $!; wait";
      void runner.run(sh(script, { onOutput }), controller.signal).then((result) => ended(result));
    });
    let ended: (result: RunResult) => void = () => undefined;
    const end = new Promise<RunResult>((resolve) => (ended = resolve));
    await seen;
    controller.abort();
    expect(failure(await end).kind).toBe("cancelled");
    expect(pids.length).toBe(3);
    if (pidAlive) expect(await Promise.all(pids.map((pid) => pidAlive(pid)))).toEqual([false, false, false]);
  });

  it("keeps what came before a command was ended", async () => {
    const { runner } = await make();
    const error = failure(await runner.run(sh("echo first; echo second >&2; sleep 60", { timeoutMs: 3_000 }), never));
    expect(text(error.partial?.stdout ?? new Uint8Array())).toBe("first\n");
    expect(text(error.partial?.stderr ?? new Uint8Array())).toBe("second\n");
  });

  it("ends what a command leaves running in its group when it ends", async () => {
    const { runner, pidAlive } = await make();
    const { stdout, exitCode } = output(await runner.run(sh("sleep 300 & echo $!"), never));
    expect(exitCode).toBe(0);
    if (pidAlive) expect(await pidAlive(Number(stdout))).toBe(false);
  });
}
