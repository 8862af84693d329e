import { describe, expect, it } from "vitest";
import { formatPercent, judge } from "../../../shared/measure/judge.ts";
import type { JudgeInput } from "../../../shared/measure/judge-input.ts";
import { defaultMeasureOptions, type PathHop } from "../../../shared/measure/types.ts";
import type { BandwidthRow, LatencyRow } from "../../../shared/parse/records.ts";

function hop(index: number, gbps: number): PathHop {
  return {
    link: `0x000000000000000${index}:1`,
    linkIndex: index,
    fromNode: index,
    fromName: `node-${index}`,
    fromPort: 1,
    toNode: index + 1,
    toName: `node-${index + 1}`,
    toPort: 2,
    gbps,
  };
}

function bandwidth(averageGbps: number, bytes = 65536): BandwidthRow {
  return { bytes, iterations: 1000, averageGbps, msgRateMpps: 0.1, line: 1 };
}

function latency(avgUs: number, p99Us = avgUs): LatencyRow {
  return { bytes: 2, iterations: 5000, avgUs, p99Us, line: 1 };
}

function input(rates: readonly number[], more: Partial<JudgeInput> = {}): JudgeInput {
  return {
    path: rates.map((gbps, index) => hop(index, gbps)),
    link: 1,
    linkName: "leaf-03:38 to spine-6:3",
    basis: "shortest-path",
    clientHost: "n018",
    serverHost: "n065",
    options: defaultMeasureOptions,
    passPercent: 95,
    ...more,
  };
}

const hdr = [200, 200, 200, 200];

