/** Health glyphs on a canvas: the same drawings as renderer/parts/glyph.tsx (14 × 14), on a disc of the canvas' colour. */
import type { Health } from "../../shared/analyse/results.ts";
import type { Palette } from "./palette.ts";
import { pathOf, type Pen } from "./pen.ts";

interface Stroke {
  readonly path: string;
  readonly token: string;
  readonly width: number;
  readonly dash?: readonly number[];
}

interface Drawing {
  readonly fill?: { readonly path: string; readonly token: string };
  readonly strokes: readonly Stroke[];
}

const ring = "M12.8 7A5.8 5.8 0 1 1 1.2 7A5.8 5.8 0 1 1 12.8 7z";

const drawings: Readonly<Record<Health, Drawing>> = {
  ok: {
    strokes: [
      { path: ring, token: "--ok", width: 1.4 },
      { path: "M4.5 7.2l1.8 1.8 3.3-3.6", token: "--ok", width: 1.5 },
    ],
  },
  note: {
    strokes: [
      { path: ring, token: "--note", width: 1.4 },
      { path: "M7 6.4v3.4M7 4.1v.2", token: "--note", width: 1.6 },
    ],
  },
  unknown: {
    strokes: [
      { path: ring, token: "--unknown", width: 1.4, dash: [2.4, 2.1] },
      { path: "M5.4 5.6a1.6 1.6 0 1 1 2.2 1.5c-.4.2-.6.4-.6.9M7 9.9v.1", token: "--unknown", width: 1.4 },
    ],
  },
  "not-enough-data": {
    fill: { path: "M7 7V1.2A5.8 5.8 0 0 1 12.8 7z", token: "--unknown" },
    strokes: [{ path: ring, token: "--unknown", width: 1.4 }],
  },
  warning: {
    fill: { path: "M7 1.2L13.4 12.6H.6z", token: "--warn-line" },
    strokes: [
      { path: "M7 1.2L13.4 12.6H.6z", token: "--warn-line", width: 1 },
      { path: "M7 5v3.6M7 10.6v.2", token: "--glyph-ink", width: 1.6 },
    ],
  },
  error: {
    fill: { path: "M4.3 1h5.4L13 4.3v5.4L9.7 13H4.3L1 9.7V4.3z", token: "--error-line" },
    strokes: [{ path: "M7 3.8v4M7 10v.3", token: "--glyph-ink", width: 1.7 }],
  },
  down: {
    fill: { path: "M13 7A6 6 0 1 1 1 7A6 6 0 1 1 13 7z", token: "--error-line" },
    strokes: [{ path: "M4.6 4.6l4.8 4.8M9.4 4.6L4.6 9.4", token: "--glyph-ink", width: 1.7 }],
  },
};

/** Draws a glyph with its middle at (x, y), `size` px wide. */
export function drawGlyph(context: Pen, palette: Palette, health: Health, x: number, y: number, size: number): void {
  const drawing = drawings[health];
  context.save();
  context.translate(x - size / 2, y - size / 2);
  context.scale(size / 14, size / 14);
  context.lineCap = "round";
  context.lineJoin = "round";
  context.fillStyle = palette.colour("--canvas");
  context.beginPath();
  context.arc(7, 7, 8.4, 0, Math.PI * 2);
  context.fill();
  if (drawing.fill !== undefined) {
    context.fillStyle = palette.colour(drawing.fill.token);
    context.fill(pathOf(drawing.fill.path));
  }
  for (const stroke of drawing.strokes) {
    context.strokeStyle = palette.colour(stroke.token);
    context.lineWidth = stroke.width;
    context.setLineDash(stroke.dash === undefined ? [] : [...stroke.dash]);
    context.stroke(pathOf(stroke.path));
  }
  context.restore();
}
