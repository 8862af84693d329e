/** Connected parts of a fabric and what stands side by side in each: pods, or single leaves. Pure; box indices. */
import { at } from "../../shared/fabric/access.ts";
import { chipsAbovePods, directorColumns, type Column } from "./director-rows.ts";
import { components, planes, pods, reduceCrossings, type Adjacency } from "./order.ts";
import { routerLevel, unplacedLevel, type Structure } from "./structure.ts";

/** Smallest distance of neighbours in a row, in px at 100 %. */
export const leafPitchLeast = 34;
const upperPitchLeast = 44;
const podGap = 26;

/** A unit is what stands side by side on a line: a pod, or a single leaf. */
export interface Unit {
  readonly low: readonly number[];
  readonly middle: readonly number[];
  /** Width at the smallest scale. */
  readonly least: number;
  /** Position in the analysis' list of pods, or by the picture's own order; -1 for a single leaf and what is apart. */
  readonly cluster: number;
}

/** One connected part. */
export interface Part {
  readonly units: readonly Unit[];
  /** Rows above the units, from the bottom up. */
  readonly upper: readonly (readonly number[])[];
  readonly hasPods: boolean;
  /** Pods have a row of spines of their own: not when all of these are in directors above. */
  readonly hasMiddle: boolean;
  /** Of the upper rows that directors reach over. */
  readonly columns: readonly Column[];
  /** Plane of each box of the core, -1 for others. */
  readonly planeOfBox: Int32Array;
  /** True when it has no rows of tiers: a field of switches. */
  readonly loose: boolean;
  readonly least: number;
}

/** Splits into connected parts; boxes without a tier inside a part that has tiers are returned apart. */
export function divide(
  structure: Structure,
  graph: Adjacency,
  rank: Float64Array,
  keepOrder: boolean,
): { parts: readonly Part[]; unplaced: readonly number[] } {
  const boxes = structure.boxNode.length;
  const part = components(structure, rank);
  const members: number[][] = [];
  const byRank = Array.from({ length: boxes }, (_, i) => i).sort(
    (x, y) => at(rank, x) - at(rank, y) || at(structure.boxRank, x) - at(structure.boxRank, y),
  );
  for (const box of byRank) (members[at(part, box)] ??= []).push(box);
  const pod = structure.clusters > 0 ? structure.clusterOfBox : Int32Array.from(pods(structure, graph, rank));
  const plane = planesOf(structure, graph, rank);
  const unplaced: number[] = [];
  const parts = members.map((list) => buildPart(structure, graph, list, { pod, plane }, keepOrder, unplaced));
  return { parts: parts.filter((entry) => entry.units.length + entry.upper.length > 0), unplaced };
}

function buildPart(
  structure: Structure,
  graph: Adjacency,
  list: readonly number[],
  { pod, plane }: { readonly pod: Int32Array; readonly plane: Int32Array },
  keepOrder: boolean,
  unplaced: number[],
): Part {
  const boxes = structure.boxNode.length;
  const levels = new Map<number, number[]>();
  for (const box of list) {
    const level = at(structure.boxLevel, box);
    const row = levels.get(level);
    if (row === undefined) levels.set(level, [box]);
    else row.push(box);
  }
  const tiers = [...levels.keys()].filter((level) => level >= 1 && level < routerLevel).sort((x, y) => x - y);
  const without = levels.get(unplacedLevel) ?? [];
  // Switches of one tier cabled among themselves have no rows either: a field shows them better than arcs over one line.
  const loose =
    structure.shape === "irregular" ||
    tiers.length === 0 ||
    (tiers.length === 1 && list.length > 3 && anyCabled(levels.get(tiers[0] ?? 0), graph));
  if (!loose) unplaced.push(...without);
  const ground = loose ? [...list] : (levels.get(1) ?? []);
  const hasPods = !loose && (tiers[tiers.length - 1] ?? 0) >= 3;
  const isAbove = chipsAbovePods(structure.boxLevel, structure.directorOfBox);
  const linesAbove = hasPods ? (levels.get(2) ?? []).filter((box) => at(isAbove, box) === 1) : [];
  const above = [
    linesAbove,
    ...(loose ? [] : [...tiers.filter((level) => level >= (hasPods ? 3 : 2)), routerLevel]).map(
      (level) => levels.get(level) ?? [],
    ),
  ].filter((row) => row.length > 0);
  if (!hasPods) {
    const rowsUp = [ground, ...above];
    if (!keepOrder && !loose) reduceCrossings(rowsUp, graph, boxes);
    const [low = [], ...upper] = rowsUp;
    const units = low.map((box) => ({ low: [box], middle: [], least: leafPitchLeast, cluster: -1 }));
    const least = leastWidth(units, upper, []);
    return { units, upper, hasPods, hasMiddle: false, columns: [], planeOfBox: plane, loose, least };
  }
  const byPod = new Map<number, { readonly cluster: number; low: number[]; middle: number[] }>();
  for (const box of list) {
    const level = at(structure.boxLevel, box);
    if ((level !== 1 && level !== 2) || at(isAbove, box) === 1) continue;
    const cluster = at(pod, box);
    let entry = byPod.get(cluster);
    if (entry === undefined) byPod.set(cluster, (entry = { cluster, low: [], middle: [] }));
    (level === 1 ? entry.low : entry.middle).push(box);
  }
  // The list is in the order of drawing, and so are the pods met in it; what is apart comes last.
  const entries = [...byPod].sort(([x], [y]) => Number(x < 0) - Number(y < 0)).map(([, entry]) => entry);
  // Next below the line chips of directors are the leaves.
  const nextBelow = (): number[] => entries.flatMap((entry) => (linesAbove.length > 0 ? entry.low : entry.middle));
  const rowsUp = [nextBelow(), ...above];
  if (!keepOrder) {
    for (const entry of entries) {
      const inner = [entry.low, entry.middle];
      reduceCrossings(inner, graph, boxes);
      entry.low = inner[0] ?? [];
      entry.middle = inner[1] ?? [];
    }
    rowsUp[0] = nextBelow();
    sortUpper(rowsUp, graph, boxes);
  }
  const units = entries.map((entry) => ({
    ...entry,
    least: Math.max(entry.low.length * leafPitchLeast, entry.middle.length * upperPitchLeast) + podGap,
  }));
  const planed = rowsUp.slice(1).map((row) => byPlane(row, plane));
  const columns = directorColumns(planed, structure.directorOfBox, isAbove);
  const upper = planed.map((row) => byColumn(row, columns));
  const hasMiddle = entries.some((entry) => entry.middle.length > 0);
  const least = leastWidth(units, upper, columns);
  return { units, upper, hasPods, hasMiddle, columns, planeOfBox: plane, loose, least };
}

