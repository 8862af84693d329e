/**
 * Parser of smpquery, one or many outputs in one text: `nodedesc` (`Node Description:` + dots + text) and the capability
 * mask of `portinfo`, whose bits stand one a line:
 *
 *   # Port info: Lid 5 port 0
 *   CapMask:.........................0x2651e84a
 *                                   IsSM
 *
 * Other fields are passed over.
 */
import { DiagnosticList } from "./diagnostic.ts";
import { handleStrayLine, isPrompt } from "./noise.ts";
import type { ParseContext, Parsed } from "./records.ts";
import { isBlank, readLines } from "./scanner.ts";

export interface SmpqueryRecords {
  readonly descriptions: readonly { readonly text: string; readonly line: number }[];
  /** Ports whose PortInfo was read; `isSm`: a subnet manager runs there. */
  readonly portInfos: readonly { readonly lid: number; readonly isSm: boolean; readonly line: number }[];
}

const description = /^Node Description:\.*(.*)$/;
const portInfo = /^# Port info: Lid (\d{1,5})(?: |$)/;
const otherField = /^(?:# .*|\w+:\.+.*|\t+Is\w+)$/;

/** Reads what smpquery printed. Never throws for any text. A description that begins with dots loses them. */
export function parseSmpquery(text: string, context: ParseContext): Parsed<SmpqueryRecords> {
  const diagnostics = new DiagnosticList(context.file);
  const descriptions: { text: string; line: number }[] = [];
  const portInfos: { lid: number; isSm: boolean; line: number }[] = [];
  const stats = readLines(text, diagnostics, (raw, number) => {
    if (isBlank(raw)) return "ignored";
    const hit = description.exec(raw);
    if (hit !== null) {
      descriptions.push({ text: (hit[1] ?? "").trim(), line: number });
      return "understood";
    }
    const port = portInfo.exec(raw);
    if (port !== null) {
      portInfos.push({ lid: Number(port[1]), isSm: false, line: number });
      return "understood";
    }
    if (/^\s+IsSM\s*$/.test(raw)) {
      const last = portInfos.at(-1);
      if (last === undefined) return "ignored";
      last.isSm = true;
      return "understood";
    }
    if (isPrompt(raw) || otherField.test(raw)) return "ignored";
    return handleStrayLine(raw.trim(), number, diagnostics, () => undefined);
  });
  return { records: { descriptions, portInfos }, diagnostics: diagnostics.finish(), stats };
}
