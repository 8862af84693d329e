/** Directors as things of their own, cables from a node to itself, folded pods under filters, incomplete bundles. */
import { describe, expect, it } from "vitest";
import { foldingOf } from "../../../../renderer/graph/clusters.ts";
import { openDirectorAt, openDirectorFrames } from "../../../../renderer/graph/director-frames.ts";
import { wantedBy } from "../../../../renderer/graph/filter.ts";
import { placeViewGraph } from "../../../../renderer/graph/geometry.ts";
import { rowNames, type GraphModel } from "../../../../renderer/graph/graph-model.ts";
import { classify } from "../../../../renderer/graph/overlay.ts";
import { nearestLink } from "../../../../renderer/graph/pick-grid.ts";
import { buildPicture, incidence, shortLabels } from "../../../../renderer/graph/picture.ts";
import { buildStructure } from "../../../../renderer/graph/structure.ts";
import { drawnOf, emphasisOf, rectangleOf, targetOfLink, targetOfNode } from "../../../../renderer/graph/target.ts";
import { buildViewGraph } from "../../../../renderer/graph/view-graph.ts";
import { isLoop, type ViewOptions } from "../../../../renderer/graph/view-types.ts";
import { translateSelection } from "../../../../renderer/state/translate-selection.ts";
import { directorFacts } from "../../../../renderer/views/inspector/director-facts.ts";
import { selectionText } from "../../../../renderer/views/inspector/inspector-text.ts";
import { buildIndex, searchIndex } from "../../../../renderer/views/palette/palette-index.ts";
import {
  describeDirector,
  describeDrawnLink,
  describeDrawnNode,
  lackingRemark,
} from "../../../../renderer/views/topology/describe.ts";
import { directorOfSelection, directorsNeeded } from "../../../../renderer/views/topology/unfold.ts";
import { standOf, step } from "../../../../renderer/views/topology/walk.ts";
import { analyse } from "../../../../shared/analyse/analyse.ts";
import type { FabricView } from "../../../../shared/contract/views.ts";
import { at, linkId } from "../../../../shared/fabric/access.ts";
import { type Fabric, none } from "../../../../shared/fabric/model.ts";
import { directorLooks, directorPlan, type DirectorShape } from "../../../support/directors.ts";
import { fabricOf, Planner, twoLevels, type Device } from "../../../support/generated-fabric.ts";
import { linksAstray, nodesAstray, overlaps } from "../../../support/view-checks.ts";
import { simulatedView } from "../tables-fabric.ts";
import { laidOut, type Sample } from "./pictures.ts";

const open: ViewOptions = { unfolded: "all", bundles: false };

function understand(fabric: Fabric): Sample {
  const analysis = analyse(fabric);
  return { fabric, analysis, structure: buildStructure(fabric, analysis) };
}

function modelOf(sample: Sample, view: ViewOptions = open, folded = false): GraphModel {
  const layout = laidOut(sample);
  const folding = folded ? foldingOf(layout, new Set(), new Set()) : undefined;
  const graph = buildViewGraph(sample.fabric, sample.analysis, sample.structure, { ...view, folding });
  return {
    ...{ ...sample, graph, layout },
    geometry: placeViewGraph(graph, layout),
    incidence: incidence(graph),
    shortLabels: shortLabels(graph, layout),
    rowNames: rowNames(sample.analysis),
  };
}

function directors(shape: DirectorShape, named = true): Sample {
  const plan = directorPlan(shape);
  return understand(fabricOf(plan, directorLooks(plan, named)));
}

function viewOf({ fabric, analysis }: Sample): FabricView {
  return { ...simulatedView(), fabric, analysis };
}

const twoPods: DirectorShape = { directors: 2, lines: 4, spines: 3, edges: 12, hosts: 6 };
const withHosts: DirectorShape = { directors: 1, lines: 8, spines: 4, edges: 0, hosts: 12 };

