/**
 * Which tier a switch stands in, from the graph alone (names play no part). O(links), twice over.
 *
 * Leaves are the switches with hosts; a switch that only carries a few (SM or login hosts on a spine) is one when its
 * neighbours are not leaves themselves. Every other switch's tier is its distance from the leaves. A switch with no
 * hosts left that is cabled like the leaves is a leaf too.
 */
import type { Fabric } from "../fabric/model.ts";
import { at, linkKind } from "../fabric/access.ts";

/** Switch-to-switch neighbours with multiplicity, and host links per node. */
export interface SwitchGraph {
  readonly neighbours: readonly ReadonlyMap<number, number>[];
  readonly hostLinks: Uint32Array;
  /** Node indices of all switches. */
  readonly switches: readonly number[];
}

const switchCode = 0;

/** The switch graph of a fabric. O(links). */
export function switchGraph(fabric: Fabric): SwitchGraph {
  const { nodes, ports, links } = fabric;
  const neighbours = Array.from({ length: nodes.count }, () => new Map<number, number>());
  const hostLinks = new Uint32Array(nodes.count);
  for (let link = 0; link < links.count; link += 1) {
    const a = at(ports.node, at(links.a, link));
    const b = at(ports.node, at(links.b, link));
    const kind = linkKind(fabric, link);
    if (kind === "host") {
      if (at(nodes.kind, a) === switchCode) hostLinks[a] = at(hostLinks, a) + 1;
      if (at(nodes.kind, b) === switchCode) hostLinks[b] = at(hostLinks, b) + 1;
    } else if (kind === "inter-switch" && a !== b) {
      neighbours[a]?.set(b, (neighbours[a].get(b) ?? 0) + 1);
      neighbours[b]?.set(a, (neighbours[b].get(a) ?? 0) + 1);
    }
  }
  const switches: number[] = [];
  for (let node = 0; node < nodes.count; node += 1) if (at(nodes.kind, node) === switchCode) switches.push(node);
  return { neighbours, hostLinks, switches };
}

/** True when most cables of a switch with few hosts go to switches with many: it is above them, not beside them. */
function standsAbove(graph: SwitchGraph, node: number): boolean {
  const own = at(graph.hostLinks, node);
  let cables = 0;
  let toBusier = 0;
  for (const [other, count] of graph.neighbours[node] ?? []) {
    cables += count;
    if (at(graph.hostLinks, other) > 4 * own) toBusier += count;
  }
  // A leaf that lost most of its hosts has spines as neighbours, and those have none.
  return cables > 0 && toBusier * 2 > cables;
}

function distances(graph: SwitchGraph, tier: Int8Array, leaves: readonly number[]): void {
  for (const node of graph.switches) tier[node] = -1;
  for (const leaf of leaves) tier[leaf] = 1;
  let wave = leaves;
  for (let level = 2; wave.length > 0 && level < 100; level += 1) {
    const following: number[] = [];
    for (const node of wave) {
      for (const other of graph.neighbours[node]?.keys() ?? []) {
        if (tier[other] !== -1) continue;
        tier[other] = level;
        following.push(other);
      }
    }
    wave = following;
  }
}

/** Switches of tier 3 and up that share at least half of their neighbours with some leaf: leaves without hosts. */
function hostlessLeaves(graph: SwitchGraph, tier: Int8Array): readonly number[] {
  const found: number[] = [];
  for (const node of graph.switches) {
    if (at(tier, node) < 3) continue;
    const own = graph.neighbours[node] ?? new Map<number, number>();
    if (own.size === 0) continue;
    const shared = new Map<number, number>();
    for (const above of own.keys()) {
      for (const sibling of graph.neighbours[above]?.keys() ?? []) {
        if (at(tier, sibling) === 1) shared.set(sibling, (shared.get(sibling) ?? 0) + 1);
      }
    }
    for (const [sibling, count] of shared) {
      const union = own.size + (graph.neighbours[sibling]?.size ?? 0) - count;
      if (count >= 2 && count * 2 >= union) {
        found.push(node);
        break;
      }
    }
  }
  return found;
}

/** Tier per node: 1 … for switches, 0 for everything else, -1 for switches that no leaf reaches. */
export function tiersOf(fabric: Fabric, graph: SwitchGraph): Int8Array {
  const tier = new Int8Array(fabric.nodes.count);
  const withHosts = graph.switches.filter((node) => at(graph.hostLinks, node) > 0);
  const leaves = withHosts.filter((node) => !standsAbove(graph, node));
  distances(graph, tier, leaves);
  const more = hostlessLeaves(graph, tier);
  if (more.length > 0) distances(graph, tier, [...leaves, ...more]);
  return tier;
}
