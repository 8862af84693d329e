import { describe, expect, it } from "vitest";
import { measureOptionsSchema } from "../../../shared/contract/measure-options.ts";
import { headlineOf } from "../../../shared/measure/headline.ts";
import { judge } from "../../../shared/measure/judge.ts";
import { optionsProblem, presetOptions, runStepOf, stepsOf, toolsOf } from "../../../shared/measure/steps.ts";
import {
  defaultMeasureOptions,
  type MeasureOptions,
  type PathHop,
  presets,
  type RunRecord,
} from "../../../shared/measure/types.ts";

const hop: PathHop = {
  link: "0x00000000000000a0:1",
  linkIndex: 0,
  fromNode: 0,
  fromName: "n018",
  fromPort: 1,
  toNode: 1,
  toName: "leaf-03",
  toPort: 1,
  gbps: 200,
};

const side = { host: "n018", commandLine: "", stdout: "", stderr: "" };

/** Runs of all steps: bandwidths and latencies in the order in which they run, the load after what runs beside it. */
function runsOf(options: MeasureOptions, numbers: readonly number[]): readonly RunRecord[] {
  const steps = stepsOf(options).flatMap((step) => (step.load === undefined ? [step] : [step, step.load]));
  return steps.map((step, index) => {
    const number = numbers[index] ?? Number.NaN;
    const shared = { tool: step.tool, step: runStepOf(step), startedAt: "", durationMs: 1, client: side, server: side };
    const row = { bytes: 65536, iterations: 10, msgRateMpps: 1, line: 1 };
    return step.tool.endsWith("_bw")
      ? { ...shared, bandwidth: [{ ...row, averageGbps: number }], latency: [] }
      : { ...shared, bandwidth: [], latency: [{ bytes: 2, iterations: 10, avgUs: number, line: 1 }] };
  });
}

function verdictOf(options: MeasureOptions, runs: readonly RunRecord[]) {
  return judge({
    path: [hop, { ...hop, linkIndex: 1 }],
    link: 0,
    linkName: "leaf-03:1 to n018:1",
    basis: "host-link",
    clientHost: "n018",
    serverHost: "n065",
    options,
    passPercent: 95,
    ...headlineOf(options, runs),
  });
}

describe("steps of a measurement", () => {
  it("are those that practitioners run, by kind", () => {
    const steps = presets.map((preset) =>
      stepsOf(presetOptions(preset)).map(({ id, tool, load, options }) =>
        [id, tool, load?.tool ?? "", `${options.queuePairs}${options.bidirectional ? "b" : ""}`].join(" "),
      ),
    );
    expect(Object.fromEntries(presets.map((preset, index) => [preset, steps[index]]))).toEqual({
      quick: ["bandwidth ib_write_bw  4", "latency ib_send_lat  4"],
      acceptance: ["bandwidth ib_write_bw  4", "both-ways ib_write_bw  4b", "latency ib_send_lat  4"],
      bandwidth: ["bandwidth ib_write_bw  4"],
      latency: ["latency ib_send_lat  4"],
      loaded: ["latency ib_send_lat  4", "latency-loaded ib_send_lat ib_write_bw 4"],
      deep: ["qp-1 ib_write_bw  1", "qp-4 ib_write_bw  4", "qp-16 ib_write_bw  16", "both-ways ib_write_bw  16b"],
    });
  });

  it("take the tools that were asked for, each named once", () => {
    const options = { ...presetOptions("deep"), bandwidthTool: "ib_read_bw" } as const;
    expect(toolsOf(options)).toEqual(["ib_read_bw"]);
    expect(toolsOf({ ...presetOptions("loaded"), latencyTool: "ib_read_lat" })).toEqual(["ib_read_lat", "ib_write_bw"]);
  });

  it("refuse what does not go together, with the reason", () => {
    const unfit: readonly Partial<MeasureOptions>[] = [
      { preset: "deep", bidirectional: true },
      { preset: "acceptance", sizeIterations: 100 },
      { preset: "loaded", sizeIterations: 100 },
      { preset: "latency", gpu: 0 },
      { preset: "quick", bandwidthTool: "raw_ethernet_bw" },
      { preset: "bandwidth", bandwidthTool: "raw_ethernet_bw", bidirectional: true },
      { preset: "bandwidth", bandwidthTool: "raw_ethernet_bw", sizeIterations: 100 },
      { preset: "bandwidth", bandwidthTool: "raw_ethernet_bw", gpu: 0 },
    ];
    const reasons = unfit.map((more) => optionsProblem({ ...defaultMeasureOptions, ...more }));
    expect(reasons.every((reason) => reason !== undefined && reason.length > 20)).toBe(true);
    expect(new Set(reasons).size).toBeGreaterThan(5);
    for (const preset of presets) expect(optionsProblem(presetOptions(preset))).toBeUndefined();
  });

  it("pass the contract with every option", () => {
    const all = {
      ...presetOptions("bandwidth"),
      bandwidthTool: "ib_send_bw",
      latencyTool: "ib_write_lat",
      sizeIterations: 1000,
      mtu: 2048,
      serviceLevel: 3,
      gidIndex: 3,
      gpu: 1,
    } as const;
    expect(measureOptionsSchema.parse(all)).toEqual(all);
    expect(measureOptionsSchema.safeParse({ ...all, mtu: 1500 }).success).toBe(false);
    expect(measureOptionsSchema.safeParse({ ...all, serviceLevel: 16 }).success).toBe(false);
  });
});

