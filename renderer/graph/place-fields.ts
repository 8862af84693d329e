/**
 * Parts that have no tiers: a general layout of the switches alone (ForceAtlas2 from a start that depends only on the
 * graph), each with its hosts as a comb on the side away from its neighbours. Parts beside each other, largest first.
 */
import Graph from "graphology";
import forceAtlas2 from "graphology-layout-forceatlas2";
import { at } from "../../shared/fabric/access.ts";
import { facing, freeEnds } from "./layout-types.ts";
import type { Adjacency } from "./order.ts";
import { pivotPlaces, type Neighbours } from "./pivots.ts";
import type { Ground } from "./place-ground.ts";
import { pushApart } from "./push-apart.ts";
import { hostsOfBlock } from "./structure.ts";

const partGap = 70;
const hostSize = 8;
const hostStep = 11;
/** From a switch's edge to the middle of its first host, by the side it hangs on. */
const hostGap = 26;
/** How much wider than tall a field is drawn at most, against what its layout gave. */
const mostBend = 2.4;
/** How much farther apart than needed switches stand in a large window. */
const mostSpread = 2.2;

/** A part with every position counted from its top left corner. */
interface Field {
  readonly boxes: readonly number[];
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly facing: Uint8Array;
  readonly blocks: readonly (readonly number[])[];
  readonly width: number;
  readonly height: number;
}

/** Places parts without tiers below what stands already. */
export function placeFields(ground: Ground, graph: Adjacency, parts: readonly (readonly number[])[]): void {
  if (parts.length === 0) return;
  const fields = parts.map((boxes) => makeField(ground, graph, boxes, parts.length === 1 && ground.isEmpty));
  const area = fields.reduce((sum, field) => sum + (field.width + partGap) * (field.height + partGap), 0);
  const { width, height } = ground.options;
  const room = Math.max(Math.sqrt((area * width) / height), ...fields.map((field) => field.width));
  let x = 0;
  let y = ground.isEmpty ? 0 : ground.cursorY + partGap;
  let tall = 0;
  for (const field of [...fields].sort((a, b) => b.height - a.height)) {
    if (x > 0 && x + field.width > room * 1.02) {
      x = 0;
      y += tall + partGap;
      tall = 0;
    }
    putField(ground, field, x, y);
    x += field.width + partGap;
    tall = Math.max(tall, field.height);
  }
  ground.cursorY = y + tall;
}

function makeField(ground: Ground, graph: Adjacency, boxes: readonly number[], alone: boolean): Field {
  const size = boxes.length;
  const blocks = boxes.map((box) => ground.takeBlocks([box]));
  const { x, y } = generalPlaces(boxes, graph);
  const boxWidth = Math.min(110, ground.boxWidth(1, boxes));
  const directions = facings(boxes, graph, x, y);
  const width = new Float64Array(size);
  const height = new Float64Array(size);
  boxes.forEach((_, i) => {
    const depth = hostDepth(ground, blocks[i] ?? []);
    const upright = isUpright(at(directions, i));
    const along = combLength(ground, blocks[i] ?? []);
    width[i] = upright ? Math.max(boxWidth, along) + 18 : boxWidth + depth + 18;
    height[i] = upright ? 22 + depth + 18 : Math.max(22, along) + 18;
  });
  stretch(boxes, graph, x, y, width, height);
  if (size > 8) likeWindow(ground.options, x, y, width, height);
  pushApart({ x, y, width, height });
  if (alone) fillWindow(ground.options, x, y, width, height);
  const left = Math.min(...x.map((value, i) => value - at(width, i) / 2));
  const top = Math.min(...y.map((value, i) => value - at(height, i) / 2));
  const right = Math.max(...x.map((value, i) => value + at(width, i) / 2));
  const bottom = Math.max(...y.map((value, i) => value + at(height, i) / 2));
  // From the middle of the room a switch takes to the middle of its own box.
  for (let i = 0; i < size; i++) {
    const shift = hostDepth(ground, blocks[i] ?? []) / 2;
    const [dx, dy] = vector(at(directions, i));
    x[i] = at(x, i) - left + dx * shift;
    y[i] = at(y, i) - top + dy * shift;
  }
  return { boxes, x, y, facing: directions, blocks, width: right - left, height: bottom - top };
}

/** From edge to edge of what stands at the given middles. */
function extent(middle: Float64Array, size: Float64Array): number {
  let [least, most] = [Infinity, -Infinity];
  middle.forEach((value, i) => {
    least = Math.min(least, value - at(size, i) / 2);
    most = Math.max(most, value + at(size, i) / 2);
  });
  return most - least;
}

function scale(values: Float64Array, factor: number): void {
  for (let i = 0; i < values.length; i++) values[i] = at(values, i) * factor;
}

