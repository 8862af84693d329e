import { describe, expect, it } from "vitest";
import { analyse } from "../../../../shared/analyse/analyse.ts";
import { at, linkId, nodeName } from "../../../../shared/fabric/access.ts";
import { none } from "../../../../shared/fabric/model.ts";
import { placeViewGraph } from "../../../../renderer/graph/geometry.ts";
import { rowNames, type GraphModel } from "../../../../renderer/graph/graph-model.ts";
import { incidence, shortLabels } from "../../../../renderer/graph/picture.ts";
import { drawnOf, emphasisOf, rectangleOf, targetOfLink, targetOfNode } from "../../../../renderer/graph/target.ts";
import { buildViewGraph } from "../../../../renderer/graph/view-graph.ts";
import type { ViewOptions } from "../../../../renderer/graph/view-types.ts";
import { placeCard } from "../../../../renderer/views/topology/card-place.ts";
import { describeDrawnLink, describeDrawnNode, spokenLink } from "../../../../renderer/views/topology/describe.ts";
import { pathIn } from "../../../../renderer/views/topology/path-shown.ts";
import { leavesNear, leavesNeeded } from "../../../../renderer/views/topology/unfold.ts";
import { step } from "../../../../renderer/views/topology/walk.ts";
import { fabricOf, fourLevels } from "../../../support/generated-fabric.ts";
import { linkAt, nodeNamed } from "../../measure/fabrics.ts";
import { faultyTree, laidOut, threeLevelTree, type Sample } from "./pictures.ts";

function modelOf(sample: Sample, view: ViewOptions = { unfolded: "all", bundles: false }): GraphModel {
  const graph = buildViewGraph(sample.fabric, sample.analysis, sample.structure, view);
  const layout = laidOut(sample);
  const geometry = placeViewGraph(graph, layout);
  return {
    ...sample,
    ...{ graph, layout, geometry },
    incidence: incidence(graph),
    shortLabels: shortLabels(graph, layout),
    rowNames: rowNames(sample.analysis),
  };
}

function labelled(model: GraphModel, label: string): number {
  return model.graph.nodes.findIndex((node) => node.label === label);
}

describe("names of rows", () => {
  it("are all different, also in a tree of four levels", () => {
    const names = [...rowNames(analyse(fabricOf(fourLevels(2, 2, 4, 2, 2, 2, 4)))).values()];
    expect(names).toContain("Core 2");
    expect(new Set(names).size).toBe(names.length);
    expect([...rowNames(threeLevelTree(500).analysis).values()]).toContain("Core");
  });
});

describe("walking with the arrow keys", () => {
  const model = modelOf(faultyTree());

  it("goes along links to the next row and back", () => {
    const host = labelled(model, "n005");
    const leaf = step(model, host, "up");
    expect(model.graph.nodes[leaf ?? -1]?.label).toBe("leaf-2");
    expect(model.graph.nodes[step(model, leaf ?? -1, "up") ?? -1]?.level).toBe(2);
    expect(model.graph.nodes[step(model, leaf ?? -1, "down") ?? -1]?.level).toBe(0);
    expect(step(model, host, "down")).toBeUndefined();
  });

  it("goes to siblings and stops at the end of the row", () => {
    const leaf = labelled(model, "leaf-5");
    const next = step(model, leaf, "right") ?? -1;
    expect(model.graph.nodes[next]?.label).toBe("leaf-6");
    expect(step(model, next, "right")).toBeUndefined();
    expect(step(model, next, "left")).toBe(leaf);
  });

  it("starts at the top left", () => {
    expect(model.graph.nodes[step(model, -1, "down") ?? -1]?.label).toBe("spine-1");
  });
});

describe("targets", () => {
  const sample = faultyTree();

  it("find their drawn node or link and back", () => {
    const model = modelOf(sample);
    const link = linkAt(sample.fabric, "leaf-2", 7);
    const drawn = drawnOf(sample.fabric, model.graph, { kind: "link", link });
    expect(targetOfLink(model, drawn.link)).toEqual({ kind: "link", link });
    const missing = drawnOf(sample.fabric, model.graph, { kind: "missing-link", missing: 0 });
    expect(targetOfLink(model, missing.link)).toEqual({ kind: "missing-link", missing: 0 });
    const host = drawnOf(sample.fabric, model.graph, { kind: "host", host: 3 });
    expect(targetOfNode(model.graph, host.node)).toEqual({ kind: "host", host: 3 });
  });

  it("of a folded host are shown by the fold", () => {
    const model = modelOf(sample, { unfolded: new Set(), bundles: true });
    const drawn = drawnOf(sample.fabric, model.graph, { kind: "host", host: 3 });
    expect(model.graph.nodes[drawn.node]?.kind).toBe("fold");
    expect(rectangleOf(model, { kind: "host", host: 3 })).toBeDefined();
  });

  it("show both ends of a link, and the direction of a path", () => {
    const model = modelOf(sample);
    const { fabric } = sample;
    const link = linkAt(fabric, "leaf-2", 7);
    const box = rectangleOf(model, { kind: "link", link });
    expect((box?.bottom ?? 0) - (box?.top ?? 0)).toBeGreaterThan(50);
    const leaf = nodeNamed(fabric, "leaf-2");
    const hop = { link: linkId(fabric, link), linkIndex: link, fromNode: leaf, fromName: "", fromPort: 7 };
    const path = pathIn(fabric, [{ ...hop, toNode: 0, toName: "", toPort: 0, gbps: 200 }], true);
    const emphasis = emphasisOf(model, { kind: "nothing" }, path);
    const drawn = at(model.graph.linkOfFabricLink, link);
    expect(emphasis.path.get(drawn)).toBe(model.graph.links.source[drawn] === labelled(model, "leaf-2") ? 1 : -1);
    expect(emphasis.running).toBe(true);
    expect(emphasis.pathNodes.size).toBe(2);
  });

  it("leave out hops over cables that are not in this fabric", () => {
    const hop = { link: "0x00000000000000aa:1" as const, linkIndex: 0, fromNode: 0, fromName: "", fromPort: 1 };
    const path = pathIn(sample.fabric, [{ ...hop, toNode: 0, toName: "", toPort: 0, gbps: 200 }], false);
    expect(path.hops).toEqual([]);
  });
});

