import { spawn } from "node:child_process";
import type { ChildProcess, StdioOptions } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/*
 * The watch: a small shell beside the test process, in a session of its own, told the pids and folders of the lab over
 * a pipe. When the pipe ends, because the test process closed it or died of whatever, it ends what is left and
 * removes the folders. (ibsim spins for ever when its input ends; opensm and sshd would go on as well.)
 */
const watchScript = `
trap '' INT TERM HUP
pids=; mark=; set --
while read -r word value; do
  case $word in
    begin) pids="$pids $value" ;;
    end) left=; for p in $pids; do [ "$p" = "$value" ] || left="$left $p"; done; pids=$left ;;
    folder) set -- "$@" "$value" ;;
    marked) mark=$value ;;
  esac
done
if [ -n "$mark" ]; then
  for p in /proc/[0-9]*; do
    if grep -qszxF "$mark" "$p/environ"; then kill -KILL "\${p#/proc/}" 2>/dev/null; fi
  done
fi
for p in $pids; do kill -KILL "-$p" 2>/dev/null || kill -KILL "$p" 2>/dev/null; done
[ -z "$pids" ] || sleep 0.2
for folder in "$@"; do rm -rf "$folder"; done
`;

/** Time for a process to end after TERM, in milliseconds; KILL follows. */
const farewellMs = 3_000;

export interface HouseholdSpawn {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly stdio: StdioOptions;
}

/** The processes and the folder of one lab: ended and removed by `close`, and by a watch when the test process dies. */
export class Household {
  /** A folder for the lab's files. */
  readonly directory: string;
  private readonly watch: ChildProcess;
  private readonly children = new Set<ChildProcess>();

  private constructor(directory: string) {
    this.directory = directory;
    this.watch = spawn("/bin/sh", ["-c", watchScript], { detached: true, stdio: ["pipe", "ignore", "ignore"] });
    this.watch.stdin?.on("error", () => undefined); // the watch is gone: then somebody ended everything by hand
    this.watch.unref();
    this.removeOnDeath(directory);
  }

  static async open(prefix: string): Promise<Household> {
    return new Household(await mkdtemp(join(tmpdir(), prefix)));
  }

  /** Starts a program as leader of its own process group. */
  start(program: string, args: readonly string[], options: HouseholdSpawn): ChildProcess {
    const child = spawn(program, args, { ...options, detached: true });
    child.on("error", () => undefined); // `pid` is undefined then; who waits for it sees the end
    this.children.add(child);
    if (child.pid !== undefined) this.adopt(child.pid);
    child.once("exit", () => {
      this.children.delete(child);
      if (child.pid !== undefined) this.tell(`end ${child.pid}`);
    });
    return child;
  }

  /** Has the watch end a process that somebody else started. */
  adopt(pid: number): void {
    this.tell(`begin ${pid}`);
  }

  /** Takes a process back from the watch. */
  release(pid: number): void {
    this.tell(`end ${pid}`);
  }

  /** Has the watch end every process whose environment has this `NAME=value` when all is over. */
  endMarked(variable: string): void {
    this.tell(`marked ${variable}`);
  }

  /** Has the watch remove a folder when the test process dies. */
  removeOnDeath(directory: string): void {
    this.tell(`folder ${directory}`);
  }

  /** Ends a started program; settles when it has ended. */
  async end(child: ChildProcess, signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
    if (!this.children.has(child) || child.pid === undefined) return;
    const gone = new Promise((resolve) => child.once("exit", resolve));
    const insist = setTimeout(() => signalGroup(child.pid, "SIGKILL"), farewellMs);
    signalGroup(child.pid, signal);
    await gone;
    clearTimeout(insist);
  }

  /** Ends everything and removes the folder. Nothing of a lab is worth a farewell. */
  async close(): Promise<void> {
    await Promise.all([...this.children].map((child) => this.end(child, "SIGKILL")));
    const gone = new Promise((resolve) => this.watch.once("exit", resolve));
    this.watch.ref();
    this.watch.stdin?.end();
    if (this.watch.exitCode === null && this.watch.signalCode === null) await gone;
    await rm(this.directory, { recursive: true, force: true, maxRetries: 3 });
  }

  private tell(line: string): void {
    this.watch.stdin?.write(`${line}\n`);
  }
}

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // ended in the meantime
  }
}

/** Pids of this machine's processes whose environment has this `NAME=value`. */
export async function processesWith(variable: string): Promise<readonly number[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const hits = await Promise.all(
    pids.map(async (pid) => {
      try {
        const environment = await readFile(`/proc/${pid}/environ`, "utf8");
        return environment.split("\0").includes(variable);
      } catch {
        return false; // gone, or another user's
      }
    }),
  );
  return pids.filter((_, index) => hits[index]);
}

/**
 * Asks again until the answer is there.
 *
 * @param attempt the answer, or undefined while it is not there yet
 * @throws when the time is over, with `what`
 */
export async function eventually<T>(
  what: string,
  limitMs: number,
  attempt: () => Promise<T | undefined> | T | undefined,
): Promise<T> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const answer = await attempt();
    if (answer !== undefined) return answer;
    if (Date.now() > deadline) throw new Error(`not within ${limitMs / 1000} s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
