import type { AppError } from "../errors/kinds.ts";
import type { BandwidthRow, LatencyRow } from "../parse/records.ts";
import type { Comparisons } from "./baseline.ts";
import type { CauseCheck, Measurement, MeasureOptions, PathHop, RunEvidence, TracedRoute } from "./types.ts";

/** What was measured, and on what. */
export interface JudgeInput {
  readonly path: readonly PathHop[];
  /** Link index of the measured cable. */
  readonly link: number;
  readonly linkName: string;
  readonly basis: Measurement["basis"];
  readonly clientHost: string;
  readonly serverHost: string;
  readonly options: MeasureOptions;
  /** Per cent of the slowest rate from which a bandwidth is good. */
  readonly passPercent: number;
  /** The bandwidth that counts: the best row where several sizes or numbers of queue pairs were measured. */
  readonly bandwidth?: BandwidthRow;
  readonly latency?: LatencyRow;
  /** True when all sizes were measured, so that the best row is judged whatever its size. */
  readonly allSizes?: boolean;
  /** Sum of both directions, where `bandwidth` is of one. */
  readonly bothWays?: BandwidthRow;
  /** Latency while a bandwidth test ran beside it. */
  readonly loadedLatency?: LatencyRow;
  /** One direction by the number of queue pairs, where several were tried. */
  readonly byQueuePairs?: readonly { readonly queuePairs: number; readonly gbps: number }[];
  /** What ibtracert showed before the run. */
  readonly traced?: TracedRoute;
  /** What the counters of the path did during each run, the bandwidth test's first. */
  readonly evidence?: readonly RunEvidence[];
  /** What earlier results reached. */
  readonly comparisons?: Comparisons;
  /** Causes that were looked for on both hosts. */
  readonly checks?: readonly CauseCheck[];
  /** What went wrong in a step, if something did. */
  readonly problem?: {
    /** As it goes on after `the … test`. */
    readonly step: string;
    readonly error: AppError;
    /** Titles of the steps that were not tried because of it. */
    readonly skipped: readonly string[];
  };
}
