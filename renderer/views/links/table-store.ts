import { create } from "zustand";
import type { TableSort } from "../../parts/data-table.tsx";

/** How a table is looked at; kept while other views are shown. */
export interface TableLook {
  readonly query: string;
  readonly sort: TableSort;
  readonly widths: Readonly<Record<string, number>>;
}

interface TableState {
  readonly looks: Readonly<Record<string, TableLook>>;
  readonly change: (table: string, start: TableLook, patch: Partial<TableLook>) => void;
}

const useTables = create<TableState>((set) => ({
  looks: {},
  change: (table, start, patch) =>
    set((state) => ({ looks: { ...state.looks, [table]: { ...(state.looks[table] ?? start), ...patch } } })),
}));

/** Filters a table from elsewhere; its sort and widths stay. @param start how it looks when nobody has changed it yet */
export function setQuery(table: string, start: TableLook, query: string): void {
  useTables.getState().change(table, start, { query });
}

/** Query, sort and widths of one table and the way to change them. */
export function useTableLook(
  table: string,
  start: TableLook,
): readonly [TableLook, (patch: Partial<TableLook>) => void] {
  const look = useTables((state) => state.looks[table]) ?? start;
  const change = useTables((state) => state.change);
  return [look, (patch) => change(table, start, patch)];
}
