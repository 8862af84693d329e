/** The top canvas: text and signs that keep their size at every zoom. Drawn in the same frame as Cytoscape. */
import { groupDigits } from "../../shared/base/text.ts";
import { at } from "../../shared/fabric/access.ts";
import { seenBy } from "./camera.ts";
import type { Drawing, Frame } from "./drawing.ts";
import { healths } from "../../shared/analyse/results.ts";
import { facing, freeEnds, type Frame as Outline, type Layout } from "./layout-types.ts";
import { BlockMarks } from "./marks-blocks.ts";
import { DirectorMarks } from "./marks-directors.ts";
import { LinkMarks } from "./marks-links.ts";
import { NodeMarks } from "./marks-nodes.ts";
import { Occupied, TextRuler } from "./marks-text.ts";
import type { Pen } from "./pen.ts";
import { atOnce } from "../parts/slices.ts";
import type { ViewGraph } from "./view-types.ts";
import { isBlock } from "./view-links.ts";

const warningCode = healths.indexOf("warning");
/** Names are what takes longest: each is measured. */
const namesInSlice = 256;

/** Px from one row's name with its count to the next one's, and how far a name may stand below its row. */
const labelStep = 31;
const mostLower = 14;

/** Key of the label of all pods, beside the levels of rows. */
const podsLabel = -2;

/** The canvas over Cytoscape's. */
export class Marks {
  private readonly canvas: HTMLCanvasElement;
  private readonly context: CanvasRenderingContext2D | null;
  private readonly painter: MarkPainter | undefined;

  constructor(box: HTMLElement) {
    this.canvas = document.createElement("canvas");
    this.canvas.className = "graph-marks";
    this.canvas.setAttribute("aria-hidden", "true");
    box.append(this.canvas);
    this.context = this.canvas.getContext("2d");
    this.painter = this.context === null ? undefined : new MarkPainter(this.context);
  }

  /** @param nodes drawn nodes in view, in no particular order; @param hovered drawn link and node under the pointer, -1 for none */
  draw(
    frame: Frame,
    nodes: readonly number[],
    hovered: { readonly link: number; readonly node: number },
    pixelRatio: number,
  ): void {
    const { context } = this;
    if (context === null) return;
    this.resize(frame, pixelRatio);
    context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0);
    context.clearRect(0, 0, frame.width, frame.height);
    this.painter?.draw(frame, nodes, hovered.link, hovered.node);
  }

  private resize(frame: Frame, pixelRatio: number): void {
    const width = Math.max(1, Math.round(frame.width * pixelRatio));
    const height = Math.max(1, Math.round(frame.height * pixelRatio));
    if (this.canvas.width === width && this.canvas.height === height) return;
    this.canvas.width = width;
    this.canvas.height = height;
    this.canvas.style.width = `${frame.width}px`;
    this.canvas.style.height = `${frame.height}px`;
  }

  destroy(): void {
    this.canvas.remove();
  }
}

/** Draws the marks with any pen. */
export class MarkPainter {
  private readonly context: Pen;
  private readonly ruler: TextRuler;
  private readonly nodes: NodeMarks;
  private readonly links: LinkMarks;
  private readonly blocks: BlockMarks;
  private readonly directors: DirectorMarks;
  private readonly occupied = new Occupied();
  private counted: { readonly graph: ViewGraph; readonly hosts: ReadonlyMap<string, number> } | undefined;

  constructor(context: Pen) {
    this.context = context;
    this.ruler = new TextRuler(context);
    this.nodes = new NodeMarks(context, this.ruler);
    this.links = new LinkMarks(context, this.ruler);
    this.blocks = new BlockMarks(context, this.ruler);
    this.directors = new DirectorMarks(context, this.ruler, this.blocks);
  }

  /** As {@link Marks.draw}, on what is there. */
  draw(frame: Frame, nodes: readonly number[], hovered: number, hoveredNode: number): void {
    atOnce(this.drawOver(frame, nodes, hovered, hoveredNode));
  }

  /** The same, a slice at a time. */
  *drawOver(frame: Frame, nodes: readonly number[], hovered: number, hoveredNode = -1): Generator<undefined, void> {
    const { drawing } = frame;
    const { context } = this;
    this.occupied.clear();
    context.section?.("frames");
    this.frames(frame);
    this.selectedPlane(frame);
    if (hoveredNode >= 0) this.links.ofBlock(frame, hoveredNode);
    this.links.loops(frame, hovered);
    context.section?.("arrows");
    this.links.arrows(frame);
    context.section?.("blocks");
    this.blocks.cards(frame);
    if (drawing.structure.directors.length > 0) {
      this.directors.open(frame);
      this.directors.closed(frame);
    }
    yield;
    context.section?.("names");
    for (let start = 0; start < nodes.length; start += namesInSlice) {
      this.nodes.labels(frame, nodes.slice(start, start + namesInSlice));
      yield;
    }
    context.section?.("subnet-managers");
    this.nodes.badges(frame, nodes, this.occupied);
    context.section?.("node-findings");
    this.nodes.signs(frame, nodes, this.occupied);
    yield;
    context.section?.("measured");
    this.links.pills(frame, this.occupied);
    context.section?.("counts");
    const said = this.blocks.counts(frame, this.occupied);
    yield;
    context.section?.("link-findings");
    this.links.signs(frame, this.occupied, said);
    if (hovered >= 0) this.links.multiplicity(frame, hovered);
    context.section?.("tiers");
    this.rowLabels(frame);
  }

