/** Structure, layout and view graphs of large fabrics from a worker; a newer request ends or outdates the older one. */
import type { Analysis } from "../../shared/analyse/results.ts";
import type { Fabric } from "../../shared/fabric/model.ts";
import { sameShape, type Derived, type DetailRequest, type Laid, type Room } from "./graph-model.ts";
import {
  GraphWork,
  type DeriveRequest,
  type FromGraphWorker,
  type GraphSource,
  type LayRequest,
  type ToGraphWorker,
} from "./graph-work.ts";
import type { Structure } from "./structure.ts";

/** Nodes and links up to which everything takes less than a frame, also the first time that its code runs. */
const smallNodes = 500;
const smallLinks = 1200;

/** True when structure and view graph are quick enough to be worked out while rendering. */
export function isSmall(fabric: Fabric): boolean {
  return fabric.nodes.count <= smallNodes && fabric.links.count <= smallLinks;
}

/** True when the layout is, too: a general one takes hundreds of rounds. */
export function laysOutAtOnce(structure: Structure): boolean {
  return structure.shape !== "irregular" || structure.boxNode.length <= 24;
}

/** The part of a Worker that is used; tests bring their own. */
export interface WorkerLike {
  postMessage(message: ToGraphWorker): void;
  terminate(): void;
  addEventListener(type: "message", listener: (event: { readonly data: FromGraphWorker }) => void): void;
  addEventListener(type: "error", listener: () => void): void;
}

function startWorker(): WorkerLike | undefined {
  if (typeof Worker === "undefined") return undefined;
  return new Worker(new URL("./layout.worker.ts", import.meta.url), { type: "module" });
}

/** One worker and what it holds. */
export class GraphWorker {
  private readonly start: () => WorkerLike | undefined;
  private worker: WorkerLike | undefined;
  /** Does the work here when no worker starts. */
  private here: GraphWork | undefined;
  private held: GraphSource | undefined;
  private ids = 0;
  private laying: { readonly id: number; readonly done: (laid: Laid) => void } | undefined;
  private deriving: { readonly request: DeriveRequest; readonly done: (derived: Derived) => void } | undefined;
  private lastLay: LayRequest | undefined;

  constructor(start: () => WorkerLike | undefined = startWorker) {
    this.start = start;
  }

  /** Starts the worker, so that it is there when a fabric comes. */
  warm(): void {
    if (!this.isStarted()) this.begin();
  }

  /** What all later requests are about; whatever needs no room is worked out. Sends as little as has changed. */
  hold(fabric: Fabric, analysis: Analysis): void {
    const { held } = this;
    this.held = { fabric, analysis };
    if (held?.fabric !== fabric || !sameShape(held.analysis, analysis) || !this.isStarted()) {
      this.lastLay = undefined;
      this.send({ kind: "hold", source: seenOf(fabric, analysis) });
    } else if (held.analysis !== analysis) {
      const { linkHealth, nodeHealth } = analysis;
      this.send({ kind: "judge", health: { linkHealth, nodeHealth } });
    }
  }

  /** Structure and layout. Ends a layout that still runs; what was asked before is never answered any more. */
  layOut(
    fabric: Fabric,
    analysis: Analysis,
    room: Room,
    order: ReadonlyMap<string, number> | undefined,
    done: (laid: Laid) => void,
  ): void {
    if (this.laying !== undefined) this.stop();
    this.deriving = undefined;
    this.hold(fabric, analysis);
    const request: LayRequest = { kind: "lay", id: ++this.ids, room, order };
    this.lastLay = request;
    this.laying = { id: request.id, done };
    this.send(request);
  }

  /**
   * The view graph of the fabric's last layout by the present health. Outdates an earlier request. Not answered when another
   * fabric is held by now: whoever asks may not have drawn it yet.
   */
  derive(fabric: Fabric, analysis: Analysis, detail: DetailRequest, done: (derived: Derived) => void): void {
    if (this.held?.fabric !== fabric) return;
    this.hold(fabric, analysis);
    if (this.lastLay === undefined) return;
    const request: DeriveRequest = { kind: "derive", id: ++this.ids, lay: this.lastLay.id, detail };
    this.deriving = { request, done };
    this.send(request);
  }

  private isStarted(): boolean {
    return this.worker !== undefined || this.here !== undefined;
  }

  private begin(): void {
    const worker = this.start();
    this.worker = worker;
    if (worker === undefined) this.here = new GraphWork();
    worker?.addEventListener("message", (event) => this.receive(event.data));
    worker?.addEventListener("error", () => {
      if (this.worker === worker) this.goOnHere();
    });
  }

  private send(request: ToGraphWorker): void {
    this.warm();
    if (this.worker !== undefined) this.worker.postMessage(request);
    else this.answerHere(request);
  }

  private answerHere(request: ToGraphWorker): void {
    if (request.kind === "hold" || request.kind === "judge") {
      this.here?.answer(request);
      return;
    }
    // Never within the call that asked.
    void Promise.resolve().then(() => {
      if (this.laying?.id !== request.id && this.deriving?.request.id !== request.id) return;
      const reply = this.here?.answer(request);
      if (reply !== undefined) this.receive(reply);
    });
  }

  /** The worker did not start or died: go on without it. */
  private goOnHere(): void {
    this.stop();
    this.here = new GraphWork();
    const { held, lastLay } = this;
    if (held === undefined) return;
    this.here.answer({ kind: "hold", source: held });
    if (lastLay === undefined) return;
    const reply = this.here.answer(lastLay);
    if (reply !== undefined) this.receive(reply);
    if (this.deriving !== undefined) this.answerHere(this.deriving.request);
  }

  private receive(reply: FromGraphWorker): void {
    if (reply.kind === "laid") {
      const { laying } = this;
      if (laying?.id !== reply.id) return;
      this.laying = undefined;
      laying.done(reply.laid);
    } else {
      const { deriving } = this;
      if (deriving?.request.id !== reply.id) return;
      this.deriving = undefined;
      deriving.done(reply.derived);
    }
  }

  private stop(): void {
    this.worker?.terminate();
    this.worker = undefined;
  }

  /** Nobody waits for an answer any more: ends a layout that still runs. The fabric stays held. */
  cancel(): void {
    if (this.laying !== undefined) this.stop();
    this.laying = undefined;
    this.deriving = undefined;
  }

  /** Nothing is answered afterwards; a later request starts anew. */
  close(): void {
    this.stop();
    this.here = undefined;
    this.held = undefined;
    this.lastLay = undefined;
    this.cancel();
  }
}

/** Without what pictures never look at: counters, cables' data and findings can be larger than all the rest. */
function seenOf(fabric: Fabric, analysis: Analysis): GraphSource {
  const seen: { -readonly [Key in keyof Fabric]: Fabric[Key] } = { ...fabric };
  delete seen.counters;
  delete seen.physical;
  return { fabric: seen, analysis: { ...analysis, findings: [] } };
}
