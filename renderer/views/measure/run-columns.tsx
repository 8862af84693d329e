import type { ReactNode } from "react";
import { groupDigits } from "../../../shared/base/text.ts";
import type { MeasurementSummary } from "../../../shared/contract/views.ts";
import { formatGbps } from "../../../shared/fabric/rates.ts";
import type { TableColumn } from "../../parts/data-table.tsx";
import { HealthGlyph } from "../../parts/glyph.tsx";
import { PercentMeter } from "../../parts/meter.tsx";
import { Tag } from "../../parts/tag.tsx";
import { dayTime, exactTime } from "../../parts/time.ts";
import { notJudgedWords, proofWord } from "./history-rows.ts";
import { latencyNumber, levelHealth, levelWord, percentText, rateNumber } from "./words.ts";

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

/** Columns of the table of results. */
export function runColumns(
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
