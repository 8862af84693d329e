/**
 * What the user touches, in Cytoscape: what is selected, hovered or on a path, with its links and their ends. Everything
 * else stays in the scene below, which draws the same shapes. Holds at most some hundred elements.
 */
import cytoscape, { type Core, type ElementDefinition } from "cytoscape";
import { healths } from "../../shared/analyse/results.ts";
import { at } from "../../shared/fabric/access.ts";
import { zoomLimits } from "./camera.ts";
import { controlsOf, type Curves } from "./curve.ts";
import { stylesheet, type Unit } from "./cytoscape-style.ts";
import { hasSelection, isLacking, type Drawing } from "./drawing.ts";
import type { Palette } from "./palette.ts";
import { squareBelow, tinyBelow } from "./scene-nodes.ts";
import { isLoop, type ViewNode } from "./view-types.ts";
import { isBlock } from "./view-links.ts";

export class CytoscapeView {
  readonly core: Core;
  private readonly unit: Unit = { value: 1 };
  private palette: Palette | undefined;
  private drawing: Drawing | undefined;
  private nodes: readonly number[] = [];
  private styledZoom = 1;

  constructor(container: HTMLElement) {
    this.core = cytoscape({
      container,
      elements: [],
      style: [],
      layout: { name: "null" },
      minZoom: zoomLimits.least,
      maxZoom: zoomLimits.most,
      autoungrabify: true,
      autounselectify: true,
      boxSelectionEnabled: false,
      textureOnViewport: false,
      hideEdgesOnViewport: false,
      pixelRatio: Math.min(2, window.devicePixelRatio),
    });
    withoutLayers(this.core);
  }

  /** Brings the elements in line with a drawing. `nodes` and `links` are drawn indices; ends of the links must be among the nodes. */
  sync(drawing: Drawing, nodes: readonly number[], links: readonly number[]): void {
    const before = this.drawing;
    const fresh = before?.graph !== drawing.graph || before.geometry !== drawing.geometry;
    this.drawing = drawing;
    if (this.palette !== drawing.palette) {
      this.palette = drawing.palette;
      this.core.style(stylesheet(drawing.palette, this.unit));
    }
    this.core.batch(() => {
      this.core.edges().remove();
      this.core.elements(".passing").remove();
      if (fresh) this.core.nodes().remove();
      this.syncNodes(drawing, nodes, fresh);
      this.core.add(links.map((link) => this.edge(drawing, link)));
    });
    this.nodes = nodes;
  }

  private syncNodes(drawing: Drawing, nodes: readonly number[], fresh: boolean): void {
    const kept = new Set(fresh ? [] : this.nodes);
    const wanted = new Set(nodes);
    for (const node of kept) if (!wanted.has(node)) this.core.getElementById(`n${node}`).remove();
    this.core.add(nodes.filter((node) => !kept.has(node)).map((node) => this.node(drawing, node)));
    for (const node of nodes) {
      const element = this.core.getElementById(`n${node}`);
      const classes = this.classesOf(drawing, node);
      if (element.data("classes") === classes) continue;
      element.data("classes", classes);
      element.classes(classes);
    }
  }

  private node(drawing: Drawing, node: number): ElementDefinition {
    const { geometry } = drawing;
    return {
      group: "nodes",
      data: { id: `n${node}`, width: at(geometry.width, node), height: at(geometry.height, node), classes: "" },
      position: { x: at(geometry.x, node), y: at(geometry.y, node) },
    };
  }

  private classesOf(drawing: Drawing, node: number): string {
    const view = drawing.graph.nodes[node];
    if (view === undefined) return "";
    const { emphasis } = drawing;
    const width = at(drawing.geometry.width, node) * this.core.zoom();
    const names = [shapeClass(view)];
    if (view.kind === "host" && width < squareBelow) names.push("square");
    else if (width < tinyBelow && !isBlock(view)) names.push("tiny");
    const health = healths[this.healthShown(drawing, node, view)];
    if (health === "warning") names.push("warning");
    if (health === "error" || health === "down") names.push("error");
    if (view.manager !== undefined) names.push("manager");
    if (!view.reached) names.push("unreached");
    if (drawing.picture.nodeFaint[node] === 1 && emphasis.selectedNode !== node) names.push("faint");
    if (emphasis.pathNodes.has(node)) names.push("path");
    if (emphasis.selectedNode === node) names.push("selected");
    return names.join(" ");
  }

  /** A host as a square also shows its link's finding by colour: its frame and name are not there to do it. */
  private healthShown(drawing: Drawing, node: number, view: ViewNode): number {
    if (view.kind !== "host") return view.health;
    let health = view.health;
    const { incidence, picture } = drawing;
    for (let i = at(incidence.start, node); i < at(incidence.start, node + 1); i++) {
      health = Math.max(health, at(picture.linkGlyph, at(incidence.link, i)));
    }
    return health;
  }

