/**
 * The tier of switches with damaged cabling. One rule: a switch stands on the tier where the fewest of its cables would
 * have to change for it to be cabled like another switch there. A core of a small tree with two of its four cables
 * swapped to leaves needs two changes to be a core and ten to be a spine.
 */
import { median } from "../base/statistics.ts";
import type { SwitchGraph } from "./switch-graph.ts";

/** Cables of every switch as seen from its own tier. */
interface Sides {
  /** Per switch: cables to the tier below, to its own, to the tier above, to any other place (hosts above the leaves too). */
  readonly down: Uint32Array;
  readonly beside: Uint32Array;
  readonly up: Uint32Array;
  readonly elsewhere: Uint32Array;
  /** Per tier: the median of its switches. */
  readonly usual: readonly {
    readonly switches: number;
    readonly hosts: number;
    readonly down: number;
    readonly beside: number;
    readonly up: number;
  }[];
}

function sidesOf(graph: SwitchGraph, tier: Int8Array): Sides {
  const { switches, start, neighbour, cables, hostLinks } = graph;
  const column = (): Uint32Array => new Uint32Array(tier.length);
  const [down, beside, up, elsewhere] = [column(), column(), column(), column()];
  const members: number[][] = [];
  for (const node of switches) {
    const own = tier[node] ?? -1;
    if (own < 1) continue;
    let [below, same, above, other] = [0, 0, 0, own > 1 ? (hostLinks[node] ?? 0) : 0];
    for (let i = start[node] ?? 0; i < (start[node + 1] ?? 0); i += 1) {
      const count = cables[i] ?? 0;
      const step = (tier[neighbour[i] ?? 0] ?? -1) - own;
      if (step === 1) above += count;
      else if (step === -1) below += count;
      else if (step === 0) same += count;
      else other += count;
    }
    down[node] = below;
    beside[node] = same;
    up[node] = above;
    elsewhere[node] = other;
    (members[own] ??= []).push(node);
  }
  const middle = (nodes: readonly number[], of: Uint32Array): number => median(nodes.map((node) => of[node] ?? 0));
  const usual = Array.from({ length: members.length }, (_, level) => {
    const nodes = members[level] ?? [];
    return {
      switches: nodes.length,
      hosts: middle(nodes, hostLinks),
      down: middle(nodes, down),
      beside: middle(nodes, beside),
      up: middle(nodes, up),
    };
  });
  return { down, beside, up, elsewhere, usual };
}

/** Switches of which something speaks against their tier: a cable that fits nowhere, or far fewer cables down than usual. */
function doubtful({ switches }: SwitchGraph, tier: Int8Array, sides: Sides): readonly number[] {
  return switches.filter((node) => {
    const level = tier[node] ?? -1;
    const usual = sides.usual[level];
    if (level < 1 || usual === undefined) return false;
    return (
      sides.elsewhere[node] !== 0 ||
      sides.beside[node] !== usual.beside ||
      (level > 1 && (sides.down[node] ?? 0) * 2 <= usual.down)
    );
  });
}

/** Counts changes of one switch at a time. */
interface Comparison {
  readonly graph: SwitchGraph;
  readonly tier: Int8Array;
  readonly sides: Sides;
  /** Per node: cables shared with the switch that is looked at. All zero between two questions. */
  readonly shared: Uint32Array;
}

/**
 * Fewest changes after which the cables of `node` to tier `far` are those of some other switch of tier `level`. Where
 * nobody of that tier shares a neighbour with it, only numbers can be compared; alone on its tier it is like nobody.
 */
function changesTowards(
  { graph: { start, neighbour, cables }, tier, sides, shared }: Comparison,
  node: number,
  level: number,
  far: number,
): number {
  const siblings: number[] = [];
  let own = 0;
  for (let i = start[node] ?? 0; i < (start[node + 1] ?? 0); i += 1) {
    const between = neighbour[i] ?? 0;
    if (tier[between] !== far) continue;
    const count = cables[i] ?? 0;
    own += count;
    for (let k = start[between] ?? 0; k < (start[between + 1] ?? 0); k += 1) {
      const sibling = neighbour[k] ?? 0;
      if (tier[sibling] !== level || sibling === node) continue;
      if (shared[sibling] === 0) siblings.push(sibling);
      shared[sibling] = (shared[sibling] ?? 0) + Math.min(count, cables[k] ?? 0);
    }
  }
  const side = far < level ? "down" : "up";
  const usual = sides.usual[level];
  if (usual === undefined || (usual.switches === 1 && tier[node] === level)) return own;
  let fewest = siblings.length === 0 ? Math.abs(own - usual[side]) : Infinity;
  for (const sibling of siblings) {
    fewest = Math.min(fewest, own + (sides[side][sibling] ?? 0) - 2 * (shared[sibling] ?? 0));
    shared[sibling] = 0;
  }
  return fewest;
}

