/**
 * Pods and groups: leaves that share at least half of their spines belong together, and a spine belongs where most of
 * its cables to leaves go. A stray cable to another pod changes neither. O(leaves × spines of a leaf).
 */
import { median } from "../base/statistics.ts";
import type { Block } from "./results.ts";
import type { SwitchGraph } from "./switch-graph.ts";

interface Seed {
  /** Spines above its first leaf. */
  readonly spines: number;
  /** Its position among the seeds. */
  readonly index: number;
}

/** Blocks in order of their first leaf in `leaves`. A leaf without spines makes a block of its own. */
export function blocksOf(
  graph: SwitchGraph,
  tier: Int8Array,
  leaves: readonly number[],
  spines: readonly number[],
): readonly Block[] {
  const blockOfLeaf = seedBlocks(graph, tier, leaves);
  const blockOfSpine = new Int32Array(tier.length).fill(-1);
  for (const spine of spines) blockOfSpine[spine] = mostCables(graph, spine, blockOfLeaf);
  // A leaf with half of its cables astray may have begun a block of its own: it goes where its spines are.
  for (const leaf of leaves) {
    const block = mostCables(graph, leaf, blockOfSpine);
    if (block !== -1) blockOfLeaf[leaf] = block;
  }
  const blocks = new Map<number, { readonly leaves: number[]; readonly spines: number[]; hosts: number }>();
  for (const leaf of leaves) {
    const number = blockOfLeaf[leaf] ?? -1;
    const block = blocks.get(number) ?? { leaves: [], spines: [], hosts: 0 };
    block.leaves.push(leaf);
    block.hosts += graph.hostLinks[leaf] ?? 0;
    blocks.set(number, block);
  }
  for (const spine of spines) blocks.get(blockOfSpine[spine] ?? -1)?.spines.push(spine);
  return [...blocks.values()];
}

/** A block number per leaf, -1 for other nodes: each leaf joins the first whose spines it mostly shares, or begins one. */
function seedBlocks(graph: SwitchGraph, tier: Int8Array, leaves: readonly number[]): Int32Array {
  const { start, neighbour } = graph;
  const above = new Uint32Array(tier.length);
  for (const leaf of leaves) {
    let count = 0;
    for (let i = start[leaf] ?? 0; i < (start[leaf + 1] ?? 0); i += 1) if (tier[neighbour[i] ?? 0] === 2) count += 1;
    above[leaf] = count;
  }
  const usual = median(leaves.map((leaf) => above[leaf] ?? 0));
  const blockOfLeaf = new Int32Array(tier.length).fill(-1);
  const seedsOfSpine = new Map<number, Seed[]>();
  const shared: number[] = [];
  let seeds = 0;
  const place = (leaf: number): void => {
    const own = above[leaf] ?? 0;
    let best = -1;
    let bestShare = 0;
    const met: Seed[] = [];
    for (let i = start[leaf] ?? 0; i < (start[leaf + 1] ?? 0); i += 1) {
      for (const seed of seedsOfSpine.get(neighbour[i] ?? 0) ?? []) {
        if (shared[seed.index] === 0) met.push(seed);
        shared[seed.index] = (shared[seed.index] ?? 0) + 1;
      }
    }
    for (const { index, spines } of met) {
      const share = (shared[index] ?? 0) / Math.min(own, spines);
      if (share > bestShare) [best, bestShare] = [index, share];
      shared[index] = 0;
    }
    if (bestShare > 0.5) {
      blockOfLeaf[leaf] = best;
      return;
    }
    const seed: Seed = { spines: own, index: seeds };
    blockOfLeaf[leaf] = seeds;
    shared.push(0);
    seeds += 1;
    for (let i = start[leaf] ?? 0; i < (start[leaf + 1] ?? 0); i += 1) {
      const spine = neighbour[i] ?? 0;
      if (tier[spine] !== 2) continue;
      const list = seedsOfSpine.get(spine);
      if (list === undefined) seedsOfSpine.set(spine, [seed]);
      else list.push(seed);
    }
  };
  // A leaf that lost cables, with one of the rest astray, is half in each of two blocks: it must not be the seed of either.
  for (const leaf of leaves) if ((above[leaf] ?? 0) >= usual) place(leaf);
  for (const leaf of leaves) if ((above[leaf] ?? 0) < usual) place(leaf);
  return blockOfLeaf;
}

/** Block that most cables of a switch lead to, -1 for none; the first of equals. */
function mostCables({ start, neighbour, cables }: SwitchGraph, node: number, blockOf: Int32Array): number {
  const votes = new Map<number, number>();
  let best = -1;
  let most = 0;
  for (let i = start[node] ?? 0; i < (start[node + 1] ?? 0); i += 1) {
    const block = blockOf[neighbour[i] ?? 0] ?? -1;
    if (block === -1) continue;
    const count = (votes.get(block) ?? 0) + (cables[i] ?? 0);
    votes.set(block, count);
    if (count > most) [best, most] = [block, count];
  }
  return best;
}