describe("a director", () => {
  it("is selected by its node, and found by the selection", () => {
    const model = modelOf(directors(withHosts));
    const node = model.graph.nodes.findIndex(({ kind }) => kind === "director");
    expect(targetOfNode(model.graph, node)).toEqual({ kind: "director", director: 0 });
    expect(drawnOf(model.fabric, model.graph, { kind: "director", director: 0 })).toEqual({ node, link: -1 });
    const emphasis = emphasisOf(model, { kind: "director", director: 0 }, undefined);
    expect([emphasis.selectedNode, emphasis.selectedDirector]).toEqual([node, 0]);
  });

  it("stays where it is when it opens, and is hit on its ground and its name", () => {
    const sample = directors(withHosts);
    const shut = modelOf(sample);
    const opened = modelOf(sample, { ...open, openDirectors: new Set([0]) });
    const [before, after] = [shut, opened].map((model) => rectangleOf(model, { kind: "director", director: 0 }));
    for (const side of ["left", "top", "right", "bottom"] as const) {
      expect(after?.[side]).toBeCloseTo(before?.[side] ?? NaN, 2);
    }
    const [frame] = openDirectorFrames(opened);
    expect(openDirectorFrames(opened)).toHaveLength(1);
    expect(openDirectorFrames(shut)).toEqual([]);
    const middle = ((frame?.left ?? 0) + (frame?.right ?? 0)) / 2;
    expect(openDirectorAt(opened, middle, (frame?.top ?? 0) + 40, 1)).toBe(0);
    expect(openDirectorAt(opened, middle, (frame?.top ?? 0) - 12, 1)).toBe(0);
    expect(openDirectorAt(opened, middle, (frame?.bottom ?? 0) + 20, 1)).toBe(-1);
    expect(openDirectorAt(shut, middle, (frame?.top ?? 0) + 40, 1)).toBe(-1);
  });

  it("is reached by the arrow keys, and they go on from it open and closed", () => {
    const sample = directors(twoPods);
    const shut = modelOf(sample);
    const leaf = shut.graph.nodes.findIndex(({ level, kind }) => kind === "switch" && level === 1);
    const above = step(shut, leaf, "up") ?? -1;
    const target = targetOfNode(shut.graph, above);
    expect(target.kind).toBe("director");
    expect(standOf(shut, target)).toBe(above);
    expect(targetOfNode(shut.graph, step(shut, above, "right") ?? -1)).toEqual({ kind: "director", director: 1 });
    const opened = modelOf(sample, { ...open, openDirectors: new Set([0, 1]) });
    expect(opened.graph.nodes[standOf(opened, { kind: "director", director: 1 })]?.kind).toBe("switch");
  });

  it("is opened and closed by Space, from itself and from a chip without hosts", () => {
    const sample = directors(withHosts);
    const { structure } = sample;
    const [line = none] = sample.analysis.topology.tiers[0]?.switches ?? [];
    const [spine = none] = sample.analysis.topology.tiers[1]?.switches ?? [];
    const now = new Set([0]);
    expect(directorOfSelection(structure, { kind: "director", director: 0 }, new Set())).toBe(0);
    expect(directorOfSelection(structure, { kind: "director", director: 0 }, now)).toBe(0);
    expect(directorOfSelection(structure, { kind: "node", node: spine }, now)).toBe(0);
    // Space on a chip with hosts folds these.
    expect(directorOfSelection(structure, { kind: "node", node: line }, now)).toBeUndefined();
    expect(directorsNeeded(sample, structure, { kind: "director", director: 0 }, undefined)).toEqual([]);
  });

  it("tells its chips, cables inside and out, hosts and findings, the same everywhere", () => {
    const sample = directors(withHosts);
    const link = 0;
    const finding = {
      id: "x",
      rule: "x",
      severity: "error",
      title: "Width below capability",
      subject: { kind: "link", name: "a", link: linkId(sample.fabric, link), index: link },
      message: "It is narrow.",
      evidence: "",
      cause: "",
      remedy: "",
    } as const;
    const analysis = { ...sample.analysis, findings: [finding] };
    const view = { ...viewOf(sample), analysis };
    const facts = directorFacts(view, 0);
    expect([facts.name, facts.boards, facts.hosts, facts.chips.length]).toEqual([
      "core-1",
      "8 line, 4 spine chips",
      96,
      12,
    ]);
    expect(facts.rows.map(({ label, value }) => `${label}: ${value}`)).toEqual([
      "Inside: 64 links, 12,800 Gb/s",
      "Hosts: 96 links, 19,200 Gb/s",
      "Hosts on it: 96",
      "Ports: 224 of 3,000 up",
    ]);
    expect(facts.findings).toEqual([finding]);
    const text = selectionText(view, { kind: "director", director: 0 }, []);
    for (const words of ["core-1, director", "Inside: 64 links", "Width below capability", "core-1/S04/U1"]) {
      expect(text).toContain(words);
    }
    const model = { ...modelOf(sample), analysis };
    const card = describeDrawnNode(
      model,
      model.graph.nodes.findIndex(({ kind }) => kind === "director"),
    );
    expect(card.facts).toEqual(["Director, 8 line, 4 spine chips", "64 links inside", "96 hosts on it"]);
    expect(describeDirector(model, 0)).toEqual(card);
  });

  it("is found by its name and by its GUID, before its chips", () => {
    const view = viewOf(directors(twoPods));
    const index = buildIndex(view);
    const [best = -1] = searchIndex(index, "core-2", 5).hits;
    expect(index.entries[best]).toMatchObject({ kind: "director", selection: { kind: "director", director: 1 } });
    const unnamed = viewOf(directors(twoPods, false));
    const system = directorFacts(unnamed, 0).systemGuid;
    const found = searchIndex(buildIndex(unnamed), system, 50).hits;
    expect(found.map((hit) => buildIndex(unnamed).entries[hit]?.kind)).toContain("director");
  });

  it("stays selected in the next collection, and is let go when it is gone", () => {
    const before = viewOf(directors(twoPods));
    const selection = { kind: "director", director: 1 } as const;
    expect(translateSelection(selection, before, viewOf(directors(twoPods)))).toEqual(selection);
    expect(translateSelection(selection, before, simulatedView())).toEqual({ kind: "nothing" });
  });
});

