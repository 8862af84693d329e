import { describe, expect, it } from "vitest";
import { innerClasses } from "../../../../renderer/graph/cell-classes.ts";
import { foldingOf } from "../../../../renderer/graph/clusters.ts";
import { classify } from "../../../../renderer/graph/overlay.ts";
import { buildViewGraph } from "../../../../renderer/graph/view-graph.ts";
import { at } from "../../../../shared/fabric/access.ts";
import { none } from "../../../../shared/fabric/model.ts";
import { laidOut, threeLevelTree } from "./pictures.ts";

describe("links inside folded pods", () => {
  const sample = threeLevelTree(64);
  const { fabric, analysis, structure } = sample;
  const folding = foldingOf(laidOut(sample), new Set(), new Set());
  const graph = buildViewGraph(fabric, analysis, structure, { unfolded: "all", bundles: true, folding });
  const inside = graph.cellOfFabricLink.findIndex((cell) => cell !== none);
  const node = at(graph.insideOfFabricLink, inside);
  const cell = at(graph.cellOfFabricLink, inside);

  it("have the class that the legend counts them in, cell by cell", () => {
    for (const port of [at(fabric.links.a, inside), at(fabric.links.b, inside)]) fabric.ports.lanes[port] = 2;
    const classes = classify("rate", { fabric, analysis, measured: new Map(), passPercent: 95 });
    const inner = innerClasses(graph, classes).get(node);
    expect(classes.classes[inner?.cells[cell] ?? -1]?.label).toBe("2x HDR, 100 Gb/s");
    expect(classes.classes[inner?.usual ?? -1]?.label).toBe("4x HDR, 200 Gb/s");
    expect(classes.classes[inner?.hosts ?? -1]?.label).toBe("4x HDR, 200 Gb/s");
    for (const port of [at(fabric.links.a, inside), at(fabric.links.b, inside)]) fabric.ports.lanes[port] = 4;
  });

  it("are sorted anew under another overlay", () => {
    const input = { fabric, analysis, measured: new Map<never, never>(), passPercent: 95 };
    const errors = classify("errors", input);
    expect(errors.classes[innerClasses(graph, errors).get(node)?.usual ?? -1]?.label).toBe("growth not known");
    const measured = classify("bandwidth", input);
    expect(measured.classes[innerClasses(graph, measured).get(node)?.usual ?? -1]?.label).toBe("not measured");
  });
});
