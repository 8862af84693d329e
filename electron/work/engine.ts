import { Worker } from "node:worker_threads";
import { err, type Result } from "../../shared/base/result.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { type RawText, understand, type Understood } from "./interpret-job.ts";

/** Turns raw outputs into a fabric, somewhere. */
export interface Engine {
  understand(files: readonly RawText[], path: string, signal: AbortSignal): Promise<Result<Understood, AppError>>;
}

/** In this thread: for the command line, where nothing else waits. */
export const directEngine: Engine = {
  understand: (files, path) => Promise.resolve(understand(files, path)),
};

/** In a worker thread per job; an abort ends the worker. `script` is the built worker entry. */
export function workerEngine(script: string): Engine {
  return {
    understand: (files, path, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) {
          resolve(err({ kind: "cancelled", what: path }));
          return;
        }
        // A text of 256 MiB and its records need more than a worker's default heap.
        const worker = new Worker(script, { resourceLimits: { maxOldGenerationSizeMb: 4096 } });
        const abort = (): void => {
          void worker.terminate();
          resolve(err({ kind: "cancelled", what: path }));
        };
        signal.addEventListener("abort", abort, { once: true });
        worker.once("message", (answer: Result<Understood, AppError>) => {
          signal.removeEventListener("abort", abort);
          void worker.terminate();
          resolve(answer);
        });
        worker.once("error", (error) => {
          signal.removeEventListener("abort", abort);
          reject(error);
        });
        worker.postMessage({ files, path });
      }),
  };
}
