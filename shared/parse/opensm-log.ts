/**
 * Parser of opensm's log:
 *
 *   Nov 29 16:08:25 623676 [D32866C0] 0x01 -> log_send_error: ERR 5411: DR SMP Send completed with error (IB_TIMEOUT)
 *                           Method 0x1, Attr 0x20, TID 0x1825
 *
 * No year; thread in hex of any length; the level is a bit mask and no verdict. A line that does not begin so belongs
 * to the one before. A log may be the tail of a file and begin inside a record, and a duplicate GUID fills it with 25
 * errors a second: events are kept up to a bound, the newest; errors and traps are counted by kind.
 */
import { type Guid, parseGuid } from "../base/guid.ts";
import { DiagnosticList } from "./diagnostic.ts";
import type { ParseContext, Parsed } from "./records.ts";
import { isBlank, readLines } from "./scanner.ts";

/** Local time of the host, without a year. */
export interface LogStamp {
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly microseconds: number;
}

export type LogEventKind =
  | "started"
  | "ended"
  | "state"
  | "subnet-up"
  | "sweep-errors"
  | "port-down"
  | "port-up"
  | "routing"
  | "foreign-key"
  | "port-gone"
  | "port-new";

export interface LogEvent {
  readonly stamp: LogStamp;
  readonly kind: LogEventKind;
  /** `state`: NOTACTIVE, DISCOVERING, STANDBY or MASTER, as the log spells it. `routing`: the engine. */
  readonly value: string;
  /** The line's text, as printed. */
  readonly text: string;
  readonly line: number;
}

/** Many lines of one kind, counted. */
export interface LogGroup {
  /** `ERR 5411`, `trap 128`, or `error` for errors without a code. */
  readonly code: string;
  /** Text of the first one, with the lines that belong to it. */
  readonly text: string;
  readonly count: number;
  readonly first: LogStamp;
  readonly last: LogStamp;
  /** Line of the first one. */
  readonly line: number;
}

export interface OpensmLogRecords {
  /** In the order of the log; the newest when there are more than are kept. */
  readonly events: readonly LogEvent[];
  readonly eventsDropped: number;
  /** Most frequent first. */
  readonly errors: readonly LogGroup[];
  readonly traps: readonly LogGroup[];
  readonly first?: LogStamp;
  readonly last?: LogStamp;
  /** Port that this manager bound to last. */
  readonly boundTo?: Guid;
}

const head =
  /^([A-Z][a-z]{2}) +(\d{1,2}) (\d\d):(\d\d):(\d\d) (\d{1,6}) \[([0-9A-Fa-f]{1,16})\] 0x([0-9A-Fa-f]{2}) -> (.*)$/;
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const eventsKept = 2_000;
const groupsKept = 200;
const linesPerRecord = 8;

const state = /Entering (DISCOVERING|STANDBY|MASTER|NOTACTIVE) state/;
const routing = /(\S+) tables configured on all switches/;
const binding = /binding to port GUID (0x[0-9a-f]{1,16})/i;
const trap = /Received Generic Notice type:\d+ num:(\d+) (.*?) from LID:/;
const errorCode = /\bERR ([0-9A-Fa-f]{4}):/;
/** Details of the error before; they would count every error twice. */
const detail = /^(?:Received SMP on a \d+ hop path|.*Directed Path Dump of )/;

const plain: readonly (readonly [text: RegExp, kind: LogEventKind])[] = [
  [/\bSUBNET UP\b/, "subnet-up"],
  [/Errors during initialization/, "sweep-errors"],
  [/SM port is down/, "port-down"],
  [/SM port is up/, "port-up"],
  [/Exiting SM/, "ended"],
  [/^OpenSM \S+/, "started"],
  [/Found remote SM .* with non-matching sm_key/, "foreign-key"],
  [/Removed port with GUID:/, "port-gone"],
  [/Discovered new port with GUID:/, "port-new"],
];

interface Grouped {
  code: string;
  text: string;
  lines: number;
  count: number;
  first: LogStamp;
  last: LogStamp;
  line: number;
}

