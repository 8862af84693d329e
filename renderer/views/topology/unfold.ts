/** Which leaves show their hosts one by one. All of them in a fabric of moderate size; else those looked at. */
import type { Analysis } from "../../../shared/analyse/results.ts";
import { adaptersOfHost, at } from "../../../shared/fabric/access.ts";
import { none, type Fabric } from "../../../shared/fabric/model.ts";
import { seenBy, type Camera } from "../../graph/camera.ts";
import { foldedBlocks } from "../../graph/block-frames.ts";
import type { GraphModel, OpenedBlocks } from "../../graph/graph-model.ts";
import type { Frame, Layout } from "../../graph/layout-types.ts";
import { blockCount, boxesOfBlock, hostsOfBlock, type Structure } from "../../graph/structure.ts";
import type { GraphPath, Target } from "../../graph/target.ts";

/** More hosts than this fold into their leaf until the camera is near. */
export const foldAbove = 1500;
const mostLeaves = 80;

/** Hosts wider than this on the screen show their names. Px. */
const nameFits = 46;

/**
 * Switches (fabric nodes) of the blocks that the camera is near to: hosts get their own squares once these are wide enough.
 * @param named only when there is room for their names: folded by rack they say more than squares do
 */
export function leavesNear(
  structure: Structure,
  layout: Layout,
  camera: Camera,
  width: number,
  height: number,
  named: boolean,
): readonly number[] {
  const seen = seenBy(camera, width, height);
  // Groups of a Dragonfly+ show their hosts folded until these are worth looking at.
  const nearWidth = named ? nameFits : structure.shape === "dragonfly+" ? 7 : 3;
  const near: number[] = [];
  for (let block = 0; block < blockCount(structure) && near.length < mostLeaves; block++) {
    const host = hostsOfBlock(structure, block)[0];
    if (host === undefined || at(layout.hostWidth, host) * camera.zoom < nearWidth) continue;
    const half = at(layout.foldWidth, block);
    const x = at(layout.foldX, block);
    const y = at(layout.foldY, block);
    if (x + half < seen.left || x - half > seen.right || y + 60 < seen.top || y - 60 > seen.bottom) continue;
    for (const box of boxesOfBlock(structure, block)) near.push(at(structure.boxNode, box));
  }
  return near;
}

/** Boxes of leaves narrower than this on the screen are drawn as pods, groups and planes. Px. */
const blocksBelow = 28;

/** Pods, groups and planes in view when the camera is near enough for their switches. */
export function blocksNear(layout: Layout, camera: Camera, width: number, height: number): OpenedBlocks {
  const clusters = new Set<number>();
  const planes = new Set<number>();
  if (leafWidth(layout) * camera.zoom < blocksBelow) return { clusters, planes };
  const seen = seenBy(camera, width, height);
  // A little beyond the edges, so that a short pan finds its pods open.
  const [aroundX, aroundY] = [(seen.right - seen.left) * 0.15, (seen.bottom - seen.top) * 0.15];
  const inView = (frame: Frame): boolean =>
    frame.x < seen.right + aroundX &&
    frame.x + frame.width > seen.left - aroundX &&
    frame.y < seen.bottom + aroundY &&
    frame.y + frame.height > seen.top - aroundY;
  for (const frame of layout.frames) if (inView(frame)) clusters.add(frame.cluster);
  for (const frame of layout.planes) if (inView(frame)) planes.add(frame.cluster);
  return { clusters, planes };
}

/** Width of most boxes in a pod. */
function leafWidth({ boxWidth }: Layout): number {
  return boxWidth.reduce((least, width) => (width > 0 ? Math.min(least, width) : least), Infinity);
}

/** Fabric nodes at the ends of what is selected and of the path. */
function touchedNodes(fabric: Fabric, analysis: Analysis, selection: Target, path: GraphPath | undefined): number[] {
  const nodes: number[] = [];
  const addPorts = (a: number | undefined, b: number | undefined): void => {
    for (const port of [a, b]) if (port !== undefined) nodes.push(at(fabric.ports.node, port));
  };
  if (selection.kind === "node") nodes.push(selection.node);
  if (selection.kind === "host") nodes.push(...adaptersOfHost(fabric, selection.host));
  if (selection.kind === "link") addPorts(fabric.links.a[selection.link], fabric.links.b[selection.link]);
  if (selection.kind === "missing-link") {
    const missing = analysis.missingLinks[selection.missing];
    addPorts(missing?.a, missing?.b);
  }
  if (selection.kind === "director") nodes.push(...(analysis.topology.chassis[selection.director]?.switches ?? []));
  for (const hop of path?.hops ?? []) addPorts(fabric.links.a[hop.link], fabric.links.b[hop.link]);
  return nodes;
}

/** Pods, groups and planes that a selection or a path needs. */
export function blocksNeeded(
  view: { readonly fabric: Fabric; readonly analysis: Analysis },
  structure: Structure,
  layout: Layout,
  selection: Target,
  path: GraphPath | undefined,
): OpenedBlocks {
  const clusters = new Set<number>();
  const planes = new Set<number>();
  for (const node of touchedNodes(view.fabric, view.analysis, selection, path)) {
    const host = at(view.fabric.nodes.host, node);
    const own = at(structure.boxOfNode, node);
    const boxes = host === none ? [own] : Array.from(boxesOfBlock(structure, at(structure.blockOfHost, host)));
    for (const box of boxes) {
      if (box === none) continue;
      if (at(structure.clusterOfBox, box) >= 0) clusters.add(at(structure.clusterOfBox, box));
      if (at(layout.planeOfBox, box) >= 0) planes.add(at(layout.planeOfBox, box));
    }
  }
  return { clusters, planes };
}

