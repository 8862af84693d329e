/** Marks on nodes: names, ports, counts, findings, subnet managers. Constant size on the screen at every zoom. */
import { healths } from "../../shared/analyse/results.ts";
import { at } from "../../shared/fabric/access.ts";
import { drawGlyph } from "./draw-glyph.ts";
import type { Frame } from "./drawing.ts";
import { facing, freeEnds } from "./layout-types.ts";
import { fitEnd, type Occupied, type TextRuler } from "./marks-text.ts";
import { groupDigits, visibleText } from "../../shared/base/text.ts";
import { isLoop, type ViewGraph, type ViewLinks, type ViewNode } from "./view-types.ts";
import { isBlock } from "./view-links.ts";
import type { Pen } from "./pen.ts";

const warningCode = healths.indexOf("warning");

interface Badge {
  readonly text: string;
  readonly font: string;
  readonly width: number;
  readonly master: boolean;
}

/** A node's box on the screen. */
interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function boxOf({ drawing, camera }: Frame, node: number): Box {
  const { geometry } = drawing;
  return {
    x: (geometry.x[node] ?? 0) * camera.zoom + camera.x,
    y: (geometry.y[node] ?? 0) * camera.zoom + camera.y,
    width: (geometry.width[node] ?? 0) * camera.zoom,
    height: (geometry.height[node] ?? 0) * camera.zoom,
  };
}

/** Which ends of a link are at a node: end A, end B, or both. */
function endsAt(links: ViewLinks, link: number, node: number): readonly boolean[] {
  return [true, false].filter((isA) => (isA ? links.source : links.target)[link] === node);
}

/** Colour of a port with a finding, or of a plain one. */
function glyphToken(glyph: number): string {
  if (glyph === 0) return "--t3";
  return glyph === warningCode ? "--warn-line" : "--error-line";
}

function digitsAtEnd(label: string): number {
  return /\d*$/.exec(label)?.[0].length ?? 0;
}

/** The same for nodes that differ by the number at the end of their names alone. */
function siblingsKey({ label, level }: Pick<ViewNode, "label" | "level">): string {
  return `${level} ${label.slice(0, label.length - digitsAtEnd(label))}`;
}

/** `core-2/S01/U1` → `S01`: the box is named at its outline, and every slot has its `U1`. */
function chipName(label: string): string {
  return /\/([^/]+)\/U1$/.exec(label)?.[1] ?? "";
}

export class NodeMarks {
  private readonly context: Pen;
  private readonly ruler: TextRuler;

  private numbered: { readonly graph: ViewGraph; readonly most: ReadonlyMap<string, number> } | undefined;

  constructor(context: Pen, ruler: TextRuler) {
    this.context = context;
    this.ruler = ruler;
  }

  /** Names inside boxes; `nodes` are those in view. */
  labels(frame: Frame, nodes: readonly number[]): void {
    const { drawing } = frame;
    const { context } = this;
    context.textAlign = "center";
    context.textBaseline = "middle";
    for (const node of nodes) {
      const view = drawing.graph.nodes[node];
      if (view === undefined || isBlock(view) || view.kind === "director") continue;
      const box = boxOf(frame, node);
      if (box.width < 15) continue;
      const strong = drawing.emphasis.selectedNode === node || drawing.emphasis.pathNodes.has(node);
      const quiet = !view.reached || (drawing.picture.nodeFaint[node] === 1 && !strong);
      context.fillStyle = drawing.palette.colour(quiet ? "--t3" : "--t1");
      if (view.hosts === 0 && box.width > 120 && box.height > 40) this.nearLabel(frame, view, box);
      else {
        const font = `${strong || view.kind === "fold" ? 600 : 500} 11px ${drawing.palette.font}`;
        const room = box.width - (box.width < 60 ? 4 : 8);
        const text = this.nameThatFits(frame, node, view, font, room);
        if (text === "" || box.height < 9) continue;
        context.font = font;
        context.fillText(text, box.x, box.y + 0.5);
      }
      this.partName(frame, view, box);
      if (view.kind === "host" && box.height >= 26) this.adapterPorts(frame, node, box);
      if (view.hosts === 0 && box.width > 120 && box.height > 40) this.portNumbers(frame, node, box);
    }
  }

