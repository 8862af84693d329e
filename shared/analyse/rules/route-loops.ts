/** Routes that go round: packets that never arrive, and buffers that may wait for each other. */
import { count } from "../../base/text.ts";
import { at, portName } from "../../fabric/access.ts";
import type { Finding, Subject } from "../results.ts";
import type { RouteNetwork } from "../routes/network.ts";
import { finding, linkSubject, nodeSubject } from "./rule.ts";
import type { RouteRuleInput } from "./route-rule.ts";

/** Ports of a circle that are named; the rest is counted. */
const portsNamed = 8;

function circleWords({ fabric }: RouteNetwork, ports: readonly number[]): string {
  const names = ports.slice(0, portsNamed).map((port) => portName(fabric, port));
  const rest = ports.length - names.length;
  return `${names.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}, and back`;
}

/** The cable that the circle leaves its first switch by. */
function circleSubject({ fabric }: RouteNetwork, ports: readonly number[]): Subject {
  const first = ports[0] ?? 0;
  const link = at(fabric.ports.link, first);
  return link < fabric.links.count ? linkSubject(fabric, link) : nodeSubject(fabric, at(fabric.ports.node, first));
}

/** Tables that send packets round in a circle until they are too old. */
export function forwardingLoops({ network, summary, thresholds }: RouteRuleInput): readonly Finding[] {
  return summary.loops.slice(0, thresholds.routes.places).map(({ lid, lids, ports }) =>
    finding("forwarding-loop", {
      severity: "error",
      title: "Forwarding loop",
      subject: circleSubject(network, ports),
      message: `Packets for LID ${lid}${lids > 1 ? ` and ${lids - 1} more` : ""} go round in a circle and never arrive: ${circleWords(network, ports)}.`,
      evidence: `${count(lids, "LID")}, ${count(ports.length, "switch", "switches")} in the circle`,
      cause:
        "Tables of different sweeps: some switches were written anew, others not. Or static routes that contradict.",
      remedy:
        "Ask the subnet manager for a heavy sweep, then collect again with routes. Look for errors of setting tables in its log.",
    }),
  );
}

/** Routes that chain the buffers of ports into a circle. */
export function creditLoopFindings({ network, creditLoops, thresholds }: RouteRuleInput): readonly Finding[] {
  return creditLoops.slice(0, thresholds.routes.places).map((ports) =>
    finding("credit-loop", {
      severity: "warning",
      title: "Credit loop",
      subject: circleSubject(network, ports),
      message: `Routes use these ports one after the other in a circle, so that full buffers can wait for each other for ever: ${circleWords(network, ports)}.`,
      evidence: `a shortest circle of ${count(ports.length, "port")} by the tables, one virtual lane assumed`,
      cause:
        "The routing engine does not avoid deadlocks on this shape (min-hop on a ring, torus or mesh, or down-up turns in a tree). Routings that avoid them by service levels (LASH, DFSSSP, Torus-2QoS, dragonfly engines) look like this too and are safe.",
      remedy:
        "See which routing_engine the subnet manager uses. In a fat tree choose ftree or updn; elsewhere one that is made for the shape.",
    }),
  );
}
