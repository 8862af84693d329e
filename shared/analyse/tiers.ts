/**
 * Which tier a switch stands in, from the graph alone (names play no part). O(links) a pass, few passes.
 *
 * Leaves are the switches with hosts; one that only carries a few and has mostly fuller switches with hosts around it
 * (SM or login hosts on a spine) is not. A switch of tier t + 1 has a fair share of its cables going to tier t: one
 * stray cable between a leaf and a core moves neither. A switch without hosts that is cabled like the leaves is one.
 */
import { median } from "../base/statistics.ts";
import { at, linkKind } from "../fabric/access.ts";
import type { Fabric } from "../fabric/model.ts";

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

/** True when two switches share at least half of their neighbours, and at least two of them. */
function cabledAlike(graph: SwitchGraph, a: number, b: number): boolean {
  const [x, y] = [graph.neighbours[a], graph.neighbours[b]];
  if (x === undefined || y === undefined) return false;
  let shared = 0;
  for (const other of x.keys()) if (y.has(other)) shared += 1;
  return shared >= 2 && shared * 2 >= x.size + y.size - shared;
}

/**
 * The leaves among the switches with hosts. One with few hosts, for which hosts are the lesser part of its cables, may
 * be a spine or core with a stray host (a management host, a swapped cable): it is a leaf only when it is cabled like
 * one that has many.
 */
function leavesOf(graph: SwitchGraph): readonly number[] {
  const withHosts = graph.switches.filter((node) => at(graph.hostLinks, node) > 0);
  const usual = median(withHosts.map((node) => at(graph.hostLinks, node)));
  const isStrong = (node: number): boolean => {
    const hosts = at(graph.hostLinks, node);
    return hosts * 2 > usual || hosts >= sum(graph.neighbours[node]);
  };
  const strong = withHosts.filter((node) => isStrong(node) && !standsAbove(graph, node));
  const known = new Set(strong);
  const weak = withHosts.filter((node) => !isStrong(node) && looksLikeOne(graph, node, known));
  return [...strong, ...weak];
}

/** True when some of `leaves`, reached over a shared neighbour, is cabled alike. */
function looksLikeOne(graph: SwitchGraph, node: number, leaves: ReadonlySet<number>): boolean {
  for (const above of graph.neighbours[node]?.keys() ?? []) {
    for (const sibling of graph.neighbours[above]?.keys() ?? []) {
      if (sibling !== node && leaves.has(sibling) && cabledAlike(graph, node, sibling)) return true;
    }
  }
  return false;
}

/** True when most cables of a switch go to switches with at least twice as many hosts: it is above them. */
function standsAbove(graph: SwitchGraph, node: number): boolean {
  const own = at(graph.hostLinks, node);
  let cables = 0;
  let toHosts = 0;
  const busy: number[] = [];
  for (const [other, count] of graph.neighbours[node] ?? []) {
    cables += count;
    const hosts = at(graph.hostLinks, other);
    if (hosts === 0) continue;
    toHosts += count;
    busy.push(hosts);
  }
  return toHosts * 2 > cables && own * 2 <= median(busy);
}

/** Share of a switch's cables that must go to the tier below for it to stand on it. */
const footing = 0.05;

/** Tiers above given leaves: by the share of cables to the tier below, tier by tier. */
function tiersAbove(graph: SwitchGraph, tier: Int8Array, leaves: readonly number[]): void {
  for (const node of graph.switches) tier[node] = -1;
  for (const leaf of leaves) tier[leaf] = 1;
  const cables = new Map(graph.switches.map((node) => [node, sum(graph.neighbours[node])]));
  let below: readonly number[] = leaves;
  for (let level = 2; below.length > 0 && level < 100; level += 1) {
    const down = new Map<number, number>();
    for (const node of below) {
      for (const [other, count] of graph.neighbours[node] ?? []) {
        if (at(tier, other) === -1) down.set(other, (down.get(other) ?? 0) + count);
      }
    }
    const standing = [...down]
      .filter(([node, count]) => count >= (cables.get(node) ?? 0) * footing)
      .map(([node]) => node);
    // A tail that hangs on by less than the share still hangs somewhere.
    const next = standing.length > 0 ? withoutStrays(graph, down, standing) : [...down.keys()];
    for (const node of next) tier[node] = level;
    below = next;
  }
}

