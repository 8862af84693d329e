import { describe, expect, it } from "vitest";
import { SweepClock } from "../../../shared/measure/sweep-clock.ts";
import { selectLinks } from "../../../shared/measure/sweep-select.ts";
import { presetOptions } from "../../../shared/measure/steps.ts";
import { pairsThatMayWait, planSweep, type Sweep } from "../../../shared/measure/sweep.ts";
import { analysisOf } from "./fabrics.ts";
import { simulatedRoutes } from "./simulated-routes.ts";

function planned(routes: boolean): Sweep {
  const { network } = simulatedRoutes("healthy");
  const { fabric } = network;
  return planSweep(fabric, analysisOf(fabric), {
    links: selectLinks(fabric, analysisOf(fabric), { kind: "all-inter-switch" }),
    ...{ fabricId: "f", options: presetOptions("bandwidth"), simulated: true, concurrency: 16 },
    ...(routes ? { routes: network } : {}),
  });
}

describe("what a sweep will take", () => {
  it("is one number with routes, and a range of up to four turns a round without", () => {
    const [sure, guessed] = [planned(true), planned(false)];
    expect(sure.secondsMost).toBe(sure.seconds);
    expect(guessed.secondsMost).toBe(4 * guessed.seconds);
    expect(guessed.rounds.map(pairsThatMayWait)).toEqual(guessed.rounds.map((round) => round.length - 1));
    expect(pairsThatMayWait([])).toBe(0);
  });

  it("expects more turns of guessed pairs before anything ran, and none of proven ones", () => {
    for (const [sweep, turns] of [
      [planned(true), 1],
      [planned(false), 2],
    ] as const) {
      const clock = new SweepClock(20, sweep.rounds, () => 0);
      expect(clock.secondsLeft).toBe(20 * turns * sweep.rounds.length);
    }
  });

  it("follows what turns really take, and how many there are", () => {
    const { rounds } = planned(false);
    let now = 0;
    const clock = new SweepClock(20, rounds.slice(0, 3), () => now);
    // Three turns of 40 s instead of two of 20 s.
    for (const turn of [1, 2, 3]) {
      clock.take({ round: 1, turn, waiting: 3 - turn });
      now += 40_000;
    }
    clock.take({ round: 2, turn: 1, waiting: 0 });
    // Extra turns of a round: one was supposed, two were seen.
    expect(clock.secondsLeft).toBe(Math.round(40 * 2 * (1 + 1.5)));
    now += 10_000;
    expect(clock.secondsLeft).toBe(Math.round(40 * 2 * (1 + 1.5)) - 10);
    // The last of the round: nobody waits, so none is added.
    now += 30_000;
    clock.take({ round: 2, turn: 2, waiting: 0 });
    expect(clock.secondsLeft).toBe(40 + 100);
  });

  it("counts a turn for who waits although more than usual were over, and never less than nothing", () => {
    const { rounds } = planned(false);
    let now = 0;
    const clock = new SweepClock(20, rounds.slice(0, 1), () => now);
    for (const turn of [1, 2, 3, 4, 5]) {
      clock.take({ round: 1, turn, waiting: 2 });
      if (turn < 5) now += 20_000;
    }
    expect(clock.secondsLeft).toBe(2 * 20);
    now += 3_600_000;
    expect(clock.secondsLeft).toBe(20);
    clock.take({ round: 1, turn: 5, waiting: 0 });
    expect(clock.secondsLeft).toBe(0);
  });

  it("gives no time to rounds that an earlier run has finished, nor to a pause", () => {
    const { rounds } = planned(true);
    let now = 0;
    const clock = new SweepClock(20, [[], ...rounds.slice(0, 2)], () => now);
    expect(clock.secondsLeft).toBe(3 * 20);
    clock.take({ round: 2, turn: 1, waiting: 0 });
    expect(clock.secondsLeft).toBe(2 * 20);
    clock.pause();
    now += 500_000;
    expect(clock.secondsLeft).toBe(2 * 20);
    clock.resume();
    expect(clock.secondsLeft).toBe(2 * 20);
  });
});
