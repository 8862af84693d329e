/** What finding tiers costs on shapes that are no trees, counted in cables that are looked at: never by a clock. */
import { describe, expect, it } from "vitest";
import { placeByLikeness } from "../../../shared/analyse/placement.ts";
import { switchGraph } from "../../../shared/analyse/switch-graph.ts";
import { tiersOf } from "../../../shared/analyse/tiers.ts";
import { fabricOf, type Plan, Planner, seeded } from "../../support/generated-fabric.ts";

/** Tiers of all switches, and how many times a neighbour was read for them. */
function counted(plan: Plan): { readonly tiers: readonly number[]; readonly reads: number } {
  const graph = switchGraph(fabricOf(plan));
  let reads = 0;
  const neighbour = new Proxy(graph.neighbour, {
    get(column, place): unknown {
      reads += 1;
      return Reflect.get(column, place);
    },
  });
  const tier = tiersOf({ ...graph, neighbour });
  return { tiers: graph.switches.map((node) => tier[node] ?? -1), reads };
}

describe("the cost of tiers", () => {
  it("grows with the cables of a tail of thousands of switches, not with their square", () => {
    const tail = (length: number): Plan => {
      const plan = new Planner();
      let last = plan.device("switch", 1, -1);
      plan.hosts(last, 2);
      for (let i = 1; i < length; i += 1) {
        const next = plan.device("switch", 2, -1);
        plan.link(last, next);
        last = next;
      }
      return plan;
    };
    const [short, long] = [counted(tail(1000)), counted(tail(4000))];
    expect(long.reads).toBeLessThan(short.reads * 5);
    expect(long.tiers.every((tier) => tier > 0)).toBe(true);
  });

  it("is bounded: a mesh without any shape keeps the tiers that it was given", () => {
    const random = seeded(7);
    const plan = new Planner();
    const all = Array.from({ length: 400 }, () => plan.device("switch", 1, -1));
    for (const [i, a] of all.entries()) for (const b of all.slice(i + 1)) if (random() < 0.6) plan.link(a, b);
    const graph = switchGraph(fabricOf(plan));
    const given = Int8Array.from(graph.hostLinks, () => 1 + Math.floor(random() * 3));
    const tier = given.slice();
    placeByLikeness(graph, tier);
    expect(tier).toEqual(given);
  });
});
