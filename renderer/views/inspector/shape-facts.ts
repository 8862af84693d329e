/** What the inspector says about the shape of a fabric: its facts in words, the matrix of Dragonfly+ groups. Pure; no React. */
import {
  type Analysis,
  type Block,
  type Health,
  healths,
  type MissingLink,
  type Topology,
  type TopologyKind,
} from "../../../shared/analyse/results.ts";
import { mode } from "../../../shared/base/statistics.ts";
import { count, groupDigits } from "../../../shared/base/text.ts";
import { at, portsOfNode } from "../../../shared/fabric/access.ts";
import { type Fabric, none } from "../../../shared/fabric/model.ts";

/** `fat tree`, as it stands in the menu of kinds. */
export const kindWords: Readonly<Record<TopologyKind, string>> = {
  "fat-tree": "Fat tree",
  "dragonfly+": "Dragonfly+",
  irregular: "Irregular",
};

/** `1:1, not oversubscribed`, `2:1 oversubscribed`, `1:2, more uplinks than hosts need`, `none`. */
export function ratioText(oversubscription: number): string {
  const short = (value: number): string => String(Math.round(value * 100) / 100);
  if (oversubscription === 0) return "none";
  if (oversubscription === 1) return "1:1, not oversubscribed";
  return oversubscription > 1
    ? `${short(oversubscription)}:1 oversubscribed`
    : // The ratio comes with two decimals: its inverse has one that can be trusted.
      `1:${Math.round(10 / oversubscription) / 10}, more uplinks than hosts need`;
}

/** `8, each 4 leaves, 4 spines, 64 hosts`; when they differ, `8, 7 of them 4 leaves, 4 spines, 64 hosts`. */
export function blocksText(blocks: readonly Block[]): string {
  const times = new Map<string, number>();
  for (const { leaves, spines, hosts } of blocks) {
    const size = `${count(leaves.length, "leaf", "leaves")}, ${count(spines.length, "spine")}, ${count(hosts, "host")}`;
    times.set(size, (times.get(size) ?? 0) + 1);
  }
  const [usual, often] = [...times].sort((x, y) => y[1] - x[1])[0] ?? ["", 0];
  return `${groupDigits(blocks.length)}, ${often === blocks.length ? "each" : `${often} of them`} ${usual}`;
}

/** Rows about the shape beyond its tiers; what there is none of is left out, oversubscription never. */
export function shapeRows(topology: Topology): readonly { readonly label: string; readonly value: string }[] {
  const { pods, groups, rails, islands, chassis } = topology;
  const hasUplinks = topology.kind !== "irregular" && topology.tiers.length > 1;
  const boxes = chassis.reduce((sum, { switches }) => sum + switches.length, 0);
  return [
    ...(pods.length > 1 ? [{ label: "Pods", value: blocksText(pods) }] : []),
    ...(groups.length > 0 ? [{ label: "Groups", value: blocksText(groups) }] : []),
    ...(rails > 0 ? [{ label: "Rails", value: groupDigits(rails) }] : []),
    ...(hasUplinks ? [{ label: "Leaf uplinks", value: ratioText(topology.oversubscription) }] : []),
    ...(islands.length > 1
      ? [
          {
            label: "Islands",
            value: `${groupDigits(islands.length)} parts that no cable joins, the largest with ${count(islands[0] ?? 0, "node")}`,
          },
        ]
      : []),
    ...(chassis.length > 0
      ? [
          {
            label: "Directors",
            value: `${groupDigits(chassis.length)}, ${count(boxes, "switch", "switches")} in ${chassis.length === 1 ? "it" : "them"}`,
          },
        ]
      : []),
  ];
}

/** `Pod 3`, `Group 3`; undefined for a switch that is in none. */
export function blockName(topology: Topology, node: number): string | undefined {
  const block = topology.blockOfNode[node] ?? -1;
  if (block < 0) return undefined;
  if (topology.groups.length > 0) return `Group ${block + 1}`;
  return topology.pods.length > 1 ? `Pod ${block + 1}` : undefined;
}

/** One field of the matrix of groups; `a` the row, `b` the column. On the diagonal: the cables inside the group. */
export interface MatrixCell {
  readonly a: number;
  readonly b: number;
  readonly links: number;
  /** Cables that the pattern expects here and that are down. */
  readonly missing: number;
  /** "ok" for what is as in most pairs and healthy. */
  readonly health: Health;
  /** True when most pairs have another number. */
  readonly deviates: boolean;
}

export interface GroupMatrix {
  readonly groups: number;
  /** Links that most pairs have, 0 when there is one group. */
  readonly usual: number;
  /** Row by row, groups × groups. */
  readonly cells: readonly MatrixCell[];
  /** Global links of each group, and whether most groups have another number. */
  readonly sums: readonly { readonly links: number; readonly deviates: boolean }[];
}

/** Cell that a cable belongs to, [row, column] with row ≤ column; undefined for hosts' cables and odd ones outside. */
function cellOf(
  fabric: Fabric,
  topology: Topology,
  portA: number,
  portB: number,
): readonly [number, number] | undefined {
  const a = at(fabric.ports.node, portA);
  const b = at(fabric.ports.node, portB);
  const [x, y] = [at(topology.blockOfNode, a), at(topology.blockOfNode, b)];
  if (x < 0 || y < 0) return undefined;
  // Global links are those of spines: a leaf cabled into another group is an exception, not a link of the pair.
  if (x !== y && (at(topology.tierOfNode, a) !== 2 || at(topology.tierOfNode, b) !== 2)) return undefined;
  return x <= y ? [x, y] : [y, x];
}

