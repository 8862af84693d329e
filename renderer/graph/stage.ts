/**
 * The stage: scene below, Cytoscape in the middle, marks on top, one camera (Cytoscape's). Imperative; React hands it
 * drawings and commands and hears what the user does.
 */
import type { Result } from "../../shared/base/result.ts";
import { openFrameAt } from "./block-frames.ts";
import { fitCamera, seesAll, zoomAt, type Camera, type Rectangle } from "./camera.ts";
import { CytoscapeView } from "./cytoscape-view.ts";
import { openDirectorAt } from "./director-frames.ts";
import { hasSelection, type Drawing, type Frame } from "./drawing.ts";
import { makeFile, type PictureFile, type PictureKind } from "./export-client.ts";
import type { ExportNote } from "./export-frame.ts";
import { recordPicture, wholeFrame, type Extent } from "./export-picture.ts";
import { liftedLinks, liftedNodes } from "./lifted.ts";
import { markedNodes, Marks, nodesInView } from "./marks.ts";
import { Minimap } from "./minimap.ts";
import { NodeGrid } from "./node-grid.ts";
import { sceneOf } from "./scene-of.ts";
import type { SceneView } from "./scene-renderer.ts";
import { createSurface, type SceneSurface } from "./scene-surface.ts";
import { inSlices } from "../parts/slices.ts";

/** Drawn node or link under the pointer; both -1 for the ground. */
export interface Hit {
  readonly node: number;
  readonly link: number;
  /** Open director in whose outline the ground is, of clicks only; -1 for none. */
  readonly director?: number;
  /** Open pod or group on whose outline or name it is, of clicks only; -1 for none. */
  readonly block?: number;
}

/** A point in the window of the graph, px. */
export interface Pointer {
  readonly x: number;
  readonly y: number;
}

/** How the picture is seen. */
export interface Seen {
  readonly camera: Camera;
  /** Everything is in view. */
  readonly all: boolean;
  /** As "fit" left it. */
  readonly fitted: boolean;
}

export interface StageEvents {
  readonly onTap: (hit: Hit) => void;
  readonly onOpen: (hit: Hit) => void;
  readonly onHover: (hit: Hit, pointer: Pointer) => void;
  /** The camera came to rest, or the picture was fitted. */
  readonly onCamera: (seen: Seen) => void;
}

const nothing: Hit = { node: -1, link: -1 };
/** More drawn links than this and the scene is drawn in a worker. */
const largeScene = 1000;
/** From here on a mass of hairlines is drawn at one pixel per px: twice the pixels is four times the work. */
const hugeScene = 5000;
/** The minimap is drawn when the window has nothing better to do. */
const minimapAfterMs = 250;
const restAfterMs = 130;

export class GraphStage {
  private readonly host: HTMLElement;
  private readonly events: StageEvents;
  private readonly ground: HTMLElement;
  private readonly cytoscape: CytoscapeView;
  private readonly marks: Marks;
  private readonly minimap: Minimap;
  private surface: SceneSurface | undefined;
  private surfaceIsLarge = false;
  private width = 0;
  private height = 0;
  private drawing: Drawing | undefined;
  private grid: NodeGrid | undefined;
  private marked: readonly number[] = [];
  private hit: Hit = nothing;
  private pointer: Pointer | undefined;
  private frameRequest = 0;
  private hoverRequest = 0;
  private restTimer = 0;
  private fitted: boolean;
  private start: Camera | undefined;
  private own = false;
  /** Another level of detail: marks are drawn a frame after the nodes, so that neither frame takes too long. */
  private marksLater = false;
  private minimapWanted = true;
  private minimapTimer = 0;
  private inMinimap: Drawing | undefined;

  /** @param start where the camera was when this picture was left; without it everything is shown */
  constructor(host: HTMLElement, events: StageEvents, start: Camera | undefined) {
    this.start = start;
    this.fitted = start === undefined;
    this.host = host;
    this.events = events;
    this.measure();
    this.ground = document.createElement("div");
    this.ground.className = "graph-ground";
    const holder = document.createElement("div");
    holder.className = "graph-cytoscape";
    host.append(this.ground, holder);
    this.cytoscape = new CytoscapeView(holder);
    this.marks = new Marks(host);
    this.minimap = new Minimap(host, (x, y) => this.centreOn(x, y));
    this.listen();
  }

