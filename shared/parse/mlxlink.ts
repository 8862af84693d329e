/**
 * Parser of mlxlink on one port (`mlxlink -d lid-12 -p 5 -m -c -e`), as JSON (`--json`) or as text:
 *
 *   { "result": { "output": { "Operational Info": { "Speed": "IB-NDR", "FEC": "…" },
 *                             "Module Info": { "Temperature [C]": "61 [-5..75]", … } } } }
 *
 *   Physical Counters and BER Info
 *   ------------------------------
 *   Symbol BER                         : 15E-255
 *
 * Neither says which port it is about but by a command line in front of it: `target` is what that names.
 */
import { type Guid, parseGuid } from "../base/guid.ts";
import { speedCode, speeds } from "../fabric/rates.ts";
import { DiagnosticList } from "./diagnostic.ts";
import { knownText, type PhysicalRecord, readBer, readCelsius, readCount, readMeters } from "./physical-record.ts";
import { handleStrayLine, isPrompt } from "./noise.ts";
import type { ParseContext, Parsed } from "./records.ts";
import { isBlank, readLines, withoutEscapes } from "./scanner.ts";

/** Which port a text or a file name means. */
export interface MlxlinkTarget {
  readonly lid?: number;
  readonly guid?: Guid;
  /** `mlx5_0`. */
  readonly device?: string;
  readonly port?: number;
}

export interface MlxlinkRecords {
  readonly target: MlxlinkTarget;
  readonly physical: PhysicalRecord;
  /** Lanes and speed code of the port, 0 when not told. */
  readonly lanes: number;
  readonly speed: number;
  /** `Active`, as printed. */
  readonly state?: string;
}

/** True for the JSON that mlxlink writes, which no other tool's text looks like. */
export function isMlxlinkJson(text: string): boolean {
  const head = text.slice(0, 16_384);
  return (
    head.includes("{") &&
    /"(?:Operational Info|Module Info|Physical Counters and BER Info|Troubleshooting Info)"\s*:/.test(head)
  );
}

/** What a command line or a file name says: `-d lid-12 -p 5`, `lid-12-port-5.json`, `0xb8cef60300000100-5.json`, `mlx5_0`. */
export function readMlxlinkTarget(text: string): MlxlinkTarget {
  const lid = /(?:^|[^a-z0-9])lid[-_]?(\d{1,5})(?![0-9])/i.exec(text)?.[1];
  const guid = /(?:^|[^0-9a-z])0x([0-9a-f]{16})(?![0-9a-f])/i.exec(text);
  const device = /(?:^|[^a-z0-9])(mlx[45]_\d{1,3})(?![0-9])/i.exec(text)?.[1];
  const option = /(?:^|\s)(?:-p|--port)[ =]?(\d{1,3})(?!\S)/.exec(text)?.[1];
  const named = /(?:^|[^a-z0-9])p(?:ort)?[-_]?(\d{1,3})(?![0-9])/i.exec(text)?.[1];
  const afterGuid =
    guid === null ? undefined : /^[-_:.]+(\d{1,3})(?![0-9])/.exec(text.slice(guid.index + guid[0].length))?.[1];
  const port = Number(option ?? named ?? afterGuid ?? "x");
  const parsed = guid === null ? undefined : parseGuid(guid[1] ?? "");
  return {
    ...(lid === undefined ? {} : { lid: Number(lid) }),
    ...(parsed === undefined ? {} : { guid: parsed }),
    ...(device === undefined ? {} : { device: device.toLowerCase() }),
    ...(port >= 1 && port <= 254 ? { port } : {}),
  };
}

const commandLine = /\bmlxlink\s+(.*\S)/;
const sectionTitles =
  /^(?:Operational Info|Supported Info|Troubleshooting Info|Tool Information|Module Info|Physical Counters and BER Info|EYE Opening Info.*|FEC Capability Info.*|.* Info)$/;
const pair = /^([A-Za-z][^:]{0,80}?)\s*:\s?(.*)$/;

