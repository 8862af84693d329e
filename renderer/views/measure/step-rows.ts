/** Steps and sizes of a measurement as rows. Pure; no React. */
import { bands } from "../../../shared/measure/bands.ts";
import type { Measurement, RunRecord } from "../../../shared/measure/types.ts";

export interface StepRow {
  readonly id: string;
  /** `Bandwidth with 4 QPs`. */
  readonly title: string;
  readonly gbps?: number;
  /** Of the slowest cable, both directions counted where both were measured. */
  readonly percent?: number;
  readonly us?: number;
  readonly p99Us?: number;
  readonly failed: boolean;
}

const plainSteps: ReadonlySet<string> = new Set(["bandwidth", "latency"]);

function stepRow(run: RunRecord, oneWayGbps: number): StepRow {
  const { step, error, tool } = run;
  const title = step?.title ?? tool;
  const gbps = run.bandwidth.reduce((most, row) => Math.max(most, row.averageGbps), 0);
  const expected = oneWayGbps * (step?.bidirectional === true ? 2 : 1);
  const percent = expected > 0 ? (gbps / expected) * 100 : 0;
  const [latency] = run.latency;
  return {
    id: step?.id ?? tool,
    title: `${title.charAt(0).toUpperCase()}${title.slice(1)}`,
    ...(gbps > 0 ? { gbps } : {}),
    // More than the path carries both ways: the way back is another, and the sum says nothing of this one.
    ...(percent > 0 && percent <= bands.suspiciousPercent ? { percent } : {}),
    ...(latency === undefined ? {} : { us: latency.avgUs }),
    ...(latency?.p99Us === undefined ? {} : { p99Us: latency.p99Us }),
    failed: error !== undefined,
  };
}

/** One row a step; none for a bandwidth and a latency test, whose numbers stand above anyway. */
export function stepRows({ runs, expectedGbps, options }: Measurement): readonly StepRow[] {
  if (runs.every(({ step }) => step === undefined || plainSteps.has(step.id))) return [];
  const oneWay = expectedGbps / (options.bidirectional ? 2 : 1);
  return runs.map((run) => stepRow(run, oneWay));
}

export interface SizeRow {
  readonly bytes: number;
  /** Gb/s or µs. */
  readonly value: number;
  /** Share of the largest, 0 to 1. */
  readonly share: number;
}

export interface SizeTable {
  readonly unit: "Gb/s" | "µs";
  readonly rows: readonly SizeRow[];
}

/** Tables of the runs that measured several sizes. */
export function sizeTables({ runs }: Measurement): readonly SizeTable[] {
  return runs.flatMap(({ bandwidth, latency }) => {
    const unit = bandwidth.length > 1 ? "Gb/s" : "µs";
    const values =
      bandwidth.length > 1
        ? bandwidth.map((row) => ({ bytes: row.bytes, value: row.averageGbps }))
        : latency.length > 1
          ? latency.map((row) => ({ bytes: row.bytes, value: row.avgUs }))
          : [];
    const most = Math.max(0, ...values.map(({ value }) => value));
    if (values.length === 0 || most === 0) return [];
    return [{ unit, rows: values.map((row) => ({ ...row, share: row.value / most })) }] as const;
  });
}
