/**
 * The scene's worker: draws the last view that was asked for to a bitmap, with a margin, and hands it over; finds the
 * link under the pointer. Views that came in while it drew are skipped, only the newest counts.
 */
import { PickGrid } from "./pick-grid.ts";
import type { FromSceneWorker, ToSceneWorker } from "./scene-messages.ts";
import { SceneRenderer, type ScenePaint, type SceneShape } from "./scene-renderer.ts";

/** The worker's own scope; the DOM library only knows the window's. */
interface WorkerScope {
  postMessage(message: FromSceneWorker, transfer: Transferable[]): void;
  addEventListener(type: "message", listener: (event: MessageEvent<ToSceneWorker>) => void): void;
}
declare const self: WorkerScope;

const renderer = new SceneRenderer();
let canvas: OffscreenCanvas | undefined;
let shape: SceneShape | undefined;
let paint: ScenePaint | undefined;
let grid: PickGrid | undefined;
let waiting: Extract<ToSceneWorker, { kind: "view" }> | undefined;
let scheduled = false;

self.addEventListener("message", ({ data }) => {
  switch (data.kind) {
    case "shape":
      shape = data.shape;
      paint = undefined;
      grid = undefined;
      renderer.setShape(data.shape);
      break;
    case "paint":
      paint = data.paint;
      renderer.setPaint(data.paint);
      break;
    case "view":
      waiting = data;
      if (!scheduled) {
        scheduled = true;
        // A task later: messages that are already queued (newer views) are read first.
        setTimeout(drawWaiting);
      }
      break;
    case "pick": {
      if (shape !== undefined) grid ??= new PickGrid(shape);
      const hidden = paint?.linkHidden;
      const link = grid === undefined || hidden === undefined ? -1 : grid.nearest(data.x, data.y, data.reach, hidden);
      self.postMessage({ kind: "picked", id: data.id, link }, []);
      break;
    }
  }
});

function drawWaiting(): void {
  scheduled = false;
  if (waiting === undefined || paint === undefined) return;
  const { view, margin } = waiting;
  waiting = undefined;
  const width = view.width * (1 + 2 * margin);
  const height = view.height * (1 + 2 * margin);
  const pixelWidth = Math.max(1, Math.round(width * view.pixelRatio));
  const pixelHeight = Math.max(1, Math.round(height * view.pixelRatio));
  if (canvas?.width !== pixelWidth || canvas.height !== pixelHeight) {
    canvas = new OffscreenCanvas(pixelWidth, pixelHeight);
  }
  const context = canvas.getContext("2d");
  if (context === null) return;
  const panX = view.panX + view.width * margin;
  const panY = view.panY + view.height * margin;
  renderer.draw(context, { ...view, width, height, panX, panY });
  const bitmap = canvas.transferToImageBitmap();
  self.postMessage({ kind: "frame", bitmap, view, margin }, [bitmap]);
}
