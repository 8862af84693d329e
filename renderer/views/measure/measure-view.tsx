import { type ReactNode, useMemo, useState } from "react";
import { count, groupDigits } from "../../../shared/base/text.ts";
import type { ExportFormat } from "../../../shared/contract/sweeps.ts";
import type { FabricView, MeasurementSummary } from "../../../shared/contract/views.ts";
import { explain } from "../../../shared/errors/explain.ts";
import { findLink } from "../../../shared/fabric/access.ts";
import { formatGbps } from "../../../shared/fabric/rates.ts";
import { Button, IconButton } from "../../parts/button.tsx";
import { Callout } from "../../parts/callout.tsx";
import { CopyButton } from "../../parts/copy.tsx";
import type { TableColumn } from "../../parts/data-table.tsx";
import { orderRows } from "../../parts/data-table-order.ts";
import { Empty } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { Facts } from "../../parts/facts.tsx";
import { HealthGlyph } from "../../parts/glyph.tsx";
import { Menu } from "../../parts/menu.tsx";
import { PercentMeter } from "../../parts/meter.tsx";
import { Section } from "../../parts/section.tsx";
import { Tag } from "../../parts/tag.tsx";
import { ago, dayTime, exactTime, useNow } from "../../parts/time.ts";
import { api } from "../../state/api-context.ts";
import { useFabric } from "../../state/fabric-store.ts";
import { useMeasure } from "../../state/measure-store.ts";
import { useSelection } from "../../state/selection-store.ts";
import { useSettings } from "../../state/settings-store.ts";
import { useSweeps } from "../../state/sweep-store.ts";
import { useUi } from "../../state/ui-store.ts";
import { Evidence } from "../inspector/evidence.tsx";
import { Path } from "../inspector/path.tsx";
import { useRoom } from "../shell/room.ts";
import { TableFilter } from "../links/table-filter.tsx";
import { type TableLook, useTableLook } from "../links/table-store.ts";
import { ViewTable } from "../links/view-table.tsx";
import {
  damagedText,
  filterHistory,
  historyChips,
  historyLine,
  historySortKey,
  proofWord,
  toggledWord,
  notJudgedWords,
} from "./history-rows.ts";
import { sweepAll } from "./start-sweep.ts";
import { sayIfWrong } from "./say-if-wrong.ts";
import { SweepCard } from "./sweep-card.tsx";
import { sweepGlyph, SweepList, sweepText } from "./sweep-list.tsx";
import { useMeasurementRecord } from "./records-store.ts";
import { RunRecords } from "./run-records.tsx";
import { StepResults } from "./step-results.tsx";
import { latencyNumber, levelHealth, levelWord, loadedText, percentText, rateNumber, settingsText } from "./words.ts";
import "../links/table-view.css";
import "./measure-view.css";

const start: TableLook = { query: "", sort: { column: "when", descending: true }, widths: {} };
const dash = <span className="cell-quiet">–</span>;

interface ColumnsInput {
  readonly pass: number;
  readonly now: number;
  /** Titles of sweeps by id. */
  readonly titles: ReadonlyMap<string, string>;
  /** Ids of results that are baselines. */
  readonly baselines: ReadonlySet<string>;
  /** A card stands beside the table and little room is left: hosts and sweep are read in the card. */
  readonly narrow: boolean;
}

