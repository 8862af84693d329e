/** Connected parts of a fabric and what stands side by side in each: pods, or single leaves. Pure; box indices. */
import { at } from "../../shared/fabric/access.ts";
import { components, pods, reduceCrossings, type Adjacency } from "./order.ts";
import { routerLevel, unplacedLevel, type Structure } from "./structure.ts";

/** Smallest distance of neighbours in a row, in px at 100 %. */
export const leafPitchLeast = 34;
export const upperPitchLeast = 44;
const podGap = 26;

/** A unit is what stands side by side on a line: a pod, or a single leaf. */
export interface Unit {
  readonly low: readonly number[];
  readonly middle: readonly number[];
  /** Width at the smallest scale. */
  readonly least: number;
}

/** One connected part. */
export interface Part {
  readonly units: readonly Unit[];
  /** Rows above the units, from the bottom up. */
  readonly upper: readonly (readonly number[])[];
  readonly hasPods: boolean;
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
  const pod = pods(structure, graph, rank);
  const unplaced: number[] = [];
  const parts = members.map((list) => buildPart(structure, graph, list, pod, keepOrder, unplaced));
  return { parts: parts.filter((entry) => entry.units.length + entry.upper.length > 0), unplaced };
}

function buildPart(
  structure: Structure,
  graph: Adjacency,
  list: readonly number[],
  pod: Uint32Array,
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
    tiers.length === 0 || (tiers.length === 1 && list.length > 3 && anyCabled(levels.get(tiers[0] ?? 0), graph));
  if (tiers.length > 0) unplaced.push(...without);
  const only = tiers.length === 0 ? without : (levels.get(tiers[0] ?? 1) ?? []);
  const ground = loose ? breadthFirst(only, graph) : (levels.get(1) ?? []);
  const hasPods = !loose && (tiers[tiers.length - 1] ?? 0) >= 3;
  const above = [...(loose ? [] : tiers.filter((level) => level >= (hasPods ? 3 : 2))), routerLevel]
    .map((level) => levels.get(level) ?? [])
    .filter((row) => row.length > 0);
  if (!hasPods) {
    const rowsUp = [ground, ...above];
    if (!keepOrder && !loose) reduceCrossings(rowsUp, graph, boxes);
    const [low = [], ...upper] = rowsUp;
    const units = low.map((box) => ({ low: [box], middle: [], least: leafPitchLeast }));
    return { units, upper, hasPods, loose, least: leastWidth(units, upper) };
  }
  const byPod = new Map<number, { low: number[]; middle: number[] }>();
  for (const box of list) {
    const level = at(structure.boxLevel, box);
    if (level !== 1 && level !== 2) continue;
    let entry = byPod.get(at(pod, box));
    if (entry === undefined) byPod.set(at(pod, box), (entry = { low: [], middle: [] }));
    (level === 1 ? entry.low : entry.middle).push(box);
  }
  const entries = [...byPod.entries()].sort(([x], [y]) => x - y).map(([, entry]) => entry);
  const rowsUp = [entries.flatMap((entry) => entry.middle), ...above];
  if (!keepOrder) {
    for (const entry of entries) {
      const inner = [entry.low, entry.middle];
      reduceCrossings(inner, graph, boxes);
      entry.low = inner[0] ?? [];
      entry.middle = inner[1] ?? [];
    }
    rowsUp[0] = entries.flatMap((entry) => entry.middle);
    sortUpper(rowsUp, graph, boxes);
  }
  const units = entries.map((entry) => ({
    ...entry,
    least: Math.max(entry.low.length * leafPitchLeast, entry.middle.length * upperPitchLeast) + podGap,
  }));
  const upper = rowsUp.slice(1);
  return { units, upper, hasPods, loose, least: leastWidth(units, upper) };
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

function leastWidth(units: readonly Unit[], upper: readonly (readonly number[])[]): number {
  const ground = units.reduce((sum, unit) => sum + unit.least, 0);
  return Math.max(ground, ...upper.map((row) => row.length * upperPitchLeast), leafPitchLeast);
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

/** Neighbours close to each other, for parts without tiers: breadth first from the best-connected box. */
function breadthFirst(list: readonly number[], graph: Adjacency): number[] {
  const degree = (box: number): number => at(graph.start, box + 1) - at(graph.start, box);
  const start = [...list].sort((x, y) => degree(y) - degree(x))[0];
  if (start === undefined) return [];
  const seen = new Set([start]);
  const members = new Set(list);
  for (const box of seen) {
    for (let i = at(graph.start, box); i < at(graph.start, box + 1); i++) {
      const other = at(graph.neighbour, i);
      if (members.has(other)) seen.add(other);
    }
  }
  return [...seen, ...list.filter((box) => !seen.has(box))];
}
