/**
 * Lines that are not the tool's output proper: warnings and errors of libibmad, libibumad and libibnetdisc (on stderr,
 * or between the others after `2>&1`), the shell's prompt and its complaints.
 *
 *   ibwarn: [PID] function: text                 the run goes on
 *   ibpanic: [PID] function: text: reason        the end
 *   PROGRAM: iberror: failed: text               the end, on stdout
 *   PATH/query_smp.c:LINE; umad (DR path slid 0; dlid 0; 0,1,8,1 Attr 0x11:0) bad status 110; Connection timed out
 *   PATH/query_smp.c:LINE; mad (DR path …) bad status 0x1c
 */
import type { DiagnosticInput, DiagnosticList } from "./diagnostic.ts";
import type { LineFate } from "./scanner.ts";

export interface Noise {
  readonly remark: DiagnosticInput;
  /** True when the line says that something is missing from the output. */
  readonly missing: boolean;
}

const attributes: Readonly<Record<string, string>> = {
  "0x10": "NodeDescription",
  "0x11": "NodeInfo",
  "0x12": "SwitchInfo",
  "0x15": "PortInfo",
  "0xff90": "the vendor's extended PortInfo",
};

const badStatus = /^\S*\.c:\d+; (u?mad) \(((?:DR path|Lid) [^()]*)\) *bad status (\w+)/i;
const askedFor = /^(.*) Attr (0x[0-9a-f]+):(\d+)\s*$/i;
const sourceLine = /^\S*\.c:\d+; (.*)/;
const warning = /^(?:\S+: )?ibwarn: \[\d+\] (.*)/;
const panic = /^(?:\S+: )?ibpanic: \[\d+\] (.*)/;
const error = /^\S+: iberror: (.*)/;
const shellMissing = /^(?:\S+: )?(?:line \d+: |\d+: )?(\S+): (?:command )?not found\s*$/;
const sudoRefused = /^sudo: (.*)/;
const oldError = /^(ERROR|WARNING): (.*)/;
const optionRefused =
  /^\S+: (?:invalid|unrecognized|ambiguous) option\b.*|^\S+: option .* (?:requires an argument|is ambiguous).*/;
const failedTo = /^Failed to (?:find|open) .*/;

/** Texts of `ibwarn` that mean a lost answer, and with it a hole in the output. */
const lostAnswer =
  /_do_madrpc failed|timeout after \d+ retries|query failed|can't open UMAD port|No SM\/SA found|call path_query failed/;

/** `DR path slid 0; dlid 0; 0,1,8 Attr 0x15:7` → `DR path slid 0; dlid 0; 0,1,8 (PortInfo of port 7)`. */
function describePlace(query: string): string {
  const asked = askedFor.exec(query);
  if (asked === null) return query.trim();
  const attribute = asked[2]?.toLowerCase() ?? "";
  const name = attributes[attribute] ?? `attribute ${attribute}`;
  return `${asked[1] ?? ""} (${name === "PortInfo" ? `PortInfo of port ${asked[3] ?? ""}` : name})`;
}

/** Reads a line of the kinds above; undefined when it is none. */
function readNoise(line: string): Noise | undefined {
  const text = line.trim();
  if (text === "" || text.length > 4096) return undefined;
  const status = badStatus.exec(text);
  if (status !== null) {
    const place = describePlace(status[2] ?? "");
    const answered = status[1]?.toLowerCase() === "mad";
    return {
      remark: {
        severity: "error",
        code: answered ? "node-refused" : "node-did-not-answer",
        message: answered
          ? `A node refused a query at ${place} with status ${status[3] ?? ""}; what it would have told is missing.`
          : `No answer at ${place}: the node, the port or the cable there may be faulty, and the output is incomplete.`,
        excerpt: text,
      },
      missing: true,
    };
  }
  const warned = warning.exec(text);
  if (warned !== null) {
    const missing = lostAnswer.test(warned[1] ?? "");
    return {
      remark: {
        severity: missing ? "error" : "warning",
        code: missing ? "node-did-not-answer" : "tool-warning",
        message: missing
          ? `The tool got no answer to a query: ${warned[1] ?? ""}.`
          : `The tool warned and went on: ${warned[1] ?? ""}.`,
        excerpt: text,
      },
      missing,
    };
  }
  const failed = panic.exec(text) ?? error.exec(text) ?? sourceLine.exec(text);
  if (failed !== null) return toolFailed(`The tool gave up: ${failed[1] ?? ""}.`, text);
  const absent = shellMissing.exec(text);
  if (absent !== null)
    return toolFailed(`The shell did not find ${absent[1] ?? "the tool"}: install it, or give its path.`, text);
  const refused = sudoRefused.exec(text);
  if (refused !== null) return toolFailed(`sudo refused: ${refused[1] ?? ""}.`, text);
  const old = oldError.exec(text);
  if (old !== null) {
    if (old[1] === "ERROR") return toolFailed(`The tool reported an error: ${old[2] ?? ""}.`, text);
    const message = `The tool warned: ${old[2] ?? ""}.`;
    return { remark: { severity: "warning", code: "tool-warning", message, excerpt: text }, missing: false };
  }
  if (optionRefused.test(text)) return toolFailed(`This version of the tool does not take an option: ${text}.`, text);
  if (failedTo.test(text)) return toolFailed(`The tool could not do what it was asked: ${text}.`, text);
  return undefined;
}

function toolFailed(message: string, excerpt: string): Noise {
  return { remark: { severity: "error", code: "tool-failed", message, excerpt }, missing: true };
}

// [user@host dir]$ …   user@host:dir$ …   root@host:dir# …   host:dir user# …   bash-5.1$ …   $ …
const prompt =
  /^(?:\([^()\s]*\) ?)?(?:\[[^\]\s@]+@[^\]]*\]\s?[$#%>]|[\w.-]+@[\w.-]+(?:[: ][^$#%>"]*)?[$#%>]|[\w.-]+:[^\s":]* [\w.-]+[#$%]|(?:ba|z|k)?sh-[\d.]+[$#]|\$)(?: .*)?$/;
const session = /^(?:logout|exit|Script (?:started|done)\b.*|Connection to \S+ closed\.?|Last login: .*)$/;

/** True for a shell prompt, with or without a command behind it, and a session's end, as terminal logs contain them. */
export function isPrompt(line: string): boolean {
  const text = line.trimEnd();
  return text.length > 0 && text.length <= 4096 && (prompt.test(text) || session.test(text));
}

/**
 * Deals with a line that a parser could not place: noise becomes a diagnostic, a prompt is ignored, anything else is
 * an `unknown-line` note. Calls `onMissing` when the line says that the output has a hole.
 */
export function handleStrayLine(
  line: string,
  number: number,
  diagnostics: DiagnosticList,
  onMissing: () => void,
): LineFate {
  const noise = readNoise(line);
  if (noise !== undefined) {
    if (noise.missing) onMissing();
    diagnostics.add({ ...noise.remark, line: number });
    return "diagnosed";
  }
  if (isPrompt(line)) return "ignored";
  diagnostics.add({
    severity: "note",
    code: "unknown-line",
    line: number,
    message: "This line is of no known kind and was left out.",
    excerpt: line.slice(0, 120),
  });
  return "diagnosed";
}
