/**
 * Where everything stands. World units are px at 100 % zoom. Rows from the top: routers, core, spine, leaf, hosts; pods
 * side by side; parts that are not connected beside each other. The height is chosen to fill the given viewport. Pure,
 * deterministic, typed arrays in and out: runs in a worker for large fabrics.
 */
import { at } from "../../shared/fabric/access.ts";
import { adjacency } from "./order.ts";
import { divide } from "./parts.ts";
import { Placer } from "./place.ts";
import type { Structure } from "./structure.ts";
import type { Layout, LayoutOptions } from "./layout-types.ts";

/** Places everything. Same input, same result. O((nodes + links) log nodes). */
export function layoutFabric(structure: Structure, options: LayoutOptions): Layout {
  const rank = rankBoxes(structure, options.previous);
  const graph = adjacency(structure);
  const { parts, unplaced } = divide(structure, graph, rank, options.previous !== undefined);
  const placer = new Placer(structure, options);
  placer.placeParts(parts);
  placer.placeRest(unplaced);
  return placer.finish();
}

/** Drawing order: the last one with new boxes after their neighbour in analysis' order, or analysis' order. */
function rankBoxes(structure: Structure, previous: Float64Array | undefined): Float64Array {
  const boxes = structure.boxNode.length;
  if (previous === undefined) return Float64Array.from(structure.boxRank);
  const byRank = Array.from({ length: boxes }, (_, i) => i).sort(
    (x, y) => at(structure.boxRank, x) - at(structure.boxRank, y),
  );
  const key = new Float64Array(boxes);
  const last = new Map<number, number>();
  for (const box of byRank) {
    const level = at(structure.boxLevel, box);
    const known = previous[box] ?? -1;
    key[box] = known >= 0 ? known : (last.get(level) ?? -1) + 0.5;
    last.set(level, at(key, box));
  }
  return key;
}
