/** What is seen, or all of it, as a recording for a file: the same scene and marks with a heading and a legend around. */
import { at } from "../../shared/fabric/access.ts";
import { margins, type Camera } from "./camera.ts";
import { trace } from "./curve.ts";
import { hasSelection, type Frame } from "./drawing.ts";
import { drawRows, drawWatermark, headingText, headRows, legendRows, type ExportNote } from "./export-frame.ts";
import { MarkPainter } from "./marks.ts";
import { TextRuler } from "./marks-text.ts";
import type { Pen } from "./pen.ts";
import { PictureRecorder, type Recording } from "./picture-recorder.ts";
import { sceneOf } from "./scene-of.ts";
import { SceneRenderer } from "./scene-renderer.ts";

/** How much is exported: what the window shows, or everything at the window's zoom. */
export type Extent = "seen" | "whole";

export interface RecordedPicture {
  readonly recording: Recording;
  /** Px of the screen, heading and legend included. */
  readonly width: number;
  readonly height: number;
  readonly title: string;
}

/** Narrower pictures have no room for what is said about them. Px. */
const leastWidth = 560;
const leastHeight = 120;

/** The frame that shows everything at the zoom of another one. */
export function wholeFrame({ drawing, camera }: Frame): Frame {
  const { layout } = drawing;
  const { zoom } = camera;
  const inner = { width: (layout.right - layout.left) * zoom, height: (layout.bottom - layout.top) * zoom };
  const width = Math.max(leastWidth, Math.ceil(inner.width) + margins.left + margins.right);
  const height = Math.max(leastHeight, Math.ceil(inner.height) + margins.top + margins.bottom);
  const x = margins.left + (width - margins.left - margins.right - inner.width) / 2 - layout.left * zoom;
  const y = margins.top + (height - margins.top - margins.bottom - inner.height) / 2 - layout.top * zoom;
  return { drawing, camera: { zoom, x, y }, width, height };
}

/**
 * Records a frame, a slice at a time: ground, halos, scene, marks, watermark, heading and legend.
 * @param nodes those that are named; @param measure widths of text
 */
export function* recordPicture(
  seen: Frame,
  nodes: readonly number[],
  note: ExportNote,
  measure: (text: string, font: string) => TextMetrics,
): Generator<undefined, RecordedPicture> {
  const { drawing } = seen;
  const { palette, classes, emphasis } = drawing;
  const pen = new PictureRecorder(measure);
  const ruler = new TextRuler(pen);
  const width = Math.max(leastWidth, Math.round(seen.width));
  const head = headRows(note, width, ruler, palette);
  const legend = legendRows({ ...classes, onPath: emphasis.path.size > 0 }, note, width, ruler, palette);
  const bottom = head.height + Math.round(seen.height);
  const height = bottom + legend.height;
  // The heading stands above what is seen: the camera moves down by its height.
  const camera: Camera = { ...seen.camera, y: seen.camera.y + head.height };
  const frame: Frame = { drawing, camera, width, height };
  pen.section("ground");
  pen.fillStyle = palette.colour("--canvas");
  pen.fillRect(0, 0, width, height);
  pen.section("selection");
  halos(pen, frame);
  yield;
  const renderer = new SceneRenderer();
  const scene = sceneOf(drawing, [], []);
  yield;
  renderer.setShape(scene.shape);
  yield;
  renderer.setPaint(scene.paint);
  yield;
  const view = { zoom: camera.zoom, panX: camera.x, panY: camera.y, width, height, pixelRatio: 1 };
  yield* renderer.drawOver(pen, { ...view, strength: hasSelection(emphasis) ? 0.5 : 1, focus: -1 });
  pen.setTransform(1, 0, 0, 1, 0, 0);
  yield* new MarkPainter(pen).drawOver(frame, nodes, -1);
  pen.setTransform(1, 0, 0, 1, 0, 0);
  yield;
  if (note.simulated) {
    pen.section("simulated");
    drawWatermark(pen, width, height, palette);
  }
  const token = note.simulated ? "--sim" : "--hair";
  pen.section("legend");
  drawRows(pen, legend, { top: bottom, width, edge: "top", token }, palette);
  pen.section("heading");
  drawRows(pen, head, { top: 0, width, edge: "bottom", token }, palette);
  return { recording: pen.finish(), width, height, title: headingText(note) };
}

/** Selection and path: a wide soft line and a frame in the accent colour. */
function halos(pen: Pen, { drawing, camera }: Frame): void {
  const { geometry, emphasis, palette } = drawing;
  const links = new Set(emphasis.path.keys());
  if (emphasis.selectedLink >= 0) links.add(emphasis.selectedLink);
  const x = (value: number): number => value * camera.zoom + camera.x;
  const y = (value: number): number => value * camera.zoom + camera.y;
  pen.strokeStyle = palette.colour("--accent");
  pen.globalAlpha = 0.45;
  for (const link of links) {
    const [x1, y1] = [x(at(geometry.x1, link)), y(at(geometry.y1, link))];
    const [x2, y2] = [x(at(geometry.x2, link)), y(at(geometry.y2, link))];
    pen.beginPath();
    trace(pen, at(geometry.curve, link), x1, y1, x2, y2, x(at(geometry.cx, link)), y(at(geometry.cy, link)));
    pen.lineWidth = emphasis.selectedLink === link ? 9 : 5;
    pen.stroke();
  }
  const nodes = new Set(emphasis.pathNodes);
  if (emphasis.selectedNode >= 0) nodes.add(emphasis.selectedNode);
  for (const node of nodes) {
    const [width, height] = [at(geometry.width, node) * camera.zoom + 7, at(geometry.height, node) * camera.zoom + 7];
    pen.beginPath();
    pen.roundRect(x(at(geometry.x, node)) - width / 2, y(at(geometry.y, node)) - height / 2, width, height, 5);
    pen.lineWidth = 3.5;
    pen.stroke();
  }
  pen.globalAlpha = 1;
}

/** Largest side that a canvas takes, and pixels in all that take 320 MB while the file is made. */
export const pngLimits = { side: 16_384, pixels: 80_000_000 } as const;

/** Px of a PNG per px of the screen: two, or less where that would be too large; below one it cannot be made. */
export function pngRatio({ width, height }: { readonly width: number; readonly height: number }): number {
  const { side, pixels } = pngLimits;
  return Math.min(2, side / width, side / height, Math.sqrt(pixels / (width * height)));
}
