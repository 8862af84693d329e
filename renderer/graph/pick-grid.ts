/** Nearest link to a point: a uniform grid over the segments. Curved links are followed by short straight pieces. */

export interface Segments {
  readonly x1: Float32Array;
  readonly y1: Float32Array;
  readonly x2: Float32Array;
  readonly y2: Float32Array;
  readonly bend: Float32Array;
}

const cells = 96;
const pieces = 10;

export class PickGrid {
  private readonly segments: Segments;
  private readonly left: number;
  private readonly top: number;
  private readonly cellWidth: number;
  private readonly cellHeight: number;
  /** Links of cell c: items[start[c] … start[c + 1] - 1]. */
  private readonly start: Uint32Array;
  private readonly items: Uint32Array;

  /** O(links × cells on the way of each). */
  constructor(segments: Segments) {
    this.segments = segments;
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let i = 0; i < segments.x1.length; i++) {
      const [x1, y1, x2, y2] = this.ends(i);
      left = Math.min(left, x1, x2);
      right = Math.max(right, x1, x2);
      top = Math.min(top, y1, y2, Math.min(y1, y2) - (segments.bend[i] ?? 0));
      bottom = Math.max(bottom, y1, y2);
    }
    this.left = Number.isFinite(left) ? left : 0;
    this.top = Number.isFinite(top) ? top : 0;
    this.cellWidth = Math.max(1e-3, (right - left) / cells) || 1;
    this.cellHeight = Math.max(1e-3, (bottom - top) / cells) || 1;
    const sizes = new Uint32Array(cells * cells + 1);
    for (let i = 0; i < segments.x1.length; i++) {
      this.walk(i, (cell) => (sizes[cell + 1] = (sizes[cell + 1] ?? 0) + 1));
    }
    for (let cell = 0; cell < cells * cells; cell++) sizes[cell + 1] = (sizes[cell + 1] ?? 0) + (sizes[cell] ?? 0);
    this.start = sizes;
    this.items = new Uint32Array(sizes[cells * cells] ?? 0);
    const fill = sizes.slice();
    for (let i = 0; i < segments.x1.length; i++) {
      this.walk(i, (cell) => {
        const place = fill[cell] ?? 0;
        this.items[place] = i;
        fill[cell] = place + 1;
      });
    }
  }

  private ends(i: number): readonly [number, number, number, number] {
    const { x1, y1, x2, y2 } = this.segments;
    return [x1[i] ?? 0, y1[i] ?? 0, x2[i] ?? 0, y2[i] ?? 0];
  }

  /** Calls `piece` for each straight piece of a link. */
  private straight(i: number, piece: (x1: number, y1: number, x2: number, y2: number) => void): void {
    const [x1, y1, x2, y2] = this.ends(i);
    const bend = this.segments.bend[i] ?? 0;
    if (bend === 0) {
      piece(x1, y1, x2, y2);
      return;
    }
    const [cx, cy] = [(x1 + x2) / 2, (y1 + y2) / 2 - bend * 2];
    let [px, py] = [x1, y1];
    for (let k = 1; k <= pieces; k++) {
      const t = k / pieces;
      const u = 1 - t;
      const x = u * u * x1 + 2 * u * t * cx + t * t * x2;
      const y = u * u * y1 + 2 * u * t * cy + t * t * y2;
      piece(px, py, x, y);
      [px, py] = [x, y];
    }
  }

  private column(x: number): number {
    return Math.max(0, Math.min(cells - 1, Math.floor((x - this.left) / this.cellWidth)));
  }

  private row(y: number): number {
    return Math.max(0, Math.min(cells - 1, Math.floor((y - this.top) / this.cellHeight)));
  }

  /** Calls `visit` once for each cell that a link touches. */
  private walk(i: number, visit: (cell: number) => void): void {
    let last = -1;
    this.straight(i, (ax, ay, bx, by) => {
      const [x1, y1, x2, y2] = ax <= bx ? [ax, ay, bx, by] : [bx, by, ax, ay];
      for (let column = this.column(x1); column <= this.column(x2); column++) {
        const from = Math.max(x1, this.left + column * this.cellWidth);
        const to = Math.min(x2, this.left + (column + 1) * this.cellWidth);
        const slope = x2 === x1 ? 0 : (y2 - y1) / (x2 - x1);
        const ya = x2 === x1 ? y1 : y1 + slope * (from - x1);
        const yb = x2 === x1 ? y2 : y1 + slope * (to - x1);
        for (let row = this.row(Math.min(ya, yb)); row <= this.row(Math.max(ya, yb)); row++) {
          const cell = row * cells + column;
          if (cell !== last) visit(cell);
          last = cell;
        }
      }
    });
  }

  /** The link nearest to a point within `reach`, -1 when there is none. Links with `hidden` 1 do not count. */
  nearest(x: number, y: number, reach: number, hidden: Uint8Array): number {
    let best = -1;
    let bestDistance = reach * reach;
    for (let row = this.row(y - reach); row <= this.row(y + reach); row++) {
      for (let column = this.column(x - reach); column <= this.column(x + reach); column++) {
        const cell = row * cells + column;
        for (let k = this.start[cell] ?? 0; k < (this.start[cell + 1] ?? 0); k++) {
          const link = this.items[k] ?? 0;
          if (hidden[link] === 1) continue;
          this.straight(link, (x1, y1, x2, y2) => {
            const distance = distanceSquared(x, y, x1, y1, x2, y2);
            if (distance < bestDistance || (distance === bestDistance && link < best)) {
              best = link;
              bestDistance = distance;
            }
          });
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
