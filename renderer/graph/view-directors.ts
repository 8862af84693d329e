/** Directors as one drawn node each, until they are opened. Pure. */
import { at } from "../../shared/fabric/access.ts";
import { none } from "../../shared/fabric/model.ts";
import type { Structure } from "./structure.ts";
import type { ViewNode } from "./view-types.ts";

/**
 * Adds a node per closed director with at least two chips that no pod, group or plane holds, and enters it for those
 * chips in `nodeOfBox`.
 */
export function addDirectors(
  structure: Structure,
  open: ReadonlySet<number>,
  nodeOfBox: Uint32Array,
  nodes: ViewNode[],
): void {
  const chips: number[][] = structure.directors.map(() => []);
  structure.directorOfBox.forEach((director, box) => {
    if (director >= 0 && !open.has(director) && at(nodeOfBox, box) === none) chips[director]?.push(box);
  });
  chips.forEach((boxes, director) => {
    if (boxes.length < 2) return;
    for (const box of boxes) nodeOfBox[box] = nodes.length;
    nodes.push(directorNode(structure, director, boxes));
  });
}

function directorNode(structure: Structure, director: number, boxes: readonly number[]): ViewNode {
  const levels = boxes.map((box) => at(structure.boxLevel, box));
  const lowest = Math.min(...levels);
  const [first] = boxes;
  const clusters = new Set(boxes.map((box) => at(structure.clusterOfBox, box)));
  return {
    id: `d${boxes.map((box) => at(structure.boxNode, box)).join("+")}`,
    kind: "director",
    level: lowest,
    label: structure.directors[director] ?? "",
    node: none,
    host: none,
    box: first ?? none,
    block: none,
    cluster: clusters.size === 1 ? at(structure.clusterOfBox, first ?? 0) : -1,
    hosts: 0,
    leaves: levels.filter((level) => level === lowest).length,
    spines: levels.filter((level) => level !== lowest).length,
    boxes: Uint32Array.from(boxes),
    director,
    levels: [...new Set(levels)],
    health: 0,
    aggregations: boxes.reduce((sum, box) => sum + at(structure.aggregations, box), 0),
    manager: undefined,
    reached: true,
  };
}
