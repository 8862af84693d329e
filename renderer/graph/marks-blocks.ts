/** Cards of pods, groups and planes: name, matrix of inner links, counts; and `3 of 4` on bundles that lack cables. */
import { groupDigits } from "../../shared/base/text.ts";
import { healths } from "../../shared/analyse/results.ts";
import { at } from "../../shared/fabric/access.ts";
import { innerOf, tokenOfClass, type InnerClasses } from "./cell-classes.ts";
import { pointFromBelow } from "./curve.ts";
import { drawGlyph } from "./draw-glyph.ts";
import type { Frame } from "./drawing.ts";
import type { Occupied, TextRuler } from "./marks-text.ts";
import type { Kept } from "./picture.ts";
import type { Cells, ViewNode } from "./view-types.ts";
import { isBlock } from "./view-links.ts";
import type { Pen } from "./pen.ts";

const warningCode = healths.indexOf("warning");
const nameHeight = 24;
/** Px: a bad cell is never smaller. */
const leastCell = 4.5;
/** Bad cells of one card that carry their sign; more are a colour. */
const mostSigns = 6;
const countPlaces = [0.5, 0.42, 0.6, 0.34, 0.68];

interface Card {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Whose matrix it is, its top left corner, and what filters leave of its cells. */
interface MatrixPlace {
  readonly node: number;
  readonly left: number;
  readonly top: number;
  readonly kept: Kept | undefined;
}

export class BlockMarks {
  private readonly context: Pen;
  private readonly ruler: TextRuler;

  constructor(context: Pen, ruler: TextRuler) {
    this.context = context;
    this.ruler = ruler;
  }

  /** What stands on the cards in view. */
  cards(frame: Frame): void {
    const { drawing, camera } = frame;
    const { graph, geometry } = drawing;
    graph.nodes.forEach((view, node) => {
      if (!isBlock(view) || drawing.picture.nodeHidden[node] !== 0) return;
      const width = at(geometry.width, node) * camera.zoom;
      const height = at(geometry.height, node) * camera.zoom;
      const left = at(geometry.x, node) * camera.zoom + camera.x - width / 2;
      const top = at(geometry.y, node) * camera.zoom + camera.y - height / 2;
      if (left > frame.width || left + width < 0 || top > frame.height || top + height < 0) return;
      const card = { left, top, width, height };
      if (view.kind === "plane") this.plane(frame, view, card);
      else this.pod(frame, node, view, card);
    });
  }

  private plane(frame: Frame, view: ViewNode, card: Card): void {
    const middle = card.left + card.width / 2;
    const y = card.top + card.height / 2;
    const two = card.height >= 32;
    this.name(frame, view.label, middle, two ? y - 7 : y, card.width - 8);
    if (two) {
      this.text(frame, count(view.spines, "core", "cores", card.width), middle, y + 8, card.width - 8, false);
    }
  }

  private pod(frame: Frame, node: number, view: ViewNode, card: Card): void {
    const middle = card.left + card.width / 2;
    const inner = card.width - 10;
    if (inner < 12 || card.height < 18) return;
    this.name(frame, view.label, middle, card.top + 13, inner);
    const cells = frame.drawing.graph.cells.get(node);
    const kept = frame.drawing.picture.kept.get(node);
    let y = card.top + nameHeight;
    const bottom = card.top + card.height;
    // The number of hosts stands at the bottom; its pill and the comb above it only where there is room.
    const wordy = card.width >= 46;
    const hostsY = bottom - (wordy && card.height > 110 ? 32 : 13);
    const lines = card.height > 92 ? 2 : card.height > 52 ? 1 : 0;
    if (cells !== undefined) {
      const room = Math.max(0, hostsY - 12 - (lines === 2 ? 18 : 0) - y);
      const most = card.height > 200 ? 14 : 10;
      // Cells of a narrow card are taller than wide.
      const cell = {
        width: Math.min((inner + 2) / cells.columns, most),
        height: Math.min(Math.max((inner + 2) / cells.columns, 4), room / cells.rows, most),
      };
      if (cell.width >= 0.9 && cell.height >= 1.2) {
        const left = middle - (cell.width * cells.columns) / 2;
        this.matrix(frame, cells, { node, left, top: y, kept }, cell);
        y += cell.height * cells.rows;
      }
    }
    if (lines === 0) return;
    if (lines === 2) {
      y += 14;
      const all = view.leaves + view.spines;
      const words = this.ofAll(frame, kept?.switches, count(all, "switch", "switches", card.width), all, inner);
      this.counted(frame, words, view.switchHealth ?? 0, middle, y, inner);
      y += 10;
    }
    if (!wordy || card.height <= 110) {
      const all = count(view.hosts, "host", "hosts", card.width);
      const words = this.ofAll(frame, kept?.hosts, all, view.hosts, inner);
      const font = `400 11px ${frame.drawing.palette.font}`;
      // Too narrow for one line: the number, and the word below it. Never an empty card.
      const stacked = this.ruler.width(words, font) > inner + 6 && kept === undefined;
      const tall = stacked && hostsY - 14 >= y + 4;
      if (tall) this.text(frame, view.hosts === 1 ? "host" : "hosts", middle, hostsY, inner, false);
      const shown = stacked ? groupDigits(view.hosts) : words;
      this.counted(frame, shown, view.hostHealth ?? 0, middle, tall ? hostsY - 14 : hostsY, inner);
    } else {
      const comb = tokenOfClass(frame.drawing, innerOf(frame.drawing, node)?.hosts ?? -1);
      this.hosts(frame, view, { middle, y: hostsY, combTop: y, inner, kept: kept?.hosts, comb });
    }
  }

