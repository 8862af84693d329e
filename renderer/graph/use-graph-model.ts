/** The model of a fabric's picture in React: at once for small fabrics, from a worker for large ones. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { Analysis } from "../../shared/analyse/results.ts";
import type { Fabric } from "../../shared/fabric/model.ts";
import {
  deriveGraph,
  layOut,
  modelOf,
  orderByGuid,
  prepare,
  sameShape,
  type DetailRequest,
  type GraphModel,
  type Laid,
  type Room,
} from "./graph-model.ts";
import { type GraphWorker, isSmall, laysOutAtOnce } from "./layout-client.ts";

interface LayoutInput {
  readonly fabric: Fabric;
  readonly analysis: Analysis;
  /** Undefined until it is known. */
  readonly size: Room | undefined;
  /** True when the fabric replaces an earlier collection of itself: the order stays. */
  readonly keepOrder: boolean;
  /** Works for large fabrics. */
  readonly worker: GraphWorker;
}

/** A layout, of which fabric, and the worker that derives its view graphs; without one that is done while rendering. */
export interface LaidFabric extends Laid {
  readonly fabric: Fabric;
  readonly analysis: Analysis;
  readonly worker: GraphWorker | undefined;
}

/** The layout of a fabric; undefined while it is made. */
export function useLayout({ fabric, analysis, size, keepOrder, worker }: LayoutInput): LaidFabric | undefined {
  const width = size?.width;
  const height = size?.height;
  const order = useRef<ReadonlyMap<string, number> | undefined>(undefined);
  // Only asked for when something is laid out: by itself it moves nothing.
  const keeps = useRef(keepOrder);
  useLayoutEffect(() => {
    keeps.current = keepOrder;
  }, [keepOrder]);
  useEffect(() => () => worker.cancel(), [worker]);
  const shape = useShape(analysis);
  const prepared = useMemo(() => (isSmall(fabric) ? prepare(fabric, shape) : undefined), [fabric, shape]);
  const [laid, setLaid] = useState<LaidFabric | undefined>(undefined);
  useLayoutEffect(() => {
    if (width === undefined || height === undefined) return;
    const room = { width, height };
    const before = keeps.current ? order.current : undefined;
    const accept = (made: Laid, derives: GraphWorker | undefined): void => {
      order.current = orderByGuid(fabric, made.structure, made.layout);
      setLaid({ ...made, fabric, analysis: shape, worker: derives });
    };
    if (prepared !== undefined && laysOutAtOnce(prepared.structure)) {
      accept(layOut(fabric, prepared, room, before), undefined);
    } else {
      worker.layOut(fabric, shape, room, before, (made) => accept(made, prepared === undefined ? worker : undefined));
    }
  }, [fabric, shape, prepared, width, height, worker]);
  const stands = laid?.fabric === fabric && laid.analysis === shape ? laid : undefined;
  return useMemo(() => (stands === undefined ? undefined : { ...stands, analysis }), [stands, analysis]);
}

/** The analysis, the same one while only health changes. */
function useShape(analysis: Analysis): Analysis {
  const [shape, setShape] = useState(analysis);
  if (shape === analysis || sameShape(shape, analysis)) return shape;
  setShape(analysis);
  return analysis;
}

/**
 * The model of a layout. While the worker derives another level of detail the last one of the same fabric stays;
 * `settled` is false until it has what is wanted.
 */
export function useGraphModel(
  laid: LaidFabric | undefined,
  { view, opened }: DetailRequest,
): { readonly model: GraphModel | undefined; readonly settled: boolean } {
  const atOnce = useMemo(() => {
    if (laid === undefined || laid.worker !== undefined) return undefined;
    const { fabric, analysis } = laid;
    return modelOf(fabric, analysis, laid, deriveGraph(fabric, analysis, laid, { view, opened }));
  }, [laid, view, opened]);
  const wanted = useMemo(() => ({ laid, view, opened }), [laid, view, opened]);
  const [made, setMade] = useState<{ readonly of: typeof wanted; readonly model: GraphModel } | undefined>(undefined);
  useEffect(() => {
    const { laid: on } = wanted;
    if (on?.worker === undefined) return;
    on.worker.derive(on.fabric, on.analysis, { view: wanted.view, opened: wanted.opened }, (derived) =>
      setMade({ of: wanted, model: modelOf(on.fabric, on.analysis, on, derived) }),
    );
  }, [wanted]);
  if (atOnce !== undefined) return { model: atOnce, settled: true };
  // Indices are those of one fabric: a picture of an earlier collection says nothing about this one.
  const same =
    laid !== undefined && made?.of.laid?.fabric === laid.fabric && sameShape(made.of.laid.analysis, laid.analysis);
  return { model: same ? made.model : undefined, settled: same && made.of === wanted };
}
