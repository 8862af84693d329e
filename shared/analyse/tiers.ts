/**
 * Which tier a switch stands in, from the graph alone (names play no part). O(links) a pass, few passes.
 *
 * Leaves are the switches with hosts; one that only carries a few and has mostly fuller switches with hosts around it
 * (SM or login hosts on a spine) is not. A switch of tier t + 1 has a fair share of its cables going to tier t: one
 * stray cable between a leaf and a core moves neither. A switch without hosts that is cabled like the leaves is one.
 * At last, whatever has a cable that fits nowhere is compared with the others of each tier (placement.ts).
 */
import { median } from "../base/statistics.ts";
import { placeByLikeness } from "./placement.ts";
import type { SwitchGraph } from "./switch-graph.ts";

/**
 * True when some of `among` shares at least two neighbours with `node`, and these are at least half of what the two have
 * together.
 */
function looksLikeOne({ start, neighbour }: SwitchGraph, node: number, among: ReadonlySet<number>): boolean {
  const shared = new Map<number, number>();
  const [first, end] = [start[node] ?? 0, start[node + 1] ?? 0];
  for (let i = first; i < end; i += 1) {
    const between = neighbour[i] ?? 0;
    for (let k = start[between] ?? 0; k < (start[between + 1] ?? 0); k += 1) {
      const sibling = neighbour[k] ?? 0;
      if (sibling !== node && among.has(sibling)) shared.set(sibling, (shared.get(sibling) ?? 0) + 1);
    }
  }
  for (const [sibling, count] of shared) {
    const all = end - first + (start[sibling + 1] ?? 0) - (start[sibling] ?? 0) - count;
    if (count >= 2 && count * 2 >= all) return true;
  }
  return false;
}

/**
 * The leaves among the switches with hosts. One with few hosts, for which hosts are the lesser part of its cables, may
 * be a spine or core with a stray host (a management host, a swapped cable): it is a leaf only when it is cabled like
 * one that has many.
 */
function leavesOf(graph: SwitchGraph): readonly number[] {
  const { hostLinks, cableCount } = graph;
  const withHosts = graph.switches.filter((node) => (hostLinks[node] ?? 0) > 0);
  const usual = median(withHosts.map((node) => hostLinks[node] ?? 0));
  const isStrong = (node: number): boolean => {
    const hosts = hostLinks[node] ?? 0;
    return hosts * 2 > usual || hosts >= (cableCount[node] ?? 0);
  };
  const strong = withHosts.filter((node) => isStrong(node) && !standsAbove(graph, node));
  const known = new Set(strong);
  const weak = withHosts.filter((node) => !isStrong(node) && looksLikeOne(graph, node, known));
  return [...strong, ...weak];
}

/** True when most cables of a switch go to switches with at least twice as many hosts: it is above them. */
function standsAbove({ start, neighbour, cables, hostLinks, cableCount }: SwitchGraph, node: number): boolean {
  let toHosts = 0;
  const busy: number[] = [];
  for (let i = start[node] ?? 0; i < (start[node + 1] ?? 0); i += 1) {
    const hosts = hostLinks[neighbour[i] ?? 0] ?? 0;
    if (hosts === 0) continue;
    toHosts += cables[i] ?? 0;
    busy.push(hosts);
  }
  return toHosts * 2 > (cableCount[node] ?? 0) && (hostLinks[node] ?? 0) * 2 <= median(busy);
}

/** Share of a switch's cables that must go to the tier below for it to stand on it. */
const footing = 0.05;
/** Tails longer than this have no tier. */
const mostLevels = 100;

/** Tiers above given leaves: by the share of cables to the tier below, tier by tier. */
function tiersAbove(graph: SwitchGraph, leaves: readonly number[], tier: Int8Array): void {
  const { start, neighbour, cables, cableCount } = graph;
  for (const node of graph.switches) tier[node] = -1;
  for (const leaf of leaves) tier[leaf] = 1;
  const strays = new Set<number>();
  let below: readonly number[] = leaves;
  for (let level = 2; below.length > 0 && level < mostLevels; level += 1) {
    /** Cables of those not placed yet to the tier below. */
    const down = new Uint32Array(tier.length);
    const reached: number[] = [];
    for (const node of below) {
      for (let i = start[node] ?? 0; i < (start[node + 1] ?? 0); i += 1) {
        const other = neighbour[i] ?? 0;
        if (tier[other] !== -1) continue;
        if (down[other] === 0) reached.push(other);
        down[other] = (down[other] ?? 0) + (cables[i] ?? 0);
      }
    }
    let standing: readonly number[] = reached.filter((node) => (down[node] ?? 0) >= (cableCount[node] ?? 0) * footing);
    // Those that were strays on a lower tier found none of their own, unless they mostly stand on this one.
    if (standing.every((node) => strays.has(node)))
      standing = standing.filter((node) => (down[node] ?? 0) * 2 > (cableCount[node] ?? 0));
    // A tail that hangs on by less than the share still hangs somewhere.
    const next =
      standing.length > 0
        ? withoutStrays(graph, tier, level, down, standing)
        : reached.filter((node) => !strays.has(node));
    for (const node of next) tier[node] = level;
    for (const node of standing) if (tier[node] === -1) strays.add(node);
    below = next;
  }
  placeRest(graph, tier);
}