  /** Outlines of pods with their names, while there are several. */
  private frames({ drawing, camera, width, height }: Frame): void {
    const { layout, palette } = drawing;
    const { context } = this;
    if (layout.frames.length < 2) return;
    context.lineWidth = 1;
    context.textAlign = "left";
    context.textBaseline = "alphabetic";
    const folded = new Set<number>();
    for (const node of drawing.graph.nodes) {
      if (isBlock(node) && node.kind !== "plane") folded.add(node.cluster);
    }
    for (const frame of layout.frames) {
      if (folded.has(frame.cluster)) continue;
      const x = frame.x * camera.zoom + camera.x;
      const y = frame.y * camera.zoom + camera.y;
      const w = frame.width * camera.zoom;
      const h = frame.height * camera.zoom;
      if (w < 18 || x > width || x + w < 0 || y > height || y + h < 0) continue;
      const selected = frame.cluster >= 0 && drawing.emphasis.selectedBlock === frame.cluster;
      context.strokeStyle = palette.colour(selected ? "--accent" : layout.hub === undefined ? "--hair" : "--edge");
      context.lineWidth = selected ? 2 : 1;
      context.beginPath();
      context.roundRect(x, y, w, h, 5);
      context.stroke();
      this.frameTitle(frame.name, w, { x, y, height: h }, frame, drawing);
    }
  }

  /** Outline of the selected plane while its core switches are drawn one by one. */
  private selectedPlane({ drawing, camera }: Frame): void {
    const { layout, palette, emphasis, graph } = drawing;
    const { context } = this;
    const plane = layout.planes.find(({ cluster }) => cluster === emphasis.selectedPlane);
    if (plane === undefined || graph.nodes.some((node) => node.kind === "plane" && node.cluster === plane.cluster))
      return;
    const [x, y] = [plane.x * camera.zoom + camera.x, plane.y * camera.zoom + camera.y];
    context.strokeStyle = palette.colour("--accent");
    context.lineWidth = 2;
    context.beginPath();
    context.roundRect(x, y, plane.width * camera.zoom, plane.height * camera.zoom, 5);
    context.stroke();
    const font = `600 11px ${palette.font}`;
    const width = this.ruler.width(plane.name, font);
    context.fillStyle = palette.colour("--canvas");
    context.beginPath();
    context.roundRect(x + 1, y - 17, width + 8, 15, 3);
    context.fill();
    this.occupied.take(x + 5 + width / 2, y - 10, width + 8, 15);
    context.font = font;
    context.textAlign = "left";
    context.textBaseline = "alphabetic";
    context.fillStyle = palette.colour("--t1");
    context.fillText(plane.name, x + 5, y - 6);
  }

  /** The name above a pod's outline; inside a group's, on the side of its hosts, with the number of them. */
  private frameTitle(
    name: string,
    width: number,
    box: { readonly x: number; readonly y: number; readonly height: number },
    { facing: towards, cluster }: Outline,
    { layout, palette, graph, emphasis }: Drawing,
  ): void {
    const strength = cluster >= 0 && emphasis.selectedBlock === cluster ? "--t1" : "--t2";
    const { context, ruler } = this;
    const font = `600 11px ${palette.font}`;
    const nameWidth = ruler.width(name, font);
    const fits = nameWidth + 10 < width;
    context.font = font;
    if (layout.hub === undefined) {
      const shown = fits ? name : name.replace(/^\D+/, "");
      const shownWidth = fits ? nameWidth : ruler.width(shown, font);
      // Cables go up from the pod: the name stands on a ground of its own, and no badge lies over it.
      this.occupied.take(box.x + 4 + shownWidth / 2, box.y - 8, shownWidth + 8, 14);
      context.fillStyle = palette.colour("--canvas");
      context.beginPath();
      context.roundRect(box.x + 1, box.y - 15, shownWidth + 6, 14, 3);
      context.fill();
      context.font = font;
      context.fillStyle = palette.colour(strength);
      context.fillText(shown, box.x + 4, box.y - 4);
      return;
    }
    const below = towards % freeEnds === facing.up;
    const y = below ? box.y + box.height - 8 : box.y + 16;
    if (box.height < 60) return;
    context.fillStyle = palette.colour("--t1");
    context.fillText(fits ? name : name.replace(/^\D+/, ""), box.x + 10, y);
    const hosts = this.hostsOf(name, layout, graph);
    const text = `${groupDigits(hosts)} hosts`;
    const quiet = `400 11px ${palette.font}`;
    const textWidth = ruler.width(text, quiet);
    const badges = graph.nodes.filter((node) => node.manager !== undefined && node.cluster === cluster).length;
    if (!fits || nameWidth + textWidth + 34 + badges * 86 > width) return;
    context.font = quiet;
    context.fillStyle = palette.colour("--t2");
    context.textAlign = "right";
    context.fillText(text, box.x + width - 10, y);
    context.textAlign = "left";
  }

