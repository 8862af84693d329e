/** What it costs to read all forwarding tables, before it is asked for. */
import { count, groupDigits } from "../../base/text.ts";
import { nodeKind } from "../../fabric/access.ts";
import type { Fabric } from "../../fabric/model.ts";
import { lidOwners } from "../../fabric/lid-owners.ts";

/** LIDs in one block of a forwarding table: one management packet. */
const lidsOfBlock = 64;
/** Seconds for one block, asked one after the other (dump_fts on 320 switches with 2,400 LIDs: 4.3 s), and to begin a switch. */
const blockSeconds = 0.0004;
const switchSeconds = 0.01;

export interface TablesCost {
  readonly seconds: number;
  /** `12 switches for 48 LIDs, about 1 s`. */
  readonly words: string;
}

/** Of a fabric that is known. O(nodes). */
export function tablesCost(fabric: Fabric): TablesCost {
  let switches = 0;
  for (let node = 0; node < fabric.nodes.count; node += 1) if (nodeKind(fabric, node) === "switch") switches += 1;
  const { topLid } = lidOwners(fabric);
  const blocks = Math.ceil((topLid + 1) / lidsOfBlock);
  const seconds = Math.max(1, Math.round(switches * (switchSeconds + blocks * blockSeconds)));
  const time = seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
  return {
    seconds,
    words: `${count(switches, "switch", "switches")} for ${groupDigits(topLid)} LIDs, about ${time}`,
  };
}
