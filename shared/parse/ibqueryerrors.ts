/**
 * Parser of ibqueryerrors, 2009 to today:
 *
 *   Errors for 0xb8cef60300000240 "MF0;leaf-06:MQM8700/U1"
 *      GUID 0xb8cef60300000240 port ALL: [VL15Dropped == 9]
 *      GUID 0xb8cef60300000240 port 6: [VL15Dropped == 9] [PortXmitData == 1728 (6.750KB)]
 *          Link info:     22   6[  ] ==( 4X … )==>  0x… …
 *
 *   ## Summary: 61 nodes checked, 11 bad nodes found
 *   ##          553 ports checked, 11 ports have errors beyond threshold
 *   ## Thresholds: [SymbolErrorCounter = 10]
 *   ##          3 PMA query failures
 *   ## Suppressed: PortXmitWait
 *
 * `--counters` prints `Data Counters for …` with all ports instead. Versions of 2009 and 2010 begin with
 * `Suppressing: …`, use other names and have no summary. `--details` prints the fields of two attributes under each
 * other's names (in every version so far): those fields are passed over, and that is said.
 */
import { type Guid, parseGuid } from "../base/guid.ts";
import { limits } from "../base/limits.ts";
import type { CounterName } from "../fabric/counters.ts";
import { counterOf, type CounterValues, isOldCounterName } from "./counter-names.ts";
import { DiagnosticList } from "./diagnostic.ts";
import { handleStrayLine, isPrompt } from "./noise.ts";
import type { ParseContext, Parsed } from "./records.ts";
import { isBlank, type LineFate, readLines } from "./scanner.ts";

export interface CounterPort {
  /** As printed: node GUID of a switch; port or node GUID of an adapter. */
  readonly guid: Guid;
  readonly port: number;
  /** What the line has; others are 0, or were not asked for. */
  readonly counters: CounterValues;
  readonly line: number;
}

export interface QuerySummary {
  readonly nodes: number;
  readonly badNodes: number;
  readonly ports: number;
  readonly badPorts: number;
  /** Ports that did not tell their counters. */
  readonly queryFailures: number;
}

export interface QueryErrorsRecords {
  /** Ports that were printed; with `--counters` those are all ports, without their errors. */
  readonly ports: readonly CounterPort[];
  /** `errors`: ports with errors. `data`: data counters of all ports (`--counters`). */
  readonly form: "errors" | "data";
  readonly summary?: QuerySummary;
  /** Values up to which a counter is not printed. */
  readonly thresholds: CounterValues;
  /** Counters that were left out on request. */
  readonly suppressed: readonly CounterName[];
  /** True when a line proves that the tool ran to its end, or the version has no such line. */
  readonly complete: boolean;
}

interface Seen {
  form: "errors" | "data";
  summary: { -readonly [K in keyof QuerySummary]: QuerySummary[K] } | undefined;
  oldNames: boolean;
  /** The text ends inside a port line. */
  cut: boolean;
  details: boolean;
}

