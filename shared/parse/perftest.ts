/**
 * Parser of perftest (ib_write_bw, ib_send_lat and their siblings, raw_ethernet_bw): title, information block, address
 * lines, table, and the messages that may stand between them at any place.
 *
 *   output = { message } rule title { "Key : value" } rule { address } rule table { rule part-header table } rule ;
 *
 * Keyed on the table's header, as unknown lines are to be expected everywhere. A row counts only under a header and
 * before the rule that closes its table.
 */
import { DiagnosticList } from "./diagnostic.ts";
import { handleStrayLine, isPrompt } from "./noise.ts";
import { isHarmless, readFailure } from "./perftest-failures.ts";
import { parsePerftestJson, perftestJsonKind } from "./perftest-json.ts";
import { PerftestOutput, readPairs, readTitle, type Table } from "./perftest-output.ts";
import { readRow, readTableHeader, type RowProblem, type RowRead } from "./perftest-table.ts";
import type { ParseContext, Parsed, PerftestRecords } from "./records.ts";
import { isBlank, readLines, type LineFate } from "./scanner.ts";

const rule = /^\s*-{20,}\s*$/;
const knownLine =
  /^\s*(?:\*{10,}|\* Waiting for client to connect\.\.\. \*|(?:local|remote) address:|M?GID:|(?:Local|Remote) results:|MAC attached|[|+][-| ]|\[exit \d+\]|Version: \d|\.\.\.\s*$)/;
const address = /^\s*(?:local|remote) address:/;
const banner = /^\s*\* Waiting for client to connect/;
const histogramHead = /^#, (usec|cycles)\s*$/;
const histogramLine = /^\s*\d+, [-\d.,e+naif]+\s*$/;
const counterLine = /^\t[\w/.]+=-?\d+\s*$/;
const bareNumber = /^\s*\d+\.\d+\s*$/;
/** Lines of the information block, for texts where two outputs share the stream and its borders are lost. */
const knownPair =
  /^\s*(?:Dual-port|Number of qps|Connection type|PCIe relax order|ibv_wr\* API|[TR]X depth|CQ Moderation|CQE Poll Batch|Mtu|Link type|GID index|Gid index|Max inline data|Outstand reads|rdma_cm QPs|Data ex\. method|NUMA node)\s*:/;
const commandLine = /\b(ib_(?:write|read|send|atomic)_(?:bw|lat)|raw_ethernet_(?:bw|lat|burst_lat))\b/;

/** Reads perftest's output, of one or both sides, or the file of `--out_json`. Never throws for any text. All rates become decimal Gb/s. */
export function parsePerftest(text: string, context: ParseContext): Parsed<PerftestRecords> {
  if (perftestJsonKind(text) !== undefined) return parsePerftestJson(text, context);
  const diagnostics = new DiagnosticList(context.file);
  const reader = new PerftestReader(diagnostics);
  const stats = readLines(text, diagnostics, (line, number, terminated) => reader.line(line, number, terminated));
  return { records: reader.finish(), diagnostics: diagnostics.finish(), stats };
}

class PerftestReader {
  private readonly outputs: PerftestOutput[] = [];
  private output = new PerftestOutput(1);
  private table: Table | undefined;
  /** Two headers of one kind in a row: two outputs share the stream, and each row may come twice. */
  private shared = false;
  private sharedSaid = false;
  private insideInfo = false;
  private histogram = false;
  private cycles = false;
  private commaDecimals = false;
  private jsonDepth = 0;
  private bannerBefore = false;
  private command: string | undefined;
  private readonly diagnostics: DiagnosticList;

  constructor(diagnostics: DiagnosticList) {
    this.diagnostics = diagnostics;
    this.outputs.push(this.output);
  }

  line(line: string, number: number, terminated: boolean): LineFate {
    this.output.lastLine = number;
    if (isBlank(line)) return "ignored";
    if (this.jsonDepth > 0 || line.trim() === "{") return this.json(line);
    if (rule.test(line)) return this.rule();
    const title = readTitle(line);
    if (title !== undefined) {
      this.begin(number);
      Object.assign(this.output, title);
      this.insideInfo = true;
      return "understood";
    }
    const header = readTableHeader(line);
    if (header !== undefined) return this.tableHeader(line, header, number);
    if (this.table !== undefined) {
      const row = readRow(this.table.header, line, number, terminated);
      if (row !== "not-a-row") return this.row(this.table, row, line, number, terminated);
    } else if (/^\s*\d+\s+\d+\s+\d+[.,]\d+\s+\d/.test(line)) {
      return this.say(
        "note",
        "row-outside-table",
        number,
        line,
        "A row outside a table, such as the other side's copy, was left out.",
      );
    }
    return this.betweenRows(line, number);
  }

