import type { ReactNode } from "react";
import { parseQuery, type QueryKey, withFilter } from "./query.ts";
import "./table-view.css";

export interface QuickFilter {
  readonly key: string;
  readonly value: string;
  readonly title: string;
}

/** Filters that are used most, one click each; they are tokens of the query like any other. */
export function QuickFilters({
  all,
  chips,
  query,
  keys,
  onQuery,
  children,
}: {
  /** Words of the chip that clears the query. */
  readonly all: string;
  readonly chips: readonly QuickFilter[];
  readonly query: string;
  readonly keys: readonly QueryKey[];
  readonly onQuery: (query: string) => void;
  /** At the right end. */
  readonly children?: ReactNode;
}) {
  const { filters } = parseQuery(query, keys);
  const isOn = ({ key, value }: QuickFilter): boolean =>
    filters.some((filter) => filter.key === key && filter.values.join(",") === value && !filter.negated);
  return (
    <div className="table-bar" role="group" aria-label="Quick filters">
      <button type="button" className="chip" aria-pressed={query.trim() === ""} onClick={() => onQuery("")}>
        {all}
      </button>
      {chips.map((chip) => (
        <button
          type="button"
          key={chip.title}
          className="chip"
          aria-pressed={isOn(chip)}
          onClick={() => onQuery(`${withFilter(query, chip.key, isOn(chip) ? "" : chip.value, keys)} `.trimStart())}
        >
          {chip.title}
        </button>
      ))}
      {children === undefined ? null : <span className="table-bar-end">{children}</span>}
    </div>
  );
}
