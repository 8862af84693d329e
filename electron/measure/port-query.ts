/** Asks ports for their counters with perfquery (infiniband-diags). Only reads: never -R. */
import { err, ok, type Result } from "../../shared/base/result.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { parsePerfquery, type PerfqueryPort } from "../../shared/parse/perfquery.ts";
import { toolFailure } from "../collect/tool-failure.ts";
import type { CommandRunner } from "../run/runner.ts";
import { type Argv, askAll } from "./batch.ts";
import type { TextOutput } from "./commands.ts";
import type { SourceTools } from "./source-tools.ts";

const tool = "perfquery";

/** A port that does not answer costs perfquery some seconds; the others are not lost over a few of them. */
const timeoutMs = 30_000;

/** Where one hangs, those behind it are asked in batches of their own: so many, each with less patience than the first. */
const furtherBatches = 3;
const furtherTimeoutMs = 10_000;

/** Failures that every further query would meet as well. */
const endsAll: ReadonlySet<AppError["kind"]> = new Set(["tool-missing", "no-permission", "sudo-refused", "no-device"]);

/** One question: which counters of which port. `wide`: the extended attribute (-x), with 64-bit data counters. */
export interface PortQuestion {
  readonly lid: number;
  readonly port: number;
  readonly wide: boolean;
}

/**
 * The counters that perfquery prints for ports, all in one round trip, in the order of the questions; undefined for a port
 * that does not answer, or for which there was no time left. One that hangs, or takes the shell with it, is passed over,
 * and those behind it are asked again.
 *
 * @returns an error when no port can be asked: `tool-missing`, `no-permission`, `sudo-refused`, `no-device`, and what
 * the way to the machine says.
 */
export async function queryPorts(
  questions: readonly PortQuestion[],
  { runner, tools }: { readonly runner: CommandRunner; readonly tools: SourceTools },
  signal: AbortSignal,
): Promise<Result<readonly (PerfqueryPort | undefined)[], AppError>> {
  const commands = questions.map(({ lid, port, wide }): Argv => [
    tool,
    ...tools.options,
    ...(wide ? ["-x"] : []),
    String(lid),
    String(port),
  ]);
  const asked = await askPastHanging(runner, commands, tools.sudo, signal);
  if (!asked.ok) return asked;
  const found: (PerfqueryPort | undefined)[] = [];
  for (const [index, { lid, port }] of questions.entries()) {
    const output = asked.value[index];
    const failure = output === undefined ? undefined : await failureOf(output, runner, tools, signal);
    // The tool does not work at all: the first answer says so, and no other is looked at.
    if (failure !== undefined && endsAll.has(failure.kind)) return err(failure);
    found.push(output === undefined || failure !== undefined ? undefined : readPort(output, lid, port));
  }
  return ok(found);
}

/** Failures of a batch that say of its first command only that it did not end. */
const firstHung: ReadonlySet<AppError["kind"]> = new Set(["timed-out", "output-truncated", "unsupported"]);

/** Outputs in the order of the commands, undefined for those that did not end and those never come to. */
async function askPastHanging(
  runner: CommandRunner,
  commands: readonly Argv[],
  sudo: boolean,
  signal: AbortSignal,
): Promise<Result<readonly (TextOutput | undefined)[], AppError>> {
  const outputs: (TextOutput | undefined)[] = [];
  let first: AppError | undefined;
  for (let batch = 0; batch <= furtherBatches && outputs.length < commands.length; batch += 1) {
    const limit = batch === 0 ? timeoutMs : furtherTimeoutMs;
    const asked = await askAll(runner, commands.slice(outputs.length), signal, { sudo, timeoutMs: limit });
    if (!asked.ok) {
      first ??= asked.error;
      // Cancelled, or the way to the machine is lost: what is known stays.
      if (!firstHung.has(asked.error.kind)) break;
    }
    outputs.push(...(asked.ok ? asked.value : []));
    if (outputs.length < commands.length) outputs.push(undefined);
  }
  return first !== undefined && outputs.every((output) => output === undefined) ? err(first) : ok(outputs);
}

function failureOf(
  { stdout, stderr, exitCode, durationMs }: TextOutput,
  runner: CommandRunner,
  { sudo }: SourceTools,
  signal: AbortSignal,
): Promise<AppError | undefined> {
  const output = {
    argv: [tool],
    stdout: Buffer.from(stdout),
    stderr: Buffer.from(stderr),
    startedAt: 0,
    durationMs,
    ...(exitCode === undefined ? {} : { exitCode }),
  };
  return toolFailure(runner, tool, sudo, output, signal);
}

function readPort({ stdout }: TextOutput, lid: number, port: number): PerfqueryPort | undefined {
  // A banner without an end of line, of sudo or of a wrapper around the tool, stands before the header on its line.
  const text = stdout.replace(/([^\n])(?=# Port (?:extended )?counters:)/g, "$1\n");
  return parsePerfquery(text, { file: tool }).records.ports.find(
    (read) => read.lid === lid && read.port === port && (read.attribute === "extended" || read.attribute === "classic"),
  );
}
