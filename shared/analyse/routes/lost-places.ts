/** Where packets get lost: all pairs without a route, gathered by the place at which they end. */
import { at } from "../../fabric/access.ts";
import { noRoute, notTold } from "../../fabric/lfts.ts";
import { none } from "../../fabric/model.ts";
import { DestinationTree, lost } from "./destination-tree.ts";
import { portsOfRow, type RouteNetwork, toNothing } from "./network.ts";

export interface LostPlace {
  /**
   * `no-route`: the table drops the packet. `nowhere`: it sends to a port without a cable that passes anything.
   * `ends-in-switch`: the switch takes itself for the owner. `wrong-end`: the port leads to somebody else.
   */
  readonly why: "no-route" | "nowhere" | "ends-in-switch" | "wrong-end";
  /** Node index of the switch. */
  readonly node: number;
  /** Output port number; 0 for `no-route` and `ends-in-switch`. */
  readonly number: number;
  /** Index of that port, when the fabric has it. */
  readonly port: number | undefined;
  /** Ordered pairs of adapter ports whose packets end here. */
  readonly pairs: number;
  /** LIDs of adapter ports that cannot be reached from here. */
  readonly destinations: number;
  /** The first such pair: port indices, and the base LID of `to`. */
  readonly example: { readonly from: number; readonly to: number; readonly lid: number };
}

/** All such places, the one that most pairs end at first. O(destinations × switches). */
export function lostPlaces(network: RouteNetwork): readonly LostPlace[] {
  const { lfts, endpoints, endpointLid, endpointRow, endpointsAtRow, nextRow, portIndex } = network;
  const tree = new DestinationTree(network);
  const firstAt = firstEndpoints(network);
  const places = new Map<number, { -readonly [Key in keyof LostPlace]: LostPlace[Key] }>();
  /** By place: the LID that was counted there last. */
  const counted = new Map<number, number>();
  /** By row: place at which the packets of that row end, found for the destination `mark`. */
  const endOf = new Int32Array(lfts.rows);
  const markOf = new Int32Array(lfts.rows).fill(-1);
  const chain: number[] = [];
  endpoints.forEach((to, index) => {
    const lid = at(endpointLid, index);
    const home = at(endpointRow, index);
    tree.follow(lid);
    for (let start = 0; start < lfts.rows; start += 1) {
      if (tree.hops[start] !== lost) continue;
      const sources = (endpointsAtRow[start] ?? 0) - (start === home ? 1 : 0);
      if (sources <= 0) continue;
      chain.length = 0;
      let row = start;
      while (markOf[row] !== index && (tree.next[row] ?? -1) >= 0) {
        chain.push(row);
        row = tree.next[row] ?? row;
      }
      const end = markOf[row] === index ? (endOf[row] ?? 0) : row * portsOfRow + (tree.out[row] ?? noRoute);
      for (const passed of [...chain, row]) {
        endOf[passed] = end;
        markOf[passed] = index;
      }
      const from = firstAt(start, to);
      const known = places.get(end);
      if (known !== undefined) {
        known.pairs += sources;
        if (counted.get(end) !== lid) known.destinations += 1;
        counted.set(end, lid);
        continue;
      }
      const number = end % portsOfRow;
      const behind = nextRow[end] ?? toNothing;
      const why =
        number >= notTold
          ? "no-route"
          : number === 0
            ? "ends-in-switch"
            : behind === toNothing
              ? "nowhere"
              : "wrong-end";
      const port = portIndex[end] ?? none;
      counted.set(end, lid);
      places.set(end, {
        why,
        node: at(lfts.nodeOfRow, Math.floor(end / portsOfRow)),
        number: number >= notTold ? 0 : number,
        port: port === none ? undefined : port,
        pairs: sources,
        destinations: 1,
        example: { from, to, lid },
      });
    }
  });
  return [...places.values()].sort((a, b) => b.pairs - a.pairs);
}

/** An endpoint at a row that is not the one named. */
function firstEndpoints(network: RouteNetwork): (row: number, except: number) => number {
  const ends: number[][] = [];
  network.endpoints.forEach((port, index) => {
    const row = at(network.endpointRow, index);
    if (row < 0) return;
    const few = (ends[row] ??= []);
    if (few.length < 2) few.push(port);
  });
  return (row, except) => ends[row]?.find((port) => port !== except) ?? except;
}
