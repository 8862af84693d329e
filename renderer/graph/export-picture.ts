/** What is seen, as a file: the same scene and marks, drawn by code onto a canvas (PNG) or into an SVG. */
import { at } from "../../shared/fabric/access.ts";
import { trace } from "./curve.ts";
import type { Frame } from "./drawing.ts";
import { MarkPainter } from "./marks.ts";
import type { Pen } from "./pen.ts";
import { sceneOf } from "./scene-of.ts";
import { SceneRenderer } from "./scene-renderer.ts";
import { SvgPen } from "./svg-pen.ts";

export interface ExportNote {
  /** Name of the fabric. */
  readonly name: string;
  /** When it was captured, in words; empty when nobody knows. */
  readonly time: string;
  readonly simulated: boolean;
}

const headHeight = 28;
/** Px of the file per px on the screen. */
const sharpness = 2;

/** The picture as SVG text. */
export function pictureAsSvg(frame: Frame, nodes: readonly number[], note: ExportNote): string {
  const canvas = document.createElement("canvas").getContext("2d");
  const pen = new SvgPen((text, font) => {
    if (canvas === null) throw new Error("no canvas to measure text with");
    canvas.font = font;
    return canvas.measureText(text);
  });
  drawPicture(pen, frame, nodes, note, 1);
  return pen.finish(frame.width, frame.height + headHeight, heading(note));
}

/** The picture as a PNG; undefined when the browser cannot make one of this size. */
export async function pictureAsPng(
  frame: Frame,
  nodes: readonly number[],
  note: ExportNote,
): Promise<Blob | undefined> {
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(frame.width * sharpness);
  canvas.height = Math.round((frame.height + headHeight) * sharpness);
  const pen = canvas.getContext("2d");
  if (pen === null) return undefined;
  drawPicture(pen, frame, nodes, note, sharpness);
  return new Promise((resolve) => canvas.toBlob((blob) => resolve(blob ?? undefined), "image/png"));
}

/** Draws ground, halos, scene, marks, heading and watermark. `nodes`: those that are named. */
function drawPicture(pen: Pen, seen: Frame, nodes: readonly number[], note: ExportNote, pixelRatio: number): void {
  // The heading stands above what is seen; the camera moves down by its height.
  const height = seen.height + headHeight;
  const camera = { ...seen.camera, y: seen.camera.y + headHeight };
  const frame: Frame = { ...seen, camera, height };
  const { drawing, width } = frame;
  const { palette } = drawing;
  const upright = (): void => pen.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0);
  const renderer = new SceneRenderer();
  const scene = sceneOf(drawing, [], []);
  renderer.setShape(scene.shape);
  renderer.setPaint(scene.paint);
  const view = { zoom: camera.zoom, panX: camera.x, panY: camera.y, width, height, pixelRatio, strength: 1, focus: -1 };
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.clearRect(0, 0, width * pixelRatio, height * pixelRatio);
  upright();
  pen.fillStyle = palette.colour("--canvas");
  pen.fillRect(0, 0, width, height);
  halos(pen, frame);
  renderer.drawOver(pen, view);
  upright();
  new MarkPainter(pen).draw(frame, nodes, -1);
  upright();
  if (note.simulated) watermark(pen, frame);
  head(pen, frame, note);
}

/** Selection and path: a wide soft line and a frame in the accent colour. */
function halos(pen: Pen, { drawing, camera }: Frame): void {
  const { geometry, emphasis, palette } = drawing;
  const links = [...emphasis.path.keys(), ...(emphasis.selectedLink >= 0 ? [emphasis.selectedLink] : [])];
  pen.strokeStyle = palette.colour("--accent");
  pen.globalAlpha = 0.45;
  for (const link of links) {
    const x = (value: number): number => value * camera.zoom + camera.x;
    const y = (value: number): number => value * camera.zoom + camera.y;
    pen.beginPath();
    const [x1, y1, x2, y2] = [
      at(geometry.x1, link),
      at(geometry.y1, link),
      at(geometry.x2, link),
      at(geometry.y2, link),
    ];
    trace(
      pen,
      at(geometry.curve, link),
      x(x1),
      y(y1),
      x(x2),
      y(y2),
      x(at(geometry.cx, link)),
      y(at(geometry.cy, link)),
    );
    pen.lineWidth = emphasis.selectedLink === link ? 9 : 5;
    pen.stroke();
  }
  const nodes = new Set(emphasis.pathNodes);
  if (emphasis.selectedNode >= 0) nodes.add(emphasis.selectedNode);
  for (const node of nodes) {
    const [width, height] = [at(geometry.width, node) * camera.zoom + 7, at(geometry.height, node) * camera.zoom + 7];
    const left = at(geometry.x, node) * camera.zoom + camera.x - width / 2;
    const top = at(geometry.y, node) * camera.zoom + camera.y - height / 2;
    pen.beginPath();
    pen.roundRect(left, top, width, height, 5);
    pen.lineWidth = 3.5;
    pen.stroke();
  }
  pen.globalAlpha = 1;
}

function watermark(pen: Pen, { drawing, width, height }: Frame): void {
  pen.font = `700 30px ${drawing.palette.font}`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillStyle = drawing.palette.colour("--sim");
  for (let row = 0; row * 190 < height + 190; row++) {
    for (let column = 0; column * 380 < width + 380; column++) {
      pen.save();
      pen.globalAlpha = 0.1;
      pen.translate(column * 380 + (row % 2) * 190, row * 190 + 60);
      pen.rotate(-0.3);
      pen.fillText("SIMULATED", 0, 0);
      pen.restore();
    }
  }
}

function heading({ name, time, simulated }: ExportNote): string {
  return [name, time, simulated ? "SIMULATED, not a real fabric" : ""].filter((part) => part !== "").join("  ·  ");
}

function head(pen: Pen, { drawing, width }: Frame, note: ExportNote): void {
  const { palette } = drawing;
  pen.globalAlpha = 1;
  pen.fillStyle = palette.colour("--panel");
  pen.fillRect(0, 0, width, headHeight);
  pen.fillStyle = palette.colour(note.simulated ? "--sim" : "--hair");
  pen.fillRect(0, headHeight - 1, width, 1);
  pen.font = `600 12px ${palette.font}`;
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  pen.fillStyle = palette.colour(note.simulated ? "--sim" : "--t1");
  pen.fillText(heading(note), 12, headHeight / 2);
}