/**
 * Puts what is left above the tier that most of its cables lead to, the higher of equals, and no higher than the top. In
 * a round all that have a placed neighbour; only neighbours of those placed last can be new, so that a tail of thousands
 * of switches costs no more than its cables.
 */
function placeRest(graph: SwitchGraph, tier: Int8Array): void {
  const { start, neighbour, cables } = graph;
  const top = highest(graph, tier);
  const votes = new Uint32Array(top + 1);
  let near: Iterable<number> = graph.switches.filter((node) => tier[node] === -1);
  for (;;) {
    const placed: [node: number, level: number][] = [];
    for (const node of near) {
      votes.fill(0);
      for (let i = start[node] ?? 0; i < (start[node + 1] ?? 0); i += 1) {
        const level = tier[neighbour[i] ?? 0] ?? -1;
        if (level > 0) votes[level] = (votes[level] ?? 0) + (cables[i] ?? 0);
      }
      const most = votes.reduce((high, count) => Math.max(high, count), 0);
      if (most > 0) placed.push([node, Math.min(votes.lastIndexOf(most) + 1, Math.max(top, 2))]);
    }
    if (placed.length === 0) return;
    for (const [node, level] of placed) tier[node] = level;
    const next = new Set<number>();
    for (const [node] of placed) {
      for (let i = start[node] ?? 0; i < (start[node + 1] ?? 0); i += 1) {
        const other = neighbour[i] ?? 0;
        if (tier[other] === -1) next.add(other);
      }
    }
    near = next;
  }
}

/**
 * Of the switches with a footing on one tier, those that belong there. One with far fewer cables down than usual may
 * stand higher and have got them astray. It stays when most of its cables lead down, when those below it hang mostly
 * on such as it (a small pod beside large ones), or when it is cabled like one with many. Where those with many are
 * joined among themselves (Dragonfly+), cables to them are no sign of standing higher, and all stay.
 */
function withoutStrays(
  graph: SwitchGraph,
  tier: Int8Array,
  level: number,
  down: Uint32Array,
  standing: readonly number[],
): readonly number[] {
  const { start, neighbour, cables, cableCount } = graph;
  const usual = median(standing.map((node) => down[node] ?? 0));
  const strong = new Set(standing.filter((node) => (down[node] ?? 0) * 2 > usual));
  if (strong.size === standing.length) return standing;
  const weak = new Set(standing.filter((node) => !strong.has(node)));
  const onStrongAndWeak = (node: number): readonly [number, number] => {
    let [onStrong, onWeak] = [0, 0];
    for (let i = start[node] ?? 0; i < (start[node + 1] ?? 0); i += 1) {
      const upper = neighbour[i] ?? 0;
      if (strong.has(upper)) onStrong += cables[i] ?? 0;
      else if (weak.has(upper)) onWeak += cables[i] ?? 0;
    }
    return [onStrong, onWeak];
  };
  if (median([...strong].map((node) => onStrongAndWeak(node)[0])) > 0) return standing;
  /** True when the switches below hang on weak ones by most of their cables; a single one may itself stand wrong. */
  const carriesAlone = (node: number): boolean => {
    let balance = 0;
    let lowers = 0;
    for (let i = start[node] ?? 0; i < (start[node + 1] ?? 0); i += 1) {
      const lower = neighbour[i] ?? 0;
      if (tier[lower] !== level - 1) continue;
      const [onStrong, onWeak] = onStrongAndWeak(lower);
      balance += onWeak - onStrong;
      lowers += 1;
    }
    return balance > 0 && lowers > 1;
  };
  return standing.filter(
    (node) =>
      strong.has(node) ||
      (down[node] ?? 0) * 2 > (cableCount[node] ?? 0) ||
      carriesAlone(node) ||
      looksLikeOne(graph, node, strong),
  );
}

