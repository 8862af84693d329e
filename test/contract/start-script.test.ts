import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MarkerFilter, killCommand, wrapCommand } from "../../electron/run/envelope.ts";
import { processAlive } from "../support/processes.ts";

/** Shells that may be `/bin/sh` somewhere; those that this machine has are tried. */
const shells = ["/usr/bin/dash", "/bin/bash", "/usr/bin/busybox", "/usr/bin/mksh", "/usr/bin/ksh"].filter((path) =>
  existsSync(path),
);

/** A command of several processes that all ignore TERM; prints their pids. */
const stubborn = [
  "sh",
  "-c",
  "trap '' TERM; sleep 310 & echo $!; sh -c 'sleep 311 & echo $!; wait' & echo $!; wait",
] as const;

describe.each(shells)("the start and kill scripts in %s", (shell) => {
  let directory: string;
  let sh: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "ibex-shell-"));
    sh = join(directory, "sh");
    await symlink(shell, sh);
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  function start(argv: readonly string[], detached = true): ChildProcess {
    const [program = "", ...words] = argv.map((word) => word.replaceAll("/bin/sh", sh));
    return spawn(program, words, { detached, stdio: ["pipe", "pipe", "pipe"] });
  }

  interface Started {
    readonly child: ChildProcess;
    readonly ended: Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;
    /** Pid of the command and the numbers that it prints, once there are three. */
    readonly pids: Promise<readonly number[]>;
  }

  function startWrapped(argv: readonly string[], detached = true): Started {
    const envelope = wrapCommand(argv, false);
    const child = start(envelope.argv, detached);
    const filters = { stdout: new MarkerFilter(envelope.marker), stderr: new MarkerFilter(envelope.marker) };
    const texts = { stdout: "", stderr: "" };
    let tell: (pids: readonly number[]) => void = () => undefined;
    const pids = new Promise<readonly number[]>((resolve) => (tell = resolve));
    for (const stream of ["stdout", "stderr"] as const) {
      child[stream]?.on("data", (piece: Buffer) => {
        texts[stream] += Buffer.from(filters[stream].push(piece)).toString("utf8");
        const lines = texts.stdout.split("\n").slice(0, -1);
        const pid = filters.stderr.pid;
        if (lines.length === 3 && pid !== undefined) tell([pid, ...lines.map(Number)]);
      });
    }
    const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
      child.once("close", (code) => resolve({ code, ...texts }));
    });
    return { child, ended, pids };
  }

  const anyAlive = async (pids: readonly number[]): Promise<boolean> =>
    (await Promise.all(pids.map((pid) => processAlive(pid)))).includes(true);

  it("hands over the words, the streams and the exit code", async () => {
    const words = ["it's", "$HOME", "a  b", "", "*", "\\"];
    const { ended } = startWrapped(["sh", "-c", 'printf "%s|" "$@"; echo oops >&2; exit 5', "x", ...words]);
    expect(await ended).toEqual({ code: 5, stdout: words.map((word) => `${word}|`).join(""), stderr: "oops\n" });
  });

  it("gives 127 for a program that does not exist", async () => {
    expect(await startWrapped(["ibex-no-such-program"]).ended).toMatchObject({ code: 127, stdout: "" });
  });

  it("ends the whole tree by the kill script, which says so", async () => {
    const { pids } = startWrapped(stubborn);
    const known = await pids;
    const killer = start(killCommand(known[0] ?? 0, false));
    expect(await new Promise((resolve) => killer.once("close", resolve))).toBe(0);
    expect(await anyAlive(known)).toBe(false);
  });

  it("ends the whole tree when its standard input ends", async () => {
    const { child, ended, pids } = startWrapped(stubborn);
    const known = await pids;
    child.stdin?.end();
    await ended;
    await expect.poll(() => anyAlive(known), { timeout: 10_000 }).toBe(false);
  });

  it("makes a group of its own where it was started without one", async () => {
    const { pids } = startWrapped(stubborn, false);
    const known = await pids;
    const killer = start(killCommand(known[0] ?? 0, false));
    expect(await new Promise((resolve) => killer.once("close", resolve))).toBe(0);
    expect(await anyAlive(known)).toBe(false);
  });

  it("has nothing to do for a process that is gone", async () => {
    const killer = start(killCommand(3_999_999, false));
    expect(await new Promise((resolve) => killer.once("close", resolve))).toBe(0);
  });
});
