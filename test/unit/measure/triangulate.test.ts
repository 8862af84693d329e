import { describe, expect, it } from "vitest";
import { realSleep } from "../../../electron/measure/commands.ts";
import { MeasureLocks } from "../../../electron/measure/locks.ts";
import { type MeasureDeps, runMeasurement } from "../../../electron/measure/run-measurement.ts";
import { runTriangulation } from "../../../electron/measure/run-triangulation.ts";
import { createSimulatedAccess } from "../../../electron/run/simulated/access.ts";
import { createSimulatedFabric } from "../../../electron/run/simulated/catalogue.ts";
import { assert } from "../../../shared/base/assert.ts";
import { measurementFileSchema } from "../../../shared/contract/measurement-file.ts";
import { createGuide } from "../../../shared/measure/guide.ts";
import { planMeasurement, type PlanInput } from "../../../shared/measure/plan.ts";
import { guideOf, planTriangulation } from "../../../shared/measure/triangulate.ts";
import { defaultMeasureOptions, type Measurement } from "../../../shared/measure/types.ts";
import { analysisOf, linkAt, printed } from "./fabrics.ts";

/** The simulated fabric with a slow node and a weak uplink, as it is collected, with hosts in a hurry. */
function suspects() {
  const fabric = createSimulatedFabric("suspects");
  const origin = fabric?.origin.adapters[0];
  assert(fabric !== undefined && origin !== undefined, "the fabric is in the catalogue");
  const collected = printed(fabric.topology, origin);
  const analysis = analysisOf(collected);
  const access = createSimulatedAccess(fabric, { timeScale: 0.001, latencyScale: 0.05 });
  let port = 18_700;
  const deps: MeasureDeps = {
    access,
    locks: new MeasureLocks(),
    now: () => Date.now(),
    randomPort: () => (port += 1),
    passPercent: 95,
    sourceInfo: { kind: "simulated", label: fabric.name, simulated: true },
    sleep: (milliseconds, signal) => realSleep(milliseconds / 20, signal),
  };
  const base = { fabricId: "fabric", planId: "plan", simulated: true };
  const measure = (
    input: PlanInput,
    plan = planMeasurement(collected, analysis, input),
    guide = createGuide(collected, analysis, input),
  ) => {
    assert(plan.ok, JSON.stringify(plan));
    return runMeasurement(
      plan.value,
      { ...deps, guide },
      { signal: new AbortController().signal, onProgress: () => undefined },
    );
  };
  const low = async (node: string, number: number, more: Partial<PlanInput> = {}): Promise<Measurement> => {
    const options = { ...defaultMeasureOptions, preset: "bandwidth" as const };
    const measured = await measure({ ...base, options, link: linkAt(collected, node, number), ...more });
    assert(measured.ok, JSON.stringify(measured));
    return measured.value;
  };
  const triangulate = async (suspect: Measurement) => {
    const plan = await planTriangulation(collected, suspect, base, (input) =>
      planMeasurement(collected, analysis, input),
    );
    assert(plan.ok, JSON.stringify(plan));
    const kept: Measurement[] = [];
    const notes: string[] = [];
    const end = await runTriangulation(
      plan.value,
      {
        measure: async (test, _, finish) => {
          const guide = guideOf(test, suspect, createGuide(collected, analysis, test.input));
          const measured = await measure(test.input, { ok: true, value: test.plan }, guide);
          if (!measured.ok) return measured;
          kept.push(finish(measured.value));
          return { ok: true, value: finish(measured.value) };
        },
        now: () => Date.now(),
      },
      { signal: new AbortController().signal, onProgress: ({ note }) => void notes.push(note) },
    );
    assert(end.ok, JSON.stringify(end));
    return { plan: plan.value, kept, ...end.value };
  };
  return { fabric, collected, low, triangulate };
}

function uplinkOf(fabric: ReturnType<typeof suspects>["fabric"], kind: "weak" | "slow-node") {
  const port = fabric.faults.find((fault) => fault.kind === kind)?.port;
  assert(port !== undefined, `a ${kind} is planted`);
  return { name: /[:;]?((?:leaf|n)-?\d+)/.exec(port.node.description)?.[1] ?? "", number: port.number };
}

describe("a low pair of the simulated fabric", () => {
  it("is the weak link: two other hosts are slow over it, both hosts are fast without it", async () => {
    const { fabric, low, triangulate } = suspects();
    const weak = uplinkOf(fabric, "weak");
    const suspect = await low(weak.name, weak.number);
    expect(suspect.verdict.level).toBe("bad");
    const { plan, triangulation, measurement, kept } = await triangulate(suspect);
    expect(plan.tests.map(({ role }) => role)).toEqual(["client", "server", "link", "again"]);
    expect(triangulation.blames, triangulation.why.join("\n")).toEqual(["link"]);
    expect(triangulation.sentence).toBe(`It is ${suspect.linkName}.`);
    // The last record is the low pair once more, and carries the word.
    expect(measurement).toMatchObject({ link: suspect.link, client: { host: suspect.client.host } });
    expect(kept).toHaveLength(4);
    expect(measurementFileSchema.parse(JSON.parse(JSON.stringify(measurement)))).toEqual(measurement);
  });

  it("is the slow node, and says what is wrong with its slot", async () => {
    const { fabric, low, triangulate } = suspects();
    const slow = uplinkOf(fabric, "slow-node");
    const suspect = await low(slow.name, slow.number);
    expect(["slow", "bad"]).toContain(suspect.verdict.level);
    const { triangulation, plan } = await triangulate(suspect);
    expect(plan.missing.map(({ role }) => role)).toEqual(["link"]);
    expect(triangulation.blames).toEqual(["client"]);
    expect(triangulation.sentence).toBe(`It is ${suspect.client.host} itself (PCIe width: mlx5_0 runs at x8 of x16).`);
  });

  it("shares exactly one thing with each other pair", async () => {
    const { fabric, low, triangulate } = suspects();
    const weak = uplinkOf(fabric, "weak");
    const suspect = await low(weak.name, weak.number);
    const { plan } = await triangulate(suspect);
    const links = new Set(suspect.path.map(({ link }) => link));
    const hosts = [suspect.client.host, suspect.server.host];
    for (const { role, plan: pair } of plan.tests) {
      if (role === "again") continue;
      const common = pair.path.filter(({ link }) => links.has(link)).map(({ link }) => link);
      const expected = {
        client: suspect.path[0],
        server: suspect.path.at(-1),
        link: suspect.path.find(({ link }) => link === suspect.link),
      };
      expect(common).toEqual([expected[role]?.link]);
      const known = [pair.client.host, pair.server.host].filter((host) => hosts.includes(host));
      expect(known).toEqual(role === "client" ? [hosts[0]] : role === "server" ? [hosts[1]] : []);
    }
  });
});
