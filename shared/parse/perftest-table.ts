/**
 * Tables of perftest. Columns are found by the names in the table's own header, so that every version and option
 * (`--cpu_util`, `--report-per-port`, raw Ethernet's `#sl`, `-D` latency, builds without percentiles) is one case.
 *
 *   bandwidth   #bytes [#sl] #iterations BW peak[U] BW average[U] MsgRate[Mpps] [CPU_Util[%]] [BW Port1[U] …]
 *   latency     #bytes #iterations t_min[usec] t_max[usec] t_typical[usec] t_avg[usec] t_stdev[usec] 99% … 99.9% …
 *   with -D     #bytes #iterations t_avg[usec] tps average
 *
 * U is `MB/sec` or `MiB/sec` (both 2^20 bytes) or `Gb/sec` (10^9 bits). MsgRate counts messages in millions a second.
 */
import type { BandwidthRow, LatencyRow } from "./records.ts";

const columnName =
  /#bytes|#sl|#iterations|BW peak\[[^\]]{0,20}\]|BW average\[[^\]]{0,20}\]|MsgRate\[[^\]]{0,20}\]|CPU_Util\[%\]|BW Port\d\[[^\]]{0,20}\]|MsgRate Port\d\[[^\]]{0,20}\]|t_(?:min|max|typical|avg|stdev)\[[^\]]{0,20}\]|99(?:\.9)?% percentile\[[^\]]{0,20}\]|tps average/g;

/** Gb/s of one unit of the table. */
export const unitGbps: Readonly<Record<string, number>> = {
  "MB/sec": (8 * 2 ** 20) / 1e9,
  "MiB/sec": (8 * 2 ** 20) / 1e9,
  "Gb/sec": 1,
};

export interface TableHeader {
  readonly kind: "bandwidth" | "latency";
  readonly columns: readonly string[];
  /** Gb/s of one unit; bandwidth tables only. */
  readonly unit: number;
}

/** Reads a table's header; undefined when the line is none. `"unit"`: a bandwidth table in a unit that is not known. */
export function readTableHeader(line: string): TableHeader | "unit" | undefined {
  if (!line.includes("#bytes") || !line.includes("#iterations") || line.length > 2000) return undefined;
  const columns = line.match(columnName) ?? [];
  if (columns[0] !== "#bytes") return undefined;
  const average = columns.find((name) => name.startsWith("BW average["));
  if (average !== undefined) {
    const unit = unitGbps[average.slice("BW average[".length, -1)];
    return unit === undefined ? "unit" : { kind: "bandwidth", columns, unit };
  }
  if (columns.some((name) => name.startsWith("t_"))) return { kind: "latency", columns, unit: 0 };
  return undefined;
}

export interface RowRead {
  readonly bandwidth?: BandwidthRow;
  readonly latency?: LatencyRow;
  /** What stands behind the row on its line: text of stderr, as the row is printed without its line end. */
  readonly rest: string;
  readonly commaDecimals: boolean;
}

export type RowProblem = "not-a-row" | "incomplete" | "garbage" | "not-finite";

const cell = /\s*([-+]?(?:\d+(?:[.,]\d*)?(?:e[-+]?\d+)?|nan|inf))/iy;
/** MsgRate has six decimals always: what follows directly is other text. */
const rateCell = /\s*([-+]?(?:\d+[.,]\d{6}|nan|inf))/iy;
const startOfRow = /^\s*\d+\s+\d/;
/** Sizes above 2^31 are garbage from a mismatch of the two sides. */
export const maxBytes = 2 ** 31;

/**
 * Reads a row of the table.
 * @param terminated false for the last line of a text without a line end: then all decimals must be there.
 */
