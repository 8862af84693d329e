/** View graph + overlay + filters → the looks of every drawn link and node, as flat arrays. Pure. */
import { healths } from "../../shared/analyse/results.ts";
import { lowerKnown } from "../../shared/base/statistics.ts";
import { at, nodeKind } from "../../shared/fabric/access.ts";
import { none, type Fabric } from "../../shared/fabric/model.ts";
import { dataRateGbps } from "../../shared/fabric/rates.ts";
import type { Wanted } from "./filter.ts";
import type { Layout } from "./layout-types.ts";
import { rateWidth, type Classes } from "./overlay.ts";
import { isLoop, type ViewGraph, type ViewLinks, type ViewNode } from "./view-types.ts";
import { isBlock } from "./view-links.ts";

export interface Filters {
  /** Only links with a finding, and what they join. */
  readonly onlyDegraded: boolean;
  /** Rows shown; empty = all. */
  readonly tiers: readonly number[];
  /** Ids of link classes shown; empty = all. */
  readonly classes: readonly string[];
  /** What rail, pod and text filters leave; absent = everything. */
  readonly wanted?: Wanted | undefined;
}

export interface Picture {
  /** Worst class of each drawn link. */
  readonly linkClass: Uint8Array;
  /** Thickness by data rate, in quarter px at 100 %. */
  readonly linkWidth: Uint8Array;
  /** Health whose glyph the link carries, as code; 0 = none. */
  readonly linkGlyph: Uint8Array;
  /** Not 0 = filtered out. */
  readonly linkHidden: Uint8Array;
  readonly nodeHidden: Uint8Array;
  /** Not 0 = a filter left none of its links: drawn weakly. */
  readonly nodeFaint: Uint8Array;
  /** What filters leave of each drawn pod, group and director; empty without filters. */
  readonly kept: ReadonlyMap<number, Kept>;
}

/** What filters leave inside of a drawn block. */
export interface Kept {
  /** Not 0 = a cell of its matrix with a cable that is left. */
  readonly cells: Uint8Array;
  /** Switches and hosts with such a cable, or that a text found. */
  readonly switches: number;
  readonly hosts: number;
}

const warningCode = healths.indexOf("warning");

export function buildPicture(fabric: Fabric, graph: ViewGraph, classes: Classes, filters: Filters): Picture {
  const { links, nodes } = graph;
  const linkClass = new Uint8Array(links.count);
  const linkWidth = new Uint8Array(links.count);
  const linkGlyph = new Uint8Array(links.count);
  const linkHidden = new Uint8Array(links.count);
  const nodeHidden = new Uint8Array(nodes.length);
  const shown = new Set(filters.classes);
  if (filters.tiers.length > 0) {
    nodes.forEach((node, i) => {
      if (!levelsOf(node).some((level) => filters.tiers.includes(level))) nodeHidden[i] = 1;
    });
  }
  const kept = keptBy(graph, filters.wanted);
  nodes.forEach((_, i) => {
    if (at(kept.nodes, i) === 0) nodeHidden[i] = 1;
  });
  // Runs on the window's thread at every change: columns are read in place, `at` and subarrays took most of the time.
  const quarters = quarterWidths(fabric);
  const shownClass = Uint8Array.from(classes.classes, ({ id }) => (shown.has(id) ? 1 : 0));
  const all = shown.size === 0;
  const missingShown = shown.has("down");
  const { memberStart, member, missingStart, source, target, health: healthOf } = links;
  for (let link = 0; link < links.count; link++) {
    const from = memberStart[link] ?? 0;
    const to = memberStart[link + 1] ?? 0;
    let worst = 0;
    let quarter = unknownWidth;
    let wanted = all;
    for (let i = from; i < to; i++) {
      const own = classes.ofLink[member[i] ?? 0] ?? 0;
      if (own > worst) worst = own;
      const width = quarters[member[i] ?? 0] ?? unknownWidth;
      if (width < quarter) quarter = width;
      wanted ||= shownClass[own] === 1;
    }
    if ((missingStart[link + 1] ?? 0) > (missingStart[link] ?? 0)) {
      // A bundle that lacks a cable keeps the class of those that are there, unless nothing is there.
      if (from === to) worst = classes.ofMissing;
      wanted ||= missingShown;
    }
    linkClass[link] = worst;
    linkWidth[link] = quarter === unknownWidth ? leastWidth : quarter;
    const health = healthOf[link] ?? 0;
    linkGlyph[link] = health >= warningCode ? health : 0;
    const ends = (nodeHidden[source[link] ?? 0] ?? 0) + (nodeHidden[target[link] ?? 0] ?? 0);
    if (!wanted || kept.links[link] === 0 || ends > 0 || (filters.onlyDegraded && health < warningCode))
      linkHidden[link] = 1;
  }
  const nodeFaint = new Uint8Array(nodes.length);
  if (filters.onlyDegraded || shown.size > 0 || filters.wanted !== undefined) {
    nodes.forEach((node, i) => {
      const keeps = filters.onlyDegraded || shown.size > 0 ? node.health >= warningCode : false;
      nodeFaint[i] = keeps || at(kept.named, i) === 1 ? 0 : 1;
    });
    for (let link = 0; link < links.count; link++) {
      if (linkHidden[link] !== 0) continue;
      nodeFaint[at(links.source, link)] = 0;
      nodeFaint[at(links.target, link)] = 0;
    }
  }
  const inside = filters.wanted === undefined ? noneKept : keptInside(fabric, graph, filters.wanted);
  return { linkClass, linkWidth, linkGlyph, linkHidden, nodeHidden, nodeFaint, kept: inside };
}

