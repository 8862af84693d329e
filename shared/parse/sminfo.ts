/**
 * Parser of sminfo, one or many calls in one text:
 *
 *   sminfo: sm lid 1 sm guid 0xc42a10300000001, activity count 2363 priority 14 state 3 SMINFO_MASTER
 *   /usr/sbin/sminfo: iberror: failed: query
 */
import { DiagnosticList } from "./diagnostic.ts";
import { handleStrayLine, isPrompt } from "./noise.ts";
import type { ParseContext, Parsed, SminfoRecord, SminfoRecords } from "./records.ts";
import { isBlank, readLines } from "./scanner.ts";
import { parseGuid } from "../base/guid.ts";

const answer =
  /^(?:\S*\/)?sminfo: sm lid (0x[0-9a-fA-F]{1,4}|\d{1,5}) sm guid (0x[0-9a-fA-F]{1,16}), activity count (\d{1,10}) priority (\d{1,2}) state (\d{1,3})(?: (SMINFO_[A-Z]+|\?\?\?))?\s*$/;
const failure = /^(?:\S*\/)?sminfo: iberror: (.*)/;

/** Reads what sminfo printed. Never throws for any text. An answer of a state above 3 has state -1. */
export function parseSminfo(text: string, context: ParseContext): Parsed<SminfoRecords> {
  const diagnostics = new DiagnosticList(context.file);
  const managers: SminfoRecord[] = [];
  const failures: { text: string; line: number }[] = [];
  const stats = readLines(text, diagnostics, (raw, number, terminated) => {
    if (isBlank(raw)) return "ignored";
    const line = raw.trim();
    const hit = answer.exec(line);
    // Half a line may still look whole without the state's name.
    if (hit !== null && (terminated || hit[6] !== undefined)) {
      const record = readManager(hit, number);
      if (record !== undefined) {
        managers.push(record);
        return "understood";
      }
    }
    const failed = failure.exec(line)?.[1];
    if (failed !== undefined) failures.push({ text: failed.trim(), line: number });
    if (failed === undefined && /^(?:\S*\/)?sminfo: sm /.test(line)) {
      diagnostics.add({
        severity: "error",
        code: terminated ? "malformed-line" : "cut",
        line: number,
        message: terminated
          ? "An answer of sminfo is damaged and was left out."
          : "The text ends in half a line: it was cut off.",
        excerpt: line.slice(0, 120),
      });
      return "diagnosed";
    }
    if (isPrompt(raw)) return "ignored";
    return handleStrayLine(line, number, diagnostics, () => undefined);
  });
  return { records: { managers, failures }, diagnostics: diagnostics.finish(), stats };
}

function readManager(hit: RegExpExecArray, line: number): SminfoRecord | undefined {
  const guid = parseGuid(hit[2] ?? "");
  const lid = Number(hit[1]);
  const activity = Number(hit[3]);
  const priority = Number(hit[4]);
  const state = Number(hit[5]);
  if (guid === undefined || lid > 0xffff || activity > 0xffff_ffff || priority > 15) return undefined;
  return { guid, lid, activity, priority, state: state > 3 ? -1 : state, line };
}
