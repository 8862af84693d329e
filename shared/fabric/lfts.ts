/** The forwarding tables of one fabric: by which port each switch sends on what is meant for a LID. */
import { none } from "./model.ts";

/** Instead of a port: the switch has no route to the LID and drops what is sent there. */
export const noRoute = 255;
/** Instead of a port: no table says (no table of this switch, cut text, or the tools' known gap). */
export const notTold = 254;

/**
 * Tables as one column: `ports[lid * rows + row]`, so that everything about one destination lies side by side. One byte
 * for a switch and a LID: 1,500 switches with 12,000 LIDs are 18 MB. Belongs to the Fabric that it was built for, and
 * survives structured cloning.
 */
export interface Lfts {
  /** Highest LID that any table tells. */
  readonly topLid: number;
  /** Switches of the fabric, whether they have a table or not. */
  readonly rows: number;
  /** Row by node index; {@link none} for what is no switch. */
  readonly rowOfNode: Uint32Array;
  /** Node index by row. */
  readonly nodeOfRow: Uint32Array;
  /** 1 when the switch of that row has a table. */
  readonly told: Uint8Array;
  /** Output port, {@link noRoute} or {@link notTold}; (topLid + 1) × rows bytes. */
  readonly ports: Uint8Array;
  /** By row, what holds for LIDs above `topLid`. */
  readonly above: Uint8Array;
}

/** Output port of a switch (node index) for a LID, {@link noRoute} or {@link notTold}; `notTold` for what is no switch. */
export function outPort(lfts: Lfts, node: number, lid: number): number {
  const row = lfts.rowOfNode[node] ?? none;
  if (row === none || lid < 1) return notTold;
  return (lid > lfts.topLid ? lfts.above[row] : lfts.ports[lid * lfts.rows + row]) ?? notTold;
}
