/** Pods, groups and planes as drawn nodes, with the little matrix of their inner links. */
import { at } from "../../shared/fabric/access.ts";
import { type Fabric, none } from "../../shared/fabric/model.ts";
import { type Analysis, healths } from "../../shared/analyse/results.ts";
import { clusterOfBlocks, type Folding } from "./clusters.ts";
import { hostsOfBlock, type Structure } from "./structure.ts";
import type { Cells, ViewGraph, ViewNode } from "./view-types.ts";
import { isBlock, type Collected } from "./view-links.ts";

/** Drawn node of each box and of each block of hosts that is inside a block, else {@link none}. */
interface Within {
  readonly nodeOfBox: Uint32Array;
  readonly nodeOfBlock: Uint32Array;
}

/** Adds a node per folded pod, group and plane. */
export function addBlocks(
  structure: Structure,
  folding: Folding,
  openDirectors: ReadonlySet<number>,
  nodes: ViewNode[],
): Within {
  const boxes = structure.boxNode.length;
  const nodeOfBox = new Uint32Array(boxes).fill(none);
  const blocks = clusterOfBlocks(structure, folding);
  const nodeOfBlock = new Uint32Array(blocks.length).fill(none);
  const counts = {
    leaves: new Map<number, number>(),
    spines: new Map<number, number>(),
    hosts: new Map<number, number>(),
  };
  const cores = new Map<number, number[]>();
  const first = new Map<number, number>();
  const add = (map: Map<number, number>, key: number, more: number): void => {
    map.set(key, (map.get(key) ?? 0) + more);
  };
  for (let box = 0; box < boxes; box++) {
    const cluster = at(structure.clusterOfBox, box);
    const plane = at(folding.planeOfBox, box);
    if (cluster >= 0) {
      add(at(structure.boxLevel, box) === 1 ? counts.leaves : counts.spines, cluster, 1);
      if (!first.has(cluster)) first.set(cluster, box);
    }
    if (plane >= 0) {
      const own = cores.get(plane);
      if (own === undefined) cores.set(plane, [at(structure.boxNode, box)]);
      else own.push(at(structure.boxNode, box));
    }
  }
  blocks.forEach((cluster, block) => {
    if (cluster >= 0) add(counts.hosts, cluster, hostsOfBlock(structure, block).length);
  });
  const kind = structure.shape === "dragonfly+" ? "group" : "pod";
  const nodeOfCluster = new Map<number, number>();
  for (const cluster of folding.clusters) {
    nodeOfCluster.set(cluster, nodes.length);
    nodes.push({
      ...plain,
      id: `${kind}${at(structure.boxNode, first.get(cluster) ?? 0)}`,
      kind,
      level: 1,
      label: folding.clusterNames.get(cluster) ?? "",
      cluster,
      hosts: counts.hosts.get(cluster) ?? 0,
      leaves: counts.leaves.get(cluster) ?? 0,
      spines: counts.spines.get(cluster) ?? 0,
    });
  }
  const nodeOfPlane = new Map<number, number>();
  const mixed = planesOfOthers(structure, folding, openDirectors);
  for (const plane of folding.planes) {
    // A plane that is nothing but closed directors is drawn as these.
    if (!mixed.has(plane)) continue;
    nodeOfPlane.set(plane, nodes.length);
    nodes.push({
      ...plain,
      id: `plane${plane}`,
      kind: "plane",
      level: 3,
      label: folding.planeNames.get(plane) ?? "",
      cluster: plane,
      hosts: 0,
      leaves: 0,
      spines: cores.get(plane)?.length ?? 0,
      cores: cores.get(plane) ?? [],
    });
  }
  for (let box = 0; box < boxes; box++) {
    const within =
      nodeOfCluster.get(at(structure.clusterOfBox, box)) ?? nodeOfPlane.get(at(folding.planeOfBox, box)) ?? none;
    nodeOfBox[box] = within;
  }
  blocks.forEach((cluster, block) => {
    if (cluster >= 0) nodeOfBlock[block] = nodeOfCluster.get(cluster) ?? none;
  });
  return { nodeOfBox, nodeOfBlock };
}

