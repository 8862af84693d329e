/**
 * Order of boxes within their rows: pods (blocks of leaves and spines below the top tier), barycentre passes for few
 * crossings, and stability against the last order. Pure; arrays of box indices.
 */
import { none } from "../../shared/fabric/model.ts";
import type { Structure } from "./structure.ts";

/** Neighbours of each box over cabled pairs: neighbour[start[b] … start[b + 1] - 1], with the number of cables. */
export interface Adjacency {
  readonly start: Uint32Array;
  readonly neighbour: Uint32Array;
  readonly cables: Uint32Array;
}

export function adjacency(structure: Structure): Adjacency {
  const boxes = structure.boxNode.length;
  const start = new Uint32Array(boxes + 1);
  const pairs = structure.pairA.length;
  for (let i = 0; i < pairs; i++) {
    start[(structure.pairA[i] ?? 0) + 1] = (start[(structure.pairA[i] ?? 0) + 1] ?? 0) + 1;
    start[(structure.pairB[i] ?? 0) + 1] = (start[(structure.pairB[i] ?? 0) + 1] ?? 0) + 1;
  }
  for (let box = 0; box < boxes; box++) start[box + 1] = (start[box + 1] ?? 0) + (start[box] ?? 0);
  const fill = start.slice();
  const neighbour = new Uint32Array(start[boxes] ?? 0);
  const cables = new Uint32Array(start[boxes] ?? 0);
  const put = (from: number, to: number, count: number): void => {
    const place = fill[from] ?? 0;
    neighbour[place] = to;
    cables[place] = count;
    fill[from] = place + 1;
  };
  for (let i = 0; i < pairs; i++) {
    put(structure.pairA[i] ?? 0, structure.pairB[i] ?? 0, structure.pairCables[i] ?? 0);
    put(structure.pairB[i] ?? 0, structure.pairA[i] ?? 0, structure.pairCables[i] ?? 0);
  }
  return { start, neighbour, cables };
}

/** Connected parts of the boxes, hosts of one block tying its boxes together. Returns the part of each box, by lowest rank. */
export function components(structure: Structure, rank: ArrayLike<number> = structure.boxRank): Uint32Array {
  const boxes = structure.boxNode.length;
  const parent = Uint32Array.from({ length: boxes }, (_, i) => i);
  const root = (box: number): number => {
    let top = box;
    while ((parent[top] ?? 0) !== top) {
      parent[top] = parent[parent[top] ?? 0] ?? 0;
      top = parent[top] ?? 0;
    }
    return top;
  };
  structure.pairA.forEach((a, i) => (parent[root(a)] = root(structure.pairB[i] ?? 0)));
  for (let block = 0; block + 1 < structure.blockBoxStart.length; block++) {
    const first = structure.blockBoxStart[block] ?? 0;
    for (let i = first + 1; i < (structure.blockBoxStart[block + 1] ?? 0); i++) {
      parent[root(structure.blockBox[i] ?? 0)] = root(structure.blockBox[first] ?? 0);
    }
  }
  return numberBy(boxes, root, rank);
}

/** Numbers groups 0 … in the order of their lowest-ranked member. */
function numberBy(boxes: number, group: (box: number) => number, rank: ArrayLike<number>): Uint32Array {
  const order = Array.from({ length: boxes }, (_, i) => i).sort((x, y) => (rank[x] ?? 0) - (rank[y] ?? 0));
  const ids = new Map<number, number>();
  const part = new Uint32Array(boxes).fill(none);
  for (const box of order) {
    const key = group(box);
    if (key === none) continue;
    let id = ids.get(key);
    if (id === undefined) ids.set(key, (id = ids.size));
    part[box] = id;
  }
  return part;
}

/**
 * Pods of a tree of three or more levels: a leaf joins the pod that holds at least half of its spines, then three
 * passes of majority vote, so that a few mis-cabled links do not merge two pods. {@link none} for boxes of tier 3 and up.
 */
export function pods(structure: Structure, graph: Adjacency, rank: ArrayLike<number>): Uint32Array {
  return gather(structure, graph, rank, 1);
}

/** Planes of the core, the same way from above: core switches that serve the same spines. */
export function planes(structure: Structure, graph: Adjacency, rank: ArrayLike<number>): Uint32Array {
  return gather(structure, graph, rank, 3);
}

function gather(structure: Structure, graph: Adjacency, rank: ArrayLike<number>, around: 1 | 3): Uint32Array {
  const boxes = structure.boxNode.length;
  const level = structure.boxLevel;
  const pod = new Uint32Array(boxes).fill(none);
  const byRank = Array.from({ length: boxes }, (_, i) => i).sort((x, y) => (rank[x] ?? 0) - (rank[y] ?? 0));
  const low = byRank.filter((box) => (level[box] ?? 0) === around);
  const middle = byRank.filter((box) => (level[box] ?? 0) === 2);
  let next = 0;
  const vote = (box: number, otherLevel: number): { winner: number; votes: number; of: number } => {
    const votes = new Map<number, number>();
    let of = 0;
    for (let i = graph.start[box] ?? 0; i < (graph.start[box + 1] ?? 0); i++) {
      const other = graph.neighbour[i] ?? 0;
      if ((level[other] ?? 0) !== otherLevel) continue;
      of += 1;
      const group = pod[other] ?? 0;
      if (group !== none) votes.set(group, (votes.get(group) ?? 0) + (graph.cables[i] ?? 0));
    }
    let winner = none;
    let most = 0;
    for (const [group, count] of votes) {
      if (count > most || (count === most && group < winner)) {
        winner = group;
        most = count;
      }
    }
    return { winner, votes: most, of };
  };
  for (const leaf of low) {
    const { winner, votes, of } = vote(leaf, 2);
    const group = winner !== none && votes * 2 >= of ? winner : next++;
    pod[leaf] = group;
    for (let i = graph.start[leaf] ?? 0; i < (graph.start[leaf + 1] ?? 0); i++) {
      const other = graph.neighbour[i] ?? 0;
      if ((level[other] ?? 0) === 2 && (pod[other] ?? 0) === none) pod[other] = group;
    }
  }
  for (let pass = 0; pass < 3; pass++) {
    for (const box of middle) pod[box] = keep(vote(box, around).winner, pod[box] ?? 0);
    for (const box of low) pod[box] = keep(vote(box, 2).winner, pod[box] ?? 0);
  }
  for (const box of middle) if ((pod[box] ?? 0) === none) pod[box] = next++;
  return numberBy(boxes, (box) => pod[box] ?? 0, rank);
}

