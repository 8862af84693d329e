import { at } from "../../fabric/access.ts";
import { type DestinationTree, loops } from "./destination-tree.ts";
import { portsOfRow, type RouteNetwork } from "./network.ts";

/** Switches that send packets for a LID round in a circle. */
export interface ForwardingLoop {
  /** The first LID that goes round there, and how many do. */
  readonly lid: number;
  readonly lids: number;
  /** Port indices in the order of travel: each port's cable leads to the switch of the next. */
  readonly ports: readonly number[];
}

/** Different circles that are kept; a fabric with more has one cause. */
const loopsKept = 100;

/** Collects the circles of many destinations; the same one is kept once. */
export class LoopFinder {
  private readonly found = new Map<string, { lid: number; lids: number; ports: readonly number[] }>();
  private readonly seen: Int32Array;
  private mark = 0;
  private readonly network: RouteNetwork;

  constructor(network: RouteNetwork) {
    this.network = network;
    this.seen = new Int32Array(network.lfts.rows).fill(-1);
  }

  get loops(): readonly ForwardingLoop[] {
    return [...this.found.values()];
  }

  /** Notes the circles that a followed destination runs into. */
  look(lid: number, tree: DestinationTree): void {
    const first = this.mark;
    for (let start = 0; start < this.seen.length; start += 1) {
      if (tree.hops[start] !== loops || (this.seen[start] ?? 0) >= first) continue;
      this.mark += 1;
      let row = start;
      while (at(this.seen, row) < first) {
        this.seen[row] = this.mark;
        row = tree.next[row] ?? row;
      }
      // Ran into what this walk has passed itself: a circle that is new for this LID.
      if (this.seen[row] === this.mark) this.keep(lid, row, tree);
    }
    this.mark += 1;
  }

  private keep(lid: number, row: number, tree: DestinationTree): void {
    const ports: number[] = [];
    let place = row;
    do {
      ports.push(at(this.network.portIndex, place * portsOfRow + (tree.out[place] ?? 0)));
      place = tree.next[place] ?? row;
    } while (place !== row);
    // The same circle may be entered anywhere.
    const least = ports.indexOf(Math.min(...ports));
    const turned = [...ports.slice(least), ...ports.slice(0, least)];
    const key = turned.join();
    const known = this.found.get(key);
    if (known !== undefined) known.lids += 1;
    else if (this.found.size < loopsKept) this.found.set(key, { lid, lids: 1, ports: turned });
  }
}
