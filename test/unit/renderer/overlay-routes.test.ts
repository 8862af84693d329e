import { describe, expect, it } from "vitest";
import { tablesCost } from "../../../shared/analyse/routes/cost.ts";
import { at, linkKind } from "../../../shared/fabric/access.ts";
import { holdHere } from "../../../electron/threads/held-thread.ts";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { amountClasses, amountLabel, busierWay } from "../../../renderer/graph/overlay-routes.ts";
import { classify } from "../../../renderer/graph/overlay.ts";
import { must } from "../../support/ssh-dependencies.ts";
import { fixtures, understandFolder } from "../../support/understand.ts";

const { signal } = new AbortController();

function held() {
  const { fabric, analysis } = understandFolder("ib/sim/ft2-32");
  const file = "dump_fts.txt";
  const bytes = new Uint8Array(readFileSync(join(fixtures, "ib/sim/ft2-32", file)));
  return {
    fabric,
    analysis,
    held: holdHere({ name: "ft2-32", fabric, analysis, limits: {}, tables: [{ file, bytes }] }),
  };
}

describe("the overlay of routes", () => {
  it("sorts numbers into at most five classes that follow each other, with about as many in each", () => {
    expect(amountClasses([3, 3, 4, 0])).toEqual([
      { from: 3, to: 3 },
      { from: 4, to: 4 },
    ]);
    const classes = amountClasses(Array.from({ length: 100 }, (_, i) => i + 1));
    expect(classes.map(amountLabel)).toEqual(["1–20", "21–40", "41–60", "61–80", "81–100"]);
    // One number that most have takes its class alone; nothing is in two.
    expect(amountClasses([1, 2, 2, 2, 2, 2, 2, 3, 4, 5, 6]).map(amountLabel)).toEqual(["1–2", "3", "4", "5", "6"]);
    expect(amountClasses([])).toEqual([]);
  });

  it("puts each cable between switches into the class of its busier direction, and counts every link once", async () => {
    const { fabric, analysis, held: fabricHeld } = held();
    const routes = must(await fabricHeld.ask("routes", null, { what: "", signal }));
    expect(routes).toMatchObject({ tables: 12, switches: 12, unreachable: 0, unknown: 0, creditLoops: 0 });
    const input = { fabric, analysis, measured: new Map(), passPercent: 95 };
    const { classes, ofLink } = classify("routes", { ...input, routes });
    expect(classes.reduce((sum, { count }) => sum + count, 0)).toBe(fabric.links.count + analysis.missingLinks.length);
    const ranges = classes.map(({ label }) => label.split("–").map(Number));
    for (let link = 0; link < fabric.links.count; link += 1) {
      const look = classes[at(ofLink, link)];
      if (linkKind(fabric, link) !== "inter-switch") expect(look?.id).toBe("other");
      else {
        const [from = 0, to = from] = ranges[at(ofLink, link)] ?? [];
        const { destinations } = busierWay(routes, link);
        expect(destinations).toBeGreaterThanOrEqual(from);
        expect(destinations).toBeLessThanOrEqual(to);
      }
    }
    expect(classify("routes", input).classes.map(({ id }) => id)).toEqual(["unknown"]);
  });

  it("lists the pairs of a link, all that are counted when they are few, and finds them by host name", async () => {
    const { fabric, held: fabricHeld } = held();
    const link = Array.from({ length: fabric.links.count }, (_, i) => i).find(
      (i) => linkKind(fabric, i) === "inter-switch",
    );
    const id = `0x${(fabric.nodes.guid[at(fabric.ports.node, at(fabric.links.a, link ?? 0))] ?? 0n).toString(16).padStart(16, "0")}:${at(fabric.ports.number, at(fabric.links.a, link ?? 0))}`;
    const all = must(await fabricHeld.ask("across", { link: id, filter: "" }, { what: "", signal }));
    for (const way of all) {
      expect(way.matching).toBe(way.pairs);
      expect(way.list).toHaveLength(Math.min(200, way.pairs));
    }
    const [first] = all;
    const pair = first?.list[0];
    expect(pair).toBeDefined();
    const nothing = must(await fabricHeld.ask("across", { link: id, filter: "no such host" }, { what: "", signal }));
    expect(nothing.map(({ matching, list }) => [matching, list])).toEqual([
      [0, []],
      [0, []],
    ]);
  });

  it("says before it is asked for what reading the tables costs", () => {
    expect(tablesCost(held().fabric).words).toMatch(/^12 switches for \d+ LIDs, about 1 s$/);
  });
});
