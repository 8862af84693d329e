import { describe, expect, it } from "vitest";
import { CounterHistory, type CounterRound } from "../../../shared/fabric/counter-history.ts";

const guid = "0xb8cef60300000100";
const round = (
  at: number,
  counters: Readonly<Record<string, number>>,
  more: Partial<CounterRound> = {},
): CounterRound => ({
  at,
  whole: true,
  ports: Object.keys(counters).length === 0 ? [] : [{ guid, port: 5, counters }],
  ...more,
});

describe("the history of counters", () => {
  it("keeps a point where a value changed, and tells the change", () => {
    const history = new CounterHistory();
    expect(history.add(round(0, { SymbolErrorCounter: 7 }))).toEqual([]);
    expect(history.add(round(60, { SymbolErrorCounter: 7 }))).toEqual([]);
    const change = { guid, port: 5, counter: "SymbolErrorCounter", at: 120, value: 9 };
    expect(history.add(round(120, { SymbolErrorCounter: 9 }))).toEqual([change]);
    expect(history.all()).toEqual([
      {
        ...{ guid, port: 5, counter: "SymbolErrorCounter", cut: false },
        points: [
          { at: 0, value: 7 },
          { at: 120, value: 9 },
        ],
      },
    ]);
  });

  it("takes a port that is listed for the first time for one that stood at 0", () => {
    const history = new CounterHistory();
    history.add(round(0, {}));
    expect(history.add(round(60, { LinkDownedCounter: 1 }))).toMatchObject([
      { counter: "LinkDownedCounter", value: 1 },
    ]);
  });

  it("sees that a counter was cleared when a whole list no longer has it, and says nothing when the list is not whole", () => {
    const history = new CounterHistory();
    history.add(round(0, { PortRcvErrors: 40 }));
    expect(history.add(round(60, {}, { whole: false }))).toEqual([]);
    expect(history.add(round(120, {}))).toMatchObject([{ counter: "PortRcvErrors", value: 0 }]);
  });

  it("keeps no congestion", () => {
    const history = new CounterHistory();
    history.add(round(0, {}));
    expect(history.add(round(60, { PortXmitWait: 4_000_000 }))).toEqual([]);
    expect(history.all()).toEqual([]);
  });

  it("stays within its bounds, and says what it left out", () => {
    const history = new CounterHistory({ series: 2, points: 3 });
    for (let n = 1; n <= 10; n += 1) {
      history.add({
        at: n,
        whole: true,
        ports: [1, 2, 3, 4].map((port) => ({ guid, port, counters: { SymbolErrorCounter: n } })),
      });
    }
    const all = history.all();
    expect(all.map(({ port }) => port)).toEqual([1, 2]);
    expect(all.map(({ points, cut }) => [points.map(({ value }) => value), cut])).toEqual([
      [[8, 9, 10], true],
      [[8, 9, 10], true],
    ]);
    expect(history.dropped).toBe(2);
  });
});
