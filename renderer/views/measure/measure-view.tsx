import { useMemo, useState } from "react";
import { useShallow } from "zustand/react/shallow";
import { count, groupDigits } from "../../../shared/base/text.ts";
import type { ExportFormat } from "../../../shared/contract/sweeps.ts";
import { explain } from "../../../shared/errors/explain.ts";
import { Button, IconButton } from "../../parts/button.tsx";
import { Callout } from "../../parts/callout.tsx";
import { CopyButton } from "../../parts/copy.tsx";
import { orderRows } from "../../parts/data-table-order.ts";
import { Empty } from "../../parts/empty.tsx";
import { Menu } from "../../parts/menu.tsx";
import { useNow } from "../../parts/time.ts";
import { api } from "../../state/api-context.ts";
import { useFabric } from "../../state/fabric-store.ts";
import { useMeasure } from "../../state/measure-store.ts";
import { useSettings } from "../../state/settings-store.ts";
import { useSweeps } from "../../state/sweep-store.ts";
import { useUi } from "../../state/ui-store.ts";
import { useRoom } from "../shell/room.ts";
import { TableFilter } from "../links/table-filter.tsx";
import { type TableLook, useTableLook } from "../links/table-store.ts";
import { ViewTable } from "../links/view-table.tsx";
import { damagedText, filterHistory, historyChips, historyLine, historySortKey, toggledWord } from "./history-rows.ts";
import { RecordDetails } from "./record-details.tsx";
import { runColumns } from "./run-columns.tsx";
import { sweepAll } from "./start-sweep.ts";
import { SweepCard } from "./sweep-card.tsx";
import { sweepGlyph, SweepList, sweepText } from "./sweep-list.tsx";
import "../links/table-view.css";
import "./measure-view.css";

const start: TableLook = { query: "", sort: { column: "when", descending: true }, widths: {} };
/** Results at a place that the user is asked for; `null` for all of them. */
async function exportResults(ids: readonly string[] | null, format: ExportFormat): Promise<void> {
  const saved = await api().call("measure.export", { ids: ids === null ? null : [...ids], format });
  const { toast } = useUi.getState();
  if (!saved.ok) toast({ kind: "error", text: explain(saved.error).sentence, error: saved.error });
  else if (saved.value.saved) toast({ kind: "done", text: `Saved as ${saved.value.path}` });
}

/** All sweeps, finished ones too. */
function SweepMenu({ now }: { readonly now: number }) {
  const sweeps = useSweeps((state) => state.sweeps);
  if (sweeps.length === 0) return null;
  return (
    <Menu
      align="end"
      trigger={
        <button type="button" className="chip">
          Sweeps {sweeps.length}
        </button>
      }
      items={sweeps.map((status) => ({
        id: status.id,
        label: status.title,
        note: sweepText(status, now),
        glyph: sweepGlyph(status),
        onSelect: () => useSweeps.getState().show(status.id),
      }))}
    />
  );
}

/** Titles of all sweeps by id; the same object until one of them changes, whatever their states do. */
function useTitles(): ReadonlyMap<string, string> {
  const ids = useSweeps(useShallow((state) => state.sweeps.map(({ id }) => id)));
  const titles = useSweeps(useShallow((state) => state.sweeps.map(({ title }) => title)));
  return useMemo(() => new Map(ids.map((id, i) => [id, titles[i] ?? ""])), [ids, titles]);
}

