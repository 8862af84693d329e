/**
 * Two scripted hosts for the code that runs commands on them: each command is answered by a function of the test, and
 * every call and every process that still runs is known. Keeps the promises of CommandRunner: abort, lost connection
 * and the end of the connection settle what runs.
 */
import { err, ok, type Result } from "../../shared/base/result.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import type { HostAccess } from "../../electron/run/access.ts";
import { simpleCommands } from "../../electron/run/simulated/shell-script.ts";
import type { CommandOutput, CommandRunner, CommandSpec, RunResult } from "../../electron/run/runner.ts";

/** What a command leaves. `hang`: nothing, until somebody ends it. */
export type Reply =
  | "hang"
  | { readonly stdout?: string; readonly stderr?: string; readonly exitCode?: number; readonly durationMs?: number };

/** Answers a command. A promise lets the command run until the test resolves it. */
export type Script = (argv: readonly string[], host: ScriptedHost) => Reply | Promise<Reply>;

interface RunningCommand {
  readonly argv: readonly string[];
  readonly settle: (result: RunResult) => void;
}

export class ScriptedHost implements CommandRunner {
  readonly kind = "ssh";
  readonly host: string;
  readonly label: string;
  /** Every command line that was started, in order. */
  readonly started: string[] = [];
  /** Commands as they came over the wire: a batch is one. */
  roundTrips = 0;
  /** Every command line that was ended from outside, in order. */
  readonly ended: string[] = [];
  script: Script;
  private readonly running = new Set<RunningCommand>();
  private lost = false;
  private nextPid = 100;

  constructor(host: string, script: Script) {
    this.host = host;
    this.label = `root@${host}`;
    this.script = script;
  }

  /** Command lines of what runs now. */
  get processes(): readonly string[] {
    return [...this.running].map(({ argv }) => argv.join(" "));
  }

  /** Cuts the connection: what runs, and all that comes, ends with `connection-lost`. */
  lose(): void {
    this.lost = true;
    for (const { argv, settle } of [...this.running]) settle(err(this.lostError(argv)));
  }

  run(spec: CommandSpec, signal: AbortSignal): Promise<RunResult> {
    const { argv } = spec;
    const line = argv.join(" ");
    if (signal.aborted) return Promise.resolve(err({ kind: "cancelled", what: argv[0] }));
    if (this.lost) return Promise.resolve(err(this.lostError(argv)));
    const commands = batched(argv);
    this.roundTrips += 1;
    if (commands === undefined) this.started.push(line);
    this.nextPid += 1;
    spec.onPid?.(this.nextPid);
    let running = line;
    return new Promise((resolve) => {
      const settle = (result: RunResult): void => {
        if (!this.running.delete(entry)) return;
        signal.removeEventListener("abort", cancel);
        resolve(result);
      };
      const entry: RunningCommand = { argv, settle };
      const cancel = (): void => {
        this.ended.push(running);
        settle(err({ kind: "cancelled", what: argv[0], partial: output(argv, {}) }));
      };
      this.running.add(entry);
      signal.addEventListener("abort", cancel);
      if (commands === undefined) {
        void this.answer(argv, settle);
        return;
      }
      void this.answerAll(argv, commands, settle, (inner) => {
        running = inner;
      });
    });
  }

  close(): Promise<void> {
    this.lose();
    return Promise.resolve();
  }

  private async answer(argv: readonly string[], settle: (result: RunResult) => void): Promise<void> {
    const reply = await this.script(argv, this);
    if (reply !== "hang") settle(ok(output(argv, reply)));
  }

  /** A batch is answered command by command, each by the same script as if it had come alone. */
  private async answerAll(
    argv: readonly string[],
    commands: readonly (readonly string[])[],
    settle: (result: RunResult) => void,
    onStart: (line: string) => void,
  ): Promise<void> {
    const marker = argv[4] ?? "";
    let [stdout, stderr] = ["", ""];
    for (const command of commands) {
      if (this.lost) return;
      onStart(command.join(" "));
      this.started.push(command.join(" "));
      const reply = await this.script(command, this);
      if (reply === "hang") return;
      stdout += `${reply.stdout ?? ""}${marker} ${String(reply.exitCode ?? 0)}\n`;
      stderr += `${reply.stderr ?? ""}${marker}\n`;
    }
    settle(ok(output(argv, { stdout, stderr })));
  }

  private lostError(argv: readonly string[]): AppError {
    return { kind: "connection-lost", host: this.host, during: argv[0] ?? "" };
  }
}

/** The commands of a batch (electron/measure/batch.ts), which come as words of a script that only numbers them. */
function batched(argv: readonly string[]): readonly (readonly string[])[] | undefined {
  if (argv[0] !== "/bin/sh" || argv[3] !== "sh") return undefined;
  return simpleCommands(argv[2] ?? "", argv.slice(3))
    ?.map(({ words }) => words)
    .filter(([program, marker]) => program !== "echo" || marker !== argv[4]);
}

function output(argv: readonly string[], reply: Exclude<Reply, "hang">): CommandOutput {
  const { stdout = "", stderr = "", exitCode = 0, durationMs = 1 } = reply;
  const encoder = new TextEncoder();
  return {
    argv,
    stdout: encoder.encode(stdout),
    stderr: encoder.encode(stderr),
    exitCode,
    startedAt: 0,
    durationMs,
  };
}

/** An access to scripted hosts by name; a name that is none is unreachable. */
export function scriptedAccess(hosts: readonly ScriptedHost[]): HostAccess {
  const [source] = hosts;
  if (source === undefined) throw new Error("an access has at least one host");
  return {
    source,
    simulated: false,
    host(name, signal): Promise<Result<{ runner: CommandRunner; address: string }, AppError>> {
      if (signal.aborted) return Promise.resolve(err({ kind: "cancelled", what: `connecting to ${name}` }));
      const runner = hosts.find(({ host }) => host === name);
      if (runner === undefined) {
        return Promise.resolve(err({ kind: "unreachable", host: name, port: 22, code: "ENOTFOUND" }));
      }
      return Promise.resolve(ok({ runner, address: `10.0.0.${String(hosts.indexOf(runner) + 1)}` }));
    },
    async close() {
      await Promise.all(hosts.map((host) => host.close()));
    },
  };
}
