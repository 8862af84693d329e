/** Nearest link to a point: a uniform grid over the segments. Curved links are followed by short straight pieces. */
import { pointOn, straight, type Curves } from "./curve.ts";

/** Cells across and down: so many links are in one that looking is quick, and building does not cost more than the links. */
const [fewestCells, mostCells] = [12, 96];
const pieces = 12;

export class PickGrid {
  private readonly curves: Curves;
  private left = Infinity;
  private top = Infinity;
  private readonly cells: number;
  private readonly cellWidth: number;
  private readonly cellHeight: number;
  /** Links of cell c: items[start[c] … start[c + 1] - 1]. */
  private readonly start: Uint32Array;
  private readonly items: Uint32Array;
  /** Ends of the pieces of one link: x, y, x, y … */
  private readonly line = new Float64Array((pieces + 1) * 2);
  /** Cells met so far, and the link that met each. */
  private met = new Uint32Array(4096);
  private meets = 0;

  /** O(links × cells on the way of each). */
  constructor(curves: Curves) {
    this.curves = curves;
    const count = curves.x1.length;
    const cells = Math.max(fewestCells, Math.min(mostCells, Math.ceil(Math.sqrt(count))));
    this.cells = cells;
    let [right, bottom] = [-Infinity, -Infinity];
    for (let i = 0; i < count; i++) {
      const points = this.follow(i);
      for (let k = 0; k < points; k++) {
        const [x, y] = [this.line[k * 2] ?? 0, this.line[k * 2 + 1] ?? 0];
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

  /** Writes a link's pieces into `line`; returns how many points. */
  private follow(i: number): number {
    const { line, curves } = this;
    if (curves.curve[i] === straight) {
      line[0] = curves.x1[i] ?? 0;
      line[1] = curves.y1[i] ?? 0;
      line[2] = curves.x2[i] ?? 0;
      line[3] = curves.y2[i] ?? 0;
      return 2;
    }
    for (let k = 0; k <= pieces; k++) {
      const { x, y } = pointOn(curves, i, k / pieces);
      line[k * 2] = x;
      line[k * 2 + 1] = y;
    }
    return pieces + 1;
  }

  private column(x: number): number {
    return Math.max(0, Math.min(this.cells - 1, Math.floor((x - this.left) / this.cellWidth)));
  }

  private row(y: number): number {
    return Math.max(0, Math.min(this.cells - 1, Math.floor((y - this.top) / this.cellHeight)));
  }

  /** Notes each cell that a link touches; a cell may be noted twice where a curve comes back to it. */
  private walk(i: number): void {
    const points = this.follow(i);
    let last = -1;
    for (let k = 0; k + 1 < points; k++) {
      const [ax, ay] = [this.line[k * 2] ?? 0, this.line[k * 2 + 1] ?? 0];
      const [bx, by] = [this.line[k * 2 + 2] ?? 0, this.line[k * 2 + 3] ?? 0];
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

  private distanceTo(link: number, x: number, y: number): number {
    const points = this.follow(link);
    let least = Infinity;
    for (let k = 0; k + 1 < points; k++) {
      const [x1, y1] = [this.line[k * 2] ?? 0, this.line[k * 2 + 1] ?? 0];
      const [x2, y2] = [this.line[k * 2 + 2] ?? 0, this.line[k * 2 + 3] ?? 0];
      least = Math.min(least, distanceSquared(x, y, x1, y1, x2, y2));
    }
    return least;
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
          const distance = this.distanceTo(link, x, y);
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
