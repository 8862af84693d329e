/**
 * Reads forwarding tables of dump_fts, ibroute, opensm-lfts.dump and opensm.fdbs, in pieces: what is held is the tables
 * (one byte a LID), not the text. Headers tell the tool; a text may hold tables of several.
 *
 *   Unicast lids [0x0-0x3f] of switch DR path slid 0; dlid 0; 0,1,5,15 guid 0xb8cef603000002c0 (DESC):     dump_fts
 *   Unicast lids [0x0-0x3f] of switch Lid 52 guid 0xb8cef603000002c0 (DESC):                               ibroute
 *   63 valid lids dumped                                     number of entries
 *   Unicast lids [0-63] of switch Lid 2 guid 0xb8cef60300000000 ('DESC'):                                  opensm-lfts.dump
 *   63 lids dumped                                           highest LID
 *   dump_ucast_routes: Switch 0xb8cef60300000000                                                           opensm.fdbs
 *   LID    : Port : Hops : Optimal
 *   Multicast mlids [0xc000-0xc3ff] of switch …              left out, with all to the next header
 */
import { type Guid, guidFromBigint, guidToBigint, parseGuid } from "../base/guid.ts";
import { limits } from "../base/limits.ts";
import { assert } from "../base/assert.ts";
import { DiagnosticList } from "./diagnostic.ts";
import { readEntry } from "./lft-entry.ts";
import {
  GrowingTable,
  type LftDestination,
  type LftRecords,
  type LftSource,
  type LftTable,
  tableBytesMax,
} from "./lft-tables.ts";
import { handleStrayLine } from "./noise.ts";
import type { ParseContext, Parsed, ParseStats } from "./records.ts";
import { isBlank, type LineFate, withoutEscapes } from "./scanner.ts";

const switchHeader =
  /^Unicast lids \[(?:0x)?([0-9a-f]{1,4})-0x([0-9a-f]{1,4})\] of switch (Lid \d+|DR path [\w ;,]*?) guid (0x[0-9a-f]{1,16}) \((.*)\): *$/i;
const opensmHeader = /^Unicast lids \[(\d{1,5})-(\d{1,5})\] of switch Lid \d+ guid (0x[0-9a-f]{1,16}) \('(.*)'\): *$/i;
const fdbsHeader = /^(?:\w*dump_ucast_routes: )?Switch (0x[0-9a-f]{1,16}) *$/i;
const trailer = /^(\d{1,6}) (?:valid )?lids dumped *$/;
const multicast = /^(?:Multicast mlids \[0x[0-9a-f]+-0x[0-9a-f]+\] of switch |dump_mcast_routes: Switch )/i;
const multicastTrailer = /^\d{1,6} (?:valid )?mlids dumped *$/;
const columns = /^(?: *Lid +Out +Destination| *Port +Info| *LID +: Port : Hops : Optimal) *$/;
/** Adapters only: a switch's table names the port GUID of its port 0, which the topology may not know. */
const destination = /(?:Channel Adapter|Router) portguid (0x[0-9a-f]{1,16}): '/i;
/** A header that is damaged must not give its entries to the switch before it. */
const damagedHeader = /^(?:Unicast|Multicast) .*lids|dump_[um]cast_routes/;

/** A line with a destination is longer than this. */
const shortestNamed = 40;
const lineTooLong = `The line has more than ${limits.lineLength} characters and was left out.`;

/** A GUID that is no piece of the text: pieces would hold the whole text in memory as long as the tables live. */
function ownGuid(text: string): Guid | undefined {
  const guid = parseGuid(text);
  return guid === undefined ? undefined : guidFromBigint(guidToBigint(guid));
}

/** Reads tables piece by piece: `push` what came, `finish` at the end. Never throws for any text. */
export class LftReader {
  private readonly diagnostics: DiagnosticList;
  private readonly tables: LftTable[] = [];
  private readonly destinations: LftDestination[] = [];
  /** The table whose destinations are kept. */
  private named: GrowingTable | undefined;
  private table: GrowingTable | undefined;
  private skipping = false;
  private whole = true;
  private bytes = 0;
  private carry = "";
  private lines = 0;
  private understood = 0;
  private ignored = 0;
  private diagnosed = 0;

