/** The watches of error counters behind open fabrics: at most one a fabric, its history kept until the fabric closes. */
import type { CounterWatchStatus, CounterWatchView } from "../../shared/contract/counter-watch.ts";
import type { EventPayload } from "../../shared/contract/events.ts";
import type { SourceSpec } from "../../shared/contract/source.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { type CounterChange, CounterHistory } from "../../shared/fabric/counter-history.ts";
import { type CounterRoundTold, watchCounters } from "../watch/counter-watch.ts";
import type { WatchClock } from "../watch/sm-watch.ts";
import { keepWatching } from "./keep-watching.ts";
import type { Sources } from "./sources.ts";

export interface CounterWatchParts {
  readonly sources: Pick<Sources, "get" | "during">;
  readonly clock: WatchClock;
  readonly emit: (payload: EventPayload<"counters">) => void;
}

class CounterWatch {
  readonly history = new CounterHistory();
  private readonly parts: CounterWatchParts;
  private readonly fabricId: string;
  private controller: AbortController | undefined;
  private done: Promise<void> = Promise.resolve();
  private intervalSeconds = 0;
  private from: number | null = null;
  private last: CounterRoundTold | undefined;
  private rounds = 0;
  private trouble: AppError | null = null;

  constructor(parts: CounterWatchParts, fabricId: string) {
    this.parts = parts;
    this.fabricId = fabricId;
  }

  get status(): CounterWatchStatus {
    return {
      running: this.controller !== undefined,
      intervalSeconds: this.intervalSeconds,
      from: this.from,
      to: this.last?.at ?? null,
      rounds: this.rounds,
      ports: this.last?.ports ?? 0,
      unanswered: this.last?.unanswered ?? 0,
      dropped: this.history.dropped,
      trouble: this.trouble,
    };
  }

  /** Ends what runs, and watches on once that has ended; of several starts in a row only the last one watches. */
  start(source: SourceSpec, intervalSeconds: number): void {
    this.controller?.abort();
    const controller = new AbortController();
    this.controller = controller;
    this.intervalSeconds = intervalSeconds;
    this.trouble = null;
    this.done = this.done.then(() => this.parts.sources.during(source, () => this.run(source, controller)));
  }

  async stop(): Promise<void> {
    this.controller?.abort();
    await this.done;
  }

  private async run(source: SourceSpec, controller: AbortController): Promise<void> {
    const { signal } = controller;
    const { clock, sources } = this.parts;
    await keepWatching(
      async () => {
        const opened = await sources.get(source, signal);
        if (signal.aborted) return undefined;
        if (!opened.ok) return opened.error;
        const { source: runner } = opened.value.access;
        const options = {
          ...{ source, clock, history: this.history, intervalMs: this.intervalSeconds * 1000 },
          onRound: (round: CounterRoundTold) => this.take(round),
          onFailure: (error: AppError) => this.fail(error),
        };
        const ended = await watchCounters(runner, options, signal);
        return ended.ok ? undefined : ended.error;
      },
      (error) => this.fail(error),
      clock,
      signal,
    );
    if (this.controller === controller) this.controller = undefined;
    this.tell([]);
  }

  private take(round: CounterRoundTold): void {
    this.from ??= round.at;
    this.last = round;
    this.rounds += 1;
    this.trouble = null;
    this.tell(round.changes);
  }

  private fail(error: AppError): void {
    this.trouble = error;
    this.tell([]);
  }

  private tell(changes: readonly CounterChange[]): void {
    this.parts.emit({ fabricId: this.fabricId, status: this.status, changes });
  }
}

const idle: CounterWatchStatus = {
  ...{ running: false, intervalSeconds: 0, from: null, to: null, rounds: 0 },
  ...{ ports: 0, unanswered: 0, dropped: 0, trouble: null },
};

export class CounterWatches {
  private readonly parts: CounterWatchParts;
  private readonly watches = new Map<string, CounterWatch>();

  constructor(parts: CounterWatchParts) {
    this.parts = parts;
  }

  /** Begins to watch, or watches on with another interval; what was seen before is kept. */
  start(fabricId: string, source: SourceSpec, intervalSeconds: number): CounterWatchStatus {
    const watch = this.watches.get(fabricId) ?? new CounterWatch(this.parts, fabricId);
    this.watches.set(fabricId, watch);
    watch.start(source, intervalSeconds);
    return watch.status;
  }

  async stop(fabricId: string): Promise<CounterWatchStatus> {
    const watch = this.watches.get(fabricId);
    await watch?.stop();
    return watch?.status ?? idle;
  }

  view(fabricId: string): CounterWatchView {
    const watch = this.watches.get(fabricId);
    return watch === undefined ? { status: idle, series: [] } : { status: watch.status, series: watch.history.all() };
  }

  /** Ends the watch of a fabric that is closed. */
  async forget(fabricId: string): Promise<void> {
    const watch = this.watches.get(fabricId);
    this.watches.delete(fabricId);
    await watch?.stop();
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.watches.keys()].map((id) => this.stop(id)));
  }
}
