import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { atOnce } from "../../renderer/parts/slices.ts";
import { railsOf, shownBy, shownByRail, wantedBy, type FabricFilters } from "../../renderer/graph/filter.ts";
import { classify } from "../../renderer/graph/overlay.ts";
import { buildPicture, type Filters, type Picture } from "../../renderer/graph/picture.ts";
import { buildStructure } from "../../renderer/graph/structure.ts";
import { buildViewGraph } from "../../renderer/graph/view-graph.ts";
import { membersOf, missingOf, type ViewGraph } from "../../renderer/graph/view-types.ts";
import { linkTable } from "../../renderer/views/links/link-rows.ts";
import { nodeRows } from "../../renderer/views/nodes/node-rows.ts";
import { analyse } from "../../shared/analyse/analyse.ts";
import { groupHosts, groupNameOf } from "../../shared/analyse/host-names.ts";
import { type Analysis, healths } from "../../shared/analyse/results.ts";
import { adaptersOfHost, at, hostName, nodeName, portsOfNode } from "../../shared/fabric/access.ts";
import { type Fabric, none } from "../../shared/fabric/model.ts";
import {
  damage,
  dragonflyPlus,
  fabricOf,
  Planner,
  type Plan,
  seeded,
  threeLevels,
} from "../support/generated-fabric.ts";

vi.setConfig({ testTimeout: 120_000 });

const warning = healths.indexOf("warning");
const all: FabricFilters = { rails: [], clusters: [], hostGroups: [], text: "" };

/** Pods of `rails` leaves; every host has one adapter on each; all leaves go to all spines. */
function railPlan(pods: number, rails: number, hosts: number, spines: number): Plan {
  const plan = new Planner();
  const tops = Array.from({ length: spines }, () => plan.device("switch", 2, -1));
  for (let pod = 0; pod < pods; pod += 1) {
    const leaves = Array.from({ length: rails }, () => plan.device("switch", 1, pod));
    for (const leaf of leaves) for (const spine of tops) plan.link(leaf, spine);
    for (let host = 0; host < hosts; host += 1) {
      for (const leaf of leaves) plan.link(leaf, plan.device("ca", 0, pod * hosts + host));
    }
  }
  return plan;
}

interface Sample {
  readonly fabric: Fabric;
  readonly analysis: Analysis;
  readonly share: number;
  readonly random: () => number;
}

/** Racks of six hosts in the order of the plan; adapters of one `block` are one host's when `rails` is set. */
function sampleOf(whole: Plan, share: number, seed: number, rails = 0): Sample {
  const random = seeded(seed);
  const plan = damage(whole, share, random);
  const adapters = plan.devices.filter((device) => device.kind === "ca");
  const place = new Map(adapters.map((device, i) => [device.guid, i]));
  const fabric = fabricOf(plan, ({ kind, guid, block }) => {
    if (kind !== "ca") return {};
    const i = place.get(guid) ?? 0;
    const host = rails > 0 ? block : i;
    const name = `r${Math.floor(host / 6) + 1}-n${String((host % 6) + 1).padStart(2, "0")}`;
    return { description: `${name} mlx5_${rails > 0 ? i % rails : 0}` };
  });
  const analysis = analyse(fabric);
  const linkHealth = analysis.linkHealth.map((own) => (random() < 0.04 ? Math.max(own, warning) : own));
  return { fabric, analysis: { ...analysis, linkHealth }, share, random };
}

const plans = fc.oneof(
  fc
    .tuple(fc.integer({ min: 3, max: 5 }), fc.integer({ min: 4, max: 5 }), fc.integer({ min: 4, max: 6 }))
    .map(([pods, wide, hosts]) => threeLevels(pods, wide, wide, 4, hosts)),
  fc
    .tuple(fc.integer({ min: 3, max: 8 }), fc.integer({ min: 4, max: 5 }), fc.integer({ min: 4, max: 6 }))
    .map(([groups, wide, hosts]) => dragonflyPlus(groups, wide, wide, hosts, 1)),
);
const harm = fc.record({ share: fc.double({ min: 0, max: 0.05, noNaN: true }), seed: fc.integer() });