  private json(line: string): LineFate {
    const text = line.trim();
    if (text.endsWith("{")) this.jsonDepth += 1;
    else if (text.startsWith("}")) this.jsonDepth -= 1;
    return "ignored";
  }

  private rule(): LineFate {
    this.insideInfo = false;
    // A histogram's rule stands between it and the header that counts.
    if (this.table !== undefined && this.table.bandwidth.length + this.table.latency.length > 0) this.table = undefined;
    return "ignored";
  }

  /** A title begins an output, unless nothing but messages was read yet. */
  private begin(number: number): void {
    if (this.output.title !== undefined || this.output.tables.length > 0) {
      // A title in the middle of the block before: two outputs share the stream.
      if (this.insideInfo) this.shared = true;
      this.output = new PerftestOutput(number);
      this.outputs.push(this.output);
      this.table = undefined;
    }
    this.output.server ||= this.bannerBefore;
    this.bannerBefore = false;
  }

  private tableHeader(
    line: string,
    header: Exclude<ReturnType<typeof readTableHeader>, undefined>,
    number: number,
  ): LineFate {
    this.insideInfo = false;
    if (header === "unit") {
      this.table = undefined;
      return this.say("error", "unknown-unit", number, line, "The table's unit is not known; its rows were left out.");
    }
    const before = this.output.tables.at(-1);
    const empty = before !== undefined && before.bandwidth.length + before.latency.length === 0;
    if (empty && !this.histogram) this.shared = true;
    this.histogram = false;
    this.table = { header, line: number, bandwidth: [], latency: [] };
    this.output.tables.push(this.table);
    return "understood";
  }

  private row(
    table: Table,
    row: RowRead | Exclude<RowProblem, "not-a-row">,
    line: string,
    number: number,
    terminated: boolean,
  ): LineFate {
    if (row === "incomplete" && !terminated) {
      return this.say("error", "cut", number, line, "The text ends in half a row: it was cut off.");
    }
    if (row === "incomplete")
      return this.say("error", "bad-row", number, line, "A row with too few columns was left out.");
    if (row === "garbage") {
      return this.say(
        "error",
        "bad-row",
        number,
        line,
        "A row whose numbers cannot be was left out; the two sides' options may differ.",
      );
    }
    if (row === "not-finite") {
      return this.say("error", "bad-row", number, line, "A row whose average is no number was left out.");
    }
    if (this.shared && this.isCopy(table, row)) {
      this.sharedSaid = true;
      return this.say(
        "note",
        "row-of-other-output",
        number,
        line,
        "A row of the other output in this text was left out.",
      );
    }
    if (row.bandwidth !== undefined) table.bandwidth.push(row.bandwidth);
    if (row.latency !== undefined) table.latency.push(row.latency);
    const iterations = (row.bandwidth ?? row.latency)?.iterations ?? 0;
    if (iterations === 0) {
      this.say("warning", "nothing-measured", number, line, "A row with 0 iterations: nothing was measured.");
    }
    this.checkNumbers(row, line, number);
    if (!terminated) {
      this.say(
        "note",
        "unterminated-row",
        number,
        line,
        "The last row has no line end: the test may still be running, or it was ended.",
      );
    }
    if (row.rest !== "") this.betweenRows(row.rest, number);
    return "understood";
  }

  private checkNumbers(row: RowRead, line: string, number: number): void {
    if (row.commaDecimals && !this.commaDecimals) {
      this.commaDecimals = true;
      this.say("note", "decimal-comma", number, line, "Numbers have a comma for the decimal point; they were read so.");
    }
    const { latency } = row;
    if (latency === undefined) return;
    // CPU cycles are whole, or halves where a round trip is halved; five times in microseconds never are.
    const times = [latency.minUs, latency.maxUs, latency.typicalUs, latency.p99Us, latency.p999Us];
    const whole = latency.avgUs >= 100 && times.every((value) => value !== undefined && Number.isInteger(2 * value));
    if (this.cycles || whole) {
      this.say(
        "warning",
        "cycles",
        number,
        line,
        "These look like CPU cycles (option -C), although the table says microseconds.",
      );
    }
  }