/** Makes a field as wide for its height as the window, as far as that does not bend it out of shape. Its area stays. */
function likeWindow(
  window: { readonly width: number; readonly height: number },
  x: Float64Array,
  y: Float64Array,
  width: Float64Array,
  height: Float64Array,
): void {
  const wanted = (window.width / window.height / extent(x, width)) * extent(y, height);
  const factor = Math.sqrt(Math.max(1 / mostBend, Math.min(mostBend, wanted)));
  scale(x, factor);
  scale(y, 1 / factor);
}

/** Spreads a field that is smaller than the window: distances grow, boxes do not, so nothing can meet. */
function fillWindow(
  window: { readonly width: number; readonly height: number },
  x: Float64Array,
  y: Float64Array,
  width: Float64Array,
  height: Float64Array,
): void {
  const grow = (room: number, middle: Float64Array, size: Float64Array): number => {
    let widest = 0;
    for (const own of size) widest = Math.max(widest, own);
    const between = extent(middle, size) - widest;
    return between <= 0 ? 1 : Math.max(1, Math.min(mostSpread, (room - widest) / between));
  };
  scale(x, grow(window.width, x, width));
  scale(y, grow(window.height, y, height));
}

/** Coordinates by ForceAtlas2, the longer side lying. Any unit. */
function generalPlaces(boxes: readonly number[], adjacency: Adjacency): { x: Float64Array; y: Float64Array } {
  const place = new Map(boxes.map((box, i) => [box, i]));
  const start = new Uint32Array(boxes.length + 1);
  const neighbour: number[] = [];
  boxes.forEach((box, i) => {
    for (let k = at(adjacency.start, box); k < at(adjacency.start, box + 1); k++) {
      const other = place.get(at(adjacency.neighbour, k));
      if (other !== undefined) neighbour.push(other);
    }
    start[i + 1] = neighbour.length;
  });
  if (boxes.length < 3) {
    return { x: Float64Array.from(boxes, (_, i) => i * 100), y: new Float64Array(boxes.length) };
  }
  const graph: Neighbours = { count: boxes.length, start, neighbour: Uint32Array.from(neighbour) };
  const begin = pivotPlaces(graph);
  const refined = refine(graph, begin, boxes.length);
  const spread = (values: Float64Array): number => Math.max(...values) - Math.min(...values);
  return spread(refined.x) >= spread(refined.y) ? refined : { x: refined.y, y: refined.x };
}

function refine(
  graph: Neighbours,
  begin: { readonly x: Float64Array; readonly y: Float64Array },
  size: number,
): { x: Float64Array; y: Float64Array } {
  const model = new Graph({ type: "undirected", multi: false });
  const scale = (10 * Math.sqrt(size)) / Math.max(1e-6, ...begin.x.map(Math.abs), ...begin.y.map(Math.abs));
  for (let i = 0; i < size; i++) {
    // Two switches with the same neighbours start on one spot: a little apart, they find places of their own.
    const angle = i * 2.399963;
    model.addNode(i, {
      x: at(begin.x, i) * scale + Math.cos(angle) * 0.5,
      y: at(begin.y, i) * scale + Math.sin(angle) * 0.5,
    });
  }
  for (let i = 0; i < size; i++) {
    for (let k = at(graph.start, i); k < at(graph.start, i + 1); k++) {
      const other = at(graph.neighbour, k);
      if (i < other && !model.hasEdge(i, other)) model.addEdge(i, other);
    }
  }
  const iterations = size <= 300 ? 300 : size <= 1000 ? 150 : 80;
  const settings = {
    ...forceAtlas2.inferSettings(size),
    barnesHutOptimize: size > 400,
    gravity: 0.6,
    scalingRatio: 8,
  };
  const places = forceAtlas2(model, { iterations, settings });
  return {
    x: Float64Array.from({ length: size }, (_, i) => places[String(i)]?.x ?? 0),
    y: Float64Array.from({ length: size }, (_, i) => places[String(i)]?.y ?? 0),
  };
}

/** Scales so that neighbours stand far enough apart for their boxes, in the middle of all pairs. */
function stretch(
  boxes: readonly number[],
  graph: Adjacency,
  x: Float64Array,
  y: Float64Array,
  width: Float64Array,
  height: Float64Array,
): void {
  const place = new Map(boxes.map((box, i) => [box, i]));
  const ratios: number[] = [];
  boxes.forEach((box, i) => {
    for (let k = at(graph.start, box); k < at(graph.start, box + 1); k++) {
      const other = place.get(at(graph.neighbour, k));
      if (other === undefined || other <= i) continue;
      const distance = Math.hypot(at(x, i) - at(x, other), at(y, i) - at(y, other));
      const wanted = 60 + (at(width, i) + at(width, other)) * 0.35 + (at(height, i) + at(height, other)) * 0.35;
      if (distance > 1e-6) ratios.push(wanted / distance);
    }
  });
  ratios.sort((a, b) => a - b);
  const scale = ratios[Math.floor(ratios.length / 2)] ?? 1;
  for (let i = 0; i < x.length; i++) {
    x[i] = at(x, i) * scale;
    y[i] = at(y, i) * scale;
  }
}

