/** Parser of `smpquery nodedesc`: `Node Description:` + dots + text. Other operations are passed over. */
import { DiagnosticList } from "./diagnostic.ts";
import { handleStrayLine, isPrompt } from "./noise.ts";
import type { ParseContext, Parsed } from "./records.ts";
import { isBlank, readLines } from "./scanner.ts";

export interface SmpqueryRecords {
  readonly descriptions: readonly { readonly text: string; readonly line: number }[];
}

const description = /^Node Description:\.*(.*)$/;
const otherField = /^(?:# .*|\w+:\.+.*|\t+Is\w+)$/;

/** Reads what smpquery printed. Never throws for any text. A description that begins with dots loses them. */
export function parseSmpquery(text: string, context: ParseContext): Parsed<SmpqueryRecords> {
  const diagnostics = new DiagnosticList(context.file);
  const descriptions: { text: string; line: number }[] = [];
  const stats = readLines(text, diagnostics, (raw, number) => {
    if (isBlank(raw)) return "ignored";
    const hit = description.exec(raw);
    if (hit !== null) {
      descriptions.push({ text: (hit[1] ?? "").trim(), line: number });
      return "understood";
    }
    if (isPrompt(raw) || otherField.test(raw)) return "ignored";
    return handleStrayLine(raw.trim(), number, diagnostics, () => undefined);
  });
  return { records: { descriptions }, diagnostics: diagnostics.finish(), stats };
}
