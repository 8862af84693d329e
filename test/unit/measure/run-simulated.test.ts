import { describe, expect, it } from "vitest";
import { realSleep } from "../../../electron/measure/commands.ts";
import { MeasureLocks } from "../../../electron/measure/locks.ts";
import { runMeasurement } from "../../../electron/measure/run-measurement.ts";
import { createSimulatedAccess } from "../../../electron/run/simulated/access.ts";
import { createSimulatedFabric } from "../../../electron/run/simulated/catalogue.ts";
import { countersOf } from "../../../electron/run/simulated/model.ts";
import { assert } from "../../../shared/base/assert.ts";
import { measurementFileSchema } from "../../../shared/contract/measurement-file.ts";
import { createGuide } from "../../../shared/measure/guide.ts";
import { planMeasurement, type PlanInput } from "../../../shared/measure/plan.ts";
import { defaultMeasureOptions, type Measurement, type MeasureOptions } from "../../../shared/measure/types.ts";
import { analysisOf, linkAt, printed } from "./fabrics.ts";

function simulated(name: string) {
  const fabric = createSimulatedFabric(name);
  const origin = fabric?.origin.adapters[0];
  assert(fabric !== undefined && origin !== undefined, `there is a simulated fabric ${name}`);
  return { fabric, collected: printed(fabric.topology, origin) };
}

interface How {
  readonly options?: Partial<MeasureOptions>;
  /** Trace the way first, as the program does. */
  readonly trace?: boolean;
  /** Called between the readings of the counters. */
  readonly whileRunning?: () => void;
}

/** Simulated hosts in a hurry: a test of ten seconds takes a hundredth of one. */
async function measure(
  { fabric, collected }: ReturnType<typeof simulated>,
  node: string,
  port: number,
  { options = {}, trace = true, whileRunning }: How = {},
): Promise<Measurement> {
  const input: PlanInput = {
    link: linkAt(collected, node, port),
    fabricId: "fabric",
    planId: "plan",
    options: { ...defaultMeasureOptions, ...options },
    simulated: true,
  };
  const plan = planMeasurement(collected, analysisOf(collected), input);
  assert(plan.ok, JSON.stringify(plan));
  let port18700 = 18_700;
  const result = await runMeasurement(
    plan.value,
    {
      access: createSimulatedAccess(fabric, { timeScale: 0.001, latencyScale: 0.05 }),
      locks: new MeasureLocks(),
      now: () => Date.now(),
      // Chosen right before the server starts, after the counters were read.
      randomPort: () => {
        whileRunning?.();
        return (port18700 += 1);
      },
      passPercent: 95,
      sourceInfo: { kind: "simulated", label: fabric.name, simulated: true },
      sleep: (milliseconds, signal) => realSleep(milliseconds / 20, signal),
      ...(trace ? { guide: createGuide(collected, analysisOf(collected), input) } : {}),
    },
    { signal: new AbortController().signal, onProgress: () => undefined },
  );
  assert(result.ok, JSON.stringify(result));
  for (const machine of fabric.machines.values()) expect(machine.processes.size).toBe(0);
  return result.value;
}

/** Where a pair's data leaves a switch, as the simulated fabric routes it. */
function realPath({ fabric }: ReturnType<typeof simulated>, { client, server }: Measurement): readonly string[] {
  const [from, to] = [client, server].map(({ lid }) => fabric.atLid(lid)?.port);
  assert(from !== undefined && to !== undefined, "both hosts are there");
  return (fabric.routes.path(from, to) ?? []).map((port) => `0x${port.node.guid}:${String(port.number)}`);
}

