/** Nearest link to a point: a uniform grid over the segments. Curved links are followed by short straight pieces. */
import { pointOn, quadratic, straight, type Curves } from "./curve.ts";

/**
 * Cells across and down. A link crosses about as many as there are, so they may not grow with the links: 50,000 put a
 * thousand or so into a cell, which are looked at in a fraction of a frame.
 */
const [fewestCells, mostCells] = [12, 40];
const pieces = 12;

/** Nearest link without a grid: for few links looking at all of them is quicker than building one. As {@link PickGrid.nearest}. */
export function nearestLink(curves: Curves, x: number, y: number, reach: number, hidden: Uint8Array): number {
  const line = new LinkLine(curves);
  let best = -1;
  let bestDistance = reach * reach;
  for (let link = 0; link < curves.x1.length; link++) {
    if (hidden[link] === 1 || !line.mayBeNear(link, x, y, reach)) continue;
    const distance = line.distanceTo(link, x, y);
    if (distance >= bestDistance) continue;
    best = link;
    bestDistance = distance;
  }
  return best;
}

/** One link as short straight pieces. */
class LinkLine {
  private readonly curves: Curves;
  /** Ends of the pieces: x, y, x, y … */
  readonly ends = new Float64Array((pieces + 1) * 2);

  constructor(curves: Curves) {
    this.curves = curves;
  }

  /** Writes a link's pieces into `ends`; returns how many points. */
  follow(link: number): number {
    const { ends, curves } = this;
    if (curves.curve[link] === straight) {
      ends[0] = curves.x1[link] ?? 0;
      ends[1] = curves.y1[link] ?? 0;
      ends[2] = curves.x2[link] ?? 0;
      ends[3] = curves.y2[link] ?? 0;
      return 2;
    }
    for (let k = 0; k <= pieces; k++) {
      const { x, y } = pointOn(curves, link, k / pieces);
      ends[k * 2] = x;
      ends[k * 2 + 1] = y;
    }
    return pieces + 1;
  }

  /** False when a link is surely farther: curves stay between their ends and their control point. */
  mayBeNear(link: number, x: number, y: number, reach: number): boolean {
    const { x1, y1, x2, y2, cx, cy, curve } = this.curves;
    const [ax, bx, ay, by] = [x1[link] ?? 0, x2[link] ?? 0, y1[link] ?? 0, y2[link] ?? 0];
    const bent = curve[link] === quadratic;
    const [mx, my] = bent ? [cx[link] ?? 0, cy[link] ?? 0] : [ax, ay];
    return (
      x >= Math.min(ax, bx, mx) - reach &&
      x <= Math.max(ax, bx, mx) + reach &&
      y >= Math.min(ay, by, my) - reach &&
      y <= Math.max(ay, by, my) + reach
    );
  }

  /** Square of the distance. */
  distanceTo(link: number, x: number, y: number): number {
    const points = this.follow(link);
    const { ends } = this;
    let least = Infinity;
    for (let k = 0; k + 1 < points; k++) {
      const [x1, y1] = [ends[k * 2] ?? 0, ends[k * 2 + 1] ?? 0];
      const [x2, y2] = [ends[k * 2 + 2] ?? 0, ends[k * 2 + 3] ?? 0];
      least = Math.min(least, distanceSquared(x, y, x1, y1, x2, y2));
    }
    return least;
  }
}

export class PickGrid {
  private readonly line: LinkLine;
  private left = Infinity;
  private top = Infinity;
  private readonly cells: number;
  private readonly cellWidth: number;
  private readonly cellHeight: number;
  /** Links of cell c: items[start[c] … start[c + 1] - 1]. */
  private readonly start: Uint32Array;
  private readonly items: Uint32Array;
  /** Cells met so far, and the link that met each. */
  private met = new Uint32Array(4096);
  private meets = 0;

