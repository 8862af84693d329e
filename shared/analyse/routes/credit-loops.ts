/**
 * Credit loops: a packet holds the buffer behind one port while it waits for the next, so routes that chain ports into a
 * circle can stop each other for ever. The graph has an edge from port to port wherever a route of some adapter port to
 * another uses both in turn; a circle in it is a possible deadlock (W. J. Dally,
 * C. L. Seitz, "Deadlock-free message routing in multiprocessor interconnection networks", 1987). One virtual lane is
 * assumed: routings that avoid deadlocks by service levels (LASH, DFSSSP, Torus-2QoS) show circles here that they do not have.
 */
import { at } from "../../fabric/access.ts";
import { DestinationTree } from "./destination-tree.ts";
import { type LidChoice, lidsOf, portsOfRow, type RouteNetwork } from "./network.ts";

/** Circles, one for each knot of the graph: port indices of switches in the order of travel. */
export type CreditLoop = readonly number[];

/** Words of a set of the ports of one switch. */
const wordsOfSet = portsOfRow / 32;

/**
 * Finds possible deadlocks. With LMC, `base` follows the routes to the base LIDs, which is what tools use unless told
 * otherwise (and what ibdmchk counts); `all` those to the other LIDs too. O(LIDs × switches + edges).
 */
export function findCreditLoops(network: RouteNetwork, choice: LidChoice = "base"): readonly CreditLoop[] {
  const edges = collectEdges(network, choice);
  const { nextRow } = network;
  const successors = (place: number): number[] => {
    const base = (nextRow[place] ?? 0) * portsOfRow;
    const found: number[] = [];
    for (let word = 0; word < wordsOfSet; word += 1) {
      let bits = edges[place * wordsOfSet + word] ?? 0;
      while (bits !== 0) {
        const bit = 31 - Math.clz32(bits & -bits);
        found.push(base + word * 32 + bit);
        bits &= bits - 1;
      }
    }
    return found;
  };
  return knots(edges.length / wordsOfSet, successors)
    .map((members) => shortestCircle(members, successors))
    .map((circle) => circle.map((place) => at(network.portIndex, place)));
}

/** By place (row × 256 + port) of a switch-to-switch port: set of the ports of the next switch that a route goes on by. */
function collectEdges(network: RouteNetwork, choice: LidChoice): Uint32Array {
  const { lfts, endpoints, endpointRow, endpointsAtRow, nextRow } = network;
  const edges = new Uint32Array(lfts.rows * portsOfRow * wordsOfSet);
  const tree = new DestinationTree(network);
  const carries = new Uint8Array(lfts.rows);
  endpoints.forEach((port, index) => {
    const home = at(endpointRow, index);
    for (const lid of lidsOf(network, port, choice)) {
      tree.follow(lid);
      carries.fill(0);
      // Without the bounds check of `at`: this runs for every switch and LID.
      for (let position = tree.arriving - 1; position >= 0; position -= 1) {
        const row = tree.order[position] ?? 0;
        const own = (endpointsAtRow[row] ?? 0) - (row === home ? 1 : 0);
        if (own === 0 && carries[row] === 0) continue;
        const next = tree.next[row] ?? -1;
        if (next < 0) continue;
        carries[next] = 1;
        const onwards = tree.out[next] ?? 0;
        // The port to the destination itself waits for nobody.
        if ((nextRow[next * portsOfRow + onwards] ?? -1) < 0) continue;
        const word = (row * portsOfRow + (tree.out[row] ?? 0)) * wordsOfSet + (onwards >> 5);
        edges[word] = (edges[word] ?? 0) | (1 << (onwards & 31));
      }
    }
  });
  return edges;
}

/** Strongly connected parts with a circle in them (Tarjan's algorithm, without recursion), each by rising place. */
function knots(count: number, successors: (place: number) => number[]): number[][] {
  const index = new Int32Array(count).fill(-1);
  const low = new Int32Array(count);
  const onStack = new Uint8Array(count);
  const stack: number[] = [];
  const found: number[][] = [];
  let nextIndex = 0;
  const enter = (place: number): { place: number; out: number[]; at: number } => {
    index[place] = nextIndex;
    low[place] = nextIndex;
    nextIndex += 1;
    stack.push(place);
    onStack[place] = 1;
    return { place, out: successors(place), at: 0 };
  };
  for (let root = 0; root < count; root += 1) {
    if (index[root] !== -1) continue;
    const calls = [enter(root)];
    for (let call = calls.at(-1); call !== undefined; call = calls.at(-1)) {
      const { place } = call;
      const next = call.out[call.at];
      if (next !== undefined) {
        call.at += 1;
        if (index[next] === -1) calls.push(enter(next));
        else if (onStack[next] === 1) low[place] = Math.min(at(low, place), at(index, next));
        continue;
      }
      calls.pop();
      const parent = calls.at(-1);
      if (parent !== undefined) low[parent.place] = Math.min(at(low, parent.place), at(low, place));
      if (low[place] !== index[place]) continue;
      const members = stack.splice(stack.lastIndexOf(place));
      for (const member of members) onStack[member] = 0;
      if (members.length > 1 || call.out.includes(place)) found.push(members.sort((a, b) => a - b));
    }
  }
  return found.sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0));
}

/** A shortest circle through the first member of a knot. */
function shortestCircle(members: readonly number[], successors: (place: number) => number[]): number[] {
  const start = members[0] ?? 0;
  const inside = new Set(members);
  const before = new Map<number, number>();
  const queue = [start];
  for (const place of queue) {
    for (const next of successors(place)) {
      if (next === start) {
        const circle = [place];
        for (let back = before.get(place); back !== undefined; back = before.get(back)) circle.push(back);
        return circle.reverse();
      }
      if (!inside.has(next) || before.has(next)) continue;
      before.set(next, place);
      queue.push(next);
    }
  }
  return [start];
}