/** In quarter px: thickness of a link whose rate nobody tells. */
const leastWidth = rateWidth(0) * 4;
/** No thickness. */
const unknownWidth = 255;

const knownWidths = new WeakMap<Fabric, Uint8Array>();

/** Thickness of each fabric link by its data rate, in quarter px; {@link unknownWidth} without a rate. Made once per fabric, O(links). */
function quarterWidths(fabric: Fabric): Uint8Array {
  let widths = knownWidths.get(fabric);
  if (widths === undefined) {
    const { links, ports } = fabric;
    widths = new Uint8Array(links.count);
    for (let link = 0; link < links.count; link++) {
      const [a, b] = [links.a[link] ?? 0, links.b[link] ?? 0];
      const gbps = lowerKnown(
        dataRateGbps(ports.lanes[a] ?? 0, ports.speed[a] ?? 0),
        dataRateGbps(ports.lanes[b] ?? 0, ports.speed[b] ?? 0),
      );
      widths[link] = gbps > 0 ? Math.round(rateWidth(gbps) * 4) : unknownWidth;
    }
    knownWidths.set(fabric, widths);
  }
  return widths;
}

const noneKept: ReadonlyMap<number, Kept> = new Map();

/** What filters leave of blocks that have a matrix. O(links + nodes). */
function keptInside(fabric: Fabric, graph: ViewGraph, wanted: Wanted): ReadonlyMap<number, Kept> {
  const { cells, cellOfFabricLink, cellOfMissing } = graph;
  if (cells.size === 0) return noneKept;
  const left = new Map<number, Kept & { switches: number; hosts: number }>();
  for (const [node, { health }] of cells)
    left.set(node, { cells: new Uint8Array(health.length), switches: 0, hosts: 0 });
  const keep = (inside: number, cell: number): void => {
    const own = cell === none ? undefined : left.get(inside);
    if (own !== undefined) own.cells[cell] = 1;
  };
  const used = wanted.named.slice();
  for (let link = 0; link < fabric.links.count; link++) {
    if (at(wanted.links, link) === 0) continue;
    for (const port of [at(fabric.links.a, link), at(fabric.links.b, link)]) used[at(fabric.ports.node, port)] = 1;
    keep(at(graph.insideOfFabricLink, link), at(cellOfFabricLink, link));
  }
  cellOfMissing.forEach((cell, missing) => {
    if (at(wanted.missing, missing) === 1) keep(at(graph.insideOfMissing, missing), cell);
  });
  const hosts = new Set<number>();
  used.forEach((flag, node) => {
    const own = flag === 0 ? undefined : left.get(at(graph.nodeOfFabricNode, node));
    if (own === undefined) return;
    const host = at(fabric.nodes.host, node);
    if (host === none) {
      if (nodeKind(fabric, node) === "switch") own.switches += 1;
    } else if (!hosts.has(host)) {
      hosts.add(host);
      own.hosts += 1;
    }
  });
  return left;
}

