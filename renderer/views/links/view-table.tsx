import type { ReactNode } from "react";
import { Button } from "../../parts/button.tsx";
import { DataTable, type DataTableProps } from "../../parts/data-table.tsx";
import { Empty } from "../../parts/empty.tsx";
import type { TableLook } from "./table-store.ts";

/** The table of a view: sorted, sized and filtered as its look says, with the way back when the filter leaves no row. */
export function ViewTable({
  look,
  change,
  all,
  nothing,
  ...table
}: Omit<DataTableProps, "sort" | "onSort" | "widths" | "onWidths" | "empty"> & {
  readonly look: TableLook;
  readonly change: (patch: Partial<TableLook>) => void;
  /** What there is without a filter: `265 links`. */
  readonly all: string;
  /** Shown instead when there is nothing even without a filter. */
  readonly nothing?: ReactNode;
}) {
  return (
    <DataTable
      {...table}
      sort={look.sort}
      onSort={(sort) => change({ sort })}
      widths={look.widths}
      onWidths={(widths) => change({ widths })}
      empty={
        nothing ?? (
          <Empty
            icon="filter"
            title="Nothing fits the filter"
            sentence={`None of the ${all} fits it.`}
            action={
              <Button kind="plain" size="small" onClick={() => change({ query: "" })}>
                Clear the filter
              </Button>
            }
          />
        )
      }
    />
  );
}