describe("words", () => {
  const sample = faultyTree();
  const model = modelOf(sample);

  it("tell a link's rate, state and findings", () => {
    const link = linkAt(sample.fabric, "leaf-2", 7);
    const text = describeDrawnLink(model, at(model.graph.linkOfFabricLink, link), new Map());
    expect(text.title).toBe("leaf-2:7 to spine-3:2");
    expect(text.facts).toEqual(["2x HDR, 100 Gb/s", "Active"]);
    expect(text.findings.map((finding) => finding.title)).toEqual(["Width below capability"]);
    expect(spokenLink(model, link, new Map())).toBe("leaf-2:7 to spine-3:2, error, 2x HDR, 100 Gb/s");
  });

  it("tell a missing cable by its two ports", () => {
    const text = describeDrawnLink(model, at(model.graph.linkOfMissing, 0), new Map());
    expect(text.health).toBe("down");
    expect([text.title.includes("leaf-5:5"), text.title.includes("spine-1:5")]).toEqual([true, true]);
    expect(text.facts[0]).toContain("Polling");
  });

  it("tell a node's kind, ports and LID, and a subnet manager's state", () => {
    const leaf = describeDrawnNode(model, labelled(model, "leaf-1"));
    expect(leaf.facts[0]).toMatch(/^Leaf switch, 9 of 40 ports cabled, LID \d+$/);
    const spine = describeDrawnNode(model, labelled(model, "spine-2"));
    expect(spine.facts).toContain("1 aggregation node");
    const host = describeDrawnNode(model, labelled(model, "mgmt-01"));
    expect(host.facts).toContain("SM MASTER, priority 14");
  });
});

describe("unfolding", () => {
  const sample = threeLevelTree(500);
  const layout = laidOut(sample);

  it("opens no leaf from far and those in view from near", () => {
    expect(leavesNear(sample.structure, layout, { zoom: 0.2, x: 0, y: 0 }, 1000, 500, false)).toEqual([]);
    const host = 0;
    const [x, y] = [at(layout.hostX, host), at(layout.hostY, host)];
    const near = leavesNear(sample.structure, layout, { zoom: 4, x: 500 - x * 4, y: 250 - y * 4 }, 1000, 500, false);
    expect(near.length).toBeGreaterThan(0);
    expect(near.length).toBeLessThan(30);
  });

  it("opens the leaf of a selected host and of both ends of a path", () => {
    const { fabric, structure } = sample;
    const node = nodeNamed(fabric, "n001");
    const needed = leavesNeeded(fabric, structure, { kind: "host", host: at(fabric.nodes.host, node) }, undefined);
    expect(needed.map((leaf) => nodeName(fabric, leaf))).toHaveLength(1);
    const link = at(fabric.ports.link, at(fabric.nodes.portStart, node));
    expect(link).not.toBe(none);
    const hops = [{ link, fromNode: node }];
    expect(leavesNeeded(fabric, structure, { kind: "nothing" }, { hops, running: false })).toEqual(needed);
    expect(leavesNeeded(fabric, structure, { kind: "nothing" }, undefined)).toEqual([]);
  });
});

describe("the hover card", () => {
  const card = { width: 200, height: 80 };
  const room = { width: 1000, height: 600 };

  it("does not cover the line it is about", () => {
    const line = { x1: 500, y1: 100, x2: 700, y2: 500 };
    const place = placeCard({ x: 600, y: 300 }, card, room, line);
    const covered = [0, 0.25, 0.5, 0.75, 1].some((t) => {
      const x = line.x1 + (line.x2 - line.x1) * t;
      const y = line.y1 + (line.y2 - line.y1) * t;
      return x > place.left && x < place.left + card.width && y > place.top && y < place.top + card.height;
    });
    expect(covered).toBe(false);
  });

  it("stays inside the window in every corner", () => {
    for (const [x, y] of [
      [2, 2],
      [998, 2],
      [2, 598],
      [998, 598],
    ] as const) {
      const place = placeCard({ x, y }, card, room, undefined);
      expect(place.left).toBeGreaterThanOrEqual(0);
      expect(place.top).toBeGreaterThanOrEqual(0);
      expect(place.left + card.width).toBeLessThanOrEqual(room.width);
      expect(place.top + card.height).toBeLessThanOrEqual(room.height);
    }
  });
});
