import { at, nodeKind } from "./access.ts";
import { type Fabric, none } from "./model.ts";

/** Who has a LID. With LMC n a port has 2^n of them from its base LID. */
export interface LidOwners {
  /** Highest LID that anybody has. */
  readonly topLid: number;
  /** Node index of a LID's owner. */
  nodeOf(lid: number): number | undefined;
  /** Port index of a LID's owner; undefined for a switch, whose LID belongs to port 0, which no column has. */
  portOf(lid: number): number | undefined;
}

const unicastLids = 0xc000;

/** Looks up who has which LID. O(nodes + ports + LIDs). Where two claim one LID, the first in the columns has it. */
export function lidOwners(fabric: Fabric): LidOwners {
  const nodes = new Uint32Array(unicastLids).fill(none);
  const ports = new Uint32Array(unicastLids).fill(none);
  let topLid = 0;
  const claim = (lid: number, lmc: number, node: number, port: number): void => {
    const end = Math.min(unicastLids, lid + 2 ** Math.min(lmc, 7));
    for (let own = lid; own < end && lid > 0; own += 1) {
      if (at(nodes, own) !== none) continue;
      nodes[own] = node;
      ports[own] = port;
      if (own > topLid) topLid = own;
    }
  };
  for (let node = 0; node < fabric.nodes.count; node += 1) {
    if (nodeKind(fabric, node) === "switch") claim(at(fabric.nodes.lid, node), at(fabric.nodes.lmc, node), node, none);
  }
  for (let port = 0; port < fabric.ports.count; port += 1) {
    const node = at(fabric.ports.node, port);
    if (nodeKind(fabric, node) === "switch") continue;
    claim(at(fabric.ports.lid, port), at(fabric.ports.lmc, port), node, port);
  }
  const find = (column: Uint32Array, lid: number): number | undefined => {
    const found = column[lid] ?? none;
    return found === none ? undefined : found;
  };
  return { topLid, nodeOf: (lid) => find(nodes, lid), portOf: (lid) => find(ports, lid) };
}
