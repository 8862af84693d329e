import { hostNameOf, shortName } from "../parse/names.ts";
import type { NodeDraft } from "./draft.ts";

export interface HostDraft {
  readonly name: string;
  readonly adapters: readonly NodeDraft[];
}

/** Names that many machines have because nobody set them. */
const unsetNames = new Set(["localhost", "localhost.localdomain", "(none)", "none", "unknown"]);

/**
 * Groups adapters into hosts: same system image GUID (one card), or same host part of the description. Adapters whose
 * name was never set stand alone unless they share a card. Order: by name, digits by value.
 */
export function groupHosts(adapters: readonly NodeDraft[]): readonly HostDraft[] {
  const group = new Map<string, NodeDraft[]>();
  const keyOfSystem = new Map<string, string>();
  for (const node of adapters) {
    const name = hostNameOf(node.description);
    const named = name !== undefined && !unsetNames.has(name.toLowerCase());
    const known = node.systemGuid === undefined ? undefined : keyOfSystem.get(node.systemGuid);
    const key = named ? `name ${name}` : (known ?? `guid ${node.systemGuid ?? node.guid}`);
    if (node.systemGuid !== undefined && known === undefined) keyOfSystem.set(node.systemGuid, key);
    const members = group.get(key);
    if (members === undefined) group.set(key, [node]);
    else members.push(node);
  }
  const hosts = [...group.values()].map((members) => {
    const adaptersInOrder = [...members].sort(
      (a, b) => compareNatural(a.description, b.description) || (a.guid < b.guid ? -1 : 1),
    );
    const first = adaptersInOrder[0];
    const name = first === undefined ? "" : (hostNameOf(first.description) ?? shortName(first.description));
    return { name: name === "" && first !== undefined ? `0x${first.guid}` : name, adapters: adaptersInOrder };
  });
  return hosts.sort(
    (a, b) => compareNatural(a.name, b.name) || ((a.adapters[0]?.guid ?? "") < (b.adapters[0]?.guid ?? "") ? -1 : 1),
  );
}

/** Order in which people count: `n2` before `n10`; independent of locale. */
export function compareNatural(a: string, b: string): number {
  if (a === b) return 0;
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a.charCodeAt(start) === b.charCodeAt(start)) start += 1;
  // Back to where the number, or the text between two numbers, begins in which they part.
  start = Math.max(start - 1, 0);
  while (start > 0 && isDigit(a, start - 1) === isDigit(a, start)) start -= 1;
  let x = partAt(a, start);
  let y = partAt(b, start);
  if (x === y) {
    start += x.length;
    x = partAt(a, start);
    y = partAt(b, start);
  }
  const difference = isDigit(x, 0) && isDigit(y, 0) ? Number(x) - Number(y) : 0;
  // Not a number: two that are beyond all.
  if (difference !== 0 && !Number.isNaN(difference)) return difference;
  return x < y ? -1 : 1;
}

function isDigit(text: string, at: number): boolean {
  const code = at < text.length ? text.charCodeAt(at) : 0;
  return code >= 48 && code <= 57;
}

/** The digits, or all up to the next digit, from `start` on. */
function partAt(text: string, start: number): string {
  const digits = isDigit(text, start);
  let end = start;
  while (end < text.length && isDigit(text, end) === digits) end += 1;
  return text.slice(start, end);
}
