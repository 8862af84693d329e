/** A path in words and numbers for people: node names, port numbers, rates. */
import { at, linkGbps, linkId, nodeGuid, nodeKind, nodeName } from "../fabric/access.ts";
import type { Fabric } from "../fabric/model.ts";
import { belowCapabilityOf } from "./below.ts";
import type { PathHop } from "./types.ts";

/** LID by which a port's counters are asked for: of a switch port that of the switch. 0 when none is assigned. */
export function lidOfPort(fabric: Fabric, port: number): number {
  const node = at(fabric.ports.node, port);
  return nodeKind(fabric, node) === "switch" ? at(fabric.nodes.lid, node) : at(fabric.ports.lid, port);
}

/** The cables of a path in the direction of travel, from the node where it begins. */
export function stepsToHops(fabric: Fabric, fromNode: number, links: readonly number[]): readonly PathHop[] {
  const hops: PathHop[] = [];
  let node = fromNode;
  for (const link of links) {
    const a = at(fabric.links.a, link);
    const b = at(fabric.links.b, link);
    const forward = at(fabric.ports.node, a) === node;
    const near = forward ? a : b;
    const far = forward ? b : a;
    const next = at(fabric.ports.node, far);
    const below = belowCapabilityOf(fabric, link);
    hops.push({
      link: linkId(fabric, link),
      linkIndex: link,
      fromNode: node,
      fromName: nodeName(fabric, node),
      fromPort: at(fabric.ports.number, near),
      toNode: next,
      toName: nodeName(fabric, next),
      toPort: at(fabric.ports.number, far),
      gbps: linkGbps(fabric, link),
      fromGuid: nodeGuid(fabric, node),
      toGuid: nodeGuid(fabric, next),
      fromLid: lidOfPort(fabric, near),
      toLid: lidOfPort(fabric, far),
      ...(below === undefined ? {} : { below }),
    });
    node = next;
  }
  return hops;
}

/**
 * Rate and position of the slowest cable whose rate is known; 0 Gb/s and position 0 when none is. Among equally slow
 * ones the measured link, else the first.
 */
export function slowestOf(path: readonly PathHop[], measured: number): { readonly gbps: number; readonly hop: number } {
  const known = path.filter((cable) => cable.gbps > 0);
  const gbps = known.reduce((least, cable) => Math.min(least, cable.gbps), known[0]?.gbps ?? 0);
  const slow = path.map((cable, hop) => ({ cable, hop })).filter(({ cable }) => gbps > 0 && cable.gbps === gbps);
  const hop = (slow.find(({ cable }) => cable.linkIndex === measured) ?? slow[0])?.hop ?? 0;
  return { gbps, hop };
}
