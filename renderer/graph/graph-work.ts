/**
 * What a picture needs worked out beside the main thread: structure and layout of a fabric, then its view graph for each
 * level of detail. Keeps the fabric, so that a change of size, health or detail sends only what changed. Pure but for
 * that memory.
 */
import type { Analysis } from "../../shared/analyse/results.ts";
import type { Fabric } from "../../shared/fabric/model.ts";
import {
  deriveGraph,
  layOut,
  prepare,
  type Derived,
  type DetailRequest,
  type Laid,
  type Prepared,
  type Room,
} from "./graph-model.ts";
import { Kept } from "./own-buffers.ts";

/** Fabric and analysis as far as pictures look at them. */
export interface GraphSource {
  readonly fabric: Fabric;
  readonly analysis: Analysis;
}

/** Another fabric: all later requests are about it. Not answered; what needs no room is worked out at once. */
interface HoldRequest {
  readonly kind: "hold";
  readonly source: GraphSource;
}

/** The same fabric in the same shape, judged anew. Not answered; the layout stands. */
interface JudgeRequest {
  readonly kind: "judge";
  readonly health: Pick<Analysis, "linkHealth" | "nodeHealth">;
}

export interface LayRequest {
  readonly kind: "lay";
  readonly id: number;
  readonly room: Room;
  /** Order of the last layout by GUID, to keep it. */
  readonly order: ReadonlyMap<string, number> | undefined;
}

export interface DeriveRequest {
  readonly kind: "derive";
  readonly id: number;
  /** The layout that it is for; nothing is answered when another one was made since. */
  readonly lay: number;
  readonly detail: DetailRequest;
}

export type ToGraphWorker = HoldRequest | JudgeRequest | LayRequest | DeriveRequest;

export type FromGraphWorker =
  | { readonly kind: "laid"; readonly id: number; readonly laid: Laid }
  | { readonly kind: "derived"; readonly id: number; readonly derived: Derived };

export class GraphWork {
  private source: GraphSource | undefined;
  private prepared: Prepared | undefined;
  private laid: { readonly id: number; readonly laid: Laid; readonly kept: Kept } | undefined;

  /** Buffers of an answer that nothing here needs any more. */
  handedOver(reply: FromGraphWorker): ArrayBuffer[] {
    return reply.kind === "derived" ? (this.laid?.kept.ownOf(reply.derived) ?? []) : [];
  }

  /** The answer; undefined when there is none to give, or the request is about something that is not there any more. */
  answer(request: ToGraphWorker): FromGraphWorker | undefined {
    switch (request.kind) {
      case "hold":
        this.source = request.source;
        this.prepared = prepare(request.source.fabric, request.source.analysis);
        this.laid = undefined;
        return undefined;
      case "judge":
        this.laid?.kept.keep(request.health);
        if (this.source !== undefined)
          this.source = { ...this.source, analysis: { ...this.source.analysis, ...request.health } };
        return undefined;
      case "lay": {
        if (this.source === undefined || this.prepared === undefined) return undefined;
        const laid = layOut(this.source.fabric, this.prepared, request.room, request.order);
        const kept = new Kept();
        for (const part of [this.source.fabric, this.source.analysis, laid]) kept.keep(part);
        this.laid = { id: request.id, laid, kept };
        return { kind: "laid", id: request.id, laid };
      }
      case "derive": {
        if (this.source === undefined || this.laid?.id !== request.lay) return undefined;
        const { fabric, analysis } = this.source;
        const derived = deriveGraph(fabric, analysis, this.laid.laid, request.detail);
        return { kind: "derived", id: request.id, derived };
      }
    }
  }
}