function forAll(check: (sample: Sample) => void): void {
  fc.assert(
    fc.property(plans, harm, (plan, { share, seed }) => check(sampleOf(plan, share, seed))),
    { numRuns: 15 },
  );
}

interface Seen {
  readonly graph: ViewGraph;
  readonly picture: Picture;
}

function pictureOf({ fabric, analysis }: Sample, filters: Filters, folded: boolean): Seen {
  const structure = buildStructure(fabric, analysis);
  const graph = buildViewGraph(fabric, analysis, structure, {
    unfolded: folded ? new Set() : "all",
    bundles: folded,
  });
  const classes = classify("health", { fabric, analysis, measured: new Map(), passPercent: 95 });
  return { graph, picture: buildPicture(fabric, graph, classes, filters) };
}

/** Fabric links in drawn links that are not hidden. */
function linksSeen({ graph, picture }: Seen): ReadonlySet<number> {
  const seen = new Set<number>();
  for (let link = 0; link < graph.links.count; link += 1) {
    if (picture.linkHidden[link] === 0) for (const member of membersOf(graph.links, link)) seen.add(member);
  }
  return seen;
}

function names(fabric: Fabric): readonly string[] {
  return Array.from({ length: fabric.hosts.count }, (_, host) => hostName(fabric, host));
}

function endsOf(fabric: Fabric, link: number): readonly [number, number] {
  return [at(fabric.ports.node, at(fabric.links.a, link)), at(fabric.ports.node, at(fabric.links.b, link))];
}