  /** Below a fold without room for it: the rack or name of its hosts. */
  private partName(frame: Frame, view: ViewNode, box: Box): void {
    const name = view.part?.name ?? "";
    if (name === "" || box.height < 9) return;
    const font = `500 11px ${frame.drawing.palette.font}`;
    if (this.ruler.width(`${name}: ${groupDigits(view.hosts)}`, font) + 8 <= box.width) return;
    const fitted = this.ruler.fit(name, font, box.width - 4);
    if (fitted === "" || fitted.endsWith("…")) return;
    this.context.font = font;
    this.context.fillStyle = frame.drawing.palette.colour("--t2");
    this.context.fillText(fitted, box.x, box.y + box.height / 2 + 9);
  }

  /** The name, its short form, or as much of it as fits. */
  private nameThatFits({ drawing }: Frame, node: number, view: ViewNode, font: string, room: number): string {
    if (view.kind === "fold") {
      const named = view.part?.name ?? "";
      const both = named === "" ? "" : this.ruler.fit(`${named}: ${groupDigits(view.hosts)}`, font, room);
      if (both !== "" && !both.endsWith("…")) return both;
      return this.ruler.fit(groupDigits(view.hosts), font, room);
    }
    const digits = this.digitsIn(drawing.graph, view);
    for (const name of [view.label, drawing.shortLabels.text[node] ?? "", chipName(view.label)]) {
      const clean = visibleText(name);
      // As wide as the longest number of its siblings: `sw-9` beside a `11` would read as of another kind.
      const widest = clean.replace(/\d+$/, (own) => own.padStart(digits, "0"));
      if (clean !== "" && this.ruler.widestOf(widest, font) <= room) return clean;
    }
    // The end tells numbered nodes apart.
    return fitEnd(this.ruler, view.label, font, room);
  }

  /** Digits of the longest number at the end of names that begin as this one does, in its row. */
  private digitsIn(graph: ViewGraph, { label, level }: ViewNode): number {
    if (this.numbered?.graph !== graph) {
      const most = new Map<string, number>();
      for (const node of graph.nodes) {
        const key = siblingsKey(node);
        most.set(key, Math.max(most.get(key) ?? 0, digitsAtEnd(node.label)));
      }
      this.numbered = { graph, most };
    }
    return this.numbered.most.get(siblingsKey({ label, level })) ?? 0;
  }

  /** Name and LID in a large box. */
  private nearLabel(frame: Frame, view: ViewNode, box: Box): void {
    const { fabric, palette } = frame.drawing;
    const { context } = this;
    const font = `600 13px ${palette.font}`;
    const quiet = `400 11px ${palette.font}`;
    const lid = fabric.nodes.lid[view.node] ?? 0;
    const lidText = lid === 0 ? "" : `LID ${lid}`;
    const name = this.ruler.fit(view.label, font, box.width - 24);
    const nameWidth = this.ruler.width(name, font);
    const lidWidth = lidText === "" ? 0 : this.ruler.width(lidText, quiet) + 10;
    const both = nameWidth + lidWidth < box.width - 16;
    const left = box.x - (nameWidth + (both ? lidWidth : 0)) / 2;
    context.textAlign = "left";
    context.font = font;
    context.fillText(name, left, box.y);
    if (both && lidText !== "") {
      context.font = quiet;
      context.fillStyle = palette.colour("--t3");
      context.fillText(lidText, left + nameWidth + 10, box.y + 0.5);
    }
    context.textAlign = "center";
  }

