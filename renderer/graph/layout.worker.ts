/** Lays large fabrics out off the main thread. */
import { layoutFabric } from "./layout.ts";
import type { Layout, LayoutOptions } from "./layout-types.ts";
import type { Structure } from "./structure.ts";

export interface LayoutRequest {
  readonly id: number;
  readonly structure: Structure;
  readonly options: LayoutOptions;
}

export interface LayoutReply {
  readonly id: number;
  readonly layout: Layout;
}

interface WorkerScope {
  postMessage(message: LayoutReply): void;
  addEventListener(type: "message", listener: (event: MessageEvent<LayoutRequest>) => void): void;
}
declare const self: WorkerScope;

self.addEventListener("message", ({ data }) => {
  self.postMessage({ id: data.id, layout: layoutFabric(data.structure, data.options) });
});
