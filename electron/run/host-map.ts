import { err, ok } from "../../shared/base/result.ts";
import type { Result } from "../../shared/base/result.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { DiagnosticList } from "../../shared/parse/diagnostic.ts";
import type { Diagnostic } from "../../shared/parse/diagnostic.ts";
import { parseSshAddress } from "./ssh/target.ts";

export interface HostMap {
  /** Name in the fabric → `[user@]host[:port]`. */
  readonly map: ReadonlyMap<string, string>;
  readonly diagnostics: readonly Diagnostic[];
}

/** Most names of a map: a few times the largest fabric. */
const mostNames = 100_000;

/**
 * Reads a file that says how the hosts of a fabric are reached:
 *
 *     # name in the fabric   [user@]host[:port]
 *     gpu-a01                gpu-a01-mgmt
 *     gpu-a02                admin@10.0.3.2:2222
 *
 * One host a line, blanks or tabs between; `#` begins a comment; of a name that comes twice the last line counts (and a
 * warning says so). A bad line is passed over with an error that has its number; nothing is thrown for any text.
 */
export function parseHostMap(text: string, file: string): HostMap {
  const map = new Map<string, string>();
  const lineOf = new Map<string, number>();
  const diagnostics = new DiagnosticList(file);
  for (const [index, raw] of text
    .replace(/^\ufeff/, "")
    .split(/\r?\n/)
    .entries()) {
    const line = index + 1;
    const words = raw
      .replace(/(^|\s)#.*$/, "")
      .trim()
      .split(/\s+/);
    const [name, address, ...rest] = words;
    if (name === undefined || name === "") continue;
    const refuse = (message: string): void =>
      diagnostics.add({ severity: "error", code: "host-map-line", line, column: 1, message, excerpt: raw });
    if (address === undefined) {
      refuse("The name stands alone; write the name and [user@]host[:port] on one line.");
      continue;
    }
    if (rest.length > 0) {
      refuse("More than two words; write the name and [user@]host[:port], and begin a comment with #.");
      continue;
    }
    const parsed = parseSshAddress(address);
    if (!parsed.ok) {
      refuse("The second word is not [user@]host[:port] with a port from 1 to 65535.");
      continue;
    }
    const before = lineOf.get(name);
    if (before !== undefined) {
      const message = `This name stands on line ${String(before)} already; the later line counts.`;
      diagnostics.add({ severity: "warning", code: "host-map-twice", line, column: 1, message, excerpt: raw });
    }
    if (map.size >= mostNames && before === undefined) {
      refuse(`More than ${String(mostNames)} names; the rest is not read.`);
      break;
    }
    map.set(name, address);
    lineOf.set(name, line);
  }
  return { map, diagnostics: diagnostics.finish() };
}

/**
 * Reads a rule that makes an address of a host's name in the fabric: `{name}`, `{name}.cluster.local`, `{name}-ib0`,
 * `root@{name}:2222`.
 *
 * @returns `bad-request` when `{name}` is missing or the rest gives no `[user@]host[:port]`.
 */
export function parseNameRule(rule: string): Result<(hostName: string) => string, AppError> {
  const text = rule.trim();
  const refuse = (why: string): Result<(hostName: string) => string, AppError> =>
    err({ kind: "bad-request", detail: `The rule ${JSON.stringify(rule)} ${why}. For instance: {name}.cluster.local` });
  if (!text.includes("{name}")) return refuse("has no {name} in it, so every host would get the same address");
  const apply = (hostName: string): string => text.replaceAll("{name}", () => hostName);
  if (/[{}]/.test(text.replaceAll("{name}", ""))) return refuse("has braces that are not {name}");
  if (!parseSshAddress(apply("node-01")).ok) return refuse("does not give [user@]host[:port]");
  return ok(apply);
}