  /** Asking the element at every frame would lay the page out each time. */
  private measure(): void {
    this.width = this.host.clientWidth;
    this.height = this.host.clientHeight;
  }

  private listen(): void {
    const { core } = this.cytoscape;
    core.on("render", () => this.drawNow());
    core.on("viewport", () => {
      if (!this.own) this.fitted = false;
      // What was under the pointer has moved away from it.
      if (this.hit.node >= 0 || this.hit.link >= 0) this.setHit(nothing, { x: 0, y: 0 });
      this.cytoscape.zoomed(false);
      window.clearTimeout(this.restTimer);
      this.restTimer = window.setTimeout(() => this.rest(), restAfterMs);
    });
    core.on("tap", (event) => {
      void this.findClicked(event.position.x, event.position.y).then((hit) => this.events.onTap(hit));
    });
    core.on("dbltap", (event) => {
      void this.findClicked(event.position.x, event.position.y).then((hit) => this.events.onOpen(hit));
    });
    core.on("mousemove", (event) => {
      this.pointer = event.renderedPosition;
      if (this.hoverRequest === 0) this.hoverRequest = requestAnimationFrame(() => this.hover());
    });
    // Cytoscape takes the focus from whatever has it when a button goes down: the picture gets it right after.
    this.host.addEventListener("mousedown", () => this.host.focus({ preventScroll: true }));
    this.host.addEventListener("pointerleave", () => this.leave());
    // Cytoscape's own wheel moves 5 % a notch with most mice; capture comes before it.
    this.host.addEventListener("wheel", (event) => this.wheel(event), { capture: true, passive: false });
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    event.stopPropagation();
    const place = this.host.getBoundingClientRect();
    const px = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * 20 : event.deltaY;
    // A pinch on a touch pad comes as a wheel with Ctrl and small steps.
    const rate = event.ctrlKey ? 0.01 : 0.0016;
    const camera = this.camera();
    const factor = Math.exp(-Math.max(-300, Math.min(300, px)) * rate);
    this.go(zoomAt(camera, camera.zoom * factor, event.clientX - place.left, event.clientY - place.top), false, false);
  }

  private hover(): void {
    this.hoverRequest = 0;
    const { pointer } = this;
    if (pointer === undefined) return;
    const camera = this.camera();
    void this.find((pointer.x - camera.x) / camera.zoom, (pointer.y - camera.y) / camera.zoom).then((hit) => {
      if (this.pointer === undefined) return;
      this.setHit(hit, this.pointer);
    });
  }

  private leave(): void {
    this.pointer = undefined;
    this.setHit(nothing, { x: 0, y: 0 });
  }

  private setHit(hit: Hit, pointer: Pointer): void {
    const same = hit.node === this.hit.node && hit.link === this.hit.link;
    this.hit = hit;
    if (!same) {
      this.host.style.cursor = hit.node >= 0 || hit.link >= 0 ? "pointer" : "";
      if (hit.node < 0 && hit.link < 0) this.cytoscape.endHover();
      else this.cytoscape.hover(hit.node, hit.link);
      this.redraw();
    }
    if (!same || hit.node >= 0 || hit.link >= 0) this.events.onHover(hit, pointer);
  }

  /** What is at a world point: a node within 3 px, else the nearest link within 5 px (a corridor of 10). */
  private async find(x: number, y: number): Promise<Hit> {
    if (this.drawing === undefined) return nothing;
    const { zoom } = this.camera();
    const node = this.grid?.at(x, y, 3 / zoom, this.drawing.picture.nodeHidden) ?? -1;
    if (node >= 0) return { node, link: -1 };
    return { node: -1, link: (await this.surface?.pick(x, y, 5 / zoom)) ?? -1 };
  }

  /** The same; on the ground, the open director around it, or the pod or group whose outline or name is there. */
  private async findClicked(x: number, y: number): Promise<Hit> {
    const hit = await this.find(x, y);
    if (hit.node >= 0 || hit.link >= 0 || this.drawing === undefined) return hit;
    const px = 1 / this.camera().zoom;
    const { drawing } = this;
    return { ...hit, director: openDirectorAt(drawing, x, y, px), block: openFrameAt(drawing, x, y, px) };
  }

