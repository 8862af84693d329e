/**
 * Topology and tables as arrays that routes are followed in: which switch lies behind which port, who owns a LID, and
 * which adapter ports send and receive. Built once, then every question costs O(switches) per destination.
 */
import { at, nodeKind, peerPort, portState } from "../../fabric/access.ts";
import { type LidOwners, lidOwners } from "../../fabric/lid-owners.ts";
import { type Lfts, noRoute } from "../../fabric/lfts.ts";
import { type Fabric, none } from "../../fabric/model.ts";

/** In {@link RouteNetwork.nextRow}: the port ends at an adapter or a router. */
const toEndpoint = -1;
/** In {@link RouteNetwork.nextRow}: no port of that number, no cable, or a cable that is down. */
export const toNothing = -2;

/** Port numbers of one switch in the tables below; 254 and 255 are none. */
export const portsOfRow = 256;

export interface RouteNetwork {
  readonly fabric: Fabric;
  readonly lfts: Lfts;
  readonly owners: LidOwners;
  /** By row × {@link portsOfRow} + port number: row of the switch behind it, {@link toEndpoint} or {@link toNothing}. */
  readonly nextRow: Int32Array;
  /** By row × {@link portsOfRow} + port number: port index, or `none`. */
  readonly portIndex: Uint32Array;
  /**
   * Adapter ports that send and receive: HCAs and aggregation nodes, every port with a LID and a cable. Routers pass
   * packets on between subnets, they are no end of a route.
   */
  readonly endpoints: Uint32Array;
  /** Base LID by endpoint. */
  readonly endpointLid: Uint16Array;
  /** Row of the switch that an endpoint is cabled to, or -1 when it is none. */
  readonly endpointRow: Int32Array;
  /** Number of endpoints at each row. */
  readonly endpointsAtRow: Uint32Array;
}

/** A cable passes packets unless an end is known to be down, or not yet configured by a subnet manager. */
export function linkPasses(fabric: Fabric, link: number): boolean {
  return [fabric.links.a, fabric.links.b].every((end) => {
    const state = portState(fabric, at(end, link));
    return state !== "Down" && state !== "Initialize";
  });
}

/** Prepares a fabric and its tables. O(ports). */
export function routeNetwork(fabric: Fabric, lfts: Lfts): RouteNetwork {
  const size = lfts.rows * portsOfRow;
  const nextRow = new Int32Array(size).fill(toNothing);
  const portIndex = new Uint32Array(size).fill(none);
  const endpoints: number[] = [];
  const endpointRow: number[] = [];
  const endpointsAtRow = new Uint32Array(lfts.rows);
  for (let port = 0; port < fabric.ports.count; port += 1) {
    const node = at(fabric.ports.node, port);
    const kind = nodeKind(fabric, node);
    const peer = peerPort(fabric, port);
    const peerRow = peer === undefined ? none : at(lfts.rowOfNode, at(fabric.ports.node, peer));
    const passes = peer !== undefined && linkPasses(fabric, at(fabric.ports.link, port));
    if (kind === "switch") {
      const place = at(lfts.rowOfNode, node) * portsOfRow + at(fabric.ports.number, port);
      portIndex[place] = port;
      if (passes) nextRow[place] = peerRow === none ? toEndpoint : peerRow;
    } else if (kind !== "router" && passes && at(fabric.ports.lid, port) !== 0) {
      endpoints.push(port);
      endpointRow.push(peerRow === none ? -1 : peerRow);
      if (peerRow !== none) endpointsAtRow[peerRow] = at(endpointsAtRow, peerRow) + 1;
    }
  }
  return {
    fabric,
    lfts,
    owners: lidOwners(fabric),
    nextRow,
    portIndex,
    endpoints: Uint32Array.from(endpoints),
    endpointLid: Uint16Array.from(endpoints, (port) => at(fabric.ports.lid, port)),
    endpointRow: Int32Array.from(endpointRow),
    endpointsAtRow,
  };
}

/** The same network with adapters as the only ends: aggregation nodes (SHARP) talk along trees of their own. O(endpoints). */
export function betweenAdapters(network: RouteNetwork): RouteNetwork {
  const { fabric, endpoints, endpointRow, endpointLid } = network;
  const kept = [...endpoints.keys()].filter(
    (index) => nodeKind(fabric, at(fabric.ports.node, at(endpoints, index))) !== "aggregation",
  );
  const endpointsAtRow = new Uint32Array(network.endpointsAtRow.length);
  for (const index of kept) {
    const row = at(endpointRow, index);
    if (row >= 0) endpointsAtRow[row] = at(endpointsAtRow, row) + 1;
  }
  return {
    ...network,
    endpoints: Uint32Array.from(kept, (index) => at(endpoints, index)),
    endpointLid: Uint16Array.from(kept, (index) => at(endpointLid, index)),
    endpointRow: Int32Array.from(kept, (index) => at(endpointRow, index)),
    endpointsAtRow,
  };
}

/** Output port of a row for a LID, as {@link Lfts} tells it. */
export function portOfRow(lfts: Lfts, row: number, lid: number): number {
  return (lid > lfts.topLid ? lfts.above[row] : lfts.ports[lid * lfts.rows + row]) ?? noRoute;
}

/** Row of the switch that an adapter port is cabled to; -1 when there is none, or the cable passes nothing. */
export function homeRow(network: RouteNetwork, port: number): number {
  const { fabric, lfts } = network;
  const peer = peerPort(fabric, port);
  if (peer === undefined || !linkPasses(fabric, at(fabric.ports.link, port))) return -1;
  const row = at(lfts.rowOfNode, at(fabric.ports.node, peer));
  return row === none ? -1 : row;
}

/** `base`: the LID that tools use unless told otherwise. `all`: with LMC the others of each port too. */
export type LidChoice = "base" | "all";

/** LIDs of an adapter port. */
export function lidsOf(network: RouteNetwork, port: number, choice: LidChoice): readonly number[] {
  const { lid, lmc } = network.fabric.ports;
  const base = at(lid, port);
  if (choice === "base") return [base];
  return Array.from({ length: 2 ** Math.min(7, at(lmc, port)) }, (_, bits) => base + bits);
}