/**
 * Of the switches with a footing on one tier, those that belong there. One with far fewer cables down than usual, most
 * of whose cables go to others that have many, stands above those and got a stray cable, unless it is cabled like them.
 */
function withoutStrays(
  graph: SwitchGraph,
  down: ReadonlyMap<number, number>,
  standing: readonly number[],
): readonly number[] {
  const usual = median(standing.map((node) => down.get(node) ?? 0));
  const strong = new Set(standing.filter((node) => (down.get(node) ?? 0) * 2 > usual));
  return standing.filter((node) => {
    if (strong.has(node)) return true;
    let beside = 0;
    for (const [other, count] of graph.neighbours[node] ?? []) if (strong.has(other)) beside += count;
    return beside * 2 <= sum(graph.neighbours[node]) || looksLikeOne(graph, node, strong);
  });
}

function sum(neighbours: ReadonlyMap<number, number> | undefined): number {
  let total = 0;
  for (const count of neighbours?.values() ?? []) total += count;
  return total;
}

/**
 * True when `node` is cabled to tier `between` as the switches of tier `between` - 1 are: it shares more than half of its
 * neighbours there with at least half as many of them as hang on one of these neighbours. A single one may have got there
 * by a stray cable.
 */
function cabledLikeBelow(graph: SwitchGraph, tier: Int8Array, node: number, between: number): boolean {
  const own = [...(graph.neighbours[node]?.keys() ?? [])].filter((other) => at(tier, other) === between);
  const shared = new Map<number, number>();
  let reached = 0;
  for (const other of own) {
    for (const sibling of graph.neighbours[other]?.keys() ?? []) {
      if (at(tier, sibling) !== between - 1) continue;
      shared.set(sibling, (shared.get(sibling) ?? 0) + 1);
      reached += 1;
    }
  }
  let alike = 0;
  for (const [sibling, count] of shared) {
    if (count < 2) continue;
    let above = 0;
    for (const other of graph.neighbours[sibling]?.keys() ?? []) if (at(tier, other) === between) above += 1;
    if (count * 2 > own.length + above - count) alike += 1;
  }
  return alike > 0 && alike * 2 * own.length >= reached;
}

/**
 * Branches without hosts: counted from the leaves they seem to stand above the top (a hostless leaf of a two-level tree
 * on tier 3, the spines of a hostless pod on tier 4, its leaves on tier 5). What is cabled to tier t - 1 as the
 * switches of tier t - 2 are belongs on t - 2, and what hangs only on such switches goes below them.
 */
function foldHostlessBranches(graph: SwitchGraph, tier: Int8Array): void {
  const levels = graph.switches.reduce((top, node) => Math.max(top, at(tier, node)), 0);
  const folded = new Map<number, number>();
  for (let level = 3; level <= levels; level += 1) {
    for (const node of graph.switches) {
      if (at(tier, node) !== level) continue;
      const below = [...(graph.neighbours[node]?.keys() ?? [])].filter((other) => at(tier, other) === level - 1);
      const carriers = below.filter((other) => folded.has(other));
      if (carriers.length > 0 && carriers.length * 2 >= below.length) {
        folded.set(node, Math.max(1, (folded.get(carriers[0] ?? -1) ?? 2) - 1));
      } else if (cabledLikeBelow(graph, tier, node, level - 1)) {
        folded.set(node, level - 2);
      }
    }
  }
  for (const [node, level] of folded) tier[node] = level;
}

/** Cables of a switch by the tier at their other end. */
type Profile = ReadonlyMap<number, number>;

function profileOf(graph: SwitchGraph, tier: Int8Array, node: number): Profile {
  const profile = new Map<number, number>();
  for (const [other, count] of graph.neighbours[node] ?? []) {
    profile.set(at(tier, other), (profile.get(at(tier, other)) ?? 0) + count);
  }
  return profile;
}

