import { describe, expect, it } from "vitest";
import { KeptPlans } from "../../../electron/session/kept-plans.ts";
import { type OpenFabric, OpenFabrics } from "../../../electron/session/open-fabrics.ts";
import { simulatedView } from "../renderer/tables-fabric.ts";

const { fabric, analysis, diagnostics } = simulatedView("fat-tree-small");

function opened(fabrics: OpenFabrics, replaces?: string): OpenFabric {
  const capture = { name: "f", how: "simulated", simulated: true, outputs: [], steps: [] } as const;
  return fabrics.add(capture, { fabric, analysis, diagnostics, files: [], partial: false }, undefined, replaces);
}

describe("plans that wait to be run", () => {
  it("are the newest ones", () => {
    const fabrics = new OpenFabrics();
    const open = opened(fabrics);
    const plans = new KeptPlans<{ readonly open: OpenFabric }>(fabrics, 2);
    for (const id of ["a", "b", "c"]) plans.add(id, { open });
    expect(["a", "b", "c"].map((id) => plans.get(id) !== undefined)).toEqual([false, true, true]);
  });

  it("do not outlive a fabric that was closed or collected anew", () => {
    const fabrics = new OpenFabrics();
    const [first, second] = [opened(fabrics), opened(fabrics)];
    const plans = new KeptPlans<{ readonly open: OpenFabric }>(fabrics, 10);
    plans.add("closed", { open: first });
    plans.add("before", { open: second });
    fabrics.close(first.id);
    const again = opened(fabrics, second.id);
    plans.add("after", { open: again });
    expect(["closed", "before", "after"].map((id) => plans.get(id) !== undefined)).toEqual([false, false, true]);
  });
});
