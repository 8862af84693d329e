/** Results as CSV and JSON for other programs. A promise to scripts: add, never change. Pure. */
import type { MeasurementSummary } from "./views.ts";

/** Columns in the order in which they came to be. */
export const resultColumns = [
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
  "latencyP99Us",
  "source",
  "simulated",
  "sweep",
] as const;
export type ResultRow = Readonly<Record<(typeof resultColumns)[number], string | number | boolean | null>>;

/** A row of a result of the history. `slow`, `siblingsGbps`: what its sweep said. */
export function resultRow(
  run: MeasurementSummary,
  said: { readonly slow?: boolean; readonly siblingsGbps?: number | null } = {},
): ResultRow {
  return {
    link: run.link,
    linkName: run.linkName,
    client: run.clientHost,
    server: run.serverHost,
    level: run.level,
    bandwidthGbps: run.bandwidthGbps,
    expectedGbps: run.expectedGbps,
    percent: run.percent,
    latencyUs: run.latencyUs,
    slow: said.slow ?? (run.level === "slow" || run.level === "bad"),
    siblingsGbps: said.siblingsGbps ?? null,
    route: run.route ?? null,
    share: run.share ?? null,
    newErrors: run.newErrors ?? null,
    basis: run.basis ?? null,
    measurement: run.id,
    at: run.at,
    sentence: run.sentence,
    latencyP99Us: run.latencyP99Us ?? null,
    source: run.source,
    simulated: run.simulated,
    sweep: run.sweep ?? null,
  };
}

/**
 * A cell as RFC 4180 wants it. Names come from the fabric: texts that a spreadsheet would take for a formula (OWASP, "CSV
 * Injection") get an apostrophe.
 */
function cell(value: string | number | boolean | null): string {
  if (value === null) return "";
  if (typeof value !== "string") return String(value);
  const safe = /^\s*[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A table with a head; lines end in CR LF. */
export function csvText(rows: readonly ResultRow[]): string {
  const lines = rows.map((row) => resultColumns.map((column) => cell(row[column])).join(","));
  return [resultColumns.join(","), ...lines, ""].join("\r\n");
}

const simulatedWords = "SIMULATED: made by a simulated fabric, no real link was measured";

/** What stands above the results of a file. */
export interface ExportHead {
  /** `Host links of leaf-03`, `Measurements`. */
  readonly title: string;
  /** ISO 8601. */
  readonly exportedAt: string;
}

function simulatedRows(rows: readonly ResultRow[]): number {
  return rows.filter(({ simulated }) => simulated === true).length;
}

/** How the file of an export says that it is simulated: by its name, and in itself. Empty when nothing in it is. */
function simulatedNote(rows: readonly ResultRow[]): string {
  const simulated = simulatedRows(rows);
  if (simulated === 0) return "";
  return simulated === rows.length ? simulatedWords : `${simulatedWords} (${simulated} of ${rows.length} rows)`;
}

/**
 * The text of an export. CSV: a comment line first when something in it is simulated, then the head. JSON: one object
 * with `format`, `version`, and the rows under `results`.
 */
export function exportText(format: "csv" | "json", rows: readonly ResultRow[], head: ExportHead): string {
  const note = simulatedNote(rows);
  if (format === "csv") return `${note === "" ? "" : `# ${note}\r\n`}${csvText(rows)}`;
  const file = {
    format: "ibex-results",
    version: 1,
    ...(note === "" ? {} : { watermark: note }),
    title: head.title,
    exportedAt: head.exportedAt,
    results: rows,
  };
  return `${JSON.stringify(file, undefined, 1)}\n`;
}

/** `host-links-of-leaf-03-2026-11-29-simulated.csv`. */
export function exportName(format: "csv" | "json", rows: readonly ResultRow[], head: ExportHead): string {
  const name = head.title
    .toLowerCase()
    .replace(/[^a-z0-9.-]+/g, "-")
    .replace(/^[-.]+|[-.]+$/g, "")
    .slice(0, 80);
  const stem = `${name === "" ? "results" : name}-${head.exportedAt.slice(0, 10)}`;
  return `${stem}${simulatedRows(rows) > 0 ? "-simulated" : ""}.${format}`;
}
