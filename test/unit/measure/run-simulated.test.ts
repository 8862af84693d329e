import { describe, expect, it } from "vitest";
import { MeasureLocks } from "../../../electron/measure/locks.ts";
import { runMeasurement } from "../../../electron/measure/run-measurement.ts";
import { createSimulatedAccess } from "../../../electron/run/simulated/access.ts";
import { createSimulatedFabric } from "../../../electron/run/simulated/catalogue.ts";
import { assert } from "../../../shared/base/assert.ts";
import { planMeasurement } from "../../../shared/measure/plan.ts";
import { defaultMeasureOptions, type Measurement, type MeasureOptions } from "../../../shared/measure/types.ts";
import { analysisOf, linkAt, printed } from "./fabrics.ts";

function simulated(name: string) {
  const fabric = createSimulatedFabric(name);
  const origin = fabric?.origin.adapters[0];
  assert(fabric !== undefined && origin !== undefined, `there is a simulated fabric ${name}`);
  return { fabric, collected: printed(fabric.topology, origin) };
}

/** Simulated hosts in a hurry: a test of ten seconds takes a tenth. */
async function measure(
  { fabric, collected }: ReturnType<typeof simulated>,
  node: string,
  port: number,
  options: Partial<MeasureOptions> = {},
): Promise<Measurement> {
  const plan = planMeasurement(collected, analysisOf(collected), {
    link: linkAt(collected, node, port),
    fabricId: "fabric",
    planId: "plan",
    options: { ...defaultMeasureOptions, ...options },
    simulated: true,
  });
  assert(plan.ok, JSON.stringify(plan));
  let port18700 = 18_700;
  const result = await runMeasurement(
    plan.value,
    {
      access: createSimulatedAccess(fabric, { timeScale: 0.001, latencyScale: 0.05 }),
      locks: new MeasureLocks(),
      now: () => Date.now(),
      randomPort: () => (port18700 += 1),
      passPercent: 95,
      sourceInfo: { kind: "simulated", label: fabric.name, simulated: true },
    },
    { signal: new AbortController().signal, onProgress: () => undefined },
  );
  assert(result.ok, JSON.stringify(result));
  for (const machine of fabric.machines.values()) expect(machine.processes.size).toBe(0);
  return result.value;
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
      bidirectional: true,
      preset: "bandwidth",
    });
    expect(measured.expectedGbps).toBe(400);
    expect(measured.percent).toBeGreaterThan(90);
    expect(measured.percent).toBeLessThanOrEqual(100);
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
  });
});
