import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { SimulatedTopology } from "../../../../electron/run/simulated/model.ts";
import { fitCamera, type Camera } from "../../../../renderer/graph/camera.ts";
import type { Drawing, Frame } from "../../../../renderer/graph/drawing.ts";
import type { ExportNote } from "../../../../renderer/graph/export-frame.ts";
import {
  pngLimits,
  pngRatio,
  recordPicture,
  wholeFrame,
  type RecordedPicture,
} from "../../../../renderer/graph/export-picture.ts";
import { deriveGraph, layOut, prepare, modelOf } from "../../../../renderer/graph/graph-model.ts";
import { nodesInView } from "../../../../renderer/graph/marks.ts";
import { classify } from "../../../../renderer/graph/overlay.ts";
import { svgText } from "../../../../renderer/graph/picture-file.ts";
import { PictureRecorder, play, type Recording } from "../../../../renderer/graph/picture-recorder.ts";
import { buildPicture } from "../../../../renderer/graph/picture.ts";
import { pillsOf } from "../../../../renderer/graph/pills.ts";
import { atOnce, inSlices } from "../../../../renderer/parts/slices.ts";
import { emphasisOf, type Target } from "../../../../renderer/graph/target.ts";
import type { ViewOptions } from "../../../../renderer/graph/view-types.ts";
import { analyse } from "../../../../shared/analyse/analyse.ts";
import { groupDigits } from "../../../../shared/base/text.ts";
import { buildStructure } from "../../../../renderer/graph/structure.ts";
import { directorLooks, directorPlan } from "../../../support/directors.ts";
import { fabricOf, Planner } from "../../../support/generated-fabric.ts";
import { collected } from "../../measure/fabrics.ts";
import { allOf, glyphsIn, groupOf, parseSvg, strokesIn, type SvgElement } from "../../../support/svg-text.ts";
import { dragonflyPlus, faultyTree, threeLevelTree, wideTree, type Sample } from "./pictures.ts";

class PathText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

