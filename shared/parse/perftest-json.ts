/**
 * Parser of the file that perftest writes with `--out_json`: valid JSON from 24.01 on.
 *
 *   { "test_info": { "test": "RDMA_Write_BW_Test", "Device": "mlx5_0", "Mtu": 4096, … },
 *     "results": { "MsgSize": 65536, "n_iterations": 5000, "BW_peak": 0.00, "BW_average": 389.41, "MsgRate": 0.742741 } }
 *
 * It names no unit, and the server's copy may hold the client's: the unit is the one in which average and message rate ×
 * message size are the same. Before 24.01 its keys had no quotes and commas stood before brackets; that is said, not read.
 */
import { DiagnosticList } from "./diagnostic.ts";
import { isPrompt } from "./noise.ts";
import { readTitle } from "./perftest-output.ts";
import { maxBytes, unitGbps } from "./perftest-table.ts";
import type { BandwidthRow, LatencyRow, ParseContext, Parsed, PerftestRecords } from "./records.ts";
import { isBlank, readLines, withoutEscapes } from "./scanner.ts";

const begin = /^\ufeff?(?:([^\n{]*)\r?\n)?\s*\{/;
const testName = /"?test"?\s*:\s*"?((?:Send|RDMA_Write|RDMA_Read|Atomic)_\w*(?:BW|Latency)_\w*Test)\b/;
const bareKey = /^\s*\{?\s*[A-Za-z_]\w*\s*:/m;

/** Which kind of test a JSON file of perftest tells, valid or not; undefined for any other text. */
export function perftestJsonKind(text: string): "bandwidth" | "latency" | undefined {
  const head = text.slice(0, 4096);
  const before = begin.exec(head);
  // After a table on the same stream it says the same once more, and the table counts.
  if (before === null || (before[1] !== undefined && before[1].trim() !== "" && !isPrompt(before[1]))) return undefined;
  if (!/"?test_info"?\s*:/.test(head)) return undefined;
  const name = testName.exec(head)?.[1];
  return name === undefined ? undefined : name.includes("BW_") ? "bandwidth" : "latency";
}

/** Reads such a file. Never throws for any text. All rates become decimal Gb/s. */
export function parsePerftestJson(text: string, context: ParseContext): Parsed<PerftestRecords> {
  const diagnostics = new DiagnosticList(context.file);
  const value = readValue(text, diagnostics);
  const info = field(value, "test_info");
  const results = field(value, "results");
  const stats = readLines(text, diagnostics, (line) =>
    value === undefined || isBlank(line) || /^[\s{}[\],]*$/.test(line) ? "ignored" : "understood",
  );
  const printed = textOf(field(info, "test")) ?? testName.exec(text.slice(0, 4096))?.[1] ?? "";
  const title = readTitle(titleOf(printed));
  const row = rowOf(results, lineOf(text, "n_iterations"), diagnostics, value !== undefined);
  const rawEthernet = field(info, "Connection_type") === "RawEth";
  return {
    records: {
      ...(title === undefined ? {} : { tool: rawEthernet ? "raw_ethernet_bw" : title.tool, title: title.title }),
      bidirectional: title?.bidirectional ?? false,
      info: infoOf(info),
      bandwidth: row.bandwidth === undefined ? [] : [row.bandwidth],
      latency: row.latency === undefined ? [] : [row.latency],
    },
    diagnostics: diagnostics.finish(),
    stats,
  };
}

function readValue(text: string, diagnostics: DiagnosticList): unknown {
  const start = text.indexOf("{");
  const json = withoutEscapes(text.slice(start, text.lastIndexOf("}") + 1));
  try {
    return JSON.parse(withoutKnownDefects(json)) as unknown;
  } catch {
    const old = bareKey.test(json.slice(0, 4096));
    diagnostics.add({
      severity: "error",
      code: old ? "json-of-old-version" : "json-unreadable",
      line: lineOf(text, "{"),
      message: old
        ? "perftest before 24.01 wrote JSON with bare keys, which is no JSON and was not read; use the table that it printed, or perftest 24.01 and newer."
        : "perftest's JSON is cut or damaged and could not be read; use the table that it printed.",
      excerpt: text.slice(start, start + 120),
    });
    return undefined;
  }
}

/** Newer versions still print `nan` and `inf`, and with `--output=` a comma before a bracket. Strings stay as they are. */
function withoutKnownDefects(json: string): string {
  return json.replace(
    /"(?:[^"\\]|\\.)*"|(:\s*)[-+]?(?:nan|inf(?:inity)?)\b|,(?=\s*[}\]])/gi,
    (found: string, colon: string | undefined) =>
      found.startsWith('"') ? found : colon === undefined ? "" : `${colon}null`,
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function field(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** A number, also one that stands in quotes. */
function numberOf(value: unknown): number | undefined {
  const number =
    typeof value === "string" && /^\s*[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?\s*$/i.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

/** `RDMA_Write_Bidirectional_BW_Test` → `RDMA_Write Bidirectional BW Test`, as the title line has it. */
function titleOf(name: string): string {
  const hit = /^(Send_imm|Send|RDMA_Write_imm|RDMA_Write|RDMA_Read|Atomic)_(.*)$/.exec(name);
  return hit === null ? name : `${hit[1] ?? ""} ${(hit[2] ?? "").replaceAll("_", " ")}`;
}

/** Keys as the printed block has them where both tell the same, so that nobody needs to know where a result is from. */
const printedKeys: Readonly<Record<string, string>> = {
  Dual_port: "Dual-port",
  Number_of_qps: "Number of qps",
  Transport_type: "Transport type",
  Connection_type: "Connection type",
  Using_SRQ: "Using SRQ",
  PCIe_relax_order: "PCIe relax order",
  ibv_wr_API: "ibv_wr* API",
  TX_depth: "TX depth",
  RX_depth: "RX depth",
  CQ_Moderation: "CQ Moderation",
  Link_type: "Link type",
  GID_index: "GID index",
  Max_inline_data: "Max inline data",
  Outstand_reads: "Outstand reads",
  rdma_cm_QPs: "rdma_cm QPs",
  Data_ex_method: "Data ex. method",
};

/** The block prints these two with a unit. */
const inBytes = new Set(["Mtu", "Max_inline_data"]);

function infoOf(info: unknown): Readonly<Record<string, string>> {
  if (!isObject(info)) return {};
  return Object.fromEntries(
    Object.entries(info).flatMap(([key, value]) => {
      const plain = key.trim();
      if (plain === "test" || (typeof value !== "string" && typeof value !== "number")) return [];
      const name = Object.hasOwn(printedKeys, plain) ? (printedKeys[plain] ?? plain) : plain;
      return [[name, `${value}${inBytes.has(plain) && typeof value === "number" ? "[B]" : ""}`]];
    }),
  );
}

interface JsonRow {
  readonly bandwidth?: BandwidthRow;
  readonly latency?: LatencyRow;
}

function rowOf(results: unknown, line: number, diagnostics: DiagnosticList, readable: boolean): JsonRow {
  if (!readable) return {};
  const bad = (code: string, message: string): JsonRow => {
    diagnostics.add({ severity: "error", code, line, message });
    return {};
  };
  if (!isObject(results)) return bad("no-records", "There is no result in this JSON.");
  const number = (name: string): number | undefined => numberOf(field(results, name));
  const bytes = number("MsgSize");
  const iterations = number("n_iterations");
  const average = number("BW_average") ?? number("t_avg");
  if (bytes === undefined || iterations === undefined) {
    return bad("no-records", "The result names no message size or no iterations; it was left out.");
  }
  if (!Number.isInteger(bytes) || bytes < 1 || bytes > maxBytes || !Number.isInteger(iterations) || iterations < 0) {
    return bad("bad-row", "A result whose numbers cannot be was left out; the two sides' options may differ.");
  }
  if (average === undefined || average < 0) return bad("bad-row", "A result whose average is no number was left out.");
  if (iterations === 0) {
    diagnostics.add({
      severity: "warning",
      code: "nothing-measured",
      line,
      message: "A result with 0 iterations: nothing was measured.",
    });
  }
  if (number("BW_average") === undefined) return { latency: latencyRow(number, { bytes, iterations, average, line }) };
  const rate = number("MsgRate");
  const unit = unitOf(average, rate, bytes);
  if (unit === undefined) {
    return bad(
      "unknown-unit",
      "The JSON names no unit, and its average fits its message rate neither in Gb/s nor in MiB/s; the result was left out.",
    );
  }
  const peak = number("BW_peak");
  return {
    bandwidth: {
      bytes,
      iterations,
      ...(peak !== undefined && peak > 0 ? { peakGbps: peak * unit } : {}),
      averageGbps: average * unit,
      msgRateMpps: rate ?? 0,
      line,
    },
  };
}

/** Gb/s of one unit: the two that perftest uses are a factor of 119 apart, and rounding is far less than that. */
function unitOf(average: number, mpps: number | undefined, bytes: number): number | undefined {
  if (average === 0) return 1;
  if (mpps === undefined || mpps <= 0) return undefined;
  const gbps = (mpps * 1e6 * bytes * 8) / 1e9;
  // Two decimals of the average, six of the rate, and 1 % for what versions round in between.
  const slackOfRate = (0.5e-6 * 1e6 * bytes * 8) / 1e9;
  const fits = (unit: number): boolean => Math.abs(average * unit - gbps) <= 0.01 * gbps + slackOfRate + 0.005 * unit;
  const fitting = [unitGbps["Gb/sec"], unitGbps["MiB/sec"]].filter((unit) => unit !== undefined && fits(unit));
  return fitting.length === 1 ? fitting[0] : undefined;
}

function latencyRow(
  number: (name: string) => number | undefined,
  {
    bytes,
    iterations,
    average,
    line,
  }: Pick<LatencyRow, "bytes" | "iterations" | "line"> & { readonly average: number },
): LatencyRow {
  const amount = (name: string): number | undefined => {
    const value = number(name);
    return value !== undefined && value >= 0 ? value : undefined;
  };
  const minUs = amount("t_min");
  const maxUs = amount("t_max");
  const typicalUs = amount("t_typical");
  const stdevUs = amount("t_stdev");
  const p99Us = amount("percentile_99");
  const p999Us = amount("percentile_99.9");
  return {
    bytes,
    iterations,
    ...(minUs === undefined ? {} : { minUs }),
    ...(maxUs === undefined ? {} : { maxUs }),
    ...(typicalUs === undefined ? {} : { typicalUs }),
    avgUs: average,
    ...(stdevUs === undefined ? {} : { stdevUs }),
    ...(p99Us === undefined ? {} : { p99Us }),
    ...(p999Us === undefined ? {} : { p999Us }),
    line,
  };
}

/** From 1; 0 when it is not in the text. */
function lineOf(text: string, word: string): number {
  const end = text.indexOf(word);
  if (end < 0) return 0;
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < end; at = text.indexOf("\n", at + 1)) line += 1;
  return line;
}
