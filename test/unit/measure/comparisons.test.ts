import { describe, expect, it } from "vitest";
import { comparisonsOf, type ComparisonSubject, type PastResult } from "../../../shared/measure/baseline.ts";
import { judge } from "../../../shared/measure/judge.ts";
import type { JudgeInput } from "../../../shared/measure/judge-input.ts";
import { defaultMeasureOptions } from "../../../shared/measure/types.ts";

const subject: ComparisonSubject = {
  link: "0x0000000000000001:38",
  clientHost: "n018",
  serverHost: "n065",
  source: "root@mgmt-01",
  simulated: false,
  expectedGbps: 200,
  hops: 3,
  basis: "routes",
};

function past(gbps: number | null, more: Partial<PastResult> = {}): PastResult {
  return { ...subject, bandwidthGbps: gbps, level: "good", ...more };
}

describe("what a result is compared with", () => {
  it("is the median of the last five good runs of the same path", () => {
    const runs = [190, 196, 197, 198, 199, 100].map((gbps) => past(gbps));
    expect(comparisonsOf(runs, subject).baseline).toEqual({ gbps: 197, runs: 5 });
  });

  it("leaves out what is not the same: failed runs, other hosts, fabrics, rates, simulated ones", () => {
    const others = [
      past(120, { level: "slow" }),
      past(null, { level: "failed" }),
      past(150, { serverHost: "n066" }),
      past(151, { source: "root@mgmt-02" }),
      past(390, { expectedGbps: 400 }),
      past(152, { simulated: true }),
    ];
    expect(comparisonsOf(others, subject)).toEqual({});
  });

  it("counts each link like it once, with its newest result", () => {
    const siblings = [1, 2, 3, 4].map((n) => past(190 + n, { link: `0x000000000000000a:${n}` as const }));
    const older = past(50, { link: "0x000000000000000a:1" });
    expect(comparisonsOf([...siblings, older], subject).siblings).toEqual({ gbps: 193, runs: 4 });
    const unlike = siblings.map((result) => ({ ...result, basis: "host-link" as const }));
    expect(comparisonsOf([...unlike, ...siblings.map((result) => ({ ...result, hops: 1 }))], subject)).toEqual({});
    expect(comparisonsOf(siblings.slice(1), subject)).toEqual({});
  });
});

describe("a verdict beside earlier results", () => {
  const hop = (index: number) => ({
    link: `0x000000000000000${String(index)}:1` as const,
    linkIndex: index,
    fromNode: index,
    fromName: `a${String(index)}`,
    fromPort: 1,
    toNode: index + 1,
    toName: `a${String(index + 1)}`,
    toPort: 1,
    gbps: 200,
  });
  const input = (gbps: number): JudgeInput => ({
    path: [hop(0), hop(1)],
    link: 0,
    linkName: "leaf-03:38 to spine-6:3",
    basis: "routes",
    clientHost: "n018",
    serverHost: "n065",
    options: defaultMeasureOptions,
    passPercent: 90,
    bandwidth: { bytes: 65536, iterations: 1000, averageGbps: gbps, msgRateMpps: 0.3, line: 1 },
    comparisons: { baseline: { gbps: 197, runs: 5 }, siblings: { gbps: 196, runs: 12 } },
  });

  it("says how far a run is below its baseline and its siblings, although it passes", () => {
    const { verdict, baselineGbps, siblingsGbps } = judge(input(182));
    expect(verdict.level).toBe("fair");
    expect(verdict.sentence).toContain("8\u00a0% below its baseline of 197 Gb/s, the median of its last 5 good runs.");
    expect(verdict.sentence).toContain(
      "12 links like leaf-03:38 to spine-6:3 reach 196 Gb/s: it is 7\u00a0% below them.",
    );
    expect([baselineGbps, siblingsGbps]).toEqual([197, 196]);
  });

  it("says nothing about them when it is as they are", () => {
    const { verdict } = judge(input(194));
    expect(verdict.level).toBe("good");
    expect(verdict.sentence).not.toMatch(/baseline|links like/);
  });

  it("begins the next steps with the faults that were found on the hosts", () => {
    const { verdict } = judge({
      ...input(100),
      checks: [
        { host: "n018", what: "pcie-width", state: "fault", detail: "mlx5_0 runs at x8 of x16" },
        { host: "n065", what: "pcie-width", state: "fine", detail: "x16" },
      ],
    });
    expect(verdict.level).toBe("bad");
    expect(verdict.next[0]).toMatch(/^Found on n018: PCIe width, mlx5_0 runs at x8 of x16; put the adapter/);
    expect(verdict.next.join(" ")).not.toContain("n065: PCIe");
  });
});
