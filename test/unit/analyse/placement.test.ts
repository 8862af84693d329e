import { describe, expect, it } from "vitest";
import { analyse } from "../../../shared/analyse/analyse.ts";
import { type Device, fabricOf, fourLevels, type Plan, Planner, threeLevels } from "../../support/generated-fabric.ts";

/** Switches that do not stand on their planned tier: planned and found. */
function misplaced(plan: Plan): readonly string[] {
  const fabric = fabricOf(plan);
  const { tierOfNode } = analyse(fabric).topology;
  return plan.devices.flatMap(({ kind, guid, tier }) => {
    const found = tierOfNode[fabric.nodes.guid.indexOf(BigInt(`0x${guid}`))];
    return kind === "ca" || found === tier ? [] : [`${tier} on ${found}`];
  });
}

/** Swaps cables of a switch with host cables of leaves of different pods: it then leads to these leaves. */
function swapWithHosts(plan: Plan, device: Device | undefined, times: number): void {
  const own = plan.cables.filter(({ a, b }) => a.device === device || b.device === device).slice(0, times);
  const hosts = plan.cables.filter(({ b }) => b.device.kind === "ca");
  for (const [i, cable] of own.entries()) {
    const host = hosts[Math.floor((i * hosts.length) / own.length)];
    if (host === undefined) continue;
    if (cable.b.device === device) [cable.b, host.b] = [host.b, cable.b];
    else [cable.a, host.b] = [host.b, cable.a];
  }
}

function ofTier(plan: Plan, tier: number): Device | undefined {
  return plan.devices.find((device) => device.kind === "switch" && device.tier === tier);
}

describe("the tier of a switch with swapped cables", () => {
  it("is a core's while it is more like the other cores, also with half of its cables on leaves", () => {
    const plan = threeLevels(4, 6, 4, 4, 8);
    swapWithHosts(plan, ofTier(plan, 3), 2);
    expect(misplaced(plan)).toEqual([]);
  });

  it("is the top's in a tree of four levels, where one stray cable is a quarter of all it has", () => {
    const plan = fourLevels(4, 4, 4, 4, 3, 3, 4);
    swapWithHosts(plan, ofTier(plan, 4), 1);
    swapWithHosts(plan, ofTier(plan, 3), 1);
    expect(misplaced(plan)).toEqual([]);
  });

  it("is a spine's in a pod far smaller than the others", () => {
    const plan = new Planner();
    const cores = Array.from({ length: 8 }, () => plan.device("switch", 3, -1));
    for (const [pod, leaves] of [12, 12, 12, 2].entries()) {
      const spines = Array.from({ length: 4 }, () => plan.device("switch", 2, pod));
      for (const spine of spines) for (const core of cores) plan.link(spine, core);
      for (let i = 0; i < leaves; i += 1) {
        const leaf = plan.device("switch", 1, pod);
        plan.hosts(leaf, 8);
        for (const spine of spines) plan.link(leaf, spine);
      }
    }
    expect(misplaced(plan)).toEqual([]);
  });

  it("is a spine's where it is the only one and carries hosts of its own", () => {
    const plan = new Planner();
    const spine = plan.device("switch", 2, -1);
    plan.hosts(spine, 2);
    for (let i = 0; i < 10; i += 1) {
      const leaf = plan.device("switch", 1, -1);
      plan.hosts(leaf, 10);
      plan.link(leaf, spine);
    }
    expect(misplaced(plan)).toEqual([]);
  });
});
