import { describe, expect, it } from "vitest";
import type { Pen } from "../../../../renderer/graph/pen.ts";
import {
  SceneRenderer,
  type ScenePaint,
  type SceneShape,
  type SceneView,
} from "../../../../renderer/graph/scene-renderer.ts";

interface Stroke {
  readonly colour: unknown;
  readonly lines: number;
  readonly alpha: number;
  readonly width: number;
}

/** A pen that writes down what it strokes. */
function recorder(): { readonly pen: Pen; readonly strokes: Stroke[] } {
  const strokes: Stroke[] = [];
  let lines = 0;
  const nothing = (): void => undefined;
  const pen: Pen = {
    fillStyle: "",
    strokeStyle: "",
    font: "",
    globalAlpha: 1,
    lineCap: "butt",
    lineJoin: "miter",
    lineWidth: 1,
    textAlign: "left",
    textBaseline: "middle",
    arc: nothing,
    beginPath: () => (lines = 0),
    clearRect: nothing,
    closePath: nothing,
    fill: nothing,
    fillRect: nothing,
    fillText: nothing,
    lineTo: () => (lines += 1),
    measureText: () => {
      throw new Error("the scene has no text");
    },
    moveTo: nothing,
    quadraticCurveTo: nothing,
    rect: nothing,
    restore: nothing,
    rotate: nothing,
    roundRect: nothing,
    save: nothing,
    scale: nothing,
    setLineDash: nothing,
    setTransform: nothing,
    stroke: () => strokes.push({ colour: pen.strokeStyle, lines, alpha: pen.globalAlpha, width: pen.lineWidth }),
    strokeText: nothing,
    translate: nothing,
  };
  return { pen, strokes };
}

/** Two rows of boxes, every upper one linked with every lower one. `looks`: class of each link. */
function rows(upper: number, lower: number, looks: (link: number) => number): { shape: SceneShape; paint: ScenePaint } {
  const count = upper * lower;
  const ends = (of: (link: number) => number): Float32Array => Float32Array.from({ length: count }, (_, i) => of(i));
  const step = (lower * 60) / upper;
  const shape: SceneShape = {
    x1: ends((i) => (i % upper) * step),
    y1: ends(() => 0),
    x2: ends((i) => Math.floor(i / upper) * 60),
    y2: ends(() => lower * 30),
    curve: new Uint8Array(count),
    cx: new Float32Array(count),
    cy: new Float32Array(count),
    nodeX: new Float32Array(0),
    nodeY: new Float32Array(0),
    nodeWidth: new Float32Array(0),
    nodeHeight: new Float32Array(0),
    nodeShape: new Uint8Array(0),
    crowding: 1,
  };
  const paint: ScenePaint = {
    lines: [
      { look: 0, colour: "healthy", line: "solid", loud: false },
      { look: 1, colour: "note", line: "solid", loud: false },
      { look: 2, colour: "error", line: "solid", loud: true },
    ],
    canvas: "canvas",
    linkClass: Uint8Array.from({ length: count }, (_, i) => looks(i)),
    linkWidth: new Uint8Array(count).fill(4),
    linkHidden: new Uint8Array(count),
    nodeClass: new Uint8Array(0),
    nodeHidden: new Uint8Array(0),
    nodeColours: [],
    loudFrom: 4,
    ground: "ground",
    blockGround: "ground",
  };
  return { shape, paint };
}

function drawn(scene: { shape: SceneShape; paint: ScenePaint }, zoom: number): readonly Stroke[] {
  const renderer = new SceneRenderer();
  renderer.setShape(scene.shape);
  renderer.setPaint(scene.paint);
  const { pen, strokes } = recorder();
  const view: SceneView = {
    ...{ zoom, panX: 0, panY: 0, width: 6000, height: 6000, pixelRatio: 1, strength: 1, focus: -1 },
  };
  renderer.draw(pen, view);
  return strokes;
}

const of = (strokes: readonly Stroke[], colour: string): readonly Stroke[] =>
  strokes.filter((stroke) => stroke.colour === colour);

/** Ink of the quiet links by area of the picture: length times strength. */
function ink(strokes: readonly Stroke[]): number {
  return of(strokes, "healthy").reduce((sum, { lines, alpha }) => sum + lines * alpha, 0);
}

describe("links of a scene", () => {
  const dense = rows(160, 250, (link) => (link === 77 ? 2 : link === 99 ? 1 : 0));

  it("stay a texture from far: fewer of the quiet ones, none so weak that its colour is lost", () => {
    const [quiet] = of(drawn(dense, 0.06), "healthy");
    expect(quiet?.lines).toBeGreaterThan(300);
    expect(quiet?.lines).toBeLessThan(20_000);
    expect(quiet?.alpha).toBeGreaterThan(0.05);
    // The sum of what covers the ground grows with the size of the picture only.
    expect(ink(drawn(dense, 0.06))).toBeLessThan(ink(drawn(dense, 0.12)));
  });

  it("are all drawn as soon as boxes can be told apart, and in a fabric of usual size always", () => {
    const all = (strokes: readonly Stroke[]): number =>
      of(strokes, "healthy").reduce((sum, { lines }) => sum + lines, 0);
    expect(all(drawn(dense, 0.29))).toBe(160 * 250 - 2);
    const usual = rows(8, 16, () => 0);
    for (const zoom of [0.1, 0.3, 1, 3]) expect(all(drawn(usual, zoom))).toBe(128);
  });

  it("with an error stand on a ground of their own in a dense picture, without one where there is room", () => {
    const casing = of(drawn(dense, 0.06), "canvas");
    const [error] = of(drawn(dense, 0.06), "error");
    expect(casing.map(({ lines }) => lines)).toEqual([1]);
    expect(casing[0]?.width).toBeGreaterThan((error?.width ?? 0) + 2);
    expect(
      of(
        drawn(
          rows(4, 4, (link) => (link === 3 ? 2 : 0)),
          1,
        ),
        "canvas",
      ),
    ).toEqual([]);
  });

  it("of a rare kind are as strong as a word, of a usual kind quiet", () => {
    const [note] = of(drawn(dense, 0.06), "note");
    const [quiet] = of(drawn(dense, 0.06), "healthy");
    expect(note?.lines).toBe(1);
    expect(note?.alpha).toBeGreaterThan(0.9);
    expect(note?.width).toBeGreaterThan(quiet?.width ?? 9);
    const [half] = of(
      drawn(
        rows(8, 16, (link) => link % 2),
        1,
      ),
      "note",
    );
    expect(half?.alpha).toBeLessThan(0.7);
  });
});
