/**
 * Parser of ibdiagnet2.db_csv:
 *
 *   START_NODES
 *   NodeDesc,NumPorts,NodeType,ClassVersion,BaseVersion,SystemImageGUID,NodeGUID,PortGUID
 *   "leaf-1",65,2,1,1,0xb8cef60300000100,0xb8cef60300000100,0xb8cef60300000100
 *   END_NODES
 *
 * Values with commas stand in quotes, `N/A` is no value, columns differ by version and are read by name. Sections that
 * Ibex has no use for are passed over line by line, counted and named. Cost: O(characters).
 */
import { DiagnosticList } from "./diagnostic.ts";
import {
  counterColumns,
  type DbLink,
  type DbNode,
  type DbPhysical,
  type DbPort,
  hasBerColumns,
  readBerRow,
  readCable,
  readCounters,
  readLink,
  readNode,
  readPhyRow,
  readPort,
  Row,
} from "./db-csv-rows.ts";
import type { CounterPort } from "./ibqueryerrors.ts";
import { isPrompt } from "./noise.ts";
import type { ParseContext, Parsed } from "./records.ts";
import { isBlank, type LineFate, readLines } from "./scanner.ts";

export interface DbCsvRecords {
  readonly nodes: readonly DbNode[];
  readonly ports: readonly DbPort[];
  readonly links: readonly DbLink[];
  /** Rows of PM_INFO. */
  readonly counters: readonly CounterPort[];
  /** Rows of CABLE_INFO and of sections with bit error rates; one port may have several. */
  readonly physical: readonly DbPhysical[];
  /** Sections that are not read, with their rows. */
  readonly otherSections: Readonly<Record<string, number>>;
  /** False when a section has no end or a wanted row could not be read. */
  readonly complete: boolean;
}

interface Section {
  readonly name: string;
  readonly line: number;
  /** undefined until the header is read; null for a section that is passed over. */
  take: ((row: Row) => boolean) | null | undefined;
  columns: ReadonlyMap<string, number>;
  names: readonly string[];
  rows: number;
}

const startLine = /^START_(\w+)$/;
const endLine = /^END_(\w+)$/;

/** Columns without which a section says nothing, in any of their spellings. */
const required: Readonly<Record<string, readonly (readonly string[])[]>> = {
  NODES: [["nodeguid"], ["nodetype"]],
  PORTS: [["nodeguid"], ["portnum", "portnumber"]],
  LINKS: [["nodeguid1"], ["portnum1"], ["nodeguid2"], ["portnum2"]],
  PM_INFO: [["nodeguid"], ["portnum", "portnumber"]],
  CABLE_INFO: [["nodeguid"], ["portnum", "portnumber"]],
  PHY_DB16: [["nodeguid"], ["portnum", "portnumber"], ["field12"], ["field17"]],
};

/** Reads a db_csv. Never throws for any text. */
export function parseDbCsv(text: string, context: ParseContext): Parsed<DbCsvRecords> {
  const reader = new DbCsvReader(context.file);
  const stats = readLines(text, reader.diagnostics, (raw, number, terminated) => reader.line(raw, number, terminated));
  return { records: reader.finish(), diagnostics: reader.diagnostics.finish(), stats };
}

class DbCsvReader {
  readonly diagnostics: DiagnosticList;
  private readonly nodes: DbNode[] = [];
  private readonly ports: DbPort[] = [];
  private readonly links: DbLink[] = [];
  private readonly counters: CounterPort[] = [];
  private readonly physical: DbPhysical[] = [];
  private readonly other = new Map<string, number>();
  private section: Section | undefined;
  private complete = true;

  constructor(file: string) {
    this.diagnostics = new DiagnosticList(file);
  }

  line(raw: string, number: number, terminated: boolean): LineFate {
    if (isBlank(raw)) return "ignored";
    const first = raw.charCodeAt(0);
    // S of START and E of END: the rest of the lines need no look.
    if (first === 83 || first === 69 || first === 32) {
      const trimmed = raw.trim();
      const started = startLine.exec(trimmed)?.[1];
      if (started !== undefined) return this.start(started, number);
      const ended = endLine.exec(trimmed)?.[1];
      if (ended !== undefined) return this.end(ended, number);
    }
    const { section } = this;
    if (section === undefined) {
      if (raw.startsWith("#") || raw.startsWith("-") || isPrompt(raw)) return "ignored";
      this.diagnostics.add({
        severity: "note",
        code: "unknown-line",
        line: number,
        message: "The line stands in no section of the file and was left out.",
        excerpt: raw,
      });
      return "diagnosed";
    }
    if (section.take === undefined) return this.header(section, raw, number);
    section.rows += 1;
    return section.take === null ? "ignored" : this.row(section, section.take, raw, number, terminated);
  }

  private start(name: string, number: number): LineFate {
    const open = this.section;
    this.section = { name, line: number, take: undefined, columns: new Map(), names: [], rows: 0 };
    if (open === undefined) return "understood";
    this.close(open);
    return this.unended(open, number);
  }

  private unended(open: Section, number: number): LineFate {
    this.complete = false;
    this.diagnostics.add({
      severity: "error",
      code: "section-not-ended",
      line: number,
      message: `Section ${open.name}, begun in line ${open.line}, has no END_${open.name}: the file is cut or damaged. The rows before are used.`,
    });
    return "diagnosed";
  }

  private end(name: string, number: number): LineFate {
    const open = this.section;
    this.section = undefined;
    if (open !== undefined) this.close(open);
    if (open?.name === name) return "understood";
    this.diagnostics.add({
      severity: "warning",
      code: "section-end-alone",
      line: number,
      message:
        open === undefined
          ? `END_${name} ends a section that was not begun.`
          : `END_${name} ends section ${open.name}, begun in line ${open.line}.`,
    });
    return "diagnosed";
  }