describe("judging a bandwidth", () => {
  it("says of a link below what its ends support that the number is as expected of how it runs, and where that stands", () => {
    const below = { couldGbps: 200, finding: "Width below capability" } as const;
    const path = input([200, 100, 200]).path.map((one) => (one.linkIndex === 1 ? { ...one, below } : one));
    const own = judge(input([], { path, bandwidth: bandwidth(98) })).verdict;
    expect(own.level).toBe("good");
    expect(own.sentence).toContain(
      "Both ends of leaf-03:38 to spine-6:3 support 200 Gb/s; it runs below that at 100: see its finding “Width below capability”.",
    );
    const other = judge(
      input([], { path, link: 0, linkName: "n018:1 to leaf-03:1", bandwidth: bandwidth(98) }),
    ).verdict;
    expect(other.sentence).toContain("The path is capped by node-1:1 to node-2:2");
    expect(other.sentence).toContain("Both ends of node-1:1 to node-2:2 support 200 Gb/s");
    // One that does not set the limit, or a number that is not judged, says nothing of it.
    const fast = input([200, 100, 200]).path.map((one) => (one.linkIndex === 0 ? { ...one, below } : one));
    for (const quiet of [
      judge(input([], { path: fast, bandwidth: bandwidth(98) })),
      judge(input([], { path, bandwidth: bandwidth(9, 64) })),
      judge(input([], { path, latency: latency(1.6) })),
    ])
      expect(quiet.verdict.sentence).not.toContain("support");
  });

  // Numbers of public and own samples: rate of the slowest cable, average, level.
  it.each([
    ["HDR, 16 KiB messages", 200, 197.6, "good"],
    ["HDR, loopback inside one card", 200, 201.8, "good"],
    ["HDR to GPU memory", 200, 180, "fair"],
    ["EDR", 100, 98.4, "good"],
    ["RoCE 100 with an MTU of 1024", 100, 92.5, "fair"],
    ["RoCE 100, read", 100, 87, "slow"],
    ["NDR write", 400, 392.3, "good"],
    ["NDR read", 400, 328.6, "slow"],
    ["FDR", 54.56, 54, "good"],
    ["a sick HDR cable", 200, 121.4, "bad"],
    ["a cable of an emulated adapter", 200, 0.1, "bad"],
    ["exactly at the pass line", 200, 190, "good"],
    ["just below it", 200, 189.9, "fair"],
    ["exactly at 90 %", 200, 180, "fair"],
    ["exactly at 70 %", 200, 140, "slow"],
    ["just below 70 %", 200, 139.9, "bad"],
  ] as const)("%s: %d Gb/s, measured %d, is %s", (_, rate, measured, level) => {
    const judged = judge(input([rate, rate, rate], { bandwidth: bandwidth(measured) }));
    expect(judged.verdict.level).toBe(level);
    expect(judged).toMatchObject({ bandwidthGbps: measured, expectedGbps: rate });
    expect(judged.percent).toBeCloseTo((measured / rate) * 100);
  });

  it("says the number, its share and the next steps", () => {
    const { verdict } = judge(input(hdr, { bandwidth: bandwidth(121.4) }));
    expect(verdict.sentence).toBe("121.4 Gb/s, 61\u00a0% of 200 Gb/s: bad.");
    expect(verdict.next).toEqual([
      "Measure leaf-03:38 to spine-6:3 with another pair, and the same hosts over a parallel cable: the cable is to blame when only what crosses it is slow.",
      "Look at the error counters of node-1:1 and node-2:2: if they grow, clean and reseat both ends, then swap the cable.",
      "On n018 and n065 check the PCIe width and speed of the adapter and that the test ran on its NUMA node.",
    ]);
  });

  it("has nothing to do after a good result", () => {
    const { verdict } = judge(input(hdr, { bandwidth: bandwidth(196.8) }));
    expect(verdict).toEqual({ level: "good", sentence: "196.8 Gb/s, 98\u00a0% of 200 Gb/s: as expected.", next: [] });
  });

  it("judges against the slowest cable and names it when it is not the measured one", () => {
    const judged = judge(input([200, 200, 100, 200], { bandwidth: bandwidth(98.9) }));
    expect(judged).toMatchObject({ expectedGbps: 100, verdict: { level: "good" } });
    expect(judged.verdict.sentence).toContain(
      "The path is capped by node-2:1 to node-3:2 at 100 Gb/s; leaf-03:38 to spine-6:3 can carry 200.",
    );
    const itself = judge(input([200, 100, 200, 200], { bandwidth: bandwidth(98.9) }));
    expect(itself.verdict.sentence).not.toContain("capped");
  });

  it("counts both directions when both were measured", () => {
    const options = { ...defaultMeasureOptions, bidirectional: true };
    const judged = judge(input([400, 400, 400], { options, bandwidth: bandwidth(779) }));
    expect(judged).toMatchObject({ expectedGbps: 800, verdict: { level: "good" } });
    expect(judged.verdict.sentence).toContain("97\u00a0% of 800 Gb/s in both directions");
  });

  it("does not believe more than the path can carry", () => {
    const far = judge(input(hdr, { bandwidth: bandwidth(395) }));
    expect(far.verdict.level).toBe("fair");
    expect(far.verdict.sentence).toContain("more than the slowest cable of the path can carry");
    expect(far.verdict.next[0]).toContain("another of the equally short ways");
    expect(far.verdict.next.join(" ")).toMatch(/two machines.*two directions/);
    const host = judge(input(hdr, { basis: "host-link", bandwidth: bandwidth(395) }));
    expect(host.verdict.next.join(" ")).not.toContain("equally short ways");
    // 102 % is the limit: a loopback inside a card has shown 100.9 %.
    expect(judge(input(hdr, { bandwidth: bandwidth(204) })).verdict.level).toBe("good");
    expect(judge(input(hdr, { bandwidth: bandwidth(204.1) })).verdict.level).toBe("fair");
  });

  it.each([
    [98.5, "a half"],
    [49.4, "a quarter"],
  ])("thinks of width, PCIe and MTU at %d of 200 Gb/s", (measured, word) => {
    const { next } = judge(input(hdr, { bandwidth: bandwidth(measured) })).verdict;
    expect(next[0]).toContain(`about ${word} of the rate`);
    expect(next[0]).toMatch(/width.*PCIe.*MTU/);
  });

  it("does not think of a half at 61 %", () => {
    expect(judge(input(hdr, { bandwidth: bandwidth(121.4) })).verdict.next.join(" ")).not.toContain("of the rate");
  });

  it("blames a single queue pair and small messages before the cable", () => {
    const options = { ...defaultMeasureOptions, queuePairs: 1 };
    const { next } = judge(input([400, 400, 400], { options, bandwidth: bandwidth(300) })).verdict;
    expect(next[0]).toContain("4 queue pairs");
    expect(next[1]).toContain("1 MiB");
    const good = judge(input([400, 400, 400], { options, bandwidth: bandwidth(392) })).verdict;
    expect(good.next).toEqual([]);
  });

  it("asks for another partner after a slow host link", () => {
    const { next } = judge(input([200, 200], { basis: "host-link", bandwidth: bandwidth(150) })).verdict;
    expect(next[0]).toContain("with another partner");
  });

  it("does not judge small messages: they are bound by their number", () => {
    const options = { ...defaultMeasureOptions, bytes: 4096 };
    const judged = judge(input(hdr, { options, bandwidth: bandwidth(35.2, 4096) }));
    expect(judged.percent).toBeUndefined();
    expect(judged.verdict.sentence).toBe(
      "35.2 Gb/s with messages of 4 KiB. Not judged: small messages are bound by their number, not by the link.",
    );
  });

  it("does not judge a path whose rates nobody knows", () => {
    const judged = judge(input([0, 0], { bandwidth: bandwidth(98) }));
    expect(judged).toMatchObject({ expectedGbps: 0, bandwidthGbps: 98 });
    expect(judged.percent).toBeUndefined();
    expect(judged.verdict.sentence).toContain("Not judged");
  });

  it("leaves cables of unknown rate aside", () => {
    expect(judge(input([200, 0, 100], { bandwidth: bandwidth(98) })).expectedGbps).toBe(100);
  });

  it("moves its bands with the pass line of the settings", () => {
    const at = (passPercent: number, measured: number) =>
      judge(input(hdr, { passPercent, bandwidth: bandwidth(measured) })).verdict.level;
    expect(at(98, 196)).toBe("good");
    expect(at(99, 196)).toBe("fair");
    expect(at(80, 160)).toBe("good");
    expect(at(80, 159)).toBe("slow");
  });

  it("never rounds a number over its limit", () => {
    expect(formatPercent(94.96, 95)).toBe("94.9\u00a0%");
    expect(formatPercent(95.4, 95)).toBe("95\u00a0%");
    expect(formatPercent(69.7, 95)).toBe("69.7\u00a0%");
    expect(formatPercent(60.7, 95)).toBe("61\u00a0%");
  });
});

