/** Which other ports the data could take where it should leave by the measured one. */
import {
  at,
  linkId,
  linkIsActive,
  linkKind,
  nodeGuid,
  nodeName,
  peerPort,
  portName,
  portsOfNode,
} from "../fabric/access.ts";
import type { Fabric } from "../fabric/model.ts";
import { lidOfPort } from "./hops.ts";
import type { BesidePort, PathHop } from "./types.ts";

/** More ports than any switch has towards other switches today; each costs a few reads before and after the run. */
const watchedMax = 64;

/** Ports of the switch that the measured cable is left by which lead to other switches; none for a host's own cable. */
export function besidePorts(fabric: Fabric, path: readonly PathHop[], link: number): readonly BesidePort[] {
  const hop = path.find(({ linkIndex }) => linkIndex === link);
  if (hop === undefined || linkKind(fabric, link) !== "inter-switch") return [];
  return portsOfNode(fabric, hop.fromNode)
    .flatMap((port) => {
      const peer = peerPort(fabric, port);
      const own = at(fabric.ports.link, port);
      if (peer === undefined || own === link) return [];
      if (linkKind(fabric, own) !== "inter-switch" || !linkIsActive(fabric, own)) return [];
      return [
        {
          guid: nodeGuid(fabric, hop.fromNode),
          name: nodeName(fabric, hop.fromNode),
          lid: lidOfPort(fabric, port),
          port: at(fabric.ports.number, port),
          to: portName(fabric, peer),
          link: linkId(fabric, own),
        },
      ];
    })
    .slice(0, watchedMax);
}
