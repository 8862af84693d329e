/** Runs the layout: at once for small fabrics, in a worker for large ones. */
import { layoutFabric } from "./layout.ts";
import type { Layout, LayoutOptions } from "./layout-types.ts";
import type { LayoutReply, LayoutRequest } from "./layout.worker.ts";
import type { Structure } from "./structure.ts";

/** Boxes and hosts up to which placing takes less than a frame. */
const small = 1500;

/** True when the layout is quick enough to run while rendering. */
export function laysOutAtOnce(structure: Structure): boolean {
  // A general layout takes hundreds of rounds.
  if (structure.shape === "irregular" && structure.boxNode.length > 24) return false;
  return structure.boxNode.length + structure.blockHost.length <= small;
}

/** The layout from a worker; from this thread when no worker starts. `signal` ends it without an answer. */
export function layoutInWorker(structure: Structure, options: LayoutOptions, signal: AbortSignal): Promise<Layout> {
  return new Promise((resolve) => {
    const here = (): void => {
      if (!signal.aborted) resolve(layoutFabric(structure, options));
    };
    if (typeof Worker === "undefined") {
      here();
      return;
    }
    const worker = new Worker(new URL("./layout.worker.ts", import.meta.url), { type: "module" });
    signal.addEventListener("abort", () => worker.terminate(), { once: true });
    worker.addEventListener("message", (event: MessageEvent<LayoutReply>) => {
      worker.terminate();
      if (!signal.aborted) resolve(event.data.layout);
    });
    worker.addEventListener("error", () => {
      worker.terminate();
      here();
    });
    const request: LayoutRequest = { id: 1, structure, options };
    worker.postMessage(request);
  });
}
