import { useContext, useDeferredValue, useMemo, useState } from "react";
import { groupDigits } from "../../../shared/base/text.ts";
import { linkId } from "../../../shared/fabric/access.ts";
import type { FabricView } from "../../../shared/contract/views.ts";
import { Button } from "../../parts/button.tsx";
import { CopyContext } from "../../parts/copy.tsx";
import { orderRows } from "../../parts/data-table-order.ts";
import { Empty } from "../../parts/empty.tsx";
import { Kbd } from "../../parts/kbd.tsx";
import { useNow } from "../../parts/time.ts";
import { useFabric } from "../../state/fabric-store.ts";
import { useMeasure } from "../../state/measure-store.ts";
import { useRoutes } from "../../state/routes-store.ts";
import { type Selection, useSelection } from "../../state/selection-store.ts";
import { useSettings } from "../../state/settings-store.ts";
import { useUi } from "../../state/ui-store.ts";
import { noCluster, sweepLinks } from "../measure/start-sweep.ts";
import { startMeasuring } from "../measure/start.ts";
import { linkColumns, type NameWidths, nameWidths } from "./link-columns.tsx";
import { linksAsText } from "./link-text.ts";
import { canMeasure, type LinkTable, linkTable, type MeasuredColumns, measuredColumns } from "./link-rows.ts";
import { filterLinks, linkOrder, linkQueryKeys, linkSortKey } from "./link-query.ts";
import { nodeNamesInSlices } from "./node-text.ts";
import { parseQuery } from "./query.ts";
import { QueryBar } from "./query-bar.tsx";
import { QuickFilters } from "./quick-filters.tsx";
import { TableFilter } from "./table-filter.tsx";
import { TablePending } from "./table-pending.tsx";
import { type TableLook, useTableLook } from "./table-store.ts";
import { type SlicedWork, useSliced } from "./use-sliced.ts";
import { ViewTable } from "./view-table.tsx";
import "./table-view.css";

const start: TableLook = { query: "", sort: { column: "health", descending: true }, widths: {} };
const chips = [
  { key: "health", value: "degraded", title: "Degraded" },
  { key: "kind", value: "inter-switch", title: "Inter-switch" },
  { key: "kind", value: "host", title: "Host" },
  { key: "measured", value: "slow", title: "Slow" },
  { key: "measured", value: "no", title: "Not measured" },
] as const;
const none: ReadonlySet<number> = new Set();

function selectionOfRow(table: LinkTable, row: number): Selection {
  return row < table.links ? { kind: "link", link: row } : { kind: "missing-link", missing: row - table.links };
}

function rowOfSelection(table: LinkTable, selection: Selection): number | undefined {
  if (selection.kind === "link") return selection.link;
  return selection.kind === "missing-link" ? table.links + selection.missing : undefined;
}

interface Rows {
  readonly table: LinkTable;
  /** Natural order of the rows. */
  readonly order: Uint32Array;
  readonly widths: NameWidths;
}

const rowsOfView: SlicedWork<FabricView, Rows> = {
  isSmall: ({ fabric }) => fabric.links.count <= 4000,
  known: new WeakMap(),
  // Findings of results came: the same cables, with another health.
  stands: (before, now) => before.fabric === now.fabric && before.analysis.missingLinks === now.analysis.missingLinks,
  *work({ fabric, analysis }) {
    yield* nodeNamesInSlices(fabric);
    const table = yield* linkTable(fabric, analysis);
    yield;
    const order = linkOrder(table);
    yield;
    return { table, order, widths: nameWidths(table) };
  },
};

/** The links table. `compact`: inside the bottom panel, with a small filter instead of the query bar. */
export function LinksView({ compact }: { readonly compact: boolean }) {
  const view = useFabric((state) => state.view);
  return view === undefined ? null : <LinksOf view={view} compact={compact} />;
}

function LinksOf({ view, compact }: { readonly view: FabricView; readonly compact: boolean }) {
  const rows = useSliced(rowsOfView, view);
  return rows === undefined ? <TablePending what="links" /> : <Links view={view} {...rows} compact={compact} />;
}