describe("directors above pods", () => {
  for (const shape of [twoPods, { ...twoPods, lines: 6, edges: 14, directors: 3 }, { ...twoPods, lines: 2 }]) {
    const name = `${String(shape.directors)} directors of ${String(shape.lines)} line chips`;

    it(`are one box each over the rows of their chips: ${name}`, () => {
      const model = modelOf(directors(shape));
      const { graph, geometry, structure, layout } = model;
      graph.nodes.forEach((node, i) => {
        if (node.kind !== "director") return;
        for (const box of node.boxes ?? []) {
          expect(Math.abs(at(layout.boxX, box) - at(geometry.x, i))).toBeLessThan(at(geometry.width, i) / 2);
          expect(Math.abs(at(layout.boxY, box) - at(geometry.y, i))).toBeLessThan(at(geometry.height, i) / 2);
        }
      });
      // No row of switches is empty: each has a drawn node over it.
      for (const band of layout.bands) {
        const over = graph.nodes.some((_, i) => Math.abs(at(geometry.y, i) - band.y) <= at(geometry.height, i) / 2);
        expect(over).toBe(true);
      }
      expect(structure.directors).toHaveLength(shape.directors);
      expect(overlaps(graph, geometry)).toEqual([]);
    });

    it(`are never torn by folded pods: ${name}`, () => {
      const sample = directors(shape);
      const { graph, geometry } = modelOf(sample, { unfolded: new Set(), bundles: true }, true);
      const drawn = graph.nodes.filter(({ kind }) => kind === "director");
      expect(drawn.map(({ boxes }) => boxes?.length)).toEqual(
        Array.from({ length: shape.directors }, () => shape.lines + shape.spines),
      );
      expect([
        ...nodesAstray(sample.fabric, graph),
        ...linksAstray(sample.fabric, sample.analysis, graph),
        ...overlaps(graph, geometry),
      ]).toEqual([]);
    });
  }
});

describe("a cable from a node to itself", () => {
  /** Two cables of a spine to itself, one of a leaf and one of a host, and a host with nothing but such a cable. */
  function looped(): Sample {
    const plan = new Planner();
    const spine = plan.device("switch", 2, -1);
    const leaves = [0, 1, 2].map(() => plan.device("switch", 1, -1));
    for (const leaf of leaves) {
      plan.link(leaf, spine, 2);
      plan.hosts(leaf, 3);
    }
    const hosts = plan.devices.filter(({ kind }) => kind === "ca");
    const lone = plan.device("ca", 0, -1);
    for (const device of [spine, spine, leaves[1], hosts[4], lone]) if (device !== undefined) plan.link(device, device);
    return understand(fabricOf(plan));
  }

  it("is drawn exactly once where the node stands alone, and inside the fold of folded hosts", () => {
    const sample = looped();
    for (const [view, loops] of [
      [open, 5],
      [{ unfolded: "all", bundles: true }, 4],
      [{ unfolded: new Set<number>(), bundles: false }, 4],
    ] as const) {
      const { graph } = modelOf(sample, view);
      const found = Array.from({ length: graph.links.count }, (_, link) => link).filter((link) =>
        isLoop(graph.links, link),
      );
      expect(found).toHaveLength(loops);
      expect(linksAstray(sample.fabric, sample.analysis, graph)).toEqual([]);
      expect(nodesAstray(sample.fabric, graph)).toEqual([]);
    }
  });

  it("is an arc outside of its node that the pointer finds and a click selects", () => {
    const model = modelOf(looped());
    const { graph, geometry, fabric } = model;
    const hidden = new Uint8Array(graph.links.count);
    let loops = 0;
    for (let link = 0; link < graph.links.count; link += 1) {
      if (!isLoop(graph.links, link)) continue;
      loops += 1;
      const node = at(graph.links.source, link);
      // Half way to the control point: the outermost point of the arc.
      const x = (at(geometry.x1, link) + at(geometry.x2, link)) / 4 + at(geometry.cx, link) / 2;
      const y = (at(geometry.y1, link) + at(geometry.y2, link)) / 4 + at(geometry.cy, link) / 2;
      const [dx, dy] = [Math.abs(x - at(geometry.x, node)), Math.abs(y - at(geometry.y, node))];
      const out = Math.max(dx - at(geometry.width, node) / 2, dy - at(geometry.height, node) / 2);
      expect(out).toBeGreaterThan(5);
      expect(nearestLink(geometry, x, y, 1, hidden)).toBe(link);
      const target = targetOfLink(model, link);
      expect(target.kind).toBe("link");
      expect(drawnOf(fabric, graph, target)).toEqual({ node: -1, link });
      const own = model.incidence.link.subarray(at(model.incidence.start, node), at(model.incidence.start, node + 1));
      expect(own.filter((other) => other === link)).toHaveLength(1);
    }
    expect(loops).toBe(5);
  });
});