  /** Port numbers inside the edge, above each end. */
  private portNumbers(frame: Frame, node: number, box: Box): void {
    const { drawing, camera } = frame;
    const { graph, geometry, incidence, palette, picture } = drawing;
    const { context } = this;
    let last = -Infinity;
    let lastY = 0;
    const ends: { x: number; y: number; port: number; glyph: number }[] = [];
    for (let i = at(incidence.start, node); i < at(incidence.start, node + 1); i++) {
      const link = at(incidence.link, i);
      for (const isA of endsAt(graph.links, link, node)) {
        ends.push({
          x: ((isA ? geometry.x1[link] : geometry.x2[link]) ?? 0) * camera.zoom + camera.x,
          y: ((isA ? geometry.y1[link] : geometry.y2[link]) ?? 0) * camera.zoom + camera.y,
          port: (isA ? graph.links.sourcePort[link] : graph.links.targetPort[link]) ?? 0,
          glyph: picture.linkGlyph[link] ?? 0,
        });
      }
    }
    ends.sort((a, b) => a.y - b.y || a.x - b.x);
    // Beside its end on an upright edge, one below the other as far as there is room.
    const lowest = { left: -Infinity, right: -Infinity };
    for (const end of ends) {
      const edge = Math.abs(Math.abs(end.x - box.x) - box.width / 2) < 1;
      if (edge) {
        const side = end.x < box.x ? "left" : "right";
        if (end.y < lowest[side] + 12) continue;
        lowest[side] = end.y;
        const text = String(end.port);
        context.font = `${end.glyph > 0 ? 600 : 400} 11px ${palette.font}`;
        context.fillStyle = palette.colour(glyphToken(end.glyph));
        const inward = this.ruler.width(text, context.font) / 2 + 5;
        context.fillText(text, end.x + (side === "left" ? inward : -inward), end.y + 0.5);
        continue;
      }
      if (end.y !== lastY) last = -Infinity;
      lastY = end.y;
      const font = `${end.glyph > 0 ? 600 : 400} 11px ${palette.font}`;
      const half = this.ruler.width(String(end.port), font) / 2;
      if (end.x - half < last + 3) continue;
      last = end.x + half;
      context.font = font;
      context.fillStyle = palette.colour(glyphToken(end.glyph));
      context.fillText(String(end.port), end.x, end.y + (end.y < box.y ? 9 : -8));
    }
  }

  /** A host's cabled ports as stubs on its edge. */
  private adapterPorts(frame: Frame, node: number, box: Box): void {
    const { drawing, camera } = frame;
    const { incidence, graph, geometry, palette, picture } = drawing;
    const { context } = this;
    for (let i = at(incidence.start, node); i < at(incidence.start, node + 1); i++) {
      const link = at(incidence.link, i);
      context.fillStyle = palette.colour(glyphToken(picture.linkGlyph[link] ?? 0));
      // A cable back to the host itself hangs below it.
      const top = isLoop(graph.links, link) ? box.y + box.height / 2 : box.y - box.height / 2 - 7;
      for (const isA of endsAt(graph.links, link, node)) {
        const x = ((isA ? geometry.x1[link] : geometry.x2[link]) ?? 0) * camera.zoom + camera.x;
        context.fillRect(x - 5, top, 10, 7);
      }
    }
  }

  /** Signs at the corner of nodes with findings, rings of aggregation nodes. */
  signs(frame: Frame, nodes: readonly number[], occupied: Occupied): void {
    const { drawing } = frame;
    for (const node of nodes) {
      const view = drawing.graph.nodes[node];
      if (view === undefined) continue;
      const box = boxOf(frame, node);
      if (view.aggregations > 0 && box.height > 14) this.aggregation(frame, view, box);
      if (view.health < warningCode) continue;
      const health = healths[view.health];
      if (health === undefined) continue;
      // A host as a small square carries its finding by colour; its link has the glyph.
      if (view.kind === "host" && box.width < 16 && this.hasLoudLink(frame, node)) continue;
      const size = box.width < 26 ? 10 : 12;
      const x = box.x + Math.max(0, box.width / 2 - 1);
      const y = box.y - Math.max(0, box.height / 2 - 1);
      if (occupied.take(x, y, size, size)) drawGlyph(this.context, drawing.palette, health, x, y, size);
    }
  }

  private hasLoudLink({ drawing }: Frame, node: number): boolean {
    const { incidence, picture } = drawing;
    for (let i = at(incidence.start, node); i < at(incidence.start, node + 1); i++) {
      if ((picture.linkGlyph[at(incidence.link, i)] ?? 0) > 0) return true;
    }
    return false;
  }

  private aggregation({ drawing }: Frame, view: ViewNode, box: Box): void {
    const { context } = this;
    const { palette } = drawing;
    const x = box.x + box.width / 2;
    context.beginPath();
    context.arc(x, box.y, 6.5, 0, Math.PI * 2);
    context.fillStyle = palette.colour("--canvas");
    context.fill();
    context.strokeStyle = palette.colour("--ctl");
    context.lineWidth = 1;
    context.stroke();
    context.fillStyle = palette.colour("--t2");
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.font = `500 9px ${palette.font}`;
    context.fillText(view.aggregations > 1 ? String(view.aggregations) : "Σ", x, box.y + 0.5);
  }

