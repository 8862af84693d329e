/** Which path the picture shows: the planned one, the running one, or that of the result that is open. */
import { findLink } from "../../../shared/fabric/access.ts";
import type { Fabric } from "../../../shared/fabric/model.ts";
import type { PathHop } from "../../../shared/measure/types.ts";
import type { GraphPath } from "../../graph/target.ts";

/** Hops by this fabric's indices; hops over cables that it does not have are left out. */
export function pathIn(fabric: Fabric, hops: readonly PathHop[], running: boolean): GraphPath {
  const found: { link: number; fromNode: number }[] = [];
  for (const hop of hops) {
    const link = findLink(fabric, hop.link);
    if (link === undefined) continue;
    const a = fabric.ports.node[fabric.links.a[link] ?? 0] ?? 0;
    const b = fabric.ports.node[fabric.links.b[link] ?? 0] ?? 0;
    // Node indices of an older collection may have moved: the port at either end tells the direction.
    const aNumber = fabric.ports.number[fabric.links.a[link] ?? 0];
    const forward = hop.fromNode === a || (hop.fromNode !== b && aNumber === hop.fromPort);
    found.push({ link, fromNode: forward ? a : b });
  }
  return { hops: found, running };
}
