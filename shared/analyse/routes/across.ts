/** Which pairs of adapter ports use a cable in one direction: asked backwards, from the cable to where its packets come from. */
import { at, nodeKind } from "../../fabric/access.ts";
import { DestinationTree, hopsFromRow } from "./destination-tree.ts";
import { homeRow, type LidChoice, lidsOf, portOfRow, type RouteNetwork } from "./network.ts";

/** A destination that is reached across the cable. */
interface CrossingDestination {
  /** Port index of the destination. */
  readonly port: number;
  /** The LID of it that is routed this way. */
  readonly lid: number;
  /** Adapter ports whose route to it crosses. */
  readonly sources: number;
  /** Port index of the one that is fewest cables away from the destination. */
  readonly closest: number;
  /** Cables between the closest and the destination. */
  readonly hops: number;
}

export interface CrossingPairs {
  /** Ordered pairs in all. */
  readonly pairs: number;
  readonly destinations: readonly CrossingDestination[];
}

/**
 * All pairs whose whole route is known and leaves by this port (index), so that its cable is crossed away from it.
 * O(destinations behind the port × switches).
 */
export function pairsAcross(network: RouteNetwork, port: number, choice: LidChoice = "base"): CrossingPairs {
  const walk = new CrossingWalk(network, port);
  const destinations: CrossingDestination[] = [];
  let pairs = 0;
  for (const destination of network.endpoints) {
    for (const lid of lidsOf(network, destination, choice)) {
      const found = walk.destination(destination, lid);
      if (found === undefined) continue;
      pairs += found.sources;
      destinations.push(found);
    }
  }
  return { pairs, destinations };
}

/** Port indices of all adapter ports whose route to a LID leaves by this port. O(switches + endpoints). */
export function sourcesAcross(network: RouteNetwork, port: number, lid: number): Uint32Array {
  const walk = new CrossingWalk(network, port);
  const destination = network.owners.portOf(lid);
  return destination === undefined ? new Uint32Array(0) : walk.sources(destination, lid);
}

/**
 * Walks all crossing pairs by destination: `visit` is told the destination's port and LID and the adapter ports that send
 * to it across the cable. O(destinations behind the port × (switches + endpoints)).
 */
export function visitPairsAcross(
  network: RouteNetwork,
  port: number,
  visit: (destination: number, lid: number, sources: Uint32Array) => void,
): void {
  const walk = new CrossingWalk(network, port);
  for (const destination of network.endpoints) {
    for (const lid of lidsOf(network, destination, "base")) {
      const sources = walk.sources(destination, lid);
      if (sources.length > 0) visit(destination, lid, sources);
    }
  }
}

class CrossingWalk {
  private readonly tree: DestinationTree;
  /** 1 for a row whose packets reach the cable. */
  private readonly reaches: Uint8Array;
  /** Row of the switch that the port is on, -1 for an adapter's. */
  private readonly row: number;
  /** Row of the switch that an adapter's port is cabled to, else -1. */
  private readonly home: number;
  private readonly number: number;
  /** An endpoint by row that has one, -1 for none: the first and, where the first is the destination, another. */
  private readonly firstAt: Int32Array;
  private readonly secondAt: Int32Array;
  private readonly network: RouteNetwork;
  private readonly port: number;

  constructor(network: RouteNetwork, port: number) {
    const { fabric, lfts, endpoints, endpointRow } = network;
    this.network = network;
    this.port = port;
    this.tree = new DestinationTree(network);
    this.reaches = new Uint8Array(lfts.rows);
    const node = at(fabric.ports.node, port);
    const kind = nodeKind(fabric, node);
    this.row = kind === "switch" ? at(lfts.rowOfNode, node) : -1;
    this.home = kind === "switch" || kind === "router" ? -1 : homeRow(network, port);
    this.number = at(fabric.ports.number, port);
    this.firstAt = new Int32Array(lfts.rows).fill(-1);
    this.secondAt = new Int32Array(lfts.rows).fill(-1);
    endpoints.forEach((endpoint, index) => {
      const row = at(endpointRow, index);
      if (row < 0) return;
      if (this.firstAt[row] === -1) this.firstAt[row] = endpoint;
      else if (this.secondAt[row] === -1) this.secondAt[row] = endpoint;
    });
  }

  /** What reaches a destination across the cable; undefined when nothing does. */
  destination(port: number, lid: number): CrossingDestination | undefined {
    if (this.row < 0) return this.fromAdapter(port, lid);
    if (!this.mark(lid)) return undefined;
    const { tree, reaches } = this;
    const home = homeRow(this.network, port);
    let sources = 0;
    let closest = -1;
    let hops = 0;
    for (let position = 0; position < tree.arriving; position += 1) {
      const row = tree.order[position] ?? 0;
      if (reaches[row] !== 1) continue;
      const first = this.firstAt[row] ?? -1;
      const other = first === port ? (this.secondAt[row] ?? -1) : first;
      if (other === -1) continue;
      sources += (this.network.endpointsAtRow[row] ?? 0) - (row === home ? 1 : 0);
      const length = (tree.hops[row] ?? 0) + 1;
      if (closest >= 0 && length >= hops) continue;
      closest = other;
      hops = length;
    }
    return closest < 0 ? undefined : { port, lid, sources, closest, hops };
  }

  sources(destination: number, lid: number): Uint32Array {
    const { endpoints, endpointRow } = this.network;
    if (this.row < 0) {
      return Uint32Array.from(this.fromAdapter(destination, lid) === undefined ? [] : [this.port]);
    }
    if (!this.mark(lid)) return new Uint32Array(0);
    return endpoints.filter((endpoint, index) => {
      const row = at(endpointRow, index);
      return endpoint !== destination && row >= 0 && this.reaches[row] === 1;
    });
  }

  /** Marks all switches whose packets for the LID leave by the port; false when none do, or they do not arrive. */
  private mark(lid: number): boolean {
    const { tree, reaches, row } = this;
    if (portOfRow(this.network.lfts, row, lid) !== this.number) return false;
    tree.follow(lid);
    if ((tree.hops[row] ?? -1) <= 0) return false;
    reaches.fill(0);
    for (let position = 0; position < tree.arriving; position += 1) {
      const sender = tree.order[position] ?? 0;
      const next = tree.next[sender] ?? -1;
      if (sender === row || (next >= 0 && reaches[next] === 1)) reaches[sender] = 1;
    }
    return true;
  }

  /** The cable of an adapter carries everything that the adapter port sends. */
  private fromAdapter(destination: number, lid: number): CrossingDestination | undefined {
    if (this.home < 0 || destination === this.port) return undefined;
    const length = hopsFromRow(this.network, this.home, lid);
    return length < 0 ? undefined : { port: destination, lid, sources: 1, closest: this.port, hops: length + 1 };
  }
}
