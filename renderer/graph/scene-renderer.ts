/**
 * Draws the many: links and nodes from flat arrays onto any 2D context, on the main thread or in a worker. One path per
 * colour class, cold to hot; links outside the view are skipped; masses are hairlines (thicker lines are some ten times
 * slower without a GPU), the few loud ones are not.
 */
import { quadratic, trace, type Curves } from "./curve.ts";
import { dashesOf, type LineStyle } from "./overlay.ts";
import type { Pen } from "./pen.ts";
import { drawNodes, orderNodes, type NodeLooks, type NodePlaces } from "./scene-nodes.ts";
import { atOnce } from "../parts/slices.ts";

/** Where things are. World units. */
export interface SceneShape extends Curves, NodePlaces {
  /** How much closer the links lie where they meet than on the average of the picture; 1 = evenly. */
  readonly crowding: number;
}

interface LinePaint {
  /** Class in the legend. */
  readonly look: number;
  readonly colour: string;
  readonly line: LineStyle;
  readonly loud: boolean;
}

/** How things look. Rewritten by overlays and filters; the shape stays. */
export interface ScenePaint extends NodeLooks {
  readonly lines: readonly LinePaint[];
  /** Colour of the canvas: around loud links where all others are dense. */
  readonly canvas: string;
  /** Position in `lines` of each link. */
  readonly linkClass: Uint8Array;
  /** Thickness in quarter px at 100 %. */
  readonly linkWidth: Uint8Array;
  /** 1 filtered out, 2 drawn elsewhere (the pointer still finds it), 0 drawn here. */
  readonly linkHidden: Uint8Array;
}

/** What is seen and how strongly. */
export interface SceneView {
  readonly zoom: number;
  readonly panX: number;
  readonly panY: number;
  /** Px. */
  readonly width: number;
  readonly height: number;
  readonly pixelRatio: number;
  /** 1, or less while something is selected. Loud links keep their strength. */
  readonly strength: number;
  /** Class that the legend points at; -1 none. */
  readonly focus: number;
}

/** More links than this are hairlines: at 1,400 links a third of the time of 1.15 px lines, measured in software. */
const mass = 400;
/** Classes with less than this share of the links stand out of the others: a single note, the first measured ones. */
const rare = 0.1;
/** Strength below which a colour of eight bits a channel is another one after a hundred layers: fewer links instead. */
const leastTexture = 0.16;
/** Px. */
const shortLink = 60;
/** From nearer than this boxes have names, and each link is drawn; from further than the first some may be left out. */
const sampledZoom = { all: 0.28, some: 0.2 } as const;

export class SceneRenderer {
  private shape: SceneShape | undefined;
  private paint: ScenePaint | undefined;
  /** Links in the order of drawing, and where each bucket of equal class and width begins. */
  private order = new Uint32Array(0);
  private buckets: { readonly line: number; readonly width: number; readonly from: number; readonly to: number }[] = [];
  private nodeOrder: Uint32Array = new Uint32Array(0);
  /** Length of all links by area, both in world units. */
  private density = 0;
  /** Thickness that most links have at 100 %. */
  private usualWidth = 1;
  /** Quiet lines that few links have. */
  private rareLines: ReadonlySet<number> = new Set();

  setShape(shape: SceneShape): void {
    this.shape = shape;
    this.order = new Uint32Array(0);
    this.buckets = [];
    this.density = densityOf(shape);
  }

  /** Takes new colours; the arrays must be as long as the shape's. O(links). */
  setPaint(paint: ScenePaint): void {
    this.paint = paint;
    const count = paint.linkClass.length;
    const keyOf = (link: number): number =>
      (paint.linkClass[link] ?? 0) * 64 + Math.min(63, paint.linkWidth[link] ?? 0);
    const sizes = new Uint32Array(256 * 64 + 1);
    let drawn = 0;
    for (let link = 0; link < count; link++) {
      if (paint.linkHidden[link] !== 0) continue;
      sizes[keyOf(link) + 1] = (sizes[keyOf(link) + 1] ?? 0) + 1;
      drawn += 1;
    }
    this.buckets = [];
    for (let key = 0; key + 1 < sizes.length; key++) {
      const own = sizes[key + 1] ?? 0;
      const from = sizes[key] ?? 0;
      sizes[key + 1] = from + own;
      if (own > 0) this.buckets.push({ line: key >> 6, width: (key & 63) / 4, from, to: from + own });
    }
    this.order = new Uint32Array(drawn);
    for (let link = 0; link < count; link++) {
      if (paint.linkHidden[link] !== 0) continue;
      const key = keyOf(link);
      const place = sizes[key] ?? 0;
      this.order[place] = link;
      sizes[key] = place + 1;
    }
    this.usualWidth = usualWidth(this.buckets);
    this.rareLines = rareLines(this.buckets, paint.lines, drawn);
    this.nodeOrder = orderNodes(paint, this.shape?.nodeShape ?? new Uint8Array(0));
  }

