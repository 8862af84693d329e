/**
 * Where everything stands. World units are px at 100 % zoom. Rows from the top: routers, core, spine, leaf, hosts; pods
 * side by side; parts that are not connected beside each other. Dragonfly+: groups in a ring or a grid. What has no shape
 * is a field of switches (place-fields.ts). The size is chosen to fill the given viewport. Pure, deterministic, typed
 * arrays in and out: runs in a worker for large fabrics.
 */
import { at } from "../../shared/fabric/access.ts";
import { adjacency } from "./order.ts";
import { divide } from "./parts.ts";
import { placeFields } from "./place-fields.ts";
import { Ground } from "./place-ground.ts";
import { placeGroups } from "./place-groups.ts";
import { Placer } from "./place.ts";
import type { Structure } from "./structure.ts";
import type { Layout, LayoutOptions } from "./layout-types.ts";

/** Places everything. Same input, same result. Trees and groups: O((nodes + links) log nodes). */
export function layoutFabric(structure: Structure, options: LayoutOptions): Layout {
  const rank = rankBoxes(structure, options.previous);
  const graph = adjacency(structure);
  const ground = new Ground(structure, options);
  const placer = new Placer(ground);
  const keepOrder = options.previous !== undefined;
  if (structure.shape === "dragonfly+" && structure.clusters > 0) {
    placer.placeRest(placeGroups(ground, rank));
    return ground.finish();
  }
  const { parts, unplaced } = divide(structure, graph, rank, keepOrder);
  placer.placeParts(parts.filter((part) => !part.loose));
  placeFields(
    ground,
    graph,
    parts.filter((part) => part.loose).map((part) => part.units.flatMap((unit) => unit.low)),
  );
  placer.placeRest(unplaced);
  return ground.finish();
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
