/** The whole picture in small with the seen part framed; drawn by the same code as the scene. */
import { seenBy, type Camera, type Rectangle } from "./camera.ts";
import { SceneRenderer, type ScenePaint, type SceneShape } from "./scene-renderer.ts";

const width = 186;
const height = 98;
const padding = 8;

export class Minimap {
  private readonly box: HTMLElement;
  private readonly canvas: HTMLCanvasElement;
  private readonly frame: HTMLElement;
  private readonly renderer = new SceneRenderer();
  private zoom = 1;
  private panX = 0;
  private panY = 0;

  /** @param moveTo called with the world point that the user wants in the middle */
  constructor(host: HTMLElement, moveTo: (x: number, y: number) => void) {
    this.box = document.createElement("div");
    this.box.className = "graph-minimap";
    this.box.setAttribute("aria-hidden", "true");
    this.canvas = document.createElement("canvas");
    this.frame = document.createElement("div");
    this.frame.className = "graph-minimap-frame";
    this.box.append(this.canvas, this.frame);
    host.append(this.box);
    const go = (event: PointerEvent): void => {
      const place = this.canvas.getBoundingClientRect();
      moveTo((event.clientX - place.left - this.panX) / this.zoom, (event.clientY - place.top - this.panY) / this.zoom);
    };
    this.box.addEventListener("pointerdown", (event) => {
      event.stopPropagation();
      this.box.setPointerCapture(event.pointerId);
      go(event);
    });
    this.box.addEventListener("pointermove", (event) => {
      if (this.box.hasPointerCapture(event.pointerId)) go(event);
    });
  }

  /** Draws the picture once; only the frame moves afterwards. */
  show(shape: SceneShape, paint: ScenePaint, bounds: Rectangle): void {
    const ratio = Math.min(2, window.devicePixelRatio);
    this.canvas.width = width * ratio;
    this.canvas.height = height * ratio;
    const context = this.canvas.getContext("2d");
    if (context === null) return;
    const worldWidth = Math.max(1, bounds.right - bounds.left);
    const worldHeight = Math.max(1, bounds.bottom - bounds.top);
    this.zoom = Math.min((width - 2 * padding) / worldWidth, (height - 2 * padding) / worldHeight);
    this.panX = width / 2 - ((bounds.left + bounds.right) / 2) * this.zoom;
    this.panY = height / 2 - ((bounds.top + bounds.bottom) / 2) * this.zoom;
    this.renderer.setShape(shape);
    this.renderer.setPaint(thinned(paint));
    const view = { zoom: this.zoom, panX: this.panX, panY: this.panY, width, height, pixelRatio: ratio };
    this.renderer.draw(context, { ...view, strength: 0.7, focus: -1 });
  }

  follow(camera: Camera, windowWidth: number, windowHeight: number, visible: boolean): void {
    this.box.hidden = !visible;
    if (!visible) return;
    const seen = seenBy(camera, windowWidth, windowHeight);
    const left = Math.max(0, seen.left * this.zoom + this.panX);
    const top = Math.max(0, seen.top * this.zoom + this.panY);
    const right = Math.min(width, seen.right * this.zoom + this.panX);
    const bottom = Math.min(height, seen.bottom * this.zoom + this.panY);
    this.frame.style.transform = `translate(${left}px, ${top}px)`;
    this.frame.style.width = `${Math.max(4, right - left)}px`;
    this.frame.style.height = `${Math.max(4, bottom - top)}px`;
  }

  destroy(): void {
    this.box.remove();
  }
}

/** At most some thousand quiet links: more would only fill the ground. */
function thinned(paint: ScenePaint): ScenePaint {
  const stride = Math.ceil(paint.linkClass.length / 3000);
  if (stride <= 1) return paint;
  const linkHidden = paint.linkHidden.map((hidden, link) => {
    const loud = paint.lines[paint.linkClass[link] ?? 0]?.loud === true;
    return hidden !== 0 || (!loud && link % stride !== 0) ? 1 : 0;
  });
  return { ...paint, linkHidden };
}
