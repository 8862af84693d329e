/** Row orders of large tables, on plain columns of numbers: nothing here grows with the cells. */

/** A sort key per row id; NaN = no value, which stays last in both directions. */
export type SortKey = ArrayLike<number>;

/**
 * Ranks of texts in natural order (`leaf-9` before `leaf-10`, case ignored); equal texts share a rank.
 * Ranks make a text column sortable by number.
 */
export function rankTexts(texts: readonly string[]): Uint32Array {
  const keys = texts.map(naturalKey);
  const order = Uint32Array.from(keys.keys()).sort((x, y) => compareText(keys[x] ?? "", keys[y] ?? ""));
  const ranks = new Uint32Array(texts.length);
  let rank = 0;
  order.forEach((text, position) => {
    if (position > 0 && keys[text] !== keys[order[position - 1] ?? 0]) rank += 1;
    ranks[text] = rank;
  });
  return ranks;
}

/** A text whose plain comparison is the natural one: lower case, runs of digits padded. */
function naturalKey(text: string): string {
  return text.toLowerCase().replace(/\d+/g, (digits) => digits.padStart(12, "0"));
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * Row ids in the order of a key; ties keep the order they came in, so a caller sorts by several keys by sorting
 * several times, or hands rows in their natural order.
 */
export function orderRows(rows: ArrayLike<number>, key: SortKey | undefined, descending: boolean): Uint32Array {
  const ordered = Uint32Array.from(rows);
  if (key === undefined) return ordered;
  const sign = descending ? -1 : 1;
  // TypedArray.prototype.sort is stable since ES2019; the comparator sees row ids.
  return ordered.sort((x, y) => {
    const a = key[x] ?? NaN;
    const b = key[y] ?? NaN;
    if (a === b) return 0;
    if (Number.isNaN(a)) return Number.isNaN(b) ? 0 : 1;
    if (Number.isNaN(b)) return -1;
    return a < b ? -sign : sign;
  });
}

/** Where a key press moves the current row; undefined when the key moves nothing. `page` = rows in sight. */
export function moveRow(key: string, position: number, count: number, page: number): number | undefined {
  if (count === 0) return undefined;
  const last = count - 1;
  const from = position < 0 ? (key === "ArrowUp" || key === "PageUp" ? count : -1) : position;
  const clamp = (to: number): number => Math.max(0, Math.min(last, to));
  switch (key) {
    case "ArrowDown":
      return clamp(from + 1);
    case "ArrowUp":
      return clamp(from - 1);
    case "PageDown":
      return clamp(Math.max(from, 0) + page);
    case "PageUp":
      return clamp(from - page);
    case "Home":
      return 0;
    case "End":
      return last;
    default:
      return undefined;
  }
}
