import { describe, expect, it } from "vitest";
import type { Fabric, SubnetManager } from "../../../../shared/fabric/model.ts";
import { buildViewGraph } from "../../../../renderer/graph/view-graph.ts";
import type { ViewGraph, ViewOptions } from "../../../../renderer/graph/view-types.ts";
import { withBadges } from "../../../../renderer/views/topology/live-badges.ts";
import { nodeNamed } from "../../measure/fabrics.ts";
import { faultyTree } from "./pictures.ts";

const { fabric, analysis, structure } = faultyTree();

function managerOn(name: string, state: SubnetManager["state"]): SubnetManager {
  return { guid: name, lid: 1, state, priority: 1, activity: 0, answers: "yes", node: nodeNamed(fabric, name) };
}

function managedBy(...subnetManagers: readonly SubnetManager[]): Fabric {
  return { ...fabric, subnetManagers };
}

function drawn(of: Fabric, options: ViewOptions = { unfolded: "all", bundles: false }): ViewGraph {
  return buildViewGraph(of, analysis, structure, options);
}

function badges({ nodes }: ViewGraph): readonly string[] {
  return nodes.flatMap(({ label, manager }) => (manager === undefined ? [] : [`${label} ${manager}`]));
}

describe("badges of subnet managers while they are watched", () => {
  const before = managedBy(managerOn("mgmt-01", "MASTER"), managerOn("mgmt-02", "STANDBY"));
  const after = managedBy(managerOn("mgmt-01", "unknown"), managerOn("mgmt-02", "MASTER"));

  it("move with a handover, and one that is silent has none", () => {
    const graph = drawn(before);
    expect(badges(graph)).toEqual(["mgmt-01 MASTER", "mgmt-02 STANDBY"]);
    expect(badges(withBadges(graph, after))).toEqual(["mgmt-02 MASTER"]);
  });

  it("are what deriving the picture anew would give, folded as well", () => {
    for (const unfolded of ["all", new Set<number>()] as const) {
      const options = { unfolded, bundles: true };
      expect(withBadges(drawn(before, options), after).nodes).toEqual(drawn(after, options).nodes);
    }
  });

  it("leave everything else of the picture as the same objects", () => {
    const graph = drawn(before);
    const shown = withBadges(graph, after);
    expect({ ...shown, nodes: graph.nodes }).toEqual(graph);
    expect(shown.links).toBe(graph.links);
    expect(shown.nodes.filter((node, i) => node !== graph.nodes[i])).toHaveLength(2);
    expect(withBadges(graph, before)).toBe(graph);
  });
});