  private edge(drawing: Drawing, link: number): ElementDefinition {
    const { graph, geometry, picture, classes, emphasis } = drawing;
    const source = at(graph.links.source, link);
    const target = at(graph.links.target, link);
    const look = classes.classes[at(picture.linkClass, link)];
    const path = emphasis.path.has(link);
    const selected = emphasis.selectedLink === link;
    const glyph = at(picture.linkGlyph, link) > 0;
    const bends = bendsOf(geometry, link);
    const names: string[] = [look?.line ?? "solid"];
    if (bends.weights.length > 0) names.push("arc");
    if (path) names.push("path");
    if (selected) names.push("selected");
    const rate = at(picture.linkWidth, link) / 4;
    const lacking = isLacking(drawing, link);
    const loud = glyph || lacking || look?.loud === true;
    const px = selected ? Math.max(3, rate) : loud || path ? 2 : Math.max(1.2, rate * 0.6);
    const touches = emphasis.selectedNode === source || emphasis.selectedNode === target;
    const dimmed = hasSelection(emphasis) && !path && !selected && !loud && !touches;
    const away = drawing.focus >= 0 && drawing.focus !== at(picture.linkClass, link);
    return {
      group: "edges",
      data: {
        id: `e${link}`,
        source: `n${source}`,
        target: `n${target}`,
        from: offset(at(geometry.x1, link) - at(geometry.x, source), at(geometry.y1, link) - at(geometry.y, source)),
        to: offset(at(geometry.x2, link) - at(geometry.x, target), at(geometry.y2, link) - at(geometry.y, target)),
        ...bends,
        px: look?.line === "dashed" && !selected ? 1.6 : px,
        token: lacking ? "--warn-line" : (look?.token ?? "--unknown-line"),
        strength: away ? 0.14 : dimmed ? 0.5 : 1,
        order: selected ? 3 : path ? 2 : 1,
      },
      classes: names.join(" "),
    };
  }

  /** Marks what the pointer is on. */
  hover(node: number, link: number): void {
    this.core.batch(() => {
      this.core.elements(".passing").remove();
      this.core.elements(".hover").removeClass("hover");
      const { drawing } = this;
      if (drawing === undefined) return;
      if (node >= 0) this.addHoveredNode(drawing, node);
      if (link >= 0) {
        const known = this.core.getElementById(`e${link}`);
        if (known.nonempty()) known.addClass("hover");
        else if (!isLoop(drawing.graph.links, link)) this.addHoveredLink(drawing, link);
      }
    });
  }

  private addHoveredNode(drawing: Drawing, node: number): void {
    if (this.core.getElementById(`n${node}`).empty()) {
      this.core.add({ ...this.node(drawing, node), classes: `${this.classesOf(drawing, node)} passing` });
    }
    this.core.getElementById(`n${node}`).addClass("hover");
  }

  /** Its ends come along: they are drawn above it. */
  private addHoveredLink(drawing: Drawing, link: number): void {
    for (const end of [at(drawing.graph.links.source, link), at(drawing.graph.links.target, link)]) {
      if (this.core.getElementById(`n${end}`).nonempty()) continue;
      this.core.add({ ...this.node(drawing, end), classes: `${this.classesOf(drawing, end)} passing` });
    }
    const edge = this.edge(drawing, link);
    this.core.add({ ...edge, classes: `${typeof edge.classes === "string" ? edge.classes : ""} hover passing` });
  }

  endHover(): void {
    this.core.batch(() => {
      this.core.elements(".passing").remove();
      this.core.elements(".hover").removeClass("hover");
    });
  }

  /** Strokes and squares follow the zoom in steps, the wider the more elements an update restyles; `settled` catches up. */
  zoomed(settled: boolean): void {
    const zoom = this.core.zoom();
    const ratio = zoom / this.styledZoom;
    const step = settled ? 1.001 : this.nodes.length > 200 ? 1.4 : 1.07;
    if (ratio > 1 / step && ratio < step) return;
    this.styledZoom = zoom;
    this.unit.value = 1 / zoom;
    if (this.drawing !== undefined) {
      const { drawing } = this;
      this.core.batch(() => this.syncNodes(drawing, this.nodes, false));
    }
    this.core.style().update();
  }

  destroy(): void {
    this.core.destroy();
  }
}

/** A link's bends as Cytoscape wants them: along the straight line from end to end, and px to its side. */
function bendsOf(geometry: Curves, link: number): { readonly weights: number[]; readonly distances: number[] } {
  const [x1, y1] = [at(geometry.x1, link), at(geometry.y1, link)];
  const [dx, dy] = [at(geometry.x2, link) - x1, at(geometry.y2, link) - y1];
  const length = Math.hypot(dx, dy);
  if (length < 1e-3) return { weights: [], distances: [] };
  const controls = controlsOf(geometry, link);
  return {
    weights: controls.map((point) => ((point.x - x1) * dx + (point.y - y1) * dy) / (length * length)),
    distances: controls.map((point) => ((point.y - y1) * dx - (point.x - x1) * dy) / length),
  };
}

/**
 * Cytoscape gathers elements in canvases as large as all that it holds together, up to 4000 × 4000 px, and makes them anew
 * after every change: 40 ms for two nodes far apart. Without them it draws each element from its own small texture.
 */
function withoutLayers(core: Core): void {
  const renderer = (core as Core & { renderer?: () => unknown }).renderer?.();
  const cache = property(property(renderer, "data"), "lyrTxrCache");
  if (typeof cache === "object" && cache !== null && "getLayers" in cache) cache.getLayers = () => null;
}

function property(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (Reflect.get(value, name) as unknown) : undefined;
}

function shapeClass(view: ViewNode): string {
  if (isBlock(view)) return view.kind === "plane" ? "block plane" : "block";
  if (view.kind !== "switch") return view.kind;
  if (view.level === 2) return "spine";
  return view.level >= 3 ? "core" : "leaf";
}

/** An end as Cytoscape wants it: px from the node's middle. */
function offset(x: number, y: number): string {
  return `${x.toFixed(2)} ${y.toFixed(2)}`;
}
