/**
 * Shortest paths between switches, on typed arrays. Adapters, routers and aggregation nodes forward nothing, so only
 * switches and the active cables between them are part of the graph.
 */
import { at, linkGbps, linkIsActive, nodeKind } from "../fabric/access.ts";
import type { Fabric } from "../fabric/model.ts";

/** Neighbours of switch n are the entries start[n] … start[n + 1] - 1; nodes that are no switch have none. */
export interface SwitchGraph {
  readonly start: Uint32Array;
  readonly neighbour: Uint32Array;
  /** Link index of each entry. */
  readonly link: Uint32Array;
}

/** Links between a start switch and every node, and in how many ways; `hops` is -1 where nothing leads. */
export interface Distances {
  readonly hops: Int32Array;
  /** Number of different shortest paths; parallel cables count as different. A float: it grows past 2^53 in theory. */
  readonly ways: Float64Array;
}

/** Builds the graph of switches. O(links). */
export function buildSwitchGraph(fabric: Fabric): SwitchGraph {
  const nodes = fabric.nodes.count;
  const isSwitch = Uint8Array.from({ length: nodes }, (_, node) => (nodeKind(fabric, node) === "switch" ? 1 : 0));
  const ends: { a: number; b: number; link: number }[] = [];
  const degree = new Uint32Array(nodes);
  for (let link = 0; link < fabric.links.count; link += 1) {
    const a = at(fabric.ports.node, at(fabric.links.a, link));
    const b = at(fabric.ports.node, at(fabric.links.b, link));
    if (a === b || at(isSwitch, a) === 0 || at(isSwitch, b) === 0 || !linkIsActive(fabric, link)) continue;
    ends.push({ a, b, link });
    degree[a] = at(degree, a) + 1;
    degree[b] = at(degree, b) + 1;
  }
  const start = new Uint32Array(nodes + 1);
  for (let node = 0; node < nodes; node += 1) start[node + 1] = at(start, node) + at(degree, node);
  const neighbour = new Uint32Array(ends.length * 2);
  const linkOf = new Uint32Array(ends.length * 2);
  const next = start.slice(0, nodes);
  const put = (from: number, to: number, link: number): void => {
    const place = at(next, from);
    neighbour[place] = to;
    linkOf[place] = link;
    next[from] = place + 1;
  };
  for (const { a, b, link } of ends) {
    put(a, b, link);
    put(b, a, link);
  }
  return { start, neighbour, link: linkOf };
}

/** Breadth-first search from one switch; `without` leaves one link out. O(links). */
export function distancesFrom(graph: SwitchGraph, from: number, without?: number): Distances {
  const nodes = graph.start.length - 1;
  const hops = new Int32Array(nodes).fill(-1);
  const ways = new Float64Array(nodes);
  const queue = new Uint32Array(nodes);
  let tail = 1;
  queue[0] = from;
  hops[from] = 0;
  ways[from] = 1;
  for (let head = 0; head < tail; head += 1) {
    const node = at(queue, head);
    const nextHops = at(hops, node) + 1;
    const end = at(graph.start, node + 1);
    for (let entry = at(graph.start, node); entry < end; entry += 1) {
      if (graph.link[entry] === without) continue;
      const neighbour = at(graph.neighbour, entry);
      const known = at(hops, neighbour);
      if (known < 0) {
        hops[neighbour] = nextHops;
        queue[tail] = neighbour;
        tail += 1;
      }
      if (known < 0 || known === nextHops) ways[neighbour] = at(ways, neighbour) + at(ways, node);
    }
  }
  return { hops, ways };
}

/** One cable of a path, in the direction of travel. */
export interface Step {
  readonly link: number;
  readonly to: number;
}

/**
 * One shortest path between two switches, or undefined when none leads there. Of several, the one over the fastest
 * cables, then over the lowest link indices: the same every time.
 */
export function shortestPath(fabric: Fabric, graph: SwitchGraph, from: number, to: number): Step[] | undefined {
  const { hops } = distancesFrom(graph, to);
  let left = at(hops, from);
  if (left < 0) return undefined;
  const steps: Step[] = [];
  let node = from;
  while (left > 0) {
    let best: Step | undefined;
    let bestGbps = -1;
    for (let entry = at(graph.start, node); entry < at(graph.start, node + 1); entry += 1) {
      const neighbour = at(graph.neighbour, entry);
      if (at(hops, neighbour) !== left - 1) continue;
      const link = at(graph.link, entry);
      const gbps = linkGbps(fabric, link);
      if (gbps > bestGbps) {
        best = { link, to: neighbour };
        bestGbps = gbps;
      }
    }
    if (best === undefined) return undefined;
    steps.push(best);
    node = best.to;
    left -= 1;
  }
  return steps;
}
