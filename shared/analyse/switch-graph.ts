/** The switches of a fabric and the cables among them, in columns. */
import type { Fabric } from "../fabric/model.ts";
import { linkCodes, type LinkTable, linkTable } from "./link-table.ts";

/** Neighbours of switch n stand at positions start[n] … start[n + 1] - 1, each once. */
export interface SwitchGraph {
  readonly links: LinkTable;
  /** Node indices of all switches. */
  readonly switches: readonly number[];
  /** Per node: links to hosts, 0 on nodes that are no switches. */
  readonly hostLinks: Uint32Array;
  /** Per node: data rates of these together, in Gb/s. */
  readonly hostGbps: Float64Array;
  /** Per node: cables to other switches. */
  readonly cableCount: Uint32Array;
  readonly start: Uint32Array;
  /** Per position: node index of the neighbour. */
  readonly neighbour: Uint32Array;
  /** Per position: cables to this neighbour. */
  readonly cables: Uint32Array;
  /** Per position: their data rates together, in Gb/s. */
  readonly gbps: Float64Array;
}

const switchCode = linkCodes.interSwitch;

/** The switch graph of a fabric. A cable from a switch to itself joins nothing and is left out. O(nodes + links). */
export function switchGraph(fabric: Fabric): SwitchGraph {
  const { count, kind: kindOfNode } = fabric.nodes;
  const links = linkTable(fabric);
  const { a, b, kind } = links;
  const hostLinks = new Uint32Array(count);
  const hostGbps = new Float64Array(count);
  const addHost = (node: number, gbps: number): void => {
    if (kindOfNode[node] !== switchCode) return;
    hostLinks[node] = (hostLinks[node] ?? 0) + 1;
    hostGbps[node] = (hostGbps[node] ?? 0) + gbps;
  };
  const cableCount = new Uint32Array(count);
  for (let link = 0; link < links.count; link += 1) {
    const x = a[link] ?? 0;
    const y = b[link] ?? 0;
    if (kind[link] === linkCodes.host) {
      addHost(x, links.gbps[link] ?? 0);
      addHost(y, links.gbps[link] ?? 0);
    } else if (kind[link] === switchCode && x !== y) {
      cableCount[x] = (cableCount[x] ?? 0) + 1;
      cableCount[y] = (cableCount[y] ?? 0) + 1;
    }
  }
  const switches: number[] = [];
  for (let node = 0; node < count; node += 1) if (kindOfNode[node] === switchCode) switches.push(node);
  return { links, switches, hostLinks, hostGbps, cableCount, ...neighbours(links, cableCount) };
}

function neighbours(
  { count, a, b, kind, gbps: rates }: LinkTable,
  cableCount: Uint32Array,
): Pick<SwitchGraph, "start" | "neighbour" | "cables" | "gbps"> {
  const nodes = cableCount.length;
  // Far ends of every switch, parallel cables one by one.
  const begin = new Uint32Array(nodes + 1);
  for (let node = 0; node < nodes; node += 1) begin[node + 1] = (begin[node] ?? 0) + (cableCount[node] ?? 0);
  const ends = new Uint32Array(begin[nodes] ?? 0);
  const linkOfEnd = new Uint32Array(ends.length);
  const next = begin.slice();
  for (let link = 0; link < count; link += 1) {
    const x = a[link] ?? 0;
    const y = b[link] ?? 0;
    if (kind[link] !== switchCode || x === y) continue;
    const i = next[x] ?? 0;
    const j = next[y] ?? 0;
    ends[i] = y;
    ends[j] = x;
    linkOfEnd[i] = link;
    linkOfEnd[j] = link;
    next[x] = i + 1;
    next[y] = j + 1;
  }
  const start = new Uint32Array(nodes + 1);
  const neighbour = new Uint32Array(ends.length);
  const cables = new Uint32Array(ends.length);
  const gbps = new Float64Array(ends.length);
  /** Where a neighbour stands; one from before `first` belongs to an earlier switch. */
  const place = new Int32Array(nodes).fill(-1);
  let size = 0;
  for (let node = 0; node < nodes; node += 1) {
    const first = size;
    for (let i = begin[node] ?? 0; i < (begin[node + 1] ?? 0); i += 1) {
      const other = ends[i] ?? 0;
      let at = place[other] ?? -1;
      if (at < first) {
        at = size;
        size += 1;
        place[other] = at;
        neighbour[at] = other;
      }
      cables[at] = (cables[at] ?? 0) + 1;
      gbps[at] = (gbps[at] ?? 0) + (rates[linkOfEnd[i] ?? 0] ?? 0);
    }
    start[node + 1] = size;
  }
  return {
    start,
    neighbour: neighbour.subarray(0, size),
    cables: cables.subarray(0, size),
    gbps: gbps.subarray(0, size),
  };
}

/** Cables of a switch to those of one tier. O(neighbours of `node`). */
export function cablesTo(graph: SwitchGraph, node: number, tier: Int8Array, wanted: number): number {
  let sum = 0;
  for (let i = graph.start[node] ?? 0; i < (graph.start[node + 1] ?? 0); i += 1)
    if (tier[graph.neighbour[i] ?? 0] === wanted) sum += graph.cables[i] ?? 0;
  return sum;
}
