import { describe, expect, it } from "vitest";
import { exportName, exportText, resultRow } from "../../../shared/contract/results-export.ts";
import type { MeasurementSummary } from "../../../shared/contract/views.ts";
import { titleInside } from "../../../shared/measure/sweep-select.ts";
import { filterHistory, toggledWord } from "../../../renderer/views/measure/history-rows.ts";
import { cellKey, roundsText, shortNames, sweepStrips } from "../../../renderer/views/measure/sweep-words.ts";
import { sweepTimeText, timeText } from "../../../shared/measure/sweep-time.ts";

const run: MeasurementSummary = {
  id: "1",
  at: "2026-11-29T12:00:00.000Z",
  link: "0x0000000000000001:1",
  linkName: "=HYPERLINK(1) to spine-1:1",
  source: "mgmt-01",
  simulated: false,
  clientHost: "@n001",
  serverHost: "n002",
  bandwidthGbps: 121.4,
  latencyUs: null,
  expectedGbps: 200,
  percent: 60.7,
  level: "slow",
  sentence: 'Slow, "really".',
  route: "proven",
  share: 0.996,
  sweep: "s1",
};
const head = { title: "Host links of leaf/03", exportedAt: "2026-11-29T12:00:00.000Z" };

describe("words of sweeps", () => {
  it("begin small inside a sentence, but never change the name of a link", () => {
    expect(["Host links of Leaf-3", "Links of n1", "Leaf-3:1 to n1:1", "3 links"].map(titleInside)).toEqual([
      "host links of Leaf-3",
      "links of n1",
      "Leaf-3:1 to n1:1",
      "3 links",
    ]);
  });

  it("write times, rounds and heads of columns short", () => {
    expect([9, 80, 3900].map(timeText)).toEqual(["9 s", "1 min 20 s", "1 h 05 min"]);
    expect(sweepTimeText({ seconds: 200, secondsMost: 200 })).toBe("3 min 20 s");
    expect(sweepTimeText({ seconds: 24, secondsMost: 96 })).toBe("24 to 96 s");
    expect(sweepTimeText({ seconds: 200, secondsMost: 800 })).toBe("3 to 14 min");
    expect(sweepTimeText({ seconds: 1200, secondsMost: 4800 })).toBe("20 min to 1 h 20 min");
    expect(roundsText({ rounds: 16, lowerBound: 16 })).toBe("16 rounds, as few as possible");
    expect(roundsText({ rounds: 18, lowerBound: 16 })).toBe("18 rounds, at least 16 are needed");
    expect(shortNames(["leaf-01", "leaf-02", "leaf-10"])).toEqual(["01", "02", "10"]);
    expect(shortNames(["only"])).toEqual(["only"]);
  });
});

describe("the picture of a sweep", () => {
  it("has every link in a line of one height, the switch named on its first", () => {
    const links = Array.from({ length: 30 }, (_, i) => `0x0000000000000001:${i + 1}` as const);
    const cells = new Map([
      [cellKey("leaf-1", ""), links.slice(0, 26)],
      [cellKey("leaf-2", ""), links.slice(26)],
    ]);
    const strips = sweepStrips({ rows: ["leaf-1", "leaf-2"], columns: [], cells });
    expect(strips.map(({ name }) => name)).toEqual(["leaf-1", "", "", "leaf-2"]);
    expect(strips.flatMap((strip) => strip.links)).toEqual(links);
  });
});

describe("the history", () => {
  it("is filtered by proof and by the title of a sweep", () => {
    const titles = new Map([["s1", "Host links of leaf-03"]]);
    expect([...filterHistory([run], "proven sweep leaf-03", titles)]).toEqual([0]);
    expect([...filterHistory([run], "elsewhere", titles)]).toEqual([]);
    expect(toggledWord("slow proven", "slow")).toBe("proven");
    expect(toggledWord("proven", "slow")).toBe("proven slow");
  });

  it("is exported with a head row, no formulas, and says simulated in name and content", () => {
    const rows = [resultRow(run), resultRow({ ...run, simulated: true })];
    expect(exportName("csv", [resultRow(run)], head)).toBe("host-links-of-leaf-03-2026-11-29.csv");
    expect(exportName("csv", rows, head)).toBe("host-links-of-leaf-03-2026-11-29-simulated.csv");
    const [note, names, first] = exportText("csv", rows, head).split("\r\n");
    expect(note).toMatch(/^# SIMULATED.*1 of 2 rows/);
    expect(names).toMatch(/^link,linkName,/);
    expect(first).toContain(",'=HYPERLINK(1) to spine-1:1,'@n001,n002,slow,121.4,200,60.7,,true,");
    expect(exportText("csv", [resultRow(run)], head)).toMatch(/^link,linkName,/);
    expect(JSON.parse(exportText("json", [resultRow(run)], head))).not.toHaveProperty("watermark");
  });
});
