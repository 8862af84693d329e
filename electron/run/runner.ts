import type { Result } from "../../shared/base/result.ts";
import type { AppError } from "../../shared/errors/kinds.ts";

/** One command. Built from an argv; quoting happens in one place (quote.ts), never by the caller. */
export interface CommandSpec {
  /** Program and arguments. The program is called by name; the runner sets LC_ALL=C and a PATH with /usr/sbin and /sbin. */
  readonly argv: readonly [string, ...string[]];
  /** The command and what it started are ended after this time; the result is `timed-out`. */
  readonly timeoutMs: number;
  /** Bytes kept of each of stdout and stderr; reaching it ends the command with `output-truncated`. */
  readonly maxOutputBytes: number;
  /** Run through `sudo -n`. */
  readonly sudo?: boolean;
  /** Called once with the pid on the machine where the command runs, as soon as it is known. */
  readonly onPid?: (pid: number) => void;
  /** Called with pieces of stdout and stderr as they come (bytes as sent; a piece may end inside a character). */
  readonly onOutput?: (stream: "stdout" | "stderr", piece: Uint8Array) => void;
}

/** What a command left. Any exit code is a result: only the caller knows what it means. */
export interface CommandOutput {
  readonly argv: readonly string[];
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  /** Undefined when it ended by a signal. 127: the shell did not find the program. */
  readonly exitCode?: number;
  readonly signal?: string;
  readonly startedAt: number;
  readonly durationMs: number;
}

/**
 * Runs commands on one machine. Three implementations: ssh, local, simulated; one conformance suite
 * (test/contract/runner.ts) holds for all.
 *
 * Promises: `run` settles only when the command has ended or cannot be reached any more. Aborting `signal`, the time
 * limit and the output limit end the remote process (TERM, after 2 s KILL, to its process group) before `run` settles,
 * with kind `cancelled`, `timed-out` or `output-truncated`. When the connection is lost: `connection-lost`. A program
 * that does not exist: exit code 127, as a result. Several commands may run at once.
 */
export interface CommandRunner {
  readonly kind: "ssh" | "local" | "simulated";
  /** For people and records: `root@mgmt-01`, `this machine`, `simulated fat tree`. */
  readonly label: string;
  /** Host name for error messages. */
  readonly host: string;
  run(spec: CommandSpec, signal: AbortSignal): Promise<RunResult>;
  /** Ends the connection and everything that still runs. */
  close(): Promise<void>;
}

export type RunResult = Result<CommandOutput, AppError & { readonly partial?: CommandOutput }>;
