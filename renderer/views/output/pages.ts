/** Pages of a long text that is read piece by piece. Pure; no React. */

/** Lines asked for at a time; the contract allows 2,000. */
export const pageLines = 500;

/** Number of the page that holds a line; lines from 1, pages from 0. */
export function pageOfLine(line: number): number {
  return Math.floor((Math.max(1, line) - 1) / pageLines);
}

/** First line of a page. */
export function firstLineOf(page: number): number {
  return page * pageLines + 1;
}

/** Pages that a range of lines (from 1, both ends in it) needs. */
export function pagesOfRange(first: number, last: number): readonly number[] {
  const from = pageOfLine(first);
  const to = pageOfLine(Math.max(first, last));
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}
