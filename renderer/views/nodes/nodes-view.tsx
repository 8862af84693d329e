import { type ReactNode, useDeferredValue, useMemo } from "react";
import { healths } from "../../../shared/analyse/results.ts";
import { groupDigits } from "../../../shared/base/text.ts";
import type { FabricView } from "../../../shared/contract/views.ts";
import { Button } from "../../parts/button.tsx";
import { CopyButton } from "../../parts/copy.tsx";
import type { TableColumn } from "../../parts/data-table.tsx";
import { orderRows } from "../../parts/data-table-order.ts";
import { HealthGlyph } from "../../parts/glyph.tsx";
import { useFabric } from "../../state/fabric-store.ts";
import { useSelection } from "../../state/selection-store.ts";
import { useUi } from "../../state/ui-store.ts";
import { parseQuery } from "../links/query.ts";
import { QueryBar } from "../links/query-bar.tsx";
import { QuickFilters } from "../links/quick-filters.tsx";
import { TablePending } from "../links/table-pending.tsx";
import { useTableLook } from "../links/table-store.ts";
import { type SlicedWork, useSliced } from "../links/use-sliced.ts";
import { ViewTable } from "../links/view-table.tsx";
import {
  filterNodes,
  nodeQueryKeys,
  type NodeRow,
  nodeRows,
  nodesAsText,
  nodesStart,
  nodeSortKey,
  positionOfSelection,
  selectionOfNodeRow,
} from "./node-rows.ts";
import "../links/table-view.css";

const dash = <span className="cell-quiet">–</span>;

const chips = [
  { key: "health", value: "degraded", title: "Degraded" },
  { key: "kind", value: "switch", title: "Switches" },
  { key: "kind", value: "host", title: "Hosts" },
  { key: "findings", value: "yes", title: "With findings" },
] as const;

function columnsOf(rows: readonly NodeRow[]): readonly TableColumn[] {
  const cell = (draw: (row: NodeRow) => ReactNode) => (position: number) => {
    const row = rows[position];
    return row === undefined ? null : draw(row);
  };
  const longest = rows.reduce((most, row) => Math.max(most, row.name.length), 0);
  return [
    {
      id: "health",
      title: "Health",
      titleHidden: true,
      width: 38,
      sortable: true,
      highFirst: true,
      cell: cell((row) => <HealthGlyph health={healths[row.health] ?? "unknown"} size={13} />),
    },
    {
      id: "name",
      title: "Name",
      width: Math.min(164, Math.max(130, longest * 7 + 18)),
      sortable: true,
      cell: cell((row) => (
        <span className="cell-strong" title={row.name}>
          {row.name}
        </span>
      )),
    },
    {
      id: "kind",
      title: "Kind",
      width: 92,
      sortable: true,
      cell: cell((row) => <span className="cell-soft">{row.kind}</span>),
    },
    {
      id: "tier",
      title: "Tier",
      width: 122,
      sortable: true,
      cell: cell((row) => <span className="cell-soft">{row.tier}</span>),
    },
    {
      id: "guid",
      title: "Node GUID",
      width: 164,
      sortable: true,
      cell: cell((row) => (
        <span title={row.nodes.length > 1 ? `The first of ${row.nodes.length} adapters` : undefined}>
          <span className="mono">{row.guid}</span>
          {row.nodes.length > 1 ? <span className="cell-quiet"> +{row.nodes.length - 1}</span> : null}
        </span>
      )),
    },
    {
      id: "lid",
      title: "LID",
      width: 62,
      align: "end",
      sortable: true,
      cell: cell((row) => (row.lid === 0 ? dash : <span title={`0x${row.lid.toString(16)}`}>{row.lid}</span>)),
    },
    {
      id: "ports",
      title: "Ports up",
      width: 92,
      align: "end",
      sortable: true,
      highFirst: true,
      cell: cell((row) => (
        <>
          {row.up} <span className="cell-quiet">of {row.of}</span>
        </>
      )),
    },
    {
      id: "hosts",
      title: "Hosts below",
      width: 98,
      align: "end",
      sortable: true,
      highFirst: true,
      cell: cell((row) => (row.hosts === 0 ? dash : row.hosts)),
    },
    {
      id: "vendor",
      title: "Vendor id",
      width: 88,
      sortable: true,
      cell: cell((row) => (row.vendor === "" ? dash : <span className="mono cell-soft">{row.vendor}</span>)),
    },
    {
      id: "device",
      title: "Device id",
      width: 88,
      sortable: true,
      cell: cell((row) => (row.device === "" ? dash : <span className="mono cell-soft">{row.device}</span>)),
    },
    {
      id: "findings",
      title: "Findings",
      width: 80,
      align: "end",
      sortable: true,
      highFirst: true,
      cell: cell((row) => (row.findings === 0 ? dash : row.findings)),
    },
  ];
}

