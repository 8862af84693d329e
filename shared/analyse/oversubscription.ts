/** How much more the hosts of a leaf can send than its uplinks carry. */
import type { SwitchGraph } from "./switch-graph.ts";

export interface LeafRatio {
  /** Node index. */
  readonly leaf: number;
  /** Host bandwidth over uplink bandwidth, to two decimals. */
  readonly ratio: number;
}

/** Ratios of the leaves that have hosts and uplinks. O(neighbours of the leaves). */
export function leafRatios(
  { start, neighbour, gbps, hostGbps }: SwitchGraph,
  tier: Int8Array,
  leaves: readonly number[],
): readonly LeafRatio[] {
  const ratios: LeafRatio[] = [];
  for (const leaf of leaves) {
    let up = 0;
    for (let i = start[leaf] ?? 0; i < (start[leaf + 1] ?? 0); i += 1)
      if (tier[neighbour[i] ?? 0] === 2) up += gbps[i] ?? 0;
    const down = hostGbps[leaf] ?? 0;
    if (up > 0 && down > 0) ratios.push({ leaf, ratio: Math.round((down / up) * 100) / 100 });
  }
  return ratios;
}
