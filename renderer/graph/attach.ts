/**
 * Where links end: on the side of a node that faces the other end, in port order along it. Rows: up to the higher tier,
 * down to the lower; within a row an arc. Groups of a Dragonfly+ look towards the ring's middle, and links between them
 * bend through it.
 */
import { at } from "../../shared/fabric/access.ts";
import { ess, quadratic, type Curves } from "./curve.ts";
import { freeEnds, type Layout } from "./layout-types.ts";
import { isLoop, type ViewGraph } from "./view-types.ts";

export interface Places {
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly width: Float32Array;
  readonly height: Float32Array;
  /** Facing of each drawn node. */
  readonly looks: Uint8Array;
}

/** Ends and bends of all drawn links. O(links log links per side). */
export function attach(graph: ViewGraph, places: Places, hub: Layout["hub"]): Curves {
  const { links, nodes } = graph;
  const { x, y, looks } = places;
  const count = links.count;
  const curves: Curves = {
    x1: new Float32Array(count),
    y1: new Float32Array(count),
    x2: new Float32Array(count),
    y2: new Float32Array(count),
    curve: new Uint8Array(count),
    cx: new Float32Array(count),
    cy: new Float32Array(count),
  };
  const hangs = Uint8Array.from(nodes, (node) => (node.hosts > 0 && !isCard(node.kind) ? 1 : 0));
  const card = Uint8Array.from(nodes, (node) => (isCard(node.kind) ? 1 : 0));
  const cluster = Int32Array.from(nodes, (node) => node.cluster);
  // Side of each end: node × 4 + side; ends counted first, then filled in.
  const sideA = new Uint32Array(count);
  const sideB = new Uint32Array(count);
  const start = new Uint32Array(nodes.length * 4 + 1);
  for (let link = 0; link < count; link++) {
    const a = at(links.source, link);
    const b = at(links.target, link);
    const between =
      hub !== undefined && at(cluster, a) !== at(cluster, b) && at(cluster, a) >= 0 && at(cluster, b) >= 0;
    const loop = a === b;
    const first = loop ? loopSide(at(looks, a), at(hangs, a) === 1) : sideOf(places, hangs, a, b, between);
    const second = loop ? first : sideOf(places, hangs, b, a, between);
    sideA[link] = a * 4 + first;
    sideB[link] = b * 4 + second;
    start[at(sideA, link) + 1] = at(start, at(sideA, link) + 1) + 1;
    start[at(sideB, link) + 1] = at(start, at(sideB, link) + 1) + 1;
    if (between) {
      curves.curve[link] = quadratic;
      const apart = Math.min(1, Math.hypot(at(x, a) - at(x, b), at(y, a) - at(y, b)) / hub.reach);
      const pull = hub.near + (hub.pull - hub.near) * apart;
      curves.cx[link] = hub.x * pull + ((at(x, a) + at(x, b)) / 2) * (1 - pull);
      curves.cy[link] = hub.y * pull + ((at(y, a) + at(y, b)) / 2) * (1 - pull);
    } else if (loop || (first === second && at(looks, a) < freeEnds)) curves.curve[link] = quadratic;
    else if (at(card, a) === 1 || at(card, b) === 1) curves.curve[link] = ess;
  }
  for (let side = 0; side + 1 < start.length; side++) start[side + 1] = at(start, side + 1) + at(start, side);
  const fill = start.slice();
  const ends = new Uint32Array(count * 2);
  for (let link = 0; link < count; link++) {
    for (const [side, end] of [
      [at(sideA, link), link * 2],
      [at(sideB, link), link * 2 + 1],
    ] as const) {
      ends[at(fill, side)] = end;
      fill[side] = at(fill, side) + 1;
    }
  }
  for (let side = 0; side + 1 < start.length; side++) {
    if (at(start, side) < at(start, side + 1)) {
      settle(graph, places, curves, side, ends.subarray(at(start, side), at(start, side + 1)));
    }
  }
  bendArcs(curves, sideA, sideB, (link) =>
    isLoop(links, link) ? loopReach(places, at(links.source, link)) : undefined,
  );
  return curves;
}

function isCard(kind: string): boolean {
  return kind === "pod" || kind === "group" || kind === "plane";
}

const opposite = [2, 3, 0, 1] as const;

/** Side on which a cable from a node to itself leaves and comes back: where no other cable of a row ends. */
function loopSide(look: number, hangs: boolean): number {
  return ((look % freeEnds) + (hangs ? 2 : 1)) & 3;
}

/** How far such a cable reaches out: in proportion to its node, and beyond the px in which the pointer finds the node. */
function loopReach(places: Places, node: number): number {
  return Math.max(7, Math.min(at(places.width, node), at(places.height, node)) * 0.75);
}

