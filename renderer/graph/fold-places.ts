/** Where folds stand that the layout knows nothing of: a director in the place of its chips, part of a leaf's hosts. Pure. */
import { at } from "../../shared/fabric/access.ts";
import { facing, freeEnds, type Layout } from "./layout-types.ts";
import type { ViewNode } from "./view-types.ts";

/** Centre and size. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** {@link facing}. */
  readonly looks: number;
}

/** Height of a closed director between rows: there is room for two lines of text, and nothing else stands there. */
const directorHeight = 38;

/**
 * A director stands where its chips stand and covers nothing else: all of them when nothing is between, else the widest
 * run of its own chips that no other switch interrupts.
 */
export function placeDirector(layout: Layout, boxes: Uint32Array): Place {
  const runs = runsOf(layout, boxes);
  const all = around(layout, Array.from(boxes));
  if (isFree(layout, boxes, all)) return all;
  let best: readonly number[] = [boxes[0] ?? 0];
  for (const run of runs) if (run.length > best.length) best = run;
  return around(layout, best);
}

/** Chips of a director as they are outlined: all together when nothing else is between, else run by run. */
export function outlinesOf(layout: Layout, boxes: Uint32Array): readonly (readonly number[])[] {
  const all = Array.from(boxes);
  return isFree(layout, boxes, around(layout, all)) ? [all] : runsOf(layout, boxes);
}

/** Chips of a director that stand side by side in one row, with nobody else between: one run after the other. */
function runsOf(layout: Layout, boxes: Uint32Array): readonly (readonly number[])[] {
  const own = new Set(boxes);
  const sideways = isSideways(layout, boxes[0] ?? 0);
  const [across, along] = sideways ? [layout.boxX, layout.boxY] : [layout.boxY, layout.boxX];
  const rows = new Map<number, number[]>();
  for (const box of boxes) {
    const row = Math.round(at(across, box));
    const list = rows.get(row);
    if (list === undefined) rows.set(row, [box]);
    else list.push(box);
  }
  const runs: number[][] = [];
  for (const [row, list] of rows) {
    const others = Array.from(across.keys()).filter(
      (box) => !own.has(box) && Math.abs(at(across, box) - row) < directorHeight,
    );
    const stops = others.map((box) => at(along, box)).sort((a, b) => a - b);
    list.sort((a, b) => at(along, a) - at(along, b));
    let run: number[] = [];
    let stop = 0;
    for (const box of list) {
      const here = at(along, box);
      let interrupted = false;
      while (stop < stops.length && (stops[stop] ?? Infinity) < here) {
        interrupted = true;
        stop += 1;
      }
      if (interrupted && run.length > 0) {
        runs.push(run);
        run = [];
      }
      run.push(box);
    }
    runs.push(run);
  }
  return runs;
}

/** True when no other box and no host stands in a place. */
function isFree(layout: Layout, boxes: Uint32Array, place: Place): boolean {
  const own = new Set(boxes);
  const meets = (x: number, y: number, width: number, height: number): boolean =>
    Math.abs(x - place.x) < (width + place.width) / 2 && Math.abs(y - place.y) < (height + place.height) / 2;
  const { boxX, boxY, boxWidth, boxHeight, hostX, hostY, hostWidth, hostHeight } = layout;
  for (let box = 0; box < boxX.length; box++) {
    if (own.has(box)) continue;
    if (meets(at(boxX, box), at(boxY, box), at(boxWidth, box), at(boxHeight, box))) return false;
  }
  for (let host = 0; host < hostX.length; host++) {
    if (meets(at(hostX, host), at(hostY, host), at(hostWidth, host), at(hostHeight, host))) return false;
  }
  return layout.planes.every(({ x, y, width, height }) => !meets(x + width / 2, y + height / 2, width, height));
}

function isSideways(layout: Layout, box: number): boolean {
  const look = at(layout.boxFacing, box) % freeEnds;
  return look === facing.left || look === facing.right;
}

function around(layout: Layout, boxes: readonly number[]): Place {
  const { boxX, boxY, boxWidth, boxHeight } = layout;
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const box of boxes) {
    left = Math.min(left, at(boxX, box) - at(boxWidth, box) / 2);
    right = Math.max(right, at(boxX, box) + at(boxWidth, box) / 2);
    top = Math.min(top, at(boxY, box) - at(boxHeight, box) / 2);
    bottom = Math.max(bottom, at(boxY, box) + at(boxHeight, box) / 2);
  }
  const first = boxes[0] ?? 0;
  const looks = at(layout.boxFacing, first);
  // Rows of a tree lie far apart; elsewhere neighbours may stand closer above than a box is high.
  const inRows = looks === facing.up && layout.hub === undefined;
  const height = inRows ? Math.max(directorHeight, bottom - top) : bottom - top;
  return { x: (left + right) / 2, y: (top + bottom) / 2, width: right - left, height, looks };
}

/** A leaf's folded hosts, or those of them that share a rack or a name: a slice of the room of all. */
export function placeFold(layout: Layout, node: ViewNode): Place {
  const { block, part } = node;
  const looks = at(layout.blockFacing, block);
  const whole = {
    x: at(layout.foldX, block),
    y: at(layout.foldY, block),
    width: at(layout.foldWidth, block),
    height: at(layout.foldHeight, block),
    looks,
  };
  if (part === undefined) return whole;
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const host of part.of) {
    left = Math.min(left, at(layout.hostX, host) - at(layout.hostWidth, host) / 2);
    right = Math.max(right, at(layout.hostX, host) + at(layout.hostWidth, host) / 2);
    top = Math.min(top, at(layout.hostY, host) - at(layout.hostHeight, host) / 2);
    bottom = Math.max(bottom, at(layout.hostY, host) + at(layout.hostHeight, host) / 2);
  }
  const upright = looks % freeEnds === facing.left || looks % freeEnds === facing.right;
  if (upright) {
    const step = (bottom - top) / part.parts;
    const height = Math.min(whole.height, step * 0.9);
    return { ...whole, y: top + (part.position + 0.5) * step, height };
  }
  const step = (right - left) / part.parts;
  return { ...whole, x: left + (part.position + 0.5) * step, width: Math.min(110, step * 0.92) };
}
