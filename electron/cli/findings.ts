/** `ibex findings`: what is wrong with a capture, and nothing else. */
import { join } from "node:path";
import { count, groupDigits, visibleText } from "../../shared/base/text.ts";
import type { Finding } from "../../shared/analyse/results.ts";
import { sourceLabel } from "../../shared/contract/source.ts";
import { explain } from "../../shared/errors/explain.ts";
import type { Fabric } from "../../shared/fabric/model.ts";
import { baselineFindings } from "../../shared/measure/baseline-findings.ts";
import type { Severity } from "../../shared/parse/diagnostic.ts";
import { withRouteFindings } from "../session/capture-routes.ts";
import { understandCapture } from "../session/load.ts";
import { openBaselines } from "../store/baselines.ts";
import type { Capture } from "../store/capture.ts";
import { openHistory } from "../store/history.ts";
import { openPaths } from "../store/open-paths.ts";
import { directEngineWith } from "../threads/engine.ts";
import { readLimits } from "./limits.ts";
import { dataFolder } from "./environment.ts";
import { readOptions } from "./options.ts";
import { fail, print, printJson, say } from "./terminal.ts";

const severities: readonly Severity[] = ["note", "warning", "error"];

/** `ibex findings PATH… [--min-severity note|warning|error] [--thresholds FILE] [--json]`. */
export async function findingsCommand(args: readonly string[]): Promise<number> {
  const options = readOptions(args, ["min-severity", "thresholds", "json"]);
  if (!options.ok) return fail(options.error, 2);
  const { words } = options.value;
  if (words.length === 0)
    return fail(
      { kind: "bad-request", detail: "ibex findings needs a capture, a folder or files: ibex findings PATH" },
      2,
    );
  const least = severities.findIndex((severity) => severity === (options.value.text("min-severity") ?? "note"));
  if (least < 0) return fail({ kind: "bad-request", detail: "--min-severity takes note, warning or error" }, 2);
  const limits = await readLimits(options.value);
  if (!limits.ok) return fail(limits.error, 2);
  const capture = await openPaths(words);
  if (!capture.ok) return fail(capture.error, 2);
  const loaded = await understandCapture(capture.value, directEngineWith(limits.value), new AbortController().signal);
  if (!loaded.ok) return fail(loaded.error, 2);
  const { analysis, fabric, partial } = withRouteFindings(capture.value, loaded.value.understood, limits.value);
  const findings = [...analysis.findings, ...(await measuredFindings(capture.value, fabric))];
  const found = findings.filter(({ severity }) => severities.indexOf(severity) >= least);
  const numbers = severities.map((severity) => findings.filter((one) => one.severity === severity).length);
  if (options.value.flag("json")) {
    printJson({
      capture: { name: capture.value.name, simulated: capture.value.simulated, partial },
      counts: { note: numbers[0], warning: numbers[1], error: numbers[2] },
      findings: found.map(report),
    });
    return 0;
  }
  const heading = `${capture.value.name}${capture.value.simulated ? "  [simulated]" : ""}${partial ? "  partial" : ""}`;
  const totals = `${count(numbers[2] ?? 0, "error")}, ${count(numbers[1] ?? 0, "warning")}, ${count(numbers[0] ?? 0, "note")}`;
  const hidden = findings.length - found.length;
  const rest = hidden === 0 ? "" : `; ${groupDigits(hidden)} below --min-severity ${severities[least] ?? ""} not shown`;
  print([heading, `${totals}${rest}`, ...found.flatMap(text)].map(visibleText).join("\n"));
  return 0;
}

/** Links below their baselines, by the history of this user. A history that cannot be read says nothing. */
async function measuredFindings(
  { source, simulated }: Pick<Capture, "source" | "simulated">,
  fabric: Fabric,
): Promise<readonly Finding[]> {
  const label = source === undefined ? undefined : sourceLabel(source);
  const baselines = (await openBaselines(dataFolder()))
    .list()
    .filter((one) => one.simulated === simulated && (label === undefined || one.source === label));
  if (baselines.length === 0) return [];
  const history = await openHistory(join(dataFolder(), "measurements.jsonl"));
  if (!history.ok) {
    say(`ibex: ${explain(history.error).sentence} Results are not held against their baselines.`);
    return [];
  }
  return baselineFindings(fabric, history.value.list().measurements, baselines);
}

function report({ id, rule, severity, subject, title, message, evidence, cause, remedy }: Finding): unknown {
  return {
    id,
    rule,
    severity,
    subject: subject.name,
    kind: subject.kind,
    ...(subject.kind === "link" ? { link: subject.link } : {}),
    ...(subject.kind === "port" ? { guid: subject.guid, port: subject.port } : {}),
    ...(subject.kind === "node" ? { guid: subject.guid } : {}),
    ...{ title, message, evidence, cause, remedy },
  };
}

function text({ severity, rule, title, message, evidence, cause, remedy }: Finding): readonly string[] {
  return [
    "",
    `${severity.toUpperCase()}  ${title}  (${rule})`,
    `  ${message}`,
    `  Evidence: ${evidence}`,
    `  Likely cause: ${cause}`,
    `  What to do: ${remedy}`,
  ];
}