export function readRow(header: TableHeader, line: string, number: number, terminated: boolean): RowRead | RowProblem {
  if (line.length > 2000 || !startOfRow.test(line)) return "not-a-row";
  const values = new Map<string, number>();
  let at = 0;
  let commaDecimals = false;
  let last = "";
  for (const column of header.columns) {
    const hit = readCell(line, at, column.startsWith("MsgRate["));
    if (hit === null) return "incomplete";
    at += hit[0].length;
    last = hit[1] ?? "";
    if (last.includes(",")) commaDecimals = true;
    values.set(column, numberOf(last));
  }
  const rest = line.slice(at).trim();
  if (!terminated && rest === "" && !hasAllDecimals(header, last)) return "incomplete";
  if (/^[\d.,]/.test(rest)) return "garbage";
  const bytes = values.get("#bytes") ?? NaN;
  const iterations = values.get("#iterations") ?? NaN;
  if (!Number.isInteger(bytes) || !Number.isInteger(iterations)) return "garbage";
  if (bytes < 1 || bytes > maxBytes || iterations < 0 || iterations > 0xffff_ffff) return "garbage";
  const shared = { rest, commaDecimals };
  if (header.kind === "bandwidth") {
    const bandwidth = bandwidthRow(header, values, bytes, iterations, number);
    return bandwidth === undefined ? "not-finite" : { ...shared, bandwidth };
  }
  const latency = latencyRow(values, bytes, iterations, number);
  return latency === undefined ? "not-finite" : { ...shared, latency };
}

function readCell(line: string, at: number, isRate: boolean): RegExpExecArray | null {
  rateCell.lastIndex = at;
  const rate = isRate ? rateCell.exec(line) : null;
  if (rate !== null) return rate;
  cell.lastIndex = at;
  return cell.exec(line);
}

/** `-nan`, `inf` and the like become NaN. */
function numberOf(text: string): number {
  const value = Number(text.replace(",", "."));
  return Number.isFinite(value) ? value : NaN;
}

/** All of perftest's last columns end in two decimals, the message rates in six. */
function hasAllDecimals(header: TableHeader, last: string): boolean {
  const name = header.columns.at(-1) ?? "";
  if (/nan|inf/i.test(last)) return true;
  const decimals = /[.,](\d*)$/.exec(last)?.[1]?.length ?? 0;
  return decimals >= (name.startsWith("MsgRate") ? 6 : 2);
}

function valueOf(values: ReadonlyMap<string, number>, start: string): number | undefined {
  for (const [name, value] of values) if (name.startsWith(start)) return value;
  return undefined;
}

function isAmount(value: number | undefined): value is number {
  return value !== undefined && Number.isFinite(value) && value >= 0;
}

function bandwidthRow(
  header: TableHeader,
  values: ReadonlyMap<string, number>,
  bytes: number,
  iterations: number,
  line: number,
): BandwidthRow | undefined {
  const average = valueOf(values, "BW average[");
  const peak = valueOf(values, "BW peak[");
  if (!isAmount(average)) return undefined;
  const averageGbps = average * header.unit;
  const rate = valueOf(values, "MsgRate[");
  return {
    bytes,
    iterations,
    ...(isAmount(peak) && peak > 0 ? { peakGbps: peak * header.unit } : {}),
    averageGbps,
    // Builds of the first years have no message rate: it follows from the average.
    msgRateMpps: isAmount(rate) ? rate : (averageGbps * 1e9) / 8 / bytes / 1e6,
    line,
  };
}

function latencyRow(
  values: ReadonlyMap<string, number>,
  bytes: number,
  iterations: number,
  line: number,
): LatencyRow | undefined {
  const typical = valueOf(values, "t_typical[");
  // The first builds have no average column; their median stands in for it.
  const average = valueOf(values, "t_avg[") ?? typical;
  if (!isAmount(average)) return undefined;
  const optional = {
    minUs: valueOf(values, "t_min["),
    maxUs: valueOf(values, "t_max["),
    typicalUs: typical,
    stdevUs: valueOf(values, "t_stdev["),
    p99Us: valueOf(values, "99% percentile["),
    p999Us: valueOf(values, "99.9% percentile["),
  };
  return {
    bytes,
    iterations,
    ...(isAmount(optional.minUs) ? { minUs: optional.minUs } : {}),
    ...(isAmount(optional.maxUs) ? { maxUs: optional.maxUs } : {}),
    ...(isAmount(optional.typicalUs) ? { typicalUs: optional.typicalUs } : {}),
    avgUs: average,
    ...(isAmount(optional.stdevUs) ? { stdevUs: optional.stdevUs } : {}),
    ...(isAmount(optional.p99Us) ? { p99Us: optional.p99Us } : {}),
    ...(isAmount(optional.p999Us) ? { p999Us: optional.p999Us } : {}),
    line,
  };
}
