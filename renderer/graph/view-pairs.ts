/**
 * Pairs of drawn nodes that cables join: how many are there, how many siblings have. Columns and chains, no keys to
 * build: the largest fabrics pass here at every unfolding.
 */
import { none } from "../../shared/fabric/model.ts";
import type { ViewNode } from "./view-types.ts";

export class Pairs {
  count = 0;
  readonly low: Uint32Array;
  readonly high: Uint32Array;
  /** Cables that are there. */
  readonly present: Uint32Array;
  /** Cables that the pattern of the siblings expects and that are not up. */
  readonly gaps: Uint32Array;
  /** Of both, those with a finding. */
  readonly bad: Uint32Array;
  private readonly head: Uint32Array;
  private readonly next: Uint32Array;

  constructor(most: number, nodes: number) {
    this.low = new Uint32Array(most);
    this.high = new Uint32Array(most);
    this.present = new Uint32Array(most);
    this.gaps = new Uint32Array(most);
    this.bad = new Uint32Array(most);
    this.head = new Uint32Array(nodes).fill(none);
    this.next = new Uint32Array(most);
  }

  /** The pair of two nodes, in either order. */
  find(a: number, b: number): number {
    const low = Math.min(a, b);
    const high = Math.max(a, b);
    let pair = this.head[low] ?? 0;
    while (pair !== none && (this.high[pair] ?? 0) !== high) pair = this.next[pair] ?? 0;
    if (pair !== none) return pair;
    pair = this.count++;
    this.low[pair] = low;
    this.high[pair] = high;
    this.next[pair] = this.head[low] ?? 0;
    this.head[low] = pair;
    return pair;
  }
}

const comparable: readonly ViewNode["kind"][] = ["switch", "director", "pod", "group", "plane"];

/**
 * Cables that each pair should have: what more than half of its siblings (pairs of the same kinds and tiers, both within
 * one pod or group or not) have, or those that are there with those known to be missing. 0 when nobody says.
 */
export function expectedCables(nodes: readonly ViewNode[], pairs: Pairs): Uint32Array {
  const expected = new Uint32Array(pairs.count);
  const kindOf = nodes.map(({ kind, level }) => {
    const place = comparable.indexOf(kind);
    return place < 0 ? -1 : place * 256 + (kind === "switch" ? level & 255 : 0);
  });
  const groups = new Map<number, { readonly pairs: number[]; readonly sizes: Map<number, number> }>();
  for (let pair = 0; pair < pairs.count; pair++) {
    const low = pairs.low[pair] ?? 0;
    const high = pairs.high[pair] ?? 0;
    // Nobody plans cables from a node to itself.
    if (low === high) continue;
    if ((pairs.gaps[pair] ?? 0) > 0) expected[pair] = (pairs.present[pair] ?? 0) + (pairs.gaps[pair] ?? 0);
    const a = kindOf[low] ?? -1;
    const b = kindOf[high] ?? -1;
    if (a < 0 || b < 0) continue;
    const together = within(nodes[low]) >= 0 && within(nodes[low]) === within(nodes[high]) ? 1 : 0;
    const key = (Math.min(a, b) * 4096 + Math.max(a, b)) * 2 + together;
    let group = groups.get(key);
    if (group === undefined) groups.set(key, (group = { pairs: [], sizes: new Map() }));
    const size = pairs.present[pair] ?? 0;
    group.pairs.push(pair);
    group.sizes.set(size, (group.sizes.get(size) ?? 0) + 1);
  }
  for (const group of groups.values()) {
    const [most] = [...group.sizes].sort((x, y) => y[1] - x[1] || y[0] - x[0]);
    if (most === undefined || most[1] * 2 <= group.pairs.length) continue;
    for (const pair of group.pairs) expected[pair] = Math.max(expected[pair] ?? 0, most[0]);
  }
  return expected;
}

/** Pod or group, -1 for none; a plane is in none. */
function within(node: ViewNode | undefined): number {
  return node === undefined || node.kind === "plane" ? -1 : node.cluster;
}
