/** From the runs of a measurement to the numbers that are judged. */
import type { BandwidthRow, LatencyRow } from "../parse/records.ts";
import type { JudgeInput } from "./judge-input.ts";
import { isBandwidthTool, stepsOf } from "./steps.ts";
import type { MeasureOptions, RunRecord } from "./types.ts";

export type Headline = Pick<
  JudgeInput,
  "bandwidth" | "latency" | "allSizes" | "bothWays" | "loadedLatency" | "byQueuePairs" | "problem"
>;

/** The best row: with all sizes the large ones are slower again on many adapters. */
function best(rows: readonly BandwidthRow[]): BandwidthRow | undefined {
  return rows.reduce<BandwidthRow | undefined>(
    (most, row) => (row.averageGbps > (most?.averageGbps ?? 0) ? row : most),
    undefined,
  );
}

function problemOf(options: MeasureOptions, runs: readonly RunRecord[]): Headline["problem"] {
  const failed = runs.find((run) => run.error !== undefined);
  if (failed?.error === undefined) return undefined;
  const ran = new Set(runs.map(({ step }) => step?.id));
  // A step whose load failed has no run of its own, and was not skipped for another's sake.
  const skipped = stepsOf(options).filter(({ id, load }) => !ran.has(id) && (load === undefined || !ran.has(load.id)));
  return { step: failed.step?.title ?? failed.tool, error: failed.error, skipped: skipped.map(({ title }) => title) };
}

/** Reads the runs of a measurement that has ended. */
export function headlineOf(options: MeasureOptions, runs: readonly RunRecord[]): Headline {
  const good = runs.filter(({ error }) => error === undefined);
  const rowsWhere = (wanted: (run: RunRecord) => boolean): readonly BandwidthRow[] =>
    good.filter((run) => isBandwidthTool(run.tool) && wanted(run)).flatMap((run) => run.bandwidth);
  const latencyOf = (id: string): LatencyRow | undefined =>
    good.find(({ step }) => step?.id === id)?.latency.reduce((least, row) => (row.bytes < least.bytes ? row : least));
  const isMain = ({ step }: RunRecord): boolean => (step?.bidirectional ?? false) === options.bidirectional;
  const bandwidth = best(rowsWhere(isMain));
  const bothWays = best(rowsWhere((run) => !isMain(run)));
  const latency = latencyOf("latency");
  const loadedLatency = latencyOf("latency-loaded");
  const byQueuePairs = good.flatMap(({ step, bandwidth: [row] }) =>
    row !== undefined && step?.id.startsWith("qp-") === true
      ? [{ queuePairs: step.queuePairs, gbps: row.averageGbps }]
      : [],
  );
  const problem = problemOf(options, runs);
  return {
    ...(bandwidth === undefined ? {} : { bandwidth }),
    ...(bothWays === undefined ? {} : { bothWays }),
    ...(latency === undefined ? {} : { latency }),
    ...(loadedLatency === undefined ? {} : { loadedLatency }),
    ...(byQueuePairs.length === 0 ? {} : { byQueuePairs }),
    ...(options.sizeIterations === undefined ? {} : { allSizes: true }),
    ...(problem === undefined ? {} : { problem }),
  };
}