  /** What is at a point of the graph's window, as a click there would find it. */
  hitAt({ x, y }: Pointer): Promise<Hit> {
    const { zoom, x: left, y: top } = this.camera();
    return this.findClicked((x - left) / zoom, (y - top) / zoom);
  }

  camera(): Camera {
    const { core } = this.cytoscape;
    return { zoom: core.zoom(), x: core.pan().x, y: core.pan().y };
  }

  private setCamera(camera: Camera): void {
    this.own = true;
    this.cytoscape.core.viewport({ zoom: camera.zoom, pan: { x: camera.x, y: camera.y } });
    this.own = false;
  }

  /** True while the picture is as `fit` left it. */
  get isFitted(): boolean {
    return this.fitted;
  }

  /** Shows a drawing. The camera stays, unless the picture was fitted and its bounds changed. */
  show(drawing: Drawing): void {
    const before = this.drawing;
    this.drawing = drawing;
    this.marked = markedNodes(drawing);
    const moved = before?.geometry !== drawing.geometry;
    this.marksLater = moved;
    if (moved) {
      this.grid = new NodeGrid(drawing.geometry);
      this.hit = nothing;
      const large = drawing.graph.links.count > largeScene;
      if (this.surface === undefined || large !== this.surfaceIsLarge) {
        this.surface?.destroy();
        this.surface = createSurface(this.ground, large);
        this.surfaceIsLarge = large;
      }
    }
    if (before === undefined && this.start !== undefined) this.go(this.start, false, false);
    else if (before === undefined || (this.fitted && before.layout !== drawing.layout)) this.fit(false);
    this.endHoverOfHidden(drawing);
    this.fill(moved);
    this.redraw();
  }

  /** A filter may take away what is under a pointer that rests: it must not stay lit, nor its card open. */
  private endHoverOfHidden({ picture }: Drawing): void {
    const { node, link } = this.hit;
    const hidden = (node >= 0 && picture.nodeHidden[node] !== 0) || (link >= 0 && picture.linkHidden[link] !== 0);
    if (hidden) this.setHit(nothing, { x: 0, y: 0 });
  }

  /** Chooses what Cytoscape holds, and gives the rest to the scene. */
  private fill(shapeChanged: boolean): void {
    const { drawing, surface } = this;
    if (drawing === undefined || surface === undefined) return;
    const links = liftedLinks(drawing);
    const nodes = liftedNodes(drawing, links);
    this.cytoscape.sync(drawing, nodes, links);
    if (this.hit.node >= 0 || this.hit.link >= 0) this.cytoscape.hover(this.hit.node, this.hit.link);
    const scene = sceneOf(drawing, nodes, links);
    if (shapeChanged) surface.setShape(scene.shape);
    surface.setPaint(scene.paint);
    this.renewMinimap(drawing);
  }

  /** Folding and unfolding is too small to be seen in the minimap: only a new layout, overlay or theme redraws it. */
  private renewMinimap(drawing: Drawing): void {
    const before = this.inMinimap;
    const same =
      before?.layout === drawing.layout && before.classes === drawing.classes && before.palette === drawing.palette;
    if (same) return;
    this.inMinimap = drawing;
    window.clearTimeout(this.minimapTimer);
    this.minimapTimer = window.setTimeout(() => {
      const whole = sceneOf(drawing, [], []);
      this.minimap.show(whole.shape, whole.paint, drawing.layout);
    }, minimapAfterMs);
  }

  private frame(drawing: Drawing): Frame {
    return { drawing, camera: this.camera(), width: this.width, height: this.height };
  }

  /** The camera came to rest. */
  private rest(): void {
    if (this.drawing === undefined) return;
    this.cytoscape.zoomed(true);
    this.report();
  }

  private report(): void {
    const { drawing } = this;
    if (drawing === undefined) return;
    this.events.onCamera({ camera: this.camera(), all: this.seesEverything(drawing), fitted: this.fitted });
  }

  private seesEverything(drawing: Drawing): boolean {
    return seesAll(this.camera(), this.width, this.height, drawing.layout);
  }

