import type { GuidTable } from "../base/guid-table.ts";
import { hostNameOf, shortName } from "../parse/names.ts";
import type { NodeDraft } from "./draft.ts";

export interface HostDraft {
  readonly name: string;
  readonly adapters: readonly NodeDraft[];
  readonly first: NodeDraft;
}

/** Names that many machines have because nobody set them. */
const unsetNames = new Set(["localhost", "localhost.localdomain", "(none)", "none", "unknown"]);

interface Group {
  /** Host name that its first adapter tells. */
  readonly name: string | undefined;
  readonly adapters: NodeDraft[];
}

/**
 * Groups adapters into hosts: same system image GUID (one card), or same host part of the description. Adapters whose
 * name was never set stand alone unless they share a card. Order: by name, digits by value.
 * @param guids the draft's table
 */
export function groupHosts(adapters: readonly NodeDraft[], guids: GuidTable): readonly HostDraft[] {
  const groups: Group[] = [];
  const groupOfName = new Map<string, Group>();
  const groupOfGuid = new Map<number, Group>();
  const groupOfSystem = new Map<number, Group>();
  for (const node of adapters) {
    const name = hostNameOf(node.description);
    const { systemGuid } = node;
    const known = systemGuid < 0 ? undefined : groupOfSystem.get(systemGuid);
    const named = name !== undefined && !unsetNames.has(name.toLowerCase());
    const identity = systemGuid < 0 ? node.guid : systemGuid;
    let group = named ? groupOfName.get(name) : (known ?? groupOfGuid.get(identity));
    if (group === undefined) {
      group = { name, adapters: [] };
      groups.push(group);
      if (named) groupOfName.set(name, group);
      else groupOfGuid.set(identity, group);
    }
    group.adapters.push(node);
    if (systemGuid >= 0 && known === undefined) groupOfSystem.set(systemGuid, group);
  }
  const byGuid = (a: NodeDraft, b: NodeDraft): number =>
    (guids.high(a.guid) >>> 0) - (guids.high(b.guid) >>> 0) || (guids.low(a.guid) >>> 0) - (guids.low(b.guid) >>> 0);
  const hosts: HostDraft[] = [];
  for (const { name, adapters: own } of groups) {
    const met = own[0];
    if (own.length > 1) own.sort((a, b) => compareNatural(a.description, b.description) || byGuid(a, b));
    const first = own[0];
    if (first !== undefined)
      hosts.push(hostOf(own, first, first === met ? name : hostNameOf(first.description), guids));
  }
  return hosts.sort((a, b) => compareNatural(a.name, b.name) || byGuid(a.first, b.first));
}

function hostOf(
  adapters: readonly NodeDraft[],
  first: NodeDraft,
  hostName: string | undefined,
  guids: GuidTable,
): HostDraft {
  const name = hostName ?? shortName(first.description);
  return { name: name === "" ? `0x${guids.guidOf(first.guid)}` : name, adapters, first };
}

/** Order in which people count: `n2` before `n10`; independent of locale. Makes no strings: it sorts all hosts. */
export function compareNatural(a: string, b: string): number {
  if (a === b) return 0;
  const shorter = Math.min(a.length, b.length);
  let parting = 0;
  while (parting < shorter && a.charCodeAt(parting) === b.charCodeAt(parting)) parting += 1;
  // Back to where the number, or the text between two numbers, begins in which they part.
  let start = Math.max(parting - 1, 0);
  while (start > 0 && isDigit(a, start - 1) === isDigit(a, start)) start -= 1;
  let endA = endOfPart(a, start);
  let endB = endOfPart(b, start);
  if (endA === endB && parting >= endA) {
    start = endA;
    endA = endOfPart(a, start);
    endB = endOfPart(b, start);
  }
  const difference = isDigit(a, start) && isDigit(b, start) ? valueOf(a, start, endA) - valueOf(b, start, endB) : 0;
  // Not a number: two that are beyond all.
  if (difference !== 0 && !Number.isNaN(difference)) return difference;
  if (parting < endA && parting < endB) return a.charCodeAt(parting) < b.charCodeAt(parting) ? -1 : 1;
  return endA < endB ? -1 : 1;
}

function isDigit(text: string, at: number): boolean {
  const code = at < text.length ? text.charCodeAt(at) : 0;
  return code >= 48 && code <= 57;
}

/** Behind the digits, or all up to the next digit, from `start` on. */
function endOfPart(text: string, start: number): number {
  const digits = isDigit(text, start);
  let end = start;
  while (end < text.length && isDigit(text, end) === digits) end += 1;
  return end;
}

/** So many digits are a number without rounding. */
const exactDigits = 15;

function valueOf(text: string, start: number, end: number): number {
  if (end - start > exactDigits) return Number(text.slice(start, end));
  let value = 0;
  for (let at = start; at < end; at += 1) value = value * 10 + text.charCodeAt(at) - 48;
  return value;
}
