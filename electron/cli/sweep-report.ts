/** Results of a sweep as JSON lines and CSV. A promise to scripts: add, never change. */
import { explain } from "../../shared/errors/explain.ts";
import type { Sweep } from "../../shared/measure/sweep.ts";
import type { SweepResult } from "../measure/run-sweep.ts";
import { planReport } from "./plan-report.ts";

/** One line of `ibex sweep`. */
export function sweepLine({ item, measurement, error, slow, siblingsGbps }: SweepResult): Record<string, unknown> {
  const evidence = measurement?.runs.map((run) => run.evidence).find((found) => found !== undefined);
  return {
    link: item.link,
    linkName: item.linkName,
    client: measurement?.client.host ?? item.clientHost,
    server: measurement?.server.host ?? item.serverHost,
    level: measurement?.verdict.level ?? "not-measured",
    bandwidthGbps: measurement?.bandwidthGbps ?? null,
    expectedGbps: measurement?.expectedGbps ?? null,
    percent: measurement?.percent ?? null,
    latencyUs: measurement?.latencyUs ?? null,
    slow,
    siblingsGbps: siblingsGbps ?? null,
    route: evidence?.route.kind ?? null,
    share: evidence?.route.share ?? null,
    newErrors: evidence?.newErrors.reduce((sum, { growth }) => sum + growth, 0) ?? null,
    basis: measurement?.basis ?? item.basis,
    measurement: measurement?.id ?? null,
    at: measurement?.at ?? null,
    sentence: measurement?.verdict.sentence ?? (error === undefined ? "" : explain(error).sentence),
  };
}

/** `ibex sweep --dry-run --json`. */
export function dryRunReport(sweep: Sweep): Record<string, unknown> {
  return {
    links: sweep.rounds.reduce((sum, round) => sum + round.length, 0) + sweep.refused.length,
    rounds: sweep.rounds.map((round) => round.map((item) => planReport(item.plan()))),
    lowerBound: sweep.lowerBound,
    seconds: sweep.seconds,
    refused: sweep.refused,
  };
}

const csvColumns = [
  "link",
  "linkName",
  "client",
  "server",
  "level",
  "bandwidthGbps",
  "expectedGbps",
  "percent",
  "latencyUs",
  "slow",
  "siblingsGbps",
  "route",
  "share",
  "newErrors",
  "basis",
  "measurement",
  "at",
  "sentence",
] as const;

/** A cell as RFC 4180 wants it. Texts that a spreadsheet would take for a formula get an apostrophe. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A table with a head; lines end in CR LF. */
export function csvText(lines: readonly Record<string, unknown>[]): string {
  const rows = lines.map((line) => csvColumns.map((column) => cell(line[column])).join(","));
  return [csvColumns.join(","), ...rows, ""].join("\r\n");
}