beforeEach(() => {
  vi.stubGlobal("Path2D", PathText);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const room = { width: 1200, height: 700 };

function drawingOf(
  { fabric, analysis }: Sample,
  view: Partial<ViewOptions> = {},
  selection: Target = { kind: "nothing" },
): Drawing {
  const laid = layOut(fabric, prepare(fabric, analysis), room, undefined);
  const detail = { view: { unfolded: "all" as const, bundles: true, ...view }, opened: "all" as const };
  const model = modelOf(fabric, analysis, laid, deriveGraph(fabric, analysis, laid, detail));
  const measured = new Map<never, never>();
  const classes = classify("health", { fabric, analysis, measured, passPercent: 95 });
  const picture = buildPicture(fabric, model.graph, classes, { onlyDegraded: false, tiers: [], classes: [] });
  const emphasis = emphasisOf(model, selection, undefined);
  const pills = pillsOf({
    ...{ fabric, graph: model.graph, measured, passPercent: 95, overlay: "health" as const, now: 0 },
    selected: emphasis.selectedLink,
    running: -1,
  });
  const palette = { colour: (token: string) => `var(${token})`, font: '"Inter",\n    sans-serif', flyMs: 0 };
  return { ...model, classes, picture, emphasis, pills, focus: -1, palette };
}

const note: ExportNote = {
  name: "lab",
  facts: ["ssh", "captured 1 Feb 2026", "Health"],
  simulated: false,
  shown: "",
  remarks: [],
};

// What a canvas would say, near enough: only widths are asked for.
const measure = (text: string): TextMetrics => {
  const metrics: Partial<TextMetrics> = { width: text.length * 6.2 };
  return metrics as TextMetrics;
};

function frameOf(drawing: Drawing, camera: Camera = fitCamera(drawing.layout, 1280, 788)): Frame {
  return { drawing, camera, width: 1280, height: 788 };
}

function recorded(frame: Frame, about: ExportNote = note): RecordedPicture {
  return atOnce(recordPicture(frame, nodesInView(frame, Infinity), about, measure));
}

function svgOf(frame: Frame, about: ExportNote = note): SvgElement {
  return parseSvg(svgText(recorded(frame, about)));
}

const textsIn = (elements: readonly SvgElement[]): readonly string[] =>
  elements.filter(({ tag }) => tag === "text").map(({ text }) => text);

describe("names in the picture", () => {
  it("stand at every row, at those that are close to each other too, one below the other", () => {
    const drawing = drawingOf(wideTree());
    const [leaf, hosts] = [1, 0].map((level) => drawing.layout.bands.find((band) => band.level === level)?.y ?? NaN);
    // As far away as the rows of the largest fabrics are.
    const camera = { zoom: 22 / ((hosts ?? NaN) - (leaf ?? NaN)), x: 62, y: 42 };
    const names = groupOf(svgOf(frameOf(drawing, camera)), "tiers").filter(({ tag }) => tag === "text");
    const placeOf = (name: string): number => Number(names.find(({ text }) => text === name)?.attributes["y"]);
    expect(placeOf("Hosts") - placeOf("Leaf")).toBeGreaterThanOrEqual(28);
    expect(placeOf("Hosts") - placeOf("Leaf")).toBeLessThan(40);
  });

  it("of numbered siblings are all whole or all short", () => {
    const plan = new Planner();
    const ring = Array.from({ length: 12 }, () => plan.device("switch", 1, -1));
    ring.forEach((own, i) => {
      plan.link(own, ring[(i + 1) % ring.length] ?? own);
      plan.hosts(own, 2);
    });
    const fabric = fabricOf(plan, (device) => {
      const place = ring.indexOf(device);
      return place < 0 ? {} : { description: `MF0;sw-1-${place}:MQM8700/U1` };
    });
    const analysis = analyse(fabric);
    const drawing = drawingOf({ fabric, analysis, structure: buildStructure(fabric, analysis) });
    const widths = [...drawing.graph.nodes.keys()].filter((i) => drawing.graph.nodes[i]?.kind === "switch");
    const box = drawing.geometry.width[widths[0] ?? 0] ?? NaN;
    // Room for `sw-1-9`, not for `sw-1-11`.
    const camera = { zoom: (6.2 * 6.5 + 4) / box, x: 600, y: 400 };
    const texts = textsIn(groupOf(svgOf(wholeFrame(frameOf(drawing, camera))), "names")).filter((text) =>
      /^(sw-1-)?\d+$/.test(text),
    );
    expect(texts).toHaveLength(12);
    expect(texts.every((text) => text.startsWith("sw"))).toBe(texts.some((text) => text.startsWith("sw")));
  });

  it("of a director's chips are their slots where there is no room for more", () => {
    const plan = directorPlan({ directors: 2, lines: 4, spines: 3, edges: 12, hosts: 2 });
    const fabric = fabricOf(plan, directorLooks(plan, true));
    const analysis = analyse(fabric);
    const sample = { fabric, analysis, structure: buildStructure(fabric, analysis) };
    const drawing = drawingOf(sample, { openDirectors: new Set([0, 1]) });
    const chip = drawing.graph.nodes.findIndex(({ label }) => label.endsWith("/L01/U1"));
    const camera = { zoom: 11 / (drawing.geometry.height[chip] ?? NaN), x: 0, y: 0 };
    const texts = textsIn(groupOf(svgOf(wholeFrame(frameOf(drawing, camera))), "names"));
    expect(texts.filter((text) => text === "L01")).toHaveLength(2);
    expect(texts.filter((text) => text.endsWith("…U1"))).toEqual([]);
  });
});

describe.each([
  ["fat tree with faults", faultyTree()],
  ["3-level fat tree", threeLevelTree(64)],
  ["Dragonfly+", dragonflyPlus(4)],
])("export of a %s", (_, sample) => {
  const drawing = drawingOf(sample);
  const frame = wholeFrame(frameOf(drawing, { zoom: 1.4, x: 0, y: 0 }));

  it("draws every node and every link of the view graph once", () => {
    const svg = svgOf(frame);
    expect(strokesIn(groupOf(svg, "links"))).toBe(drawing.graph.links.count);
    const filled = groupOf(svg, "nodes").filter(({ attributes }) => attributes.fill !== "none");
    expect(strokesIn(filled)).toBe(drawing.graph.nodes.length);
  });

  it("marks every link that has a finding", () => {
    const bad = drawing.picture.linkGlyph.filter((code) => code > 0).length;
    const svg = svgOf(frame);
    expect(glyphsIn([...groupOf(svg, "link-findings"), ...groupOf(svg, "counts")])).toBe(bad);
  });

  it("says in the legend what the table of links says", () => {
    const texts = textsIn(groupOf(svgOf(frame), "legend"));
    expect(texts[0]).toBe(drawing.classes.title);
    for (const look of drawing.classes.classes) {
      expect(texts).toContain(look.label);
      expect(texts[texts.indexOf(look.label) + 1]).toBe(groupDigits(look.count));
    }
    const counted = drawing.classes.classes.reduce((sum, look) => sum + look.count, 0);
    expect(counted).toBe(sample.fabric.links.count + sample.analysis.missingLinks.length);
  });

  it("names the rows and counts them", () => {
    const tiers = textsIn(groupOf(svgOf(frame), "tiers"));
    for (const tier of sample.analysis.topology.tiers) {
      const name = drawing.rowNames.get(tier.level);
      if (name !== undefined && drawing.layout.hub === undefined) expect(tiers).toContain(name);
    }
  });

  it("refers to nothing outside of itself and runs nothing", () => {
    const elements = allOf(svgOf(frame));
    expect([...new Set(elements.map(({ tag }) => tag))].sort()).toEqual(["g", "path", "rect", "svg", "text", "title"]);
    const names = new Set(elements.flatMap(({ attributes }) => Object.keys(attributes)));
    for (const name of names) expect(name).not.toMatch(/^on|href|src|style|^class$/);
    const values = elements.flatMap(({ tag, attributes }) => (tag === "svg" ? [] : Object.values(attributes)));
    expect(values.filter((value) => /url\(|https?:|data:/.test(value))).toEqual([]);
  });

  it("is the same drawn in slices, with other work between them", async () => {
    const nodes = nodesInView(frame, Infinity);
    const sliced = await inSlices(recordPicture(frame, nodes, note, measure));
    expect(sliced.recording).toEqual(recorded(frame).recording);
  });
});

describe("export", () => {
  it("shows everything at the zoom of the window, however little is seen", () => {
    const drawing = drawingOf(faultyTree());
    const near: Frame = { drawing, camera: { zoom: 6, x: -3000, y: -900 }, width: 900, height: 500 };
    const whole = wholeFrame(near);
    expect(whole.camera.zoom).toBe(6);
    expect(nodesInView(whole, Infinity)).toHaveLength(drawing.graph.nodes.length);
    expect(nodesInView(near, Infinity).length).toBeLessThan(drawing.graph.nodes.length);
    const links = (frame: Frame): number => strokesIn(groupOf(svgOf(frame), "links"));
    expect(links(whole)).toBe(drawing.graph.links.count);
    expect(links(near)).toBeLessThan(drawing.graph.links.count);
  });

  it("names switches and folds as the picture does", () => {
    const drawing = drawingOf(faultyTree(), { unfolded: new Set() });
    const names = textsIn(groupOf(svgOf(wholeFrame(frameOf(drawing, { zoom: 1, x: 0, y: 0 }))), "names"));
    const written = new Set(names);
    const unnamed = drawing.graph.nodes.filter(
      ({ label, kind }, i) =>
        kind === "switch" && !written.has(label) && !written.has(drawing.shortLabels.text[i] ?? ""),
    );
    expect(unnamed.map(({ label }) => label)).toEqual([]);
  });

  it("keeps hostile names as text", () => {
    const hostile = `<script>"&'\u0007`;
    const topology = new SimulatedTopology();
    const leaf = topology.addSwitch(hostile);
    const host = topology.addAdapter("h1 mlx5_0");
    topology.connect(leaf, 1, host, 1);
    topology.connect(leaf, 2, topology.addAdapter("h2 mlx5_0"), 1);
    const fabric = collected(topology, host);
    const analysis = analyse(fabric);
    const drawing = drawingOf({ fabric, analysis, structure: buildStructure(fabric, analysis) });
    const svg = svgOf(frameOf(drawing, { zoom: 4, x: 300, y: 200 }), { ...note, name: hostile });
    expect(svg.children.find(({ tag }) => tag === "title")?.text).toContain(`<script>"&'`);
    expect(textsIn(groupOf(svg, "heading"))[0]).toContain(`<script>"&'`);
    expect(textsIn(groupOf(svg, "names")).some((text) => text.includes(`<script>"&'`))).toBe(true);
    expect(allOf(svg).some(({ tag }) => tag === "script")).toBe(false);
  });

  it("says simulated in the heading, all over the picture and in the title; nothing of it on a real one", () => {
    const drawing = drawingOf(faultyTree());
    const said = (about: ExportNote): readonly string[] =>
      allOf(svgOf(frameOf(drawing), about))
        .filter(({ text }) => /simulated/i.test(text))
        .map(({ tag }) => tag);
    expect(said(note)).toEqual([]);
    const tags = said({ ...note, simulated: true });
    expect(tags[0]).toBe("title");
    expect(tags.filter((tag) => tag === "text").length).toBeGreaterThan(8);
  });

  it("keeps size, weight and family of every font, whatever line breaks its token has", () => {
    const svg = svgOf(frameOf(drawingOf(faultyTree())), { ...note, simulated: true });
    const [watermark] = groupOf(svg, "simulated");
    expect(watermark?.attributes).toMatchObject({ "font-size": "30", "font-weight": "700" });
    const families = new Set(allOf(svg).flatMap(({ attributes }) => attributes["font-family"] ?? []));
    expect([...families]).toEqual(['"Inter", sans-serif']);
  });

  it("draws the halo of what is selected below everything else", () => {
    const drawing = drawingOf(faultyTree(), {}, { kind: "link", link: 3 });
    const halo = groupOf(svgOf(frameOf(drawing)), "selection");
    expect(halo).toHaveLength(1);
    expect(halo[0]?.attributes["stroke"]).toBe("var(--accent)");
  });

  it("wraps the heading and the legend inside the picture", () => {
    const drawing = drawingOf(faultyTree());
    const long = { ...note, facts: Array.from({ length: 30 }, (_, i) => `fact number ${String(i)}`) };
    const narrow: Frame = { ...frameOf(drawing), width: 600 };
    const { width } = recorded(narrow, long);
    for (const { attributes, text } of groupOf(svgOf(narrow, long), "heading").filter(({ tag }) => tag === "text")) {
      expect(Number(attributes["x"]) + text.length * 6.2).toBeLessThanOrEqual(width);
    }
  });

  it("plays the same calls on a canvas, which knows no sections", () => {
    const drawing = drawingOf(faultyTree());
    const { recording } = recorded(frameOf(drawing));
    const played = (pen: PictureRecorder): Recording => {
      play(recording, pen, 1);
      return pen.finish();
    };
    const file = played(new PictureRecorder(measure));
    const canvas = played(Object.assign(new PictureRecorder(measure), { section: undefined }));
    const drawn = new Set(canvas.texts);
    const sections = file.texts.filter((text) => !drawn.has(text));
    expect(sections).toEqual(expect.arrayContaining(["links", "nodes", "legend"]));
    expect(canvas.numbers).toHaveLength(file.numbers.length - 2 * sections.length);
  });

  it("bounds a PNG by side and by pixels", () => {
    expect(pngRatio({ width: 1440, height: 900 })).toBe(2);
    const wide = { width: 10_000, height: 1000 };
    expect(pngRatio(wide) * wide.width).toBeCloseTo(pngLimits.side, 6);
    const square = { width: 8000, height: 8000 };
    expect((pngRatio(square) * square.width) ** 2).toBeLessThanOrEqual(pngLimits.pixels + 1);
    expect(pngRatio({ width: 40_000, height: 2000 })).toBeLessThan(1);
  });
});
