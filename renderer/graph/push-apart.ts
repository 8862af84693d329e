/** Rectangles pushed apart until none overlap, as little as that takes. Pure, deterministic. */
import { at } from "../../shared/fabric/access.ts";

export interface Rectangles {
  /** Middles; changed in place. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly width: Float64Array;
  readonly height: Float64Array;
}

const rounds = 240;

/** Ends with a grid when pushing does not get there, which takes thousands of rectangles on one spot. */
export function pushApart(boxes: Rectangles): void {
  for (let round = 0; round < rounds; round++) {
    if (!pushOnce(boxes)) return;
    // More room for all rather than a longer shoving match.
    if (round % 8 === 7) {
      for (let i = 0; i < boxes.x.length; i++) {
        boxes.x[i] = at(boxes.x, i) * 1.08;
        boxes.y[i] = at(boxes.y, i) * 1.08;
      }
    }
  }
  intoGrid(boxes);
}

/** One pass over overlapping neighbours; true when there were any. */
function pushOnce({ x, y, width, height }: Rectangles): boolean {
  const order = Array.from(x.keys()).sort(
    (a, b) => at(x, a) - at(width, a) / 2 - (at(x, b) - at(width, b) / 2) || a - b,
  );
  let any = false;
  for (let i = 0; i < order.length; i++) {
    const a = order[i] ?? 0;
    for (let k = i + 1; k < order.length; k++) {
      const b = order[k] ?? 0;
      const overX = (at(width, a) + at(width, b)) / 2 - Math.abs(at(x, a) - at(x, b));
      if (overX <= 0) {
        if (at(x, b) - at(width, b) / 2 >= at(x, a) + at(width, a) / 2) break;
        continue;
      }
      const overY = (at(height, a) + at(height, b)) / 2 - Math.abs(at(y, a) - at(y, b));
      if (overY <= 0) continue;
      any = true;
      // A little more than needed, so that rounding does not leave them touching.
      if (overX < overY) {
        const push = (at(x, a) <= at(x, b) ? 1 : -1) * (overX / 2 + 0.5);
        x[a] = at(x, a) - push;
        x[b] = at(x, b) + push;
      } else {
        const push = (at(y, a) < at(y, b) || (at(y, a) === at(y, b) && a < b) ? 1 : -1) * (overY / 2 + 0.5);
        y[a] = at(y, a) - push;
        y[b] = at(y, b) + push;
      }
    }
  }
  return any;
}

function intoGrid({ x, y, width, height }: Rectangles): void {
  const columns = Math.ceil(Math.sqrt(x.length));
  const cellWidth = Math.max(...width) + 10;
  const cellHeight = Math.max(...height) + 10;
  const byY = Array.from(x.keys()).sort((a, b) => at(y, a) - at(y, b) || a - b);
  for (let row = 0; row * columns < byY.length; row++) {
    const line = byY.slice(row * columns, (row + 1) * columns).sort((a, b) => at(x, a) - at(x, b) || a - b);
    line.forEach((box, column) => {
      x[box] = column * cellWidth;
      y[box] = row * cellHeight;
    });
  }
}
