/**
 * Pods and groups: leaves that share at least half of their spines belong together, and a spine belongs where most of
 * its cables to leaves go. A stray cable to another pod changes neither. O(leaves × spines of a leaf).
 */
import { median } from "../base/statistics.ts";
import { at } from "../fabric/access.ts";
import type { Block } from "./results.ts";
import type { SwitchGraph } from "./tiers.ts";

/** Spines above each leaf, as sets. */
function spinesAbove(graph: SwitchGraph, tier: Int8Array, leaf: number): ReadonlySet<number> {
  const above = new Set<number>();
  for (const other of graph.neighbours[leaf]?.keys() ?? []) if (at(tier, other) === 2) above.add(other);
  return above;
}

interface Seed {
  readonly leaves: number[];
  readonly spines: ReadonlySet<number>;
}

/** Blocks in order of their first leaf in `leaves`. A leaf without spines makes a block of its own. */
export function blocksOf(
  graph: SwitchGraph,
  tier: Int8Array,
  leaves: readonly number[],
  spines: readonly number[],
): readonly Block[] {
  const seeds: Seed[] = [];
  const seedsOfSpine = new Map<number, Seed[]>();
  const above = leaves.map((leaf) => ({ leaf, own: spinesAbove(graph, tier, leaf) }));
  const usual = median(above.map(({ own }) => own.size));
  // A leaf that lost cables, with one of the rest astray, is half in each of two blocks: it must not be the seed of either.
  const whole = above.filter(({ own }) => own.size >= usual);
  for (const { leaf, own } of [...whole, ...above.filter(({ own }) => own.size < usual)]) {
    const shared = new Map<Seed, number>();
    for (const spine of own)
      for (const seed of seedsOfSpine.get(spine) ?? []) shared.set(seed, (shared.get(seed) ?? 0) + 1);
    let best: Seed | undefined;
    let bestShare = 0;
    for (const [seed, count] of shared) {
      const share = count / Math.min(own.size, seed.spines.size);
      if (share > bestShare) {
        best = seed;
        bestShare = share;
      }
    }
    if (best !== undefined && bestShare > 0.5) {
      best.leaves.push(leaf);
      continue;
    }
    const seed: Seed = { leaves: [leaf], spines: own };
    seeds.push(seed);
    for (const spine of own) {
      const list = seedsOfSpine.get(spine);
      if (list === undefined) seedsOfSpine.set(spine, [seed]);
      else list.push(seed);
    }
  }
  const blockOfLeaf = new Map(seeds.flatMap((seed, i) => seed.leaves.map((leaf): [number, number] => [leaf, i])));
  const blockOfSpine = new Map<number, number>();
  for (const spine of spines) {
    const block = mostCables(graph, spine, blockOfLeaf);
    if (block !== undefined) blockOfSpine.set(spine, block);
  }
  // A leaf with half of its cables astray may have begun a block of its own: it goes where its spines are.
  for (const leaf of leaves) {
    const block = mostCables(graph, leaf, blockOfSpine);
    if (block !== undefined) blockOfLeaf.set(leaf, block);
  }
  const blocks = seeds.map((_seed, i) => ({
    leaves: leaves.filter((leaf) => blockOfLeaf.get(leaf) === i),
    spines: spines.filter((spine) => blockOfSpine.get(spine) === i),
  }));
  const place = new Map(leaves.map((leaf, i) => [leaf, i]));
  const first = ({ leaves: own }: { readonly leaves: readonly number[] }): number => place.get(own[0] ?? -1) ?? 0;
  return blocks
    .filter((block) => block.leaves.length > 0)
    .sort((a, b) => first(a) - first(b))
    .map((block) => ({ ...block, hosts: block.leaves.reduce((sum, leaf) => sum + at(graph.hostLinks, leaf), 0) }));
}

/** Block that most cables of a switch lead to. */
function mostCables(graph: SwitchGraph, node: number, blockOf: ReadonlyMap<number, number>): number | undefined {
  const votes = new Map<number, number>();
  let best: number | undefined;
  for (const [other, count] of graph.neighbours[node] ?? []) {
    const block = blockOf.get(other);
    if (block === undefined) continue;
    votes.set(block, (votes.get(block) ?? 0) + count);
    if (best === undefined || (votes.get(block) ?? 0) > (votes.get(best) ?? 0)) best = block;
  }
  return best;
}
