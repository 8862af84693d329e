import type { LimitChanges } from "../../shared/analyse/limits.ts";
import type { Analysis, TopologyKind } from "../../shared/analyse/results.ts";
import { err, type Result } from "../../shared/base/result.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import type { Fabric } from "../../shared/fabric/model.ts";
import type { HeldContent } from "./held-fabric.ts";
import { type Held, holdHere, HeldThread } from "./held-thread.ts";
import type { RawText, Understood } from "./interpret-job.ts";
import { type AnalyseJob, type JobResults, runJob, type UnderstandJob } from "./jobs.ts";
import { SpareThread } from "./spare-thread.ts";

/** Turns raw outputs into a fabric, somewhere. `kind`: the user's word on the shape. */
export interface Engine {
  understand(
    files: readonly RawText[],
    path: string,
    signal: AbortSignal,
    kind?: TopologyKind,
  ): Promise<Result<Understood, AppError>>;
  /** Analyses a fabric that stands already again. `name` is for the error of a cancelled one. */
  analyse(fabric: Fabric, name: string, signal: AbortSignal, kind?: TopologyKind): Promise<Result<Analysis, AppError>>;
  /** Holds a fabric with its forwarding tables, to be asked. Nothing is read before the first question. */
  hold(content: () => Omit<HeldContent, "limits">): Held;
  /** Has a thread ready from now on, so that the next fabric need not wait for one. */
  getReady(): void;
}

/** In this thread: for the command line, where nothing else waits. `limits`: those that the user set. */
export function directEngineWith(limits: LimitChanges): Engine {
  return {
    understand: (files, path, _signal, kind) =>
      Promise.resolve(runJob({ job: "understand", files, path, kind, limits })),
    analyse: (fabric, _name, _signal, kind) => Promise.resolve(runJob({ job: "analyse", fabric, kind, limits })),
    hold: (content) => holdHere({ ...content(), limits }),
    getReady: () => undefined,
  };
}

/** With limits at their defaults. */
export const directEngine: Engine = directEngineWith({});

/**
 * In a worker thread per job; an abort ends the worker. `script` is the built worker entry; `limits` are asked for when
 * a job begins.
 */
export function workerEngine(script: string, limits: () => LimitChanges = () => ({})): Engine {
  const threads = new SpareThread(script);
  const inWorker = <J extends UnderstandJob | AnalyseJob>(
    job: J,
    what: string,
    signal: AbortSignal,
  ): Promise<JobResults[J["job"]]> =>
    new Promise((resolve, reject) => {
      const cancelled = (): Result<never, AppError> => err({ kind: "cancelled", what });
      if (signal.aborted) {
        resolve(cancelled());
        return;
      }
      const worker = threads.take();
      const abort = (): void => {
        void worker.terminate();
        resolve(cancelled());
      };
      signal.addEventListener("abort", abort, { once: true });
      worker.once("message", (answer: JobResults[J["job"]]) => {
        signal.removeEventListener("abort", abort);
        void worker.terminate();
        resolve(answer);
      });
      worker.once("error", (error) => {
        signal.removeEventListener("abort", abort);
        reject(error);
      });
      // After an answer or an abort this says nothing any more.
      worker.once("exit", (code) => {
        signal.removeEventListener("abort", abort);
        reject(new Error(`The thread ended without an answer, exit code ${code}.`));
      });
      worker.postMessage(job);
    });
  return {
    understand: (files, path, signal, kind) =>
      inWorker<UnderstandJob>({ job: "understand", files, path, kind, limits: limits() }, path, signal),
    analyse: (fabric, name, signal, kind) =>
      inWorker<AnalyseJob>({ job: "analyse", fabric, kind, limits: limits() }, name, signal),
    hold: (content) =>
      new HeldThread(
        () => threads.take(),
        () => ({ ...content(), limits: limits() }),
      ),
    getReady: () => threads.keep(),
  };
}
