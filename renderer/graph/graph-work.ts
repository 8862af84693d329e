/**
 * What a picture needs worked out beside the main thread: structure and layout of a fabric, then its view graph for each
 * level of detail. Keeps the fabric, so that a change of detail sends only what is unfolded. Pure but for that memory.
 */
import type { Analysis } from "../../shared/analyse/results.ts";
import type { Fabric } from "../../shared/fabric/model.ts";
import { deriveGraph, layOut, type Derived, type DetailRequest, type Laid, type Room } from "./graph-model.ts";

/** Fabric and analysis as far as pictures look at them. */
export interface GraphSource {
  readonly fabric: Fabric;
  readonly analysis: Analysis;
}

export interface LayRequest {
  readonly kind: "lay";
  readonly id: number;
  /** Absent: the same as last time. */
  readonly source: GraphSource | undefined;
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

export type ToGraphWorker = LayRequest | DeriveRequest;

export type FromGraphWorker =
  | { readonly kind: "laid"; readonly id: number; readonly laid: Laid }
  | { readonly kind: "derived"; readonly id: number; readonly derived: Derived };

export class GraphWork {
  private source: GraphSource | undefined;
  private laid: { readonly id: number; readonly laid: Laid } | undefined;

  /** The answer; undefined when the request is about something that is not there any more. */
  answer(request: ToGraphWorker): FromGraphWorker | undefined {
    if (request.kind === "lay") {
      this.source = request.source ?? this.source;
      if (this.source === undefined) return undefined;
      const { fabric, analysis } = this.source;
      const laid = layOut(fabric, analysis, request.room, request.order);
      this.laid = { id: request.id, laid };
      return { kind: "laid", id: request.id, laid };
    }
    if (this.source === undefined || this.laid?.id !== request.lay) return undefined;
    const { fabric, analysis } = this.source;
    return {
      kind: "derived",
      id: request.id,
      derived: deriveGraph(fabric, analysis, this.laid.laid, request.detail),
    };
  }
}
