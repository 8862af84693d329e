import { DiagnosticList, type Diagnostic } from "./diagnostic.ts";
import { handleStrayLine } from "./noise.ts";
import type { ParseContext, Parsed } from "./records.ts";
import { isBlank, readLines } from "./scanner.ts";

export interface ToolErrors {
  /** True when a line says that the tool's output has a hole, even where its exit code is 0. */
  readonly missing: boolean;
}

/** Reads what a tool of infiniband-diags wrote to stderr: each line becomes a diagnostic with its meaning. */
export function parseToolErrors(text: string, context: ParseContext): Parsed<ToolErrors> {
  const diagnostics = new DiagnosticList(context.file);
  let missing = false;
  const stats = readLines(text, diagnostics, (line, number) => {
    if (isBlank(line)) return "ignored";
    return handleStrayLine(line, number, diagnostics, () => {
      missing = true;
    });
  });
  const finished: readonly Diagnostic[] = diagnostics.finish();
  return { records: { missing }, diagnostics: finished, stats };
}