/** The group × group matrix of a Dragonfly+; undefined for other shapes. O(links + groups²). */
export function groupMatrix(fabric: Fabric, analysis: Analysis): GroupMatrix | undefined {
  const { topology, linkHealth, missingLinks } = analysis;
  const groups = topology.groups.length;
  if (groups === 0) return undefined;
  const links = new Uint32Array(groups * groups);
  const missing = new Uint32Array(groups * groups);
  const worst = new Uint8Array(groups * groups);
  const both = (cell: readonly [number, number], change: (index: number) => void): void => {
    change(cell[0] * groups + cell[1]);
    if (cell[0] !== cell[1]) change(cell[1] * groups + cell[0]);
  };
  for (let link = 0; link < fabric.links.count; link += 1) {
    const cell = cellOf(fabric, topology, at(fabric.links.a, link), at(fabric.links.b, link));
    if (cell === undefined) continue;
    both(cell, (index) => {
      links[index] = at(links, index) + 1;
      worst[index] = Math.max(at(worst, index), at(linkHealth, link));
    });
  }
  for (const { a, b } of missingLinks) {
    const cell = cellOf(fabric, topology, a, b);
    if (cell !== undefined) both(cell, (index) => (missing[index] = at(missing, index) + 1));
  }
  const usual = mode(topology.groupPairs.map((pair) => pair.links)).value;
  const usualInside = mode(Array.from({ length: groups }, (_, group) => at(links, group * groups + group))).value;
  const cells = Array.from(links, (number, index): MatrixCell => {
    const [a, b] = [Math.floor(index / groups), index % groups];
    const deviates = number !== (a === b ? usualInside : usual);
    return cellFrom({ a, b, links: number, missing: at(missing, index), deviates }, at(worst, index));
  });
  const totals = Array.from({ length: groups }, (_, row) =>
    cells.slice(row * groups, (row + 1) * groups).reduce((sum, cell) => sum + (cell.b === row ? 0 : cell.links), 0),
  );
  const usualTotal = mode(totals).value;
  return { groups, usual, cells, sums: totals.map((total) => ({ links: total, deviates: total !== usualTotal })) };
}

/**
 * One row of {@link groupMatrix}, with the same numbers and marks, from the cables of that group alone; its own field
 * compares with none. Undefined for other shapes. O(ports of its switches + missing links + groups²).
 */
export function groupRow(
  fabric: Fabric,
  { topology, linkHealth, missingLinks }: Analysis,
  row: number,
): Pick<GroupMatrix, "usual" | "cells"> | undefined {
  const group = topology.groups[row];
  if (group === undefined) return undefined;
  const groups = topology.groups.length;
  const links = Array.from({ length: groups }, () => new Set<number>());
  const missing = new Uint32Array(groups);
  const columnOf = (portA: number, portB: number): number | undefined => {
    const cell = cellOf(fabric, topology, portA, portB);
    if (cell === undefined || (cell[0] !== row && cell[1] !== row)) return undefined;
    return cell[0] === row ? cell[1] : cell[0];
  };
  for (const node of [...group.leaves, ...group.spines]) {
    for (const port of portsOfNode(fabric, node)) {
      const link = at(fabric.ports.link, port);
      const column = link === none ? undefined : columnOf(at(fabric.links.a, link), at(fabric.links.b, link));
      if (column !== undefined) links[column]?.add(link);
    }
  }
  for (const { a, b } of missingLinks) {
    const column = columnOf(a, b);
    if (column !== undefined) missing[column] = at(missing, column) + 1;
  }
  const usual = mode(topology.groupPairs.map((pair) => pair.links)).value;
  const cells = links.map((own, b): MatrixCell => {
    const deviates = b !== row && own.size !== usual;
    const worst = [...own].reduce((code, link) => Math.max(code, at(linkHealth, link)), 0);
    return cellFrom({ a: row, b, links: own.size, missing: at(missing, b), deviates }, worst);
  });
  return { usual, cells };
}

function cellFrom(cell: Omit<MatrixCell, "health">, worst: number): MatrixCell {
  const code = Math.max(worst, cell.deviates || cell.missing > 0 ? healths.indexOf("warning") : 0);
  return { ...cell, health: healths[code] ?? "unknown" };
}

/** Links and missing links of one cell: indices in the fabric and positions in `missingLinks`. */
export function linksOfCell(
  fabric: Fabric,
  analysis: Analysis,
  a: number,
  b: number,
): {
  readonly links: readonly number[];
  readonly missing: readonly { readonly index: number; readonly link: MissingLink }[];
} {
  const [low, high] = a <= b ? [a, b] : [b, a];
  const isHere = (portA: number, portB: number): boolean => {
    const cell = cellOf(fabric, analysis.topology, portA, portB);
    return cell?.[0] === low && cell[1] === high;
  };
  const links: number[] = [];
  for (let link = 0; link < fabric.links.count; link += 1) {
    if (isHere(at(fabric.links.a, link), at(fabric.links.b, link))) links.push(link);
  }
  return {
    links,
    missing: analysis.missingLinks.flatMap((link, index) => (isHere(link.a, link.b) ? [{ index, link }] : [])),
  };
}

/** `Group 2 to Group 5: 3 links, most pairs have 4, 1 missing`. */
export function cellText(matrix: Pick<GroupMatrix, "usual">, cell: MatrixCell): string {
  const { a, b, links, missing, deviates, health } = cell;
  return [
    `${a === b ? `Inside group ${a + 1}` : `Group ${a + 1} to group ${b + 1}`}: ${count(links, a === b ? "cable" : "link")}`,
    ...(deviates ? [a === b ? "most groups have another number" : `most pairs have ${matrix.usual}`] : []),
    ...(missing > 0 ? [`${missing} missing`] : []),
    ...(health === "ok" || ((deviates || missing > 0) && health === "warning") ? [] : [`worst link: ${health}`]),
  ].join(", ");
}