  /** Two outputs in one stream: each size belongs to the first that printed it. */
  private isCopy(table: Table, row: RowRead): boolean {
    const bytes = row.bandwidth?.bytes ?? row.latency?.bytes ?? 0;
    return [...table.bandwidth, ...table.latency].some((known) => known.bytes >= bytes);
  }

  private betweenRows(line: string, number: number): LineFate {
    const histogram = histogramHead.exec(line);
    if (histogram !== null) {
      this.histogram = true;
      if (histogram[1] === "cycles") this.cycles = true;
      return "ignored";
    }
    if (this.histogram && histogramLine.test(line)) return "ignored";
    if (banner.test(line)) this.bannerBefore = true;
    if (knownLine.test(line) || counterLine.test(line)) {
      if (address.test(line)) this.insideInfo = false;
      return "ignored";
    }
    if (this.isCommand(line)) return "ignored";
    if (isHarmless(line)) return "ignored";
    const failure = readFailure(line);
    if (failure !== undefined) {
      this.output.failures.offer(failure, line, number);
      this.command ??= commandLine.exec(line)?.[1];
      return this.say(failure.weight === 3 ? "error" : "note", "tool-failed", number, line, failure.cause);
    }
    if (this.insideInfo) {
      const pairs = readPairs(line);
      if (pairs !== undefined) {
        for (const [key, value] of pairs) this.output.info.set(key, value);
        return "understood";
      }
    }
    if (knownPair.test(line)) return "ignored";
    if (bareNumber.test(line)) {
      return this.say(
        "note",
        "bare-number",
        number,
        line,
        "A number alone (option --output): neither its unit nor its test is known.",
      );
    }
    return handleStrayLine(line, number, this.diagnostics, () => undefined);
  }

  private isCommand(line: string): boolean {
    const named = commandLine.exec(line)?.[1];
    if (named === undefined) return false;
    if (!isPrompt(line) && !new RegExp(`^\\s*(?:[#$>] |sudo )?(?:\\S*/)?${named}(?: -|\\s*$| [\\w.]+$)`).test(line))
      return false;
    this.command = named;
    if (/\s(?:-C|--report-cycles)\b/.test(line)) this.cycles = true;
    return true;
  }

  private say(
    severity: "note" | "warning" | "error",
    code: string,
    line: number,
    excerpt: string,
    message: string,
  ): LineFate {
    this.diagnostics.add({ severity, code, line, message, excerpt: excerpt.slice(0, 120) });
    return "diagnosed";
  }

  finish(): PerftestRecords {
    const output = this.chooseOutput();
    const result = output.result;
    const failure = this.chooseFailure(output);
    if (output.server) {
      this.say(
        "note",
        "server-side",
        output.firstLine,
        "",
        "This is the server's output; the client's is the one that counts.",
      );
    }
    if (result === undefined && output.server && /^ib_(?:read|atomic)_lat$/.test(output.tool ?? "")) {
      this.say(
        "note",
        "no-table",
        0,
        "",
        "The server of this test prints no table; the client's output has the result.",
      );
    } else if (result === undefined && failure === undefined) {
      this.say("error", "no-records", 0, "", "There is neither a result nor a failure in this text.");
    }
    const tool = output.tool ?? this.command;
    return {
      ...(tool === undefined
        ? {}
        : { tool: output.info.get("Connection type") === "RawEth" ? "raw_ethernet_bw" : tool }),
      ...(output.title === undefined ? {} : { title: output.title }),
      bidirectional: output.bidirectional,
      info: Object.fromEntries(output.info),
      bandwidth: result?.bandwidth ?? [],
      latency: result?.latency ?? [],
      ...(failure === undefined ? {} : { failure }),
    };
  }

  /** Of several outputs: a client's before a server's, then the first with a result. */
  private chooseOutput(): PerftestOutput {
    const full = this.outputs.filter((output) => output.result !== undefined);
    const chosen = full.find((output) => !output.server) ?? full[0] ?? this.outputs.at(-1) ?? this.output;
    if (this.outputs.length > 1 || this.sharedSaid) {
      const table = chosen.result;
      this.say(
        "warning",
        "several-outputs",
        table?.line ?? chosen.firstLine,
        "",
        table === undefined
          ? "The text has several outputs, none with a result."
          : `The text has several outputs; only the table that begins in line ${table.line} was taken.`,
      );
    }
    return chosen;
  }

  private chooseFailure(chosen: PerftestOutput): PerftestOutput["failure"] {
    if (chosen.failure !== undefined || chosen.result !== undefined) return chosen.failure;
    return this.outputs.find((output) => output.failure !== undefined)?.failure;
  }
}
