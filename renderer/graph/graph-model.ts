/** Everything about a fabric's picture that does not depend on overlay, selection and theme. */
import { useLayoutEffect, useMemo, useRef, useState } from "react";
import type { Analysis } from "../../shared/analyse/results.ts";
import { at, nodeGuid, nodeName } from "../../shared/fabric/access.ts";
import type { Fabric } from "../../shared/fabric/model.ts";
import { placeViewGraph, type Geometry } from "./geometry.ts";
import { foldingOf } from "./clusters.ts";
import { laysOutAtOnce, layoutInWorker } from "./layout-client.ts";
import { layoutFabric } from "./layout.ts";
import type { Layout, LayoutOptions } from "./layout-types.ts";
import { incidence, shortLabels, type Incidence, type ShortLabels } from "./picture.ts";
import { buildStructure, routerLevel, unplacedLevel, type Structure } from "./structure.ts";
import { buildViewGraph } from "./view-graph.ts";
import type { ViewGraph, ViewOptions } from "./view-types.ts";

export interface GraphModel {
  readonly fabric: Fabric;
  readonly analysis: Analysis;
  readonly structure: Structure;
  readonly layout: Layout;
  readonly graph: ViewGraph;
  readonly geometry: Geometry;
  readonly incidence: Incidence;
  readonly shortLabels: ShortLabels;
  /** Name of each row: `Leaf`. */
  readonly rowNames: ReadonlyMap<number, string>;
}

export interface GraphModelInput {
  readonly fabric: Fabric;
  readonly analysis: Analysis;
  /** Px that the picture may fill; undefined until they are known. */
  readonly size: { readonly width: number; readonly height: number } | undefined;
  /** True when the fabric replaces an earlier collection of itself: the order stays. */
  readonly keepOrder: boolean;
  readonly view: ViewOptions;
  /** Pods, groups and planes to draw switch by switch, given a layout; the rest are blocks. "all": no blocks at all. */
  readonly opened: OpenedBlocks | "all";
}

export interface OpenedBlocks {
  readonly clusters: ReadonlySet<number>;
  readonly planes: ReadonlySet<number>;
}

/** Names of rows by level, as they stand at the left. */
export function rowNames(analysis: Analysis): ReadonlyMap<number, string> {
  const words = { leaf: "Leaf", spine: "Spine", core: "Core", switch: "Switch" } as const;
  const names = new Map<number, string>([
    [0, "Hosts"],
    [routerLevel, "Routers"],
    [unplacedLevel, analysis.topology.tiers.length === 0 ? "Switches" : "No tier"],
  ]);
  for (const tier of analysis.topology.tiers) if (tier.level >= 1) names.set(tier.level, words[tier.name]);
  return names;
}

/** Layout input of a structure. */
export function layoutOptions(
  fabric: Fabric,
  structure: Structure,
  size: { readonly width: number; readonly height: number },
  order: ReadonlyMap<string, number> | undefined,
): LayoutOptions {
  const labelLength = Uint8Array.from(structure.boxNode, (node) => Math.min(255, nodeName(fabric, node).length));
  if (order === undefined) return { ...size, labelLength };
  const previous = Float64Array.from(structure.boxNode, (node) => order.get(nodeGuid(fabric, node)) ?? -1);
  return { ...size, labelLength, previous };
}

/** The order of a layout by node GUID, for the next collection. */
export function orderByGuid(fabric: Fabric, structure: Structure, layout: Layout): ReadonlyMap<string, number> {
  const order = new Map<string, number>();
  structure.boxNode.forEach((node, box) => order.set(nodeGuid(fabric, node), at(layout.order, box)));
  return order;
}

export interface Laid {
  readonly structure: Structure;
  readonly layout: Layout;
}

/** The layout of a fabric; undefined while a large one is being laid out in the worker. */
export function useLayout(
  input: Pick<GraphModelInput, "fabric" | "analysis" | "size" | "keepOrder">,
): Laid | undefined {
  const { fabric, analysis, keepOrder } = input;
  const width = input.size?.width;
  const height = input.size?.height;
  const structure = useMemo(() => buildStructure(fabric, analysis), [fabric, analysis]);
  const order = useRef<ReadonlyMap<string, number> | undefined>(undefined);
  const [laid, setLaid] = useState<Laid | undefined>(undefined);
  useLayoutEffect(() => {
    if (width === undefined || height === undefined) return undefined;
    const options = layoutOptions(fabric, structure, { width, height }, keepOrder ? order.current : undefined);
    const accept = (layout: Layout): void => {
      order.current = orderByGuid(fabric, structure, layout);
      setLaid({ structure, layout });
    };
    if (laysOutAtOnce(structure)) {
      accept(layoutFabric(structure, options));
      return undefined;
    }
    const controller = new AbortController();
    void layoutInWorker(structure, options, controller.signal).then(accept);
    return () => controller.abort();
  }, [fabric, structure, width, height, keepOrder]);
  return laid?.structure === structure ? laid : undefined;
}

/** The model of a layout. */
export function useGraphModel(
  input: Pick<GraphModelInput, "fabric" | "analysis" | "view" | "opened">,
  laid: Laid | undefined,
): GraphModel | undefined {
  const { fabric, analysis, opened } = input;
  const { unfolded, bundles } = input.view;
  const graph = useMemo(() => {
    if (laid === undefined) return undefined;
    const folding = opened === "all" ? undefined : foldingOf(laid.layout, opened.clusters, opened.planes);
    return buildViewGraph(fabric, analysis, laid.structure, { unfolded, bundles, folding });
  }, [fabric, analysis, laid, unfolded, bundles, opened]);
  return useMemo(() => {
    if (laid === undefined || graph === undefined) return undefined;
    const geometry = placeViewGraph(graph, laid.layout);
    return {
      fabric,
      analysis,
      structure: laid.structure,
      layout: laid.layout,
      graph,
      geometry,
      incidence: incidence(graph),
      shortLabels: shortLabels(graph, laid.layout),
      rowNames: rowNames(analysis),
    };
  }, [fabric, analysis, laid, graph]);
}
