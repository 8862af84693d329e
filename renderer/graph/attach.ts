/**
 * Where links end: on the side of a node that faces the other end, in port order along it. Rows: up to the higher tier,
 * down to the lower; within a row an arc. Groups of a Dragonfly+ look towards the ring's middle, and links between them
 * bend through it.
 */
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
    const a = links.source[link] ?? 0;
    const b = links.target[link] ?? 0;
    const between =
      hub !== undefined && (cluster[a] ?? 0) !== (cluster[b] ?? 0) && (cluster[a] ?? 0) >= 0 && (cluster[b] ?? 0) >= 0;
    const loop = a === b;
    const first = loop ? loopSide(looks[a] ?? 0, (hangs[a] ?? 0) === 1) : sideOf(places, hangs, a, b, between);
    const second = loop ? first : sideOf(places, hangs, b, a, between);
    sideA[link] = a * 4 + first;
    sideB[link] = b * 4 + second;
    start[(sideA[link] ?? 0) + 1] = (start[(sideA[link] ?? 0) + 1] ?? 0) + 1;
    start[(sideB[link] ?? 0) + 1] = (start[(sideB[link] ?? 0) + 1] ?? 0) + 1;
    if (between) {
      curves.curve[link] = quadratic;
      const apart = Math.min(1, Math.hypot((x[a] ?? 0) - (x[b] ?? 0), (y[a] ?? 0) - (y[b] ?? 0)) / hub.reach);
      const pull = hub.near + (hub.pull - hub.near) * apart;
      curves.cx[link] = hub.x * pull + (((x[a] ?? 0) + (x[b] ?? 0)) / 2) * (1 - pull);
      curves.cy[link] = hub.y * pull + (((y[a] ?? 0) + (y[b] ?? 0)) / 2) * (1 - pull);
    } else if (loop || (first === second && (looks[a] ?? 0) < freeEnds)) curves.curve[link] = quadratic;
    else if ((card[a] ?? 0) === 1 || (card[b] ?? 0) === 1) curves.curve[link] = ess;
  }
  for (let side = 0; side + 1 < start.length; side++) start[side + 1] = (start[side + 1] ?? 0) + (start[side] ?? 0);
  const fill = start.slice();
  const ends = new Uint32Array(count * 2);
  for (let link = 0; link < count; link++) {
    const a = sideA[link] ?? 0;
    const b = sideB[link] ?? 0;
    const placeOfA = fill[a] ?? 0;
    ends[placeOfA] = link * 2;
    fill[a] = placeOfA + 1;
    const placeOfB = fill[b] ?? 0;
    ends[placeOfB] = link * 2 + 1;
    fill[b] = placeOfB + 1;
  }
  for (let side = 0; side + 1 < start.length; side++) {
    if ((start[side] ?? 0) < (start[side + 1] ?? 0)) {
      settle(graph, places, curves, side, ends.subarray(start[side] ?? 0, start[side + 1] ?? 0));
    }
  }
  bendArcs(curves, sideA, sideB, (link) =>
    isLoop(links, link) ? loopReach(places, links.source[link] ?? 0) : undefined,
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
  return Math.max(7, Math.min(places.width[node] ?? 0, places.height[node] ?? 0) * 0.75);
}

/** Side of `own` (0 up, 1 right, 2 down, 3 left) on which a link to `other` ends. */
function sideOf(places: Places, hangs: Uint8Array, own: number, other: number, between: boolean): number {
  const look = places.looks[own] ?? 0;
  const dx = (places.x[other] ?? 0) - (places.x[own] ?? 0);
  const dy = (places.y[other] ?? 0) - (places.y[own] ?? 0);
  if (look >= freeEnds)
    return (hangs[other] ?? 0) === 1
      ? (opposite[look - freeEnds] ?? 2)
      : freeSide(places, own, look - freeEnds, dx, dy);
  if (between || (hangs[own] ?? 0) === 1) return look;
  // Higher than the other in the direction it looks: the link leaves below.
  const rise = look === 0 ? dy : look === 1 ? -dx : look === 2 ? -dy : dx;
  if (Math.abs(rise) < 1) return look;
  return rise > 0 ? (opposite[look] ?? 2) : look;
}

/** The side nearest to where the other is, except the one its hosts hang on. */
function freeSide(places: Places, own: number, look: number, dx: number, dy: number): number {
  const wide = Math.abs(dx) * (places.height[own] ?? 0) > Math.abs(dy) * (places.width[own] ?? 0);
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
    (end & 1) === 0 ? (links.sourcePort[end >> 1] ?? 0) : (links.targetPort[end >> 1] ?? 0);
  const otherOf = (end: number): number =>
    along[(end & 1) === 0 ? (links.target[end >> 1] ?? 0) : (links.source[end >> 1] ?? 0)] ?? 0;
  const kind = graph.nodes[node]?.kind ?? "";
  const isBlock = isCard(kind) || kind === "director";
  // A block has no ports of its own: its lines leave in the order of where they go, bent ones of where they bend to.
  const towards = (end: number): number => {
    const link = end >> 1;
    if (curves.curve[link] !== quadratic || ((curves.cx[link] ?? 0) === 0 && (curves.cy[link] ?? 0) === 0))
      return otherOf(end);
    const [dx, dy] = [(curves.cx[link] ?? 0) - (places.x[node] ?? 0), (curves.cy[link] ?? 0) - (places.y[node] ?? 0)];
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
  const size = upright ? (places.height[node] ?? 0) : (places.width[node] ?? 0);
  const room = size - Math.min(10, size * 0.3);
  const depth = (upright ? (places.width[node] ?? 0) : (places.height[node] ?? 0)) / 2;
  const out = edge === 0 || edge === 3 ? -depth : depth;
  for (let i = 0; i < ends.length; i++) {
    const end = ends[i] ?? 0;
    const shift = ((i + 0.5) / ends.length - 0.5) * room;
    const px = (places.x[node] ?? 0) + (upright ? out : shift);
    const py = (places.y[node] ?? 0) + (upright ? shift : out);
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
    if (curve[link] !== quadratic || (cx[link] ?? 0) !== 0 || (cy[link] ?? 0) !== 0) continue;
    const edge = (sideA[link] ?? 0) & 3;
    if (edge !== ((sideB[link] ?? 0) & 3)) continue;
    const upright = edge === 1 || edge === 3;
    const span = upright ? Math.abs((y1[link] ?? 0) - (y2[link] ?? 0)) : Math.abs((x1[link] ?? 0) - (x2[link] ?? 0));
    const bend = (reachOf(link) ?? Math.min(70, 14 + span * 0.16)) * 2 * (edge === 0 || edge === 3 ? -1 : 1);
    cx[link] = ((x1[link] ?? 0) + (x2[link] ?? 0)) / 2 + (upright ? bend : 0);
    cy[link] = ((y1[link] ?? 0) + (y2[link] ?? 0)) / 2 + (upright ? 0 : bend);
  }
}
