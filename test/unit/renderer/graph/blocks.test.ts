/** Pods, groups and core planes as subjects: facts, selection, actions, tables. */
import { describe, expect, it } from "vitest";
import { drawnOfBlock, openFrameAt, planeOf } from "../../../../renderer/graph/block-frames.ts";
import { foldingOf } from "../../../../renderer/graph/clusters.ts";
import { placeViewGraph } from "../../../../renderer/graph/geometry.ts";
import { rowNames, type GraphModel } from "../../../../renderer/graph/graph-model.ts";
import { incidence, shortLabels } from "../../../../renderer/graph/picture.ts";
import { buildStructure } from "../../../../renderer/graph/structure.ts";
import { drawnOf, emphasisOf, rectangleOf, targetOfNode } from "../../../../renderer/graph/target.ts";
import { buildViewGraph } from "../../../../renderer/graph/view-graph.ts";
import { atOnce } from "../../../../renderer/parts/slices.ts";
import { foldKey, type Selection, useSelection } from "../../../../renderer/state/selection-store.ts";
import { translateSelection } from "../../../../renderer/state/translate-selection.ts";
import { blockFacts, isKnownBlock } from "../../../../renderer/views/inspector/block-facts.ts";
import { selectionText } from "../../../../renderer/views/inspector/inspector-text.ts";
import { groupMatrix, groupRow } from "../../../../renderer/views/inspector/shape-facts.ts";
import { parseQuery } from "../../../../renderer/views/links/query.ts";
import { filterNodes, namesQuery, nodeQueryKeys, nodeRows } from "../../../../renderer/views/nodes/node-rows.ts";
import { buildIndex, searchIndex } from "../../../../renderer/views/palette/palette-index.ts";
import { selectionName } from "../../../../renderer/views/shell/go-to.ts";
import { objectActions, type Present } from "../../../../renderer/views/shell/object-actions.ts";
import { spokenBlock } from "../../../../renderer/views/topology/describe.ts";
import { blocksNeeded, drawnOpen, foldsKept, openedBy } from "../../../../renderer/views/topology/unfold.ts";
import { standOf, step } from "../../../../renderer/views/topology/walk.ts";
import { analyse } from "../../../../shared/analyse/analyse.ts";
import { healths } from "../../../../shared/analyse/results.ts";
import { assert } from "../../../../shared/base/assert.ts";
import type { FabricView } from "../../../../shared/contract/views.ts";
import { at, nodeName } from "../../../../shared/fabric/access.ts";
import { directorLooks, directorPlan } from "../../../support/directors.ts";
import { dragonflyPlus, fabricOf, fourLevels, type Plan, threeLevels } from "../../../support/generated-fabric.ts";
import { openSample } from "../../../support/samples.ts";
import { simulatedView } from "../tables-fabric.ts";
import { laidOut } from "./pictures.ts";

type Block = Extract<Selection, { kind: "block" | "plane" }>;

function viewOf(plan: Plan): FabricView {
  const fabric = fabricOf(plan);
  return { ...simulatedView(), fabric, analysis: analyse(fabric) };
}

function modelOf({ fabric, analysis }: FabricView, folded: boolean): GraphModel {
  const structure = buildStructure(fabric, analysis);
  const layout = laidOut({ fabric, analysis, structure });
  const folding = folded ? foldingOf(layout, new Set(), new Set()) : undefined;
  const graph = buildViewGraph(fabric, analysis, structure, { unfolded: "all", bundles: false, folding });
  return {
    ...{ fabric, analysis, structure, layout, graph },
    geometry: placeViewGraph(graph, layout),
    incidence: incidence(graph),
    shortLabels: shortLabels(graph, layout),
    rowNames: rowNames(analysis),
  };
}

function without(plan: Plan, n: number, of: (cable: Plan["cables"][number]) => boolean): Plan {
  const lost = plan.cables.filter(of)[n];
  return { devices: plan.devices, cables: plan.cables.filter((cable) => cable !== lost) };
}

const pod = (block: number): Block => ({ kind: "block", block });
const tree = (): Plan => threeLevels(4, 4, 2, 3, 6);