  private redraw(): void {
    if (this.frameRequest !== 0) return;
    this.frameRequest = requestAnimationFrame(() => this.drawNow());
  }

  private drawNow(): void {
    cancelAnimationFrame(this.frameRequest);
    this.frameRequest = 0;
    const { drawing } = this;
    if (drawing === undefined) return;
    const frame = this.frame(drawing);
    const ratio = Math.min(2, window.devicePixelRatio);
    const view: SceneView = {
      zoom: frame.camera.zoom,
      panX: frame.camera.x,
      panY: frame.camera.y,
      width: frame.width,
      height: frame.height,
      pixelRatio: drawing.graph.links.count > hugeScene ? 1 : ratio,
      strength: hasSelection(drawing.emphasis) ? 0.5 : 1,
      focus: drawing.focus,
    };
    this.surface?.draw(view);
    if (this.marksLater) {
      this.marksLater = false;
      this.redraw();
    } else this.marks.draw(frame, this.namedNodes(frame), this.hit, ratio);
    this.minimap.follow(frame.camera, frame.width, frame.height, this.minimapWanted && !this.seesEverything(drawing));
  }

  /** From so far that nothing has a name only what is marked is looked at. */
  private namedNodes(frame: Frame): readonly number[] {
    return frame.camera.zoom * 54 >= 15 ? nodesInView(frame, 1200) : this.marked;
  }

  /** What is seen now, or all of it, as a file; undefined when nothing is shown. The window stays responsive meanwhile. */
  async export(kind: PictureKind, extent: Extent, note: ExportNote): Promise<Result<PictureFile, string> | undefined> {
    if (this.drawing === undefined) return undefined;
    const seen = this.frame(this.drawing);
    const frame = extent === "whole" ? wholeFrame(seen) : seen;
    const named = seen.camera.zoom * 54 >= 15 ? nodesInView(frame, Infinity) : this.marked;
    const context = document.createElement("canvas").getContext("2d");
    const measure = (text: string, font: string): TextMetrics => {
      if (context === null) throw new Error("no canvas to measure text with");
      context.font = font;
      return context.measureText(text);
    };
    return makeFile(kind, await inSlices(recordPicture(frame, named, note, measure)));
  }

  showMinimap(wanted: boolean): void {
    this.minimapWanted = wanted;
    this.redraw();
  }

  /** The window of the graph changed its size. */
  resize(): void {
    this.measure();
    this.cytoscape.core.resize();
    if (this.fitted) this.fit(false);
    this.redraw();
  }

  /** Shows everything. */
  fit(animated: boolean): void {
    if (this.drawing === undefined) return;
    this.go(fitCamera(this.drawing.layout, this.width, this.height), animated, true);
  }

  /** Brings a world rectangle into the middle, at most `most` times its size. */
  flyTo(box: Rectangle, most: number): void {
    this.go(fitCamera(box, this.width, this.height, most, this.minimapWanted), true, false);
  }

  zoomBy(factor: number): void {
    const camera = this.camera();
    this.go(zoomAt(camera, camera.zoom * factor, this.width / 2, this.height / 2), false, false);
  }

  private centreOn(x: number, y: number): void {
    const { zoom } = this.camera();
    this.go({ zoom, x: this.width / 2 - x * zoom, y: this.height / 2 - y * zoom }, false, false);
  }

  private go(camera: Camera, animated: boolean, fitted: boolean): void {
    this.fitted = fitted;
    const duration = this.drawing?.palette.flyMs ?? 0;
    this.cytoscape.core.stop();
    if (!animated || duration === 0) {
      this.setCamera(camera);
      this.report();
      return;
    }
    this.own = true;
    this.cytoscape.core.animate(
      { zoom: camera.zoom, pan: { x: camera.x, y: camera.y } },
      {
        duration,
        easing: "ease-out-cubic",
        complete: () => {
          this.own = false;
        },
      },
    );
  }

  destroy(): void {
    window.clearTimeout(this.restTimer);
    window.clearTimeout(this.minimapTimer);
    cancelAnimationFrame(this.frameRequest);
    cancelAnimationFrame(this.hoverRequest);
    this.cytoscape.destroy();
    this.surface?.destroy();
    this.marks.destroy();
    this.minimap.destroy();
    this.host.replaceChildren();
  }
}