/** What is drawn open: what is near or was opened by hand, without what was closed by hand, and always what is needed. */
export function openedBy(folds: ReadonlyMap<string, boolean>, seen: OpenedBlocks, needed: OpenedBlocks): OpenedBlocks {
  const merged = (word: "block" | "plane", of: keyof OpenedBlocks): ReadonlySet<number> => {
    const open = new Set(seen[of]);
    for (const [key, isOpen] of folds) {
      const [kind, position] = key.split(" ");
      if (kind !== word) continue;
      if (isOpen) open.add(Number(position));
      else open.delete(Number(position));
    }
    for (const own of needed[of]) open.add(own);
    return open;
  };
  return { clusters: merged("block", "clusters"), planes: merged("plane", "planes") };
}

/** Folds by hand that still mean something: what was closed while the camera was near opens again when it comes back. */
export function foldsKept(folds: ReadonlyMap<string, boolean>, seen: OpenedBlocks): ReadonlyMap<string, boolean> {
  const near = new Set([
    ...[...seen.clusters].map((cluster) => `block ${cluster}`),
    ...[...seen.planes].map((plane) => `plane ${plane}`),
  ]);
  const kept = [...folds].filter(([key, isOpen]) => isOpen || near.has(key));
  return kept.length === folds.size ? folds : new Map(kept);
}

/** Keys of all pods, groups and planes that the picture draws switch by switch, as the store of the selection has them. */
export function drawnOpen({ graph, layout }: Pick<GraphModel, "graph" | "layout">): ReadonlySet<string> {
  const folded = foldedBlocks(graph);
  return new Set([
    ...layout.frames.filter(({ cluster }) => !folded.clusters.has(cluster)).map(({ cluster }) => `block ${cluster}`),
    ...layout.planes.filter(({ cluster }) => !folded.planes.has(cluster)).map(({ cluster }) => `plane ${cluster}`),
  ]);
}

/** Switches whose hosts a selection or a path needs: nothing that is selected hides in a fold. */
export function leavesNeeded(
  fabric: Fabric,
  structure: Structure,
  selection: Target,
  path: GraphPath | undefined,
): readonly number[] {
  const hosts = new Set<number>();
  const addLink = (link: number): void => {
    for (const port of [fabric.links.a[link], fabric.links.b[link]]) {
      const host = port === undefined ? none : at(fabric.nodes.host, at(fabric.ports.node, port));
      if (host !== none) hosts.add(host);
    }
  };
  if (selection.kind === "host") hosts.add(selection.host);
  if (selection.kind === "node") {
    const host = at(fabric.nodes.host, selection.node);
    if (host !== none) hosts.add(host);
  }
  if (selection.kind === "link") addLink(selection.link);
  for (const hop of path?.hops ?? []) addLink(hop.link);
  const needed: number[] = [];
  for (const host of hosts) {
    for (const box of boxesOfBlock(structure, at(structure.blockOfHost, host))) needed.push(at(structure.boxNode, box));
  }
  return needed;
}

/**
 * The director that Space opens and closes for a selection: the selected one, or the open one of a selected chip without
 * hosts, whose Space has nothing else to do. Undefined for all else.
 */
export function directorOfSelection(
  structure: Structure,
  selection: Target,
  open: ReadonlySet<number>,
): number | undefined {
  if (selection.kind === "director") return selection.director;
  if (selection.kind !== "node") return undefined;
  const box = structure.boxOfNode[selection.node] ?? none;
  const director = box === none ? -1 : at(structure.directorOfBox, box);
  return director >= 0 && open.has(director) && !structure.blockBox.includes(box) ? director : undefined;
}

/** Directors whose inside a selection or a path needs: a chip, a cable between two chips. */
export function directorsNeeded(
  { fabric, analysis }: { readonly fabric: Fabric; readonly analysis: Analysis },
  structure: Structure,
  selection: Target,
  path: GraphPath | undefined,
): readonly number[] {
  if (structure.directors.length === 0) return [];
  const directorOf = (port: number | undefined): number => {
    const box = port === undefined ? none : at(structure.boxOfNode, at(fabric.ports.node, port));
    return box === none ? -1 : at(structure.directorOfBox, box);
  };
  const found = new Set<number>();
  const inside = (a: number | undefined, b: number | undefined): void => {
    if (directorOf(a) >= 0 && directorOf(a) === directorOf(b)) found.add(directorOf(a));
  };
  if (selection.kind === "node") {
    const box = at(structure.boxOfNode, selection.node);
    if (box !== none && at(structure.directorOfBox, box) >= 0) found.add(at(structure.directorOfBox, box));
  }
  if (selection.kind === "link") inside(fabric.links.a[selection.link], fabric.links.b[selection.link]);
  if (selection.kind === "missing-link") {
    const missing = analysis.missingLinks[selection.missing];
    inside(missing?.a, missing?.b);
  }
  for (const hop of path?.hops ?? []) inside(fabric.links.a[hop.link], fabric.links.b[hop.link]);
  return [...found];
}
