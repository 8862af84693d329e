/**
 * Runs a sweep round by round. Each result is in the history and in the sweep's own file before the next is waited for,
 * so that nothing is measured twice after a cancel, a crash or a restart.
 */
import { setMaxListeners } from "node:events";
import { median } from "../../shared/base/statistics.ts";
import type { Result } from "../../shared/base/result.ts";
import { explain } from "../../shared/errors/explain.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import type { LinkId } from "../../shared/fabric/model.ts";
import { routeProofOf } from "../../shared/measure/judge-evidence.ts";
import type { SweepPlace } from "../../shared/measure/sweep-clock.ts";
import { type Sweep, type SweepItem, turnsTogether } from "../../shared/measure/sweep.ts";
import type { Measurement } from "../../shared/measure/types.ts";
import type { SweepDone, SweepJournal } from "./sweep-state.ts";

/** How one link came out. */
export interface SweepResult {
  readonly item: SweepItem;
  readonly measurement?: Measurement;
  /** Why there is none. */
  readonly error?: AppError;
  /** Below the pass line, or below 95 % of what its siblings reach in this sweep. */
  readonly slow: boolean;
  /** Median of its siblings so far: links of the same kind over as many cables, at the same rate. */
  readonly siblingsGbps?: number;
}

export interface SweepProgress extends SweepPlace {
  readonly done: number;
  readonly total: number;
  readonly rounds: number;
  /** Links that are measured now. */
  readonly running: readonly LinkId[];
  readonly paused: boolean;
}

export interface SweepDeps {
  /** Runs one measurement (run-measurement.ts) and puts it into the history. */
  readonly measure: (item: SweepItem, signal: AbortSignal) => Promise<Result<Measurement, AppError>>;
  readonly journal: SweepJournal;
  readonly now: () => number;
}

export interface SweepHooks {
  readonly signal: AbortSignal;
  readonly control?: SweepControl;
  readonly onProgress: (progress: SweepProgress) => void;
  readonly onResult: (result: SweepResult) => void;
}

export interface SweepOutcome {
  readonly measured: number;
  readonly failed: number;
  readonly slow: number;
  /** Links that an earlier run of this sweep had finished. */
  readonly before: number;
  readonly cancelled: boolean;
  /** Why it ended early: nothing could be written, or the source is lost. */
  readonly error?: AppError;
}

/** Pause and go on; what runs goes on to its end, nothing new is started. */
export class SweepControl {
  private held = false;
  private waiting: (() => void)[] = [];

  get paused(): boolean {
    return this.held;
  }

  pause(): void {
    this.held = true;
  }

  resume(): void {
    this.held = false;
    for (const go of this.waiting.splice(0)) go();
  }

  /** Settles when it is not paused, or the signal is aborted. */
  async ready(signal: AbortSignal): Promise<void> {
    while (this.held && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const go = (): void => {
          // A sweep of days may be paused many times: what is not taken off listens until its end.
          signal.removeEventListener("abort", go);
          resolve();
        };
        this.waiting.push(go);
        signal.addEventListener("abort", go);
      });
    }
  }
}

const siblingsNeeded = 4;
const siblingShare = 0.95;

/** Failures after which no other link of this source can be measured either. */
const endsAll: ReadonlySet<AppError["kind"]> = new Set(["connection-lost", "host-key-changed"]);

/** Runs what is left of a sweep. Never rejects for an expected failure: a link that cannot be measured is a result. */
export async function runSweep(sweep: Sweep, deps: SweepDeps, hooks: SweepHooks): Promise<SweepOutcome> {
  // Every measurement that runs listens for the cancel.
  setMaxListeners(0, hooks.signal);
  const run = new SweepRun(sweep, deps, hooks);
  return run.all();
}

class SweepRun {
  private readonly sweep: Sweep;
  private readonly deps: SweepDeps;
  private readonly hooks: SweepHooks;
  private readonly control: SweepControl;
  private readonly running = new Set<LinkId>();
  private readonly siblings = new Map<string, number[]>();
  private readonly total: number;
  private round = 0;
  private turn = 1;
  private waiting = 0;
  private done = 0;
  private measured = 0;
  private failed = 0;
  private slow = 0;
  private stop: AppError | undefined;

  constructor(sweep: Sweep, deps: SweepDeps, hooks: SweepHooks) {
    this.sweep = sweep;
    this.deps = deps;
    this.hooks = hooks;
    this.control = hooks.control ?? new SweepControl();
    this.total = sweep.rounds.reduce((sum, round) => sum + round.length, 0);
  }

  async all(): Promise<SweepOutcome> {
    const { signal } = this.hooks;
    const { journal } = this.deps;
    const left = this.sweep.rounds.map((round) => round.filter(({ link }) => !journal.done.has(link)));
    const before = this.total - left.reduce((sum, round) => sum + round.length, 0);
    this.done = before;
    this.recall();
    for (const items of left) {
      this.round += 1;
      if (items.length === 0) continue;
      await this.runRound(items);
      if (this.over) break;
    }
    this.report();
    return {
      measured: this.measured,
      failed: this.failed,
      slow: this.slow,
      before,
      cancelled: signal.aborted,
      ...(this.stop === undefined ? {} : { error: this.stop }),
    };
  }