/**
 * True when `node` is cabled to tier `between` as the switches of tier `between` - 1 are: it shares more than half of its
 * neighbours there with at least half as many of them as hang on one of these neighbours. A single one may have got there
 * by a stray cable.
 * @param above per switch of tier `between` - 1, its neighbours on tier `between`
 * @param shared all zero, and left so
 */
function cabledLikeBelow(
  { start, neighbour }: SwitchGraph,
  tier: Int8Array,
  node: number,
  between: number,
  above: Uint32Array,
  shared: Uint32Array,
): boolean {
  const siblings: number[] = [];
  let own = 0;
  let reached = 0;
  for (let i = start[node] ?? 0; i < (start[node + 1] ?? 0); i += 1) {
    const other = neighbour[i] ?? 0;
    if (tier[other] !== between) continue;
    own += 1;
    for (let k = start[other] ?? 0; k < (start[other + 1] ?? 0); k += 1) {
      const sibling = neighbour[k] ?? 0;
      if (tier[sibling] !== between - 1) continue;
      if (shared[sibling] === 0) siblings.push(sibling);
      shared[sibling] = (shared[sibling] ?? 0) + 1;
      reached += 1;
    }
  }
  let alike = 0;
  for (const sibling of siblings) {
    const count = shared[sibling] ?? 0;
    shared[sibling] = 0;
    if (count >= 2 && count * 2 > own + (above[sibling] ?? 0) - count) alike += 1;
  }
  return alike > 0 && alike * 2 * own >= reached;
}

/** Per switch: neighbours on the tier above its own. */
function neighboursAbove({ switches, start, neighbour }: SwitchGraph, tier: Int8Array): Uint32Array {
  const above = new Uint32Array(tier.length);
  for (const node of switches) {
    const wanted = (tier[node] ?? 0) + 1;
    let count = 0;
    for (let i = start[node] ?? 0; i < (start[node + 1] ?? 0); i += 1)
      if (tier[neighbour[i] ?? 0] === wanted) count += 1;
    above[node] = count;
  }
  return above;
}

/**
 * Branches without hosts: counted from the leaves they seem to stand above the top (a hostless leaf of a two-level tree
 * on tier 3, the spines of a hostless pod on tier 4, its leaves on tier 5). What is cabled to tier t - 1 as the
 * switches of tier t - 2 are belongs on t - 2, and what hangs only on such switches goes below them.
 */
function foldHostlessBranches(graph: SwitchGraph, tier: Int8Array): void {
  const { switches, start, neighbour } = graph;
  const levels = highest(graph, tier);
  if (levels < 3) return;
  const above = neighboursAbove(graph, tier);
  const shared = new Uint32Array(tier.length);
  const folded = new Map<number, number>();
  for (let level = 3; level <= levels; level += 1) {
    for (const node of switches) {
      if (tier[node] !== level) continue;
      let below = 0;
      let carriers = 0;
      let carrierAt: number | undefined;
      for (let i = start[node] ?? 0; i < (start[node + 1] ?? 0); i += 1) {
        const other = neighbour[i] ?? 0;
        if (tier[other] !== level - 1) continue;
        below += 1;
        const at = folded.get(other);
        if (at === undefined) continue;
        carriers += 1;
        carrierAt = Math.min(carrierAt ?? at, at);
      }
      if (carrierAt !== undefined && carriers * 2 >= below) folded.set(node, Math.max(1, carrierAt - 1));
      else if (cabledLikeBelow(graph, tier, node, level - 1, above, shared)) folded.set(node, level - 2);
    }
  }
  for (const [node, level] of folded) tier[node] = level;
}

/** The top tier, 0 when no switch has one. */
export function highest({ switches }: SwitchGraph, tier: Int8Array): number {
  let top = 0;
  for (const node of switches) top = Math.max(top, tier[node] ?? 0);
  return top;
}

/** Tier per node: 1 … for switches, 0 for everything else, -1 for switches that no leaf reaches. */
export function tiersOf(graph: SwitchGraph): Int8Array {
  const tier = new Int8Array(graph.hostLinks.length);
  tiersAbove(graph, leavesOf(graph), tier);
  foldHostlessBranches(graph, tier);
  placeByLikeness(graph, tier);
  return tier;
}
