/** Small sums of the layout: hosts in staggered rows, lines of units, neighbours pushed apart. Pure. */
import { upperWidth, type Part, type Unit } from "./parts.ts";

/** How the hosts of a shelf stand: `rows` staggered rows, one host every `step` px. */
export interface HostGrid {
  readonly rows: number;
  readonly step: number;
  readonly width: number;
  readonly height: number;
  readonly rowStep: number;
}

/** Hosts of one leaf of `pitch` px: a single row while a host gets 4.4 px, else staggered rows. */
export function hostGrid(pitch: number, most: number): HostGrid {
  const room = pitch * 0.87;
  const wanted = Math.max(1, most);
  const rows = Math.max(1, Math.min(6, Math.ceil((wanted * 4.4) / room)));
  const step = Math.min(72, room / wanted);
  const width = Math.min(60, step * rows * (rows === 1 ? 0.82 : 0.66));
  const height = width >= 26 ? 20 : width;
  return { rows, step, width, height, rowStep: height + Math.max(2.4, height * 0.4) };
}

/** Width of the widest line when a part's units are spread over `lines`. */
export function lineWidth(part: Part, lines: number): number {
  const widest = splitLines(part.units, lines).map((line) => line.reduce((sum, unit) => sum + unit.least, 0));
  return lines === 1 ? part.least : Math.max(upperWidth(part.upper, part.columns), ...widest);
}

export function splitLines(units: readonly Unit[], lines: number): readonly (readonly Unit[])[] {
  const per = Math.max(1, Math.ceil(units.length / lines));
  const split: Unit[][] = [];
  for (let first = 0; first < units.length; first += per) split.push(units.slice(first, first + per));
  return split;
}

/** Room of one block of hosts in a row: no host and no fold of it reaches beyond. */
export interface BlockRoom {
  /** Along the row. */
  readonly width: number;
  /** From either end to the middle of the first and of the last host. */
  readonly inset: number;
}

/** Room that `count` hosts of a grid take: two of one row never touch, and the outermost end inside. */
export function blockRoom(count: number, grid: Pick<HostGrid, "rows" | "step" | "width">): BlockRoom {
  const inset = Math.max(grid.step, grid.width * 1.04) / 2;
  const behind = count > grid.rows ? ((count - 1) * grid.width * 1.04) / grid.rows : 0;
  return { width: Math.max(count * grid.step, 2 * inset + behind), inset };
}

/**
 * Widths of what is drawn for whole blocks (folds): as wanted, but never beyond half of the gap to the neighbours. Entries
 * sorted by centre and apart, as {@link spreadApart} leaves them.
 */
export function widthsWithin(
  entries: readonly { readonly centre: number; readonly width: number }[],
  wanted: (entry: { readonly width: number }) => number,
): readonly number[] {
  return entries.map((entry, i) => {
    const [before, after] = [entries[i - 1], entries[i + 1]];
    const gapBefore = before === undefined ? Infinity : entry.centre - before.centre - (entry.width + before.width) / 2;
    const gapAfter = after === undefined ? Infinity : after.centre - entry.centre - (entry.width + after.width) / 2;
    return Math.min(wanted(entry), (entry.width + Math.max(0, Math.min(gapBefore, gapAfter))) * 0.98);
  });
}

/** Moves neighbours apart until none overlap, as little as the bounds allow. Entries sorted by centre; changed in place. */
export function spreadApart(entries: { centre: number; readonly width: number }[], left: number, right: number): void {
  let edge = -Infinity;
  for (const entry of entries) {
    entry.centre = Math.max(entry.centre, edge + entry.width / 2, left + entry.width / 2);
    edge = entry.centre + entry.width / 2;
  }
  edge = Math.max(right, Number.NEGATIVE_INFINITY);
  for (const entry of [...entries].reverse()) {
    entry.centre = Math.min(entry.centre, edge - entry.width / 2);
    edge = entry.centre - entry.width / 2;
  }
}
