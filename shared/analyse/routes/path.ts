/** The way of one packet, table by table, as `ibtracert` follows it. */
import { at, nodeKind, peerPort } from "../../fabric/access.ts";
import { noRoute, notTold } from "../../fabric/lfts.ts";
import { none } from "../../fabric/model.ts";
import { linkPasses, portOfRow, portsOfRow, type RouteNetwork } from "./network.ts";

/** Where a route begins or ends: an adapter port, or a switch (its port 0, which has no index). */
export interface RouteEndpoint {
  readonly node: number;
  readonly port?: number;
}

/** One cable: left by port `out` of the node before, entered by port `in` of `node`. Port indices. */
interface RouteHop {
  readonly out: number;
  readonly in: number;
  readonly node: number;
}

/** How a route ends, and where. `node` and port indices. */
export type RouteEnd =
  | { readonly kind: "arrived" }
  /** The table of the switch says that it drops packets for this LID. */
  | { readonly kind: "no-route"; readonly node: number }
  /** There is no table of the switch. */
  | { readonly kind: "table-missing"; readonly node: number }
  /** There is a table, and it does not tell of this LID: cut, or the tools' gap. */
  | { readonly kind: "not-told"; readonly node: number }
  /** The switch takes itself for the owner of the LID (port 0), and is not. */
  | { readonly kind: "ends-in-switch"; readonly node: number }
  /** The switch sends to a port that has no cable, as far as the topology knows. */
  | { readonly kind: "no-cable"; readonly node: number; readonly number: number }
  | { readonly kind: "port-down"; readonly node: number; readonly number: number }
  /** The packet reaches a node that passes nothing on and does not own the LID. */
  | { readonly kind: "wrong-end"; readonly node: number }
  /** `start`: position in `hops` of the first cable of the circle. */
  | { readonly kind: "loop"; readonly start: number };

export interface RoutePath {
  readonly from: RouteEndpoint;
  readonly lid: number;
  /** Owner of the LID in the topology. */
  readonly to?: RouteEndpoint;
  /** With `loop`: to the end of the first round. */
  readonly hops: readonly RouteHop[];
  readonly end: RouteEnd;
}

/**
 * Follows the tables from an adapter port or a switch to a LID. With LMC a port has several LIDs (base LID + path bits),
 * each with a route of its own; where the packet comes from makes no difference on the way.
 */
export function routePath(network: RouteNetwork, from: RouteEndpoint, lid: number): RoutePath {
  const { fabric, owners } = network;
  const node = owners.nodeOf(lid);
  const port = owners.portOf(lid);
  const to: RouteEndpoint | undefined =
    node === undefined ? undefined : { node, ...(port === undefined ? {} : { port }) };
  const hops: RouteHop[] = [];
  const entered = new Map<number, number>();
  const result = (end: RouteEnd): RoutePath => ({ from, lid, ...(to === undefined ? {} : { to }), hops, end });
  let here = from.node;
  /** Port by which the packet came, or from which it starts; none for a switch as the start. */
  let by = from.port;
  for (;;) {
    if (to !== undefined && here === to.node && (to.port === undefined || to.port === by)) {
      return result({ kind: "arrived" });
    }
    let out: number;
    if (nodeKind(fabric, here) === "switch") {
      const round = entered.get(here);
      if (round !== undefined) return result({ kind: "loop", start: round });
      entered.set(here, hops.length);
      const step = stepOf(network, here, lid);
      if (typeof step !== "number") return result(step);
      out = step;
    } else if (hops.length === 0 && by !== undefined) {
      out = by;
    } else {
      return result({ kind: "wrong-end", node: here });
    }
    const number = at(fabric.ports.number, out);
    const peer = peerPort(fabric, out);
    if (peer === undefined) return result({ kind: "no-cable", node: here, number });
    if (!linkPasses(fabric, at(fabric.ports.link, out))) return result({ kind: "port-down", node: here, number });
    here = at(fabric.ports.node, peer);
    by = peer;
    hops.push({ out, in: peer, node: here });
  }
}

/** Port index by which a switch sends the LID on, or why it does not. */
function stepOf(network: RouteNetwork, node: number, lid: number): number | RouteEnd {
  const { lfts, portIndex } = network;
  const row = at(lfts.rowOfNode, node);
  if (lfts.told[row] !== 1) return { kind: "table-missing", node };
  const number = portOfRow(lfts, row, lid);
  if (number === noRoute) return { kind: "no-route", node };
  if (number === notTold) return { kind: "not-told", node };
  if (number === 0) return { kind: "ends-in-switch", node };
  const index = at(portIndex, row * portsOfRow + number);
  return index === none ? { kind: "no-cable", node, number } : index;
}
