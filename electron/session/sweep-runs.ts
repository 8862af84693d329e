/** The sweeps that run in this process: each goes on by itself, tells by events, and can be paused, cancelled, waited for. */
import type { SweepEvent, SweepLine, SweepState, SweepStatus, SweepView } from "../../shared/contract/sweeps.ts";
import type { MeasurementSummary } from "../../shared/contract/views.ts";
import type { Result } from "../../shared/base/result.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { SweepClock } from "../../shared/measure/sweep-clock.ts";
import type { Sweep, SweepItem } from "../../shared/measure/sweep.ts";
import type { Measurement } from "../../shared/measure/types.ts";
import { runSweep, SweepControl, type SweepProgress, type SweepResult } from "../measure/run-sweep.ts";
import { type SweepJournal, SweepTally } from "../measure/sweep-state.ts";
import { summarise } from "../store/history.ts";
import { lineOf, linksOf } from "./sweep-words.ts";

/** A sweep that is about to run. */
export interface SweepStart {
  readonly sweep: Sweep;
  readonly journal: SweepJournal;
  readonly concurrency: number;
  readonly measure: (item: SweepItem, signal: AbortSignal) => Promise<Result<Measurement, AppError>>;
}

export interface SweepRunsParts {
  readonly now: () => number;
  readonly emit: (event: SweepEvent) => void;
}

/** Words to the window at most every so many milliseconds; each takes all results since the last with it. */
const eventGapMs = 200;

class SweepInProcess {
  readonly control = new SweepControl();
  readonly cancelling = new AbortController();
  readonly finished: Promise<void>;
  private readonly start: SweepStart;
  private readonly parts: SweepRunsParts;
  private progress: SweepProgress;
  private lines: SweepLine[] = [];
  private measurements: MeasurementSummary[] = [];
  private timer: NodeJS.Timeout | undefined;
  private lastEmit = 0;
  private ended: { readonly state: SweepState; readonly error: AppError | null } | undefined;
  /** The program is ending: the sweep is interrupted, not cancelled. */
  private leaving = false;
  private readonly clock: SweepClock;
  /** Kept up with each result: a status costs the same however much is done. */
  private readonly tally: SweepTally;
  private lastAt: string;

  constructor(start: SweepStart, parts: SweepRunsParts) {
    this.start = start;
    this.parts = parts;
    const { head, done } = start.journal;
    const left = start.sweep.rounds.map((round) => round.filter(({ link }) => !done.has(link)));
    this.clock = new SweepClock(start.sweep.secondsPerRound, left, parts.now);
    this.tally = new SweepTally(done.values());
    this.lastAt = [...done.values()].at(-1)?.at ?? head.startedAt;
    this.progress = {
      done: done.size,
      total: head.links.length,
      round: 1,
      rounds: start.sweep.rounds.length,
      turn: 1,
      waiting: 0,
      running: [],
      paused: false,
    };
    this.finished = this.run();
  }

  status(): SweepStatus {
    const { head } = this.start.journal;
    const { round, rounds, running } = this.progress;
    const { done, slow, failed } = this.tally;
    const runs = this.ended === undefined;
    const state = this.ended?.state ?? (this.control.paused ? "paused" : "running");
    return {
      id: head.id,
      title: head.title ?? `${head.links.length} links`,
      source: head.source,
      simulated: head.simulated === true,
      startedAt: head.startedAt,
      lastAt: this.lastAt,
      state,
      total: head.links.length,
      ...{ done, slow, failed },
      round: runs ? round : 0,
      rounds,
      running: runs ? running : [],
      secondsLeft: runs ? this.clock.secondsLeft : null,
      concurrency: this.start.concurrency,
      error: this.ended?.error ?? null,
    };
  }

  view(): SweepView {
    const { head, done, damaged } = this.start.journal;
    return { status: this.status(), links: linksOf(head), lines: lineOf(head, [...done.values()]), damaged };
  }