describe("facts of a pod, a group and a plane", () => {
  it("counts what is in a pod of three levels, its ways out and both ratios", () => {
    const facts = blockFacts(viewOf(tree()), pod(1));
    expect([facts.name, facts.word, facts.size]).toEqual(["Pod 2", "Pod", "4 leaves, 2 spines, 24 hosts"]);
    const value = (label: string) => facts.rows.find((row) => row.label === label)?.value;
    expect(value("Inside")).toMatch(/^32 links/);
    expect(value("Links up")).toMatch(/^6 links/);
    expect(value("Leaf uplinks")).toBe("3:1 oversubscribed");
    expect(value("Pod uplinks")).toBe("4:1 oversubscribed");
    expect(facts.leaving).toHaveLength(6);
    expect(facts.neighbours.map(({ links }) => links)).toEqual([1, 1, 1, 1, 1, 1]);
    expect(facts.rates.reduce((sum, { links }) => sum + links, 0)).toBe(32);
    expect(facts.health).toBe("ok");
  });

  it("knows no pods in a tree of two levels", () => {
    const view = simulatedView();
    expect(isKnownBlock(view, pod(0))).toBe(false);
    expect(objectActions(view, pod(0), nobody)).toEqual([]);
    expect(searchIndex(buildIndex(view), "pod 1", 10).hits).toEqual([]);
  });

  it("takes the cores of a tree of four levels as what is outside", () => {
    const view = viewOf(fourLevels(2, 2, 3, 2, 2, 1, 4));
    expect(view.analysis.topology.pods).toHaveLength(4);
    const facts = blockFacts(view, pod(3));
    expect(facts.size).toBe("3 leaves, 2 spines, 12 hosts");
    expect(facts.leaving).toHaveLength(4);
  });

  it("says of a group what the matrix says, for every pair, and marks the one that lacks a link", () => {
    const view = viewOf(without(dragonflyPlus(5, 4, 4, 4, 1), 0, ({ a, b }) => a.device.block !== b.device.block));
    const matrix = groupMatrix(view.fabric, view.analysis);
    assert(matrix !== undefined, "a Dragonfly+ has one");
    for (let group = 0; group < 5; group += 1) {
      const row = matrix.cells.slice(group * 5, group * 5 + 5).filter(({ a, b }) => a !== b);
      expect(groupRow(view.fabric, view.analysis, group)?.cells.filter(({ a, b }) => a !== b)).toEqual(row);
      const facts = blockFacts(view, pod(group));
      expect(facts.neighbours).toHaveLength(4);
      expect(facts.neighbours.reduce((sum, { links }) => sum + links, 0)).toBe(matrix.sums[group]?.links);
      expect(facts.leaving).toHaveLength(matrix.sums[group]?.links ?? 0);
    }
    const [worst] = blockFacts(view, pod(0)).neighbours;
    expect([worst?.name, worst?.links, worst?.health, worst?.remark]).toEqual([
      "Group 2",
      3,
      "warning",
      "most pairs have 4",
    ]);
    expect(blockFacts(view, pod(1)).exceptions.map(({ kind }) => kind)).toContain("global-links");
    expect(blockFacts(view, pod(4)).exceptions).toEqual([]);
  });

  it("says of every pod and group of the samples the sizes and the health that the picture draws", async () => {
    const groups = (await openSample("dragonfly-plus")).understood;
    const pods = (await openSample("fat-tree-3-levels")).understood;
    for (const { fabric, analysis } of [groups, pods, viewOf(tree())]) {
      const view = { ...simulatedView(), fabric, analysis };
      const { graph } = modelOf(view, true);
      const drawn = graph.nodes.filter(({ kind }) => kind === "pod" || kind === "group" || kind === "plane");
      expect(drawn.length).toBeGreaterThan(1);
      for (const node of drawn) {
        const target = targetOfNode(graph, graph.nodes.indexOf(node));
        assert(target.kind === "block" || target.kind === "plane", "a block is its own subject");
        const facts = blockFacts(view, target);
        expect([facts.name, facts.health]).toEqual([node.label, healths[node.health]]);
        const own = facts.rows.flatMap(({ label, value }) =>
          ["Leaves", "Spines", "Hosts", "Core switches"].includes(label) ? [Number(value)] : [],
        );
        expect(own).toEqual(node.kind === "plane" ? [node.spines] : [node.leaves, node.spines, node.hosts]);
      }
    }
  });

  it("has the damage of a pod: what is inside decides its health, what leaves it is told beside", () => {
    const view = viewOf(tree());
    const bad = at(blockFacts(view, pod(0)).leaving, 0);
    const linkHealth = view.analysis.linkHealth.slice();
    linkHealth[bad] = healths.indexOf("error");
    const damaged = { ...view, analysis: { ...view.analysis, linkHealth } };
    const facts = blockFacts(damaged, pod(0));
    expect(facts.health).toBe(blockFacts(view, pod(0)).health);
    expect(facts.neighbours[0]?.health).toBe("error");
    expect(facts.rows.find(({ label }) => label === "Links up")?.value).toContain("1 with a finding");
    const lacking = viewOf(
      without(tree(), 1, ({ a, b }) => a.device.tier + b.device.tier === 3 && a.device.block === 0),
    );
    expect(blockFacts(lacking, pod(0)).rows.find(({ label }) => label === "Inside")?.value).toMatch(/^31 links/);
  });

  it("leaves the chips of directors above to these, as the picture does", () => {
    const plan = directorPlan({ directors: 2, lines: 4, spines: 3, edges: 12, hosts: 6 });
    const fabric = fabricOf(plan, directorLooks(plan, true));
    const view = { ...simulatedView(), fabric, analysis: analyse(fabric) };
    assert(isKnownBlock(view, pod(0)), "two pods below the directors");
    const node = modelOf(view, true).graph.nodes.find(({ kind, cluster }) => kind === "pod" && cluster === 0);
    const { size, rows } = blockFacts(view, pod(0));
    expect(node?.spines).toBe(0);
    expect(size).not.toContain("spine");
    expect(rows.find(({ label }) => label === "Spines")?.value).toMatch(/chips? of directors above/);
  });

  it("is copied as text with its ways out", () => {
    const text = selectionText(viewOf(dragonflyPlus(4, 2, 2, 2, 1)), pod(2), []);
    expect(text).toMatch(/^Group 3, 2 leaves, 2 spines, 4 hosts/);
    expect(text).toContain("to Group 1: 2 links, ok");
  });
});

