/**
 * Parser of ibtracert, one or many traces in one text:
 *
 *   From ca {0xb8cef603000002c8} portnum 1 lid 57-57 "DESC"                    node GUID
 *   [1] -> switch port {0xb8cef603000002c0}[41] lid 52-52 "DESC"               port GUID; left by [1], entered by [41]
 *   To ca {0x0c42a10300000000} portnum 1 lid 5-5 "DESC"                        node GUID
 *   From {0xb8cef603000002c8}[1] / [5] -> {0xb8cef603000002c0}[15] / To {…}[1]      the same with -n
 *   From ca 0x… port 1 lid 57-57 "DESC" / [1] -> switch 0x…[5] lid 3 "DESC"         the same with -m (multicast)
 *   ibtracert: iberror: failed: Failed to get route information                    on stdout; the reason is on stderr
 */
import { type Guid, parseGuid } from "../base/guid.ts";
import { DiagnosticList } from "./diagnostic.ts";
import { handleStrayLine } from "./noise.ts";
import type { ParseContext, Parsed, RecordKind } from "./records.ts";
import { isBlank, readLines } from "./scanner.ts";

/** Where a trace begins or ends. */
export interface TraceEnd {
  /** Not told with -n. */
  readonly kind?: RecordKind;
  /** Node GUID. */
  readonly guid: Guid;
  /** Port number, 0 for a switch. */
  readonly port: number;
  /** Base LID; not told with -n. */
  readonly lid?: number;
  /** Highest LID of the port: above the base LID with LMC. */
  readonly lastLid?: number;
  readonly description?: string;
  readonly line: number;
}

/** One cable of a trace. */
interface TraceHop {
  /** Port by which the node before is left. */
  readonly out: number;
  /** Port by which this node is entered. */
  readonly in: number;
  readonly kind?: RecordKind;
  /** Port GUID; a switch's is that of its port 0. */
  readonly guid: Guid;
  readonly lid?: number;
  readonly lastLid?: number;
  readonly description?: string;
  readonly line: number;
}

interface Trace {
  readonly from: TraceEnd;
  readonly hops: readonly TraceHop[];
  /** Missing when the trace did not arrive or the text ends. */
  readonly to?: TraceEnd;
}

export interface TraceRecords {
  readonly traces: readonly Trace[];
  /** Error lines of the tool: text after `iberror:`. */
  readonly failures: readonly { readonly text: string; readonly line: number }[];
}

const end =
  /^(From|To) (?:(ca|switch|router) )?(?:\{(0x[0-9a-f]{1,16})\}|(0x[0-9a-f]{1,16}))(?:\[(\d{1,3})\]| port(?:num)? (\d{1,3}) lid (\d{1,5})(?:-(\d{1,5}))? "(.*)")\s*$/i;
const hop =
  /^\[(\d{1,3})\] -> (?:(ca|switch|router) (?:port )?)?(?:\{(0x[0-9a-f]{1,16})\}|(0x[0-9a-f]{1,16}))\[(\d{1,3})\](?: lid (\d{1,5})(?:-(\d{1,5}))? "(.*)")?\s*$/i;
const failure = /^(?:\S*\/)?ibtracert: iberror: (.*)/;

interface OpenTrace {
  from: TraceEnd;
  hops: TraceHop[];
  to?: TraceEnd;
}

function isKind(text: string | undefined): text is RecordKind {
  return text === "ca" || text === "switch" || text === "router";
}

/** What both kinds of lines end in; undefined for a number out of range. */
function readNode(
  kind: string | undefined,
  guidText: string | undefined,
  lidText: string | undefined,
  lastText: string | undefined,
  description: string | undefined,
): Pick<TraceHop, "kind" | "guid" | "lid" | "lastLid" | "description"> | undefined {
  const guid = parseGuid(guidText ?? "");
  const lid = lidText === undefined ? undefined : Number(lidText);
  const lastLid = lastText === undefined ? lid : Number(lastText);
  if (guid === undefined || (lid ?? 0) > 0xffff || (lastLid ?? 0) > 0xffff) return undefined;
  const lower = kind?.toLowerCase();
  return {
    guid,
    ...(isKind(lower) ? { kind: lower } : {}),
    ...(lid === undefined || lastLid === undefined ? {} : { lid, lastLid }),
    ...(description === undefined ? {} : { description }),
  };
}

/** Reads what ibtracert printed. Never throws for any text. */
export function parseIbtracert(text: string, context: ParseContext): Parsed<TraceRecords> {
  const diagnostics = new DiagnosticList(context.file);
  const traces: OpenTrace[] = [];
  const failures: { text: string; line: number }[] = [];
  let open: OpenTrace | undefined;
  const stats = readLines(text, diagnostics, (raw, number, terminated) => {
    if (isBlank(raw)) return "ignored";
    const line = raw.trim();
    const ends = end.exec(line);
    if (ends !== null) {
      const node = readNode(ends[2], ends[3] ?? ends[4], ends[7], ends[8], ends[9]);
      const port = Number(ends[5] ?? ends[6]);
      if (node !== undefined && port <= 255) {
        const place: TraceEnd = { ...node, port, line: number };
        if (ends[1]?.toLowerCase() === "from") {
          open = { from: place, hops: [] };
          traces.push(open);
          return "understood";
        }
        if (open !== undefined) {
          open.to = place;
          open = undefined;
          return "understood";
        }
      }
    }
    const step = hop.exec(line);
    if (step !== null && open !== undefined) {
      const node = readNode(step[2], step[3] ?? step[4], step[6], step[7], step[8]);
      const out = Number(step[1]);
      const into = Number(step[5]);
      // Half a line may look whole where the format of the others goes on.
      const likeOthers = terminated || open.from.lid === undefined || node?.lid !== undefined;
      if (node !== undefined && out <= 255 && into <= 255 && likeOthers) {
        open.hops.push({ out, in: into, ...node, line: number });
        return "understood";
      }
    }
    const failed = failure.exec(line)?.[1];
    if (failed !== undefined) {
      failures.push({ text: failed.trim(), line: number });
      open = undefined;
    }
    if (/^(?:From|To) (?:ca|switch|router|\{|0x)|^\[\d+\] ->/i.test(line)) {
      diagnostics.add({
        severity: "error",
        code: terminated ? "malformed-line" : "cut",
        line: number,
        message: terminated
          ? "A line of a trace is damaged, or the line before it that it belongs to is missing."
          : "The text ends in half a line: it was cut off.",
        excerpt: line.slice(0, 120),
      });
      return "diagnosed";
    }
    return handleStrayLine(line, number, diagnostics, () => undefined);
  });
  return { records: { traces, failures }, diagnostics: diagnostics.finish(), stats };
}
