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
import { readLinkinfoLine } from "./linkinfo-lines.ts";
import { handleStrayLine, isPrompt } from "./noise.ts";
import type { LinkinfoPort, LinkinfoRecords, ParseContext, Parsed } from "./records.ts";
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
  private ports: LinkinfoPort[] = [];
  private places = new Set<string>();
  private firstPlace: string | undefined;
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
    const fate = this.place(line, number);
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

  private place(line: string, number: number): LineFate {
    const first = line.charCodeAt(0);
    // S, C, R: the header of a block. A port line begins with a space or a GUID.
    if (first === 83 || first === 67 || first === 82) {
      const block = this.readHeader(line);
      if (block !== undefined) {
        this.block = block;
        return "understood";
      }
    }
    const port = readLinkinfoLine(line, this.pool);
    if (port !== undefined) {
      const { unknownSpeed, ...facts } = port;
      if (unknownSpeed) {
        this.unknownSpeeds += 1;
        if (this.firstUnknownSpeed === 0) this.firstUnknownSpeed = number;
      }
      return this.addPort(facts, line, number);
    }
    if (/==\(|\)==>/.test(line)) {
      this.complete = false;
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

  private addPort(port: Omit<LinkinfoPort, "kind" | "line">, line: string, number: number): LineFate {
    const whole = port.description === undefined ? this.withBlock(port, number, line) : { ...port, kind: "unknown" as const, line: number };
    const place = `${whole.guid ?? `lid ${whole.lid}`}/${whole.number}`;
    if (place === this.firstPlace) this.beginOutput();
    else if (this.places.has(place)) {
      this.diagnostics.add({
        severity: "warning",
        code: "duplicate-port",
        line: number,
        message: `Port ${whole.number} of this node is there twice; the first was kept.`,
        excerpt: line.slice(0, 120),
      });
      return "diagnosed";
    }
    this.firstPlace ??= place;
    this.places.add(place);
    this.ports.push(whole);
    return "understood";
  }

  /** The first port again: a second output begins. The newer one counts. */
  private beginOutput(): void {
    this.outputs += 1;
    this.ports = [];
    this.places = new Set();
  }

  /** Default layout: adds what the block's header tells, unless the line shows that its own header was lost. */
  private withBlock(port: Omit<LinkinfoPort, "kind" | "line">, number: number, line: string): LinkinfoPort {
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
        line: number,
        message: "A port line without its node: the line with the node's name is missing or damaged.",
        excerpt: line.slice(0, 120),
      });
      return { ...port, kind: "unknown", line: number };
    }
    block.lastPort = port.number;
    block.lastLid = port.lid;
    return {
      ...(block.guid === undefined ? {} : { guid: block.guid }),
      ...port,
      kind: block.kind,
      description: block.description,
      line: number,
    };
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
    return { ports: this.withKinds(), complete: this.complete && this.ports.length > 0 };
  }

  /** Only a switch has several ports under one GUID. */
  private withKinds(): LinkinfoPort[] {
    const lines = new Map<Guid, number>();
    for (const port of this.ports) {
      if (port.kind === "unknown" && port.guid !== undefined) lines.set(port.guid, (lines.get(port.guid) ?? 0) + 1);
    }
    return this.ports.map((port) =>
      port.kind === "unknown" && port.guid !== undefined && (lines.get(port.guid) ?? 0) > 1
        ? { ...port, kind: "switch" }
        : port,
    );
  }
}
