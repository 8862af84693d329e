import type { SimulatedClock } from "../../../../electron/run/simulated/clock.ts";

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly action: () => void;
}

/** A clock that only goes on when it is told to. */
export class ManualClock implements SimulatedClock {
  private time = new Date(2026, 0, 5, 9, 30, 0).getTime();
  private readonly timers = new Set<Timer>();
  private made = 0;

  now(): number {
    return this.time;
  }

  after(milliseconds: number, action: () => void): () => void {
    this.made += 1;
    const timer = { at: this.time + milliseconds, order: this.made, action };
    this.timers.add(timer);
    return () => this.timers.delete(timer);
  }

  /** Lets `milliseconds` pass, running what falls due in order, and what those promise in between. */
  async advance(milliseconds: number): Promise<void> {
    const until = this.time + milliseconds;
    for (;;) {
      const next = [...this.timers]
        .filter((timer) => timer.at <= until)
        .sort((a, b) => a.at - b.at || a.order - b.order)[0];
      if (next === undefined) break;
      this.timers.delete(next);
      this.time = Math.max(this.time, next.at);
      next.action();
      await Promise.resolve();
    }
    this.time = until;
    await Promise.resolve();
  }
}
