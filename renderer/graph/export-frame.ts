/** What stands around an exported picture: heading, watermark of simulated fabrics, legend. */
import { groupDigits, visibleText } from "../../shared/base/text.ts";
import { drawGlyph } from "./draw-glyph.ts";
import type { TextRuler } from "./marks-text.ts";
import { dashesOf, type LinkClass } from "./overlay.ts";
import type { Palette } from "./palette.ts";
import type { Pen } from "./pen.ts";

/** What is said about the picture. */
export interface ExportNote {
  /** Name of the fabric. */
  readonly name: string;
  /** How and when it was captured, its shape and counts: one a part. */
  readonly facts: readonly string[];
  readonly simulated: boolean;
  /** What filters leave: `Rail 3: 16 leaves, 128 hosts`; empty without any. */
  readonly shown: string;
  /** At the end of the legend. */
  readonly remarks: readonly string[];
}

/** What a simulated picture says of itself. */
const simulatedWords = "SIMULATED, not a real fabric";
const lineHeight = 20;
const padding = 12;
const gap = 16;

interface Item {
  readonly text: string;
  /** Behind the text, quieter. */
  readonly count: string;
  readonly token: string;
  readonly bold: boolean;
  readonly look?: LinkClass;
  readonly onPath?: boolean;
  readonly width: number;
}

/** Items in rows that fit. */
interface Rows {
  readonly rows: readonly (readonly Item[])[];
  /** Px. */
  readonly height: number;
}

const barsWidth = 29;

function fontOf(bold: boolean, palette: Palette): string {
  return `${bold ? 600 : 400} 12px ${palette.font}`;
}

function sampleWidth(look: LinkClass | undefined, onPath: boolean | undefined): number {
  if (onPath === true) return 26;
  if (look === undefined) return 0;
  return (look.glyph !== undefined && look.line !== "dashed" ? 18 : 24) + (look.bars === undefined ? 0 : barsWidth);
}

function flow(items: readonly Omit<Item, "width">[], width: number, ruler: TextRuler, palette: Palette): Rows {
  const rows: Item[][] = [];
  let room = 0;
  for (const item of items) {
    // A fact longer than a row is cut: it must not run out of the picture.
    const sample = sampleWidth(item.look, item.onPath);
    const most = width - 2 * padding - sample - 60;
    const font = fontOf(item.bold, palette);
    const text = ruler.fit(item.text, font, most);
    const counted = item.count === "" ? 0 : ruler.width(item.count, fontOf(false, palette)) + 6;
    const measured: Item = { ...item, text, width: sample + ruler.width(text, font) + counted };
    const row = rows.at(-1);
    if (row === undefined || measured.width > room) {
      rows.push([measured]);
      room = width - 2 * padding - measured.width - gap;
    } else {
      row.push(measured);
      room -= measured.width + gap;
    }
  }
  return { rows, height: rows.length * lineHeight + 8 };
}

/** The heading as one line of text, for the file's title. */
export function headingText({ name, facts, simulated }: ExportNote): string {
  return [name, ...(simulated ? [simulatedWords] : []), ...facts].map(visibleText).join("  ·  ");
}

export function headRows(note: ExportNote, width: number, ruler: TextRuler, palette: Palette): Rows {
  const item = (text: string, token: string, bold: boolean): Omit<Item, "width"> => ({ text, token, bold, count: "" });
  return flow(
    [
      item(note.name, "--t1", true),
      ...(note.simulated ? [item(simulatedWords, "--sim", true)] : []),
      ...note.facts.map((fact) => item(fact, "--t2", false)),
    ],
    width,
    ruler,
    palette,
  );
}