/** The nodes table: switches, hosts with their adapters, routers, aggregation nodes. */
export function NodesView() {
  const view = useFabric((state) => state.view);
  return view === undefined ? null : <NodesOf view={view} />;
}

const rowsOfView: SlicedWork<FabricView, readonly NodeRow[]> = {
  isSmall: ({ fabric }) => fabric.ports.count <= 4000,
  known: new WeakMap(),
  stands: (before, now) => before.fabric === now.fabric,
  work: ({ fabric, analysis }) => nodeRows(fabric, analysis),
};

function NodesOf({ view }: { readonly view: FabricView }) {
  const rows = useSliced(rowsOfView, view);
  return rows === undefined ? <TablePending what="nodes" /> : <Nodes view={view} all={rows} />;
}

function Nodes({ view, all }: { readonly view: FabricView; readonly all: readonly NodeRow[] }) {
  const { fabric } = view;
  const selection = useSelection((state) => state.selection);
  const [look, change] = useTableLook("nodes", nodesStart);
  const keys = useMemo(() => nodeQueryKeys(all), [all]);
  const columns = useMemo(() => columnsOf(all), [all]);
  // The press of a key and the click on a head show at once, the rows that come of it in their own time.
  const query = useDeferredValue(look.query);
  const sort = useDeferredValue(look.sort);
  const rows = useMemo(
    () => orderRows(filterNodes(all, parseQuery(query, keys)), nodeSortKey(all, sort.column), sort.descending),
    [all, keys, query, sort],
  );
  const selected = useMemo(() => positionOfSelection(all, fabric, selection), [all, fabric, selection]);
  const select = (position: number, fly: boolean): void => {
    const row = all[position];
    if (row !== undefined) useSelection.getState().select(selectionOfNodeRow(row), fly ? { fly } : undefined);
  };
  const current = selected === undefined ? undefined : all[selected];
  return (
    <div className="table-view">
      <div className="table-tools">
        <QueryBar
          query={look.query}
          onQuery={(query) => change({ query })}
          keys={keys}
          label="Filter the nodes"
          placeholder="Add a filter, or type a name, GUID, LID"
        />
        <span className="table-count" role="status">
          {look.query.trim() === "" ? "" : `${groupDigits(rows.length)} of `}
          {groupDigits(all.length)} nodes
        </span>
        <span className="table-bar-end">
          <CopyButton
            text={() => nodesAsText([...rows].flatMap((position) => all[position] ?? []))}
            label="Copy the rows"
          />
        </span>
      </div>
      <QuickFilters
        all={`All ${groupDigits(all.length)}`}
        chips={chips}
        query={look.query}
        keys={keys}
        onQuery={(query) => change({ query })}
      >
        {current === undefined ? null : (
          <Button
            kind="plain"
            size="small"
            onClick={() => {
              useSelection.getState().select(selectionOfNodeRow(current), { fly: true });
              useUi.getState().show("topology");
            }}
          >
            Show {current.name} in topology
          </Button>
        )}
      </QuickFilters>
      <ViewTable
        label="Nodes"
        columns={columns}
        rows={rows}
        look={look}
        change={change}
        all={`${groupDigits(all.length)} nodes`}
        selected={selected}
        onSelect={(position) => select(position, false)}
        onActivate={(position) => {
          select(position, true);
          useUi.getState().setInspectorOpen(true);
        }}
        scrollKey="nodes"
      />
    </div>
  );
}