  /** `5 of 8 switches` under a filter that leaves not all, or as much of it as fits. */
  private ofAll(frame: Frame, kept: number | undefined, words: string, all: number, room: number): string {
    if (kept === undefined || kept === all) return words;
    const font = `400 11px ${frame.drawing.palette.font}`;
    const few = `${groupDigits(kept)} of ${words}`;
    return this.ruler.width(few, font) <= room ? few : `${groupDigits(kept)} of ${groupDigits(all)}`;
  }

  /** A comb down to a pill with the number of hosts. */
  private hosts(
    frame: Frame,
    view: ViewNode,
    place: {
      readonly middle: number;
      readonly y: number;
      readonly combTop: number;
      readonly inner: number;
      readonly kept: number | undefined;
      /** Token of the colour of the hosts' links. */
      readonly comb: string;
    },
  ): void {
    const { context } = this;
    const { palette } = frame.drawing;
    const { middle, y } = place;
    const words = this.ofAll(frame, place.kept, groupDigits(view.hosts), view.hosts, place.inner - 18);
    const width = Math.min(place.inner, Math.max(36, this.ruler.width(words, `600 11px ${palette.font}`) + 18));
    const teeth = Math.max(2, Math.min(view.leaves, Math.floor(width / 4)));
    const top = Math.max(place.combTop, y - 34);
    context.beginPath();
    for (let tooth = 0; tooth < teeth && y - 10 - top > 6; tooth++) {
      const x = middle + ((tooth + 0.5) / teeth - 0.5) * (width - 8);
      context.moveTo(x, top);
      context.lineTo(x, y - 9);
    }
    context.strokeStyle = palette.colour(place.comb);
    context.globalAlpha = 0.62;
    context.lineWidth = 1;
    context.stroke();
    context.globalAlpha = 1;
    context.beginPath();
    context.roundRect(middle - width / 2, y - 9, width, 18, 9);
    context.fillStyle = palette.colour("--raised");
    context.fill();
    const health = view.hostHealth ?? 0;
    context.strokeStyle = palette.colour(frameToken(health));
    context.lineWidth = health >= warningCode ? 1.5 : 1;
    context.stroke();
    if (health >= warningCode) this.glyph(frame, health, middle + width / 2 - 1, y - 8, 11);
    this.text(frame, words, middle, y + 0.5, width - 6, true);
    this.text(frame, view.hosts === 1 ? "host" : "hosts", middle, y + 19, place.inner, false);
  }

  /** A count, with the sign of the worst finding it stands for where there is room. */
  private counted(frame: Frame, text: string, health: number, x: number, y: number, room: number): void {
    if (health < warningCode) {
      this.text(frame, text, x, y, room, false);
      return;
    }
    const half = this.ruler.width(text, `400 11px ${frame.drawing.palette.font}`) / 2;
    const beside = half * 2 + 15 <= room + 6;
    this.text(frame, text, beside ? x + 7 : x, y, room, false);
    if (beside) this.glyph(frame, health, x - half - 1, y - 0.5, 11);
    else this.glyph(frame, health, x + half + 2, y - 7, 9);
  }

  private glyph(frame: Frame, health: number, x: number, y: number, size: number): void {
    const name = healths[health];
    if (name !== undefined) drawGlyph(this.context, frame.drawing.palette, name, x, y, size);
  }