function keep(winner: number, before: number): number {
  return winner === none ? before : winner;
}

/**
 * Sorts the boxes of neighbouring rows by the mean place of their neighbours, up and down, and keeps the best order
 * seen, when it has at least a tenth fewer crossings than the given one, which follows the names. Where nearly all pairs
 * are joined every order crosses as much: what one lost or swapped cable would gain there must not shuffle the names.
 * @param rowsOfBoxes rows from the bottom up; reordered in place
 */
export function reduceCrossings(rowsOfBoxes: number[][], graph: Adjacency, boxes: number): void {
  if (isNearlyComplete(rowsOfBoxes, graph, boxes)) return;
  const place = new Float64Array(boxes).fill(-1);
  const settle = (row: readonly number[]): void => {
    row.forEach((box, i) => (place[box] = (i + 0.5) / row.length));
  };
  rowsOfBoxes.forEach(settle);
  const asGiven = rowsOfBoxes.map((row) => [...row]);
  let best = asGiven;
  const given = countCrossings(best, graph, boxes);
  let fewest = given;
  for (let pass = 0; pass < 4 && fewest > 0; pass++) {
    const up = pass % 2 === 0;
    const sequence = up ? rowsOfBoxes.slice(1) : rowsOfBoxes.slice(0, -1).reverse();
    for (const row of sequence) {
      const mean = new Map(row.map((box) => [box, meanPlace(box, graph, place)]));
      row.sort((x, y) => (mean.get(x) ?? 0) - (mean.get(y) ?? 0) || (place[x] ?? 0) - (place[y] ?? 0));
      settle(row);
    }
    const crossings = countCrossings(rowsOfBoxes, graph, boxes);
    if (crossings < fewest) {
      fewest = crossings;
      best = rowsOfBoxes.map((row) => [...row]);
    }
  }
  // One missing cable must not shuffle a row of numbered switches: only a clear gain is worth another order.
  const worth = fewest <= given * 0.9;
  (worth ? best : asGiven).forEach((row, i) => (rowsOfBoxes[i] = row));
}

/** Share of joined pairs of neighbouring rows from which on the order of the names stays. */
const nearlyAllPairs = 0.75;

function isNearlyComplete(rowsOfBoxes: readonly (readonly number[])[], graph: Adjacency, boxes: number): boolean {
  const rowOf = new Int32Array(boxes).fill(-1);
  rowsOfBoxes.forEach((row, r) => row.forEach((box) => (rowOf[box] = r)));
  let joined = 0;
  let possible = 0;
  rowsOfBoxes.forEach((row, r) => {
    const above = rowsOfBoxes[r + 1]?.length ?? 0;
    possible += row.length * above;
    for (const box of row) {
      for (let i = graph.start[box] ?? 0; i < (graph.start[box + 1] ?? 0); i++) {
        if (rowOf[graph.neighbour[i] ?? 0] === r + 1) joined += 1;
      }
    }
  });
  return possible > 0 && joined >= possible * nearlyAllPairs;
}

function meanPlace(box: number, graph: Adjacency, place: Float64Array): number {
  let sum = 0;
  let weight = 0;
  for (let i = graph.start[box] ?? 0; i < (graph.start[box + 1] ?? 0); i++) {
    const other = place[graph.neighbour[i] ?? 0] ?? 0;
    if (other < 0) continue;
    sum += other * (graph.cables[i] ?? 0);
    weight += graph.cables[i] ?? 0;
  }
  return weight === 0 ? (place[box] ?? 0) : sum / weight;
}

/** Crossings between neighbouring rows, parallel cables counted once. O(links × log boxes). */
export function countCrossings(rowsOfBoxes: readonly (readonly number[])[], graph: Adjacency, boxes: number): number {
  const position = new Int32Array(boxes).fill(-1);
  let crossings = 0;
  for (let r = 0; r + 1 < rowsOfBoxes.length; r++) {
    const low = rowsOfBoxes[r] ?? [];
    const high = rowsOfBoxes[r + 1] ?? [];
    position.fill(-1);
    high.forEach((box, i) => (position[box] = i));
    const tree = new Uint32Array(high.length + 1);
    let seen = 0;
    for (const box of low) {
      const ends: number[] = [];
      for (let i = graph.start[box] ?? 0; i < (graph.start[box + 1] ?? 0); i++) {
        const place = position[graph.neighbour[i] ?? 0] ?? 0;
        if (place >= 0) ends.push(place);
      }
      for (const place of ends) {
        let notRight = 0;
        for (let k = place + 1; k > 0; k -= k & -k) notRight += tree[k] ?? 0;
        crossings += seen - notRight;
      }
      for (const place of ends) for (let k = place + 1; k <= high.length; k += k & -k) tree[k] = (tree[k] ?? 0) + 1;
      seen += ends.length;
    }
  }
  return crossings;
}