  private hostsOf(name: string, layout: Layout, graph: ViewGraph): number {
    if (this.counted?.graph !== graph) {
      const names = new Map(layout.frames.map((frame) => [frame.cluster, frame.name]));
      const hosts = new Map<string, number>();
      for (const node of graph.nodes) {
        const own = node.kind === "plane" ? undefined : names.get(node.cluster);
        if (own !== undefined) hosts.set(own, (hosts.get(own) ?? 0) + node.hosts);
      }
      this.counted = { graph, hosts };
    }
    return this.counted.hosts.get(name) ?? 0;
  }

  /** Row names with counts at the left edge; a row above or below the view is not named. */
  private rowLabels(frame: Frame): void {
    const { drawing, camera, height } = frame;
    const { layout, palette, rowNames } = drawing;
    const { context } = this;
    const seen = seenBy(camera, frame.width, height);
    const first = new Set<number>();
    let last = -Infinity;
    const totals = new Map<number, number>();
    for (const band of layout.bands) {
      totals.set(band.level, (totals.get(band.level) ?? 0) + band.boxes + band.hosts);
    }
    context.textAlign = "left";
    context.textBaseline = "alphabetic";
    const pods = new Set(drawing.graph.nodes.filter((node) => node.kind === "pod").map((node) => node.cluster)).size;
    const allBlocks = pods > 0 && pods === layout.frames.length;
    for (const band of layout.bands) {
      const y = band.y * camera.zoom + camera.y;
      // Where all pods are blocks their rows have no meaning: the first stands for the pods, hosts keep one name for all.
      if (allBlocks && layout.frames.some((pod) => band.y >= pod.y && band.y <= pod.y + pod.height)) {
        const level = band.level === 0 ? 0 : podsLabel;
        if (first.has(level)) continue;
        if (level === 0 && (band.y < seen.top || band.y > seen.bottom)) continue;
        first.add(level);
        last = y;
        const [name, total] = level === 0 ? [rowNames.get(0) ?? "", totals.get(0) ?? 0] : ["Pods", pods];
        this.rowLabel(name, groupDigits(total), y, palette.colour, palette.font);
        continue;
      }
      if (band.y < seen.top || band.y > seen.bottom) continue;
      const name = rowNames.get(band.level) ?? "";
      const again = first.has(band.level);
      // A row close below another one is named a little lower; rows of a kind that is named already need no name.
      const lower = again ? 0 : Math.max(0, last + labelStep - y);
      if (y - last < (again ? 27 : labelStep - mostLower) || name === "") continue;
      if (again && band.boxes + band.hosts < 2) continue;
      last = y + lower;
      first.add(band.level);
      const total = totals.get(band.level) ?? 0;
      this.rowLabel(name, again ? "" : groupDigits(total), y + lower, palette.colour, palette.font);
    }
  }

  private rowLabel(name: string, count: string, y: number, colour: (token: string) => string, family: string): void {
    const { context, ruler } = this;
    const strong = `600 11px ${family}`;
    const plain = `400 11px ${family}`;
    const width = Math.max(ruler.width(name, strong), ruler.width(count, plain));
    // Opaque: what is below it would show as half a name.
    context.fillStyle = colour("--canvas");
    context.beginPath();
    context.roundRect(7, y - 15, width + 10, count === "" ? 17 : 31, 4);
    context.fill();
    context.font = strong;
    context.fillStyle = colour("--t2");
    context.fillText(name, 12, y - 3);
    context.font = plain;
    context.fillStyle = colour("--t3");
    context.fillText(count, 12, y + 11);
  }
}

/** Nodes that are marked however far the camera is: findings, subnet managers, selection, path. */
export function markedNodes({ graph, picture, emphasis }: Drawing): number[] {
  const marked: number[] = [];
  graph.nodes.forEach((node, i) => {
    if (picture.nodeHidden[i] !== 0) return;
    const stands = emphasis.selectedNode === i || emphasis.pathNodes.has(i);
    if (stands || node.manager !== undefined || node.health >= warningCode) marked.push(i);
  });
  return marked;
}

/** Nodes of a drawing whose box meets the view, at most `most`, boxes before hosts. */
export function nodesInView(frame: Frame, most: number): number[] {
  const { geometry, graph, picture } = frame.drawing;
  const seen = seenBy(frame.camera, frame.width, frame.height);
  const found: number[] = [];
  for (let node = 0; node < graph.nodes.length && found.length < most; node++) {
    if (picture.nodeHidden[node] !== 0) continue;
    const halfWidth = at(geometry.width, node) / 2;
    const halfHeight = at(geometry.height, node) / 2;
    if (at(geometry.x, node) + halfWidth < seen.left || at(geometry.x, node) - halfWidth > seen.right) continue;
    if (at(geometry.y, node) + halfHeight < seen.top || at(geometry.y, node) - halfHeight > seen.bottom) continue;
    found.push(node);
  }
  return found;
}
