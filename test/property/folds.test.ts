import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { foldingOf } from "../../renderer/graph/clusters.ts";
import { placeViewGraph } from "../../renderer/graph/geometry.ts";
import { layoutOptions } from "../../renderer/graph/graph-model.ts";
import { layoutFabric } from "../../renderer/graph/layout.ts";
import type { Layout } from "../../renderer/graph/layout-types.ts";
import { buildStructure, type Structure } from "../../renderer/graph/structure.ts";
import { buildViewGraph } from "../../renderer/graph/view-graph.ts";
import { isBlock } from "../../renderer/graph/view-links.ts";
import { membersOf, missingOf, type ViewGraph, type ViewOptions } from "../../renderer/graph/view-types.ts";
import { analyse } from "../../shared/analyse/analyse.ts";
import { groupHosts } from "../../shared/analyse/host-names.ts";
import { type Analysis, healths } from "../../shared/analyse/results.ts";
import { at, hostName } from "../../shared/fabric/access.ts";
import { type Fabric, none } from "../../shared/fabric/model.ts";
import { directorLooks, directorPlan } from "../support/directors.ts";
import {
  damage,
  dragonflyPlus,
  fabricOf,
  type Looks,
  type Device,
  type Plan,
  seeded,
  shuffled,
  threeLevels,
  twoLevels,
} from "../support/generated-fabric.ts";
import { linksAstray, nodesAstray, overlaps } from "../support/view-checks.ts";

vi.setConfig({ testTimeout: 120_000 });

const warning = healths.indexOf("warning");

interface Drawn {
  readonly plan: Plan;
  readonly share: number;
  readonly fabric: Fabric;
  readonly analysis: Analysis;
  readonly structure: Structure;
  readonly layout: Layout;
  readonly random: () => number;
}

type Naming = (plan: Plan) => (device: Device) => Looks;

/** Hosts in racks of eight in the order of the plan, so that a rack spans leaves and a leaf has several racks. */
const racks: Naming = (plan) => {
  const hosts = plan.devices.filter((device) => device.kind === "ca");
  const place = new Map(hosts.map((device, i) => [device.guid, i]));
  return ({ kind, guid }) => {
    const i = place.get(guid) ?? 0;
    return kind === "ca" ? { description: `r${Math.floor(i / 6) + 1}-n${String((i % 6) + 1).padStart(2, "0")}` } : {};
  };
};

const shapes: Readonly<Record<string, { readonly plans: fc.Arbitrary<Plan>; readonly naming: Naming }>> = {
  "two-level fat tree": {
    plans: fc
      .tuple(fc.integer({ min: 4, max: 10 }), fc.integer({ min: 3, max: 6 }), fc.integer({ min: 4, max: 10 }))
      .chain(([leaves, spines, hosts]) =>
        fc.integer({ min: 1, max: 3 }).map((cables) => twoLevels(leaves, spines, hosts, cables)),
      ),
    naming: racks,
  },
  "three-level fat tree": {
    plans: fc
      .tuple(fc.integer({ min: 3, max: 5 }), fc.integer({ min: 4, max: 5 }), fc.integer({ min: 4, max: 6 }))
      .map(([pods, wide, hosts]) => threeLevels(pods, wide, wide, 4, hosts)),
    naming: racks,
  },
  "Dragonfly+": {
    plans: fc
      .tuple(fc.integer({ min: 3, max: 11 }), fc.integer({ min: 4, max: 5 }), fc.integer({ min: 4, max: 6 }))
      .map(([groups, wide, hosts]) => dragonflyPlus(groups, wide, wide, hosts, 1)),
    naming: racks,
  },
  "director with hosts": {
    plans: fc
      .tuple(fc.integer({ min: 3, max: 8 }), fc.integer({ min: 3, max: 5 }), fc.integer({ min: 3, max: 8 }))
      .map(([lines, spines, hosts]) => directorPlan({ directors: 1, lines, spines, edges: 0, hosts })),
    naming: (plan) => directorLooks(plan, true),
  },
  "core of directors": {
    plans: fc
      .tuple(fc.integer({ min: 2, max: 4 }), fc.integer({ min: 3, max: 6 }), fc.integer({ min: 6, max: 14 }))
      .map(([directors, lines, edges]) => directorPlan({ directors, lines, spines: 3, edges, hosts: 5 })),
    naming: (plan) => directorLooks(plan, false),
  },
};

