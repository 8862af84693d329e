/** Small sums of the layout: hosts in staggered rows, lines of units, neighbours pushed apart. Pure. */
import { upperPitchLeast, type Part, type Unit } from "./parts.ts";

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
  const upper = Math.max(0, ...part.upper.map((row) => row.length)) * upperPitchLeast;
  return lines === 1 ? part.least : Math.max(upper, ...widest);
}

export function splitLines(units: readonly Unit[], lines: number): readonly (readonly Unit[])[] {
  const per = Math.max(1, Math.ceil(units.length / lines));
  const split: Unit[][] = [];
  for (let first = 0; first < units.length; first += per) split.push(units.slice(first, first + per));
  return split;
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