describe("folded pods under a filter", () => {
  const rails = 4;
  const pods = 3;

  function railFabric(): Sample {
    const plan = new Planner();
    const cores = [0, 1, 2, 3].map(() => plan.device("switch", 3, -1));
    const description = new Map<Device, string>();
    for (let pod = 0; pod < pods; pod += 1) {
      const spines = [0, 1].map(() => plan.device("switch", 2, pod));
      const leaves = Array.from({ length: rails }, () => plan.device("switch", 1, pod));
      for (const leaf of leaves) for (const spine of spines) plan.link(leaf, spine);
      spines.forEach((spine, i) => {
        for (const core of cores.slice(i * 2, i * 2 + 2)) plan.link(spine, core);
      });
      for (let host = 0; host < 6; host += 1) {
        leaves.forEach((leaf, rail) => {
          const adapter = plan.device("ca", 0, pod);
          description.set(adapter, `gpu${String(pod * 6 + host)} mlx5_${String(rail)}`);
          plan.link(leaf, adapter);
        });
      }
    }
    return understand(
      fabricOf(plan, (device) => {
        const own = description.get(device);
        return own === undefined ? {} : { description: own };
      }),
    );
  }

  it("show one leaf of each pod on a rail, its cells, and all hosts, as the legend counts them", () => {
    const sample = railFabric();
    const { fabric, analysis } = sample;
    expect(analysis.topology.rails).toBe(rails);
    const { graph } = modelOf(sample, { unfolded: new Set(), bundles: true }, true);
    const classes = classify("health", { fabric, analysis, measured: new Map(), passPercent: 95 });
    const wanted = wantedBy(fabric, analysis, { rails: [1], clusters: [], hostGroups: [], text: "" }, undefined);
    const filters = { onlyDegraded: false, tiers: [], classes: [] };
    const picture = buildPicture(fabric, graph, classes, { ...filters, wanted });
    const blocks = graph.nodes.flatMap(({ kind }, i) => (kind === "pod" ? [i] : []));
    expect(blocks).toHaveLength(pods);
    for (const block of blocks) {
      const kept = picture.kept.get(block);
      const columns = graph.cells.get(block)?.columns ?? 0;
      const left = new Set([...(kept?.cells ?? [])].flatMap((flag, cell) => (flag === 1 ? [cell % columns] : [])));
      expect([kept?.switches, kept?.hosts, left.size]).toEqual([3, 6, 1]);
      expect(kept?.cells.reduce((sum, flag) => sum + flag, 0)).toBe(2);
    }
    expect(buildPicture(fabric, graph, classes, filters).kept.size).toBe(0);
  });
});

describe("an incomplete bundle", () => {
  it("is told in the legend, and by each cable of it that is drawn alone", () => {
    const whole = twoLevels(8, 3, 4, 4);
    expect(lackingRemark(modelOf(understand(fabricOf(whole))))).toBe("");
    const [first] = whole.cables.filter(({ a, b }) => a.device.kind === "switch" && b.device.kind === "switch");
    expect(first).toBeDefined();
    if (first !== undefined) whole.cables.splice(whole.cables.indexOf(first), 1);
    const model = modelOf(understand(fabricOf(whole)));
    expect(lackingRemark(model)).toContain("fewer cables");
    const told = Array.from({ length: model.graph.links.count }, (_, link) => link).filter((link) =>
      describeDrawnLink(model, link, new Map()).facts.includes("3 of 4 cables are there"),
    );
    expect(told).toHaveLength(3);
    const amber = told.filter((link) => model.graph.links.lacking[link] === 1);
    expect(amber).toEqual(told);
    expect(model.graph.links.lacking.filter((flag) => flag === 1)).toHaveLength(3);
  });
});