const harm = fc.record({ share: fc.double({ min: 0, max: 0.05, noNaN: true }), seed: fc.integer() });

function forAll(shape: string, check: (drawn: Drawn) => void): void {
  const { plans, naming } = shapes[shape] ?? { plans: fc.constant({ devices: [], cables: [] }), naming: racks };
  fc.assert(
    fc.property(plans, harm, (whole, { share, seed }) => {
      const random = seeded(seed);
      const plan = shuffled(damage(whole, share, random), random);
      const fabric = fabricOf(plan, naming(plan));
      const analysis = withFindings(analyse(fabric), random);
      const structure = buildStructure(fabric, analysis);
      const layout = layoutFabric(structure, layoutOptions(fabric, structure, { width: 1300, height: 760 }, undefined));
      check({ plan, share, fabric, analysis, structure, layout, random });
    }),
    { numRuns: 12 },
  );
}

/** Some links with findings, as a bad cable would have. */
function withFindings(analysis: Analysis, random: () => number): Analysis {
  const linkHealth = analysis.linkHealth.map((own) =>
    random() < 0.03 ? Math.max(own, warning + (random() < 0.5 ? 1 : 0)) : own,
  );
  return { ...analysis, linkHealth };
}

function hostNames(fabric: Fabric): readonly string[] {
  return Array.from({ length: fabric.hosts.count }, (_, host) => hostName(fabric, host));
}

/** Every grouping, and random mixtures of what is opened. */
function views({ fabric, analysis, structure, layout, random }: Drawn): readonly ViewOptions[] {
  const some = <T>(list: readonly T[]): Set<T> => new Set(list.filter(() => random() < 0.4));
  const leaves = analysis.topology.tiers[0]?.switches ?? [];
  const directors = structure.directors.map((_, director) => director);
  const clusters = layout.frames.map(({ cluster }) => cluster);
  const planes = layout.planes.map(({ cluster }) => cluster);
  const hostGroups = groupHosts(hostNames(fabric), random() < 0.5 ? "rack" : "name");
  const apart = some(Array.from({ length: fabric.links.count }, (_, link) => link).filter(() => random() < 0.1));
  return [
    { unfolded: "all", bundles: false },
    { unfolded: "all", bundles: true, openDirectors: new Set(directors) },
    { unfolded: new Set(), bundles: true, hostGroups, folding: foldingOf(layout, new Set(), new Set()) },
    {
      unfolded: some(leaves),
      bundles: random() < 0.5,
      openDirectors: some(directors),
      hostGroups,
      apart,
      folding: foldingOf(layout, some(clusters), some(planes)),
    },
  ];
}

function graphOf(drawn: Drawn, options: ViewOptions): ViewGraph {
  return buildViewGraph(drawn.fabric, drawn.analysis, drawn.structure, options);
}

