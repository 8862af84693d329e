/** The model of a fabric's picture in React: at once for small fabrics, from a worker for large ones. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { Analysis } from "../../shared/analyse/results.ts";
import type { Fabric } from "../../shared/fabric/model.ts";
import {
  deriveGraph,
  layoutOptions,
  modelOf,
  orderByGuid,
  type DetailRequest,
  type GraphModel,
  type Laid,
  type Room,
} from "./graph-model.ts";
import { GraphWorker, isSmall, laysOutAtOnce } from "./layout-client.ts";
import { layoutFabric } from "./layout.ts";
import { buildStructure } from "./structure.ts";

interface LayoutInput {
  readonly fabric: Fabric;
  readonly analysis: Analysis;
  /** Undefined until it is known. */
  readonly size: Room | undefined;
  /** True when the fabric replaces an earlier collection of itself: the order stays. */
  readonly keepOrder: boolean;
}

/** A layout, of which fabric, and the worker that derives its view graphs; without one that is done while rendering. */
export interface LaidFabric extends Laid {
  readonly fabric: Fabric;
  readonly analysis: Analysis;
  readonly worker: GraphWorker | undefined;
}

/** The layout of a fabric; undefined while it is made. */
export function useLayout({ fabric, analysis, size, keepOrder }: LayoutInput): LaidFabric | undefined {
  const width = size?.width;
  const height = size?.height;
  const order = useRef<ReadonlyMap<string, number> | undefined>(undefined);
  const [worker] = useState(() => new GraphWorker());
  useEffect(() => () => worker.close(), [worker]);
  const structure = useMemo(() => (isSmall(fabric) ? buildStructure(fabric, analysis) : undefined), [fabric, analysis]);
  const [laid, setLaid] = useState<LaidFabric | undefined>(undefined);
  useLayoutEffect(() => {
    if (width === undefined || height === undefined) return;
    const room = { width, height };
    const before = keepOrder ? order.current : undefined;
    const accept = (made: Laid, derives: GraphWorker | undefined): void => {
      order.current = orderByGuid(fabric, made.structure, made.layout);
      setLaid({ ...made, fabric, analysis, worker: derives });
    };
    if (structure !== undefined && laysOutAtOnce(structure)) {
      worker.close();
      accept({ structure, layout: layoutFabric(structure, layoutOptions(fabric, structure, room, before)) }, undefined);
    } else {
      worker.layOut(fabric, analysis, room, before, (made) =>
        accept(made, structure === undefined ? worker : undefined),
      );
    }
  }, [fabric, analysis, structure, width, height, keepOrder, worker]);
  return laid?.fabric === fabric && laid.analysis === analysis ? laid : undefined;
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
    on.worker.derive({ view: wanted.view, opened: wanted.opened }, (derived) =>
      setMade({ of: wanted, model: modelOf(on.fabric, on.analysis, on, derived) }),
    );
  }, [wanted]);
  if (atOnce !== undefined) return { model: atOnce, settled: true };
  // Indices are those of one fabric: a picture of an earlier collection says nothing about this one.
  const same = laid !== undefined && made?.of.laid?.fabric === laid.fabric && made.of.laid.analysis === laid.analysis;
  return { model: same ? made.model : undefined, settled: same && made.of === wanted };
}
