/** Progress of a measurement: seconds done of seconds planned, at most ten times a second, never backwards. */
import type { CollectStep } from "../../shared/contract/views.ts";

export interface RunProgress {
  /** Step id: `prepare`, `bandwidth`, `latency`. */
  readonly step: string;
  /** Seconds of the plan that have passed, and all of them. */
  readonly done: number;
  readonly total: number;
  readonly note: string;
  readonly steps: readonly CollectStep[];
  /** Live rate in Gb/s while a bandwidth test runs, where counters tell; only in the message that brings a new one. */
  readonly gbps?: number;
}

export interface StepPlan {
  readonly id: string;
  readonly title: string;
  readonly seconds: number;
}

const shortestGapMs = 100;
const tickMs = 250;

export class ProgressReporter {
  private plan: readonly StepPlan[];
  private readonly now: () => number;
  private readonly emit: (progress: RunProgress) => void;
  private readonly steps: { state: CollectStep["state"]; note: string; ms: number }[];
  private current = 0;
  private startedAt: number;
  private note = "";
  private lastAt = Number.NEGATIVE_INFINITY;
  private waiting = false;
  private gbps: number | undefined;
  private readonly timer: NodeJS.Timeout;

  constructor(plan: readonly StepPlan[], now: () => number, emit: (progress: RunProgress) => void) {
    this.plan = plan;
    this.now = now;
    this.emit = emit;
    this.steps = plan.map(() => ({ state: "waiting", note: "", ms: 0 }));
    this.startedAt = now();
    this.timer = setInterval(() => this.send(true), tickMs);
  }

  /** Begins a step; those before it are over. */
  begin(id: string): void {
    this.current = this.plan.findIndex((step) => step.id === id);
    this.startedAt = this.now();
    this.change("running", "");
  }

  /** The same steps with other titles, when another pair is taken. */
  replan(plan: readonly StepPlan[]): void {
    this.plan = plan;
  }

  say(note: string): void {
    this.change("running", note);
  }

  /** A new live rate. */
  rate(gbps: number): void {
    this.gbps = gbps;
    this.send(false);
  }

  /** Ends the current step. */
  end(state: "done" | "failed" | "cancelled", note: string): void {
    this.change(state, note);
  }

  /** Marks a step that will not run. */
  skip(id: string, note: string): void {
    const step = this.steps[this.plan.findIndex((planned) => planned.id === id)];
    if (step !== undefined) Object.assign(step, { state: "skipped", note });
    this.send(false);
  }

  /** Stops the clock and says the last word. */
  close(): void {
    clearInterval(this.timer);
    if (this.waiting) this.send(true);
  }

  private change(state: CollectStep["state"], note: string): void {
    const step = this.steps[this.current];
    if (step !== undefined) Object.assign(step, { state, note, ms: this.now() - this.startedAt });
    this.note = note === "" ? (this.plan[this.current]?.title ?? "") : note;
    this.send(false);
  }

  private send(forced: boolean): void {
    const at = this.now();
    this.waiting = !forced && at - this.lastAt < shortestGapMs;
    if (this.waiting) return;
    this.lastAt = at;
    const step = this.steps[this.current];
    if (step?.state === "running") step.ms = at - this.startedAt;
    const { gbps } = this;
    this.gbps = undefined;
    this.emit({
      ...(gbps === undefined ? {} : { gbps }),
      step: this.plan[this.current]?.id ?? "",
      done: this.secondsDone(),
      total: this.plan.reduce((sum, planned) => sum + planned.seconds, 0),
      note: this.note,
      steps: this.plan.map((planned, index) => ({
        id: planned.id,
        title: planned.title,
        ...(this.steps[index] ?? { state: "waiting", note: "", ms: 0 }),
      })),
    });
  }

  /** Steps that are over count in full; the running one up to its planned time, so that the sum never falls. */
  private secondsDone(): number {
    return this.plan.reduce((sum, planned, index) => {
      const step = this.steps[index];
      if (step === undefined || step.state === "waiting") return sum;
      return sum + (step.state === "running" ? Math.min(planned.seconds, step.ms / 1000) : planned.seconds);
    }, 0);
  }
}
