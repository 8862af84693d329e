/**
 * Error counters of all ports. Only reads: ibqueryerrors clears counters with -k and -K, which are never used here.
 */
import type { AppError } from "../../shared/errors/kinds.ts";
import { parseIbqueryerrors } from "../../shared/parse/ibqueryerrors.ts";
import type { CommandOutput } from "../run/runner.ts";
import { decodeOutput } from "../threads/decode.ts";
import { deviceOptions, type Ran, runTool, type ToolPlace } from "./step.ts";

/** 10,000 hosts take 18 s; each node that does not answer adds a second or more. */
const timeoutMs = 300_000;

/** With exit code 1 it says that it found errors. The summary proves that it ran to its end. */
function ranToTheEnd({ exitCode, stdout }: CommandOutput): boolean {
  return (exitCode === 0 || exitCode === 1) && /^## Summary: /m.test(decodeOutput(stdout));
}

/**
 * Asks without thresholds, so that a port which is not listed is clean; versions that do not know the option are asked
 * without it. Their own thresholds then stand in the text.
 */
export async function readErrorCounters(place: ToolPlace): Promise<Ran> {
  const device = deviceOptions(place.source);
  const options = ["--data", "--threshold-file", "/dev/null"];
  const ran = await runTool(place, ["ibqueryerrors", ...device, ...options], timeoutMs, ranToTheEnd);
  if (ran.error?.kind !== "command-failed" || !/option|usage/i.test(ran.stderr)) return proved(ran, place);
  return proved(await runTool(place, ["ibqueryerrors", ...device], timeoutMs, ranToTheEnd), place);
}

/** Some versions print nothing and end with 0 when the SA does not answer. */
function proved(ran: Ran, { runner }: ToolPlace): Ran {
  if (ran.error !== undefined || ran.output === undefined) return ran;
  const { records } = parseIbqueryerrors(ran.stdout, { file: "" });
  if (records.complete) return ran;
  const error: AppError = { kind: "empty-output", what: `ibqueryerrors on ${runner.host}` };
  return { ...ran, error };
}

/** `11 ports with errors`, `no errors`. */
export function countersNote(stdout: string): string {
  const { ports, summary } = parseIbqueryerrors(stdout, { file: "" }).records;
  const missing =
    summary === undefined || summary.queryFailures === 0 ? "" : `, ${summary.queryFailures} queries unanswered`;
  if (ports.length === 0) return `no errors counted${missing}`;
  return `${ports.length} ${ports.length === 1 ? "port has" : "ports have"} counted errors${missing}`;
}