/** All measurements that were kept, of all fabrics; the chosen one in full beside them. */
export function MeasureView() {
  const view = useFabric((state) => state.view);
  const history = useMeasure((state) => state.history);
  const damaged = useMeasure((state) => state.damaged);
  const pass = useSettings((state) => state.settings.passPercent);
  const [look, change] = useTableLook("measure", start);
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  const now = useNow();
  const baselines = useMeasure((state) => state.baselines);
  const titles = useTitles();
  const shownSweep = useSweeps((state) => state.sweeps.find(({ id }) => id === state.shown));
  // As wide as all columns and the card need together.
  const narrow = useRoom().width < 1680 && (shownSweep !== undefined || history.some(({ id }) => id === chosen));
  const columns = useMemo(
    () =>
      runColumns(history, { pass, now, titles, baselines: new Set(baselines.map((one) => one.measurement)), narrow }),
    [history, pass, now, titles, baselines, narrow],
  );
  const rows = useMemo(
    () =>
      orderRows(
        filterHistory(history, look.query, titles),
        historySortKey(history, look.sort.column),
        look.sort.descending,
      ),
    [history, look.query, look.sort, titles],
  );
  const position = history.findIndex((run) => run.id === chosen);
  const run = history[position];
  const onSelect = (row: number): void => {
    const next = history[row];
    if (next === undefined) return;
    setChosen(next.id);
    useSweeps.getState().show(undefined);
  };
  const ids = (): readonly string[] | null =>
    look.query.trim() === "" ? null : [...rows].flatMap((row) => history[row]?.id ?? []);
  return (
    <div className="measure-view">
      <div className="table-view">
        <div className="table-tools">
          <h2 className="measure-title">Measurements</h2>
          <span className="table-count" role="status">
            {look.query.trim() === "" ? "" : `${groupDigits(rows.length)} of `}
            {groupDigits(history.length)}
          </span>
          <span className="table-bar-end table-bar-tools">
            <TableFilter query={look.query} onQuery={(query) => change({ query })} label="Filter the measurements" />
            <SweepMenu now={now} />
            <Menu
              align="end"
              trigger={<IconButton icon="export" label="Export these results" disabled={rows.length === 0} />}
              items={[
                { id: "csv", label: "Table (CSV)", onSelect: () => void exportResults(ids(), "csv") },
                { id: "json", label: "JSON", onSelect: () => void exportResults(ids(), "json") },
              ]}
            />
            <CopyButton
              text={() =>
                [...rows]
                  .flatMap((row) => history[row] ?? [])
                  .map(historyLine)
                  .join("\n")
              }
              label="Copy the rows"
            />
          </span>
        </div>
        <SweepList view={view} now={now} />
        <div className="table-bar" role="group" aria-label="Quick filters">
          {historyChips.map(({ word, title }) => (
            <button
              key={word}
              type="button"
              className="chip"
              aria-pressed={look.query.split(/\s+/).includes(word)}
              onClick={() => change({ query: toggledWord(look.query, word) })}
            >
              {title}
            </button>
          ))}
        </div>
        {damaged === 0 ? null : (
          <div className="measure-damaged">
            <Callout tone="warning" title={damagedText(damaged)}>
              The other records are whole. The program may have been ended while it wrote.
            </Callout>
          </div>
        )}
        <ViewTable
          label="Measurements"
          columns={columns}
          rows={rows}
          look={look}
          change={change}
          all={count(history.length, "measurement")}
          selected={position < 0 ? undefined : position}
          onSelect={onSelect}
          scrollKey="measure"
          nothing={
            history.length === 0 ? (
              <Empty
                icon="measure"
                title="Nothing has been measured"
                sentence="Choose a link in the topology or in the links table and press Measure: a bandwidth and a latency test between two hosts whose route crosses it, about 20 seconds."
                action={
                  <>
                    <Button kind="primary" size="small" onClick={() => useUi.getState().show("links")}>
                      Choose a link
                    </Button>{" "}
                    {view === undefined || view.capture.source === null ? null : (
                      <Button kind="plain" size="small" onClick={() => sweepAll("degraded")}>
                        Measure the degraded links
                      </Button>
                    )}
                  </>
                }
              />
            ) : undefined
          }
        />
      </div>
      {shownSweep !== undefined ? (
        <SweepCard key={shownSweep.id} view={view} status={shownSweep} pass={pass} now={now} />
      ) : run === undefined ? null : (
        <RecordDetails key={run.id} view={view} run={run} pass={pass} now={now} onClose={() => setChosen(undefined)} />
      )}
    </div>
  );
}
