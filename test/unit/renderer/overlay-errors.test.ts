import { describe, expect, it } from "vitest";
import { classify } from "../../../renderer/graph/overlay.ts";
import { errorGrowthOfLinks } from "../../../renderer/graph/overlay-errors.ts";
import { at } from "../../../shared/fabric/access.ts";
import { type LimitChanges, thresholdsOf } from "../../../shared/analyse/limits.ts";
import type { CounterReading } from "../../../shared/fabric/counters.ts";
import type { Fabric } from "../../../shared/fabric/model.ts";
import { simulatedView } from "./tables-fabric.ts";

const view = simulatedView("healthy");
const { count } = view.fabric.ports;
const reading = (takenAt: number, values: CounterReading["values"] = {}, told = 1): CounterReading => ({
  ...{ takenAt, values },
  told: new Uint8Array(count).fill(told),
});

function grown(amounts: readonly (readonly [number, number])[]): Fabric {
  const column = new Float64Array(count);
  for (const [port, amount] of amounts) column[port] = amount;
  return {
    ...view.fabric,
    counters: { earlier: reading(1), latest: reading(3_600_001, { SymbolErrorCounter: column }) },
  };
}

const limitsOf = (changes: LimitChanges) => thresholdsOf(changes).counters;

describe("the overlay of errors", () => {
  it("adds up the growth of both ends between two readings, and colours by the limit", () => {
    const fabric = grown([
      [at(view.fabric.links.a, 0), 4],
      [at(view.fabric.links.b, 0), 5],
      [at(view.fabric.links.a, 1), 11],
    ]);
    const errors = errorGrowthOfLinks(fabric, undefined, limitsOf({}));
    expect([...errors.perHour.slice(0, 3)].map(Math.round)).toEqual([9, 11, 0]);
    const input = { fabric, analysis: view.analysis, measured: new Map(), passPercent: 95 };
    const { classes, ofLink } = classify("errors", { ...input, errors });
    expect([0, 1, 2].map((link) => classes[ofLink[link] ?? 0]?.id)).toEqual(["grows", "beyond", "none"]);
    expect(classes.map(({ id, count: links }) => [id, links])).toEqual([
      ["none", fabric.links.count - 2],
      ["grows", 1],
      ["beyond", 1],
    ]);
  });

  it("knows nothing after one reading, nor of ports that were not read", () => {
    const one = { ...view.fabric, counters: { latest: reading(5) } };
    expect([...errorGrowthOfLinks(one, undefined, limitsOf({})).perHour].every(Number.isNaN)).toBe(true);
    const silent = { ...view.fabric, counters: { earlier: reading(1, {}, 0), latest: reading(3_600_001, {}, 0) } };
    const errors = errorGrowthOfLinks(silent, undefined, limitsOf({}));
    const { classes } = classify("errors", {
      ...{ fabric: silent, analysis: view.analysis, measured: new Map(), passPercent: 95 },
      errors,
    });
    expect(classes.map(({ id }) => id)).toEqual(["unknown"]);
  });

  it("takes what a watch saw before two collections, and no errors that other places make", () => {
    const port = at(view.fabric.links.a, 4);
    const seen = [
      { port, counter: "SymbolErrorCounter", perHour: 30 },
      { port, counter: "VL15Dropped", perHour: 500 },
    ] as const;
    const { perHour } = errorGrowthOfLinks(grown([[at(view.fabric.links.a, 0), 4]]), seen, limitsOf({}));
    expect(perHour[4]).toBe(30);
    expect(perHour[0]).toBe(0);
  });

  it("judges each counter by its own limit, and says so where they differ", () => {
    const ends = [at(view.fabric.links.a, 0), at(view.fabric.links.a, 1), at(view.fabric.links.a, 2)] as const;
    const seen = [
      { port: ends[0], counter: "PortRcvErrors", perHour: 30 },
      { port: ends[1], counter: "SymbolErrorCounter", perHour: 30 },
      { port: ends[2], counter: "PortRcvErrors", perHour: 101 },
    ] as const;
    const errors = errorGrowthOfLinks(view.fabric, seen, limitsOf({ PortRcvErrors: { error: 100 } }));
    const { classes, ofLink } = classify("errors", {
      ...{ fabric: view.fabric, analysis: view.analysis, measured: new Map(), passPercent: 95, errors },
    });
    expect([0, 1, 2].map((link) => classes[ofLink[link] ?? 0]?.label)).toEqual([
      "within the limits",
      "above a limit",
      "above a limit",
    ]);
  });
});
