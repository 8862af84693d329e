import { describe, expect, it } from "vitest";
import { growthsOf, growthsOfLink } from "../../../renderer/views/findings/growth.ts";
import type { CounterWatchStatus } from "../../../shared/contract/counter-watch.ts";
import { at, nodeGuid } from "../../../shared/fabric/access.ts";
import type { CounterPoint, CounterSeries } from "../../../shared/fabric/counter-history.ts";
import type { ErrorCounter } from "../../../shared/fabric/counters.ts";
import { simulatedView } from "./tables-fabric.ts";

const { fabric } = simulatedView();
const link = 3;
const port = at(fabric.links.a, link);
const guid = nodeGuid(fabric, at(fabric.ports.node, port));
const number = at(fabric.ports.number, port);
const minute = 60_000;

const status: CounterWatchStatus = {
  ...{ running: true, intervalSeconds: 60, from: minute, to: 61 * minute, rounds: 61 },
  ...{ ports: 1, unanswered: 0, dropped: 0, trouble: null },
};

function series(
  counter: ErrorCounter,
  points: readonly CounterPoint[],
  cut = false,
): ReadonlyMap<string, CounterSeries> {
  return new Map([["x", { guid, port: number, counter, points, cut }]]);
}

describe("growth of watched counters", () => {
  it("is counted from what stood at the first reading, in pieces that add up", () => {
    const points = [
      { at: minute, value: 100 },
      { at: 31 * minute, value: 130 },
      { at: 61 * minute, value: 142 },
    ];
    const [found] = growthsOf(fabric, series("SymbolErrorCounter", points), status);
    expect(found).toMatchObject({ port, counter: "SymbolErrorCounter", counted: 42, perHour: 42 });
    const width = 1 / (found?.pieces.length ?? 1);
    expect(found?.pieces.reduce((sum, piece) => sum + piece.perHour * width, 0)).toBeCloseTo(42);
    expect(found?.times).toEqual([31 * minute, 61 * minute]);
  });

  it("is worked out once a round for all who ask", () => {
    const seen = series("SymbolErrorCounter", [
      { at: minute, value: 0 },
      { at: 61 * minute, value: 4 },
    ]);
    expect(growthsOf(fabric, seen, status)).toBe(growthsOf(fabric, seen, status));
    const later = { ...status, to: 121 * minute };
    expect(growthsOf(fabric, seen, later)).toMatchObject([{ perHour: 2 }]);
  });

  it("takes a counter that was first listed later for one that stood at 0, and counts on after a reset", () => {
    const points = [
      { at: 10 * minute, value: 8 },
      { at: 20 * minute, value: 0 },
      { at: 30 * minute, value: 3 },
    ];
    expect(growthsOf(fabric, series("PortRcvErrors", points), status)).toMatchObject([{ counted: 11 }]);
  });

  it("is nothing for a counter that stands still, a watch of one reading, and a port that is not there", () => {
    const still = series("PortRcvErrors", [{ at: minute, value: 8 }]);
    expect(growthsOf(fabric, still, status)).toEqual([]);
    const grows = series("PortRcvErrors", [
      { at: minute, value: 8 },
      { at: 2 * minute, value: 9 },
    ]);
    expect(growthsOf(fabric, grows, { ...status, from: null, to: null })).toEqual([]);
    const elsewhere = new Map([...grows].map(([key, one]) => [key, { ...one, guid: "0x0000000000000001" }]));
    expect(growthsOf(fabric, elsewhere, status)).toEqual([]);
  });

  it("begins at the oldest point that is kept when older ones were dropped", () => {
    const points = [
      { at: 31 * minute, value: 500 },
      { at: 46 * minute, value: 510 },
    ];
    expect(growthsOf(fabric, series("PortRcvErrors", points, true), status)).toMatchObject([
      { counted: 10, perHour: 20 },
    ]);
  });

  it("is that of both ends for a link, and not that of others", () => {
    const far = at(fabric.links.b, link);
    const one = (end: number): CounterSeries => ({
      guid: nodeGuid(fabric, at(fabric.ports.node, end)),
      port: at(fabric.ports.number, end),
      counter: "PortRcvErrors",
      points: [{ at: 5 * minute, value: 1 }],
      cut: false,
    });
    const all = growthsOf(
      fabric,
      new Map([port, far, at(fabric.links.a, link + 1)].map((end, i) => [String(i), one(end)])),
      status,
    );
    expect(all).toHaveLength(3);
    expect(growthsOfLink(fabric, link, all).map((growth) => growth.port)).toEqual(expect.arrayContaining([port, far]));
    expect(growthsOfLink(fabric, link, all)).toHaveLength(2);
  });
});
