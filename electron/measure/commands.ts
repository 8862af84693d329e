/** Small helpers around runners: texts of outputs, short commands, waiting. */
import { err, ok, type Result } from "../../shared/base/result.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import type { CommandOutput, CommandRunner, RunResult } from "../run/runner.ts";

export interface TextOutput {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode?: number;
  readonly signal?: string;
  readonly durationMs: number;
}

/** Output as text. Bytes that are no UTF-8 become U+FFFD. */
export function textOf(output: CommandOutput): TextOutput {
  return {
    stdout: Buffer.from(output.stdout).toString("utf8"),
    stderr: Buffer.from(output.stderr).toString("utf8"),
    durationMs: output.durationMs,
    ...(output.exitCode === undefined ? {} : { exitCode: output.exitCode }),
    ...(output.signal === undefined ? {} : { signal: output.signal }),
  };
}

/** The error without what the runner had collected by then. */
export function errorOf(failed: Extract<RunResult, { ok: false }>["error"]): AppError {
  if (failed.partial === undefined) return failed;
  const error: AppError & { partial?: CommandOutput } = { ...failed };
  delete error.partial;
  return error;
}

const askLimits = { timeoutMs: 20_000, maxOutputBytes: 1024 * 1024 } as const;

/** Runs a short command that only asks. An output that is too long is cut, not an error: the beginning is enough. */
export async function ask(
  runner: CommandRunner,
  argv: readonly [string, ...string[]],
  signal: AbortSignal,
  sudo = false,
): Promise<Result<TextOutput, AppError>> {
  const result = await runner.run({ argv, ...askLimits, ...(sudo ? { sudo } : {}) }, signal);
  if (result.ok) return ok(textOf(result.value));
  if (result.error.kind === "output-truncated" && result.error.partial !== undefined) {
    return ok({ ...textOf(result.error.partial), exitCode: 0 });
  }
  return err(errorOf(result.error));
}

/** Waits; ends at once when the signal is aborted. */
export type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>;

export const realSleep: Sleep = (milliseconds, signal) =>
  new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const finish = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", finish);
      resolve();
    };
    const timer = setTimeout(finish, milliseconds);
    signal.addEventListener("abort", finish);
  });

/** An AbortController that is aborted together with any of `signals`; `release` ends the tie. */
export function linkedController(...signals: readonly AbortSignal[]): {
  readonly controller: AbortController;
  readonly release: () => void;
} {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  for (const signal of signals) {
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort);
  }
  return {
    controller,
    release: () => {
      for (const signal of signals) signal.removeEventListener("abort", abort);
    },
  };
}