describe("the filters of the picture", () => {
  it("show with “only degraded” the links that the table calls so, the missing ones, and incomplete bundles", () => {
    forAll((sample) => {
      const { fabric, analysis } = sample;
      const table = atOnce(linkTable(fabric, analysis));
      for (const folded of [false, true]) {
        const seen = pictureOf(sample, { onlyDegraded: true, tiers: [], classes: [] }, folded);
        const { graph, picture } = seen;
        const degraded = Array.from(table.health.keys()).filter((row) => at(table.health, row) >= warning);
        const visible = linksSeen(seen);
        const gaps = new Set<number>();
        for (let link = 0; link < graph.links.count; link += 1) {
          if (picture.linkHidden[link] !== 0) continue;
          for (const gap of missingOf(graph.links, link)) gaps.add(gap);
          const lacks = at(graph.links.present, link) < at(graph.links.usual, link);
          if (lacks) continue;
          for (const member of membersOf(graph.links, link)) {
            expect(at(table.health, member)).toBeGreaterThanOrEqual(warning);
          }
        }
        for (const row of degraded)
          expect(row < table.links ? visible.has(row) : gaps.has(row - table.links)).toBe(true);
      }
    });
  });

  it("show with a tier as many switches as the table of nodes has there", () => {
    forAll((sample) => {
      const { analysis, fabric } = sample;
      const rows = atOnce(nodeRows(fabric, analysis));
      for (const tier of analysis.topology.tiers) {
        const { graph, picture } = pictureOf(sample, { onlyDegraded: false, tiers: [tier.level], classes: [] }, false);
        const shown = graph.nodes.filter((_, i) => picture.nodeHidden[i] === 0);
        expect(shown).toHaveLength(tier.switches.length);
        expect(shown.every(({ level, kind }) => kind === "switch" && level === tier.level)).toBe(true);
      }
      const { graph, picture } = pictureOf(sample, { onlyDegraded: false, tiers: [0], classes: [] }, false);
      const hosts = graph.nodes.filter((_, i) => picture.nodeHidden[i] === 0).length;
      expect(hosts).toBe(fabric.hosts.count);
      expect(rows.length).toBe(fabric.hosts.count + analysis.counts.switches);
    });
  });

  it("show with a pod or group its own switches and links, and nothing of the others'", () => {
    forAll((sample) => {
      const { fabric, analysis } = sample;
      const { topology } = analysis;
      const blocks = topology.groups.length > 0 ? topology.groups : topology.pods;
      blocks.forEach((block, index) => {
        const filters = { ...all, clusters: [index] };
        const wanted = wantedBy(fabric, analysis, filters, undefined);
        const own = new Set([...block.leaves, ...block.spines]);
        for (let node = 0; node < fabric.nodes.count; node += 1) {
          const cluster = at(topology.blockOfNode, node);
          if (cluster >= 0) expect(at(wanted.nodes, node)).toBe(own.has(node) ? 1 : 0);
        }
        const shown = shownBy(fabric, topology, wanted, filters);
        if (sample.share === 0) expect(shown.hosts).toBe(block.hosts);
        const seen = linksSeen(pictureOf(sample, { onlyDegraded: false, tiers: [], classes: [], wanted }, false));
        expect(seen.size).toBe(shown.links);
        for (let link = 0; link < fabric.links.count; link += 1) {
          const inside = endsOf(fabric, link).every((node) => own.has(node));
          if (inside) expect(seen.has(link)).toBe(true);
        }
      });
    });
  });

  it("show with a text the links of nodes and hosts whose name holds it", () => {
    forAll((sample) => {
      const { fabric, analysis, random } = sample;
      const text = `r${1 + Math.floor(random() * 4)}-N0`;
      const wanted = wantedBy(fabric, analysis, { ...all, text: ` ${text} ` }, undefined);
      const seen = linksSeen(pictureOf(sample, { onlyDegraded: false, tiers: [], classes: [], wanted }, false));
      const nameOf = (node: number): string => {
        const host = at(fabric.nodes.host, node);
        return `${nodeName(fabric, node)} ${host === none ? "" : hostName(fabric, host)}`.toLowerCase();
      };
      for (let link = 0; link < fabric.links.count; link += 1) {
        const holds = endsOf(fabric, link).some((node) => nameOf(node).includes(text.toLowerCase()));
        expect(seen.has(link)).toBe(holds);
      }
    });
  });

  it("show with a rack its hosts, their leaves and these leaves' cables", () => {
    forAll((sample) => {
      const { fabric, analysis } = sample;
      const groups = groupHosts(names(fabric), "rack");
      if (groups === undefined) throw new Error("no racks");
      groups.names.forEach((rack, index) => {
        const filters = { ...all, hostGroups: [index] };
        const wanted = wantedBy(fabric, analysis, filters, groups.ofHost);
        const members = names(fabric).flatMap((name, host) => (groupNameOf(name, "rack") === rack ? host : []));
        expect(members).toHaveLength(at(groups.sizes, index));
        const cabled = members.filter((host) =>
          adaptersOfHost(fabric, host).some((node) =>
            portsOfNode(fabric, node).some((port) => at(fabric.ports.link, port) !== none),
          ),
        );
        expect(shownBy(fabric, analysis.topology, wanted, filters).hosts).toBe(cabled.length);
        const { graph, picture } = pictureOf(sample, { onlyDegraded: false, tiers: [], classes: [], wanted }, false);
        const hosts = graph.nodes.filter((node, i) => node.kind === "host" && picture.nodeHidden[i] === 0);
        expect(hosts.map(({ host }) => host).sort((a, b) => a - b)).toEqual(members);
      });
    });
  });

  it("count in the legend what the picture holds, folded or not", () => {
    forAll((sample) => {
      const { fabric, analysis, random } = sample;
      const groups = groupHosts(names(fabric), "rack");
      const some = (count: number): number[] => Array.from({ length: count }, (_, i) => i).filter(() => random() < 0.4);
      const filters: FabricFilters = {
        ...all,
        clusters: some(Math.max(analysis.topology.pods.length, analysis.topology.groups.length)),
        hostGroups: random() < 0.5 ? some(groups?.names.length ?? 0) : [],
        text: random() < 0.3 ? "r1" : "",
      };
      const wanted = wantedBy(fabric, analysis, filters, groups?.ofHost);
      const shown = shownBy(fabric, analysis.topology, wanted, filters);
      for (const folded of [false, true]) {
        const seen = linksSeen(pictureOf(sample, { onlyDegraded: false, tiers: [], classes: [], wanted }, folded));
        // A fold or a bundle stays whole as long as something in it is wanted.
        const counted = [...seen].filter((link) => at(wanted.links, link) === 1);
        expect(counted).toHaveLength(shown.links);
        if (!folded) expect(seen.size).toBe(shown.links);
      }
    });
  });
});