describe("selecting one", () => {
  it("is its node while closed, and its outline while open", () => {
    const view = viewOf(tree());
    const [shut, open] = [modelOf(view, true), modelOf(view, false)];
    const node = drawnOf(shut.fabric, shut.graph, pod(2)).node;
    expect(targetOfNode(shut.graph, node)).toEqual(pod(2));
    expect(emphasisOf(shut, pod(2), undefined).selectedNode).toBe(node);
    expect(drawnOf(open.fabric, open.graph, pod(2)).node).toBe(-1);
    expect(emphasisOf(open, pod(2), undefined).selectedBlock).toBe(2);
    expect(drawnOfBlock(open, pod(2))).toHaveLength(4 + 2 + 24);
    const box = rectangleOf(open, pod(2));
    assert(box !== undefined, "an open pod has an outline");
    expect(openFrameAt(open, box.left, (box.top + box.bottom) / 2, 1)).toBe(2);
    expect(openFrameAt(open, box.left + 8, box.top - 9, 1)).toBe(2);
    expect(openFrameAt(open, (box.left + box.right) / 2, (box.top + box.bottom) / 2, 1)).toBe(-1);
    expect(openFrameAt(shut, box.left, (box.top + box.bottom) / 2, 1)).toBe(-1);
  });

  it("is reached by the arrow keys, and left by them", () => {
    const model = modelOf(viewOf(tree()), true);
    const first = drawnOf(model.fabric, model.graph, pod(0)).node;
    const next = step(model, first, "right") ?? -1;
    expect(targetOfNode(model.graph, next)).toEqual(pod(1));
    const above = step(model, next, "up") ?? -1;
    expect(targetOfNode(model.graph, above).kind).toBe("plane");
    const open = modelOf(viewOf(tree()), false);
    expect(open.graph.nodes[standOf(open, pod(1))]?.cluster).toBe(1);
  });

  it("of a plane holds its switches, and finds the plane again by them", () => {
    const view = viewOf(tree());
    const model = modelOf(view, true);
    const node = model.graph.nodes.findIndex(({ kind }) => kind === "plane");
    const plane = targetOfNode(model.graph, node);
    assert(plane.kind === "plane", "a plane");
    expect(plane.switches).toHaveLength(3);
    expect(planeOf(model, plane.switches)).toEqual(plane);
    const facts = blockFacts(view, plane);
    expect([facts.name, facts.size]).toEqual([model.graph.nodes[node]?.label, "3 core switches"]);
    expect(facts.neighbours.map(({ name, links }) => [name, links])).toEqual([
      ["Pod 1", 3],
      ["Pod 2", 3],
      ["Pod 3", 3],
      ["Pod 4", 3],
    ]);
    expect(spokenBlock(model, plane)).toContain(`${plane.name}, 3 core switches`);
  });

  it("needs nothing opened", () => {
    const view = viewOf(tree());
    const model = modelOf(view, true);
    const needed = blocksNeeded(view, model.structure, model.layout, pod(1), undefined);
    expect([needed.clusters.size, needed.planes.size]).toEqual([0, 0]);
  });
});