function columnsOf(
  history: readonly MeasurementSummary[],
  { pass, now, titles, baselines, narrow }: ColumnsInput,
): readonly TableColumn[] {
  const cell = (draw: (run: MeasurementSummary) => ReactNode) => (position: number) => {
    const run = history[position];
    return run === undefined ? null : draw(run);
  };
  const columns: readonly TableColumn[] = [
    {
      id: "verdict",
      title: "Verdict",
      titleHidden: true,
      width: 38,
      sortable: true,
      cell: cell((run) => (
        <HealthGlyph
          health={run.level === "cancelled" ? "not-run" : levelHealth(run.level)}
          size={13}
          title={levelWord(run.level)}
        />
      )),
    },
    {
      id: "when",
      title: "When",
      width: 116,
      sortable: true,
      highFirst: true,
      cell: cell((run) => <span title={exactTime(run.at)}>{dayTime(run.at, now)}</span>),
    },
    {
      id: "link",
      title: "Link",
      width: narrow ? 168 : 190,
      grow: true,
      sortable: true,
      cell: cell((run) => (
        <span className="cell-strong" title={run.linkName}>
          {run.linkName}
          {baselines.has(run.id) ? <span className="cell-quiet"> baseline</span> : null}
        </span>
      )),
    },
    {
      id: "source",
      title: "Source",
      width: narrow ? 112 : 182,
      sortable: true,
      cell: cell((run) => (
        <span className="history-source" title={run.source}>
          {run.simulated ? <Tag tone="sim">SIMULATED</Tag> : null}
          {run.simulated && narrow ? null : <span className="cell-soft">{run.source}</span>}
        </span>
      )),
    },
    {
      id: "hosts",
      title: "Hosts",
      width: 122,
      sortable: true,
      cell: cell((run) => <span className="cell-soft">{`${run.clientHost} to ${run.serverHost}`}</span>),
    },
    {
      id: "gbps",
      title: "Gb/s",
      width: 66,
      align: "end",
      sortable: true,
      highFirst: true,
      cell: cell((run) => (run.bandwidthGbps === null ? dash : rateNumber(run.bandwidthGbps))),
    },
    {
      id: "percent",
      title: "Of expected",
      width: 142,
      sortable: true,
      cell: cell((run) =>
        run.percent === null ? (
          <span className="cell-quiet" title={run.sentence}>
            {notJudgedWords(run)}
          </span>
        ) : (
          <span className="cell-measured" title={run.sentence}>
            <PercentMeter percent={run.percent} pass={pass} />
            <span className={run.percent >= pass ? "" : run.percent >= pass - 5 ? "cell-warning" : "cell-error"}>
              {percentText(run.percent)}
            </span>
            <span className="cell-quiet">of {formatGbps(run.expectedGbps)}</span>
          </span>
        ),
      ),
    },
    {
      id: "latency",
      title: "µs",
      width: 60,
      align: "end",
      sortable: true,
      highFirst: true,
      cell: cell((run) => (run.latencyUs === null ? dash : latencyNumber(run.latencyUs))),
    },
    {
      id: "proof",
      title: "Proof",
      width: 96,
      sortable: true,
      cell: cell((run) => {
        const word = proofWord(run);
        return (
          <span className={word.quiet ? "cell-quiet" : ""} title={word.title}>
            {word.text}
            {run.newErrors !== undefined && run.newErrors > 0 ? (
              <span className="cell-error"> +{groupDigits(run.newErrors)}</span>
            ) : null}
          </span>
        );
      }),
    },
    {
      id: "sweep",
      title: "Sweep",
      width: 130,
      sortable: true,
      cell: cell((run) =>
        run.sweep === undefined ? dash : <span className="cell-soft">{titles.get(run.sweep) ?? "yes"}</span>,
      ),
    },
  ];
  return narrow ? columns.filter(({ id }) => id !== "hosts" && id !== "sweep") : columns;
}

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
  const sweeps = useSweeps((state) => state.sweeps);
  const shownSweep = useSweeps((state) => state.sweeps.find(({ id }) => id === state.shown));
  // As wide as all columns and the card need together.
  const narrow = useRoom().width < 1680 && (shownSweep !== undefined || history.some(({ id }) => id === chosen));
  const titles = useMemo(() => new Map(sweeps.map(({ id, title }) => [id, title])), [sweeps]);
  const columns = useMemo(
    () =>
      columnsOf(history, { pass, now, titles, baselines: new Set(baselines.map((one) => one.measurement)), narrow }),
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

function showLink(link: number): void {
  useSelection.getState().select({ kind: "link", link }, { fly: true });
  useUi.getState().show("topology");
}

function RecordDetails({
  view,
  run,
  pass,
  now,
  onClose,
}: {
  readonly view: FabricView | undefined;
  readonly run: MeasurementSummary;
  readonly pass: number;
  readonly now: number;
  readonly onClose: () => void;
}) {
  const loaded = useMeasurementRecord(run.id);
  const setBaseline = useMeasure((state) => state.setBaseline);
  const isBaseline = useMeasure((state) => state.baselines.some(({ measurement }) => measurement === run.id));
  // Simulated and real results may name the same link; only those of the open fabric's kind belong to it.
  const here =
    view === undefined || view.capture.simulated !== run.simulated ? undefined : findLink(view.fabric, run.link);
  return (
    <aside className="record" aria-label="Measurement">
      <div className="record-head">
        <HealthGlyph health={run.level === "cancelled" ? "not-run" : levelHealth(run.level)} size={15} />
        <h3>{run.linkName}</h3>
        <CopyButton
          text={() => (loaded?.ok === true ? JSON.stringify(loaded.value, null, 2) : historyLine(run))}
          label="Copy all"
        />
        <IconButton icon="close" label="Close" onClick={onClose} />
      </div>
      <div className="record-tags">
        {run.simulated ? <Tag tone="sim">SIMULATED</Tag> : null}
        <Tag tone="plain">{run.source}</Tag>
        <Tag tone="plain" title={exactTime(run.at)}>
          {ago(run.at, now)}
        </Tag>
        {isBaseline ? <Tag tone="note">Baseline</Tag> : null}
        {run.sweep === undefined ? null : (
          <button type="button" className="cell-link" onClick={() => useSweeps.getState().show(run.sweep)}>
            Show its sweep
          </button>
        )}
        {run.bandwidthGbps === null && run.latencyUs === null ? null : (
          <button type="button" className="cell-link" onClick={() => sayIfWrong(setBaseline(run.id, !isBaseline))}>
            {isBaseline ? "Clear the baseline" : "Set as baseline"}
          </button>
        )}
        {here === undefined ? (
          <Tag tone="plain">Not in the open fabric</Tag>
        ) : (
          <button type="button" className="cell-link" onClick={() => showLink(here)}>
            Show the link
          </button>
        )}
      </div>
      <div className="record-body">
        {loaded === undefined ? (
          <p className="cell-quiet record-wait">Reading the record</p>
        ) : !loaded.ok ? (
          <div className="record-wait">
            <ErrorBox error={loaded.error} />
          </div>
        ) : (
          <>
            <Section
              id="record-result"
              title="Result"
              aside={<span title={exactTime(run.at)}>{dayTime(run.at, now)}</span>}
            >
              <p className="record-sentence">
                {loaded.value.percent === undefined ? null : (
                  <PercentMeter percent={loaded.value.percent} pass={pass} />
                )}
                {loaded.value.verdict.sentence}
              </p>
              {loaded.value.verdict.next.map((step) => (
                <p key={step} className="cell-soft">
                  {step}
                </p>
              ))}
              <Facts
                rows={[
                  {
                    label: "Bandwidth",
                    value:
                      loaded.value.bandwidthGbps === undefined ? "" : `${rateNumber(loaded.value.bandwidthGbps)} Gb/s`,
                  },
                  {
                    label: "Latency",
                    value:
                      loaded.value.latencyUs === undefined
                        ? ""
                        : `${latencyNumber(loaded.value.latencyUs)} µs avg${loaded.value.latencyP99Us === undefined ? "" : `, ${latencyNumber(loaded.value.latencyP99Us)} µs p99`}`,
                  },
                  ...(loaded.value.loadedLatencyUs === undefined
                    ? []
                    : [{ label: "Under load", value: loadedText(loaded.value) }]),
                  { label: "Settings", value: settingsText(loaded.value.options) },
                  { label: "Client", value: `${loaded.value.client.host}, port ${loaded.value.client.port}` },
                  { label: "Server", value: `${loaded.value.server.host}, port ${loaded.value.server.port}` },
                ]}
              />
            </Section>
            <StepResults record={loaded.value} pass={pass} />
            <Path id="record-path" record={loaded.value} />
            <Evidence id="record-evidence" record={loaded.value} />
            <Section id="record-versions" title="Versions">
              <Facts
                rows={Object.entries(loaded.value.versions).map(([host, version]) => ({
                  label: host,
                  value: version.replace(/^Version:/, "perftest"),
                }))}
              />
            </Section>
            <Section id="record-raw" title="Command lines and raw output">
              {loaded.value.runs.length === 0 ? (
                <p className="cell-quiet">Nothing had run yet.</p>
              ) : (
                <RunRecords record={loaded.value} />
              )}
            </Section>
          </>
        )}
      </div>
    </aside>
  );
}
