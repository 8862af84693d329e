import { describe, expect, it } from "vitest";
import {
  masterlessBefore,
  shownSpan,
  sinceOf,
  ticksOf,
  timelineOf,
} from "../../../renderer/views/managers/timeline.ts";
import { takeOverWords, withLiveManagers } from "../../../renderer/views/managers/live-managers.ts";
import type { ManagerChange } from "../../../shared/contract/manager-log.ts";
import type { WatchStatus } from "../../../shared/contract/views.ts";
import { simulatedView } from "./tables-fabric.ts";

const begin = Date.parse("2026-11-29T02:00:00.000Z");
const one = "0x0c42a10300000201";
const two = "0x0c42a10300000211";

function at(seconds: number): string {
  return new Date(begin + seconds * 1000).toISOString();
}

function change(
  seconds: number,
  kind: ManagerChange["kind"],
  guid: string,
  from: ManagerChange["from"],
  to: ManagerChange["to"],
): ManagerChange {
  const before = kind === "handover" ? { before: guid === one ? two : one } : {};
  return { time: at(seconds), kind, guid, lid: 1, from, to, priority: 5, activity: 10, ...before };
}

/** Master dies at 100 s, the standby takes over at 138 s, the old one comes back and is master again at 351 s. */
const failover = [
  change(1, "seen", two, "unknown", "STANDBY"),
  change(1.2, "seen", one, "unknown", "MASTER"),
  change(100, "lost", one, "MASTER", "NO-ANSWER"),
  change(138, "handover", two, "STANDBY", "MASTER"),
  change(325, "returned", one, "NO-ANSWER", "DISCOVERING"),
  change(350.9, "state", two, "MASTER", "STANDBY"),
  change(351, "handover", one, "DISCOVERING", "MASTER"),
];
const watched = { from: at(0), to: at(600), intervalSeconds: 10 };

const brief = (from: number, to: number): string => `${(from - begin) / 1000}-${(to - begin) / 1000}`;

describe("timeline of subnet managers", () => {
  it("draws each state from its change to the next, and the last to the last round", () => {
    const { lanes } = timelineOf(failover, [watched]);
    expect(lanes.map(({ guid, bands }) => [guid, ...bands.map((b) => `${b.state} ${brief(b.from, b.to)}`)])).toEqual([
      [one, "MASTER 1.2-100", "NO-ANSWER 100-325", "DISCOVERING 325-351", "MASTER 351-600"],
      [two, "STANDBY 1-138", "MASTER 138-350.9", "STANDBY 350.9-600"],
    ]);
  });

  it("counts the time without a master, and not the moment between two answers of one round", () => {
    const timeline = timelineOf(failover, [watched]);
    expect(timeline.masterless.map(({ from, to }) => brief(from, to))).toEqual(["100-138"]);
    expect(masterlessBefore(timeline, begin + 138_000)).toBe(38);
    expect(masterlessBefore(timeline, begin + 351_000)).toBeUndefined();
  });

  it("goes on without a master to the last round when nobody takes over", () => {
    const { masterless } = timelineOf(failover.slice(0, 3), [watched]);
    expect(masterless.map(({ from, to }) => brief(from, to))).toEqual(["100-600"]);
  });

  it("has no master from the start where only a standby is seen", () => {
    const { masterless } = timelineOf(failover.slice(0, 1), [watched]);
    expect(masterless.map(({ from, to }) => brief(from, to))).toEqual(["1-600"]);
  });

  it("draws nothing while nobody watched, and counts no missing master then", () => {
    const again = [change(5000, "seen", two, "unknown", "STANDBY"), change(5001, "seen", one, "unknown", "MASTER")];
    const second = { from: at(4999), to: at(5100), intervalSeconds: 10 };
    const timeline = timelineOf([...failover, ...again], [watched, second]);
    expect(timeline.lanes[0]?.bands.at(-2)).toMatchObject({ state: "MASTER", to: begin + 600_000 });
    expect(timeline.lanes[0]?.bands.at(-1)).toMatchObject({ state: "MASTER", from: begin + 5_001_000 });
    expect(timeline.masterless).toHaveLength(1);
  });

  it("takes changes that the command line logged as far as they reach", () => {
    const { watched: spans, lanes } = timelineOf([...failover, change(9000, "seen", one, "unknown", "MASTER")], []);
    expect(spans.map(({ from, to }) => brief(from, to))).toEqual(["1-351", "9000-9000"]);
    expect(lanes.map(({ bands }) => bands.length)).toEqual([5, 3]);
  });

  it("draws no band backwards when the clock was set back", () => {
    const back = [
      change(100, "seen", one, "unknown", "MASTER"),
      { ...change(50, "clock", "", "unknown", "unknown"), jumpMs: -60_000 },
      change(60, "lost", one, "MASTER", "NO-ANSWER"),
    ];
    const { lanes } = timelineOf(back, [watched]);
    for (const { bands } of lanes) for (const { from, to } of bands) expect(to).toBeGreaterThanOrEqual(from);
  });

  it("says since when a state is, and that it may be longer", () => {
    expect(sinceOf(failover, one, at(0))).toEqual({ time: at(351), atLeast: false });
    expect(sinceOf(failover.slice(0, 2), one, at(0))).toEqual({ time: at(1.2), atLeast: true });
    expect(sinceOf(failover, "0x01", at(0))).toBeUndefined();
    expect(sinceOf(failover, one, at(1000))).toBeUndefined();
  });
});