describe("the same one after collecting again", () => {
  it("is that with most of its switches, whatever number it has now", () => {
    const before = viewOf(tree());
    const same = viewOf(tree());
    const { topology } = same.analysis;
    const renumbered = {
      ...topology,
      pods: [...topology.pods].reverse(),
      blockOfNode: topology.blockOfNode.map((block) => (block < 0 ? block : 3 - block)),
    };
    const after = { ...same, analysis: { ...same.analysis, topology: renumbered } };
    for (let block = 0; block < 4; block += 1) {
      expect(translateSelection(pod(block), before, after)).toEqual(pod(3 - block));
      const guids = (view: FabricView, of: Block) =>
        blockFacts(view, of)
          .switches.map((node) => String(view.fabric.nodes.guid[node]))
          .sort();
      expect(guids(after, pod(3 - block))).toEqual(guids(before, pod(block)));
    }
  });

  it("is still found when its number went to another: the first pod is gone", () => {
    const plan = tree();
    const before = viewOf(plan);
    const gone = new Set(plan.devices.filter(({ block }) => block === 0));
    const after = viewOf({
      devices: plan.devices.filter((device) => !gone.has(device)),
      cables: plan.cables.filter(({ a, b }) => !gone.has(a.device) && !gone.has(b.device)),
    });
    const names = before.analysis.topology.pods.map((_, block) => translateSelection(pod(block), before, after));
    expect(names.filter(({ kind }) => kind === "nothing")).toHaveLength(1);
    expect(new Set(names.flatMap((one) => (one.kind === "block" ? [one.block] : []))).size).toBe(3);
  });

  it("of a plane keeps its switches", () => {
    const before = viewOf(tree());
    const model = modelOf(before, true);
    const plane = targetOfNode(
      model.graph,
      model.graph.nodes.findIndex(({ kind }) => kind === "plane"),
    );
    const after = viewOf(tree());
    expect(translateSelection(plane, before, after)).toEqual(plane);
    expect(translateSelection(plane, before, simulatedView())).toEqual({ kind: "nothing" });
  });
});

const nobody: Present = { routesReady: false, running: undefined, marks: {}, drawnOpen: undefined, clusters: [] };

