import type { ReactNode } from "react";
import "./facts.css";

export interface Fact {
  readonly label: string;
  readonly value: ReactNode;
  readonly tone?: "ok" | "note" | "warning" | "error" | "quiet";
}

/** Pairs of label and value, 20 px a row. An empty value shows as a dash. */
export function Facts({ rows }: { readonly rows: readonly Fact[] }) {
  return (
    <dl className="facts">
      {rows.map((row) => (
        <div className="facts-row" key={row.label}>
          <dt>{row.label}</dt>
          <dd className={row.tone === undefined ? undefined : `facts-${row.tone}`}>
            {row.value === "" || row.value === undefined || row.value === null ? "–" : row.value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
