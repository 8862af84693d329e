/** Directors that reach above the pods: where their line chips belong. Pure. */
import { at } from "../../shared/fabric/access.ts";

/**
 * 1 for each box of tier 2 whose director holds boxes of higher tiers too. Such a director serves several pods, so all of
 * it stands above them: torn apart, its line chips would leave a row of the pods empty whenever it is closed.
 * @param directorOfBox -1 for what is in none
 */
export function chipsAbovePods(boxLevel: ArrayLike<number>, directorOfBox: Int32Array): Uint8Array {
  const high = new Set<number>();
  directorOfBox.forEach((director, box) => {
    if (director >= 0 && (boxLevel[box] ?? 0) >= 3) high.add(director);
  });
  return Uint8Array.from(directorOfBox, (director, box) => (boxLevel[box] === 2 && high.has(director) ? 1 : 0));
}

/** Boxes that stand above each other, with their share of a part's width. */
export interface Column {
  readonly boxes: ReadonlySet<number>;
  /** Most of its boxes in one row. */
  readonly most: number;
  /** False for the last column, of what is in no such director. */
  readonly ofDirector: boolean;
}

/**
 * Rows in which chips of such directors stand are divided into columns, one a director, so that each is one box over
 * all its rows; what is in none has the last. In the order in which the directors' chips stand on average. Empty without any.
 */
export function directorColumns(
  rows: readonly (readonly number[])[],
  directorOfBox: Int32Array,
  above: Uint8Array,
): readonly Column[] {
  const spanning = new Set<number>();
  above.forEach((flag, box) => {
    if (flag === 1) spanning.add(at(directorOfBox, box));
  });
  const columnOf = (box: number): number => (spanning.has(at(directorOfBox, box)) ? at(directorOfBox, box) : Infinity);
  const concerned = rows.filter((row) => row.some((box) => columnOf(box) !== Infinity));
  const found = new Map<number, { boxes: Set<number>; most: number; sum: number }>();
  for (const row of concerned) {
    const here = new Map<number, number>();
    row.forEach((box, i) => {
      const key = columnOf(box);
      const column = found.get(key) ?? { boxes: new Set<number>(), most: 0, sum: 0 };
      column.boxes.add(box);
      column.sum += (i + 0.5) / row.length;
      here.set(key, (here.get(key) ?? 0) + 1);
      column.most = Math.max(column.most, here.get(key) ?? 0);
      found.set(key, column);
    });
  }
  return [...found]
    .sort(
      ([a, x], [b, y]) =>
        Number(a === Infinity) - Number(b === Infinity) || x.sum / x.boxes.size - y.sum / y.boxes.size,
    )
    .map(([key, { boxes, most }]) => ({ boxes, most, ofDirector: key !== Infinity }));
}
