import { limits } from "../base/limits.ts";
import { visibleText } from "../base/text.ts";

/** `note`: worth knowing. `warning`: something was not understood or contradicts. `error`: data is missing. */
export type Severity = "note" | "warning" | "error";

/** A located remark on input. */
export interface Diagnostic {
  readonly severity: Severity;
  /** Stable kebab-case code, for instance `unknown-line`. */
  readonly code: string;
  readonly file: string;
  /** From 1; 0 when the remark is on the whole file. */
  readonly line: number;
  /** From 1; 0 when the remark is on the whole line. */
  readonly column: number;
  /** What was expected and what to do, in one sentence. */
  readonly message: string;
  /** The text in question, control characters made visible, at most 120 characters. */
  readonly excerpt?: string;
}

export interface DiagnosticInput {
  readonly severity: Severity;
  readonly code: string;
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
  readonly excerpt?: string;
}

/** Collects diagnostics of one file; keeps the first {@link limits.diagnosticsPerCode} of a code and counts the rest. */
export class DiagnosticList {
  private readonly kept: Diagnostic[] = [];
  private readonly counts = new Map<string, { total: number; severity: Severity }>();
  private readonly file: string;

  constructor(file: string) {
    this.file = file;
  }

  add(input: DiagnosticInput): void {
    const seen = this.counts.get(input.code) ?? { total: 0, severity: input.severity };
    seen.total += 1;
    this.counts.set(input.code, seen);
    if (seen.total > limits.diagnosticsPerCode) return;
    this.kept.push({
      severity: input.severity,
      code: input.code,
      file: this.file,
      line: input.line ?? 0,
      column: input.column ?? 0,
      message: input.message,
      ...(input.excerpt === undefined ? {} : { excerpt: visibleText(input.excerpt).slice(0, 120) }),
    });
  }

  /** Times a code was raised, dropped ones included. */
  count(code: string): number {
    return this.counts.get(code)?.total ?? 0;
  }

  /** All kept diagnostics, with one closing entry per code that overflowed. */
  finish(): readonly Diagnostic[] {
    const overflow: Diagnostic[] = [];
    for (const [code, { total, severity }] of this.counts) {
      const dropped = total - limits.diagnosticsPerCode;
      if (dropped <= 0) continue;
      overflow.push({
        severity,
        code,
        file: this.file,
        line: 0,
        column: 0,
        message: `${String(dropped)} more of the same kind are not listed.`,
      });
    }
    return [...this.kept, ...overflow];
  }
}