const errorsFor = /^Errors for (?:0x([0-9a-fA-F]{1,16}) )?"(.*)"\s*$/;
const dataFor = /^Data Counters for (?:0x([0-9a-fA-F]{1,16}) )?"(.*)"\s*$/;
const portLine = /^GUID (0x[0-9a-fA-F]{1,16}) port (ALL|\d{1,3}):((?:\s+\[[^[\]]*\])*)\s*$/;
const fieldPattern = /\[(\w+) == (\d{1,20})(?: \([^()]*\))?\]/g;
const linkInfo = /^Link info: /;
const summaryLine = /^## Summary: (\d{1,9}) nodes checked, (\d{1,9}) bad nodes found\s*$/;
const portsChecked = /^##\s+(\d{1,9}) ports checked, (\d{1,9}) ports have errors beyond threshold\s*$/;
const thresholdLine = /^## Thresholds:(.*)$/;
const failuresLine = /^##\s+(\d{1,9}) PMA query failures\s*$/;
const suppressedLine = /^(?:## Suppressed|Suppressing):(.*)$/;

/** Fields of PortRcvErrorDetails and PortXmitDiscardDetails. */
const details = new Set([
  "PortLocalPhysicalErrors",
  "PortMalformedPktErrors",
  "PortBufferOverrunErrors",
  "PortDLIDMappingErrors",
  "PortVLMappingErrors",
  "PortLoopingErrors",
  "PortInactiveDiscards",
  "PortNeighborMTUDiscards",
  "PortSwLifetimeLimitDiscards",
  "PortSwHOQLifetimeLimitDiscards",
]);

/** Reads what ibqueryerrors printed. Never throws for any text. */
export function parseIbqueryerrors(text: string, context: ParseContext): Parsed<QueryErrorsRecords> {
  const diagnostics = new DiagnosticList(context.file);
  const ports: CounterPort[] = [];
  const suppressed: CounterName[] = [];
  const thresholds: { [Name in CounterName]?: number } = {};
  const seen: Seen = { form: "errors", summary: undefined, oldNames: false, cut: false, details: false };

  const readPort = (hit: RegExpExecArray, line: number, terminated: boolean): LineFate => {
    const guid = parseGuid(hit[1] ?? "");
    const port = hit[2] === "ALL" ? undefined : Number(hit[2]);
    const fields = hit[3] ?? "";
    const counters: { [Name in CounterName]?: number } = {};
    let read = 0;
    for (const [, name = "", value = ""] of fields.matchAll(fieldPattern)) {
      read += 1;
      if (isOldCounterName(name)) seen.oldNames = true;
      const counter = counterOf(name);
      if (counter !== undefined) counters[counter] = Number(value);
      else if (details.has(name) && !seen.details) {
        seen.details = true;
        diagnostics.add({
          severity: "note",
          code: "details-swapped",
          line,
          message:
            "ibqueryerrors --details prints these fields under each other's names; they are left out. perfquery --rcverr and --xmtdisc tell them right.",
          excerpt: name,
        });
      }
    }
    const printed = fields.split("[").length - 1;
    // A line without an end may have lost fields.
    const isWhole = terminated && read === printed;
    if (guid === undefined || !isWhole || (port !== undefined && port > limits.portNumber)) {
      return damaged(line, terminated, hit[0]);
    }
    // The switch's own sum: adding it to the ports would count everything twice.
    if (port === undefined) return "ignored";
    ports.push({ guid, port, counters, line });
    return "understood";
  };
  const damaged = (line: number, terminated: boolean, excerpt: string): LineFate => {
    if (!terminated) seen.cut = true;
    diagnostics.add({
      severity: "error",
      code: terminated ? "malformed-line" : "cut",
      line,
      message: terminated
        ? "A port line of ibqueryerrors is damaged and was left out."
        : "The text ends in half a line: it was cut off.",
      excerpt: excerpt.slice(0, 120),
    });
    return "diagnosed";
  };

  const stats = readLines(text, diagnostics, (raw, number, terminated) => {
    if (isBlank(raw)) return "ignored";
    const line = raw.trim();
    const hit = portLine.exec(line);
    if (hit !== null) return readPort(hit, number, terminated);
    if (/^GUID 0x[0-9a-fA-F]+ port /.test(line)) return damaged(number, terminated, line);
    if (errorsFor.test(line)) return "understood";
    if (dataFor.test(line)) {
      seen.form = "data";
      return "understood";
    }
    if (linkInfo.test(line)) return "ignored";
    const nodes = summaryLine.exec(line);
    if (nodes !== null) {
      seen.summary = { nodes: Number(nodes[1]), badNodes: Number(nodes[2]), ports: 0, badPorts: 0, queryFailures: 0 };
      return "understood";
    }
    const checked = portsChecked.exec(line);
    if (checked !== null && seen.summary !== undefined) {
      seen.summary.ports = Number(checked[1]);
      seen.summary.badPorts = Number(checked[2]);
      return "understood";
    }
    const failures = failuresLine.exec(line);
    if (failures !== null && seen.summary !== undefined) {
      seen.summary.queryFailures = Number(failures[1]);
      return "understood";
    }
    const limit = thresholdLine.exec(line);
    if (limit !== null) {
      for (const [, name = "", value = ""] of (limit[1] ?? "").matchAll(/\[(\w+) = (\d{1,12})\]/g)) {
        const counter = counterOf(name);
        if (counter !== undefined) thresholds[counter] = Number(value);
      }
      return "understood";
    }
    const left = suppressedLine.exec(line);
    if (left !== null) {
      if (line.startsWith("Suppressing")) seen.oldNames = true;
      for (const name of (left[1] ?? "").split(/[\s,]+/)) {
        const counter = counterOf(name);
        if (counter !== undefined) suppressed.push(counter);
      }
      return "understood";
    }
    if (isPrompt(raw)) return "ignored";
    return handleStrayLine(line, number, diagnostics, () => undefined);
  });
  const { form, summary, oldNames, cut } = seen;
  if (summary !== undefined && summary.queryFailures > 0) {
    diagnostics.add({
      severity: "warning",
      code: "counters-missing",
      message: `${summary.queryFailures} queries for counters got no answer: ports without errors in this text may have some.`,
    });
  }
  const complete = !cut && (summary !== undefined || oldNames);
  if (!complete && !cut) {
    diagnostics.add({
      severity: "error",
      code: "no-summary",
      message:
        "ibqueryerrors did not run to its end: there is no summary, so a port that is not listed may have errors. Without a subnet manager some versions print nothing at all.",
    });
  }
  return {
    records: { ports, form, thresholds, suppressed, complete, ...(summary === undefined ? {} : { summary }) },
    diagnostics: diagnostics.finish(),
    stats,
  };
}
