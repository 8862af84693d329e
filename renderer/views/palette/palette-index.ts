/** What the palette searches: every node, host and cable as one lower-case line, made once per fabric. Pure. */
import { blockOf } from "../../../shared/analyse/results.ts";
import { count, visibleText } from "../../../shared/base/text.ts";
import type { FabricView } from "../../../shared/contract/views.ts";
import {
  adaptersOfHost,
  at,
  hostName,
  hostOfNode,
  linkName,
  nodeDescription,
  nodeGuid,
  nodeKind,
  nodeName,
  portGuid,
  portsOfNode,
} from "../../../shared/fabric/access.ts";
import type { Fabric } from "../../../shared/fabric/model.ts";
import { atOnce } from "../../parts/slices.ts";
import type { Selection } from "../../state/selection-store.ts";
import { blockTitle } from "../inspector/block-facts.ts";
import { systemGuidOf } from "../inspector/director-facts.ts";

export interface PaletteEntry {
  readonly kind: "block" | "switch" | "director" | "host" | "adapter" | "router" | "aggregation" | "link";
  readonly title: string;
  /** Quiet words behind the title. */
  readonly note: string;
  readonly selection: Selection;
}

export interface PaletteIndex {
  readonly entries: readonly PaletteEntry[];
  /** Beside each entry: its title in lower case. */
  readonly titles: readonly string[];
  /** Beside each entry: all that it is found by, lower case. */
  readonly texts: readonly string[];
  /** Beside each entry: its LIDs. */
  readonly lids: readonly (readonly number[])[];
}

const tierWords: Readonly<Record<number, string>> = { 1: "leaf switch", 2: "spine switch", 3: "core switch" };

function lidsOf(fabric: Fabric, node: number): readonly number[] {
  const lids = new Set<number>();
  const own = at(fabric.nodes.lid, node);
  if (own !== 0) lids.add(own);
  for (const port of portsOfNode(fabric, node)) {
    const lid = at(fabric.ports.lid, port);
    if (lid !== 0) lids.add(lid);
  }
  return [...lids];
}

function guidsOf(fabric: Fabric, node: number): string {
  const guids = new Set([nodeGuid(fabric, node)]);
  for (const port of portsOfNode(fabric, node)) {
    const guid = portGuid(fabric, port);
    if (guid !== "") guids.add(guid);
  }
  return [...guids].join(" ");
}

function lidText(lids: readonly number[]): string {
  return lids.length === 0
    ? ""
    : `, LID ${lids.slice(0, 4).join(", ")}${lids.length > 4 ? ` and ${lids.length - 4} more` : ""}`;
}

/** Entries made between two chances for everything else. */
const entriesASlice = 256;

/** The index at once. O(nodes + ports + links). */
export function buildIndex(view: FabricView): PaletteIndex {
  return atOnce(indexSteps(view));
}

/** The index in steps: 10,000 hosts with their cables are 50,000 entries. */
export function* indexSteps(view: FabricView): Generator<undefined, PaletteIndex> {
  const { fabric, analysis } = view;
  const entries: PaletteEntry[] = [];
  const titles: string[] = [];
  const texts: string[] = [];
  const lids: (readonly number[])[] = [];
  const add = (entry: PaletteEntry, more: string, entryLids: readonly number[]): void => {
    const title = entry.title.toLowerCase();
    entries.push(entry);
    titles.push(title);
    texts.push(`${title} ${entry.note.toLowerCase()} ${more.toLowerCase()}`);
    lids.push(entryLids);
  };
  for (let node = 0; node < fabric.nodes.count; node += 1) {
    if (node % entriesASlice === 0) yield;
    const kind = nodeKind(fabric, node);
    const host = hostOfNode(fabric, node);
    const own = lidsOf(fabric, node);
    const title = visibleText(nodeName(fabric, node));
    const more = `${visibleText(nodeDescription(fabric, node))} ${guidsOf(fabric, node)}`;
    if (kind === "hca") {
      const of = host === undefined ? "" : ` of ${visibleText(hostName(fabric, host))}`;
      add(
        { kind: "adapter", title, note: `adapter${of}${lidText(own)}`, selection: { kind: "node", node } },
        more,
        own,
      );
      continue;
    }
    const tier = at(analysis.topology.tierOfNode, node);
    const word =
      kind === "switch" ? (tierWords[tier] ?? "switch") : kind === "router" ? "router" : "aggregation node (SHARP)";
    add({ kind, title, note: `${word}${lidText(own)}`, selection: { kind: "node", node } }, more, own);
  }
  for (let host = 0; host < fabric.hosts.count; host += 1) {
    if (host % entriesASlice === 0) yield;
    const adapters = adaptersOfHost(fabric, host);
    const own = adapters.flatMap((node) => lidsOf(fabric, node));
    add(
      {
        kind: "host",
        title: visibleText(hostName(fabric, host)),
        note: `host, ${adapters.length === 1 ? "1 adapter" : `${adapters.length} adapters`}${lidText(own)}`,
        selection: { kind: "host", host },
      },
      "",
      own,
    );
  }
  analysis.topology.chassis.forEach(({ name, switches }, director) => {
    const title = visibleText(name);
    const note = `director, ${count(switches.length, "chip")}`;
    add(
      { kind: "director", title, note, selection: { kind: "director", director } },
      systemGuidOf(fabric, switches),
      [],
    );
  });
  const { groups, pods } = analysis.topology;
  (groups.length > 0 ? groups : pods).forEach(({ leaves, spines }, block) => {
    const selection = { kind: "block", block } as const;
    if (blockOf(analysis.topology, block) === undefined) return;
    const title = blockTitle(analysis.topology, selection);
    const note = `${groups.length > 0 ? "group" : "pod"}, ${count(leaves.length, "leaf", "leaves")}, ${count(spines.length, "spine")}`;
    add({ kind: "block", title, note, selection }, "", []);
  });
  for (let link = 0; link < fabric.links.count; link += 1) {
    if (link % entriesASlice === 0) yield;
    add(
      { kind: "link", title: visibleText(linkName(fabric, link)), note: "", selection: { kind: "link", link } },
      "",
      [],
    );
  }
  return { entries, titles, texts, lids };
}

