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
 * that does not answer, or for which there was no time left.
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
  const asked = await askAll(runner, commands, signal, { sudo: tools.sudo, timeoutMs });
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
  return parsePerfquery(stdout, { file: tool }).records.ports.find(
    (read) => read.lid === lid && read.port === port && (read.attribute === "extended" || read.attribute === "classic"),
  );
}