  private get over(): boolean {
    return this.hooks.signal.aborted || this.stop !== undefined;
  }

  /** Results of an earlier run count among the siblings. */
  private recall(): void {
    for (const item of this.sweep.rounds.flat()) {
      const known = this.deps.journal.done.get(item.link);
      if (known?.bandwidthGbps !== undefined) this.siblingsOf(item).push(known.bandwidthGbps);
    }
  }

  /** A pair that was exchanged after its trace may meet another one: it has its turn after the others. */
  private async runRound(items: readonly SweepItem[]): Promise<void> {
    let wait: readonly SweepItem[] = items;
    for (this.turn = 1; ; this.turn += 1) {
      const again: SweepItem[] = [];
      const tried = wait.length;
      this.waiting = 0;
      await Promise.all(wait.map((item) => this.runItem(item, again)));
      wait = again;
      if (this.over || wait.length === 0) return;
      // Where nobody got on, somebody else has the adapters: the last try is one by one, and is said.
      if (wait.length === tried || this.turn >= turnsTogether) break;
    }
    for (const [place, item] of wait.entries()) {
      this.turn += 1;
      this.waiting = wait.length - place - 1;
      await this.runItem(item, undefined);
    }
  }

  private async runItem(item: SweepItem, again: SweepItem[] | undefined): Promise<void> {
    const { signal } = this.hooks;
    this.report();
    await this.control.ready(signal);
    if (this.over) return;
    this.running.add(item.link);
    this.report();
    const result = await this.deps.measure(item, signal);
    this.running.delete(item.link);
    if (!result.ok && result.error.kind === "cancelled") return;
    if (result.ok && result.value.verdict.level === "cancelled") return;
    // Pairs of this sweep give way in turn; who else works there may be done soon: one more try, then it is said.
    const comesAgain =
      !result.ok && (result.error.kind === "busy" || (result.error.kind === "in-use" && this.turn === 1));
    if (comesAgain && again !== undefined) {
      again.push(item);
      this.waiting = again.length;
      this.report();
      return;
    }
    if (!result.ok && endsAll.has(result.error.kind)) {
      this.stop ??= result.error;
      return;
    }
    const judged = this.judge(item, result);
    const written = await this.deps.journal.add(this.entry(judged));
    if (!written.ok) this.stop ??= written.error;
    this.done += 1;
    if (result.ok && result.value.verdict.level !== "failed") this.measured += 1;
    else this.failed += 1;
    if (judged.slow) this.slow += 1;
    this.hooks.onResult(judged);
    this.report();
  }

  private siblingsOf(item: SweepItem): number[] {
    const { basis, cables } = item;
    const kind = `${basis === "host-link" ? "host" : "switch"} ${cables} ${item.plan().slowestGbps}`;
    const known = this.siblings.get(kind);
    if (known !== undefined) return known;
    const fresh: number[] = [];
    this.siblings.set(kind, fresh);
    return fresh;
  }

  private judge(item: SweepItem, result: Result<Measurement, AppError>): SweepResult {
    if (!result.ok) return { item, error: result.error, slow: false };
    const measurement = result.value;
    const { bandwidthGbps: gbps, verdict } = measurement;
    const others = this.siblingsOf(item);
    const typical = others.length >= siblingsNeeded ? median(others) : undefined;
    if (gbps !== undefined) others.push(gbps);
    const belowPass = verdict.level === "slow" || verdict.level === "bad";
    const belowSiblings = typical !== undefined && gbps !== undefined && gbps < typical * siblingShare;
    return {
      item,
      measurement,
      slow: belowPass || belowSiblings,
      ...(typical === undefined ? {} : { siblingsGbps: typical }),
    };
  }

  private entry({ item, measurement, error, slow, siblingsGbps }: SweepResult): SweepDone {
    const at = new Date(this.deps.now()).toISOString();
    if (measurement === undefined) {
      const reason = error === undefined ? "" : explain(error).sentence;
      return { link: item.link, at, level: "not-measured", reason };
    }
    const { id, verdict, bandwidthGbps, percent, latencyUs, expectedGbps, path, runs } = measurement;
    const route = routeProofOf(runs.flatMap(({ evidence }) => evidence ?? []))?.kind;
    return {
      link: item.link,
      at,
      measurement: id,
      level: verdict.level,
      hops: path.length - 1,
      expectedGbps,
      slow,
      ...(bandwidthGbps === undefined ? {} : { bandwidthGbps }),
      ...(percent === undefined ? {} : { percent }),
      ...(latencyUs === undefined ? {} : { latencyUs }),
      ...(siblingsGbps === undefined ? {} : { siblingsGbps }),
      ...(route === undefined ? {} : { route }),
    };
  }

  private report(): void {
    this.hooks.onProgress({
      done: this.done,
      total: this.total,
      round: Math.max(1, this.round),
      rounds: this.sweep.rounds.length,
      turn: this.turn,
      waiting: this.waiting,
      running: [...this.running],
      paused: this.control.paused,
    });
  }
}
