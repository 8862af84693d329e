/** Marks on links: findings, direction of a path, the measured number. Constant size on the screen at every zoom. */
import { healths } from "../../shared/analyse/results.ts";
import { at } from "../../shared/fabric/access.ts";
import { pointFromBelow, pointOn, trace, type Point } from "./curve.ts";
import { drawGlyph } from "./draw-glyph.ts";
import { isLacking, type Drawing, type Frame } from "./drawing.ts";
import type { Occupied, TextRuler } from "./marks-text.ts";
import type { Pill } from "./pills.ts";
import type { Pen } from "./pen.ts";
import { isBlock } from "./view-links.ts";
import { isLoop } from "./view-types.ts";

/** Where a glyph may sit, counted from the lower end: away from the middle, where lines cross. */
const glyphPlaces = [0.28, 0.36, 0.44, 0.2, 0.55, 0.65];
const hostGlyphPlaces = [0.55, 0.4, 0.7];
/** At its outermost point, or a little to the side. */
const loopGlyphPlaces = [0.5, 0.2, 0.8];
const pillPlaces = [0.5, 0.42, 0.6, 0.34, 0.68, 0.26];

/** Px: a sign on a shorter link covers what it joins. */
const shortLink = 40;

/** Links of the block under the pointer that stand out at most. */
const mostOfBlock = 64;

function tokenOf(drawing: Drawing, link: number): string {
  if (isLacking(drawing, link)) return "--warn-line";
  return drawing.classes.classes[at(drawing.picture.linkClass, link)]?.token ?? "--unknown-line";
}

export class LinkMarks {
  private readonly context: Pen;
  private readonly ruler: TextRuler;

  constructor(context: Pen, ruler: TextRuler) {
    this.context = context;
    this.ruler = ruler;
  }

  /** Arrowheads in the direction client to server. */
  arrows({ drawing, camera }: Frame): void {
    const { context } = this;
    const { emphasis, geometry, palette } = drawing;
    context.lineJoin = "miter";
    for (const [link, direction] of emphasis.path) {
      const length = Math.hypot(
        ((geometry.x2[link] ?? 0) - (geometry.x1[link] ?? 0)) * camera.zoom,
        ((geometry.y2[link] ?? 0) - (geometry.y1[link] ?? 0)) * camera.zoom,
      );
      for (const t of length > 140 ? [0.22, 0.78] : [0.5]) {
        const here = this.toScreen({ drawing, camera }, pointOn(geometry, link, t));
        const there = this.toScreen({ drawing, camera }, pointOn(geometry, link, t + 0.01 * direction));
        const angle = Math.atan2(there.y - here.y, there.x - here.x);
        context.save();
        context.translate(here.x, here.y);
        context.rotate(angle);
        context.beginPath();
        context.moveTo(-4.5, -4.5);
        context.lineTo(4.5, 0);
        context.lineTo(-4.5, 4.5);
        context.closePath();
        context.fillStyle = palette.colour("--accent");
        context.strokeStyle = palette.colour("--canvas");
        context.lineWidth = 1.5;
        context.fill();
        context.stroke();
        context.restore();
      }
    }
  }

  private toScreen({ camera }: Pick<Frame, "drawing" | "camera">, point: Point): Point {
    return { x: point.x * camera.zoom + camera.x, y: point.y * camera.zoom + camera.y };
  }

  /**
   * Signs of links with findings, worst first; where there is no room the lesser ones wait until the user is
   * nearer. `said`: links whose sign stands in a count already.
   */
  signs(frame: Frame, occupied: Occupied, said: ReadonlySet<number>): void {
    const { drawing, width, height } = frame;
    const { picture, graph, geometry, emphasis } = drawing;
    const found: { link: number; code: number }[] = [];
    picture.linkGlyph.forEach((code, link) => {
      if (code > 0 && picture.linkHidden[link] === 0 && !said.has(link)) found.push({ link, code });
    });
    found.sort((a, b) => b.code - a.code || a.link - b.link);
    for (const { link, code } of found) {
      const health = healths[code];
      if (health === undefined || (emphasis.selectedLink === link && drawing.pills.has(link))) continue;
      const host = [graph.links.source[link], graph.links.target[link]].some(
        (node) => (graph.nodes[node ?? -1]?.hosts ?? 0) > 0,
      );
      if (this.saidByFold(frame, link)) continue;
      const size = host ? 11 : 13;
      const loop = isLoop(graph.links, link);
      for (const t of loop ? loopGlyphPlaces : host ? hostGlyphPlaces : glyphPlaces) {
        const on = this.toScreen(frame, pointFromBelow(geometry, link, t));
        const point = loop ? this.beyond(frame, link, on, size) : on;
        if (point.x < -20 || point.x > width + 20 || point.y < -20 || point.y > height + 20) continue;
        if (!occupied.take(point.x, point.y, size + 1, size + 1)) continue;
        drawGlyph(this.context, drawing.palette, health, point.x, point.y, size);
        break;
      }
    }
  }

