/** Everything about a fabric's picture that does not depend on overlay, selection and theme. Pure. */
import type { Analysis } from "../../shared/analyse/results.ts";
import { at, nodeGuid, nodeName } from "../../shared/fabric/access.ts";
import type { Fabric } from "../../shared/fabric/model.ts";
import { placeViewGraph, type Geometry } from "./geometry.ts";
import { foldingOf } from "./clusters.ts";
import { partsOfFabric, type FabricParts } from "./fabric-parts.ts";
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

/** Px that the picture may fill. */
export interface Room {
  readonly width: number;
  readonly height: number;
}

/** What is drawn in how much detail. */
export interface DetailRequest {
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
  const { tiers } = analysis.topology;
  const cores = tiers.filter(({ name }) => name === "core").length;
  for (const { level, name } of tiers) {
    // Of a tree with more than three levels: two rows of one name could not be told apart.
    if (level >= 1) names.set(level, name === "core" && cores > 1 ? `${words.core} ${level - 2}` : words[name]);
  }
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

/** What is known of a picture before its room is. */
export interface Prepared {
  readonly structure: Structure;
  readonly parts: FabricParts;
}

export interface Laid extends Prepared {
  readonly layout: Layout;
}

/** O(nodes + links). Depends on the shape of the analysis alone, see {@link sameShape}. */
export function prepare(fabric: Fabric, analysis: Analysis): Prepared {
  return { structure: buildStructure(fabric, analysis), parts: partsOfFabric(fabric, analysis.topology) };
}

/** The layout. @param order of the last layout by GUID, to keep it */
export function layOut(
  fabric: Fabric,
  prepared: Prepared,
  room: Room,
  order: ReadonlyMap<string, number> | undefined,
): Laid {
  const { structure } = prepared;
  return { ...prepared, layout: layoutFabric(structure, layoutOptions(fabric, structure, room, order)) };
}

/** True when two analyses of one fabric differ at most in health: nothing of the layout changes. */
export function sameShape(a: Analysis, b: Analysis): boolean {
  return (
    a.counts === b.counts &&
    a.topology === b.topology &&
    a.missingLinks === b.missingLinks &&
    a.succession === b.succession
  );
}

/** What changes with the level of detail. */
export type Derived = Pick<GraphModel, "graph" | "geometry" | "incidence" | "shortLabels">;

/** The view graph and where it is. O(nodes + links). */
export function deriveGraph(fabric: Fabric, analysis: Analysis, laid: Laid, detail: DetailRequest): Derived {
  const { structure, layout } = laid;
  const { opened, view } = detail;
  const folding = opened === "all" ? undefined : foldingOf(layout, opened.clusters, opened.planes);
  const graph = buildViewGraph(fabric, analysis, structure, { ...view, folding });
  return {
    graph,
    geometry: placeViewGraph(graph, layout),
    incidence: incidence(graph),
    shortLabels: shortLabels(graph, layout),
  };
}

/** The whole model. */
export function modelOf(fabric: Fabric, analysis: Analysis, laid: Laid, derived: Derived): GraphModel {
  return { fabric, analysis, ...laid, ...derived, rowNames: rowNames(analysis) };
}

/** By what marks the links: a new analysis has new ones. */
const pictured = new WeakMap<Uint8Array, Analysis>();

/**
 * An analysis as pictures look at it, without findings: the same object while nothing else has changed, so that nothing
 * is laid out anew when findings, such as those on routes, come later.
 */
export function picturedOf(analysis: Analysis): Analysis {
  const known = pictured.get(analysis.linkHealth);
  if (known !== undefined && sameShape(known, analysis) && known.nodeHealth === analysis.nodeHealth) return known;
  const seen: Analysis = { ...analysis, findings: [] };
  pictured.set(analysis.linkHealth, seen);
  return seen;
}