export function legendRows(
  legend: { readonly title: string; readonly classes: readonly LinkClass[]; readonly onPath: boolean },
  note: ExportNote,
  width: number,
  ruler: TextRuler,
  palette: Palette,
): Rows {
  const plain = (text: string, bold: boolean): Omit<Item, "width"> => ({ text, count: "", token: "--t2", bold });
  return flow(
    [
      ...(note.shown === "" ? [] : [plain(`Shown: ${note.shown}`, true)]),
      plain(legend.title, true),
      ...legend.classes.map((look) => ({ ...plain(look.label, false), count: groupDigits(look.count), look })),
      ...(legend.onPath ? [{ ...plain("on path", false), onPath: true }] : []),
      ...note.remarks.filter((remark) => remark !== "").map((remark) => ({ ...plain(remark, false), token: "--t3" })),
    ],
    width,
    ruler,
    palette,
  );
}

/** Draws rows on a strip from `top`, with a hairline at its inner edge. */
export function drawRows(
  pen: Pen,
  { rows, height }: Rows,
  strip: { readonly top: number; readonly width: number; readonly edge: "top" | "bottom"; readonly token: string },
  palette: Palette,
): void {
  pen.globalAlpha = 1;
  pen.fillStyle = palette.colour("--panel");
  pen.fillRect(0, strip.top, strip.width, height);
  pen.fillStyle = palette.colour(strip.token);
  pen.fillRect(0, strip.edge === "top" ? strip.top : strip.top + height - 1, strip.width, 1);
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  rows.forEach((row, r) => {
    const y = strip.top + 4 + r * lineHeight + lineHeight / 2;
    let x = padding;
    for (const item of row) {
      drawItem(pen, item, x, y, palette);
      x += item.width + gap;
    }
  });
}

function drawItem(pen: Pen, item: Item, x: number, y: number, palette: Palette): void {
  const sample = sampleWidth(item.look, item.onPath);
  if (item.onPath === true) pathSample(pen, x, y, palette);
  if (item.look !== undefined) classSample(pen, item.look, x, y, palette);
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  pen.fillStyle = palette.colour(item.token);
  pen.font = fontOf(item.bold, palette);
  pen.fillText(item.text, x + sample, y);
  if (item.count === "") return;
  pen.textAlign = "right";
  pen.font = fontOf(false, palette);
  pen.fillStyle = palette.colour("--t3");
  pen.fillText(item.count, x + item.width, y);
}

function line(pen: Pen, x: number, y: number, width: number, colour: string, thickness: number): void {
  pen.beginPath();
  pen.moveTo(x, y);
  pen.lineTo(x + width, y);
  pen.strokeStyle = colour;
  pen.lineWidth = thickness;
  pen.stroke();
}

/** Line and glyph as in the window's legend. */
function classSample(pen: Pen, look: LinkClass, x: number, y: number, palette: Palette): void {
  if (look.glyph !== undefined && look.line !== "dashed") {
    drawGlyph(pen, palette, look.glyph, x + 6, y, 12);
    return;
  }
  pen.setLineDash(dashesOf(look.line, true));
  line(pen, x, y, 18, palette.colour(look.token), look.width ?? (look.bars === undefined ? 2 : 4));
  pen.setLineDash([]);
  if (look.bars === undefined) return;
  for (let bar = 0; bar < 5; bar++) {
    pen.beginPath();
    pen.rect(x + 23 + bar * 5, y - 5, 3.6, 10);
    pen.fillStyle = palette.colour(bar < look.bars ? look.token : "--hair");
    pen.fill();
  }
}

function pathSample(pen: Pen, x: number, y: number, palette: Palette): void {
  pen.globalAlpha = 0.5;
  line(pen, x, y, 20, palette.colour("--accent"), 7);
  pen.globalAlpha = 1;
  line(pen, x, y, 20, palette.colour("--t2"), 2);
}

/** `SIMULATED` all over: no cut-out of a simulated picture looks real. */
export function drawWatermark(pen: Pen, width: number, height: number, palette: Palette): void {
  pen.font = `700 30px ${palette.font}`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillStyle = palette.colour("--sim");
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