/** Reads a log or the tail of one. Never throws for any text. Memory is bounded whatever the length. */
export function parseOpensmLog(text: string, context: ParseContext): Parsed<OpensmLogRecords> {
  const diagnostics = new DiagnosticList(context.file);
  const events: LogEvent[] = [];
  let dropped = 0;
  const errors = new Map<string, Grouped>();
  const traps = new Map<string, Grouped>();
  let first: LogStamp | undefined;
  let last: LogStamp | undefined;
  let engine = "";
  let boundTo: Guid | undefined;
  let open: Grouped | undefined;
  const add = (event: LogEvent): void => {
    events.push(event);
    if (events.length > 2 * eventsKept) dropped += events.splice(0, events.length - eventsKept).length;
  };
  const countIn = (groups: Map<string, Grouped>, code: string, at: LogStamp, said: string, line: number): void => {
    const known = groups.get(code);
    if (known !== undefined) {
      known.count += 1;
      known.last = at;
      open = undefined;
      return;
    }
    if (groups.size >= groupsKept) return;
    open = { code, text: said, lines: 1, count: 1, first: at, last: at, line };
    groups.set(code, open);
  };
  const stats = readLines(text, diagnostics, (raw, number) => {
    const hit = head.exec(raw.length > 4096 ? raw.slice(0, 4096) : raw);
    const at = hit === null ? undefined : stampOf(hit);
    if (hit === null || at === undefined) {
      if (open !== undefined && !isBlank(raw) && open.lines < linesPerRecord) {
        open.text += `\n${raw.trim().slice(0, 400)}`;
        open.lines += 1;
        return "understood";
      }
      return "ignored";
    }
    first ??= at;
    last = at;
    open = undefined;
    const level = Number.parseInt(hit[8] ?? "0", 16);
    const said = (hit[9] ?? "").trim();
    const entered = state.exec(said)?.[1];
    if (entered !== undefined) {
      add({ stamp: at, kind: "state", value: entered, text: said, line: number });
      return "understood";
    }
    const configured = routing.exec(said)?.[1];
    if (configured !== undefined) {
      if (configured !== engine) add({ stamp: at, kind: "routing", value: configured, text: said, line: number });
      engine = configured;
      return "understood";
    }
    const bound = binding.exec(said)?.[1];
    if (bound !== undefined) {
      boundTo = parseGuid(bound) ?? boundTo;
      return "understood";
    }
    const noticed = trap.exec(said);
    if (noticed !== null) {
      countIn(traps, `trap ${noticed[1] ?? ""}`, at, said, number);
      return "understood";
    }
    const code = errorCode.exec(said)?.[1];
    if (code !== undefined) {
      countIn(errors, `ERR ${code.toUpperCase()}`, at, said, number);
      return "understood";
    }
    const known = plain.find(([pattern]) => pattern.test(said));
    if (known !== undefined) {
      // The banner comes twice, at two levels.
      const again = known[1] === "started" && events.at(-1)?.kind === "started";
      if (!again) add({ stamp: at, kind: known[1], value: "", text: said, line: number });
      return "understood";
    }
    if ((level & 1) === 1 && !detail.test(said)) {
      countIn(errors, `error ${said.replace(/0x[0-9a-f]+|\d+/gi, "#").slice(0, 80)}`, at, said, number);
      return "understood";
    }
    return "ignored";
  });
  if (events.length > eventsKept) dropped += events.splice(0, events.length - eventsKept).length;
  return {
    records: {
      events,
      eventsDropped: dropped,
      errors: finished(errors),
      traps: finished(traps),
      ...(first === undefined ? {} : { first }),
      ...(last === undefined ? {} : { last }),
      ...(boundTo === undefined ? {} : { boundTo }),
    },
    diagnostics: diagnostics.finish(),
    stats,
  };
}

function finished(groups: ReadonlyMap<string, Grouped>): readonly LogGroup[] {
  return [...groups.values()]
    .map(({ code, text, count, first, last, line }) => ({
      code: code.startsWith("error ") ? "error" : code,
      text,
      count,
      first,
      last,
      line,
    }))
    .sort((a, b) => b.count - a.count);
}

function stampOf(hit: RegExpExecArray): LogStamp | undefined {
  const month = months.indexOf(hit[1] ?? "") + 1;
  const [day, hour, minute, second] = [Number(hit[2]), Number(hit[3]), Number(hit[4]), Number(hit[5])];
  if (month === 0 || day < 1 || day > 31 || hour > 23 || minute > 59 || second > 60) return undefined;
  return { month, day, hour, minute, second, microseconds: Number(hit[6]) };
}

/** The clock of the host that wrote the log, when the log was read. */
export interface HostClock {
  /** Milliseconds since 1970, by that clock. */
  readonly now: number;
  /** Minutes east of UTC of its local time. */
  readonly offsetMinutes: number;
}

const dayMs = 86_400_000;

/**
 * When a line was written, in milliseconds since 1970: the latest year that does not put it into the future (a day is
 * granted to clocks that were set back). The offset is the present one; a log from the other side of a change of
 * summer time is off by that hour.
 */
export function logTime(stamp: LogStamp, clock: HostClock): number {
  const localNow = clock.now + clock.offsetMinutes * 60_000;
  const at = (year: number): number =>
    Date.UTC(year, stamp.month - 1, stamp.day, stamp.hour, stamp.minute, stamp.second) + stamp.microseconds / 1000;
  const year = new Date(localNow).getUTCFullYear();
  // A clock that stands just before new year may have written lines of the next one already.
  const local = [year + 1, year, year - 1].map(at).find((time) => time <= localNow + dayMs) ?? at(year - 1);
  return local - clock.offsetMinutes * 60_000;
}
