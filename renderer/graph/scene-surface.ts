/**
 * Where the scene appears: a canvas below Cytoscape's. Small scenes are drawn at once on the main thread; large ones in
 * a worker, whose newest bitmap is shown and moved by a CSS transform until a sharper one arrives, so that no frame of a
 * gesture waits. Without OffscreenCanvas or workers the same code draws on the main thread.
 */
import { nearestLink } from "./pick-grid.ts";
import type { FromSceneWorker, ToSceneWorker } from "./scene-messages.ts";
import { SceneRenderer, type ScenePaint, type SceneShape, type SceneView } from "./scene-renderer.ts";

export interface SceneSurface {
  setShape(shape: SceneShape): void;
  setPaint(paint: ScenePaint): void;
  draw(view: SceneView): void;
  /** Nearest visible link within `reach`; -1 for none. World units. */
  pick(x: number, y: number, reach: number): Promise<number>;
  destroy(): void;
}

/** A surface in `box`; `large` asks for the worker. */
export function createSurface(box: HTMLElement, large: boolean): SceneSurface {
  if (!large || typeof OffscreenCanvas === "undefined" || typeof Worker === "undefined") return new LocalSurface(box);
  return new WorkerSurface(box);
}

function addCanvas(box: HTMLElement): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.className = "graph-scene";
  canvas.setAttribute("aria-hidden", "true");
  box.prepend(canvas);
  return canvas;
}

class LocalSurface implements SceneSurface {
  private readonly canvas: HTMLCanvasElement;
  private readonly renderer = new SceneRenderer();
  private shape: SceneShape | undefined;
  private paint: ScenePaint | undefined;

  constructor(box: HTMLElement) {
    this.canvas = addCanvas(box);
  }

  setShape(shape: SceneShape): void {
    this.shape = shape;
    this.paint = undefined;
    this.renderer.setShape(shape);
  }

  setPaint(paint: ScenePaint): void {
    this.paint = paint;
    this.renderer.setPaint(paint);
  }

  draw(view: SceneView): void {
    const context = this.canvas.getContext("2d");
    if (context === null) return;
    const pixelWidth = Math.max(1, Math.round(view.width * view.pixelRatio));
    const pixelHeight = Math.max(1, Math.round(view.height * view.pixelRatio));
    if (this.canvas.width !== pixelWidth || this.canvas.height !== pixelHeight) {
      this.canvas.width = pixelWidth;
      this.canvas.height = pixelHeight;
      this.canvas.style.width = `${view.width}px`;
      this.canvas.style.height = `${view.height}px`;
    }
    this.renderer.draw(context, view);
  }

  pick(x: number, y: number, reach: number): Promise<number> {
    if (this.shape === undefined || this.paint === undefined) return Promise.resolve(-1);
    return Promise.resolve(nearestLink(this.shape, x, y, reach, this.paint.linkHidden));
  }

  destroy(): void {
    this.canvas.remove();
  }
}

/** Drawn beyond each edge, so that panning shows no blank border before the next bitmap. */
const margin = 0.25;

class WorkerSurface implements SceneSurface {
  private readonly box: HTMLElement;
  private readonly canvas: HTMLCanvasElement;
  private readonly worker: Worker;
  private shown: { readonly view: SceneView; readonly margin: number } | undefined;
  private wanted: SceneView | undefined;
  private shape: SceneShape | undefined;
  private paint: ScenePaint | undefined;
  private picks = 0;
  private readonly picking = new Map<number, (link: number) => void>();
  private fallback: LocalSurface | undefined;

  constructor(box: HTMLElement) {
    this.box = box;
    this.canvas = addCanvas(box);
    this.canvas.style.transformOrigin = "0 0";
    this.worker = new Worker(new URL("./scene.worker.ts", import.meta.url), { type: "module" });
    this.worker.addEventListener("message", (event: MessageEvent<FromSceneWorker>) => this.receive(event.data));
    this.worker.addEventListener("error", () => this.fallBack());
  }

  private post(message: ToSceneWorker): void {
    this.worker.postMessage(message);
  }

  private receive(message: FromSceneWorker): void {
    if (message.kind === "picked") {
      this.picking.get(message.id)?.(message.link);
      this.picking.delete(message.id);
      return;
    }
    if (this.fallback !== undefined) {
      message.bitmap.close();
      return;
    }
    const context = this.canvas.getContext("bitmaprenderer");
    const { bitmap, view } = message;
    if (this.canvas.width !== bitmap.width) this.canvas.width = bitmap.width;
    if (this.canvas.height !== bitmap.height) this.canvas.height = bitmap.height;
    this.canvas.style.width = `${view.width * (1 + 2 * message.margin)}px`;
    this.canvas.style.height = `${view.height * (1 + 2 * message.margin)}px`;
    context?.transferFromImageBitmap(bitmap);
    this.shown = { view, margin: message.margin };
    this.place();
  }

  /** Moves the shown bitmap to where the wanted view has it. */
  private place(): void {
    if (this.shown === undefined || this.wanted === undefined) return;
    const { view } = this.shown;
    const scale = this.wanted.zoom / view.zoom;
    const left = this.wanted.panX - scale * (view.panX + view.width * this.shown.margin);
    const top = this.wanted.panY - scale * (view.panY + view.height * this.shown.margin);
    this.canvas.style.transform = `translate(${left}px, ${top}px) scale(${scale})`;
  }

  /** The worker did not start or died: go on without it. */
  private fallBack(): void {
    if (this.fallback !== undefined) return;
    this.worker.terminate();
    this.canvas.remove();
    this.fallback = new LocalSurface(this.box);
    if (this.shape !== undefined) this.fallback.setShape(this.shape);
    if (this.paint !== undefined) this.fallback.setPaint(this.paint);
    if (this.wanted !== undefined) this.fallback.draw(this.wanted);
    for (const answer of this.picking.values()) answer(-1);
    this.picking.clear();
  }

  setShape(shape: SceneShape): void {
    this.shape = shape;
    if (this.fallback === undefined) this.post({ kind: "shape", shape });
    else this.fallback.setShape(shape);
  }

  setPaint(paint: ScenePaint): void {
    this.paint = paint;
    if (this.fallback === undefined) this.post({ kind: "paint", paint });
    else this.fallback.setPaint(paint);
  }

  draw(view: SceneView): void {
    this.wanted = view;
    if (this.fallback !== undefined) {
      this.fallback.draw(view);
      return;
    }
    this.place();
    this.post({ kind: "view", view, margin });
  }

  pick(x: number, y: number, reach: number): Promise<number> {
    if (this.fallback !== undefined) return this.fallback.pick(x, y, reach);
    this.picks += 1;
    const id = this.picks;
    return new Promise((resolve) => {
      this.picking.set(id, resolve);
      this.post({ kind: "pick", id, x, y, reach });
    });
  }

  destroy(): void {
    this.worker.terminate();
    this.canvas.remove();
    this.fallback?.destroy();
    for (const answer of this.picking.values()) answer(-1);
  }
}
