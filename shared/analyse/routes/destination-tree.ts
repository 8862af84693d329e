/**
 * All routes to one LID: the next switch of every switch forms a tree with the destination at its root, plus what never
 * arrives. Each switch is visited once, so one destination costs O(switches).
 */
import { at } from "../../fabric/access.ts";
import { notTold } from "../../fabric/lfts.ts";
import { portOfRow, portsOfRow, type RouteNetwork, toNothing } from "./network.ts";

/** In {@link DestinationTree.hops}: packets go round in a circle. */
export const loops = -1;
/** In {@link DestinationTree.hops}: packets are dropped, or end at somebody else. */
export const lost = -2;
/** In {@link DestinationTree.hops}: the tables do not tell. */
const unknown = -3;

const unvisited = -4;
const onTheWay = -5;

/** One is used for many LIDs in turn; each {@link DestinationTree.follow} overwrites what was there. */
export class DestinationTree {
  /** By row: cables from that switch to the destination (0 at a switch that is itself the destination), or one of the codes above. */
  readonly hops: Int32Array;
  /** By row: row of the next switch, or -1 when the port leads to the destination itself, or nowhere. */
  readonly next: Int32Array;
  /** By row: output port number. */
  readonly out: Uint8Array;
  /** Rows in an order in which each stands behind the one that it sends to; only those that arrive. */
  readonly order: Uint32Array;
  /** Number of rows in {@link order}. */
  arriving = 0;
  private readonly stack: Uint32Array;
  private readonly network: RouteNetwork;

  constructor(network: RouteNetwork) {
    const { rows } = network.lfts;
    this.network = network;
    this.hops = new Int32Array(rows);
    this.next = new Int32Array(rows);
    this.out = new Uint8Array(rows);
    this.order = new Uint32Array(rows);
    this.stack = new Uint32Array(rows);
  }

  /** Follows all switches' routes to a LID. */
  follow(lid: number): void {
    const { lfts, nextRow, owners } = this.network;
    const { hops, next, out, order, stack } = this;
    const { rows, ports, topLid } = lfts;
    const column = lid > topLid ? lfts.above : ports.subarray(lid * rows, (lid + 1) * rows);
    const ownerNode = owners.nodeOf(lid);
    const ownerPort = owners.portOf(lid);
    const ownRow = ownerNode === undefined || ownerPort !== undefined ? -1 : at(lfts.rowOfNode, ownerNode);
    hops.fill(unvisited);
    this.arriving = 0;
    for (let start = 0; start < rows; start += 1) {
      if (hops[start] !== unvisited) continue;
      let depth = 0;
      let row = start;
      let end = 0;
      for (;;) {
        const known = hops[row] ?? lost;
        if (known !== unvisited) {
          end = known === onTheWay ? loops : known;
          break;
        }
        if (row === ownRow) {
          hops[row] = 0;
          out[row] = 0;
          next[row] = -1;
          order[this.arriving] = row;
          this.arriving += 1;
          end = 0;
          break;
        }
        hops[row] = onTheWay;
        stack[depth] = row;
        depth += 1;
        const port = column[row] ?? notTold;
        out[row] = port;
        const place = row * portsOfRow + port;
        const behind = port === 0 || port >= notTold ? toNothing : (nextRow[place] ?? toNothing);
        next[row] = behind >= 0 ? behind : -1;
        if (behind < 0) {
          const arrives = behind !== toNothing && ownerPort !== undefined && leadsTo(this.network, place, ownerPort);
          end = arrives ? 0 : port === notTold ? unknown : lost;
          break;
        }
        row = behind;
      }
      while (depth > 0) {
        depth -= 1;
        const back = stack[depth] ?? 0;
        if (end >= 0) {
          end += 1;
          order[this.arriving] = back;
          this.arriving += 1;
        }
        hops[back] = end;
      }
    }
  }
}

/** Whether the port at a place of the network's columns is cabled to this port (index). */
function leadsTo({ fabric, portIndex }: RouteNetwork, place: number, port: number): boolean {
  const own = at(portIndex, place);
  return own !== port && at(fabric.ports.link, own) === at(fabric.ports.link, port);
}

/** Cables from one switch (row) to a LID, or -1 where the route does not arrive: for one source, less work than a tree. */
export function hopsFromRow(network: RouteNetwork, start: number, lid: number): number {
  const { lfts, nextRow, owners } = network;
  const ownerNode = owners.nodeOf(lid);
  const ownerPort = owners.portOf(lid);
  if (ownerNode === undefined) return -1;
  const ownRow = ownerPort === undefined ? at(lfts.rowOfNode, ownerNode) : -1;
  let row = start;
  // More cables than switches: it goes round.
  for (let hops = 0; hops <= lfts.rows; hops += 1) {
    if (row === ownRow) return hops;
    const port = portOfRow(lfts, row, lid);
    if (port === 0 || port >= notTold) return -1;
    const place = row * portsOfRow + port;
    const behind = nextRow[place] ?? toNothing;
    if (behind === toNothing) return -1;
    if (behind < 0) return ownerPort !== undefined && leadsTo(network, place, ownerPort) ? hops + 1 : -1;
    row = behind;
  }
  return -1;
}