/** True where spines are joined among themselves (Dragonfly+): a cable between two of tier 2 fits as well. */
function spinesAreJoined(graph: SwitchGraph, tier: Int8Array): boolean {
  let all = 0;
  let level = 0;
  for (const node of graph.switches) {
    for (const [other, count] of graph.neighbours[node] ?? []) {
      all += count;
      if (at(tier, node) === 2 && at(tier, other) === 2) level += count;
    }
  }
  return level * 10 > all;
}

/** Moves a switch by one tier where more of its cables then join neighbouring tiers. */
function settle(graph: SwitchGraph, tier: Int8Array, amongSpines: boolean): void {
  const fit = (node: number, wanted: number): number => {
    let cables = 0;
    for (const [other, count] of graph.neighbours[node] ?? []) {
      const distance = Math.abs(at(tier, other) - wanted);
      if (at(tier, other) > 0 && (distance === 1 || (distance === 0 && wanted === 2 && amongSpines))) cables += count;
    }
    return cables;
  };
  for (const node of graph.switches) {
    const now = at(tier, node);
    if (now < 2) continue;
    const better = [now - 1, now + 1]
      .filter((wanted) => wanted >= 2)
      .find((wanted) => fit(node, wanted) > fit(node, now));
    if (better !== undefined) tier[node] = better;
  }
}

/**
 * Moves a switch up where it is far more like those above: in a small fabric a core has so few cables that two swapped
 * ones outweigh the rest, but it has as many as the other cores and not as many as a spine. Asked only of switches with
 * a cable that does not fit where they stand, so that a small pod beside large ones stays what it is.
 */
function compareNumbers(graph: SwitchGraph, tier: Int8Array, amongSpines: boolean): void {
  const profiles = new Map(graph.switches.map((node) => [node, profileOf(graph, tier, node)]));
  const cablesTo = (node: number, level: number): number => profiles.get(node)?.get(level) ?? 0;
  const levels = graph.switches.reduce((top, node) => Math.max(top, at(tier, node)), 0);
  const usual = Array.from({ length: levels + 1 }, (_, level) => {
    const own = graph.switches.filter((node) => at(tier, node) === level);
    return {
      switches: own.length,
      down: median(own.map((node) => cablesTo(node, level - 1))),
      up: median(own.map((node) => cablesTo(node, level + 1))),
    };
  });
  const moves: [number, number][] = [];
  for (const node of graph.switches) {
    const now = at(tier, node);
    if (now < 2 || now >= levels) continue;
    const all = sum(graph.neighbours[node]);
    /** Cables that do not fit on a level, and what differs from the usual there. */
    const cost = (level: number): { readonly wrong: number; readonly whole: number } => {
      const [down, up] = [cablesTo(node, level - 1), cablesTo(node, level + 1)];
      const wrong = all - down - up - (level === 2 && amongSpines ? cablesTo(node, 2) : 0);
      const other = usual[level];
      return { wrong, whole: wrong + Math.abs(down - (other?.down ?? 0)) + Math.abs(up - (other?.up ?? 0)) };
    };
    const [here, above] = [cost(now), cost(now + 1)];
    const known = (usual[now + 1]?.switches ?? 0) >= 3;
    if (known && here.wrong > 0 && above.wrong <= here.wrong * 3 && above.whole < here.whole)
      moves.push([node, now + 1]);
  }
  for (const [node, level] of moves) tier[node] = level;
}

/** Tier per node: 1 … for switches, 0 for everything else, -1 for switches that no leaf reaches. */
export function tiersOf(fabric: Fabric, graph: SwitchGraph): Int8Array {
  const tier = new Int8Array(fabric.nodes.count);
  tiersAbove(graph, tier, leavesOf(graph));
  foldHostlessBranches(graph, tier);
  const amongSpines = spinesAreJoined(graph, tier);
  settle(graph, tier, amongSpines);
  compareNumbers(graph, tier, amongSpines);
  return tier;
}
