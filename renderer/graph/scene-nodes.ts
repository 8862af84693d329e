/**
 * Draws nodes from flat arrays with the same shapes and strokes as Cytoscape's stylesheet (cytoscape-style.ts), so that
 * nobody sees which of the two drew a node. One path per look and shape.
 */
import type { Pen } from "./pen.ts";

/** Code of each outline. */
export const nodeShapes = ["host", "leaf", "spine", "core", "router", "round", "fold", "block", "plane"] as const;

/** Bits of a node's class beside its colour, which is the rest. */
export const nodeClassBits = { colours: 7, faint: 8, unreached: 16 } as const;

export interface NodePlaces {
  readonly nodeX: Float32Array;
  readonly nodeY: Float32Array;
  readonly nodeWidth: Float32Array;
  readonly nodeHeight: Float32Array;
  /** Position in {@link nodeShapes}. */
  readonly nodeShape: Uint8Array;
}

export interface NodeLooks {
  /** Position in `nodeColours`, quiet first, with {@link nodeClassBits}. */
  readonly nodeClass: Uint8Array;
  readonly nodeHidden: Uint8Array;
  readonly nodeColours: readonly string[];
  /** From this colour on a node has a finding: its frame is thicker. */
  readonly loudFrom: number;
  /** Ground of framed nodes and of blocks. */
  readonly ground: string;
  readonly blockGround: string;
}

interface View {
  readonly zoom: number;
  readonly panX: number;
  readonly panY: number;
  readonly width: number;
  readonly height: number;
  readonly strength: number;
}

/** Hosts narrower than this on the screen are squares without a frame. Px. */
export const squareBelow = 15;
/** Boxes narrower than this are filled: a frame would leave nothing inside. Px. */
export const tinyBelow = 8;

const [host, leaf, spine, core, router, round, fold, block, plane] = nodeShapes.map((_, code) => code);
const combinations = 32 * nodeShapes.length;

/** Nodes in the order of drawing: by class, then by shape. O(nodes). */
export function orderNodes({ nodeClass, nodeHidden }: NodeLooks, shapes: Uint8Array): Uint32Array {
  const keyOf = (node: number): number => (nodeClass[node] ?? 0) * nodeShapes.length + (shapes[node] ?? 0);
  const start = new Uint32Array(combinations + 1);
  for (let node = 0; node < nodeClass.length; node++) {
    if (nodeHidden[node] === 0) start[keyOf(node) + 1] = (start[keyOf(node) + 1] ?? 0) + 1;
  }
  for (let key = 0; key < combinations; key++) start[key + 1] = (start[key + 1] ?? 0) + (start[key] ?? 0);
  const order = new Uint32Array(start[combinations] ?? 0);
  for (let node = 0; node < nodeClass.length; node++) {
    if (nodeHidden[node] !== 0) continue;
    const key = keyOf(node);
    const place = start[key] ?? 0;
    order[place] = node;
    start[key] = place + 1;
  }
  return order;
}

export function drawNodes(context: Pen, view: View, order: Uint32Array, places: NodePlaces, looks: NodeLooks): void {
  const { zoom, panX, panY, width, height } = view;
  for (let from = 0; from < order.length;) {
    const first = order[from] ?? 0;
    const [look, shape] = [looks.nodeClass[first] ?? 0, places.nodeShape[first] ?? 0];
    const frames: number[] = [];
    let filled = 0;
    context.beginPath();
    let to = from;
    for (; to < order.length; to++) {
      const node = order[to] ?? 0;
      if (looks.nodeClass[node] !== look || places.nodeShape[node] !== shape) break;
      const x = (places.nodeX[node] ?? 0) * zoom + panX;
      const y = (places.nodeY[node] ?? 0) * zoom + panY;
      const w = Math.max(1, (places.nodeWidth[node] ?? 0) * zoom);
      const h = Math.max(1, (places.nodeHeight[node] ?? 0) * zoom);
      if (x + w / 2 < 0 || x - w / 2 > width || y + h / 2 < 0 || y - h / 2 > height) continue;
      const isBlock = shape === block || shape === plane;
      if (isBlock || w >= (shape === host ? squareBelow : tinyBelow)) frames.push(x - w / 2, y - h / 2, w, h);
      else {
        context.rect(x - w / 2, y - h / 2, w, h);
        filled += 1;
      }
    }
    const colour = look & nodeClassBits.colours;
    const strength = (look & nodeClassBits.faint) === 0 ? 1 : 0.35;
    const paint = looks.nodeColours[colour] ?? "#888";
    if (filled > 0) {
      context.globalAlpha = strength * (colour === 0 ? 0.8 * Math.max(0.62, view.strength) : 1);
      context.fillStyle = paint;
      context.fill();
    }
    if (frames.length > 0) {
      context.globalAlpha = strength;
      context.beginPath();
      for (let i = 0; i + 3 < frames.length; i += 4) {
        outline(context, shape, frames[i] ?? 0, frames[i + 1] ?? 0, frames[i + 2] ?? 0, frames[i + 3] ?? 0, zoom);
      }
      context.fillStyle = shape === block ? looks.blockGround : looks.ground;
      context.fill();
      context.strokeStyle = paint;
      context.lineWidth = colour >= looks.loudFrom ? 1.5 : 1;
      context.setLineDash((look & nodeClassBits.unreached) === 0 ? [] : [1.5, 1.5]);
      context.stroke();
    }
    from = to;
  }
  context.setLineDash([]);
  context.globalAlpha = 1;
}

/** Adds a node's outline; corners in world units, those of blocks in px. */
function outline(pen: Pen, shape: number, x: number, y: number, w: number, h: number, zoom: number): void {
  const least = Math.min(w, h) / 2;
  switch (shape) {
    case spine:
      cut(pen, x, y, w, h, Math.min(4.5 * zoom, least));
      break;
    case core:
      cut(pen, x, y, w, h, Math.min(8 * zoom, least));
      break;
    case plane:
      cut(pen, x, y, w, h, Math.min(8, h / 3, least));
      break;
    case router:
      pen.moveTo(x + w / 2, y);
      pen.lineTo(x + w, y + h / 2);
      pen.lineTo(x + w / 2, y + h);
      pen.lineTo(x, y + h / 2);
      pen.closePath();
      break;
    case round:
      pen.roundRect(x, y, w, h, least);
      break;
    case host:
      pen.roundRect(x, y, w, h, Math.min(zoom, least));
      break;
    case block:
      pen.roundRect(x, y, w, h, Math.min(5, h / 4, least));
      break;
    case fold:
      pen.roundRect(x, y, w, h, Math.min(8 * zoom, least));
      break;
    case leaf:
    default:
      pen.roundRect(x, y, w, h, Math.min(4 * zoom, least));
  }
}

/** A rectangle without its corners. */
function cut(pen: Pen, x: number, y: number, w: number, h: number, corner: number): void {
  pen.moveTo(x + corner, y);
  pen.lineTo(x + w - corner, y);
  pen.lineTo(x + w, y + corner);
  pen.lineTo(x + w, y + h - corner);
  pen.lineTo(x + w - corner, y + h);
  pen.lineTo(x + corner, y + h);
  pen.lineTo(x, y + h - corner);
  pen.lineTo(x, y + corner);
  pen.closePath();
}
