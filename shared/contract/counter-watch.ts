/** What a watch of error counters tells the window. */
import type { AppError } from "../errors/kinds.ts";
import type { CounterSeries } from "../fabric/counter-history.ts";

/** How a watch of counters stands. Times are milliseconds since 1970. */
export interface CounterWatchStatus {
  readonly running: boolean;
  readonly intervalSeconds: number;
  /** First round; null before it. */
  readonly from: number | null;
  /** Last round. */
  readonly to: number | null;
  readonly rounds: number;
  /** Of the last round: ports with counted errors, and ports that did not answer. */
  readonly ports: number;
  readonly unanswered: number;
  /** Counters beyond what is kept. */
  readonly dropped: number;
  /** Why it cannot ask now (then it tries again), or why it has ended. */
  readonly trouble: AppError | null;
}

/** A watch with all that it has kept. */
export interface CounterWatchView {
  readonly status: CounterWatchStatus;
  readonly series: readonly CounterSeries[];
}