/** Drawn nodes and links of which the fabric's filters leave something; `named`: what a text filter found. */
function keptBy(
  graph: ViewGraph,
  wanted: Wanted | undefined,
): { readonly nodes: Uint8Array; readonly links: Uint8Array; readonly named: Uint8Array } {
  const nodes = new Uint8Array(graph.nodes.length).fill(wanted === undefined ? 1 : 0);
  const links = new Uint8Array(graph.links.count).fill(wanted === undefined ? 1 : 0);
  const named = new Uint8Array(graph.nodes.length);
  if (wanted === undefined) return { nodes, links, named };
  const { nodeOfFabricNode, linkOfFabricLink } = graph;
  for (let node = 0; node < nodeOfFabricNode.length; node++) {
    const drawn = nodeOfFabricNode[node] ?? none;
    if (drawn === none) continue;
    if (wanted.nodes[node] === 1) nodes[drawn] = 1;
    if (wanted.named[node] === 1) named[drawn] = 1;
  }
  for (let link = 0; link < linkOfFabricLink.length; link++) {
    const drawn = linkOfFabricLink[link] ?? none;
    if (drawn !== none && wanted.links[link] === 1) links[drawn] = 1;
  }
  graph.linkOfMissing.forEach((drawn, missing) => {
    if (drawn !== none && at(wanted.missing, missing) === 1) links[drawn] = 1;
  });
  return { nodes, links, named };
}

/** Rows that a drawn node stands for. */
function levelsOf(node: ViewNode): readonly number[] {
  if (node.levels !== undefined) return node.levels;
  return isBlock(node) && node.kind !== "plane" ? [0, 1, 2] : [node.level];
}

/** Nodes of a drawn link; one for a cable from a node to itself. */
function endsOf(links: ViewLinks, link: number): readonly number[] {
  return isLoop(links, link) ? [at(links.source, link)] : [at(links.source, link), at(links.target, link)];
}

/** Drawn links of each drawn node, each once: link[start[n] … start[n + 1] - 1]. */
export interface Incidence {
  readonly start: Uint32Array;
  readonly link: Uint32Array;
}

export function incidence(graph: ViewGraph): Incidence {
  const { links } = graph;
  const start = new Uint32Array(graph.nodes.length + 1);
  for (let link = 0; link < links.count; link++) {
    for (const end of endsOf(links, link)) start[end + 1] = at(start, end + 1) + 1;
  }
  for (let node = 0; node < graph.nodes.length; node++) start[node + 1] = at(start, node + 1) + at(start, node);
  const fill = start.slice();
  const link = new Uint32Array(at(start, graph.nodes.length));
  for (let i = 0; i < links.count; i++) {
    for (const end of endsOf(links, i)) {
      link[at(fill, end)] = i;
      fill[end] = at(fill, end) + 1;
    }
  }
  return { start, link };
}

/** Labels without what neighbours in a row have in common. */
export interface ShortLabels {
  readonly text: readonly string[];
  /** What was left out in each row, when it is the same for the whole row. */
  readonly prefix: ReadonlyMap<number, string>;
}

/** `leaf-03` → `03`, when the rest still tells the nodes of a row apart; within a pod also `leaf-p01-03` → `03`. */
export function shortLabels(graph: ViewGraph, layout: Pick<Layout, "frames">): ShortLabels {
  const prefixOf = (groups: readonly string[]): ReadonlyMap<string, string> => {
    const labels = new Map<string, string[]>();
    graph.nodes.forEach((node, i) => {
      const group = groups[i] ?? "";
      const list = labels.get(group);
      if (list === undefined) labels.set(group, [node.label]);
      else list.push(node.label);
    });
    return new Map([...labels].map(([group, list]) => [group, commonPrefix(list)]));
  };
  const rows = graph.nodes.map((node) => (node.kind === "fold" || isBlock(node) ? node.kind : String(node.level)));
  const pods =
    layout.frames.length < 2
      ? rows
      : graph.nodes.map((node, i) => (node.hosts > 0 ? (rows[i] ?? "") : `${rows[i] ?? ""} ${node.cluster}`));
  const byRow = prefixOf(rows);
  const byPod = prefixOf(pods);
  return {
    text: graph.nodes.map((node, i) => node.label.slice((byPod.get(pods[i] ?? "") ?? "").length)),
    prefix: new Map([...byRow].map(([row, prefix]) => [Number(row), prefix])),
  };
}

/** Longest common start that ends after a separator and leaves something of every label. */
export function commonPrefix(labels: readonly string[]): string {
  const first = labels[0];
  if (first === undefined || labels.length < 2) return "";
  let length = first.length;
  for (const label of labels) {
    let same = 0;
    while (same < length && label[same] === first[same]) same += 1;
    length = same;
  }
  while (length > 0 && !/[-_.: ]/.test(first[length - 1] ?? "")) length -= 1;
  return labels.every((label) => label.length > length) ? first.slice(0, length) : "";
}
