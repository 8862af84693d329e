import { describe, expect, it } from "vitest";
import { defaultMeasureOptions, type MeasurePlan } from "../../../shared/measure/types.ts";
import { planMeasurement } from "../../../shared/measure/plan.ts";
import { assert } from "../../../shared/base/assert.ts";
import { damagedText, filterHistory, historySortKey } from "../../../renderer/views/measure/history-rows.ts";
import { commandLines, isChanged, loadText, passText, stepText } from "../../../renderer/views/measure/plan-words.ts";
import { basisText } from "../../../renderer/views/measure/proof-words.ts";
import {
  bytesText,
  expectedText,
  fileSizeText,
  latencyNumber,
  levelHealth,
  percentText,
  rateNumber,
  settingsText,
} from "../../../renderer/views/measure/words.ts";
import { firstLineOf, pageLines, pageOfLine, pagesOfRange } from "../../../renderer/views/output/pages.ts";
import { findingTitled, linkNamed, result, simulatedView } from "./tables-fabric.ts";

const view = simulatedView();

function plan(link: number, options: Partial<typeof defaultMeasureOptions> = {}): MeasurePlan {
  const planned = planMeasurement(view.fabric, view.analysis, {
    link,
    fabricId: "f",
    planId: "p",
    options: { ...defaultMeasureOptions, ...options },
    simulated: true,
  });
  assert(planned.ok, "a plan");
  return planned.value;
}

describe("numbers", () => {
  it("are written as the field reads them", () => {
    expect(percentText(60.7)).toBe("61\u00a0%");
    expect([rateNumber(121.44), rateNumber(0.0664), rateNumber(0)]).toEqual(["121.4", "0.066", "0"]);
    expect([latencyNumber(1.708), latencyNumber(1234.5)]).toEqual(["1.71", "1234.5"]);
    expect([bytesText(65536), bytesText(2), bytesText(1048576), bytesText(1500)]).toEqual([
      "64 KiB",
      "2 B",
      "1 MiB",
      "1500 B",
    ]);
    expect([fileSizeText(812), fileSizeText(34_816), fileSizeText(1_300_000)]).toEqual(["812 B", "34 KiB", "1.2 MiB"]);
    expect([expectedText(200), expectedText(0)]).toEqual(["of 200 Gb/s", "rate not known"]);
  });

  it("name the settings of a run", () => {
    expect(settingsText(defaultMeasureOptions)).toBe("RDMA write, 64 KiB, 4 QPs, 10 s");
    expect(settingsText({ ...defaultMeasureOptions, queuePairs: 1, bidirectional: true })).toBe(
      "RDMA write, 64 KiB, 1 QP, 10 s, both directions",
    );
    expect(settingsText({ ...defaultMeasureOptions, preset: "latency" })).toBe("Send, 2 B, 5,000 times");
  });

  it("show a cancelled run as unknown, never as good or bad", () => {
    expect(levelHealth("cancelled")).toBe("unknown");
    expect(levelHealth("fair")).toBe("warning");
  });
});

describe("a plan in words", () => {
  const narrow = plan(findingTitled(view, "Width below capability").link);

  it("names links, hosts and seconds before it loads the fabric", () => {
    const { fills } = loadText(narrow);
    expect(fills).toBe(
      `This fills 4 links and the HCAs of ${narrow.client.host} and ${narrow.server.host} for about 10 s.`,
    );
    expect(loadText(plan(findingTitled(view, "Width below capability").link, { preset: "latency" })).felt).toContain(
      "hardly",
    );
  });

  it("says from which rate it passes and which hop limits it", () => {
    expect(passText(narrow, 95)).toBe("95 Gb/s, 95\u00a0% of the slowest hop, which is this link");
    expect(passText({ ...narrow, options: { ...narrow.options, bidirectional: true } }, 90)).toContain("180 Gb/s");
    expect(passText({ ...narrow, slowestGbps: 0 }, 95)).toBeUndefined();
  });

  it("says how sure the path is", () => {
    expect(basisText(narrow)).toBe("by shortest path, not proven");
    const host = plan(linkNamed(view.fabric, "leaf-02:3 "));
    expect(basisText(host)).toBe("every route of n011 crosses it");
    expect(basisText({ ...narrow, basis: "routes" })).toBe("by the forwarding tables");
    const traced = { commandLine: "ibtracert 1 2", crosses: true, othersTraced: 0 };
    expect(basisText({ ...narrow, traced })).toBe("by ibtracert before the run");
    expect(basisText({ ...narrow, traced: { ...traced, crosses: false } })).toBe("by shortest path, not proven");
  });

  it("gives the numbers of each step", () => {
    const { link } = findingTitled(view, "Width below capability");
    const planned = (options: Partial<typeof defaultMeasureOptions>) => plan(link, options).steps.map(stepText);
    expect(planned({})).toEqual([
      expect.stringMatching(/^Bandwidth n\d+ to n\d+: 64 KiB messages, 4 QPs$/),
      expect.stringMatching(/^Latency n\d+ to n\d+: 2 B messages, 5,000 times$/),
    ]);
    expect(planned({ preset: "loaded" })[1]).toMatch(
      /^Latency under load .*: 2 B messages, 5,000 times, beside ib_write_bw \(64 KiB messages, 4 QPs\)$/,
    );
    expect(planned({ preset: "bandwidth", sizeIterations: 1000 })[0]).toMatch(
      /: 2 B to 8 MiB, 1,000 messages each, 4 QPs$/,
    );
    expect(planned({ preset: "bandwidth", bandwidthTool: "ib_read_bw" })[0]).toMatch(/^Read bandwidth n\d+ from n\d+/);
  });

  it("lists every command with its host, the server's first", () => {
    const lines = commandLines(narrow);
    expect(lines).toHaveLength(4);
    expect(lines[0]?.host).toBe(narrow.server.host);
    expect(lines[1]?.line.endsWith(narrow.server.host)).toBe(true);
  });

  it("notices changed settings", () => {
    expect(isChanged(defaultMeasureOptions)).toBe(false);
    expect(isChanged({ ...defaultMeasureOptions, gidIndex: 3 })).toBe(true);
  });
});

describe("the history", () => {
  const history = [result(view, 0, 61), { ...result(view, 1, 98), simulated: false, bandwidthGbps: null }];

  it("is found by link, host, source, verdict and whether it is simulated", () => {
    expect([...filterHistory(history, "simulated n001")]).toEqual([0]);
    expect([...filterHistory(history, "real")]).toEqual([1]);
    expect([...filterHistory(history, "slow")]).toEqual([0]);
  });

  it("sorts what has no number last", () => {
    expect(historySortKey(history, "gbps")).toEqual([122, NaN]);
  });

  it("says how many records are damaged", () => {
    expect([damagedText(0), damagedText(1)]).toEqual([
      "",
      "1 record of the history could not be read and is left out.",
    ]);
    expect(damagedText(3)).toMatch(/^3 records/);
  });
});

describe("pages of a raw output", () => {
  it("hold a whole number of lines, from 1", () => {
    expect([pageOfLine(1), pageOfLine(pageLines), pageOfLine(pageLines + 1)]).toEqual([0, 0, 1]);
    expect(firstLineOf(1)).toBe(pageLines + 1);
    expect(pagesOfRange(pageLines - 1, pageLines + 2)).toEqual([0, 1]);
  });
});
