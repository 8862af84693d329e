/** Walking the cells of a sweep's picture by keys. Pure; no React. */
import type { LinkId } from "../../../shared/fabric/model.ts";
import { cellKey, type SweepGrid, type SweepStrip } from "./sweep-words.ts";

/** One row of cells as it is drawn. */
export interface CellRow {
  readonly links: readonly LinkId[];
  /** Where each of the links stands from the left, not falling: several of one column have the same. */
  readonly columns: readonly number[];
}

/** A cell by its row and its place in it. */
export interface CellPlace {
  readonly row: number;
  readonly place: number;
}

/** The rows of a picture with columns. */
export function gridRows({ rows, columns, cells }: SweepGrid): readonly CellRow[] {
  return rows.map((row) => {
    const placed = columns.flatMap((column, index) =>
      (cells.get(cellKey(row, column)) ?? []).map((link) => ({ link, index })),
    );
    return { links: placed.map(({ link }) => link), columns: placed.map(({ index }) => index) };
  });
}

/** The rows of a picture without columns. */
export function stripRows(strips: readonly SweepStrip[]): readonly CellRow[] {
  return strips.map(({ links }) => ({ links, columns: [...links.keys()] }));
}

/** Rows of a page up or down. */
const pageRows = 10;

/** The place in a row nearest to a column; of several the first. */
function nearest({ columns }: CellRow, column: number): number {
  let best = 0;
  columns.forEach((here, place) => {
    if (Math.abs(here - column) < Math.abs((columns[best] ?? 0) - column)) best = place;
  });
  return best;
}

/** Where a key leads from a cell; undefined for keys that do not walk. At an edge it stays. */
export function walkCells(
  rows: readonly CellRow[],
  from: CellPlace,
  key: string,
  control: boolean,
): CellPlace | undefined {
  const row = rows[from.row];
  if (row === undefined) return undefined;
  const last = rows.length - 1;
  const toRow = (wanted: number): CellPlace => {
    const next = Math.max(0, Math.min(last, wanted));
    const target = rows[next];
    if (next === from.row || target === undefined) return from;
    return { row: next, place: nearest(target, row.columns[from.place] ?? 0) };
  };
  const inRow = (place: number): CellPlace => ({
    row: from.row,
    place: Math.max(0, Math.min(row.links.length - 1, place)),
  });
  switch (key) {
    case "ArrowRight":
      return inRow(from.place + 1);
    case "ArrowLeft":
      return inRow(from.place - 1);
    case "ArrowDown":
      return toRow(from.row + 1);
    case "ArrowUp":
      return toRow(from.row - 1);
    case "PageDown":
      return toRow(from.row + pageRows);
    case "PageUp":
      return toRow(from.row - pageRows);
    case "Home":
      return control ? { row: 0, place: 0 } : inRow(0);
    case "End":
      return control ? { row: last, place: Math.max(0, (rows[last]?.links.length ?? 1) - 1) } : inRow(row.links.length);
    default:
      return undefined;
  }
}
