/** What the window and the scene worker say to each other. */
import type { ScenePaint, SceneShape, SceneView } from "./scene-renderer.ts";

export type ToSceneWorker =
  | { readonly kind: "shape"; readonly shape: SceneShape }
  | { readonly kind: "paint"; readonly paint: ScenePaint }
  /** `margin`: drawn beyond each edge of the view, as a share of its size. */
  | { readonly kind: "view"; readonly view: SceneView; readonly margin: number }
  | { readonly kind: "pick"; readonly id: number; readonly x: number; readonly y: number; readonly reach: number };

export type FromSceneWorker =
  | { readonly kind: "frame"; readonly bitmap: ImageBitmap; readonly view: SceneView; readonly margin: number }
  | { readonly kind: "picked"; readonly id: number; readonly link: number };
