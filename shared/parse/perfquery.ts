/**
 * Parser of perfquery, one or many ports in one text (`-l`, `-a`, `-x`, `--rcverr`, `--xmtdisc`):
 *
 *   # Port counters: Lid 5 port 1 (CapMask: 0x1200)
 *   PortSelect:......................1
 *   SymbolErrorCounter:..............0
 *   # PortXmitDiscardDetails counters: Lid 3 port 5
 *   PortInactiveDiscards:............5
 */
import { limits } from "../base/limits.ts";
import type { CounterName } from "../fabric/counters.ts";
import { counterOf, type CounterValues } from "./counter-names.ts";
import { DiagnosticList } from "./diagnostic.ts";
import { handleStrayLine, isPrompt } from "./noise.ts";
import type { ParseContext, Parsed } from "./records.ts";
import { isBlank, readLines } from "./scanner.ts";

export interface PerfqueryPort {
  readonly lid: number;
  /** 0 is a switch's management port, 255 the sum of all. */
  readonly port: number;
  /** `classic` 32-bit and narrower, `extended` 64-bit, or the name of another attribute: `PortRcvErrorDetails`. */
  readonly attribute: string;
  readonly counters: CounterValues;
  /** Fields of other attributes, by printed name. */
  readonly details: Readonly<Record<string, number>>;
  readonly line: number;
}

export interface PerfqueryRecords {
  readonly ports: readonly PerfqueryPort[];
}

const title = /^# (Port(?: extended)?|\w+) counters: Lid (0x[0-9a-f]{1,4}|\d{1,5}) port (\d{1,3})(?: \(.*\))?\s*$/i;
const field = /^(\w+):\.+(0x[0-9a-fA-F]{1,16}|\d{1,20})\s*$/;
/** Which counters were asked for, not what they say. */
const selectors = new Set(["PortSelect", "CounterSelect", "CounterSelect2", "QP1Dropped"]);

/** Reads what perfquery printed. Never throws for any text. */
export function parsePerfquery(text: string, context: ParseContext): Parsed<PerfqueryRecords> {
  const diagnostics = new DiagnosticList(context.file);
  const ports: PerfqueryPort[] = [];
  let counters: { [Name in CounterName]?: number } | undefined;
  let details: Record<string, number> = {};
  const stats = readLines(text, diagnostics, (raw, number, terminated) => {
    if (isBlank(raw)) return "ignored";
    const line = raw.trim();
    const started = title.exec(line);
    if (started !== null && Number(started[3]) <= Math.max(255, limits.portNumber)) {
      counters = {};
      details = {};
      const kind = started[1] ?? "";
      const attribute = kind === "Port" ? "classic" : kind === "Port extended" ? "extended" : kind;
      ports.push({ lid: Number(started[2]), port: Number(started[3]), attribute, counters, details, line: number });
      return "understood";
    }
    const hit = field.exec(line);
    if (hit !== null && counters !== undefined) {
      const name = hit[1] ?? "";
      if (!terminated) {
        diagnostics.add({
          severity: "error",
          code: "cut",
          line: number,
          message: "The text ends in half a line: it was cut off.",
          excerpt: line.slice(0, 120),
        });
        return "diagnosed";
      }
      if (selectors.has(name)) return "ignored";
      const counter = counterOf(name);
      if (counter === undefined) Object.defineProperty(details, name, { value: Number(hit[2]), enumerable: true });
      else counters[counter] = Number(hit[2]);
      return "understood";
    }
    if (isPrompt(raw)) return "ignored";
    return handleStrayLine(line, number, diagnostics, () => undefined);
  });
  return { records: { ports }, diagnostics: diagnostics.finish(), stats };
}
