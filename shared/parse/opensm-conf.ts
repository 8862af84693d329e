/**
 * Parser of opensm's options file (`/etc/opensm/opensm.conf`): `name value` lines, `#` comments. Only what decides who
 * is master, and where the log is, is kept.
 */
import { type Guid, parseGuid } from "../base/guid.ts";
import { DiagnosticList } from "./diagnostic.ts";
import type { ParseContext, Parsed } from "./records.ts";
import { isBlank, readLines } from "./scanner.ts";

export interface OpensmSettings {
  /** 0 to 15. */
  readonly priority?: number;
  /** How often a standby asks the master whether it lives, in milliseconds. */
  readonly pollingMs?: number;
  /** Times without an answer after which a standby takes over. */
  readonly pollingRetries?: number;
  /** Seconds between light sweeps; 0 = none. */
  readonly sweepSeconds?: number;
  readonly logFile?: string;
  /** Port that it binds to; absent or 0: the default port. */
  readonly guid?: Guid;
}

const numbers = {
  sm_priority: ["priority", 15],
  sminfo_polling_timeout: ["pollingMs", 86_400_000],
  polling_retry_number: ["pollingRetries", 1_000_000],
  sweep_interval: ["sweepSeconds", 31_536_000],
} as const satisfies Record<string, readonly [keyof OpensmSettings, number]>;

/** Reads an options file. Never throws for any text; options that Ibex does not need are passed over. */
export function parseOpensmConf(text: string, context: ParseContext): Parsed<OpensmSettings> {
  const diagnostics = new DiagnosticList(context.file);
  const settings: { -readonly [K in keyof OpensmSettings]: OpensmSettings[K] } = {};
  const stats = readLines(text, diagnostics, (raw, number) => {
    if (isBlank(raw) || raw.trimStart().startsWith("#")) return "ignored";
    const hit = /^\s*(\w+)\s+(\S.*?)\s*$/.exec(raw.slice(0, 4096));
    const name = hit?.[1] ?? "";
    const value = hit?.[2] ?? "";
    if (Object.hasOwn(numbers, name)) {
      const known = numbers[name as keyof typeof numbers];
      const amount = /^(?:0x[0-9a-f]{1,8}|\d{1,10})$/i.test(value) ? Number(value) : Number.NaN;
      if (!(amount <= known[1])) {
        diagnostics.add({
          severity: "warning",
          code: "bad-option",
          line: number,
          message: `The option ${name} has no number within its bounds and was left out.`,
          excerpt: raw,
        });
        return "diagnosed";
      }
      settings[known[0]] = amount;
      return "understood";
    }
    if (name === "log_file") {
      settings.logFile = value;
      return "understood";
    }
    if (name === "guid") {
      const guid = parseGuid(value);
      if (guid !== undefined && !/^0+$/.test(guid)) settings.guid = guid;
      return "understood";
    }
    return "ignored";
  });
  return { records: settings, diagnostics: diagnostics.finish(), stats };
}
