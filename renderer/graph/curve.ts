/**
 * Drawn links as lines: straight, one quadratic curve (arcs within a row, global links of a Dragonfly+), or an S of two
 * (bundles between rows of blocks). World units.
 */

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Ends and bends of links. */
export interface Curves {
  readonly x1: Float32Array;
  readonly y1: Float32Array;
  readonly x2: Float32Array;
  readonly y2: Float32Array;
  /** {@link straight}, {@link quadratic} or {@link ess}. */
  readonly curve: Uint8Array;
  /** Control point of a quadratic curve. */
  readonly cx: Float32Array;
  readonly cy: Float32Array;
}

export const straight = 0;
export const quadratic = 1;
/** Leaves and arrives upright. */
export const ess = 2;

/** Share of the height that an S runs upright at each end. */
const upright = 0.32;

/** What a line can be traced on: canvases and Path2D. */
interface Tracer {
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  quadraticCurveTo(cx: number, cy: number, x: number, y: number): void;
}

/** Traces one line in screen units. */
export function trace(
  pen: Tracer,
  kind: number,
  x1: number,
  y1: number,
  x2: number,
  y2: number,
  cx: number,
  cy: number,
): void {
  pen.moveTo(x1, y1);
  if (kind === straight) pen.lineTo(x2, y2);
  else if (kind === quadratic) pen.quadraticCurveTo(cx, cy, x2, y2);
  else {
    const rise = (y2 - y1) * upright;
    pen.quadraticCurveTo(x1, y1 + rise, (x1 + x2) / 2, (y1 + y2) / 2);
    pen.quadraticCurveTo(x2, y2 - rise, x2, y2);
  }
}

/** Control points of a link, none for a straight one; between two the curve passes through their middle. */
export function controlsOf(curves: Curves, link: number): readonly Point[] {
  const kind = curves.curve[link] ?? straight;
  if (kind === straight) return [];
  if (kind === quadratic) return [{ x: curves.cx[link] ?? 0, y: curves.cy[link] ?? 0 }];
  const [y1, y2] = [curves.y1[link] ?? 0, curves.y2[link] ?? 0];
  const rise = (y2 - y1) * upright;
  return [
    { x: curves.x1[link] ?? 0, y: y1 + rise },
    { x: curves.x2[link] ?? 0, y: y2 - rise },
  ];
}

/** Point at t (0 = end A, 1 = end B) in world units. */
export function pointOn(curves: Curves, link: number, t: number): Point {
  const from = { x: curves.x1[link] ?? 0, y: curves.y1[link] ?? 0 };
  const to = { x: curves.x2[link] ?? 0, y: curves.y2[link] ?? 0 };
  const [first, second] = controlsOf(curves, link);
  if (first === undefined) return { x: from.x + (to.x - from.x) * t, y: from.y + (to.y - from.y) * t };
  if (second === undefined) return onQuadratic(from, first, to, t);
  const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  return t < 0.5 ? onQuadratic(from, first, middle, t * 2) : onQuadratic(middle, second, to, t * 2 - 1);
}

function onQuadratic(from: Point, control: Point, to: Point, t: number): Point {
  const u = 1 - t;
  return {
    x: u * u * from.x + 2 * u * t * control.x + t * t * to.x,
    y: u * u * from.y + 2 * u * t * control.y + t * t * to.y,
  };
}

/** Point at `t` counted from the lower end. */
export function pointFromBelow(curves: Curves, link: number, t: number): Point {
  const aIsLower = (curves.y1[link] ?? 0) > (curves.y2[link] ?? 0);
  return pointOn(curves, link, aIsLower ? t : 1 - t);
}
