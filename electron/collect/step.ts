/** Running the commands of one step of a collection. */
import { limits } from "../../shared/base/limits.ts";
import type { SourceSpec } from "../../shared/contract/source.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import type { CommandOutput, CommandRunner, CommandSpec } from "../run/runner.ts";
import type { CaptureOutput } from "../store/capture.ts";
import { decodeOutput } from "../threads/decode.ts";
import { toolFailure } from "./tool-failure.ts";

export type Argv = readonly [string, ...string[]];

/** Where the tools run and how. */
export interface ToolPlace {
  readonly runner: CommandRunner;
  readonly source: SourceSpec;
  readonly signal: AbortSignal;
}

/** What one command left: its output, when there is any, and what went wrong. */
export interface Ran {
  readonly output?: CommandOutput;
  readonly stdout: string;
  readonly stderr: string;
  readonly error?: AppError;
}

/** Options that name the HCA and port for a tool of infiniband-diags. */
export function deviceOptions(source: SourceSpec): readonly string[] {
  if (source.kind === "simulated") return [];
  return [
    ...(source.hca === "" ? [] : ["-C", source.hca]),
    ...(source.hcaPort === 0 ? [] : ["-P", String(source.hcaPort)]),
  ];
}

/**
 * Runs one tool. `accepts` names an exit code other than 0 with which the tool has still done its work. What it printed
 * before it failed, or before its time was over, is handed back with the error.
 */
export async function runTool(
  { runner, source, signal }: ToolPlace,
  argv: Argv,
  timeoutMs: number,
  accepts: (output: CommandOutput) => boolean = () => false,
  onOutput?: CommandSpec["onOutput"],
): Promise<Ran> {
  const sudo = source.kind !== "simulated" && source.sudo;
  const ran = await runner.run(
    { argv, timeoutMs, maxOutputBytes: limits.fileBytes, sudo, ...(onOutput === undefined ? {} : { onOutput }) },
    signal,
  );
  if (!ran.ok) {
    const { partial, ...error } = ran.error;
    if (partial === undefined || partial.stdout.length === 0) return { stdout: "", stderr: "", error };
    return { ...texts(partial), error };
  }
  const output = ran.value;
  if (accepts(output)) return texts(output);
  const error = await toolFailure(runner, argv[0], sudo, output, signal);
  return { ...texts(output), ...(error === undefined ? {} : { error }) };
}

function texts(output: CommandOutput): Omit<Ran, "error"> {
  return { output, stdout: decodeOutput(output.stdout), stderr: decodeOutput(output.stderr) };
}

/** An output as the capture keeps it. */
export function asOutput(name: string, output: CommandOutput): CaptureOutput {
  return {
    name,
    stdout: output.stdout,
    ...(output.stderr.length === 0 ? {} : { stderr: output.stderr }),
    commandLine: output.argv.join(" "),
    ...(output.exitCode === undefined ? {} : { exitCode: output.exitCode }),
    startedAt: new Date(output.startedAt).toISOString(),
    durationMs: output.durationMs,
  };
}
