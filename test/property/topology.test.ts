import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { analyse } from "../../shared/analyse/analyse.ts";
import type { Topology } from "../../shared/analyse/results.ts";
import type { Fabric } from "../../shared/fabric/model.ts";
import {
  damage,
  dragonflyPlus,
  fabricOf,
  type Plan,
  seeded,
  threeLevels,
  twoLevels,
} from "../support/generated-fabric.ts";
import { runs } from "../support/property-seed.ts";

/** Switches whose tier is not the planned one. Switches that lost every cable have none. */
function wrongTiers(plan: Plan, fabric: Fabric, topology: Topology): number {
  const cabled = new Set(plan.cables.flatMap(({ a, b }) => [a.device, b.device]));
  let wrong = 0;
  for (const device of plan.devices) {
    if (device.kind !== "switch" || !cabled.has(device)) continue;
    const node = fabric.nodes.guid.indexOf(BigInt(`0x${device.guid}`));
    if (topology.tierOfNode[node] !== device.tier) wrong += 1;
  }
  return wrong;
}

const harm = fc.record({ share: fc.double({ min: 0, max: 0.05, noNaN: true }), seed: fc.integer() });

function check(plan: Plan, { share, seed }: { share: number; seed: number }, kind: string): Topology {
  const damaged = damage(plan, share, seeded(seed));
  const fabric = fabricOf(damaged);
  const { topology } = analyse(fabric);
  expect(topology.kind).toBe(kind);
  // Above 3 % in a small tree, all of a core's cables can be astray: then nobody can tell where it stood.
  expect(wrongTiers(damaged, fabric, topology)).toBeLessThanOrEqual(share <= 0.03 ? 0 : 1);
  return topology;
}

vi.setConfig({ testTimeout: runs(60_000) });

describe("the shape of generated fabrics with up to 5 % of their cables missing, doubled or swapped", () => {
  it("two-level fat trees", () => {
    const shape = fc.record({
      leaves: fc.integer({ min: 4, max: 24 }),
      spines: fc.integer({ min: 3, max: 12 }),
      hosts: fc.integer({ min: 4, max: 16 }),
      cables: fc.integer({ min: 1, max: 3 }),
    });
    fc.assert(
      fc.property(shape, harm, ({ leaves, spines, hosts, cables }, damageOf) => {
        check(twoLevels(leaves, spines, hosts, cables), damageOf, "fat-tree");
      }),
      { numRuns: runs(60) },
    );
  });

  it("three-level fat trees, pods too", () => {
    const shape = fc.record({
      pods: fc.integer({ min: 3, max: 8 }),
      leaves: fc.integer({ min: 4, max: 8 }),
      spines: fc.integer({ min: 4, max: 6 }),
      cores: fc.integer({ min: 4, max: 6 }),
      hosts: fc.integer({ min: 4, max: 10 }),
    });
    fc.assert(
      fc.property(shape, harm, ({ pods, leaves, spines, cores, hosts }, damageOf) => {
        const topology = check(threeLevels(pods, leaves, spines, cores, hosts), damageOf, "fat-tree");
        expect(topology.pods.map((pod) => pod.leaves.length)).toEqual(Array.from({ length: pods }, () => leaves));
      }),
      { numRuns: runs(60) },
    );
  });

  it("Dragonfly+, groups too", () => {
    const shape = fc.record({
      groups: fc.integer({ min: 3, max: 8 }),
      leaves: fc.integer({ min: 4, max: 8 }),
      spines: fc.integer({ min: 4, max: 8 }),
      hosts: fc.integer({ min: 4, max: 10 }),
      global: fc.integer({ min: 1, max: 2 }),
    });
    fc.assert(
      fc.property(shape, harm, ({ groups, leaves, spines, hosts, global }, damageOf) => {
        const topology = check(dragonflyPlus(groups, leaves, spines, hosts, global), damageOf, "dragonfly+");
        expect(topology.groups.map((group) => group.leaves.length)).toEqual(
          Array.from({ length: groups }, () => leaves),
        );
      }),
      { numRuns: runs(60) },
    );
  });
});