  /** A short link to folded hosts: their pill is right beside it and has the sign. */
  private saidByFold({ drawing, camera }: Frame, link: number): boolean {
    const { graph, geometry, picture } = drawing;
    const code = at(picture.linkGlyph, link);
    const fold = [graph.links.source[link], graph.links.target[link]].some((node) => {
      const view = graph.nodes[node ?? -1];
      return view?.kind === "fold" && view.health >= code;
    });
    const across = at(geometry.x2, link) - at(geometry.x1, link);
    const down = at(geometry.y2, link) - at(geometry.y1, link);
    return fold && Math.hypot(across, down) * camera.zoom < shortLink;
  }

  /** A place just outside a cable from a node to itself, so that the sign does not cover it. */
  private beyond({ drawing, camera }: Frame, link: number, on: Point, size: number): Point {
    const { geometry, graph } = drawing;
    const node = at(graph.links.source, link);
    const centre = this.toScreen({ drawing, camera }, { x: at(geometry.x, node), y: at(geometry.y, node) });
    const length = Math.max(1, Math.hypot(on.x - centre.x, on.y - centre.y));
    const step = size / 2 + 2;
    return { x: on.x + ((on.x - centre.x) / length) * step, y: on.y + ((on.y - centre.y) / length) * step };
  }

  /** Numbers on links. The selected one's comes last, on top, and always finds a place. */
  pills(frame: Frame, occupied: Occupied): void {
    const { drawing } = frame;
    const entries = [...drawing.pills].sort(
      ([a], [b]) => Number(a === drawing.emphasis.selectedLink) - Number(b === drawing.emphasis.selectedLink),
    );
    for (const [link, pill] of entries) {
      if (drawing.picture.linkHidden[link] !== 0) continue;
      this.pill(frame, link, pill, occupied);
    }
  }

  private pill(frame: Frame, link: number, pill: Pill, occupied: Occupied): void {
    const { drawing, width, height } = frame;
    const { palette } = drawing;
    const bold = `700 12px ${palette.font}`;
    const quiet = `400 11px ${palette.font}`;
    const full = pill.more !== "";
    const barsWidth = pill.bars === undefined ? 0 : 32;
    const textWidth = this.ruler.width(pill.text, bold);
    const moreWidth = full ? this.ruler.width(pill.more, quiet) + 8 : 0;
    const boxWidth = barsWidth + textWidth + moreWidth + 18;
    const boxHeight = full ? 26 : 20;
    const must = drawing.emphasis.selectedLink === link;
    let place: Point | undefined;
    for (const t of pillPlaces) {
      const point = this.toScreen(frame, pointFromBelow(drawing.geometry, link, t));
      const inside =
        point.x > boxWidth / 2 && point.x < width - boxWidth / 2 && point.y > boxHeight && point.y < height - boxHeight;
      if (inside && occupied.take(point.x, point.y, boxWidth + 4, boxHeight + 4)) {
        place = point;
        break;
      }
    }
    if (place === undefined) {
      if (!must) return;
      place = this.toScreen(frame, pointFromBelow(drawing.geometry, link, 0.5));
    }
    this.drawPill(frame, pill, place, { boxWidth, boxHeight, barsWidth, textWidth, bold, quiet });
  }

  private drawPill(
    { drawing }: Frame,
    pill: Pill,
    place: Point,
    size: {
      readonly boxWidth: number;
      readonly boxHeight: number;
      readonly barsWidth: number;
      readonly textWidth: number;
      readonly bold: string;
      readonly quiet: string;
    },
  ): void {
    const { context } = this;
    const { palette } = drawing;
    const left = Math.round(place.x - size.boxWidth / 2);
    const y = Math.round(place.y);
    context.save();
    context.globalAlpha = pill.old ? 0.55 : 1;
    context.beginPath();
    context.roundRect(left, y - size.boxHeight / 2, size.boxWidth, size.boxHeight, 5);
    context.fillStyle = palette.colour("--panel");
    context.fill();
    context.strokeStyle = palette.colour(pill.token);
    context.lineWidth = 1.5;
    context.stroke();
    if (pill.bars !== undefined) this.bars(left + 9, y, pill.bars, palette.colour(pill.token));
    context.textAlign = "left";
    context.textBaseline = "middle";
    context.font = size.bold;
    context.fillStyle = palette.colour("--t1");
    context.fillText(pill.text, left + 9 + size.barsWidth, y + 0.5);
    context.font = size.quiet;
    context.fillStyle = palette.colour("--t2");
    context.fillText(pill.more, left + 9 + size.barsWidth + size.textWidth + 8, y + 0.5);
    context.restore();
  }

