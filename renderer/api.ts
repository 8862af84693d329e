/** The only user of `window.fabric`: typed calls with AbortSignal and progress. */
import type { Result } from "../shared/base/result.ts";
import type { AppError } from "../shared/errors/kinds.ts";
import type { EventPayload, ProgressEvent } from "../shared/contract/events.ts";
import type { EventName, RequestName } from "../shared/contract/names.ts";
import type { RequestInput, RequestOutput } from "../shared/contract/requests.ts";

/** What the preload exposes. */
export interface Bridge {
  call(name: RequestName, callId: string, input: unknown): Promise<unknown>;
  cancel(callId: string): void;
  /** Returns the function that ends the subscription. */
  subscribe(name: EventName, listener: (payload: unknown) => void): () => void;
  /** Path on disk of a dropped file; empty when it has none. */
  pathOf(file: File): string;
}

declare global {
  interface Window {
    readonly fabric: Bridge;
  }
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ProgressEvent) => void;
}

export interface Api {
  call<N extends RequestName>(
    name: N,
    input: RequestInput<N>,
    options?: CallOptions,
  ): Promise<Result<RequestOutput<N>, AppError>>;
  subscribe<N extends EventName>(name: N, listener: (payload: EventPayload<N>) => void): () => void;
  pathOf(file: File): string;
}

/** Wraps a bridge. Progress events are handed to the call they belong to; an abort is sent to main, whose reply then is `cancelled`. */
export function createApi(bridge: Bridge): Api {
  let calls = 0;
  const listeners = new Map<string, (progress: ProgressEvent) => void>();
  bridge.subscribe("progress", (payload) => {
    const progress = payload as ProgressEvent;
    listeners.get(progress.callId)?.(progress);
  });
  return {
    async call(name, input, options = {}) {
      calls += 1;
      const callId = `${name}#${calls}`;
      const abort = (): void => bridge.cancel(callId);
      if (options.onProgress !== undefined) listeners.set(callId, options.onProgress);
      options.signal?.addEventListener("abort", abort, { once: true });
      if (options.signal?.aborted === true) abort();
      try {
        return (await bridge.call(name, callId, input)) as Result<RequestOutput<typeof name>, AppError>;
      } finally {
        listeners.delete(callId);
        options.signal?.removeEventListener("abort", abort);
      }
    },
    subscribe: (name, listener) => bridge.subscribe(name, (payload) => listener(payload as EventPayload<typeof name>)),
    pathOf: (file) => bridge.pathOf(file),
  };
}