  constructor(context: ParseContext) {
    this.diagnostics = new DiagnosticList(context.file);
  }

  /** Tables finished so far, for progress. */
  get count(): number {
    return this.tables.length;
  }

  /** Takes the next piece of the text; it may end anywhere. */
  push(piece: string): void {
    let text = this.carry === "" ? piece : this.carry + piece;
    this.carry = "";
    if (text.includes("\r")) {
      // A CR at the end may be half of a line end.
      const held = text.endsWith("\r");
      text = (held ? text.slice(0, -1) : text).replace(/\r+\n?/g, "\n");
      if (held) this.carry = "\r";
    }
    const rest = this.readLines(text);
    // A slice of a large text would hold all of it.
    this.carry = (rest < text.length ? text.slice(rest) : "") + this.carry;
    if (this.carry.length > 2 * limits.lineLength) {
      // A line without end: kept short, so that memory stays bounded.
      this.carry = this.carry.slice(0, limits.lineLength + 1);
    }
  }

  /** The rest of the text, and what all of it was. */
  finish(): Parsed<LftRecords> {
    const last = this.carry.endsWith("\r") ? this.carry.slice(0, -1) : this.carry;
    const terminated = last.length < this.carry.length;
    if (this.carry !== "") {
      this.lines += 1;
      this.fate(this.readLine(last, terminated));
    }
    this.carry = "";
    this.closeTable(this.diagnostics.count("cut") > 0);
    const stats: ParseStats = {
      lines: this.lines,
      understood: this.understood,
      ignored: this.ignored,
      diagnosed: this.diagnosed,
    };
    assert(stats.lines === stats.understood + stats.ignored + stats.diagnosed, "each line has one fate");
    return {
      records: { tables: this.tables, destinations: this.destinations, complete: this.whole },
      diagnostics: this.diagnostics.finish(),
      stats,
    };
  }