/** The same order with each column's boxes together. */
function byColumn(row: readonly number[], columns: readonly Column[]): readonly number[] {
  if (!row.some((box) => columns.some(({ boxes }) => boxes.has(box)))) return row;
  return columns.flatMap(({ boxes }) => row.filter((box) => boxes.has(box)));
}

/** Width that the upper rows take at the smallest scale. */
export function upperWidth(upper: readonly (readonly number[])[], columns: readonly Column[]): number {
  const together = columns.reduce((sum, { most }) => sum + most, 0);
  return Math.max(0, together, ...upper.map((row) => row.length)) * upperPitchLeast;
}

/** Orders rows above the pods only; the pods themselves stay. */
function sortUpper(rowsUp: number[][], graph: Adjacency, boxes: number): void {
  for (let row = 1; row < rowsUp.length; row++) {
    const pair = [rowsUp[row - 1] ?? [], rowsUp[row] ?? []];
    const fixed = [...(pair[0] ?? [])];
    reduceCrossings(pair, graph, boxes);
    const unchanged = fixed.every((box, i) => pair[0]?.[i] === box);
    if (unchanged) rowsUp[row] = pair[1] ?? [];
  }
}

function leastWidth(units: readonly Unit[], upper: readonly (readonly number[])[], columns: readonly Column[]): number {
  const ground = units.reduce((sum, unit) => sum + unit.least, 0);
  return Math.max(ground, upperWidth(upper, columns), leafPitchLeast);
}

function anyCabled(row: readonly number[] | undefined, graph: Adjacency): boolean {
  const members = new Set(row);
  for (const box of members) {
    for (let i = at(graph.start, box); i < at(graph.start, box + 1); i++) {
      if (members.has(at(graph.neighbour, i))) return true;
    }
  }
  return false;
}

/** Planes of a tree of three levels; with more there are none. */
function planesOf(structure: Structure, graph: Adjacency, rank: Float64Array): Int32Array {
  const plane = new Int32Array(structure.boxNode.length).fill(-1);
  const top = structure.boxLevel.reduce((most, level) => (level < routerLevel ? Math.max(most, level) : most), 0);
  if (top !== 3 || structure.shape !== "tree") return plane;
  const found = planes(structure, graph, rank);
  structure.boxLevel.forEach((level, box) => {
    if (level === 3) plane[box] = at(found, box);
  });
  return plane;
}

/** The same order with each plane's switches together. */
function byPlane(row: readonly number[], plane: Int32Array): readonly number[] {
  const groups = new Map<number, number[]>();
  for (const box of row) {
    const list = groups.get(at(plane, box));
    if (list === undefined) groups.set(at(plane, box), [box]);
    else list.push(box);
  }
  return [...groups.values()].flat();
}
