import { describe, expect, it } from "vitest";
import { printIbtracert } from "../../../electron/run/simulated/route-text.ts";
import type { SimulatedFabric } from "../../../electron/run/simulated/fabric.ts";
import { traceFirst } from "../../../electron/measure/trace.ts";
import { assert } from "../../../shared/base/assert.ts";
import { createGuide } from "../../../shared/measure/guide.ts";
import { planMeasurement, type PlanInput } from "../../../shared/measure/plan.ts";
import { defaultMeasureOptions } from "../../../shared/measure/types.ts";
import { type Reply, ScriptedHost } from "../../support/scripted-runner.ts";
import { analysisOf, linkAt } from "./fabrics.ts";
import { simulatedRoutes } from "./simulated-routes.ts";

/** Plans leaf-03:`port` of a fat tree without tables, and traces with what `answer` says, else with the truth. */
async function traced(
  port: number,
  more: Partial<PlanInput> = {},
  answer: (traces: number, simulated: SimulatedFabric) => Reply | undefined = () => undefined,
) {
  const { simulated, network } = simulatedRoutes("healthy");
  const { fabric } = network;
  const input: PlanInput = {
    link: linkAt(fabric, "leaf-03", port),
    fabricId: "fabric",
    planId: "plan",
    options: defaultMeasureOptions,
    simulated: false,
    ...more,
  };
  const analysis = analysisOf(fabric);
  const plan = planMeasurement(fabric, analysis, input);
  assert(plan.ok, JSON.stringify(plan));
  const source: ScriptedHost = new ScriptedHost("mgmt-01", (argv) => {
    const given = answer(source.started.length, simulated);
    if (given !== undefined) return given;
    const [from, to] = argv.slice(-2).map((lid) => simulated.atLid(Number(lid))?.port);
    const way = from === undefined || to === undefined ? undefined : simulated.routes.path(from, to);
    assert(from !== undefined && to !== undefined && way !== undefined, "both LIDs are there");
    return { stdout: printIbtracert(from, to, way) };
  });
  const notes: string[] = [];
  const result = await traceFirst(
    plan.value,
    {
      runner: source,
      tools: { sudo: true, options: ["-C", "mlx5_0"] },
      guide: createGuide(fabric, analysis, input),
      onNote: (note) => void notes.push(note),
    },
    new AbortController().signal,
  );
  return { result, plan: plan.value, source, notes, simulated };
}

const uplinks = [9, 10, 11, 12, 13, 14, 15, 16];

describe("tracing before a run", () => {
  it("finds a pair that crosses the cable for most uplinks within eight traces, and never takes one that does not", async () => {
    let found = 0;
    let others = 0;
    for (const port of uplinks) {
      const { result, plan, source } = await traced(port);
      expect(source.started.length).toBeLessThanOrEqual(8);
      expect(source.started[0]).toMatch(/^ibtracert -C mlx5_0 \d+ \d+$/);
      if (!result.ok) {
        assert(result.error.kind === "no-path", JSON.stringify(result.error));
        expect(result.error.reason).toMatch(/8 pairs were traced, .*They go over leaf-/);
        continue;
      }
      found += 1;
      others += result.value.traced.othersTraced;
      expect(result.value.traced).toMatchObject({ crosses: true });
      expect(result.value.plan.path.map(({ linkIndex }) => linkIndex)).toContain(plan.linkIndex);
      expect(result.value.plan.link).toBe(plan.link);
    }
    expect(found).toBeGreaterThanOrEqual(5);
    expect(others).toBeGreaterThan(0);
  });

  it("keeps the hosts that the user chose, and says which way their data takes", async () => {
    const { result, source, plan } = await traced(10);
    assert(result.ok, JSON.stringify(result));
    const chosen = { client: plan.client.host, server: plan.server.host };
    for (const port of uplinks) {
      const own = await traced(port, chosen);
      expect(own.source.started).toHaveLength(1);
      if (!own.result.ok) {
        assert(own.result.error.kind === "no-path", JSON.stringify(own.result.error));
        expect(own.result.error.reason).toMatch(/^The pair was traced, and its way does not cross leaf-03:\d+ to /);
      }
    }
    expect(source.started.length).toBeGreaterThan(0);
  });

  it.each<[string, Reply, RegExp]>([
    ["is not installed", { stderr: "sh: 1: ibtracert: not found\n", exitCode: 127 }, /mgmt-01 has no ibtracert/],
    [
      "finds no route",
      {
        stdout: "ibtracert: iberror: failed: Failed to get route information\n",
        stderr: "ibwarn: can't find a route\n",
        exitCode: 255,
      },
      /ibtracert said: ibwarn: can't find a route/,
    ],
    ["prints nothing", { stdout: "" }, /printed no route/],
  ])("leaves the plan as it is when ibtracert %s, and the record says so", async (_, reply, problem) => {
    const { result, plan, source } = await traced(9, {}, () => reply);
    assert(result.ok, JSON.stringify(result));
    expect(result.value.plan).toBe(plan);
    expect(result.value.traced.crosses).toBeUndefined();
    expect(result.value.traced.problem).toMatch(problem);
    expect(source.started).toHaveLength(1);
  });

  it("does not believe a trace over cables that the capture does not know", async () => {
    const { result } = await traced(9, {}, (_, simulated) => {
      const [from, to] = [...simulated.machines.values()].map(({ adapters }) => adapters[0]?.ports[1]);
      assert(from !== undefined && to !== undefined, "there are hosts");
      const text = printIbtracert(from, to, simulated.routes.path(from, to) ?? []);
      return { stdout: text.replaceAll(/^\[1\] -> switch/gm, "[7] -> switch") };
    });
    assert(result.ok, JSON.stringify(result));
    expect(result.value.traced.problem).toContain("collect again");
  });
});