/** Planes with a switch that is no chip of a closed director. */
function planesOfOthers(
  structure: Structure,
  folding: Folding,
  openDirectors: ReadonlySet<number>,
): ReadonlySet<number> {
  const found = new Set<number>();
  folding.planeOfBox.forEach((plane, box) => {
    const director = at(structure.directorOfBox, box);
    if (plane >= 0 && (director < 0 || openDirectors.has(director))) found.add(plane);
  });
  return found;
}

const plain = {
  node: none,
  host: none,
  box: none,
  block: none,
  health: 0,
  aggregations: 0,
  manager: undefined,
  reached: true,
} as const;

/** The matrix of each drawn pod, group and director. O(links inside). */
export function cellsOf(
  input: { readonly fabric: Fabric; readonly analysis: Analysis; readonly structure: Structure },
  nodes: readonly ViewNode[],
  nodeOf: Uint32Array,
  collected: Collected,
): Pick<ViewGraph, "cells" | "cellOfFabricLink" | "cellOfMissing"> {
  const { fabric, analysis, structure } = input;
  const order = Array.from(structure.boxNode.keys()).sort(
    (a, b) => at(structure.boxRank, a) - at(structure.boxRank, b),
  );
  const place = new Uint16Array(order.length);
  const columns = new Map<number, { leaves: number; spines: number }>();
  const isLower = (box: number, node: number): boolean => at(structure.boxLevel, box) === nodes[node]?.level;
  for (const box of order) {
    const node = at(nodeOf, at(structure.boxNode, box));
    let seen = columns.get(node);
    if (seen === undefined) columns.set(node, (seen = { leaves: 0, spines: 0 }));
    place[box] = isLower(box, node) ? seen.leaves++ : seen.spines++;
  }
  const cells = new Map<number, Cells>();
  const cables = new Map<number, Uint16Array>();
  nodes.forEach((node, i) => {
    const hasInside = node.kind === "director" || (isBlock(node) && node.kind !== "plane");
    if (!hasInside || node.leaves === 0 || node.spines === 0) return;
    cells.set(i, { columns: node.leaves, rows: node.spines, health: new Uint8Array(node.leaves * node.spines) });
    cables.set(i, new Uint16Array(node.leaves * node.spines));
  });
  const mark = (inside: number, portA: number, portB: number, health: number): number => {
    const cell = inside === none ? undefined : cells.get(inside);
    if (cell === undefined) return none;
    const a = at(structure.boxOfNode, at(fabric.ports.node, portA));
    const b = at(structure.boxOfNode, at(fabric.ports.node, portB));
    if (a === none || b === none) return none;
    const aIsLeaf = isLower(a, inside);
    if (aIsLeaf === isLower(b, inside)) return none;
    const [leaf, spine] = aIsLeaf ? [a, b] : [b, a];
    const index = at(place, spine) * cell.columns + at(place, leaf);
    cell.health[index] = Math.max(at(cell.health, index), health + 1);
    const counts = cables.get(inside);
    if (counts !== undefined && health < downCode) counts[index] = at(counts, index) + 1;
    return index;
  };
  const cellOfFabricLink = collected.insideOfFabricLink.map((inside, link) =>
    mark(inside, at(fabric.links.a, link), at(fabric.links.b, link), at(analysis.linkHealth, link)),
  );
  const cellOfMissing = collected.insideOfMissing.map((inside, i) => {
    const missing = analysis.missingLinks[i];
    return missing === undefined ? none : mark(inside, missing.a, missing.b, downCode);
  });
  for (const [node, cell] of cells) markLacking(cell, cables.get(node) ?? new Uint16Array(0));
  return { cells, cellOfFabricLink, cellOfMissing };
}

/** A pair with fewer cables than more than half of the pairs of its block have is never quieter than a warning. */
function markLacking(cell: Cells, cables: Uint16Array): void {
  const sizes = new Map<number, number>();
  let pairs = 0;
  for (const n of cables) {
    if (n === 0) continue;
    pairs += 1;
    sizes.set(n, (sizes.get(n) ?? 0) + 1);
  }
  const [usual] = [...sizes].sort((x, y) => y[1] - x[1] || y[0] - x[0]);
  if (usual === undefined || usual[1] * 2 <= pairs) return;
  cables.forEach((n, i) => {
    if (n > 0 && n < usual[0]) cell.health[i] = Math.max(at(cell.health, i), warningCode + 1);
  });
}

const downCode = healths.indexOf("down");
const warningCode = healths.indexOf("warning");