/** Reads mlxlink's output of one port. Never throws for any text. */
export function parseMlxlink(text: string, context: ParseContext): Parsed<MlxlinkRecords> {
  const diagnostics = new DiagnosticList(context.file);
  const json = isMlxlinkJson(text);
  const values = new Map<string, string>();
  let target: MlxlinkTarget = {};
  const start = json ? text.indexOf("{") : text.length;
  if (json) readJson(text.slice(start), values, diagnostics, lineOf(text, start));
  let position = 0;
  let broken = diagnostics.count("json-unreadable") > 0;
  const stats = readLines(text, diagnostics, (raw, number) => {
    const inJson = json && position + raw.length >= start;
    position += raw.length + 1;
    if (isBlank(raw)) return "ignored";
    const line = raw.trim();
    const command = commandLine.exec(line)?.[1];
    if (command !== undefined && !inJson) {
      target = { ...target, ...readMlxlinkTarget(` ${command}`) };
      return "understood";
    }
    if (inJson) {
      if (!broken) return "understood";
      broken = false;
      return "diagnosed";
    }
    if (/^-+$/.test(line) || sectionTitles.test(line) || isPrompt(raw)) return "ignored";
    if (line.startsWith("-E-")) {
      diagnostics.add({
        severity: "error",
        code: "tool-failed",
        line: number,
        message: "mlxlink ended with an error.",
        excerpt: line,
      });
      return "diagnosed";
    }
    const hit = pair.exec(line);
    if (hit === null) return handleStrayLine(line, number, diagnostics, () => undefined);
    values.set(hit[1] ?? "", hit[2] ?? "");
    return "understood";
  });
  return { records: { target, ...recordsOf(values, diagnostics) }, diagnostics: diagnostics.finish(), stats };
}

function lineOf(text: string, position: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < position; at = text.indexOf("\n", at + 1)) line += 1;
  return line;
}

/** All leaves of the JSON by their key; of keys that stand twice the first. */
function readJson(text: string, values: Map<string, string>, diagnostics: DiagnosticList, line: number): void {
  const end = text.lastIndexOf("}");
  try {
    collect(JSON.parse(withoutEscapes(text.slice(0, end + 1))), values, 0);
  } catch {
    diagnostics.add({
      severity: "error",
      code: "json-unreadable",
      line,
      message: "mlxlink's JSON is cut or damaged and could not be read.",
      excerpt: text.slice(0, 120),
    });
  }
}

const deepest = 8;

function collect(value: unknown, values: Map<string, string>, depth: number): void {
  if (typeof value !== "object" || value === null || Array.isArray(value) || depth > deepest) return;
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner === "string" || typeof inner === "number") {
      if (!values.has(key)) values.set(key, String(inner));
    } else collect(inner, values, depth + 1);
  }
}

function recordsOf(values: ReadonlyMap<string, string>, diagnostics: DiagnosticList): Omit<MlxlinkRecords, "target"> {
  const text = (name: string): string | undefined => knownText(values.get(name));
  const read = <T>(name: string, reader: (text: string) => T | undefined): T | undefined => {
    const printed = text(name);
    const value = printed === undefined ? undefined : reader(printed);
    if (printed !== undefined && value === undefined && name !== "Temperature [C]" && !/^0(?: m)?$/.test(printed)) {
      diagnostics.add({
        severity: "warning",
        code: "value-unreadable",
        message: `${name} could not be read; the rest is used.`,
        excerpt: printed,
      });
    }
    return value;
  };
  const vendor = text("Vendor Name");
  const part = text("Vendor Part Number");
  const serial = text("Vendor Serial Number");
  const revision = text("Rev");
  const firmware = text("FW Version");
  const technology = text("Cable Type") ?? text("Cable Technology");
  const meters = read("Transfer Distance [m]", readMeters);
  const celsius = read("Temperature [C]", readCelsius);
  const rawBer = read("Raw Physical BER", readBer);
  const effectiveBer = read("Effective Physical BER", readBer);
  const symbolBer = read("Symbol BER", readBer);
  const minutes = read("Time Since Last Clear [Min]", (printed) =>
    /^\d+(?:\.\d+)?$/.test(printed) ? Number(printed) : undefined,
  );
  const bits = read("Phy Received Bits", readCount);
  const fec = text("FEC");
  const state = text("State");
  const speed = /^(?:IB-)?([A-Z]+\d*)$/.exec(text("Speed") ?? "")?.[1];
  return {
    physical: {
      ...(vendor === undefined ? {} : { vendor }),
      ...(part === undefined ? {} : { part }),
      ...(serial === undefined ? {} : { serial }),
      ...(revision === undefined ? {} : { revision }),
      ...(firmware === undefined ? {} : { firmware }),
      ...(technology === undefined ? {} : { technology }),
      ...(meters === undefined ? {} : { meters }),
      ...(celsius === undefined ? {} : { celsius }),
      ...(rawBer === undefined ? {} : { rawBer }),
      ...(effectiveBer === undefined ? {} : { effectiveBer }),
      ...(symbolBer === undefined ? {} : { symbolBer }),
      ...(minutes === undefined ? {} : { minutes }),
      ...(bits === undefined ? {} : { bits }),
      ...(fec === undefined ? {} : { fec }),
    },
    lanes: Number(/^(\d{1,2})x$/.exec(text("Width") ?? "")?.[1] ?? 0),
    speed: speed !== undefined && (speeds as readonly string[]).includes(speed) ? speedCode(speed) : 0,
    ...(state === undefined ? {} : { state }),
  };
}