/** Where the neighbours of each box lie: hosts hang on the other side. Up for what has none. */
function facings(boxes: readonly number[], graph: Adjacency, x: Float64Array, y: Float64Array): Uint8Array {
  const place = new Map(boxes.map((box, i) => [box, i]));
  const middleX = x.reduce((sum, value) => sum + value, 0) / x.length;
  const middleY = y.reduce((sum, value) => sum + value, 0) / y.length;
  return Uint8Array.from(boxes, (box, i) => {
    let [dx, dy] = [(middleX - at(x, i)) * 0.5, (middleY - at(y, i)) * 0.5];
    for (let k = at(graph.start, box); k < at(graph.start, box + 1); k++) {
      const other = place.get(at(graph.neighbour, k));
      if (other === undefined) continue;
      dx += at(x, other) - at(x, i);
      dy += at(y, other) - at(y, i);
    }
    if (Math.abs(dx) < 1e-6 && Math.abs(dy) < 1e-6) return facing.up;
    if (Math.abs(dx) > Math.abs(dy) * 1.6) return dx > 0 ? facing.right : facing.left;
    return dy > 0 ? facing.down : facing.up;
  });
}

function isUpright(direction: number): boolean {
  return direction === facing.up || direction === facing.down;
}

/** Unit vector towards the neighbours. */
function vector(direction: number): readonly [number, number] {
  if (direction === facing.right) return [1, 0];
  if (direction === facing.left) return [-1, 0];
  return direction === facing.down ? [0, 1] : [0, -1];
}

function hostCount(ground: Ground, blocks: readonly number[]): number {
  return blocks.reduce((sum, block) => sum + hostsOfBlock(ground.structure, block).length, 0);
}

/** Hosts beside each other in a comb: about four times as many as behind each other. */
function combColumns(ground: Ground, blocks: readonly number[]): number {
  const hosts = hostCount(ground, blocks);
  return hosts <= 8 ? hosts : Math.max(8, Math.ceil(Math.sqrt(hosts * 4)));
}

function combLength(ground: Ground, blocks: readonly number[]): number {
  return blocks.length === 0 ? 0 : Math.max(34, (combColumns(ground, blocks) + blocks.length - 1) * hostStep);
}

function hostDepth(ground: Ground, blocks: readonly number[]): number {
  const hosts = hostCount(ground, blocks);
  if (hosts === 0) return 0;
  // Each block starts a column of its own.
  const rows = Math.ceil(hosts / combColumns(ground, blocks));
  return Math.max(hostGap + rows * hostStep, hostGap + 18);
}

function putField(ground: Ground, field: Field, left: number, top: number): void {
  const boxWidth = Math.min(110, ground.boxWidth(1, field.boxes));
  field.boxes.forEach((box, i) => {
    const direction = at(field.facing, i);
    const [x, y] = [left + at(field.x, i), top + at(field.y, i)];
    ground.placeBox(box, x, y, boxWidth, 22);
    ground.layout.boxFacing[box] = freeEnds + direction;
    putHosts(ground, field.blocks[i] ?? [], direction, { x, y, boxWidth });
  });
}

function putHosts(
  ground: Ground,
  blocks: readonly number[],
  direction: number,
  box: { readonly x: number; readonly y: number; readonly boxWidth: number },
): void {
  const rows = Math.max(1, Math.ceil(hostCount(ground, blocks) / Math.max(1, combColumns(ground, blocks))));
  const columns = blocks.map((block) => Math.ceil(hostsOfBlock(ground.structure, block).length / rows));
  const length = columns.reduce((sum, count) => sum + count, 0) * hostStep;
  const [dx, dy] = vector(direction);
  const upright = isUpright(direction);
  const first = (upright ? 11 : box.boxWidth / 2) + hostGap - hostStep / 2;
  const point = (u: number, v: number): readonly [number, number] =>
    upright ? [box.x + u, box.y - dy * (first + v)] : [box.x - dx * (first + v), box.y + u];
  let u = -length / 2;
  blocks.forEach((block, k) => {
    hostsOfBlock(ground.structure, block).forEach((host, i) => {
      const [x, y] = point(u + (Math.floor(i / rows) + 0.5) * hostStep, (i % rows) * hostStep);
      ground.placeHost(host, x, y, hostSize, hostSize);
    });
    const own = (columns[k] ?? 0) * hostStep;
    const [x, y] = point(u + own / 2, upright ? 2 : 8);
    // Beside others a fold keeps to its own columns.
    const most = blocks.length > 1 ? own * 0.96 : Infinity;
    if (upright) ground.placeFold(block, x, y, Math.min(most, Math.max(14, Math.min(34, own))));
    else ground.placeFold(block, x, y, Math.max(14, Math.min(34, own)), Math.min(most, 16));
    ground.layout.blockFacing[block] = direction;
    u += own;
  });
}
