/** What the window sees of the forwarding tables of an open fabric, as plain data. Indices are those of the fabric. */
import type { Finding } from "../analyse/results.ts";
import type { Diagnostic } from "../parse/diagnostic.ts";
import type { PathHop } from "../measure/types.ts";

/** The tables as a whole. */
export interface RoutesView {
  /** Outputs that the tables were read from. */
  readonly files: readonly string[];
  /** Switches that have a table, of all. */
  readonly tables: number;
  readonly switches: number;
  /** Ordered pairs of adapter ports; `unknown`: the tables do not tell. */
  readonly pairs: number;
  readonly unreachable: number;
  readonly unknown: number;
  /** Pairs by number of cables on their route; index = cables. */
  readonly hops: readonly number[];
  /** Possible deadlocks, and circles that packets never leave. */
  readonly creditLoops: number;
  readonly loops: number;
  /**
   * By link, for the direction out of end A and the one out of end B: destinations reached, and pairs whose route crosses.
   * An adapter's own end counts no destinations: everything that it sends leaves by it.
   */
  readonly fromA: DirectionColumns;
  readonly fromB: DirectionColumns;
  readonly findings: readonly Finding[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface DirectionColumns {
  readonly destinations: Uint32Array;
  readonly pairs: Uint32Array;
}

/** A pair of adapter ports (indices) whose route crosses a cable. */
export interface RoutedPair {
  readonly from: number;
  readonly to: number;
  /** Base LID of `to`. */
  readonly lid: number;
}

/** One direction across a cable. */
export interface AcrossView {
  /** Port index by which the cable is left. */
  readonly port: number;
  /** False: there is no forwarding table of the node on that side, so nothing is known. */
  readonly known: boolean;
  readonly pairs: number;
  readonly destinations: number;
  /** Ports of the same switch that should carry about as much; null when there are none. */
  readonly siblings: {
    readonly words: string;
    readonly count: number;
    readonly median: number;
    readonly least: number;
    readonly most: number;
  } | null;
  /** Pairs that fit the filter: the first ones, and how many there are. */
  readonly matching: number;
  readonly list: readonly RoutedPair[];
}

/** The way of one pair. */
export interface RouteView {
  readonly from: number;
  readonly to: number;
  readonly lid: number;
  readonly arrives: boolean;
  /** How it ends, in one sentence. */
  readonly end: string;
  readonly hops: readonly PathHop[];
}