describe("measuring simulated hosts", () => {
  it("finds a healthy host's cable good", async () => {
    const { verdict, percent, latencyUs } = await measure(simulated("fat-tree-small"), "leaf-4", 2);
    expect(verdict).toMatchObject({ level: "good", next: [] });
    expect(percent).toBeGreaterThanOrEqual(95);
    expect(latencyUs).toBeLessThan(2);
  });

  it("judges a host that trained at a lower speed against what its cable can carry now", async () => {
    const slow = simulated("fat-tree-small");
    const port = slow.fabric.faults.find(({ kind }) => kind === "slow")?.port?.cable;
    assert(port !== undefined, "a slow host is planted");
    const measured = await measure(slow, "leaf-2", port.number);
    expect(measured).toMatchObject({ expectedGbps: 100, basis: "host-link", verdict: { level: "good" } });
  });

  it("measures both directions against twice the rate", async () => {
    const measured = await measure(simulated("fat-tree-small"), "leaf-4", 2, {
      options: { bidirectional: true, preset: "bandwidth" },
    });
    expect(measured.expectedGbps).toBe(400);
    expect(measured.percent).toBeGreaterThan(90);
    expect(measured.percent).toBeLessThanOrEqual(100);
  });

  it("shows every kind of measurement, each step with its number", async () => {
    const fabric = simulated("fat-tree-small");
    const loaded = await measure(fabric, "leaf-4", 2, { options: { preset: "loaded", seconds: 300 } });
    expect(loaded.runs.map(({ step, error }) => [step?.id, error])).toEqual([
      ["latency", undefined],
      ["latency-loaded", undefined],
      ["load", undefined],
    ]);
    expect(loaded.loadedLatencyUs).toBeGreaterThan(1.5 * (loaded.latencyUs ?? Number.NaN));
    const deep = await measure(fabric, "leaf-4", 2, { options: { preset: "deep" } });
    expect(deep.runs.map(({ step, bandwidth }) => [step?.id, bandwidth.length])).toEqual([
      ["qp-1", 1],
      ["qp-4", 1],
      ["qp-16", 1],
      ["both-ways", 1],
    ]);
    expect(deep.bothWaysGbps).toBeGreaterThan(1.8 * (deep.bandwidthGbps ?? Number.NaN));
    const swept = await measure(fabric, "leaf-4", 2, {
      options: { preset: "quick", bandwidthTool: "ib_read_bw", latencyTool: "ib_write_lat", sizeIterations: 1000 },
    });
    expect(swept.runs.map(({ tool, bandwidth, latency }) => [tool, bandwidth.length, latency.length])).toEqual([
      ["ib_read_bw", 23, 0],
      ["ib_write_lat", 0, 23],
    ]);
    expect(swept.latencyUs).toBeLessThan(2);
  });

  it("shows a cable that carries less than it says, when the data crosses it", async () => {
    const sick = simulated("healthy");
    const { fabric, collected } = sick;
    const leaf = fabric.topology.nodes.find(({ description }) => description.includes("leaf-03"));
    assert(leaf !== undefined, "there is a third leaf");
    // All uplinks of one leaf, so that whatever the routes are, the data crosses a weak one.
    for (const port of leaf.ports) {
      if (port?.cable?.node.kind !== "switch") continue;
      port.carries = 0.61;
      port.cable.carries = 0.61;
    }
    const measured = await measure({ fabric, collected }, "leaf-03", 9);
    expect(measured).toMatchObject({ basis: "shortest-path", expectedGbps: 200, verdict: { level: "bad" } });
    expect(measured.percent).toBeLessThan(62);
    expect(measured.verdict.next.length).toBeGreaterThan(0);
    // The hosts are in order, so that the cable is left.
    expect(measured.checks).toHaveLength(16);
    expect(measured.checks?.every(({ state }) => state === "fine")).toBe(true);
  });

  it("proves by the counters that the data crossed the cable, when the way was traced", async () => {
    const healthy = simulated("healthy");
    const measured = await measure(healthy, "leaf-03", 9);
    expect(measured.traced).toMatchObject({ crosses: true });
    const [bandwidth] = measured.runs;
    expect(bandwidth?.evidence).toMatchObject({ route: { kind: "proven", others: [] }, newErrors: [], unread: [] });
    expect(measured.verdict).toMatchObject({ level: "good" });
    expect(measured.verdict.sentence).toContain("Proven by the counters: 100\u00a0% of what");
    expect(measured.path.map(({ fromGuid, fromPort }) => `${fromGuid ?? ""}:${String(fromPort)}`)).toEqual(
      realPath(healthy, measured),
    );
  });

  it("says that it measured another cable, and which, where the routes are not the shortest path it had in mind", async () => {
    const healthy = simulated("healthy");
    let honest = 0;
    for (const port of [9, 10, 11]) {
      const measured = await measure(healthy, "leaf-03", port, { trace: false, options: { preset: "bandwidth" } });
      const [evidence] = measured.runs.flatMap((run) => (run.evidence === undefined ? [] : [run.evidence]));
      const uplink = realPath(healthy, measured)[1];
      if (uplink === measured.link) {
        expect(evidence?.route.kind).toBe("proven");
        continue;
      }
      honest += 1;
      expect(evidence?.route).toMatchObject({ kind: "elsewhere" });
      expect(evidence?.route.others.map(({ link }) => link)).toEqual([uplink]);
      expect(measured.verdict.level).toBe("failed");
      expect(measured.bandwidthGbps).toBeUndefined();
    }
    expect(honest).toBeGreaterThan(0);
  });

  it("reports the errors that a cable took while it was measured", async () => {
    const erring = simulated("healthy");
    const measured = await measure(erring, "leaf-03", 9, {
      options: { preset: "bandwidth" },
      whileRunning: () => {
        const far = erring.fabric.topology.nodes.find(({ description }) => description.includes("leaf-03"))?.ports[9]
          ?.cable;
        assert(far !== undefined, "the cable has a far end");
        const { errors } = countersOf(far);
        errors.set("PortRcvErrors", (errors.get("PortRcvErrors") ?? 0) + 318);
      },
    });
    expect(measured.verdict.sentence).toMatch(/\+318 PortRcvErrors at spine-\d:\d+: this cable\./);
    expect(measured.verdict.level).toBe("fair");
    expect(measured.runs[0]?.evidence?.newErrors).toMatchObject([{ growth: 318, measured: true, atLeast: false }]);
    expect(measurementFileSchema.parse(JSON.parse(JSON.stringify(measured)))).toEqual(measured);
  });
});
