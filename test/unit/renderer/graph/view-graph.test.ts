import { describe, expect, it } from "vitest";
import { healths } from "../../../../shared/analyse/results.ts";
import { nodeKind, nodeName } from "../../../../shared/fabric/access.ts";
import { none } from "../../../../shared/fabric/model.ts";
import { buildStructure, unplacedLevel } from "../../../../renderer/graph/structure.ts";
import { buildViewGraph } from "../../../../renderer/graph/view-graph.ts";
import { membersOf, missingOf, type ViewGraph } from "../../../../renderer/graph/view-types.ts";
import { dragonflyPlus, faultyTree, railTree, ring, threeLevelTree, twoHosts, type Sample } from "./pictures.ts";

function viewOf(sample: Sample, unfolded: "all" | ReadonlySet<number> = "all", bundles = false): ViewGraph {
  return buildViewGraph(sample.fabric, sample.analysis, sample.structure, { unfolded, bundles });
}

const samples: Readonly<Record<string, () => Sample>> = {
  "a two-level tree with faults": faultyTree,
  "a three-level tree": () => threeLevelTree(300),
  "hosts on several rails": railTree,
  "two hosts back to back": twoHosts,
  "a ring": ring,
  "a Dragonfly+": () => dragonflyPlus(4),
};

describe("view graph", () => {
  for (const [name, make] of Object.entries(samples)) {
    for (const [detail, unfolded] of [
      ["unfolded", "all"],
      ["folded", new Set<number>()],
    ] as const) {
      it(`holds every link of ${name} exactly once, ${detail}`, () => {
        const sample = make();
        const graph = viewOf(sample, unfolded, detail === "folded");
        const seen = new Uint8Array(sample.fabric.links.count);
        for (let link = 0; link < graph.links.count; link++) {
          for (const member of membersOf(graph.links, link)) {
            seen[member] = (seen[member] ?? 0) + 1;
            expect(graph.linkOfFabricLink[member]).toBe(link);
            expect(graph.insideOfFabricLink[member]).toBe(none);
          }
        }
        graph.insideOfFabricLink.forEach((node, link) => {
          if (node !== none) seen[link] = (seen[link] ?? 0) + 1;
        });
        expect([...seen].filter((times) => times !== 1)).toEqual([]);
      });

      it(`shows every node of ${name} in exactly one drawn node, ${detail}`, () => {
        const sample = make();
        const graph = viewOf(sample, unfolded);
        expect([...graph.nodeOfFabricNode].filter((node) => node >= graph.nodes.length)).toEqual([]);
        expect(graph.nodes.reduce((sum, node) => sum + node.hosts, 0)).toBe(sample.fabric.hosts.count);
        expect(new Set(graph.nodes.map((node) => node.id)).size).toBe(graph.nodes.length);
      });
    }
  }

  it("counts folded hosts and unfolds only the leaves that are asked for", () => {
    const sample = faultyTree();
    const folded = viewOf(sample, new Set());
    const folds = folded.nodes.filter((node) => node.kind === "fold");
    expect(folds.map((node) => node.hosts).sort()).toEqual([4, 4, 4, 4, 5, 5]);
    const leaf = folds[0]?.node ?? none;
    const one = viewOf(sample, new Set([leaf]));
    expect(one.nodes.filter((node) => node.kind === "fold")).toHaveLength(5);
    expect(one.nodes.filter((node) => node.kind === "host")).toHaveLength(folds[0]?.hosts ?? 0);
  });

  it("shows the worst health of hosts and their links on the fold", () => {
    const sample = faultyTree();
    const link = [...sample.analysis.linkHealth.keys()].find((candidate) => {
      const b = sample.fabric.ports.node[sample.fabric.links.b[candidate] ?? 0] ?? 0;
      return nodeKind(sample.fabric, b) === "hca";
    });
    const linkHealth = sample.analysis.linkHealth.slice();
    linkHealth[link ?? 0] = healths.indexOf("error");
    const graph = buildViewGraph(sample.fabric, { ...sample.analysis, linkHealth }, sample.structure, {
      unfolded: new Set(),
      bundles: false,
    });
    const worst = graph.nodes.filter((node) => node.kind === "fold" && node.health === healths.indexOf("error"));
    expect(worst).toHaveLength(1);
  });

  it("shows aggregation nodes at their switch and not as hosts", () => {
    const sample = faultyTree();
    const graph = viewOf(sample);
    expect(graph.nodes.filter((node) => node.aggregations === 1).map((node) => node.label)).toEqual(
      expect.arrayContaining(["spine-1", "spine-2", "spine-3", "spine-4"]),
    );
    expect(graph.nodes.filter((node) => node.kind === "aggregation")).toEqual([]);
  });

  it("draws a missing cable as a link that is down", () => {
    const sample = faultyTree();
    expect(sample.analysis.missingLinks).toHaveLength(1);
    const graph = viewOf(sample);
    const drawn = graph.linkOfMissing[0] ?? none;
    expect(healths[graph.links.health[drawn] ?? 0]).toBe("down");
    expect(membersOf(graph.links, drawn)).toHaveLength(0);
    expect([...missingOf(graph.links, drawn)]).toEqual([0]);
    const ends = [graph.links.source[drawn], graph.links.target[drawn]].map((node) => graph.nodes[node ?? 0]?.label);
    expect(ends).toEqual(expect.arrayContaining(["leaf-5", "spine-1"]));
  });

  it("bundles parallel cables of two switches when asked to, and never cables of hosts", () => {
    const sample = railTree();
    const single = viewOf(sample);
    const bundled = viewOf(sample, "all", true);
    expect(single.links.count).toBe(sample.fabric.links.count);
    expect(bundled.links.count).toBe(8 * 4 + 4 * 2);
    const sizes = Array.from({ length: bundled.links.count }, (_, link) => membersOf(bundled.links, link).length);
    expect(sizes.filter((size) => size === 2)).toHaveLength(8);
  });

  it("draws a host with several adapters once, with one link to each of its leaves", () => {
    const graph = viewOf(railTree());
    const hosts = graph.nodes.flatMap((node, i) => (node.kind === "host" ? [i] : []));
    expect(hosts).toHaveLength(8);
    for (const host of hosts) {
      const links = Array.from(graph.links.source).filter(
        (source, i) => source === host || graph.links.target[i] === host,
      );
      expect(links).toHaveLength(4);
    }
  });

  it("marks the subnet managers' hosts, also in a fold", () => {
    const sample = faultyTree();
    const named = viewOf(sample).nodes.filter((node) => node.manager !== undefined);
    expect(named.map((node) => [node.label, node.manager])).toEqual([
      ["mgmt-01", "MASTER"],
      ["mgmt-02", "STANDBY"],
    ]);
    const folds = viewOf(sample, new Set()).nodes.filter((node) => node.manager === "MASTER");
    expect(folds.map((node) => nodeName(sample.fabric, node.node))).toEqual(["leaf-1"]);
  });

  it("keeps the identity of nodes between two collections", () => {
    const before = viewOf(faultyTree()).nodes.map((node) => node.id);
    expect(viewOf(faultyTree()).nodes.map((node) => node.id)).toEqual(before);
  });

  it("gives switches without a tier a level of their own, with their hosts", () => {
    const { fabric, analysis } = faultyTree();
    const topology = { ...analysis.topology, tiers: [], tierOfNode: analysis.topology.tierOfNode.map(() => -1) };
    const lost = { ...analysis, topology };
    const graph = viewOf({ fabric, analysis: lost, structure: buildStructure(fabric, lost) });
    expect(graph.nodes.map((node) => [node.kind, node.level])).toEqual([
      ...Array.from({ length: 10 }, () => ["switch", unplacedLevel]),
      ...Array.from({ length: 26 }, () => ["host", 0]),
    ]);
  });
});