describe("the view of a rail", () => {
  const railFabrics = fc.tuple(
    fc.integer({ min: 1, max: 3 }),
    fc.integer({ min: 2, max: 4 }),
    fc.integer({ min: 4, max: 8 }),
    fc.integer({ min: 2, max: 4 }),
  );

  it("has one leaf a pod, every host, and all cables of these leaves", () => {
    fc.assert(
      fc.property(railFabrics, ([pods, rails, hosts, spines]) => {
        const sample = sampleOf(railPlan(pods, rails, hosts, spines), 0, 1, rails);
        const { fabric, analysis } = sample;
        expect(analysis.topology.rails).toBe(rails);
        expect(shownByRail(fabric, analysis.topology)).toEqual(
          Array.from({ length: rails }, () => ({ leaves: pods, hosts: pods * hosts })),
        );
        for (let rail = 0; rail < rails; rail += 1) {
          const filters = { ...all, rails: [rail] };
          const wanted = wantedBy(fabric, analysis, filters, undefined);
          expect(shownBy(fabric, analysis.topology, wanted, filters)).toEqual({
            leaves: pods,
            hosts: pods * hosts,
            links: pods * hosts + pods * spines,
          });
          const seen = pictureOf(sample, { onlyDegraded: false, tiers: [], classes: [], wanted }, false);
          expect(linksSeen(seen).size).toBe(pods * hosts + pods * spines);
          const weak = seen.graph.nodes.filter((_, i) => seen.picture.nodeFaint[i] === 1);
          expect(weak).toHaveLength(pods * (rails - 1));
          expect(seen.picture.nodeHidden.every((hidden) => hidden === 0)).toBe(true);
        }
      }),
      { numRuns: 15 },
    );
  });

  it("together with the others' loses no link, and shows a host on the wrong leaf with both rails", () => {
    fc.assert(
      fc.property(railFabrics, harm, ([pods, rails, hosts, spines], { share, seed }) => {
        const { fabric, analysis } = sampleOf(railPlan(pods, rails, hosts, spines), share, seed, rails);
        const count = analysis.topology.rails;
        if (count === 0) return;
        const railOf = railsOf(fabric, analysis.topology);
        const views = Array.from({ length: count }, (_, rail) =>
          wantedBy(fabric, analysis, { ...all, rails: [rail] }, undefined),
        );
        // The menu counts in one pass what each view has.
        expect(shownByRail(fabric, analysis.topology)).toEqual(
          views.map((view, rail) => {
            const { leaves, hosts } = shownBy(fabric, analysis.topology, view, { ...all, rails: [rail] });
            return { leaves, hosts };
          }),
        );
        for (let link = 0; link < fabric.links.count; link += 1) {
          const own = new Set(
            endsOf(fabric, link)
              .map((node) => at(railOf, node))
              .filter((rail) => rail >= 0),
          );
          for (const rail of own) expect(views[rail]?.links[link]).toBe(1);
          if (own.size === 0) expect(views.every((view) => view.links[link] === 1)).toBe(true);
        }
      }),
      { numRuns: 15 },
    );
  });
});