  /** Inner links, one cell a pair. `ground`: token of what lies under it. */
  matrix(
    frame: Frame,
    cells: Cells,
    place: MatrixPlace,
    cell: { readonly width: number; readonly height: number },
    ground = "--panel",
  ): void {
    const { context } = this;
    const { palette } = frame.drawing;
    const { columns, rows, health } = cells;
    const [{ left, top, kept }, inner] = [place, innerOf(frame.drawing, place.node)];
    const gapX = gapOf(cell.width);
    const gapY = gapOf(cell.height);
    const wide = cell.width - gapX;
    const tall = cell.height - gapY;
    // One field with gaps and holes over it: a rectangle a cell takes ten times as long in a picture of many pods.
    context.fillStyle = palette.colour(tokenOfClass(frame.drawing, inner?.usual ?? 0));
    context.globalAlpha = 0.55;
    context.fillRect(left, top, columns * cell.width - gapX, rows * cell.height - gapY);
    context.globalAlpha = 1;
    if (inner !== undefined) this.otherCells(frame, cells, inner, place, cell, ground);
    context.fillStyle = palette.colour(ground);
    if (gapX > 0) {
      for (let column = 1; column < columns; column++)
        context.fillRect(left + column * cell.width - gapX, top, gapX, rows * cell.height - gapY);
    }
    if (gapY > 0) {
      for (let row = 1; row < rows; row++)
        context.fillRect(left, top + row * cell.height - gapY, columns * cell.width - gapX, gapY);
    }
    // Quiet first: the bad cell is drawn last and never thinner than it can be seen.
    const kinds: [number[], number[], number[]] = [[], [], []];
    health.forEach((value, i) => {
      if (value === 0) kinds[0].push(i);
      // Under another overlay its colour is the overlay's, and the sign tells of the finding.
      else if (value >= warningCode + 1 && inner === undefined) kinds[kindOf(value - 1)].push(i);
    });
    [ground, "--warn-line", "--error-line"].forEach((token, kind) => {
      const growX = kind === 0 ? 0 : Math.max(0, leastCell - wide) / 2;
      const growY = kind === 0 ? 0 : Math.max(0, leastCell - tall) / 2;
      context.fillStyle = palette.colour(token);
      for (const i of kinds[kind] ?? []) {
        const x = left + (i % columns) * cell.width - growX;
        const y = top + Math.floor(i / columns) * cell.height - growY;
        context.fillRect(x, y, wide + 2 * growX, tall + 2 * growY);
      }
    });
    if (kept !== undefined) {
      // What a filter leaves out fades; the ground over it keeps its place to be seen.
      context.globalAlpha = 0.78;
      context.fillStyle = palette.colour(ground);
      kept.cells.forEach((flag, i) => {
        if (flag !== 0) return;
        const [x, y] = [left + (i % columns) * cell.width, top + Math.floor(i / columns) * cell.height];
        context.fillRect(x, y, cell.width, cell.height);
      });
      context.globalAlpha = 1;
    }
    this.oddCells(frame, cells, place, cell);
  }

  /** Cells of other classes than most, under an overlay that is not health. */
  private otherCells(
    frame: Frame,
    { columns, health }: Cells,
    { cells, usual }: InnerClasses,
    { left, top }: MatrixPlace,
    cell: { readonly width: number; readonly height: number },
    ground: string,
  ): void {
    const [wide, tall] = [cell.width - gapOf(cell.width), cell.height - gapOf(cell.height)];
    cells.forEach((look, i) => {
      if (look === usual || health[i] === 0) return;
      const [x, y] = [left + (i % columns) * cell.width, top + Math.floor(i / columns) * cell.height];
      for (const token of [ground, tokenOfClass(frame.drawing, look)]) {
        this.context.fillStyle = frame.drawing.palette.colour(token);
        this.context.fillRect(x, y, wide, tall);
      }
    });
  }

  /** Signs on the few bad cells, and an outline where a cable is that all siblings have and this pair has not. */
  private oddCells(
    frame: Frame,
    cells: Cells,
    { left, top, kept }: MatrixPlace,
    cell: { readonly width: number; readonly height: number },
  ): void {
    const { context } = this;
    const { palette } = frame.drawing;
    const empty: number[] = [];
    const bad: number[] = [];
    cells.health.forEach((value, i) => {
      if (value === 0) empty.push(i);
      else if (value > warningCode && kept?.cells[i] !== 0) bad.push(i);
    });
    if (kept === undefined && empty.length * 4 <= cells.health.length && cell.width > 2 && cell.height > 2) {
      context.strokeStyle = palette.colour("--warn-line");
      context.lineWidth = 1;
      context.setLineDash([2, 2]);
      context.beginPath();
      for (const i of empty) {
        const x = left + (i % cells.columns) * cell.width;
        const y = top + Math.floor(i / cells.columns) * cell.height;
        context.rect(x + 0.5, y + 0.5, Math.max(2, cell.width - 2), Math.max(2, cell.height - 2));
      }
      context.stroke();
      context.setLineDash([]);
    }
    if (bad.length > mostSigns) return;
    const size = Math.max(9, Math.min(13, cell.height - 2));
    for (const i of bad) {
      const x = left + ((i % cells.columns) + 0.5) * cell.width - 0.5;
      const y = top + (Math.floor(i / cells.columns) + 0.5) * cell.height - 0.5;
      this.glyph(frame, at(cells.health, i) - 1, x, y, size);
    }
  }

