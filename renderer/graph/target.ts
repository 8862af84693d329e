/** What in the fabric is selected, hovered or flown to, and where it is in the picture. Pure. */
import { adaptersOfHost, at } from "../../shared/fabric/access.ts";
import { none, type Fabric } from "../../shared/fabric/model.ts";
import { type BlockTarget, drawnOfBlock, frameOfBlock } from "./block-frames.ts";
import type { Rectangle } from "./camera.ts";
import type { Emphasis } from "./drawing.ts";
import type { GraphModel } from "./graph-model.ts";
import { membersOf, missingOf, type ViewGraph, type ViewNode } from "./view-types.ts";

/** Same shape as the selection of the window. Indices of the fabric. */
export type Target =
  | { readonly kind: "nothing" }
  | { readonly kind: "node"; readonly node: number }
  | { readonly kind: "host"; readonly host: number }
  | { readonly kind: "link"; readonly link: number }
  | { readonly kind: "missing-link"; readonly missing: number }
  /** A box of several switches, by position in `structure.directors`. */
  | { readonly kind: "director"; readonly director: number }
  | BlockTarget;

/** A path from client to server: links with the node that each is entered from. */
export interface GraphPath {
  readonly hops: readonly { readonly link: number; readonly fromNode: number }[];
  readonly running: boolean;
}

/** Drawn node and link of a target, -1 for none. A link inside a fold is shown by the fold; an open director has no node. */
export function drawnOf(fabric: Fabric, graph: ViewGraph, target: Target): { node: number; link: number } {
  switch (target.kind) {
    case "nothing":
      return { node: -1, link: -1 };
    case "node":
      return { node: index(graph.nodeOfFabricNode[target.node]), link: -1 };
    case "host": {
      const adapter = adaptersOfHost(fabric, target.host)[0];
      return { node: adapter === undefined ? -1 : index(graph.nodeOfFabricNode[adapter]), link: -1 };
    }
    case "link":
      return {
        node: index(graph.insideOfFabricLink[target.link]),
        link: index(graph.linkOfFabricLink[target.link]),
      };
    case "missing-link":
      return {
        node: index(graph.insideOfMissing[target.missing]),
        link: index(graph.linkOfMissing[target.missing]),
      };
    case "director":
      return { node: graph.nodes.findIndex(({ director }) => director === target.director), link: -1 };
    case "block":
    case "plane":
      return { node: graph.nodes.findIndex((node) => isBlockNode(node, target)), link: -1 };
  }
}

/** True for the node that stands for a closed pod, group or plane. */
function isBlockNode({ kind, cluster }: ViewNode, target: BlockTarget): boolean {
  if (target.kind === "plane") return kind === "plane" && cluster === target.plane;
  return (kind === "pod" || kind === "group") && cluster === target.block;
}

/** What shows a director: its own node while it is closed, else its chips, or the pods that hold them. */
export function drawnOfDirector({ graph, structure }: GraphModel, director: number): readonly number[] {
  const closed = graph.nodes.findIndex((node) => node.director === director);
  if (closed >= 0) return [closed];
  const drawn = new Set<number>();
  structure.directorOfBox.forEach((own, box) => {
    if (own === director) drawn.add(at(graph.nodeOfFabricNode, at(structure.boxNode, box)));
  });
  return [...drawn];
}

function index(value: number | undefined): number {
  return value === undefined || value === none ? -1 : value;
}

/** The target that a drawn node stands for; a fold stands for its switch. */
export function targetOfNode(graph: ViewGraph, node: number): Target {
  const view = graph.nodes[node];
  if (view === undefined) return { kind: "nothing" };
  if (view.kind === "host") return { kind: "host", host: view.host };
  if (view.director !== undefined) return { kind: "director", director: view.director };
  if (view.kind === "pod" || view.kind === "group") return { kind: "block", block: view.cluster };
  if (view.kind === "plane")
    return { kind: "plane", plane: view.cluster, name: view.label, switches: view.cores ?? [] };
  return view.node === none ? { kind: "nothing" } : { kind: "node", node: view.node };
}

/** The target that a drawn link stands for: its worst member, or the missing cable. */
export function targetOfLink(model: GraphModel, link: number): Target {
  const { graph, analysis } = model;
  let worst: number | undefined;
  for (const member of membersOf(graph.links, link)) {
    if (worst === undefined || at(analysis.linkHealth, member) > at(analysis.linkHealth, worst)) worst = member;
  }
  if (worst !== undefined) return { kind: "link", link: worst };
  const missing = missingOf(graph.links, link)[0];
  return missing === undefined ? { kind: "nothing" } : { kind: "missing-link", missing };
}

/** World rectangle of a target, undefined when it is not drawn. A link is shown with both its ends. */
export function rectangleOf(model: GraphModel, target: Target): Rectangle | undefined {
  const { node, link } = drawnOf(model.fabric, model.graph, target);
  const { links } = model.graph;
  if (target.kind === "block" && node < 0) return frameOfBlock(model, target.block);
  const nodes =
    target.kind === "director"
      ? drawnOfDirector(model, target.director)
      : target.kind === "plane"
        ? drawnOfBlock(model, target)
        : link >= 0
          ? [at(links.source, link), at(links.target, link)]
          : node >= 0
            ? [node]
            : [];
  if (nodes.length === 0) return undefined;
  const { x, y, width, height } = model.geometry;
  return {
    left: Math.min(...nodes.map((n) => at(x, n) - at(width, n) / 2)),
    right: Math.max(...nodes.map((n) => at(x, n) + at(width, n) / 2)),
    top: Math.min(...nodes.map((n) => at(y, n) - at(height, n) / 2)),
    bottom: Math.max(...nodes.map((n) => at(y, n) + at(height, n) / 2)),
  };
}

/** What stands out for a selection and a path. */
export function emphasisOf(model: GraphModel, selection: Target, path: GraphPath | undefined): Emphasis {
  const { fabric, graph } = model;
  const drawn = drawnOf(fabric, graph, selection);
  const links = new Map<number, 1 | -1>();
  const nodes = new Set<number>();
  for (const hop of path?.hops ?? []) {
    const link = index(graph.linkOfFabricLink[hop.link]);
    const from = index(graph.nodeOfFabricNode[hop.fromNode]);
    if (link < 0) continue;
    links.set(link, at(graph.links.source, link) === from ? 1 : -1);
    nodes.add(at(graph.links.source, link));
    nodes.add(at(graph.links.target, link));
  }
  return {
    selectedNode: drawn.link >= 0 ? -1 : drawn.node,
    selectedLink: drawn.link,
    selectedDirector: selection.kind === "director" ? selection.director : -1,
    selectedBlock: selection.kind === "block" ? selection.block : -1,
    selectedPlane: selection.kind === "plane" ? selection.plane : -1,
    path: links,
    pathNodes: nodes,
    running: path?.running ?? false,
  };
}
