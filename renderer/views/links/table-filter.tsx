import { useState } from "react";
import { Icon } from "../../parts/icons.tsx";
import "./table-view.css";

/** The small filter in the head of a table in the bottom panel: a word until it is used. */
export function TableFilter({
  query,
  onQuery,
  label,
}: {
  readonly query: string;
  readonly onQuery: (query: string) => void;
  readonly label: string;
}) {
  const [used, setUsed] = useState(false);
  if (!used && query === "") {
    return (
      <button type="button" className="table-filter-word" data-filter onClick={() => setUsed(true)}>
        <Icon name="filter" size={13} />
        Filter
      </button>
    );
  }
  return (
    <span className="table-filter">
      <Icon name="filter" size={13} />
      <input
        aria-label={label}
        placeholder="Filter"
        spellCheck={false}
        data-filter
        autoFocus={used}
        value={query}
        onChange={(event) => onQuery(event.target.value)}
        onBlur={() => setUsed(false)}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.stopPropagation();
          onQuery("");
          event.currentTarget.blur();
        }}
      />
    </span>
  );
}