function Links({
  view,
  table,
  order,
  widths,
  compact,
}: Rows & { readonly view: FabricView; readonly compact: boolean }) {
  const { fabric } = table;
  const latest = useMeasure((state) => state.latest);
  const pass = useSettings((state) => state.settings.passPercent);
  const selection = useSelection((state) => state.selection);
  const [look, change] = useTableLook(compact ? "links-panel" : "links", start);
  // Row ids belong to one collection: ticks of an earlier one are gone.
  const of = table.analysis.missingLinks;
  const [ticks, setTicks] = useState({ of, rows: none });
  const ticked = ticks.of === of ? ticks.rows : none;
  const setTicked = (rows: ReadonlySet<number>): void => setTicks({ of, rows });
  const now = useNow();
  const routes = useRoutes((state) => (state.of === fabric ? state.routes : undefined));

  const measured = useMemo(() => measuredColumns(table, latest, pass), [table, latest, pass]);
  const keys = useMemo(() => linkQueryKeys(table, measured), [table, measured]);
  // The press of a key and the click on a head show at once, the rows that come of it in their own time.
  const query = useDeferredValue(look.query);
  const sort = useDeferredValue(look.sort);
  const sortKey = useMemo(
    () => linkSortKey(table, measured, sort.column, routes),
    [table, measured, sort.column, routes],
  );
  const fitting = useMemo(
    () => filterLinks(table, measured, order, parseQuery(query, keys), pass),
    [table, measured, order, query, keys, pass],
  );
  const rows = useMemo(() => orderRows(fitting, sortKey, sort.descending), [fitting, sortKey, sort.descending]);
  const columns = useMemo(
    () => linkColumns(table, measured, widths, pass, now, routes),
    [table, measured, widths, pass, now, routes],
  );
  const selected = rowOfSelection(table, selection);

  const select = (row: number): void =>
    useSelection.getState().select(selectionOfRow(table, row), compact ? { fly: true } : undefined);
  const filtered = look.query.trim() !== "";
  return (
    <div className="table-view">
      {compact ? null : (
        <>
          <div className="table-tools">
            <QueryBar
              query={look.query}
              onQuery={(query) => change({ query })}
              keys={keys}
              label="Filter the links"
              placeholder="Add a filter, or type a name, GUID, LID"
            />
            <span className="table-count" role="status">
              {filtered ? `${groupDigits(rows.length)} of ` : ""}
              {groupDigits(table.count)} links
            </span>
          </div>
          {ticked.size > 0 ? (
            <ActionBar
              view={view}
              table={table}
              measured={measured}
              rows={rows}
              ticked={ticked}
              onClear={() => setTicked(none)}
            />
          ) : (
            <QuickFilters
              all={`All ${groupDigits(table.count)}`}
              chips={chips}
              query={look.query}
              keys={keys}
              onQuery={(query) => change({ query })}
            />
          )}
        </>
      )}
      <ViewTable
        label="Links"
        columns={columns}
        rows={rows}
        look={look}
        change={change}
        all={`${groupDigits(table.count)} links`}
        selected={selected}
        onSelect={select}
        onActivate={(row) => {
          select(row);
          useUi.getState().setInspectorOpen(true);
        }}
        {...(compact ? {} : { checked: ticked, onChecked: setTicked, scrollKey: "links" })}
        headEnd={
          compact ? (
            <TableFilter query={look.query} onQuery={(query) => change({ query })} label="Filter the links" />
          ) : undefined
        }
        nothing={
          table.count === 0 ? (
            <Empty
              icon="links"
              title="No links"
              sentence="The capture names nodes, but no cable between two of them."
            />
          ) : undefined
        }
      />
    </div>
  );
}

function ActionBar({
  view,
  table,
  measured,
  rows,
  ticked,
  onClear,
}: {
  readonly view: FabricView;
  readonly table: LinkTable;
  readonly measured: MeasuredColumns;
  readonly rows: Uint32Array;
  readonly ticked: ReadonlySet<number>;
  readonly onClear: () => void;
}) {
  const copy = useContext(CopyContext);
  const toast = useUi((state) => state.toast);
  const chosen = useMemo(() => {
    // In the order on the screen; ticked rows that the filter hides come after.
    const inOrder = new Set<number>();
    for (const row of rows) if (ticked.has(row)) inOrder.add(row);
    for (const row of ticked) inOrder.add(row);
    return [...inOrder];
  }, [rows, ticked]);
  const only = chosen.length === 1 ? chosen[0] : undefined;
  const measurable = chosen.filter((row) => canMeasure(table, row));
  const copyRows = (): void => {
    void copy(linksAsText(table, measured, chosen)).then((worked) =>
      toast({
        kind: worked ? "done" : "error",
        text: worked
          ? `Copied ${chosen.length === 1 ? "1 link" : `${groupDigits(chosen.length)} links`}.`
          : "Not copied.",
      }),
    );
  };
  const show = (): void => {
    const first = chosen[0];
    if (first === undefined) return;
    useSelection.getState().select(selectionOfRow(table, first), { fly: true });
    useUi.getState().show("topology");
  };
  return (
    <div className="table-bar table-bar-on" role="group" aria-label="Ticked links">
      <strong>{groupDigits(ticked.size)} selected</strong>
      {only !== undefined && canMeasure(table, only) ? (
        <Button
          kind="primary"
          size="small"
          icon="measure"
          onClick={() => void startMeasuring(view.fabricId, linkId(table.fabric, only))}
        >
          Measure
        </Button>
      ) : null}
      {measurable.length > 1 ? (
        <Button
          kind="primary"
          size="small"
          icon="measure"
          disabled={view.capture.source === null}
          title={view.capture.source === null ? noCluster : "Shows the plan first"}
          onClick={() => sweepLinks(view, measurable)}
        >
          Measure {groupDigits(measurable.length)} links
        </Button>
      ) : null}
      <Button kind="plain" size="small" onClick={show}>
        Show in topology
      </Button>
      <Button kind="plain" size="small" onClick={copyRows}>
        Copy
      </Button>
      <span className="table-bar-end">
        <Button kind="ghost" size="small" onClick={onClear}>
          Clear <Kbd keys="Esc" />
        </Button>
      </span>
    </div>
  );
}