  /** Clears and draws one frame. */
  draw(context: Pen, view: SceneView): void {
    const { width, height, pixelRatio } = view;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, Math.ceil(width * pixelRatio), Math.ceil(height * pixelRatio));
    atOnce(this.drawOver(context, view));
  }

  /** Draws one frame over what is there, a slice at a time, for those who must not stop everything else meanwhile. */
  *drawOver(context: Pen, view: SceneView): Generator<undefined, void> {
    const { pixelRatio } = view;
    context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0);
    if (this.shape === undefined || this.paint === undefined) return;
    context.section?.("links");
    yield* this.drawLinks(context, view, this.shape, this.paint);
    context.section?.("nodes");
    drawNodes(context, view, this.nodeOrder, this.shape, this.paint);
  }

  private *drawLinks(context: Pen, view: SceneView, shape: SceneShape, paint: ScenePaint): Generator<undefined, void> {
    const { zoom, panX, panY, width, height } = view;
    const many = this.order.length > mass;
    // From far, where they would cover the ground, the healthy ones fade to a texture.
    const coverage = (this.density * shape.crowding) / zoom;
    const { texture, share } = textureOf(coverage, zoom);
    context.lineCap = "butt";
    for (const bucket of this.buckets) {
      const line = paint.lines[bucket.line];
      if (line === undefined) continue;
      context.beginPath();
      let drawn = 0;
      const passing: number[] = [];
      const stands = this.rareLines.has(bucket.line);
      const least = line.loud || stands || bucket.to - bucket.from <= mass ? 1 : share;
      for (let i = bucket.from; i < bucket.to; i++) {
        if ((i & 4095) === 4095) yield;
        const link = this.order[i] ?? 0;
        const x1 = (shape.x1[link] ?? 0) * zoom + panX;
        const x2 = (shape.x2[link] ?? 0) * zoom + panX;
        const y1 = (shape.y1[link] ?? 0) * zoom + panY;
        const y2 = (shape.y2[link] ?? 0) * zoom + panY;
        // Short ones cover little, and one that is missing among its neighbours would be seen.
        if (least < 1 && Math.abs(x2 - x1) + Math.abs(y2 - y1) > shortLink && lot(link) >= least) continue;
        const kind = shape.curve[link] ?? 0;
        const cx = kind === quadratic ? (shape.cx[link] ?? 0) * zoom + panX : x1;
        const cy = kind === quadratic ? (shape.cy[link] ?? 0) * zoom + panY : y1;
        if ((x1 < 0 && x2 < 0 && cx < 0) || (x1 > width && x2 > width && cx > width)) continue;
        if ((y1 < 0 && y2 < 0 && cy < 0) || (y1 > height && y2 > height && cy > height)) continue;
        if (!line.loud && outside(x1, y1, width, height) && outside(x2, y2, width, height)) {
          passing.push(kind, x1, y1, x2, y2, cx, cy);
          continue;
        }
        trace(context, kind, x1, y1, x2, y2, cx, cy);
        drawn += 1;
      }
      if (drawn === 0 && passing.length === 0) continue;
      const away = view.focus >= 0 && view.focus !== line.look;
      // The rate most links have is one px, a hairline, until the camera is near: others are thinner and thicker than it.
      const quiet = (bucket.width / this.usualWidth) * growth(zoom);
      const wide = line.loud ? Math.max(2, bucket.width * Math.min(1.4, zoom)) : Math.max(0.6, quiet);
      context.setLineDash([]);
      if (line.loud && texture < 0.5 && drawn <= mass && !away) {
        // A gap of the ground on both sides: a grey line over a dense field would not be found.
        context.lineWidth = wide + 3;
        context.strokeStyle = paint.canvas;
        context.globalAlpha = 0.85;
        context.stroke();
      }
      context.lineWidth = stands
        ? Math.max(1.5, wide)
        : many && !line.loud
          ? Math.min(1, quiet) / view.pixelRatio
          : wide;
      context.strokeStyle = line.colour;
      context.globalAlpha = away ? 0.12 : line.loud ? 0.95 : (stands ? 0.95 : 0.62 * texture) * view.strength;
      context.setLineDash(dashesOf(line.line));
      context.stroke();
      if (passing.length > 0) {
        const faint = passingStrength(passing.length / 7) * texture * view.strength;
        this.drawPassing(context, passing, away ? 0.05 : faint);
      }
    }
    context.setLineDash([]);
    context.globalAlpha = 1;
  }

  /** Links that only pass through the view, both ends elsewhere: weaker, so that what ends here can be followed. */
  private drawPassing(context: Pen, ends: readonly number[], alpha: number): void {
    context.globalAlpha = alpha;
    context.lineWidth = Math.min(1, context.lineWidth);
    context.beginPath();
    for (let i = 0; i + 6 < ends.length; i += 7) {
      const [x1, y1, x2, y2] = [ends[i + 1] ?? 0, ends[i + 2] ?? 0, ends[i + 3] ?? 0, ends[i + 4] ?? 0];
      trace(context, ends[i] ?? 0, x1, y1, x2, y2, ends[i + 5] ?? 0, ends[i + 6] ?? 0);
    }
    context.stroke();
  }
}

