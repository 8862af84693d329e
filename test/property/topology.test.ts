import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { analyse } from "../../shared/analyse/analyse.ts";
import type { Block, Topology } from "../../shared/analyse/results.ts";
import type { Fabric } from "../../shared/fabric/model.ts";
import {
  damage,
  type Device,
  dragonflyPlus,
  fabricOf,
  fourLevels,
  type Plan,
  railTree,
  recognisable,
  seeded,
  shuffled,
  threeLevels,
  threeLevelsMeshed,
  twoLevels,
  withoutSwitches,
} from "../support/generated-fabric.ts";
import { runs } from "../support/property-seed.ts";

const atMost = (min: number, max: number): fc.Arbitrary<number> => fc.integer({ min, max });

/** Every shape with the kind that it is of. */
const shapes = {
  "two-level fat trees": {
    kind: "fat-tree",
    plans: fc
      .record({ leaves: atMost(4, 24), spines: atMost(3, 12), hosts: atMost(4, 16), cables: atMost(1, 3) })
      .map(({ leaves, spines, hosts, cables }) => twoLevels(leaves, spines, hosts, cables)),
  },
  "rail-optimised trees": {
    kind: "fat-tree",
    plans: fc
      .record({ pods: atMost(2, 5), rails: atMost(3, 8), spines: atMost(4, 8), hosts: atMost(6, 10) })
      .map(({ pods, rails, spines, hosts }) => railTree(pods, rails, spines, hosts)),
  },
  "three-level fat trees in planes": {
    kind: "fat-tree",
    plans: fc
      .record({
        pods: atMost(3, 8),
        leaves: atMost(4, 8),
        spines: atMost(4, 6),
        cores: atMost(4, 6),
        hosts: atMost(4, 10),
        up: atMost(1, 2),
      })
      .map(({ pods, leaves, spines, cores, hosts, up }) =>
        threeLevels(pods, leaves, spines, cores, hosts, { down: 1, up }),
      ),
  },
  "three-level fat trees without planes": {
    kind: "fat-tree",
    plans: fc
      .record({
        pods: atMost(3, 6),
        leaves: atMost(4, 6),
        spines: atMost(4, 5),
        cores: atMost(4, 8),
        hosts: atMost(4, 10),
      })
      .map(({ pods, leaves, spines, cores, hosts }) => threeLevelsMeshed(pods, leaves, spines, cores, hosts)),
  },
  "four-level fat trees": {
    kind: "fat-tree",
    plans: fc
      .record({
        blocks: atMost(4, 5),
        pods: atMost(4, 5),
        leaves: atMost(4, 5),
        spines: atMost(3, 4),
        tops: atMost(3, 4),
      })
      .map(({ blocks, pods, leaves, spines, tops }) => fourLevels(blocks, pods, leaves, spines, 3, tops, 4)),
  },
  "Dragonfly+": {
    kind: "dragonfly+",
    plans: fc
      .record({
        groups: atMost(3, 8),
        leaves: atMost(4, 8),
        spines: atMost(4, 8),
        hosts: atMost(4, 10),
        global: atMost(1, 2),
      })
      .map(({ groups, leaves, spines, hosts, global }) => dragonflyPlus(groups, leaves, spines, hosts, global)),
  },
} satisfies Readonly<Record<string, { readonly kind: string; readonly plans: fc.Arbitrary<Plan> }>>;

const harm = fc.record({ share: fc.double({ min: 0, max: 0.05, noNaN: true }), seed: fc.integer() });

function nodesOf(plan: Plan, fabric: Fabric): ReadonlyMap<Device, number> {
  const nodeOf = new Map(Array.from(fabric.nodes.guid, (guid, node) => [guid, node]));
  return new Map(plan.devices.map((device) => [device, nodeOf.get(BigInt(`0x${device.guid}`)) ?? -1]));
}

/** Recognisable switches that do not stand on their planned tier, in words. */
function misplaced(plan: Plan, damaged: Plan, fabric: Fabric, topology: Topology): readonly string[] {
  const nodes = nodesOf(plan, fabric);
  return [...recognisable(plan, damaged)]
    .filter((device) => topology.tierOfNode[nodes.get(device) ?? -1] !== device.tier)
    .map((device) => `${device.guid} of tier ${device.tier} on ${topology.tierOfNode[nodes.get(device) ?? -1]}`);
}

/** Pairs of the first recognisable leaf of a pod or group with others of it that were not put into the same. */
function parted(plan: Plan, damaged: Plan, fabric: Fabric, topology: Topology): number {
  const nodes = nodesOf(plan, fabric);
  const blockOf = (device: Device): number => topology.blockOfNode[nodes.get(device) ?? -1] ?? -1;
  const first = new Map<number, Device>();
  let wrong = 0;
  for (const device of recognisable(plan, damaged)) {
    if (device.tier !== 1) continue;
    const sibling = first.get(device.block);
    if (sibling === undefined) first.set(device.block, device);
    else if (blockOf(sibling) !== blockOf(device)) wrong += 1;
  }
  return wrong;
}