/** Side of `own` (0 up, 1 right, 2 down, 3 left) on which a link to `other` ends. */
function sideOf(places: Places, hangs: Uint8Array, own: number, other: number, between: boolean): number {
  const look = at(places.looks, own);
  const dx = at(places.x, other) - at(places.x, own);
  const dy = at(places.y, other) - at(places.y, own);
  if (look >= freeEnds)
    return at(hangs, other) === 1 ? (opposite[look - freeEnds] ?? 2) : freeSide(places, own, look - freeEnds, dx, dy);
  if (between || at(hangs, own) === 1) return look;
  // Higher than the other in the direction it looks: the link leaves below.
  const rise = look === 0 ? dy : look === 1 ? -dx : look === 2 ? -dy : dx;
  if (Math.abs(rise) < 1) return look;
  return rise > 0 ? (opposite[look] ?? 2) : look;
}

/** The side nearest to where the other is, except the one its hosts hang on. */
function freeSide(places: Places, own: number, look: number, dx: number, dy: number): number {
  const wide = Math.abs(dx) * at(places.height, own) > Math.abs(dy) * at(places.width, own);
  const horizontal = dx > 0 ? 1 : 3;
  const vertical = dy > 0 ? 2 : 0;
  const wanted = wide ? horizontal : vertical;
  if (wanted !== opposite[look]) return wanted;
  return wide ? vertical : horizontal;
}

function settle(graph: ViewGraph, places: Places, curves: Curves, side: number, ends: Uint32Array): void {
  const node = side >> 2;
  const edge = side & 3;
  const upright = edge === 1 || edge === 3;
  const { links } = graph;
  const along = upright ? places.y : places.x;
  const portOf = (end: number): number =>
    (end & 1) === 0 ? at(links.sourcePort, end >> 1) : at(links.targetPort, end >> 1);
  const otherOf = (end: number): number =>
    at(along, (end & 1) === 0 ? at(links.target, end >> 1) : at(links.source, end >> 1));
  const kind = graph.nodes[node]?.kind ?? "";
  const isBlock = isCard(kind) || kind === "director";
  // A block has no ports of its own: its lines leave in the order of where they go, bent ones of where they bend to.
  const towards = (end: number): number => {
    const link = end >> 1;
    if (curves.curve[link] !== quadratic || (at(curves.cx, link) === 0 && at(curves.cy, link) === 0))
      return otherOf(end);
    const [dx, dy] = [at(curves.cx, link) - at(places.x, node), at(curves.cy, link) - at(places.y, node)];
    // How far to the side the line has come where it is as deep as the block is long.
    const [side, deep] = upright ? [dy, dx] : [dx, dy];
    return side / Math.max(1, Math.abs(deep));
  };
  if (ends.length > 1) {
    if (isBlock) {
      const keys = new Map(Array.from(ends, (end) => [end, towards(end)]));
      ends.sort((p, q) => (keys.get(p) ?? 0) - (keys.get(q) ?? 0) || otherOf(p) - otherOf(q) || p - q);
    } else ends.sort((p, q) => portOf(p) - portOf(q) || otherOf(p) - otherOf(q) || p - q);
  }
  const size = upright ? at(places.height, node) : at(places.width, node);
  const room = size - Math.min(10, size * 0.3);
  const depth = (upright ? at(places.width, node) : at(places.height, node)) / 2;
  const out = edge === 0 || edge === 3 ? -depth : depth;
  for (let i = 0; i < ends.length; i++) {
    const end = at(ends, i);
    const shift = ((i + 0.5) / ends.length - 0.5) * room;
    const px = at(places.x, node) + (upright ? out : shift);
    const py = at(places.y, node) + (upright ? shift : out);
    if ((end & 1) === 0) {
      curves.x1[end >> 1] = px;
      curves.y1[end >> 1] = py;
    } else {
      curves.x2[end >> 1] = px;
      curves.y2[end >> 1] = py;
    }
  }
}

/** Links whose ends lie on the same side within a row: an arc on that side. */
function bendArcs(
  curves: Curves,
  sideA: Uint32Array,
  sideB: Uint32Array,
  reachOf: (link: number) => number | undefined,
): void {
  const { x1, y1, x2, y2, curve, cx, cy } = curves;
  for (let link = 0; link < curve.length; link++) {
    if (curve[link] !== quadratic || at(cx, link) !== 0 || at(cy, link) !== 0) continue;
    const edge = at(sideA, link) & 3;
    if (edge !== (at(sideB, link) & 3)) continue;
    const upright = edge === 1 || edge === 3;
    const span = upright ? Math.abs(at(y1, link) - at(y2, link)) : Math.abs(at(x1, link) - at(x2, link));
    const bend = (reachOf(link) ?? Math.min(70, 14 + span * 0.16)) * 2 * (edge === 0 || edge === 3 ? -1 : 1);
    cx[link] = (at(x1, link) + at(x2, link)) / 2 + (upright ? bend : 0);
    cy[link] = (at(y1, link) + at(y2, link)) / 2 + (upright ? 0 : bend);
  }
}