describe("the verdict of several steps", () => {
  it("takes the best number of queue pairs, lists the others and says what one queue pair means", () => {
    const options = presetOptions("deep");
    const judged = verdictOf(options, runsOf(options, [120, 196, 197, 390]));
    expect(judged).toMatchObject({ bandwidthGbps: 197, expectedGbps: 200, bothWaysGbps: 390 });
    expect(judged.verdict.level).toBe("good");
    expect(judged.verdict.sentence).toContain("With 1 QP 120, 4 QPs 196, 16 QPs 197 Gb/s.");
    expect(judged.verdict.sentence).toMatch(/390 Gb\/s, 98\u00a0% of 400 Gb\/s in both directions: as expected/);
    expect(judged.verdict.next.join(" ")).toMatch(/One queue pair does not fill the link/);
  });

  it("judges both directions against twice the rate, and points at the hosts when only both are slow", () => {
    const options = presetOptions("acceptance");
    const judged = verdictOf(options, runsOf(options, [196, 230, 1.7]));
    expect(judged.verdict.level).toBe("bad");
    expect(judged.bandwidthGbps).toBe(196);
    expect(judged.verdict.next.join(" ")).toMatch(/Each direction alone is fine and both at once are not.*PCIe/);
    // The way back is another, and a faster one: that is no fault of the sum, nor praise of this path.
    const other = verdictOf(options, runsOf(options, [196, 480, 1.7])).verdict;
    expect(other.level).toBe("good");
    expect(other.sentence).toMatch(/480 Gb\/s in both directions at once: the way back takes faster cables/);
    const well = verdictOf(options, runsOf(options, [196, 388, 1.7])).verdict;
    expect(well.level).toBe("good");
    expect(well.next).toEqual([]);
  });

  it("says both latencies and their ratio", () => {
    const options = presetOptions("loaded");
    const judged = verdictOf(options, runsOf(options, [1.5, 6, 195]));
    expect(judged).toMatchObject({ latencyUs: 1.5, loadedLatencyUs: 6, bandwidthGbps: 195 });
    expect(judged.verdict.sentence).toMatch(/Under load 6\.00 µs average, 4\.0 times the idle one\./);
    expect(judged.verdict.level).toBe("good");
    expect(verdictOf(options, runsOf(options, [1.5, 80, 195])).verdict.level).toBe("fair");
  });

  it("judges the whole round trip of reads by twice the bands of one way", () => {
    const options = { ...presetOptions("latency"), latencyTool: "ib_read_lat" } as const;
    const { verdict, latencyUs } = verdictOf(options, runsOf(options, [3.2]));
    expect(latencyUs).toBe(3.2);
    expect(verdict.level).toBe("good");
    expect(verdict.sentence).toMatch(/^Read latency there and back 3\.20 µs/);
    expect(
      verdictOf({ ...options, latencyTool: "ib_send_lat" }, runsOf(presetOptions("latency"), [3.2])).verdict.level,
    ).toBe("fair");
  });

  it("keeps the numbers before a step that failed, and names what was not tried", () => {
    const options = presetOptions("deep");
    const [first, second] = runsOf(options, [120, 0]);
    const error = { kind: "connection-lost", host: "n065", during: "x" } as const;
    const runs = first === undefined || second === undefined ? [] : [first, { ...second, bandwidth: [], error }];
    const { verdict, bandwidthGbps } = verdictOf(options, runs);
    expect(bandwidthGbps).toBe(120);
    expect(verdict.level).toBe("failed");
    expect(verdict.sentence).toMatch(/The bandwidth with 4 QPs test gave no result/);
    expect(verdict.sentence).toMatch(/The 2 tests after it would fail for the same reason and were not tried/);
  });

  it("takes the best of all sizes, whatever its size", () => {
    const options = { ...presetOptions("bandwidth"), sizeIterations: 100 };
    const [run] = runsOf(options, [0]);
    const row = (bytes: number, averageGbps: number) => ({
      bytes,
      averageGbps,
      iterations: 100,
      msgRateMpps: 1,
      line: 1,
    });
    const rows = [row(2, 0.1), row(32768, 197), row(65536, 196), row(8388608, 190)];
    const judged = verdictOf(options, run === undefined ? [] : [{ ...run, bandwidth: rows }]);
    expect(judged.bandwidthGbps).toBe(197);
    expect(judged.percent).toBeCloseTo(98.5);
    expect(judged.verdict.sentence).toMatch(/at best, with messages of 32 KiB/);
  });
});