describe("the part of time that is shown", () => {
  it("is a short watch as a whole", () => {
    const timeline = timelineOf(failover, [watched]);
    expect(shownSpan(timeline, "event", 0)).toEqual({ from: begin, to: begin + 600_000 });
  });

  it("is the last event with time around it when the watch was long", () => {
    const long = { ...watched, to: at(86_400) };
    const { from, to } = shownSpan(timelineOf(failover, [long]), "event", 0);
    expect(from).toBeLessThan(begin + 100_000);
    expect(to).toBeGreaterThan(begin + 351_000);
    expect(to).toBeLessThan(begin + 1_000_000);
  });

  it("ends at the last round for fixed lengths", () => {
    expect(shownSpan(timelineOf(failover, [watched]), "hour", 0)).toEqual({
      from: begin + 600_000 - 3_600_000,
      to: begin + 600_000,
    });
  });

  it("has round times on its axis, no more than there is room for", () => {
    const ticks = ticksOf({ from: begin + 1, to: begin + 600_000 }, 12);
    expect(ticks).toHaveLength(10);
    for (const tick of ticks) expect(tick % 60_000).toBe(0);
    expect(ticksOf({ from: begin, to: begin + 7 * 86_400_000 }, 8).length).toBeLessThanOrEqual(8);
  });
});

describe("subnet managers as the watch hears them", () => {
  const view = simulatedView("failover");
  const [first, second] = view.fabric.subnetManagers;
  if (first === undefined || second === undefined) throw new Error("two managers");
  const status = (
    states: readonly [WatchStatus["managers"][0]["state"], WatchStatus["managers"][0]["state"]],
  ): WatchStatus => ({
    running: true,
    time: watched,
    lastRound: null,
    trouble: null,
    managers: [first, second].map(({ guid, lid }, i) => ({
      ...{ guid, lid, priority: 5 + i, activity: 9, growth: null },
      state: states[i] ?? "unknown",
    })),
  });

  it("names the heir, its reason and how long a take-over takes with which settings", () => {
    const words = takeOverWords(view.fabric);
    expect(words.heading).toBe("If mgmt-01 dies now");
    expect(words.title).toBe("mgmt-02 takes over within 40 s");
    expect(words.time).toContain("opensm's defaults");
    expect(words.reason).toMatch(/priority \d+/);
  });

  it("changes with what is heard: the heir of before is master, and nobody is left", () => {
    const fabric = withLiveManagers(view.fabric, status(["NO-ANSWER", "MASTER"]));
    expect(fabric.subnetManagers.map(({ state, answers }) => `${state} ${answers}`)).toEqual([
      "unknown no",
      "MASTER yes",
    ]);
    const words = takeOverWords(fabric);
    expect(words.heading).toBe("If mgmt-02 dies now");
    expect(words).toMatchObject({ title: "Nobody takes over", worry: true });
  });

  it("adds one that the capture does not know", () => {
    const watching = status(["MASTER", "STANDBY"]);
    const stranger = { ...watching.managers[0], guid: "0x00000000000000aa", lid: 999 } as WatchStatus["managers"][0];
    const fabric = withLiveManagers(view.fabric, { ...watching, managers: [...watching.managers, stranger] });
    expect(fabric.subnetManagers).toHaveLength(3);
    expect(fabric.subnetManagers[2]).toMatchObject({ guid: "0x00000000000000aa", state: "MASTER" });
  });
});
