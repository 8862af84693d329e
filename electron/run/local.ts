import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { homedir } from "node:os";
import { err, ok } from "../../shared/base/result.ts";
import type { Result } from "../../shared/base/result.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { runCommand } from "./command.ts";
import type { CommandSink, CommandTransport, StartedCommand } from "./command.ts";
import { killCommand } from "./envelope.ts";
import type { CommandRunner, CommandSpec, RunResult } from "./runner.ts";

export interface LocalRunnerOptions {
  /** Environment of the commands; that of this process when left out. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Working directory of the commands; the home directory when left out. */
  readonly directory?: string;
}

/**
 * Runs commands on this machine, each as leader of a session of its own. The same start script as over SSH: when this
 * program dies, even by KILL, the commands are ended.
 */
export function createLocalRunner(options: LocalRunnerOptions = {}): CommandRunner {
  const closing = new AbortController();
  const running = new Set<Promise<RunResult>>();
  const transport = localTransport(options);
  return {
    kind: "local",
    label: "this machine",
    host: transport.host,
    run(spec: CommandSpec, signal: AbortSignal): Promise<RunResult> {
      const run = runCommand(spec, [signal, closing.signal], transport);
      running.add(run);
      void run.finally(() => running.delete(run));
      return run;
    },
    async close(): Promise<void> {
      closing.abort();
      await Promise.allSettled(running);
    },
  };
}

function localTransport(options: LocalRunnerOptions): CommandTransport {
  const start = (argv: readonly [string, ...string[]]): ChildProcess => {
    const [program, ...words] = argv;
    return spawn(program, words, {
      detached: true,
      stdio: ["pipe", "pipe", "pipe"],
      cwd: options.directory ?? homedir(),
      env: options.environment ?? process.env,
    });
  };
  return {
    host: "this machine",
    async start(argv, sudo, sink): Promise<Result<StartedCommand, AppError>> {
      sink.opening();
      const child = start(argv);
      const failure = await whenSpawned(child);
      if (failure !== undefined) return err({ kind: "unsupported", what: "commands on this machine", detail: failure });
      follow(child, sink);
      return ok({
        async kill(pid) {
          // The shell that was spawned becomes the tool, unless it had to make a session; then the marker knows better.
          const target = pid ?? child.pid;
          if (target === undefined) return false;
          const killer = start(killCommand(target, sudo));
          killer.stdout?.resume();
          killer.stderr?.resume();
          if ((await whenSpawned(killer)) !== undefined) return false;
          return new Promise((resolve) => killer.once("close", (code) => resolve(code === 0)));
        },
        abandon() {
          child.stdin?.destroy();
          child.stdout?.destroy();
          child.stderr?.destroy();
        },
      });
    },
  };
}

/** Undefined once the process runs; else why it does not. */
function whenSpawned(child: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve) => {
    child.once("spawn", () => resolve(undefined));
    child.on("error", (error) => resolve(error.message));
  });
}

function follow(child: ChildProcess, sink: CommandSink): void {
  child.stdout?.on("data", (piece: Buffer) => sink.stdout(piece));
  child.stderr?.on("data", (piece: Buffer) => sink.stderr(piece));
  // The tool never reads: a closed pipe is no failure.
  child.stdin?.on("error", () => undefined);
  child.once("close", (code, signal) => {
    if (code !== null) sink.ended({ kind: "ended", exitCode: code });
    else if (signal !== null) sink.ended({ kind: "ended", signal });
    else sink.ended({ kind: "cut" });
  });
}
