/**
 * Hosts that belong together by their names: of one rack (`r12-n03` → `r12`), or counted through under one name
 * (`node017` → `node`). Names are a hint for labels and folds, never for the shape. Pure, O(names log names).
 */
import { compareNatural } from "../build/group-hosts.ts";

export const hostGroupings = ["rack", "name"] as const;
export type HostGrouping = (typeof hostGroupings)[number];

export interface HostGroups {
  readonly by: HostGrouping;
  /** Names of the groups in the order in which people count. */
  readonly names: readonly string[];
  /** Hosts in each. */
  readonly sizes: readonly number[];
  /** Group of each host, -1 for none. */
  readonly ofHost: Int32Array;
}

/** Ends of names that tell a port of the host and not the host: `node01-ib0`. */
const portEnd = /[-_.]ib\d*$/i;
/** `node01.cluster.example` is `node01`; an address stays whole. */
const domain = /\.[a-z].*$/i;

interface Parts {
  /** Text before the last number. */
  readonly before: string;
  readonly digits: string;
}

/** A host's name as a place in a row: undefined when it does not end in a number that counts. */
function partsOf(name: string): Parts | undefined {
  const bare = name.trim().replace(domain, "").replace(portEnd, "");
  const digits = /\d+$/.exec(bare)?.[0];
  return digits === undefined ? undefined : { before: bare.slice(0, -digits.length), digits };
}

/**
 * What a name has in common with its siblings': by name the text before its last number, by rack that text up to the
 * number before the last. Undefined when the name has no such part.
 */
export function groupNameOf(name: string, by: HostGrouping): string | undefined {
  const before = partsOf(name)?.before ?? "";
  if (by === "name") return before.replace(/[-_. ]+$/, "") === "" ? undefined : before.replace(/[-_. ]+$/, "");
  return /^.*\d/s.exec(before)?.[0];
}

/**
 * Groups of at least two. Undefined when fewer than half of the hosts are in any: then the names do not count through
 * racks or rows (random ones do not), and a fold by them would say nothing.
 */
export function groupHosts(names: readonly string[], by: HostGrouping): HostGroups | undefined {
  const members = new Map<string, number[]>();
  names.forEach((name, host) => {
    const group = groupNameOf(name, by);
    if (group === undefined) return;
    const list = members.get(group);
    if (list === undefined) members.set(group, [host]);
    else list.push(host);
  });
  const groups = [...members].filter(([, list]) => list.length > 1).sort(([a], [b]) => compareNatural(a, b));
  const grouped = groups.reduce((sum, [, list]) => sum + list.length, 0);
  if (grouped === 0 || grouped * 2 < names.length) return undefined;
  const ofHost = new Int32Array(names.length).fill(-1);
  groups.forEach(([, list], group) => {
    for (const host of list) ofHost[host] = group;
  });
  return { by, names: groups.map(([name]) => name), sizes: groups.map(([, list]) => list.length), ofHost };
}

const mostRanges = 5;

/** `node[001-032,040]` for many names, each as it is when they do not count through. Names of one group. */
export function namesInShort(names: readonly string[]): string {
  const [first] = names;
  if (first === undefined) return "";
  if (names.length === 1) return first;
  const parts = names.map(partsOf);
  const before = parts[0]?.before ?? "";
  if (parts.some((part) => part?.before !== before)) {
    const listed = [...names].sort(compareNatural).slice(0, mostRanges).join(", ");
    return names.length > mostRanges ? `${listed} …` : listed;
  }
  const digits = [...new Set(parts.map((part) => part?.digits ?? ""))].sort(compareNatural);
  const ranges: { from: string; to: string }[] = [];
  for (const text of digits) {
    const last = ranges.at(-1);
    const next = last !== undefined && Number(text) === Number(last.to) + 1 && fits(last.to, text);
    if (next) last.to = text;
    else ranges.push({ from: text, to: text });
  }
  const shown = ranges.slice(0, mostRanges).map(({ from, to }) => (from === to ? from : `${from}-${to}`));
  return `${before}[${shown.join(",")}${ranges.length > mostRanges ? ",…" : ""}]`;
}

/** 09 and 10, 9 and 10, but not 9 and 010: written with the same zeros in front. */
function fits(before: string, after: string): boolean {
  return after.length === before.length || (after.length === before.length + 1 && !after.startsWith("0"));
}