export interface PaletteHits {
  /** Entry numbers, best first, at most the limit. */
  readonly hits: readonly number[];
  /** How many match in all. */
  readonly total: number;
}

/** Kinds in the order in which equally good hits stand. */
const kindOrder: Readonly<Record<PaletteEntry["kind"], number>> = {
  block: 0,
  director: 1,
  switch: 2,
  host: 3,
  router: 4,
  aggregation: 5,
  link: 6,
  adapter: 7,
};

function wordStart(text: string, at_: number): boolean {
  return at_ === 0 || !/[a-z0-9]/.test(text[at_ - 1] ?? "");
}

const ranks = 6;

/** 0 best … 5: whole title, start of the title, its first word, start of a word in it, within it, elsewhere. */
function rank(title: string, query: string, firstWord: string): number {
  if (title === query) return 0;
  if (title.startsWith(query)) return 1;
  const place = title.indexOf(firstWord);
  if (place < 0) return 5;
  return place === 0 ? 2 : wordStart(title, place) ? 3 : 4;
}

/**
 * Entries that hold every word of the query, best first. `#19` finds a LID, `0x…` a GUID from its start.
 * One pass over the lines; equal ranks keep the fabric's own order.
 */
export function searchIndex(index: PaletteIndex, query: string, limit: number): PaletteHits {
  const wanted = query.trim().toLowerCase();
  if (wanted === "") return { hits: [], total: 0 };
  // One letter finds nearly everything: no more are kept of a rank and a kind than can be shown, and none are sorted.
  const kinds = Object.keys(kindOrder).length;
  const found: number[][] = Array.from({ length: ranks * kinds }, () => []);
  let total = 0;
  const take = (entry: number, rank: number): void => {
    const list = found[rank * kinds + kindOrder[index.entries[entry]?.kind ?? "adapter"]];
    if (list !== undefined && list.length < limit) list.push(entry);
    total += 1;
  };
  const lid = /^#(\d+)$/.exec(wanted)?.[1];
  if (lid !== undefined) {
    index.lids.forEach((lids, entry) => {
      if (lids.includes(Number(lid))) take(entry, 0);
    });
  } else if (wanted !== "#") {
    const words = wanted.split(/\s+/);
    const [first = ""] = words;
    const joined = words.join("-");
    index.texts.forEach((text, entry) => {
      if (!words.every((word) => text.includes(word))) return;
      take(entry, rank(index.titles[entry] ?? "", joined, first));
    });
  }
  return { hits: found.flat().slice(0, limit), total };
}

export interface TextPart {
  readonly text: string;
  readonly marked: boolean;
}

/** A title cut where words of the query stand, to mark them. */
export function markParts(title: string, query: string): readonly TextPart[] {
  const lower = title.toLowerCase();
  const marked = new Uint8Array(title.length);
  // A lower-case text of another length (İ) would not fit the marks to the letters.
  if (lower.length === title.length) {
    for (const word of query.trim().toLowerCase().split(/\s+/)) {
      if (word === "") continue;
      const place = lower.indexOf(word);
      if (place >= 0) marked.fill(1, place, place + word.length);
    }
  }
  const parts: TextPart[] = [];
  let start = 0;
  for (let i = 1; i <= title.length; i += 1) {
    if (i < title.length && marked[i] === marked[start]) continue;
    parts.push({ text: title.slice(start, i), marked: marked[start] === 1 });
    start = i;
  }
  return parts;
}
