/**
 * Parser of iblinkinfo, default layout and `--line`, with the forms of 2007 (Perl) and 2009.
 *
 *   block  = header { port-line } ;                       default layout
 *   header = "CA: DESC:" | "Router: DESC:" | "Switch: 0x<GUID> DESC:" | "Switch 0x<GUID> DESC:" ;
 *
 * The port lines are in linkinfo-lines.ts.
 */
import type { Guid } from "../base/guid.ts";
import { count } from "../base/text.ts";
import { DiagnosticList } from "./diagnostic.ts";
import { readLinkinfoLine, type LinkinfoLine } from "./linkinfo-lines.ts";
import { handleStrayLine, isPrompt } from "./noise.ts";
import type { LinkinfoRecords, ParseContext, Parsed } from "./records.ts";
import { isBlank, readLines, type LineFate } from "./scanner.ts";
import { TextPool } from "./text-pool.ts";

const switchHeader = /^Switch:? (0x[0-9a-fA-F]{1,16}) (.*):\s*$/;
const endHeader = /^(CA|Router): (.*):\s*$/;

interface Block {
  readonly kind: "switch" | "ca" | "router";
  readonly guid?: Guid;
  readonly description: string;
  lastLid: number | undefined;
  lastPort: number;
}

/**
 * Reads iblinkinfo's output. Never throws for any text. In `--line` mode a GUID with several port lines is a switch;
 * of the others the text does not say what they are (`unknown`).
 */
export function parseIblinkinfo(text: string, context: ParseContext): Parsed<LinkinfoRecords> {
  const diagnostics = new DiagnosticList(context.file);
  const reader = new LinkinfoReader(diagnostics);
  const stats = readLines(text, diagnostics, (line, number, terminated) => reader.line(line, number, terminated));
  return { records: reader.finish(), diagnostics: diagnostics.finish(), stats };
}

class LinkinfoReader {
  private readonly pool = new TextPool();
  private ports: LinkinfoLine[] = [];
  /** Port numbers read so far, by node: GUID, or LID where the line has no GUID. */
  private seen = new Map<string, Set<number>>();
  private first: { readonly node: string; readonly number: number } | undefined;
  private block: Block | undefined;
  private complete = true;
  private outputs = 1;
  private unknownSpeeds = 0;
  private firstUnknownSpeed = 0;
  private readonly diagnostics: DiagnosticList;

  constructor(diagnostics: DiagnosticList) {
    this.diagnostics = diagnostics;
  }

  line(line: string, number: number, terminated: boolean): LineFate {
    if (isBlank(line)) return "ignored";
    const fate = this.place(line, number, terminated);
    if (terminated || isPrompt(line)) return fate;
    this.complete = false;
    this.diagnostics.add({
      severity: "error",
      code: "cut",
      line: number,
      message:
        fate === "understood"
          ? "The text does not end in a line end: it may be cut off here, and ports may be missing."
          : "The text ends in half a line: it was cut off. Ports after this place are missing.",
      excerpt: line.slice(0, 120),
    });
    return fate;
  }

  private place(line: string, number: number, terminated: boolean): LineFate {
    const first = line.charCodeAt(0);
    // S, C, R: the header of a block. A port line begins with a space or a GUID.
    if (first === 83 || first === 67 || first === 82) {
      const block = this.readHeader(line);
      if (block !== undefined) {
        this.block = block;
        return "understood";
      }
    }
    const port = readLinkinfoLine(line, number, this.pool);
    if (port !== undefined) return this.addPort(port, line);
    if (/==\(|\)==>/.test(line)) {
      this.complete = false;
      if (!terminated) return "diagnosed"; // said as `cut`
      this.diagnostics.add({
        severity: "error",
        code: "malformed-port-line",
        line: number,
        message: "A port line is damaged and was left out.",
        excerpt: line.slice(0, 120),
      });
      return "diagnosed";
    }
    return handleStrayLine(line, number, this.diagnostics, () => {
      this.complete = false;
    });
  }

