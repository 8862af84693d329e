/**
 * Error counters over time, within bounded memory: a point is kept where a counter changed, so that a counter that
 * stands still costs nothing. PortXmitWait is congestion and has no history.
 */
import { type ErrorCounter, errorCounters } from "./counters.ts";

/** One counter of one port, as the tool names the port: GUID (`0x` and 16 digits) and number. */
export interface CounterPlace {
  readonly guid: string;
  readonly port: number;
  readonly counter: ErrorCounter;
}

/** A value, and when it was first read; milliseconds since 1970. */
export interface CounterPoint {
  readonly at: number;
  readonly value: number;
}

export interface CounterSeries extends CounterPlace {
  /** Oldest first. The last value stands until the last round. */
  readonly points: readonly CounterPoint[];
  /** Older points were dropped. */
  readonly cut: boolean;
}

export interface CounterChange extends CounterPlace, CounterPoint {}

/** What one round read: ports with counted errors. */
export interface CounterRound {
  readonly at: number;
  /** Every port was read, so that a port which is not listed stands at 0. */
  readonly whole: boolean;
  readonly ports: readonly {
    readonly guid: string;
    readonly port: number;
    readonly counters: Readonly<Partial<Record<string, number>>>;
  }[];
}

/** 4,000 × 500 points of two numbers: at most some 50 MB, which no real fabric reaches. */
export const historyLimits = { series: 4_000, points: 500 } as const;

const watched = (Object.keys(errorCounters) as ErrorCounter[]).filter((name) => name !== "PortXmitWait");

interface Kept extends CounterPlace {
  points: CounterPoint[];
  cut: boolean;
  seen: number;
}

export class CounterHistory {
  private readonly series = new Map<string, Kept>();
  private readonly limits: { readonly series: number; readonly points: number };
  private rounds = 0;
  private beyond = new Set<string>();

  constructor(limits: { readonly series: number; readonly points: number } = historyLimits) {
    this.limits = limits;
  }

  /** Counters that were not taken in because there are too many. */
  get dropped(): number {
    return this.beyond.size;
  }

  get size(): number {
    return this.series.size;
  }

  /**
   * Takes one round in. O(ports listed + series).
   *
   * @returns what changed against the round before; values of the first round are no change
   */
  add(round: CounterRound): readonly CounterChange[] {
    this.rounds += 1;
    const changes: CounterChange[] = [];
    for (const { guid, port, counters } of round.ports) {
      for (const counter of watched) {
        const value = counters[counter] ?? 0;
        const key = `${guid}:${port}:${counter}`;
        const known = this.series.get(key);
        if (known !== undefined) {
          known.seen = this.rounds;
          this.put(known, round.at, value, changes);
        } else if (value > 0) this.begin(key, { guid, port, counter }, round, value, changes);
      }
    }
    if (!round.whole) return changes;
    for (const known of this.series.values()) {
      if (known.seen !== this.rounds) this.put(known, round.at, 0, changes);
    }
    return changes;
  }

  /** All that is kept. */
  all(): readonly CounterSeries[] {
    return [...this.series.values()].map(({ guid, port, counter, points, cut }) => ({
      ...{ guid, port, counter, cut },
      points: [...points],
    }));
  }

  private begin(key: string, place: CounterPlace, round: CounterRound, value: number, changes: CounterChange[]): void {
    if (this.series.size >= this.limits.series) {
      this.beyond.add(key);
      return;
    }
    const kept: Kept = { ...place, points: [{ at: round.at, value }], cut: false, seen: this.rounds };
    this.series.set(key, kept);
    // A counter that was not listed before stood at 0, unless nobody looked before.
    if (this.rounds > 1) changes.push({ ...place, at: round.at, value });
  }

  private put(known: Kept, at: number, value: number, changes: CounterChange[]): void {
    if (known.points.at(-1)?.value === value) return;
    known.points.push({ at, value });
    if (known.points.length > this.limits.points) {
      known.points.shift();
      known.cut = true;
    }
    const { guid, port, counter } = known;
    changes.push({ guid, port, counter, at, value });
  }
}
