/** The sweeps that run in this process: each goes on by itself, tells by events, and can be paused, cancelled, waited for. */
import type { SweepEvent, SweepLine, SweepState, SweepStatus, SweepView } from "../../shared/contract/sweeps.ts";
import type { MeasurementSummary } from "../../shared/contract/views.ts";
import type { Result } from "../../shared/base/result.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import type { Sweep, SweepItem } from "../../shared/measure/sweep.ts";
import type { Measurement } from "../../shared/measure/types.ts";
import { runSweep, SweepControl, type SweepProgress, type SweepResult } from "../measure/run-sweep.ts";
import { countsOf, type SweepJournal } from "../measure/sweep-state.ts";
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
  private roundStarted: number;
  private pausedAt: number | undefined;
  private readonly roundTimes: number[] = [];

  constructor(start: SweepStart, parts: SweepRunsParts) {
    this.start = start;
    this.parts = parts;
    this.roundStarted = parts.now();
    this.progress = {
      done: start.journal.done.size,
      total: start.journal.head.links.length,
      round: 1,
      rounds: start.sweep.rounds.length,
      running: [],
      paused: false,
    };
    this.finished = this.run();
  }

  status(): SweepStatus {
    const { head, done } = this.start.journal;
    const { round, rounds, running } = this.progress;
    const lines = [...done.values()];
    const runs = this.ended === undefined;
    const state = this.ended?.state ?? (this.control.paused ? "paused" : "running");
    return {
      id: head.id,
      title: head.title ?? `${head.links.length} links`,
      source: head.source,
      simulated: head.simulated === true,
      startedAt: head.startedAt,
      lastAt: lines.at(-1)?.at ?? head.startedAt,
      state,
      total: head.links.length,
      ...countsOf(done),
      round: runs ? round : 0,
      rounds,
      running: runs ? running : [],
      secondsLeft: runs ? this.secondsLeft() : null,
      concurrency: this.start.concurrency,
      error: this.ended?.error ?? null,
    };
  }

  view(): SweepView {
    const { head, done, damaged } = this.start.journal;
    return { status: this.status(), links: linksOf(head), lines: lineOf(head, [...done.values()]), damaged };
  }

  pause(): void {
    this.pausedAt ??= this.parts.now();
    this.control.pause();
    this.tell();
  }

  resume(): void {
    // A pause is no part of what a round takes.
    if (this.pausedAt !== undefined) this.roundStarted += this.parts.now() - this.pausedAt;
    this.pausedAt = undefined;
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
    const before = this.progress;
    // What links of an earlier run and links that cannot be measured count is known to the journal only.
    this.progress = progress;
    if (progress.round !== before.round) {
      this.roundTimes.push((this.parts.now() - this.roundStarted) / 1000);
      this.roundStarted = this.parts.now();
      if (this.pausedAt !== undefined) this.pausedAt = this.roundStarted;
    }
    this.tell();
  }

  private keep({ item, measurement }: SweepResult): void {
    const { head, done } = this.start.journal;
    const line = done.get(item.link);
    if (line !== undefined) this.lines.push(...lineOf(head, [line]));
    if (measurement !== undefined) this.measurements.push(summarise(measurement));
    this.tell();
  }

  /** By the rounds so far; before the first has ended, by the plan. */
  private secondsLeft(): number {
    const { round, rounds } = this.progress;
    const times = this.roundTimes;
    const usual =
      times.length === 0
        ? this.start.sweep.secondsPerRound
        : times.reduce((sum, seconds) => sum + seconds, 0) / times.length;
    const inThis = Math.min(usual, ((this.pausedAt ?? this.parts.now()) - this.roundStarted) / 1000);
    return Math.max(0, Math.round((rounds - round + 1) * usual - inThis));
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
