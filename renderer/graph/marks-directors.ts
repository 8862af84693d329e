/** Directors: the inner of their two frames with name and counts while closed, an outline around their chips while open. */
import { healths } from "../../shared/analyse/results.ts";
import { groupDigits } from "../../shared/base/text.ts";
import { at } from "../../shared/fabric/access.ts";
import type { Frame } from "./drawing.ts";
import { openDirectorFrames } from "./director-frames.ts";
import type { BlockMarks } from "./marks-blocks.ts";
import type { TextRuler } from "./marks-text.ts";
import type { Pen } from "./pen.ts";
import type { Cells, ViewNode } from "./view-types.ts";

const warningCode = healths.indexOf("warning");
/** Px between the two frames. */
const frameGap = 3;

/** On the screen. */
interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export class DirectorMarks {
  private readonly context: Pen;
  private readonly ruler: TextRuler;
  private readonly blocks: BlockMarks;

  constructor(context: Pen, ruler: TextRuler, blocks: BlockMarks) {
    this.context = context;
    this.ruler = ruler;
    this.blocks = blocks;
  }

  /** Closed ones in view. */
  closed(frame: Frame): void {
    const { drawing, camera } = frame;
    const { graph, geometry, picture, palette, emphasis } = drawing;
    const { context } = this;
    graph.nodes.forEach((view, node) => {
      if (view.kind !== "director" || picture.nodeHidden[node] !== 0) return;
      const width = at(geometry.width, node) * camera.zoom;
      const height = at(geometry.height, node) * camera.zoom;
      const x = at(geometry.x, node) * camera.zoom + camera.x;
      const y = at(geometry.y, node) * camera.zoom + camera.y;
      if (x + width / 2 < 0 || x - width / 2 > frame.width || y + height / 2 < 0 || y - height / 2 > frame.height)
        return;
      if (width > 14 && height > 12) {
        context.beginPath();
        const inner = { width: width - 2 * frameGap, height: height - 2 * frameGap };
        context.roundRect(x - inner.width / 2, y - inner.height / 2, inner.width, inner.height, 2.5);
        context.strokeStyle = palette.colour(emphasis.selectedNode === node ? "--accent" : frameToken(view.health));
        context.lineWidth = 1;
        context.stroke();
      }
      const cells = graph.cells.get(node);
      if (cells !== undefined && height > 90 && width > 60)
        this.card(frame, node, view, cells, { x, y, width, height });
      else this.words(frame, view, { x, y, width, height });
    });
  }

  /** With room for it: the matrix of inner links between the name and the counts. */
  private card(frame: Frame, node: number, view: ViewNode, cells: Cells, box: Box): void {
    const room = { width: box.width - 28, height: box.height - 66 };
    const size = Math.min(34, room.width / cells.columns, room.height / cells.rows);
    const height = Math.max(0, size * cells.rows);
    this.words(frame, view, { ...box, y: box.y - height / 2 - 4, height: 38 });
    if (size < 1.2) return;
    const left = box.x - (size * cells.columns) / 2;
    const place = { node, left, top: box.y - height / 2 + 18, kept: frame.drawing.picture.kept.get(node) };
    this.blocks.matrix(frame, cells, place, { width: size, height: size }, "--raised");
  }

  private words(frame: Frame, view: ViewNode, box: Box): void {
    const { context, ruler } = this;
    const { palette } = frame.drawing;
    const room = box.width - 4 * frameGap;
    const strong = `600 11.5px ${palette.font}`;
    const quiet = `400 11px ${palette.font}`;
    const name = ruler.fit(view.label, strong, room);
    const chips = view.leaves + view.spines;
    const counts =
      view.spines === 0
        ? [`${groupDigits(chips)} chips`]
        : [`${groupDigits(view.leaves)} line, ${groupDigits(view.spines)} spine chips`, `${groupDigits(chips)} chips`];
    const second = box.height >= 30 ? counts.find((text) => ruler.width(text, quiet) <= room) : undefined;
    if (name === "" || box.height < 13) return;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.font = strong;
    context.fillStyle = palette.colour("--t1");
    context.fillText(name, box.x, second === undefined ? box.y + 0.5 : box.y - 6.5);
    if (second === undefined) return;
    context.font = quiet;
    context.fillStyle = palette.colour("--t2");
    context.fillText(second, box.x, box.y + 7.5);
  }

  /** Outlines of open ones, with their names. */
  open(frame: Frame): void {
    const { drawing, camera } = frame;
    const { palette, emphasis } = drawing;
    const { context } = this;
    for (const own of openDirectorFrames(drawing)) {
      const selected = emphasis.selectedDirector === own.director;
      const pad = 5;
      const x = own.left * camera.zoom + camera.x - pad;
      const y = own.top * camera.zoom + camera.y - pad;
      const width = (own.right - own.left) * camera.zoom + 2 * pad;
      const height = (own.bottom - own.top) * camera.zoom + 2 * pad;
      if (x > frame.width || x + width < 0 || y > frame.height || y + height < 0) continue;
      context.strokeStyle = palette.colour(selected ? "--accent" : "--ctl");
      context.lineWidth = selected ? 1.5 : 1;
      for (const gap of [0, frameGap]) {
        context.beginPath();
        context.roundRect(x - gap, y - gap, width + 2 * gap, height + 2 * gap, 4 + gap);
        context.stroke();
      }
      const font = `600 11px ${palette.font}`;
      const name = this.ruler.fit(own.name, font, Math.max(30, width));
      context.font = font;
      context.textAlign = "left";
      context.textBaseline = "alphabetic";
      context.fillStyle = palette.colour(selected ? "--t1" : "--t2");
      context.fillText(name, x, y - frameGap - 4);
    }
  }
}

function frameToken(health: number): string {
  if (health < warningCode) return "--ctl";
  return health > warningCode ? "--error-line" : "--warn-line";
}