  private readHeader(line: string): Block | undefined {
    const end = endHeader.exec(line);
    if (end !== null) {
      const description = this.pool.share(end[2] ?? "");
      return { kind: end[1] === "CA" ? "ca" : "router", description, lastLid: undefined, lastPort: 0 };
    }
    const head = switchHeader.exec(line);
    const guid = head === null ? undefined : this.pool.guid(head[1] ?? "");
    if (head === null || guid === undefined) return undefined;
    return { kind: "switch", guid, description: this.pool.share(head[2] ?? ""), lastLid: undefined, lastPort: 0 };
  }

  private addPort(port: LinkinfoLine, line: string): LineFate {
    if (port.description === undefined) this.takeFromBlock(port, line);
    const node = port.guid ?? `lid ${port.lid}`;
    if (this.first?.node === node && this.first.number === port.number) this.beginOutput();
    this.first ??= { node, number: port.number };
    let numbers = this.seen.get(node);
    if (numbers === undefined) {
      numbers = new Set();
      this.seen.set(node, numbers);
    }
    if (numbers.has(port.number)) {
      this.diagnostics.add({
        severity: "warning",
        code: "duplicate-port",
        line: port.line,
        message: `Port ${port.number} of this node is there twice; the first was kept.`,
        excerpt: line.slice(0, 120),
      });
      return "diagnosed";
    }
    numbers.add(port.number);
    this.ports.push(port);
    if (port.speed === 0) {
      this.unknownSpeeds += 1;
      if (this.firstUnknownSpeed === 0) this.firstUnknownSpeed = port.line;
    }
    return "understood";
  }

  /** The first port again: a second output begins. The newer one counts. */
  private beginOutput(): void {
    this.outputs += 1;
    this.ports = [];
    this.seen = new Map();
  }

  /** Default layout: adds what the block's header tells, unless the line shows that its own header was lost. */
  private takeFromBlock(port: LinkinfoLine, line: string): void {
    const { block } = this;
    const printsGuid = port.guid !== undefined;
    const fits =
      block !== undefined &&
      (block.kind === "switch") !== printsGuid &&
      port.number > block.lastPort &&
      (block.kind !== "switch" || block.lastLid === undefined || block.lastLid === port.lid);
    if (!fits) {
      this.block = undefined;
      this.diagnostics.add({
        severity: "warning",
        code: "orphan-port",
        line: port.line,
        message: "A port line without its node: the line with the node's name is missing or damaged.",
        excerpt: line.slice(0, 120),
      });
      return;
    }
    block.lastPort = port.number;
    block.lastLid = port.lid;
    if (block.guid !== undefined) port.guid = block.guid;
    port.kind = block.kind;
    port.description = block.description;
  }

  finish(): LinkinfoRecords {
    if (this.outputs > 1) {
      this.diagnostics.add({
        severity: "warning",
        code: "two-dumps",
        line: this.ports[0]?.line ?? 0,
        message: `The text has ${this.outputs} outputs one after the other; the last was taken.`,
      });
    }
    if (this.unknownSpeeds > 0) {
      this.diagnostics.add({
        severity: "note",
        code: "unknown-rate",
        line: this.firstUnknownSpeed,
        message: `${count(this.unknownSpeeds, "port line")} with a speed that is not known to the tool that printed it, or not to this program.`,
      });
    }
    if (this.ports.length === 0) {
      this.diagnostics.add({
        severity: "error",
        code: "no-records",
        message: "There is no port in this text: the tool failed, or it is not iblinkinfo's output.",
      });
    }
    this.setKinds();
    return { ports: this.ports, complete: this.complete && this.ports.length > 0 };
  }

  /** Only a switch has several ports under one GUID. */
  private setKinds(): void {
    for (const port of this.ports) {
      if (port.kind !== "unknown" || port.guid === undefined) continue;
      if ((this.seen.get(port.guid)?.size ?? 0) > 1) port.kind = "switch";
    }
  }
}