  /** Reads all ended lines; returns where the unfinished one begins. */
  private readLines(text: string): number {
    let start = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
      this.lines += 1;
      const { table } = this;
      const entry = table === undefined ? -1 : readEntry(text, start, end);
      if (table !== undefined && entry >= 0 && table.put(entry >> 8, entry & 255)) {
        this.understood += 1;
        if (table === this.named && end - start > shortestNamed) {
          this.readDestination(text.slice(start, Math.min(end, start + 512)), entry >> 8);
        }
      } else {
        this.fate(this.readLine(text.slice(start, Math.min(end, start + limits.lineLength + 1)), true));
      }
      start = end + 1;
    }
    return start;
  }

  private fate(fate: LineFate): void {
    if (fate === "understood") this.understood += 1;
    else if (fate === "ignored") this.ignored += 1;
    else this.diagnosed += 1;
  }

  /** Any line that is not the entry of an open table as it should be. */
  private readLine(raw: string, terminated: boolean): LineFate {
    if (raw.length > limits.lineLength) return this.say("line-too-long", "warning", raw, lineTooLong);
    const line = withoutEscapes(raw.startsWith("\ufeff") ? raw.slice(1) : raw);
    if (isBlank(line)) return "ignored";
    if (this.readHeader(line)) return "understood";
    if (multicast.test(line)) {
      this.closeTable(false);
      this.skipping = true;
      return "ignored";
    }
    if (damagedHeader.test(line)) {
      this.closeTable(!terminated);
      this.whole = false;
      return this.say("malformed-line", "error", line, "The header of a table is damaged; the table was left out.");
    }
    if (this.skipping) {
      if (multicastTrailer.test(line)) this.skipping = false;
      return "ignored";
    }
    if (columns.test(line)) return "ignored";
    const end = trailer.exec(line);
    if (end !== null) return this.readTrailer(Number(end[1]), line);
    const entry = readEntry(line, 0, line.length);
    if (entry >= 0) return this.readEntryLine(entry, line);
    if (/^0x[0-9a-f]{0,4}(?: |$)/i.test(line)) {
      if (!terminated) this.whole = false;
      return terminated
        ? this.say("malformed-line", "error", line, "An entry of a table is damaged and was left out.")
        : this.say("cut", "error", line, "The text ends in half a line: it was cut off.");
    }
    return handleStrayLine(line, this.lines, this.diagnostics, () => {
      this.whole = false;
    });
  }

  private readEntryLine(entry: number, line: string): LineFate {
    if (this.table === undefined) {
      return this.say(
        "entry-without-table",
        "error",
        line,
        "The header of the table is missing, so its switch is not known.",
      );
    }
    if (!this.table.put(entry >> 8, entry & 255)) {
      return this.say("malformed-line", "error", line, "The LID of an entry is none that this table can have.");
    }
    if (this.table === this.named) this.readDestination(line, entry >> 8);
    return "understood";
  }

  private readHeader(line: string): boolean {
    const fromSwitch = switchHeader.exec(line);
    if (fromSwitch !== null) {
      const source = fromSwitch[3]?.startsWith("Lid") === true ? "ibroute" : "dump_fts";
      return this.open(
        source,
        fromSwitch[4],
        fromSwitch[5],
        parseInt(fromSwitch[1] ?? "", 16),
        parseInt(fromSwitch[2] ?? "", 16),
      );
    }
    const opensm = opensmHeader.exec(line);
    if (opensm !== null) return this.open("opensm-lfts", opensm[3], opensm[4], Number(opensm[1]), Number(opensm[2]));
    const fdbs = fdbsHeader.exec(line);
    if (fdbs !== null) return this.open("opensm-fdbs", fdbs[1], "", 0, limits.unicastLidMax);
    return false;
  }

  private open(
    source: LftSource,
    guidText: string | undefined,
    description: string | undefined,
    first: number,
    last: number,
  ): boolean {
    const guid = ownGuid(guidText ?? "");
    if (guid === undefined || last < first) return false;
    this.closeTable(false);
    this.skipping = false;
    this.table = new GrowingTable({
      guid,
      source,
      description: Array.from(description ?? "").join(""),
      first,
      last,
      line: this.lines,
    });
    if (source !== "opensm-fdbs") this.named ??= this.table;
    return true;
  }

  private readTrailer(number: number, line: string): LineFate {
    const { table } = this;
    if (table === undefined) return "ignored";
    // opensm tells the highest LID there, the others how many entries they printed.
    table.complete = table.source === "opensm-lfts" || number === table.entries;
    if (!table.complete) {
      this.whole = false;
      this.say(
        "lost-lines",
        "error",
        line,
        `The tool printed ${number} entries here, and ${table.entries} are in the text.`,
      );
    }
    this.closeTable(false);
    return "understood";
  }

  /** Ends the open table; `cut`: its text ends in half a line. */
  private closeTable(cut: boolean): void {
    const { table } = this;
    if (table === undefined) return;
    this.table = undefined;
    if (table.source === "opensm-fdbs") {
      // It has no last line of its own.
      table.complete = !cut;
    } else if (!table.complete && this.diagnostics.count("lost-lines") === 0) {
      this.whole = false;
      this.diagnostics.add({
        severity: "error",
        code: "cut-table",
        line: table.line,
        message: `The table of switch 0x${table.guid} ends without its last line: what is missing of it is not known.`,
      });
    }
    if (table === this.named && this.destinations.length === 0) this.named = undefined;
    this.bytes += table.bytes;
    if (this.bytes > tableBytesMax) {
      this.diagnostics.add({
        severity: "error",
        code: "too-many-tables",
        line: table.line,
        message: `The tables of this text take more than ${tableBytesMax / (1024 * 1024)} MiB; this one and those after it were left out.`,
      });
      this.whole = false;
      return;
    }
    this.tables.push(table.finish());
  }

  private readDestination(line: string, lid: number): void {
    const hit = destination.exec(line);
    const guid = hit === null ? undefined : ownGuid(hit[1] ?? "");
    if (guid !== undefined) this.destinations.push({ lid, guid });
  }

  private say(code: string, severity: "warning" | "error", line: string, message: string): LineFate {
    this.diagnostics.add({ severity, code, line: this.lines, message, excerpt: line.slice(0, 120) });
    return "diagnosed";
  }
}

/** Reads all tables of a text. Never throws for any text. */
export function parseLfts(text: string, context: ParseContext): Parsed<LftRecords> {
  const reader = new LftReader(context);
  reader.push(text);
  return reader.finish();
}
