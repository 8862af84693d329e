import { assert } from "../base/assert.ts";
import { limits } from "../base/limits.ts";
import type { DiagnosticList } from "./diagnostic.ts";
import type { ParseStats } from "./records.ts";

/** What became of one line. `ignored`: known to carry nothing. `diagnosed`: a diagnostic says what is wrong with it. */
export type LineFate = "understood" | "ignored" | "diagnosed";

// CSI (colours, cursor), OSC (window titles), character set selection, and single-letter escapes. Each alternative
// starts at an ESC and cannot run over the next one, so the whole replacement is linear.
const escapes =
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[()*+][0-9A-Za-z]|[=>78cDEHMNOZ])/g;

/** The text without terminal escape sequences (colours, titles), as terminal logs contain them. */
export function withoutEscapes(text: string): string {
  return text.includes("\u001b") ? text.replace(escapes, "") : text;
}

/**
 * Hands out the lines of a text one by one, as strings or as places in the text, with constant memory per line. A line ends at LF, CRLF or CR (also CR CR
 * LF, as a terminal on Windows writes). Byte order marks and terminal escapes are taken away; a line longer than
 * {@link limits.lineLength} is cut there.
 */
export class LineScanner {
  /** Number of the line handed out last, from 1. */
  number = 0;
  /** False when the line handed out last is the last of the text and has no line end. */
  terminated = true;
  /** True when the line handed out last was longer than the limit. */
  tooLong = false;
  /** Where the line handed out last begins and ends in {@link text}. */
  start = 0;
  end = 0;
  private position = 0;
  private nextFeed: number;
  private nextReturn: number;
  readonly text: string;
  /** False when lines may have terminal escapes: then their places in the text are not what they say. */
  readonly isPlain: boolean;

  constructor(text: string) {
    this.text = text;
    this.isPlain = !text.includes("\u001b");
    this.nextFeed = text.indexOf("\n");
    this.nextReturn = text.indexOf("\r");
  }

  /** The next line without its end, or undefined after the last one. */
  next(): string | undefined {
    return this.advance() ? this.line() : undefined;
  }

  /** Goes on to the next line; false after the last one. */
  advance(): boolean {
    const { text } = this;
    const start = this.position;
    if (start >= text.length) return false;
    this.number += 1;
    // Both positions are kept until they are passed: looking again for each line would be quadratic.
    if (this.nextFeed >= 0 && this.nextFeed < start) this.nextFeed = text.indexOf("\n", start);
    if (this.nextReturn >= 0 && this.nextReturn < start) this.nextReturn = text.indexOf("\r", start);
    let end = this.nextFeed;
    let after = end + 1;
    if (this.nextReturn >= 0 && (end < 0 || this.nextReturn < end)) {
      end = this.nextReturn;
      after = end + 1;
      while (text.charCodeAt(after) === 13) after += 1;
      if (text.charCodeAt(after) === 10) after += 1;
    }
    this.terminated = end >= 0;
    if (end < 0) {
      end = text.length;
      after = end;
    }
    this.position = after;
    this.tooLong = end - start > limits.lineLength;
    this.start = text.charCodeAt(start) === 0xfeff ? start + 1 : start;
    this.end = this.tooLong ? start + limits.lineLength : end;
    return true;
  }

  /** The line handed out last. */
  line(): string {
    const line = this.text.slice(this.start, this.end);
    return this.isPlain ? line : withoutEscapes(line);
  }
}

/**
 * Runs `handle` over all lines and counts what became of them. A line over the limit is said (`line-too-long`).
 * `handle` must say something about a line that it calls diagnosed; that is checked at the end.
 */
export function readLines(
  text: string,
  diagnostics: DiagnosticList,
  handle: (line: string, number: number, terminated: boolean) => LineFate,
): ParseStats {
  return readPlaces(text, diagnostics, (scanner) => handle(scanner.line(), scanner.number, scanner.terminated));
}

/** As {@link readLines}, but `handle` looks at the line where it stands, and makes a string of it only when it needs one. */
export function readPlaces(
  text: string,
  diagnostics: DiagnosticList,
  handle: (scanner: LineScanner) => LineFate,
): ParseStats {
  const scanner = new LineScanner(text);
  let understood = 0;
  let ignored = 0;
  let diagnosed = 0;
  while (scanner.advance()) {
    if (scanner.tooLong) {
      diagnostics.add({
        severity: "warning",
        code: "line-too-long",
        line: scanner.number,
        column: limits.lineLength + 1,
        message: `The line has more than ${limits.lineLength} characters; the rest of it was not read.`,
        excerpt: scanner.line().slice(0, 120),
      });
    }
    const fate = handle(scanner);
    if (fate === "understood") understood += 1;
    else if (fate === "ignored") ignored += 1;
    else diagnosed += 1;
  }
  const stats = { lines: scanner.number, understood, ignored, diagnosed };
  assert(stats.lines === understood + ignored + diagnosed, "each line has one fate");
  return stats;
}

/** True when a line has nothing but white space. */
export function isBlank(line: string): boolean {
  for (let index = 0; index < line.length; index += 1) {
    const code = line.charCodeAt(index);
    if (code !== 32 && code !== 9 && code !== 11 && code !== 12) return false;
  }
  return true;
}
