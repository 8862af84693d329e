import { nodeName, portName } from "../../fabric/access.ts";
import type { Fabric } from "../../fabric/model.ts";
import type { RoutePath } from "./path.ts";

/** How a route ends, in one sentence. */
export function endSentence(fabric: Fabric, path: Pick<RoutePath, "end" | "lid" | "hops">): string {
  const { end, lid } = path;
  switch (end.kind) {
    case "arrived":
      return "The packet arrives.";
    case "no-route":
      return `${nodeName(fabric, end.node)} has no route to LID ${lid} and drops the packet.`;
    case "table-missing":
      return `There is no forwarding table of ${nodeName(fabric, end.node)}: how the route goes on is not known.`;
    case "not-told":
      return `The table of ${nodeName(fabric, end.node)} does not tell of LID ${lid}: how the route goes on is not known.`;
    case "ends-in-switch":
      return `${nodeName(fabric, end.node)} takes LID ${lid} for its own, which it is not in the topology.`;
    case "no-cable":
      return `${nodeName(fabric, end.node)} sends LID ${lid} to port ${end.number}, which has no cable in the topology.`;
    case "port-down":
      return `${nodeName(fabric, end.node)} sends LID ${lid} to port ${end.number}, which is down or not configured.`;
    case "wrong-end":
      return `The packet for LID ${lid} reaches ${nodeName(fabric, end.node)}, which does not own that LID.`;
    case "loop":
      return `The packet for LID ${lid} goes round in a circle: ${path.hops
        .slice(end.start)
        .map(({ out }) => portName(fabric, out))
        .join(", ")}.`;
  }
}
