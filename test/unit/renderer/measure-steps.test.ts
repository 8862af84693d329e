import { describe, expect, it } from "vitest";
import type { Measurement, RunRecord } from "../../../shared/measure/types.ts";
import { sizeTables, stepRows } from "../../../renderer/views/measure/step-rows.ts";
import { loadedText } from "../../../renderer/views/measure/words.ts";
import { defaultMeasureOptions } from "../../../shared/measure/types.ts";

const side = { host: "n018", commandLine: "", stdout: "", stderr: "" };

function run(id: string, title: string, more: Partial<RunRecord>, both = false): RunRecord {
  return {
    tool: "ib_write_bw",
    step: { id, title, queuePairs: 4, bidirectional: both },
    startedAt: "",
    durationMs: 1,
    client: side,
    server: side,
    bandwidth: [],
    latency: [],
    ...more,
  };
}

const row = (averageGbps: number, bytes = 65536) => ({ bytes, averageGbps, iterations: 1, msgRateMpps: 1, line: 1 });

function record(runs: readonly RunRecord[]): Measurement {
  const end = { host: "n018", nodeGuid: "", node: 0, port: 1, portGuid: "", lid: 1 };
  return {
    version: 1,
    id: "m",
    at: "",
    source: { kind: "ssh", label: "x", simulated: false },
    link: "0x00000000000000a0:1",
    linkName: "a to b",
    client: end,
    server: end,
    path: [],
    basis: "host-link",
    options: defaultMeasureOptions,
    runs,
    expectedGbps: 200,
    verdict: { level: "good", sentence: "", next: [] },
    versions: {},
  };
}

describe("steps as rows", () => {
  it("judges both directions against twice the rate of one", () => {
    const rows = stepRows(
      record([
        run("qp-1", "bandwidth with 1 QP", { bandwidth: [row(100)] }),
        run("both-ways", "bandwidth of both directions", { bandwidth: [row(300)] }, true),
      ]),
    );
    expect(rows).toEqual([
      { id: "qp-1", title: "Bandwidth with 1 QP", gbps: 100, percent: 50, failed: false },
      { id: "both-ways", title: "Bandwidth of both directions", gbps: 300, percent: 75, failed: false },
    ]);
  });

  it("shows latencies with their slowest, and a step that failed", () => {
    const latency = [{ bytes: 2, iterations: 1, avgUs: 6, p99Us: 12, line: 1 }];
    const error = { kind: "cancelled", what: "x" } as const;
    const rows = stepRows(
      record([run("latency-loaded", "latency under load", { latency }), run("load", "bandwidth beside it", { error })]),
    );
    expect(rows.map(({ us, p99Us, failed }) => [us, p99Us, failed])).toEqual([
      [6, 12, false],
      [undefined, undefined, true],
    ]);
  });

  it("adds nothing to a quick check, and to records of older versions", () => {
    const quick = [run("bandwidth", "bandwidth", { bandwidth: [row(196)] }), run("latency", "latency", {})];
    expect(stepRows(record(quick))).toEqual([]);
    const old = quick.map(({ step, ...rest }) => (step === undefined ? rest : rest));
    expect(stepRows(record(old))).toEqual([]);
    expect(sizeTables(record(quick))).toEqual([]);
  });

  it("lists all sizes with their share of the best", () => {
    const swept = record([
      run("bandwidth", "bandwidth", { bandwidth: [row(1, 2), row(200, 65536), row(100, 131072)] }),
    ]);
    expect(sizeTables(swept)).toEqual([
      {
        unit: "Gb/s",
        rows: [
          { bytes: 2, value: 1, share: 0.005 },
          { bytes: 65536, value: 200, share: 1 },
          { bytes: 131072, value: 100, share: 0.5 },
        ],
      },
    ]);
  });

  it("says how much the load adds", () => {
    expect(loadedText({ latencyUs: 1.5, loadedLatencyUs: 6, loadedLatencyP99Us: 12.4 })).toBe(
      "6.00 µs avg, 12.40 µs p99, 4.0 times idle",
    );
    expect(loadedText({ latencyUs: 1.5 })).toBe("");
  });
});
