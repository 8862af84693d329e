import { type ReactNode, useMemo, useState } from "react";
import { count, groupDigits } from "../../../shared/base/text.ts";
import type { FabricView } from "../../../shared/contract/views.ts";
import { linkId } from "../../../shared/fabric/access.ts";
import { CopyButton } from "../../parts/copy.tsx";
import type { TableColumn } from "../../parts/data-table.tsx";
import { orderRows } from "../../parts/data-table-order.ts";
import { Empty } from "../../parts/empty.tsx";
import { HealthGlyph } from "../../parts/glyph.tsx";
import { useFabric } from "../../state/fabric-store.ts";
import { useSelection } from "../../state/selection-store.ts";
import { findingsTabs, useUi } from "../../state/ui-store.ts";
import { TableFilter } from "../links/table-filter.tsx";
import { type TableLook, useTableLook } from "../links/table-store.ts";
import { ViewTable } from "../links/view-table.tsx";
import { startMeasuring } from "../measure/start.ts";
import { findingAction, findingActionWords, selectionOf } from "./finding-index.ts";
import {
  evidenceText,
  filterFindings,
  filterRemarks,
  findingSortKey,
  findingText,
  remarkText,
} from "./finding-rows.ts";
import { RemarksTable } from "./remarks-table.tsx";
import { SuspectsView } from "./suspects-view.tsx";
import "../links/table-view.css";
import "./findings-view.css";

const start: TableLook = { query: "", sort: { column: "severity", descending: false }, widths: {} };

function act(view: FabricView, row: number): void {
  const finding = view.analysis.findings[row];
  if (finding === undefined) return;
  const selection = selectionOf(finding.subject, view.fabric, view.analysis);
  const action = findingAction(finding, view.fabric, view.analysis);
  useSelection.getState().select(selection, { fly: true });
  const ui = useUi.getState();
  if (action === "managers") ui.show("managers");
  else if (action === "measure" && selection.kind === "link") {
    void startMeasuring(view.fabricId, linkId(view.fabric, selection.link));
  } else if (action === "show" && ui.view !== "topology") ui.show("topology");
}

function columnsOf(view: FabricView): readonly TableColumn[] {
  const { findings } = view.analysis;
  return [
    {
      id: "severity",
      title: "Severity",
      titleHidden: true,
      width: 38,
      sortable: true,
      cell: (row) => <HealthGlyph health={findings[row]?.severity ?? "note"} size={13} />,
    },
    {
      id: "title",
      title: "Finding",
      width: 262,
      sortable: true,
      cell: (row) => <span className="cell-strong">{findings[row]?.title}</span>,
    },
    {
      id: "where",
      title: "Where",
      width: 176,
      sortable: true,
      cell: (row) => <span title={findings[row]?.subject.name}>{findings[row]?.subject.name}</span>,
    },
    {
      id: "evidence",
      title: "Evidence",
      width: 200,
      grow: true,
      sortable: true,
      cell: (row) => {
        const finding = findings[row];
        if (finding === undefined) return null;
        return (
          <span className="cell-soft" title={finding.message}>
            {evidenceText(finding)}
          </span>
        );
      },
    },
    {
      id: "action",
      title: "Action",
      titleHidden: true,
      width: 96,
      cell: (row) => {
        const finding = findings[row];
        if (finding === undefined) return null;
        const word = findingActionWords[findingAction(finding, view.fabric, view.analysis)];
        return word === "" ? null : (
          <button type="button" className="cell-link" tabIndex={-1} onClick={() => act(view, row)}>
            {word}
          </button>
        );
      },
    },
  ];
}

const tabWords = { suspects: "Suspect links", findings: "All findings", remarks: "Remarks on the capture" } as const;

/** Rows as lines of text, in the order of the table. */
function rowsText<T>(all: readonly T[], rows: Uint32Array, text: (one: T) => string): string {
  return [...rows]
    .flatMap((row) => all[row] ?? [])
    .map(text)
    .join("\n");
}

