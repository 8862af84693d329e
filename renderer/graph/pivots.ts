/**
 * Start of a general layout: distances from a few pivots, projected onto their two main axes (pivot multidimensional
 * scaling). A ring comes out as a ring, a mesh as a mesh, and the same graph always the same way. Pure.
 */
import { at } from "../../shared/fabric/access.ts";

const mostPivots = 24;
const rounds = 60;

/** Neighbours of `count` vertices: neighbour[start[v] … start[v + 1] - 1]. */
export interface Neighbours {
  readonly count: number;
  readonly start: Uint32Array;
  readonly neighbour: Uint32Array;
}

/** Coordinates of the vertices of a connected graph, in hops. O(pivots × (vertices + edges)). */
export function pivotPlaces(graph: Neighbours): { readonly x: Float64Array; readonly y: Float64Array } {
  const { count } = graph;
  const pivots = Math.min(count, mostPivots);
  const squares: Float64Array[] = [];
  const nearest = new Float64Array(count).fill(Infinity);
  let pivot = 0;
  for (let i = 0; i < pivots; i++) {
    const distance = distancesFrom(graph, pivot);
    squares.push(Float64Array.from(distance, (hops) => hops * hops));
    distance.forEach((hops, v) => (nearest[v] = Math.min(at(nearest, v), hops)));
    pivot = nearest.reduce((far, hops, v) => (hops > at(nearest, far) ? v : far), 0);
  }
  centre(squares, count);
  const first = mainAxis(squares, undefined);
  const second = mainAxis(squares, first);
  return { x: project(squares, first, count), y: project(squares, second, count) };
}

function distancesFrom(graph: Neighbours, from: number): Float64Array {
  const distance = new Float64Array(graph.count).fill(-1);
  distance[from] = 0;
  const queue = [from];
  for (const vertex of queue) {
    for (let i = at(graph.start, vertex); i < at(graph.start, vertex + 1); i++) {
      const other = at(graph.neighbour, i);
      if (at(distance, other) >= 0) continue;
      distance[other] = at(distance, vertex) + 1;
      queue.push(other);
    }
  }
  return distance;
}

/** Double centring: rows and columns of the vertices × pivots matrix have mean 0 afterwards. */
function centre(columns: readonly Float64Array[], count: number): void {
  const rowMean = new Float64Array(count);
  let whole = 0;
  const columnMean = columns.map((column) => {
    const sum = column.reduce((total, value, v) => {
      rowMean[v] = at(rowMean, v) + value / columns.length;
      return total + value;
    }, 0);
    whole += sum / count / columns.length;
    return sum / count;
  });
  columns.forEach((column, i) => {
    for (let v = 0; v < count; v++) {
      column[v] = -0.5 * (at(column, v) - at(rowMean, v) - (columnMean[i] ?? 0) + whole);
    }
  });
}

/** Power iteration on the pivots' products; the second axis is kept at right angles to the first. */
function mainAxis(columns: readonly Float64Array[], other: readonly number[] | undefined): readonly number[] {
  const size = columns.length;
  const products = columns.map((a) => columns.map((b) => a.reduce((sum, value, v) => sum + value * at(b, v), 0)));
  // Any start that is not at right angles to the axis does; this one is the same every time.
  let axis = Array.from({ length: size }, (_, i) => 1 + ((i * 7919 + (other === undefined ? 0 : 31)) % 101) / 101);
  for (let round = 0; round < rounds; round++) {
    if (other !== undefined) {
      const along = axis.reduce((sum, value, i) => sum + value * (other[i] ?? 0), 0);
      axis = axis.map((value, i) => value - along * (other[i] ?? 0));
    }
    const next = products.map((row) => row.reduce((sum, value, i) => sum + value * (axis[i] ?? 0), 0));
    const length = Math.hypot(...next);
    if (length < 1e-9) break;
    axis = next.map((value) => value / length);
  }
  return axis;
}

function project(columns: readonly Float64Array[], axis: readonly number[], count: number): Float64Array {
  const place = new Float64Array(count);
  columns.forEach((column, i) => {
    for (let v = 0; v < count; v++) place[v] = at(place, v) + at(column, v) * (axis[i] ?? 0);
  });
  return place;
}