  /** The five-bar meter. */
  private bars(left: number, y: number, filled: number, colour: string): void {
    const { context } = this;
    for (let bar = 0; bar < 5; bar++) {
      context.beginPath();
      if (bar < filled) {
        context.roundRect(left + bar * 5, y - 5, 3.6, 10, 0.8);
        context.fillStyle = colour;
        context.fill();
      } else {
        context.roundRect(left + bar * 5 + 0.5, y - 4.5, 2.6, 9, 0.6);
        context.strokeStyle = colour;
        context.lineWidth = 0.8;
        context.stroke();
      }
    }
  }

  /** From far the bundles of many blocks are a texture: those of the block under the pointer stand out. */
  ofBlock({ drawing, camera }: Frame, node: number): void {
    const { graph, incidence, picture, classes, geometry, palette } = drawing;
    const view = graph.nodes[node];
    if (view === undefined || !isBlock(view)) return;
    const { context } = this;
    const own = incidence.link.subarray(at(incidence.start, node), at(incidence.start, node + 1));
    const shown = Array.from(own.subarray(0, mostOfBlock)).filter((link) => picture.linkHidden[link] === 0);
    const screen = (value: number | undefined, pan: number): number => (value ?? 0) * camera.zoom + pan;
    const path = (links: readonly number[]): void => {
      context.beginPath();
      for (const link of links) {
        const [x1, y1] = [screen(geometry.x1[link], camera.x), screen(geometry.y1[link], camera.y)];
        const [x2, y2] = [screen(geometry.x2[link], camera.x), screen(geometry.y2[link], camera.y)];
        const [cx, cy] = [screen(geometry.cx[link], camera.x), screen(geometry.cy[link], camera.y)];
        trace(context, geometry.curve[link] ?? 0, x1, y1, x2, y2, cx, cy);
      }
    };
    context.lineCap = "butt";
    path(shown);
    context.strokeStyle = palette.colour("--t2");
    context.globalAlpha = 0.25;
    context.lineWidth = 6;
    context.stroke();
    context.globalAlpha = 1;
    for (const token of new Set(shown.map((link) => tokenOf(drawing, link)))) {
      path(shown.filter((link) => tokenOf(drawing, link) === token));
      context.strokeStyle = palette.colour(token);
      context.lineWidth = classes.classes.some((look) => look.token === token && look.loud) ? 2 : 1.2;
      context.stroke();
    }
  }

  /** Cables from a node to itself that are selected, on a path or under the pointer: Cytoscape would draw them in a shape of its own. */
  loops({ drawing, camera }: Frame, hovered: number): void {
    const { graph, picture, geometry, palette, emphasis } = drawing;
    const wanted = new Set([hovered, emphasis.selectedLink, ...emphasis.path.keys()]);
    const { context } = this;
    const x = (value: number | undefined): number => (value ?? 0) * camera.zoom + camera.x;
    const y = (value: number | undefined): number => (value ?? 0) * camera.zoom + camera.y;
    context.lineCap = "butt";
    for (const link of wanted) {
      if (link < 0 || !isLoop(graph.links, link) || picture.linkHidden[link] !== 0) continue;
      const strong = link !== hovered || link === emphasis.selectedLink;
      context.beginPath();
      trace(
        context,
        geometry.curve[link] ?? 0,
        ...([x(geometry.x1[link]), y(geometry.y1[link]), x(geometry.x2[link]), y(geometry.y2[link])] as const),
        ...([x(geometry.cx[link]), y(geometry.cy[link])] as const),
      );
      context.strokeStyle = palette.colour(strong ? "--accent" : "--t2");
      context.globalAlpha = strong ? 0.42 : 0.25;
      context.lineWidth = 9;
      context.stroke();
      context.strokeStyle = palette.colour(tokenOf(drawing, link));
      context.globalAlpha = 1;
      context.lineWidth = strong ? 3 : 2;
      context.stroke();
    }
  }

  /** `8x` on a complete bundle. */
  multiplicity(frame: Frame, link: number): void {
    const { drawing } = frame;
    const count = at(drawing.graph.links.memberStart, link + 1) - at(drawing.graph.links.memberStart, link);
    if (count < 2) return;
    const point = this.toScreen(frame, pointFromBelow(drawing.geometry, link, 0.5));
    const { context } = this;
    context.font = `500 11px ${drawing.palette.font}`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.lineWidth = 4;
    context.strokeStyle = drawing.palette.colour("--canvas");
    context.strokeText(`${count}x`, point.x, point.y);
    context.fillStyle = drawing.palette.colour("--t1");
    context.fillText(`${count}x`, point.x, point.y);
  }
}
