import { useMemo, useState } from "react";
import type { Diagnostic } from "../../../shared/parse/diagnostic.ts";
import { DataTable, type TableColumn } from "../../parts/data-table.tsx";
import { Empty } from "../../parts/empty.tsx";
import { HealthGlyph } from "../../parts/glyph.tsx";
import { openRaw } from "../output/open-raw.ts";
import { filterRemarks, placeText } from "./finding-rows.ts";

function open(remark: Diagnostic | undefined): void {
  if (remark !== undefined) openRaw(remark.file, remark.line);
}

/** What the parsers say about the raw outputs; a row opens the line it is about. */
export function RemarksTable({ remarks, text }: { readonly remarks: readonly Diagnostic[]; readonly text: string }) {
  const [selected, setSelected] = useState<number | undefined>(undefined);
  const rows = useMemo(() => filterRemarks(remarks, text), [remarks, text]);
  const columns = useMemo<readonly TableColumn[]>(
    () => [
      {
        id: "severity",
        title: "Severity",
        titleHidden: true,
        width: 38,
        cell: (row) => <HealthGlyph health={remarks[row]?.severity ?? "note"} size={13} />,
      },
      {
        id: "place",
        title: "Where",
        width: 232,
        cell: (row) => {
          const remark = remarks[row];
          return remark === undefined ? null : (
            <button
              type="button"
              className="cell-link"
              tabIndex={-1}
              title={placeText(remark)}
              onClick={() => open(remark)}
            >
              {placeText(remark)}
            </button>
          );
        },
      },
      {
        id: "message",
        title: "Remark",
        width: 300,
        grow: true,
        cell: (row) => <span title={remarks[row]?.message}>{remarks[row]?.message}</span>,
      },
      {
        id: "excerpt",
        title: "Text",
        width: 200,
        cell: (row) => (
          <span className="mono cell-soft" title={remarks[row]?.excerpt}>
            {remarks[row]?.excerpt}
          </span>
        ),
      },
    ],
    [remarks],
  );
  return (
    <DataTable
      label="Remarks on the capture"
      columns={columns}
      rows={rows}
      selected={selected}
      onSelect={setSelected}
      onActivate={(row) => open(remarks[row])}
      empty={
        remarks.length === 0 ? (
          <Empty glyph="ok" title="No remarks" sentence="Every line of the raw outputs was understood." />
        ) : (
          <Empty icon="filter" title="Nothing fits the filter" sentence="Shorten it, or clear it with Esc." />
        )
      }
    />
  );
}