  /** O(links × cells on the way of each). */
  constructor(curves: Curves) {
    this.line = new LinkLine(curves);
    const { ends } = this.line;
    const count = curves.x1.length;
    const cells = Math.max(fewestCells, Math.min(mostCells, Math.ceil(Math.sqrt(count))));
    this.cells = cells;
    let [right, bottom] = [-Infinity, -Infinity];
    for (let i = 0; i < count; i++) {
      const points = this.line.follow(i);
      for (let k = 0; k < points; k++) {
        const [x, y] = [ends[k * 2] ?? 0, ends[k * 2 + 1] ?? 0];
        this.left = Math.min(this.left, x);
        this.top = Math.min(this.top, y);
        right = Math.max(right, x);
        bottom = Math.max(bottom, y);
      }
    }
    if (count === 0) [this.left, this.top, right, bottom] = [0, 0, 0, 0];
    this.cellWidth = Math.max(1e-3, (right - this.left) / cells);
    this.cellHeight = Math.max(1e-3, (bottom - this.top) / cells);
    // One walk writes down what each link meets; counting then puts it in order of cells.
    const until = new Uint32Array(count + 1);
    for (let i = 0; i < count; i++) {
      this.walk(i);
      until[i + 1] = this.meets;
    }
    const start = new Uint32Array(cells * cells + 1);
    for (let k = 0; k < this.meets; k++) {
      const cell = (this.met[k] ?? 0) + 1;
      start[cell] = (start[cell] ?? 0) + 1;
    }
    for (let cell = 0; cell < cells * cells; cell++) start[cell + 1] = (start[cell + 1] ?? 0) + (start[cell] ?? 0);
    const fill = start.slice();
    this.items = new Uint32Array(this.meets);
    for (let i = 0; i < count; i++) {
      for (let k = until[i] ?? 0; k < (until[i + 1] ?? 0); k++) {
        const cell = this.met[k] ?? 0;
        const place = fill[cell] ?? 0;
        this.items[place] = i;
        fill[cell] = place + 1;
      }
    }
    this.start = start;
    this.met = new Uint32Array(0);
  }

  private column(x: number): number {
    return Math.max(0, Math.min(this.cells - 1, Math.floor((x - this.left) / this.cellWidth)));
  }

  private row(y: number): number {
    return Math.max(0, Math.min(this.cells - 1, Math.floor((y - this.top) / this.cellHeight)));
  }

  /** Notes each cell that a link touches; a cell may be noted twice where a curve comes back to it. */
  private walk(i: number): void {
    const points = this.line.follow(i);
    const { ends } = this.line;
    let last = -1;
    for (let k = 0; k + 1 < points; k++) {
      const [ax, ay] = [ends[k * 2] ?? 0, ends[k * 2 + 1] ?? 0];
      const [bx, by] = [ends[k * 2 + 2] ?? 0, ends[k * 2 + 3] ?? 0];
      const forward = ax <= bx;
      const x1 = forward ? ax : bx;
      const y1 = forward ? ay : by;
      const x2 = forward ? bx : ax;
      const y2 = forward ? by : ay;
      const slope = x2 === x1 ? 0 : (y2 - y1) / (x2 - x1);
      const to = this.column(x2);
      for (let column = this.column(x1); column <= to; column++) {
        const fromX = Math.max(x1, this.left + column * this.cellWidth);
        const toX = Math.min(x2, this.left + (column + 1) * this.cellWidth);
        const ya = x2 === x1 ? y1 : y1 + slope * (fromX - x1);
        const yb = x2 === x1 ? y2 : y1 + slope * (toX - x1);
        const lowest = this.row(Math.max(ya, yb));
        for (let row = this.row(Math.min(ya, yb)); row <= lowest; row++) {
          const cell = row * this.cells + column;
          if (cell !== last) this.note(cell);
          last = cell;
        }
      }
    }
  }

  private note(cell: number): void {
    if (this.meets === this.met.length) {
      const longer = new Uint32Array(this.met.length * 2);
      longer.set(this.met);
      this.met = longer;
    }
    this.met[this.meets] = cell;
    this.meets += 1;
  }

  /** The link nearest to a point within `reach`, -1 when there is none. Links with `hidden` 1 do not count. */
  nearest(x: number, y: number, reach: number, hidden: Uint8Array): number {
    let best = -1;
    let bestDistance = reach * reach;
    for (let row = this.row(y - reach); row <= this.row(y + reach); row++) {
      for (let column = this.column(x - reach); column <= this.column(x + reach); column++) {
        const cell = row * this.cells + column;
        for (let k = this.start[cell] ?? 0; k < (this.start[cell + 1] ?? 0); k++) {
          const link = this.items[k] ?? 0;
          if (hidden[link] === 1) continue;
          const distance = this.line.distanceTo(link, x, y);
          if (distance < bestDistance || (distance === bestDistance && link < best)) {
            best = link;
            bestDistance = distance;
          }
        }
      }
    }
    return best;
  }
}

function distanceSquared(x: number, y: number, x1: number, y1: number, x2: number, y2: number): number {
  const [vx, vy] = [x2 - x1, y2 - y1];
  const length = vx * vx + vy * vy;
  const t = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - x1) * vx + (y - y1) * vy) / length));
  const [dx, dy] = [x1 + t * vx - x, y1 + t * vy - y];
  return dx * dx + dy * dy;
}
