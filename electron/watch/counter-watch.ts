/**
 * Watches the error counters of all ports: asks ibqueryerrors at an interval and keeps what changed. Only reads. A round
 * that fails is told and the next one is made; only a lost connection or a right that is missing ends the watch.
 */
import { formatGuid } from "../../shared/base/guid.ts";
import { err, ok, type Result } from "../../shared/base/result.ts";
import type { SourceSpec } from "../../shared/contract/source.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import type { CounterChange, CounterHistory } from "../../shared/fabric/counter-history.ts";
import { parseIbqueryerrors } from "../../shared/parse/ibqueryerrors.ts";
import { readErrorCounters } from "../collect/counters.ts";
import type { CommandRunner } from "../run/runner.ts";
import { endsWatch } from "./ends-watch.ts";
import type { WatchClock } from "./sm-watch.ts";

export interface CounterRoundTold {
  /** Milliseconds since 1970, when the tool was started. */
  readonly at: number;
  /** Ports with counted errors. */
  readonly ports: number;
  /** Ports that did not tell their counters. */
  readonly unanswered: number;
  readonly changes: readonly CounterChange[];
}

export interface CounterWatchOptions {
  readonly source: SourceSpec;
  readonly intervalMs: number;
  readonly clock: WatchClock;
  /** Written on; survives a lost connection. */
  readonly history: CounterHistory;
  readonly onRound: (round: CounterRoundTold) => void;
  /** A round that failed; the watch goes on. */
  readonly onFailure: (error: AppError) => void;
}

/**
 * Runs until the signal aborts.
 *
 * @returns the error after which nothing can be asked; ok when aborted
 */
export async function watchCounters(
  runner: CommandRunner,
  options: CounterWatchOptions,
  signal: AbortSignal,
): Promise<Result<void, AppError>> {
  const { clock, history, intervalMs, source } = options;
  const stopped = (): boolean => signal.aborted;
  while (!stopped()) {
    const started = clock.monotonic();
    const at = clock.now();
    const ran = await readErrorCounters({ runner, source, signal });
    // What a cancelled question did not tell says nothing.
    if (stopped()) break;
    if (ran.error !== undefined) {
      if (endsWatch(ran.error, "ibqueryerrors")) return err(ran.error);
      options.onFailure(ran.error);
    } else {
      const { ports, summary, thresholds } = parseIbqueryerrors(ran.stdout, { file: "ibqueryerrors" }).records;
      const unanswered = summary?.queryFailures ?? 0;
      const round = {
        at,
        whole: unanswered === 0 && Object.keys(thresholds).length === 0,
        ports: ports.map(({ guid, port, counters }) => ({ guid: formatGuid(guid), port, counters })),
      };
      options.onRound({ at, ports: ports.length, unanswered, changes: history.add(round) });
    }
    await clock.sleep(Math.max(0, intervalMs - (clock.monotonic() - started)), signal);
  }
  return ok(undefined);
}
