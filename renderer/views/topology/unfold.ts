/** Which leaves show their hosts one by one. All of them in a fabric of moderate size; else those looked at. */
import { at } from "../../../shared/fabric/access.ts";
import { none, type Fabric } from "../../../shared/fabric/model.ts";
import { seenBy, type Camera } from "../../graph/camera.ts";
import type { Layout } from "../../graph/layout-types.ts";
import { blockCount, boxesOfBlock, hostsOfBlock, type Structure } from "../../graph/structure.ts";
import type { GraphPath, Target } from "../../graph/target.ts";

/** More hosts than this fold into their leaf until the camera is near. */
export const foldAbove = 1500;
/** Hosts get their own squares once they are this wide on the screen, px. */
const nearWidth = 3;
const mostLeaves = 80;

/** Switches (fabric nodes) of the blocks that the camera is near to. */
export function leavesNear(
  structure: Structure,
  layout: Layout,
  camera: Camera,
  width: number,
  height: number,
): readonly number[] {
  const seen = seenBy(camera, width, height);
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