describe("judging a latency", () => {
  // Hops: cables minus one.
  it.each([
    [[100, 100], 1.27, "good", "excellent"],
    [[200, 200], 1.99, "good", "excellent"],
    [[200, 200], 2.1, "fair", "higher than one switch explains"],
    [hdr, 1.71, "good", "excellent"],
    [hdr, 3.2, "good", "good"],
    [hdr, 5, "fair", "high"],
    [[200, 200], 7, "fair", "high"],
    [hdr, 10.1, "bad", "far too high"],
    [hdr, 51, "bad", "hardly RDMA"],
  ] as const)("over the cables %j, %d µs is %s: %s", (rates, average, level, words) => {
    const judged = judge(input(rates, { latency: latency(average) }));
    expect(judged.verdict.level).toBe(level);
    expect(judged.verdict.sentence).toContain(words);
    expect(judged).toMatchObject({ latencyUs: average, latencyP99Us: average });
  });

  it("says average, percentile and switches", () => {
    expect(judge(input(hdr, { latency: latency(1.71, 1.94) })).verdict.sentence).toBe(
      "Latency 1.71 µs average, 1.94 µs at 99\u00a0%, over 3 switches: excellent.",
    );
  });

  it("points at noise on the hosts when the percentile is far above the average", () => {
    const noisy = judge(input(hdr, { latency: latency(1.7, 16) })).verdict;
    expect(noisy.level).toBe("good");
    expect(noisy.next).toEqual([expect.stringContaining("interrupts and power saving on n018 and n065")]);
  });

  it("lets the worse of the two decide", () => {
    const both = (gbps: number, us: number) =>
      judge(input(hdr, { bandwidth: bandwidth(gbps), latency: latency(us) })).verdict.level;
    expect(both(196, 1.7)).toBe("good");
    expect(both(196, 12)).toBe("bad");
    expect(both(150, 1.7)).toBe("slow");
  });
});

describe("judging what did not come to an end", () => {
  it("keeps the number that was measured before a failure", () => {
    const judged = judge(
      input(hdr, {
        bandwidth: bandwidth(196),
        problem: { step: "latency", error: { kind: "connection-lost", host: "n065", during: "x" }, skipped: [] },
      }),
    );
    expect(judged).toMatchObject({ bandwidthGbps: 196, percent: 98, verdict: { level: "failed" } });
    expect(judged.verdict.sentence).toMatch(/^196 Gb\/s, 98.*The latency test gave no result: .*n065/);
    expect(judged.verdict.next.length).toBeGreaterThan(0);
  });

  it("says that the second test was not tried, and why", () => {
    const { verdict } = judge(
      input(hdr, {
        problem: {
          step: "bandwidth",
          error: { kind: "peer-refused", host: "n065", port: 18700, stderr: "" },
          skipped: ["latency"],
        },
      }),
    );
    expect(verdict.sentence).toMatch(/^The bandwidth test gave no result: .*same reason and was not tried\.$/);
  });

  it("calls a cancelled run cancelled, not failed", () => {
    const { verdict } = judge(
      input(hdr, {
        bandwidth: bandwidth(196),
        problem: { step: "latency", error: { kind: "cancelled", what: "ib_send_lat" }, skipped: [] },
      }),
    );
    expect(verdict).toEqual({
      level: "cancelled",
      sentence: "Cancelled during the latency test. Measured before: 196 Gb/s, 98\u00a0% of 200 Gb/s: as expected.",
      next: [],
    });
  });
});