  private close(section: Section): void {
    if (section.take === null) this.other.set(section.name, (this.other.get(section.name) ?? 0) + section.rows);
  }

  private header(section: Section, raw: string, number: number): LineFate {
    section.names = splitFields(raw).fields.map((name) => name.trim());
    section.columns = new Map(section.names.map((name, at) => [name.toLowerCase(), at]));
    const { columns } = section;
    const missing = (required[section.name] ?? []).find((spellings) => !spellings.some((name) => columns.has(name)));
    if (missing !== undefined) {
      section.take = null;
      this.complete = false;
      this.diagnostics.add({
        severity: "error",
        code: "column-missing",
        line: number,
        message: `Section ${section.name} has no column ${missing[0] ?? ""}; its rows were left out.`,
        excerpt: raw,
      });
      return "diagnosed";
    }
    section.take = this.taker(section);
    return section.take === null ? "ignored" : "understood";
  }

  private taker({ name, columns, names }: Section): ((row: Row) => boolean) | null {
    const into =
      <T>(list: T[], read: (row: Row) => T | undefined) =>
      (row: Row): boolean => {
        const record = read(row);
        if (record !== undefined) list.push(record);
        return record !== undefined;
      };
    switch (name) {
      case "NODES":
        return into(this.nodes, readNode);
      case "PORTS":
        return into(this.ports, readPort);
      case "LINKS":
        return into(this.links, readLink);
      case "PM_INFO": {
        const counters = counterColumns(names);
        return into(this.counters, (row) => readCounters(row, counters));
      }
      case "CABLE_INFO":
        return into(this.physical, readCable);
      case "PHY_DB16":
        return into(this.physical, readPhyRow);
      default:
        return hasBerColumns(columns) && columns.has("nodeguid") && !/^(?:WARNINGS|ERRORS)_/.test(name)
          ? into(this.physical, readBerRow)
          : null;
    }
  }

  private row(
    section: Section,
    take: (row: Row) => boolean,
    raw: string,
    number: number,
    terminated: boolean,
  ): LineFate {
    const { fields, starts } = splitFields(raw);
    const wanted = section.names.length;
    const whole = fields.length === wanted || (fields.length === wanted + 1 && fields[wanted]?.trim() === "");
    if (!whole) {
      this.complete = false;
      this.diagnostics.add({
        severity: "error",
        code: terminated ? "row-damaged" : "cut",
        line: number,
        column: raw.length + 1,
        message: terminated
          ? `The row of ${section.name} has ${fields.length} fields where ${wanted} were expected; it was left out.`
          : "The text ends in half a line: it was cut off.",
        excerpt: raw,
      });
      return "diagnosed";
    }
    const row = new Row(section.columns, fields, number);
    const kept = take(row);
    const bad = row.bad[0];
    if (kept && bad === undefined) return "understood";
    if (!kept) this.complete = false;
    this.diagnostics.add({
      severity: kept ? "warning" : "error",
      code: kept ? "value-unreadable" : "row-damaged",
      line: number,
      column: bad === undefined ? 0 : (starts[bad] ?? 0) + 1,
      message: kept
        ? `${section.names[bad ?? 0] ?? "A field"} could not be read: the rest of the row is used.`
        : `The row of ${section.name} does not say which node and port it is about${bad === undefined ? "" : `: ${section.names[bad] ?? "a field"} could not be read`}; it was left out.`,
      excerpt: bad === undefined ? raw : (fields[bad] ?? raw),
    });
    return "diagnosed";
  }

  finish(): DbCsvRecords {
    const { section, other } = this;
    if (section !== undefined) {
      this.close(section);
      this.unended(section, section.line);
    }
    if (other.size > 0) {
      const names = [...other.keys()];
      this.diagnostics.add({
        severity: "note",
        code: "sections-not-used",
        message: `${names.length} sections with ${[...other.values()].reduce((sum, rows) => sum + rows, 0)} rows are not used: ${names.slice(0, 12).join(", ")}${names.length > 12 ? " and more" : ""}.`,
      });
    }
    return {
      nodes: this.nodes,
      ports: this.ports,
      links: this.links,
      counters: this.counters,
      physical: this.physical,
      otherSections: Object.fromEntries(other),
      complete: this.complete,
    };
  }
}

/** The fields of a line, without their quotes, and where each begins. A quote inside a quoted value is doubled. */
function splitFields(line: string): { readonly fields: readonly string[]; readonly starts: readonly number[] } {
  const fields: string[] = [];
  const starts: number[] = [];
  let at = 0;
  let quotesClose = true;
  while (at <= line.length) {
    starts.push(at);
    if (quotesClose && line.charCodeAt(at) === 34) {
      const end = closingQuote(line, at + 1);
      // Looking again at each field of a line without closing quotes would be quadratic.
      quotesClose = end >= 0;
      if (end >= 0) {
        fields.push(line.slice(at + 1, end).replaceAll('""', '"'));
        at = end + 2;
        continue;
      }
    }
    const comma = line.indexOf(",", at);
    const end = comma < 0 ? line.length : comma;
    fields.push(line.slice(at, end));
    at = end + 1;
  }
  return { fields, starts };
}

/**
 * The quote that ends a value: one with a comma or the line's end behind it. Descriptions are not escaped by every
 * version, so a quote in their midst is taken as text.
 */
function closingQuote(line: string, from: number): number {
  for (let at = line.indexOf('"', from); at >= 0; at = line.indexOf('"', at + 1)) {
    if (line.charCodeAt(at + 1) === 34) at += 1;
    else if (at + 1 === line.length || line.charCodeAt(at + 1) === 44) return at;
  }
  return -1;
}
