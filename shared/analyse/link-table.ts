/** The links of a fabric by the nodes that they join, read once for everything that looks at all of them. */
import { lowerKnown } from "../base/statistics.ts";
import { dataRateGbps } from "../fabric/rates.ts";
import { type Fabric, nodeKinds } from "../fabric/model.ts";

/**
 * What a link joins, as a code: that of the end which comes later in {@link nodeKinds}. Higher ones than these are links
 * of routers and aggregation nodes.
 */
export const linkCodes = { interSwitch: nodeKinds.indexOf("switch"), host: nodeKinds.indexOf("hca") } as const;

/** One row a link. */
export interface LinkTable {
  readonly count: number;
  /** Node at end A; a switch when there is one. */
  readonly a: Uint32Array;
  /** Node at end B. */
  readonly b: Uint32Array;
  /** Code as in {@link linkCodes}. */
  readonly kind: Uint8Array;
  /** 1 unless a tool says that an end is other than Active. */
  readonly active: Uint8Array;
  /** Data rate in Gb/s: the lower of the known ends, 0 when neither is known. */
  readonly gbps: Float64Array;
}

const activeCode = 4;

/** All links. O(links). */
export function linkTable({ nodes, ports, links }: Fabric): LinkTable {
  const { count } = links;
  const table = {
    count,
    a: new Uint32Array(count),
    b: new Uint32Array(count),
    kind: new Uint8Array(count),
    active: new Uint8Array(count),
    gbps: new Float64Array(count),
  };
  const [endA, endB, nodeOfPort, kindOfNode] = [links.a, links.b, ports.node, nodes.kind];
  const [lanes, speed, state] = [ports.lanes, ports.speed, ports.state];
  for (let link = 0; link < count; link += 1) {
    const p = endA[link] ?? 0;
    const q = endB[link] ?? 0;
    const a = nodeOfPort[p] ?? 0;
    const b = nodeOfPort[q] ?? 0;
    const x = state[p] ?? 0;
    const y = state[q] ?? 0;
    table.a[link] = a;
    table.b[link] = b;
    table.kind[link] = Math.max(kindOfNode[a] ?? 0, kindOfNode[b] ?? 0);
    table.active[link] = (x === activeCode || x === 0) && (y === activeCode || y === 0) ? 1 : 0;
    table.gbps[link] = lowerKnown(
      dataRateGbps(lanes[p] ?? 0, speed[p] ?? 0),
      dataRateGbps(lanes[q] ?? 0, speed[q] ?? 0),
    );
  }
  return table;
}
