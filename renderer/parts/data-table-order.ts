/** Row orders of large tables, on plain columns of numbers: nothing here grows with the cells. */

import { atOnce } from "./slices.ts";

/** A sort key per row id; NaN = no value, which stays last in both directions. */
export type SortKey = ArrayLike<number>;

/**
 * Ranks of texts in natural order (`leaf-9` before `leaf-10`, case ignored); equal texts share a rank.
 * Ranks make a text column sortable by number. Sorts each text once, however often it occurs.
 */
export function rankTexts(texts: readonly string[]): Uint32Array {
  return atOnce(rankTextsInSlices(texts));
}

/** Texts between two pauses. */
const textsAtOnce = 1024;

/** Ranks as {@link rankTexts} gives them, with pauses. */
export function* rankTextsInSlices(texts: readonly string[]): Generator<undefined, Uint32Array> {
  const keyOf = new Map<string, string>();
  for (const text of texts) {
    if (keyOf.has(text)) continue;
    keyOf.set(text, naturalKey(text));
    if (keyOf.size % textsAtOnce === 0) yield;
  }
  const rankOf = new Map<string, number>();
  // By code units, as `<` compares.
  for (const key of [...new Set(keyOf.values())].sort()) rankOf.set(key, rankOf.size);
  yield;
  return Uint32Array.from(texts, (text) => rankOf.get(keyOf.get(text) ?? "") ?? 0);
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/**
 * A text whose plain comparison is the natural one: lower case, and before each number how many digits it has. Read by
 * character codes: tens of thousands of names are ranked while somebody waits.
 */
function naturalKey(text: string): string {
  const lower = text.toLowerCase();
  let key = "";
  let copied = 0;
  for (let at = 0; at < lower.length; at += 1) {
    if (!isDigit(lower.charCodeAt(at))) continue;
    const start = at;
    while (isDigit(lower.charCodeAt(at + 1))) at += 1;
    let first = start;
    while (first < at && lower.charCodeAt(first) === 48) first += 1;
    // Counted from "0": a number compares with what is none as its digits do.
    key += lower.slice(copied, start) + String.fromCharCode(48 + at + 1 - first) + lower.slice(first, at + 1);
    copied = at + 1;
  }
  return copied === 0 ? lower : key + lower.slice(copied);
}

/**
 * Row ids in the order of a key; ties keep the order they came in, so a caller sorts by several keys by sorting
 * several times, or hands rows in their natural order. Nothing is compared in a callback: rank and place of a row become
 * one whole number, and numbers the browser sorts by itself.
 */
export function orderRows(rows: ArrayLike<number>, key: SortKey | undefined, descending: boolean): Uint32Array {
  const ordered = Uint32Array.from(rows);
  if (key === undefined || ordered.length === 0) return ordered;
  const { rank, last } = ranksOf(ordered, key);
  const many = ordered.length;
  for (let i = 0; i < many; i += 1) {
    const own = rank[i] ?? NaN;
    const place = Number.isNaN(own) ? last + 1 : descending ? last - own : own;
    rank[i] = place * many + i;
  }
  rank.sort();
  const sorted = new Uint32Array(many);
  for (let i = 0; i < many; i += 1) sorted[i] = ordered[(rank[i] ?? 0) % many] ?? 0;
  return sorted;
}

/** Whole numbers from 0 to `last` that compare as the keys of these rows do; NaN without a value. */
function ranksOf(rows: Uint32Array, key: SortKey): { readonly rank: Float64Array; readonly last: number } {
  const rank = new Float64Array(rows.length);
  let whole = true;
  let least = Infinity;
  let most = -Infinity;
  for (let i = 0; i < rows.length; i += 1) {
    const value = key[rows[i] ?? 0] ?? NaN;
    rank[i] = value;
    if (value < least) least = value;
    if (value > most) most = value;
    if (value % 1 !== 0 && !Number.isNaN(value)) whole = false;
  }
  if (least > most) return { rank, last: 0 };
  // Most columns are whole numbers already: ports, ranks of names, health, rates.
  if (whole && (most - least + 2) * rows.length < Number.MAX_SAFE_INTEGER) {
    for (let i = 0; i < rows.length; i += 1) rank[i] = (rank[i] ?? NaN) - least;
    return { rank, last: most - least };
  }
  const places = new Map<number, number>();
  for (const value of rank.slice().sort()) {
    // A map takes both zeros for one.
    if (!Number.isNaN(value) && !places.has(value)) places.set(value, places.size);
  }
  for (let i = 0; i < rows.length; i += 1) rank[i] = places.get(rank[i] ?? NaN) ?? NaN;
  return { rank, last: places.size - 1 };
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