/** Suspect cables, all findings, worst first, and the remarks on what was read. */
export function FindingsView({ compact }: { readonly compact: boolean }) {
  const view = useFabric((state) => state.view);
  const tab = useUi((state) => state.findingsTab);
  const [look, change] = useTableLook(compact ? "findings-panel" : "findings", start);
  if (view === undefined) return null;
  const remarks = view.diagnostics.length;
  const filter = <TableFilter query={look.query} onQuery={(query) => change({ query })} label="Filter the list" />;
  const tabs = (
    <span className="segments" role="tablist" aria-label="Lists">
      {findingsTabs.map((name) => (
        <button
          key={name}
          type="button"
          role="tab"
          aria-selected={tab === name}
          className="segment"
          onClick={() => useUi.getState().setFindingsTab(name)}
        >
          {tabWords[name]}
          {name === "suspects" ? null : (
            <span className="count">{groupDigits(name === "findings" ? view.analysis.findings.length : remarks)}</span>
          )}
        </button>
      ))}
    </span>
  );
  return (
    <div className="table-view">
      {compact ? null : (
        <div className="table-tools">
          {tabs}
          {tab === "suspects" ? null : (
            <span className="table-bar-end table-bar-tools">
              {filter}
              <CopyButton
                text={() =>
                  tab === "remarks"
                    ? rowsText(view.diagnostics, filterRemarks(view.diagnostics, look.query), remarkText)
                    : rowsText(view.analysis.findings, filterFindings(view.analysis.findings, look.query), findingText)
                }
                label="Copy the rows"
              />
            </span>
          )}
        </div>
      )}
      {tab === "suspects" && !compact ? (
        <SuspectsView view={view} />
      ) : tab === "findings" || compact ? (
        <FindingsTable view={view} look={look} change={change} headEnd={compact ? filter : undefined} />
      ) : (
        <RemarksTable remarks={view.diagnostics} text={look.query} />
      )}
    </div>
  );
}

function FindingsTable({
  view,
  look,
  change,
  headEnd,
}: {
  readonly view: FabricView;
  readonly look: TableLook;
  readonly change: (patch: Partial<TableLook>) => void;
  readonly headEnd: ReactNode;
}) {
  const { findings } = view.analysis;
  const [chosen, setChosen] = useState<number | undefined>(undefined);
  const selection = useSelection((state) => state.selection);
  const columns = useMemo(() => columnsOf(view), [view]);
  const rows = useMemo(() => {
    const fitting = filterFindings(findings, look.query);
    return orderRows(fitting, findingSortKey(findings, look.sort.column), look.sort.descending);
  }, [findings, look.query, look.sort]);
  const selected = useMemo(() => {
    const about = (row: number): boolean => {
      const finding = findings[row];
      if (finding === undefined || selection.kind === "nothing") return false;
      return JSON.stringify(selectionOf(finding.subject, view.fabric, view.analysis)) === JSON.stringify(selection);
    };
    // Several findings can be about one thing: the row that was clicked stays the marked one.
    return chosen !== undefined && (about(chosen) || findings[chosen]?.subject.kind === "fabric")
      ? chosen
      : [...rows].find(about);
  }, [chosen, findings, rows, selection, view]);
  const onSelect = (row: number): void => {
    const finding = findings[row];
    if (finding === undefined) return;
    setChosen(row);
    useSelection.getState().select(selectionOf(finding.subject, view.fabric, view.analysis), { fly: true });
  };
  return (
    <ViewTable
      label="Findings"
      columns={columns}
      rows={rows}
      look={look}
      change={change}
      all={count(findings.length, "finding")}
      selected={selected}
      onSelect={onSelect}
      onActivate={(row) => act(view, row)}
      headEnd={headEnd}
      nothing={
        findings.length === 0 ? (
          <Empty
            glyph="ok"
            title="No findings"
            sentence={`${groupDigits(view.analysis.counts.links)} links were looked at. What was not measured is not proven.`}
          />
        ) : undefined
      }
    />
  );
}