/**
 * How strongly the quiet links are drawn, and which share of them, so that together they stay a texture.
 * @param coverage length of the links by area, in px
 */
function textureOf(coverage: number, zoom: number): { readonly texture: number; readonly share: number } {
  const wanted = Math.min(1, 0.6 / Math.max(1e-6, coverage));
  const enough = Math.min(1, wanted / leastTexture);
  const nearer = Math.min(1, Math.max(0, (zoom - sampledZoom.some) / (sampledZoom.all - sampledZoom.some)));
  const share = Math.max(0.02, enough + (1 - enough) * nearer);
  return { texture: Math.max(0.06, Math.min(1, wanted / share)), share };
}

/** A number from 0 to 1 for each link, without any order: those below the share are drawn, and stay when it grows. */
function lot(link: number): number {
  let mixed = Math.imul(link ^ (link >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 4294967296;
}

function rareLines(
  buckets: readonly { readonly line: number; readonly from: number; readonly to: number }[],
  lines: readonly LinePaint[],
  all: number,
): ReadonlySet<number> {
  const counts = new Map<number, number>();
  for (const { line, from, to } of buckets) counts.set(line, (counts.get(line) ?? 0) + to - from);
  return new Set(
    [...counts]
      .filter(([line, count]) => lines[line]?.loud === false && count <= mass && count < all * rare)
      .map(([line]) => line),
  );
}

/** The more pass, the weaker each is: a few must not be lost in an empty view, hundreds must not hide what ends here. */
function passingStrength(links: number): number {
  return Math.max(0.2, Math.min(0.5, 6 / links));
}

function outside(x: number, y: number, width: number, height: number): boolean {
  return x < 0 || x > width || y < 0 || y > height;
}

function densityOf({ x1, y1, x2, y2 }: SceneShape): number {
  let [left, top, right, bottom, length] = [Infinity, Infinity, -Infinity, -Infinity, 0];
  for (let i = 0; i < x1.length; i++) {
    const [ax, ay, bx, by] = [x1[i] ?? 0, y1[i] ?? 0, x2[i] ?? 0, y2[i] ?? 0];
    length += Math.hypot(bx - ax, by - ay);
    left = Math.min(left, ax, bx);
    right = Math.max(right, ax, bx);
    top = Math.min(top, ay, by);
    bottom = Math.max(bottom, ay, by);
  }
  const area = (right - left) * (bottom - top);
  return area > 0 ? length / area : 0;
}

/** Lines grow with the picture, but slower. */
function growth(zoom: number): number {
  return zoom < 1.5 ? 1 : Math.min(3, Math.pow(zoom / 1.5, 0.8));
}

function usualWidth(
  buckets: readonly { readonly width: number; readonly from: number; readonly to: number }[],
): number {
  const counts = new Map<number, number>();
  for (const { width, from, to } of buckets) counts.set(width, (counts.get(width) ?? 0) + to - from);
  const [most] = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  return Math.max(0.25, most?.[0] ?? 1);
}