  /** `Pod 12`, or `12` where there is no room. */
  private name(frame: Frame, name: string, x: number, y: number, room: number): void {
    // Measured with two digits at least: of one row either all have the word or none.
    const widest = name.replace(/\d+$/, (digits) => digits.padStart(2, "8"));
    const fits = this.ruler.width(widest, `600 11.5px ${frame.drawing.palette.font}`) <= room + 2;
    this.text(frame, fits ? name : name.replace(/^\D+/, "") || name, x, y, room, true);
  }

  private text(frame: Frame, text: string, x: number, y: number, room: number, strong: boolean): void {
    const { context, ruler } = this;
    const { palette } = frame.drawing;
    const font = strong ? `600 11.5px ${palette.font}` : `400 11px ${palette.font}`;
    const fitted = ruler.fit(text, font, room + 6);
    if (fitted === "" || fitted.endsWith("…")) return;
    context.font = font;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillStyle = palette.colour(strong ? "--t1" : "--t2");
    context.fillText(fitted, x, y);
  }

  /** `7 of 8` on bundles that have fewer cables than their siblings. Returns those that found room for it. */
  counts(frame: Frame, occupied: Occupied): ReadonlySet<number> {
    const said = new Set<number>();
    const { drawing, camera, width, height } = frame;
    const { links } = drawing.graph;
    const { context, ruler } = this;
    const { palette, geometry } = drawing;
    const font = `600 12px ${palette.font}`;
    for (let link = 0; link < links.count; link++) {
      const usual = at(links.usual, link);
      if (usual < 2 || drawing.picture.linkHidden[link] !== 0) continue;
      const own = at(links.present, link);
      if (own >= usual) continue;
      const text = `${groupDigits(own)} of ${groupDigits(usual)}`;
      const boxWidth = ruler.width(text, font) + 38;
      for (const t of countPlaces) {
        const point = pointFromBelow(geometry, link, t);
        const x = Math.round(point.x * camera.zoom + camera.x);
        const y = Math.round(point.y * camera.zoom + camera.y);
        if (x < boxWidth / 2 || x > width - boxWidth / 2 || y < 14 || y > height - 14) continue;
        if (!occupied.take(x, y, boxWidth + 2, 24)) continue;
        said.add(link);
        const health = healths[Math.max(warningCode, at(links.health, link))] ?? "warning";
        const token = at(links.health, link) > warningCode ? "--error-line" : "--warn-line";
        context.beginPath();
        context.roundRect(x - boxWidth / 2, y - 11, boxWidth, 22, 4);
        context.fillStyle = palette.colour("--panel");
        context.fill();
        context.strokeStyle = palette.colour(token);
        context.lineWidth = 1.5;
        context.stroke();
        drawGlyph(context, palette, health, x - boxWidth / 2 + 14, y, 12);
        context.font = font;
        context.textAlign = "left";
        context.textBaseline = "middle";
        context.fillStyle = palette.colour("--t1");
        context.fillText(text, x - boxWidth / 2 + 26, y + 0.5);
        break;
      }
    }
    return said;
  }
}

/** Px between cells of a size. */
function gapOf(size: number): number {
  return size > 3 ? 1 : size > 2 ? 0.5 : 0;
}

function frameToken(health: number): string {
  return health > warningCode ? "--error-line" : health === warningCode ? "--warn-line" : "--ctl";
}

function kindOf(health: number): 0 | 1 | 2 {
  return health > warningCode ? 2 : health === warningCode ? 1 : 0;
}

/** `16 switches`, or the number alone. */
function count(value: number, one: string, many: string, width: number): string {
  const number = groupDigits(value);
  if (width < 46) return number;
  if (many === "switches" && width < 76) return `${number} sw`;
  return `${number} ${value === 1 ? one : many}`;
}