describe.each(Object.keys(shapes))("folds of a damaged %s", (shape) => {
  it("hold every node and link exactly once, under every grouping", () => {
    forAll(shape, (drawn) => {
      for (const options of views(drawn)) {
        const graph = graphOf(drawn, options);
        expect([...nodesAstray(drawn.fabric, graph), ...linksAstray(drawn.fabric, drawn.analysis, graph)]).toEqual([]);
      }
    });
  });

  it("never overlap", () => {
    forAll(shape, (drawn) => {
      for (const options of views(drawn)) {
        const graph = graphOf(drawn, options);
        expect(overlaps(graph, placeViewGraph(graph, drawn.layout))).toEqual([]);
      }
    });
  });

  it("never hide a finding: a bad cable is a strand of bad cables only, or its fold carries the sign", () => {
    forAll(shape, (drawn) => {
      const { fabric, analysis } = drawn;
      for (const options of views(drawn)) {
        const graph = graphOf(drawn, options);
        for (let link = 0; link < fabric.links.count; link += 1) {
          const health = at(analysis.linkHealth, link);
          const inside = at(graph.insideOfFabricLink, link);
          if (inside !== none) expect(graph.nodes[inside]?.health).toBeGreaterThanOrEqual(health);
          const drawnLink = at(graph.linkOfFabricLink, link);
          if (drawnLink === none) continue;
          const members = membersOf(graph.links, drawnLink);
          if (options.apart?.has(link) === true) expect([...members]).toEqual([link]);
          if (health < warning) continue;
          expect(at(graph.links.health, drawnLink)).toBeGreaterThanOrEqual(health);
          for (const member of members) expect(at(analysis.linkHealth, member)).toBeGreaterThanOrEqual(warning);
        }
      }
    });
  });

  it("say how many cables are there of how many", () => {
    forAll(shape, (drawn) => {
      for (const options of views(drawn)) {
        const { links } = graphOf(drawn, options);
        for (let link = 0; link < links.count; link += 1) {
          const gaps = missingOf(links, link).length;
          if (at(links.usual, link) === 0) continue;
          expect(at(links.present, link)).toBeGreaterThan(0);
          expect(at(links.present, link)).toBeGreaterThanOrEqual(membersOf(links, link).length);
          if (gaps > 0) expect(at(links.usual, link)).toBeGreaterThan(at(links.present, link));
        }
      }
    });
  });

  it("count switches and hosts as the analysis does", () => {
    forAll(shape, (drawn) => {
      const { analysis, fabric } = drawn;
      for (const options of views(drawn)) {
        const { nodes } = graphOf(drawn, options);
        const chips = (node: (typeof nodes)[number]): number =>
          node.kind === "switch" ? 1 : node.kind === "director" || isBlock(node) ? node.leaves + node.spines : 0;
        expect(nodes.reduce((sum, node) => sum + chips(node), 0)).toBe(analysis.counts.switches);
        expect(nodes.reduce((sum, node) => sum + node.hosts, 0)).toBe(fabric.hosts.count);
      }
    });
  });
});

describe.each(["director with hosts", "core of directors"])("a damaged %s", (shape) => {
  it("is one box a director when closed, its chips when opened, and the same box when closed again", () => {
    forAll(shape, (drawn) => {
      const { structure, plan } = drawn;
      const boxes = new Set(plan.devices.flatMap(({ kind, block }) => (kind === "switch" && block >= 0 ? block : [])));
      const closed = graphOf(drawn, { unfolded: "all", bundles: true });
      expect(closed.nodes.filter(({ kind }) => kind === "director")).toHaveLength(boxes.size);
      const open = new Set(structure.directors.map((_, director) => director));
      const opened = graphOf(drawn, { unfolded: "all", bundles: true, openDirectors: open });
      expect(opened.nodes.filter(({ kind }) => kind === "director")).toHaveLength(0);
      expect(graphOf(drawn, { unfolded: "all", bundles: true }).nodes).toEqual(closed.nodes);
    });
  });

  it("keeps its chips on their tiers", () => {
    forAll(shape, ({ plan, share, fabric, structure }) => {
      if (share > 0.02) return;
      const cabled = new Set(plan.cables.flatMap(({ a, b }) => [a.device, b.device]));
      for (const device of plan.devices) {
        if (device.kind !== "switch" || !cabled.has(device)) continue;
        const box = at(structure.boxOfNode, fabric.nodes.guid.indexOf(BigInt(`0x${device.guid}`)));
        expect(at(structure.boxLevel, box)).toBe(device.tier);
      }
    });
  });
});
