/**
 * Shortest paths between switches, on typed arrays. Adapters, routers and aggregation nodes forward nothing, so only
 * switches and the active cables between them are part of the graph.
 */
import { at, linkGbps, linkIsActive } from "../fabric/access.ts";
import { type Fabric, nodeKinds } from "../fabric/model.ts";

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

// The loops below read columns without the bounds check of `at`: they run for every click and over every cable.
const switchCode = nodeKinds.indexOf("switch");

/** Builds the graph of switches. O(links). */
export function buildSwitchGraph(fabric: Fabric): SwitchGraph {
  const { nodes, ports, links } = fabric;
  const start = new Uint32Array(nodes.count + 1);
  const fromOf = new Uint32Array(links.count);
  const toOf = new Uint32Array(links.count);
  const usable: number[] = [];
  for (let link = 0; link < links.count; link += 1) {
    const a = ports.node[links.a[link] ?? 0] ?? 0;
    const b = ports.node[links.b[link] ?? 0] ?? 0;
    if (a === b || nodes.kind[a] !== switchCode || nodes.kind[b] !== switchCode) continue;
    if (!linkIsActive(fabric, link)) continue;
    usable.push(link);
    fromOf[link] = a;
    toOf[link] = b;
    // Degrees first, one place further on; summed up below they are where each switch begins.
    start[a + 1] = (start[a + 1] ?? 0) + 1;
    start[b + 1] = (start[b + 1] ?? 0) + 1;
  }
  for (let node = 0; node < nodes.count; node += 1) start[node + 1] = (start[node + 1] ?? 0) + (start[node] ?? 0);
  const neighbour = new Uint32Array(usable.length * 2);
  const linkOf = new Uint32Array(usable.length * 2);
  const next = start.slice(0, nodes.count);
  const put = (from: number, to: number, link: number): void => {
    const place = next[from] ?? 0;
    neighbour[place] = to;
    linkOf[place] = link;
    next[from] = place + 1;
  };
  for (const link of usable) {
    put(fromOf[link] ?? 0, toOf[link] ?? 0, link);
    put(toOf[link] ?? 0, fromOf[link] ?? 0, link);
  }
  return { start, neighbour, link: linkOf };
}

/** Breadth-first search from one switch; `without` leaves one link out. O(links). */
export function distancesFrom(graph: SwitchGraph, from: number, without?: number): Distances {
  const { start, neighbour: neighbours, link } = graph;
  const nodes = start.length - 1;
  const hops = new Int32Array(nodes).fill(-1);
  const ways = new Float64Array(nodes);
  const queue = new Uint32Array(nodes);
  let tail = 1;
  queue[0] = from;
  hops[from] = 0;
  ways[from] = 1;
  for (let head = 0; head < tail; head += 1) {
    const node = queue[head] ?? 0;
    const nextHops = (hops[node] ?? 0) + 1;
    const nodeWays = ways[node] ?? 0;
    const end = start[node + 1] ?? 0;
    for (let entry = start[node] ?? 0; entry < end; entry += 1) {
      if (link[entry] === without) continue;
      const neighbour = neighbours[entry] ?? 0;
      const known = hops[neighbour] ?? -1;
      if (known < 0) {
        hops[neighbour] = nextHops;
        queue[tail] = neighbour;
        tail += 1;
      }
      if (known < 0 || known === nextHops) ways[neighbour] = (ways[neighbour] ?? 0) + nodeWays;
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