describe("what can be done with one", () => {
  it("open, show alone, list, measure, copy, fly; a plane is not shown alone", () => {
    const view = viewOf(tree());
    const ids = (target: Block) => objectActions(view, target, nobody).map(({ id }) => id);
    expect(ids(pod(0))).toEqual([
      ...["inspect", "fold", "alone", "list", "sweep-uplinks-of", "copy", "copy-guid", "fly"],
    ]);
    const cores = view.analysis.topology.tiers.at(-1)?.switches ?? [];
    expect(ids({ kind: "plane", plane: 0, name: "Plane 1", switches: cores.slice(0, 3) })).not.toContain("alone");
    expect(selectionName(view, pod(3))).toBe("Pod 4");
    expect(selectionName(view, pod(4))).toBeUndefined();
  });

  it("says open or close by what the picture draws, and turns it round", () => {
    const view = viewOf(tree());
    const fold = (open: ReadonlySet<string>) =>
      objectActions(view, pod(1), { ...nobody, drawnOpen: open }).find(({ id }) => id === "fold");
    useSelection.getState().reset();
    useSelection.getState().setDrawnOpen(new Set());
    expect(fold(new Set())?.title).toBe("Open switch by switch");
    fold(new Set())?.run();
    expect(useSelection.getState().folds.get(foldKey(pod(1)))).toBe(true);
    expect(useSelection.getState().selection).toEqual(pod(1));
    useSelection.getState().setDrawnOpen(new Set(["block 1"]));
    expect(fold(new Set(["block 1"]))?.title).toBe("Close to one block");
    fold(new Set(["block 1"]))?.run();
    expect(useSelection.getState().folds.get(foldKey(pod(1)))).toBe(false);
    useSelection.getState().reset();
    expect(useSelection.getState().folds.size).toBe(0);
  });

  it("shows it alone, and all again", () => {
    const view = viewOf(tree());
    const alone = (clusters: readonly number[]) =>
      objectActions(view, pod(1), { ...nobody, clusters }).find(({ id }) => id === "alone");
    alone([])?.run();
    expect(useSelection.getState().clusters).toEqual([1]);
    expect(alone([1])?.title).toBe("Show all pods again");
    alone([1])?.run();
    expect(useSelection.getState().clusters).toEqual([]);
  });

  it("lists as many switches in the table as its inspector counts", () => {
    for (const plan of [tree(), dragonflyPlus(4, 3, 2, 2, 1)]) {
      const view = viewOf(plan);
      const rows = atOnce(nodeRows(view.fabric, view.analysis));
      const keys = nodeQueryKeys(rows);
      const word = view.analysis.topology.groups.length > 0 ? "group" : "pod";
      const found = filterNodes(rows, parseQuery(`kind:switch ${word}:2`, keys));
      const facts = blockFacts(view, pod(1));
      expect([...found].map((row) => rows[row]?.index).sort()).toEqual([...facts.switches].sort());
      const hosts = filterNodes(rows, parseQuery(`kind:host ${word}:2`, keys));
      expect(facts.size).toContain(`${hosts.length} hosts`);
      const names = facts.switches.slice(0, 2).map((node) => nodeName(view.fabric, node));
      expect(filterNodes(rows, parseQuery(namesQuery(names), keys))).toHaveLength(2);
    }
  });

  it("is found in the palette by its name, before all else", () => {
    const view = viewOf(dragonflyPlus(12, 2, 2, 2, 1));
    const index = buildIndex(view);
    const [first] = searchIndex(index, "group 5", 10).hits;
    expect(index.entries[first ?? -1]?.title).toBe("Group 5");
    const [one] = searchIndex(index, "group 1", 10).hits;
    expect(index.entries[one ?? -1]?.title).toBe("Group 1");
  });
});

describe("what is drawn open", () => {
  it("is what is near or opened by hand, without what was closed by hand, and always what is needed", () => {
    const none = { clusters: new Set<number>(), planes: new Set<number>() };
    const near = { clusters: new Set([1, 2]), planes: new Set([0]) };
    const folds = new Map([
      ["block 3", true],
      ["block 1", false],
      ["plane 0", false],
    ]);
    const open = openedBy(folds, near, none);
    expect([[...open.clusters].sort(), [...open.planes]]).toEqual([[2, 3], []]);
    expect(openedBy(folds, near, { ...none, clusters: new Set([1]) }).clusters.has(1)).toBe(true);
    expect(foldsKept(folds, near)).toBe(folds);
    // The camera went away: coming near opens it again.
    expect([...foldsKept(folds, none).keys()]).toEqual(["block 3"]);
  });

  it("is told by the picture", () => {
    const view = viewOf(tree());
    expect(drawnOpen(modelOf(view, true)).size).toBe(0);
    expect(drawnOpen(modelOf(view, false)).has("block 3")).toBe(true);
  });
});