vi.setConfig({ testTimeout: runs(60_000) });

describe("the shape of generated fabrics with up to 5 % of their cables missing, doubled or swapped", () => {
  it.each(Object.entries(shapes))("%s: tiers and kind", (_name, { kind, plans }) => {
    fc.assert(
      fc.property(plans, harm, (plan, { share, seed }) => {
        const damaged = damage(plan, share, seeded(seed));
        const fabric = fabricOf(damaged);
        const { topology } = analyse(fabric);
        expect(misplaced(plan, damaged, fabric, topology)).toEqual([]);
        expect(topology.kind).toBe(kind);
      }),
      { numRuns: runs(40) },
    );
  });

  it.each(["three-level fat trees in planes", "Dragonfly+"] as const)("%s: pods and groups", (name) => {
    fc.assert(
      fc.property(shapes[name].plans, harm, (plan, { share, seed }) => {
        const damaged = damage(plan, share, seeded(seed));
        const fabric = fabricOf(damaged);
        const { topology } = analyse(fabric);
        expect(topology.blockOfNode.some((block) => block > 0)).toBe(true);
        expect(parted(plan, damaged, fabric, topology)).toBe(0);
      }),
      { numRuns: runs(40) },
    );
  });

  it.each(Object.entries(shapes))("%s: with switches that are off as well", (_name, { plans }) => {
    fc.assert(
      fc.property(plans, harm, (whole, { share, seed }) => {
        const random = seeded(seed);
        const plan = withoutSwitches(whole, share, random);
        const damaged = damage(plan, share / 2, random);
        const fabric = fabricOf(damaged);
        const { topology } = analyse(fabric);
        expect(misplaced(plan, damaged, fabric, topology)).toEqual([]);
      }),
      { numRuns: runs(30) },
    );
  });
});

/** Leaves of each block by what `nameOf` calls them, in an order of its own. */
function named(blocks: readonly Block[], nameOf: (node: number) => string): readonly (readonly string[])[] {
  return blocks.map(({ leaves }) => leaves.map(nameOf).sort()).sort();
}

/** The plan with its devices and cables listed in another order. */
function relisted({ devices, cables }: Plan, random: () => number): Plan {
  const mixed = <T>(list: readonly T[]): T[] =>
    list
      .map((value) => ({ value, key: random() }))
      .sort((a, b) => a.key - b.key)
      .map(({ value }) => value);
  const turned = mixed(cables).map(({ a, b }) => (random() < 0.5 ? { a, b } : { a: b, b: a }));
  return { devices: mixed(devices), cables: turned };
}

describe("what plays no part in the shape", () => {
  it.each(Object.entries(shapes))("%s: the order in which nodes and ports are listed", (_name, { plans }) => {
    fc.assert(
      fc.property(plans, harm, (plan, { share, seed }) => {
        const damaged = damage(plan, share, seeded(seed));
        const [one, other] = [damaged, relisted(damaged, seeded(seed + 1))].map((listed) => {
          const fabric = fabricOf(listed);
          const { topology } = analyse(fabric);
          const nameOf = (node: number): string => (fabric.nodes.guid[node] ?? 0n).toString(16);
          return {
            tiers: topology.tiers.map(({ switches }) => switches.map(nameOf)),
            pods: topology.pods.map(({ leaves, spines }) => [leaves, spines].map((nodes) => nodes.map(nameOf))),
            groups: named(topology.groups, nameOf),
            evidence: topology.evidence,
          };
        });
        expect(other).toEqual(one);
      }),
      { numRuns: runs(15) },
    );
  });

  it.each(Object.entries(shapes))("%s: GUIDs and names", (_name, { plans }) => {
    fc.assert(
      fc.property(plans, harm, (plan, { share, seed }) => {
        const damaged = damage(plan, share, seeded(seed));
        const random = seeded(seed + 2);
        const dealt = shuffled(damaged, random);
        const tiersIn = (own: Plan, fabric: Fabric): readonly (number | undefined)[] => {
          const { topology } = analyse(fabric);
          const nodes = nodesOf(own, fabric);
          return own.devices.map((device) => topology.tierOfNode[nodes.get(device) ?? -1]);
        };
        const renamed = fabricOf(dealt, () => ({ description: `q${Math.floor(random() * 1e9)}` }));
        expect(tiersIn(dealt, renamed)).toEqual(tiersIn(damaged, fabricOf(damaged)));
      }),
      { numRuns: runs(15) },
    );
  });
});