  /** Names of hosts that matter while hosts are squares, and the subnet managers. */
  badges(frame: Frame, nodes: readonly number[], occupied: Occupied): void {
    const { drawing } = frame;
    for (const node of nodes) {
      const view = drawing.graph.nodes[node];
      if (view?.manager === undefined) continue;
      this.managerBadge(frame, view, boxOf(frame, node), occupied);
    }
    for (const node of nodes) {
      const view = drawing.graph.nodes[node];
      const box = boxOf(frame, node);
      const wanted = drawing.emphasis.selectedNode === node || drawing.emphasis.pathNodes.has(node);
      if (view === undefined || !wanted || view.hosts === 0 || box.width > 30) continue;
      const text = view.kind === "fold" ? `${groupDigits(view.hosts)} hosts` : view.label;
      this.haloText(frame, text, box.x, box.y + box.height / 2 + 11, occupied);
    }
  }

  private haloText(frame: Frame, text: string, x: number, y: number, occupied: Occupied): void {
    const { context } = this;
    const { palette } = frame.drawing;
    const font = `600 11px ${palette.font}`;
    const fitted = this.ruler.fit(text, font, 180);
    const width = this.ruler.width(fitted, font);
    if (!occupied.take(x, y, width + 4, 14)) return;
    context.font = font;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.lineWidth = 4;
    context.lineJoin = "round";
    context.strokeStyle = palette.colour("--canvas");
    context.strokeText(fitted, x, y);
    context.fillStyle = palette.colour("--t1");
    context.fillText(fitted, x, y);
  }

  private managerBadge(frame: Frame, view: ViewNode, box: Box, occupied: Occupied): void {
    const { palette } = frame.drawing;
    const master = view.manager === "MASTER";
    const text = master ? "SM master" : "SM standby";
    const font = `600 11px ${palette.font}`;
    const width = this.ruler.width(text, font) + 12;
    if (
      frame.drawing.layout.hub !== undefined &&
      view.cluster >= 0 &&
      this.inTitle(frame, view, { text, font, width, master })
    )
      return;
    // Below a host, above a switch.
    const below = view.hosts > 0;
    // Kept inside the window and clear of the row names.
    const inside = (x: number): number => Math.max(width / 2 + 60, Math.min(frame.width - width / 2 - 8, x));
    const first = below ? box.y + box.height / 2 + 14 : box.y - box.height / 2 - 12;
    // Beside what is there before further away: one row on other nodes may stand.
    const places = [0, 1, 2].flatMap((row) =>
      [0, 44, -44].map((aside) => ({ x: inside(box.x + aside), y: first + row * (below ? 18 : -18) })),
    );
    const free = places.find(({ x, y }) => occupied.take(x, y, width + 2, 17)) ?? { x: inside(box.x), y: first };
    this.drawBadge(frame, { text, font, width, master }, free.x, free.y);
  }

  /** In a group the badge stands beside the group's name: around its hosts there is no room. False when the name has none. */
  private inTitle(frame: Frame, view: ViewNode, badge: Badge): boolean {
    const { drawing, camera } = frame;
    const outline = drawing.layout.frames.find(({ cluster }) => cluster === view.cluster);
    if (outline === undefined) return false;
    const nameWidth = this.ruler.width(outline.name, `600 11px ${drawing.palette.font}`);
    const wide = outline.width * camera.zoom;
    const tall = outline.height * camera.zoom;
    if (nameWidth + badge.width + 30 > wide || tall < 60 || isBlock(view)) return false;
    const x = outline.x * camera.zoom + camera.x + 18 + nameWidth + badge.width / 2;
    const y = outline.y * camera.zoom + camera.y + (outline.facing % freeEnds === facing.up ? tall - 12 : 12);
    this.drawBadge(frame, badge, x, y);
    return true;
  }

  private drawBadge(frame: Frame, { text, font, width, master }: Badge, x: number, y: number): void {
    const { context } = this;
    const { palette } = frame.drawing;
    context.beginPath();
    context.roundRect(x - width / 2, y - 8, width, 16, 3);
    context.fillStyle = palette.colour(master ? "--t1" : "--canvas");
    context.fill();
    context.strokeStyle = palette.colour("--t1");
    context.lineWidth = 1;
    context.stroke();
    context.font = font;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillStyle = palette.colour(master ? "--canvas" : "--t1");
    context.fillText(text, x, y + 0.5);
  }
}
