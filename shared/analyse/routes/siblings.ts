/** Which ports should carry about as much as each other. */
import { at, linkGbps, nodeKind, nodeName, peerPort } from "../../fabric/access.ts";
import type { Topology } from "../results.ts";
import { portsOfRow, type RouteNetwork } from "./network.ts";

export interface Siblings {
  /** Port indices of one switch. */
  readonly ports: readonly number[];
  /** `uplinks of leaf-03`. */
  readonly words: string;
}

/**
 * In a tree the uplinks of one switch, elsewhere and downwards the parallel cables to one neighbour: ports of the same rate
 * that lead to a switch. O(ports).
 */
export function siblingPorts(network: RouteNetwork, topology: Topology): readonly Siblings[] {
  const { fabric, lfts, nextRow, portIndex } = network;
  const groups = new Map<string, { ports: number[]; words: string }>();
  for (let row = 0; row < lfts.rows; row += 1) {
    const node = at(lfts.nodeOfRow, row);
    if (nodeKind(fabric, node) !== "switch") continue;
    for (let place = row * portsOfRow; place < (row + 1) * portsOfRow; place += 1) {
      const next = nextRow[place] ?? -1;
      if (next < 0) continue;
      const port = at(portIndex, place);
      const other = at(lfts.nodeOfRow, next);
      const up = topology.kind === "fat-tree" && at(topology.tierOfNode, other) === at(topology.tierOfNode, node) + 1;
      const key = `${row} ${up ? "up" : next} ${linkGbps(fabric, at(fabric.ports.link, port))}`;
      const group = groups.get(key);
      if (group !== undefined) group.ports.push(port);
      else {
        const words = up
          ? `uplinks of ${nodeName(fabric, node)}`
          : `cables from ${nodeName(fabric, node)} to ${nodeName(fabric, other)}`;
        groups.set(key, { ports: [port], words });
      }
    }
  }
  return [...groups.values()];
}

/** Siblings of one port, itself among them; undefined for a port that leads to no switch. */
export function siblingsOf(network: RouteNetwork, topology: Topology, port: number): Siblings | undefined {
  return peerPort(network.fabric, port) === undefined
    ? undefined
    : siblingPorts(network, topology).find(({ ports }) => ports.includes(port));
}

/** The middle value; the lower one of two. 0 of none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[(sorted.length - 1) >> 1] ?? 0;
}