/** Cables of `node` that fit a switch of tier `level` in no way. */
function misfits({ graph, tier, sides }: Comparison, node: number, level: number): number {
  const { start, neighbour, cables, hostLinks } = graph;
  let beside = 0;
  let elsewhere = level > 1 ? (hostLinks[node] ?? 0) : 0;
  for (let i = start[node] ?? 0; i < (start[node + 1] ?? 0); i += 1) {
    const step = Math.abs((tier[neighbour[i] ?? 0] ?? -1) - level);
    if (step === 0) beside += cables[i] ?? 0;
    else if (step > 1) elsewhere += cables[i] ?? 0;
  }
  return elsewhere + Math.abs(beside - (sides.usual[level]?.beside ?? 0));
}

/** Changes that make `node` a switch of tier `level`. Hosts that a leaf lacks may be off: they count only against becoming one. */
function changes(comparison: Comparison, node: number, level: number, levels: number): number {
  const { graph, tier, sides } = comparison;
  let all = misfits(comparison, node, level);
  if (level === 1 && tier[node] !== 1) all += Math.abs((graph.hostLinks[node] ?? 0) - (sides.usual[level]?.hosts ?? 0));
  if (level > 1) all += changesTowards(comparison, node, level, level - 1);
  if (level < levels) all += changesTowards(comparison, node, level, level + 1);
  return all;
}

/** Tiers next to those that the cables of `node` lead to. */
function candidates({ graph, tier }: Comparison, node: number, levels: number): readonly number[] {
  const found = new Set<number>();
  for (let i = graph.start[node] ?? 0; i < (graph.start[node + 1] ?? 0); i += 1) {
    const level = tier[graph.neighbour[i] ?? 0] ?? -1;
    if (level < 1) continue;
    if (level > 1) found.add(level - 1);
    if (level < levels) found.add(level + 1);
  }
  return [...found];
}

interface Move {
  readonly level: number;
  /** Changes that it saves. */
  readonly gain: number;
}

/** The tier that `node` should move to; undefined when it stands where the fewest changes are needed. */
function bestMove(comparison: Comparison, node: number): Move | undefined {
  const levels = comparison.sides.usual.length - 1;
  const now = comparison.tier[node] ?? -1;
  const others = candidates(comparison, node, levels).filter((level) => level !== now);
  if (others.length === 0) return undefined;
  const present = changes(comparison, node, now, levels);
  let best = { level: now, needed: present };
  for (const level of others) {
    if (misfits(comparison, node, level) >= best.needed) continue;
    const needed = changes(comparison, node, level, levels);
    if (needed < best.needed) best = { level, needed };
  }
  return best.level === now ? undefined : { level: best.level, gain: present - best.needed };
}

const mostRounds = 12;
/**
 * Neighbours of neighbours that are looked at in all rounds together: a tree of 10,000 hosts with all of its switches in
 * doubt asks for a tenth of that in a round. Where a mesh of hundreds of cables a switch asks for more, the tiers stay as
 * they were counted.
 */
const mostSteps = 20_000_000;

/** Neighbours of neighbours of these switches. O(cables). */
function stepsOf({ start, neighbour }: SwitchGraph, nodes: readonly number[]): number {
  let steps = 0;
  for (const node of nodes) {
    for (let i = start[node] ?? 0; i < (start[node + 1] ?? 0); i += 1) {
      const between = neighbour[i] ?? 0;
      steps += (start[between + 1] ?? 0) - (start[between] ?? 0);
    }
  }
  return steps;
}

/**
 * Moves switches with damaged cabling to the tier that they are cabled for. In a round all decide on the same picture, and
 * of neighbours the one moves that gains most: the order in which a fabric was read plays no part, and no two swap places
 * for ever.
 */
export function placeByLikeness(graph: SwitchGraph, tier: Int8Array): void {
  const { start, neighbour } = graph;
  const shared = new Uint32Array(tier.length);
  let steps = 0;
  for (let round = 0; round < mostRounds; round += 1) {
    const comparison: Comparison = { graph, tier, sides: sidesOf(graph, tier), shared };
    const moves = new Map<number, Move>();
    const inDoubt = doubtful(graph, tier, comparison.sides);
    steps += stepsOf(graph, inDoubt);
    if (steps > mostSteps) return;
    for (const node of inDoubt) {
      const move = bestMove(comparison, node);
      if (move !== undefined) moves.set(node, move);
    }
    if (moves.size === 0) return;
    const settled = [...moves].filter(([node, { gain }]) => {
      for (let i = start[node] ?? 0; i < (start[node + 1] ?? 0); i += 1)
        if ((moves.get(neighbour[i] ?? 0)?.gain ?? 0) > gain) return false;
      return true;
    });
    for (const [node, { level }] of settled) tier[node] = level;
  }
}