  pause(): void {
    this.clock.pause();
    this.control.pause();
    this.tell();
  }

  resume(): void {
    this.clock.resume();
    this.control.resume();
    this.tell();
  }

  /** Ends it because the program ends: it can go on later by itself. */
  leave(): void {
    this.leaving = true;
    this.cancelling.abort();
  }

  private async run(): Promise<void> {
    const { sweep, journal, measure } = this.start;
    const outcome = await runSweep(
      sweep,
      { measure, journal, now: this.parts.now },
      {
        signal: this.cancelling.signal,
        control: this.control,
        onProgress: (progress) => this.take(progress),
        onResult: (result) => this.keep(result),
      },
    );
    const at = new Date(this.parts.now()).toISOString();
    if (outcome.error !== undefined) {
      this.ended = { state: "stopped", error: outcome.error };
      await journal.end("stopped", at);
    } else if (outcome.cancelled && !this.leaving) {
      this.ended = { state: "cancelled", error: null };
      await journal.end("cancelled", at);
    } else {
      this.ended = { state: outcome.cancelled ? "interrupted" : "finished", error: null };
    }
    await journal.close();
    this.flush();
  }

  private take(progress: SweepProgress): void {
    // What links of an earlier run and links that cannot be measured count is known to the journal only.
    this.progress = progress;
    this.clock.take(progress);
    this.tell();
  }

  private keep({ item, measurement }: SweepResult): void {
    const { head, done } = this.start.journal;
    const line = done.get(item.link);
    if (line !== undefined) {
      this.tally.add(line);
      this.lastAt = line.at;
      this.lines.push(...lineOf(head, [line]));
    }
    if (measurement !== undefined) this.measurements.push(summarise(measurement));
    this.tell();
  }

  private tell(): void {
    if (this.ended !== undefined) return;
    const wait = this.lastEmit + eventGapMs - this.parts.now();
    if (wait <= 0) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), wait);
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.lastEmit = this.parts.now();
    const { lines, measurements } = this;
    this.lines = [];
    this.measurements = [];
    this.parts.emit({ status: this.status(), lines, measurements });
  }
}

/** The sweeps that run in this process, by id; one that has ended is known to its journal only. */
export class SweepRuns {
  private readonly sweeps = new Map<string, SweepInProcess>();
  private readonly parts: SweepRunsParts;

  constructor(parts: SweepRunsParts) {
    this.parts = parts;
  }

  /** Begins it; `finished` settles when it has ended, however, and its journal is closed. */
  begin(start: SweepStart): { readonly status: SweepStatus; readonly finished: Promise<void> } {
    const sweep = new SweepInProcess(start, this.parts);
    const { id } = start.journal.head;
    this.sweeps.set(id, sweep);
    const finished = sweep.finished.then(() => {
      if (this.sweeps.get(id) === sweep) this.sweeps.delete(id);
    });
    return { status: sweep.status(), finished };
  }

  get(id: string): SweepView | undefined {
    return this.sweeps.get(id)?.view();
  }

  pause(id: string): SweepStatus | undefined {
    const sweep = this.sweeps.get(id);
    sweep?.pause();
    return sweep?.status();
  }

  /** Goes on with a paused one; undefined when none of that id runs. */
  resume(id: string): SweepStatus | undefined {
    const sweep = this.sweeps.get(id);
    sweep?.resume();
    return sweep?.status();
  }

  /** Ends both sides of what runs, and settles when they are ended. */
  async cancel(id: string): Promise<SweepStatus | undefined> {
    const sweep = this.sweeps.get(id);
    sweep?.cancelling.abort();
    await sweep?.finished;
    return sweep?.status();
  }

  get all(): readonly SweepStatus[] {
    return [...this.sweeps.values()].map((sweep) => sweep.status());
  }

  /** At the end of the program. */
  async stopAll(): Promise<void> {
    const all = [...this.sweeps.values()];
    for (const sweep of all) sweep.leave();
    await Promise.all(all.map(({ finished }) => finished));
  }
}
