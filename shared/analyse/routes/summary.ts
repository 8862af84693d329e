/**
 * What the tables make of the fabric as a whole: how long the routes of all adapter ports to all others are, how many of
 * them every port carries, and which never arrive. Counted as `ibdmchk` of ibutils counts, so that the two can be compared:
 * every adapter port with a LID is an end (aggregation nodes too, routers not), every ordered pair of two ends is one route,
 * with LMC the one to the base LID; hops are cables.
 */
import { at } from "../../fabric/access.ts";
import { none } from "../../fabric/model.ts";
import { type ForwardingLoop, LoopFinder } from "./forwarding-loops.ts";
import { DestinationTree, loops, lost } from "./destination-tree.ts";
import { portsOfRow, type RouteNetwork } from "./network.ts";

/** A pair of adapter ports without a route. Port indices. */
interface LostPair {
  readonly from: number;
  readonly to: number;
  /** Base LID of `to`. */
  readonly lid: number;
  /** `loop`: packets go round until they are too old. `lost`: they are dropped, or reach somebody else. */
  readonly why: "loop" | "lost";
}

export interface RouteSummary {
  /** Ordered pairs of different adapter ports. */
  readonly pairs: number;
  /** Pairs by number of cables on their route; index = cables. */
  readonly hops: readonly number[];
  /** Pairs whose packets the tables let go lost. */
  readonly unreachable: number;
  /** Pairs of which the tables do not tell: a table is missing, cut, or has the tools' gap. */
  readonly unknown: number;
  /** The first pairs of `unreachable`, at most {@link lostPairsKept}. */
  readonly lostPairs: readonly LostPair[];
  /** Circles of switches, each with a LID that goes round in it. */
  readonly loops: readonly ForwardingLoop[];
  /** By port index: destinations (adapter ports) that some pair reaches through this port of a switch. */
  readonly destinationsOfPort: Uint32Array;
  /** By port index: pairs whose route leaves the switch by this port. */
  readonly pairsOfPort: Uint32Array;
  /**
   * How many switch-to-switch ports carry how many destinations; index = destinations. Ports of switches that pass nothing
   * on to another switch are left out, as ibdmchk does.
   */
  readonly destinationsPerPort: readonly number[];
}

/** Lost pairs that a summary names; all are counted. */
const lostPairsKept = 1000;

/** Follows the routes of all pairs. O(destinations × switches + ports). */
export function summariseRoutes(network: RouteNetwork): RouteSummary {
  const { fabric, lfts, endpoints, endpointLid, endpointRow, endpointsAtRow, portIndex } = network;
  const { rows } = lfts;
  const tree = new DestinationTree(network);
  const loopFinder = new LoopFinder(network);
  const flow = new Uint32Array(rows);
  const hops: number[] = [];
  const destinationsOfPort = new Uint32Array(fabric.ports.count);
  const pairsOfPort = new Uint32Array(fabric.ports.count);
  const lostPairs: LostPair[] = [];
  const direct = directSources(network);
  let unreachable = 0;
  let unknown = 0;
  endpoints.forEach((destination, index) => {
    const lid = at(endpointLid, index);
    const home = at(endpointRow, index);
    tree.follow(lid);
    loopFinder.look(lid, tree);
    // The destination sends nothing to itself.
    flow.set(endpointsAtRow);
    if (home >= 0) flow[home] = at(flow, home) - 1;
    const lostBefore = unreachable;
    // Without the bounds check of `at`: this runs for every switch and destination.
    for (let row = 0; row < rows; row += 1) {
      const sources = flow[row] ?? 0;
      if (sources === 0) continue;
      const length = tree.hops[row] ?? lost;
      if (length >= 0) hops[length + 1] = (hops[length + 1] ?? 0) + sources;
      else if (length === loops || length === lost) unreachable += sources;
      else unknown += sources;
    }
    // From the farthest to the nearest: what a switch passes on is its own and all that comes to it.
    for (let position = tree.arriving - 1; position >= 0; position -= 1) {
      const row = tree.order[position] ?? 0;
      const sources = flow[row] ?? 0;
      if (sources === 0) continue;
      const port = portIndex[row * portsOfRow + (tree.out[row] ?? 0)] ?? none;
      const next = tree.next[row] ?? -1;
      if (next >= 0) flow[next] = (flow[next] ?? 0) + sources;
      if (port === none) continue;
      destinationsOfPort[port] = (destinationsOfPort[port] ?? 0) + 1;
      pairsOfPort[port] = (pairsOfPort[port] ?? 0) + sources;
    }
    for (const source of direct) {
      if (source === destination) continue;
      // Two adapters on one cable: a packet for anyone else has nowhere to go.
      if (at(fabric.ports.link, source) === at(fabric.ports.link, destination)) hops[1] = (hops[1] ?? 0) + 1;
      else {
        unreachable += 1;
        if (lostPairs.length < lostPairsKept) lostPairs.push({ from: source, to: destination, lid, why: "lost" });
      }
    }
    if (unreachable > lostBefore) nameLost(network, tree, destination, lid, lostPairs);
  });
  const ends = endpoints.length;
  return {
    pairs: ends * Math.max(0, ends - 1),
    hops: withoutHoles(hops),
    unreachable,
    unknown,
    lostPairs,
    loops: loopFinder.loops,
    destinationsOfPort,
    pairsOfPort,
    destinationsPerPort: histogram(network, destinationsOfPort),
  };
}

/** Endpoints that are not cabled to a switch. */
function directSources(network: RouteNetwork): readonly number[] {
  return Array.from(network.endpoints).filter((_, index) => at(network.endpointRow, index) < 0);
}

function nameLost(
  network: RouteNetwork,
  tree: DestinationTree,
  destination: number,
  lid: number,
  lostPairs: LostPair[],
): void {
  for (let index = 0; index < network.endpoints.length && lostPairs.length < lostPairsKept; index += 1) {
    const from = at(network.endpoints, index);
    const row = at(network.endpointRow, index);
    if (from === destination || row < 0) continue;
    const length = tree.hops[row] ?? lost;
    if (length === loops || length === lost) {
      lostPairs.push({ from, to: destination, lid, why: length === loops ? "loop" : "lost" });
    }
  }
}

function histogram(network: RouteNetwork, destinationsOfPort: Uint32Array): number[] {
  const { lfts, nextRow, portIndex } = network;
  const counts: number[] = [];
  for (let row = 0; row < lfts.rows; row += 1) {
    const ports: number[] = [];
    for (let place = row * portsOfRow; place < (row + 1) * portsOfRow; place += 1) {
      if ((nextRow[place] ?? -1) >= 0) ports.push(at(destinationsOfPort, at(portIndex, place)));
    }
    if (ports.every((destinations) => destinations === 0)) continue;
    for (const destinations of ports) counts[destinations] = (counts[destinations] ?? 0) + 1;
  }
  return withoutHoles(counts);
}

/** Counts by index, with 0 where nothing was counted. */
function withoutHoles(counts: readonly (number | undefined)[]): number[] {
  return Array.from(counts, (count) => count ?? 0);
}
