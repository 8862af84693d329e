/** Why a cable cannot be measured, exactly, and what would make it possible. */
import { count } from "../base/text.ts";
import { err, type Result } from "../base/result.ts";
import type { AppError } from "../errors/kinds.ts";
import {
  at,
  linkIsActive,
  linkName,
  nodeKind,
  nodeName,
  peerPort,
  physState,
  portName,
  portsOfNode,
  portState,
} from "../fabric/access.ts";
import type { Fabric } from "../fabric/model.ts";
import { distancesFrom, type SwitchGraph } from "./paths.ts";

/** The error of a cable that nothing can measure. */
export function noPath(fabric: Fabric, link: number, reason: string, help: string): Result<never, AppError> {
  return err({ kind: "no-path", link: linkName(fabric, link), reason, help });
}

/** Why nothing can cross the cable in its present state; undefined when it is active. */
export function stateReason(
  fabric: Fabric,
  link: number,
): { readonly reason: string; readonly help: string } | undefined {
  if (linkIsActive(fabric, link)) return undefined;
  const ends = [at(fabric.links.a, link), at(fabric.links.b, link)];
  const words = ends.map(
    (port) => `${portName(fabric, port)} is ${portState(fabric, port)} / ${physState(fabric, port)}`,
  );
  const states = ends.map((port) => portState(fabric, port));
  if (states.includes("Down")) {
    return {
      reason: `The link is down, nothing can cross it: ${words.join(", ")}.`,
      help: "Check that the cable is there, reseat both ends, then collect again.",
    };
  }
  return {
    reason: `The link is up but carries no data yet: ${words.join(", ")}.`,
    help: states.includes("Initialize")
      ? "Initialize means that no subnet manager has configured the port: check that one runs, then collect again."
      : "Armed means that the subnet manager has not finished: collect again in a minute; if it stays so, look at the subnet manager's log.",
  };
}

interface Side {
  readonly switches: number;
  readonly aggregationNodes: number;
  readonly adaptersNotActive: number;
  readonly adaptersWithoutLid: number;
}

/** What is reachable from a switch when the cable in question is taken away. */
function surveySide(fabric: Fabric, graph: SwitchGraph, start: number, link: number): Side {
  const { hops } = distancesFrom(graph, start, link);
  const side = { switches: 0, aggregationNodes: 0, adaptersNotActive: 0, adaptersWithoutLid: 0 };
  for (let node = 0; node < fabric.nodes.count; node += 1) {
    if (at(hops, node) < 0) continue;
    side.switches += 1;
    for (const port of portsOfNode(fabric, node)) {
      const peer = peerPort(fabric, port);
      if (peer === undefined) continue;
      const kind = nodeKind(fabric, at(fabric.ports.node, peer));
      if (kind === "aggregation") side.aggregationNodes += 1;
      if (kind !== "hca") continue;
      if (!linkIsActive(fabric, at(fabric.ports.link, port))) side.adaptersNotActive += 1;
      else if (at(fabric.ports.lid, peer) === 0) side.adaptersWithoutLid += 1;
    }
  }
  return side;
}

/** Sentence and remedy for a side of a cable on which no host can take part. */
export function emptySideReason(
  fabric: Fabric,
  graph: SwitchGraph,
  start: number,
  link: number,
): { readonly reason: string; readonly help: string } {
  const side = surveySide(fabric, graph, start, link);
  const name = nodeName(fabric, start);
  const where = side.switches === 1 ? `At ${name}` : `Beyond ${name} (${count(side.switches, "switch", "switches")})`;
  if (side.adaptersNotActive + side.adaptersWithoutLid > 0) {
    const found = [
      ...(side.adaptersNotActive > 0 ? [`${count(side.adaptersNotActive, "adapter port")} not Active`] : []),
      ...(side.adaptersWithoutLid > 0 ? [`${count(side.adaptersWithoutLid, "adapter port")} without a LID`] : []),
    ];
    return {
      reason: `${where} no host can take part: ${found.join(", ")}.`,
      help: `Bring the port of one host beyond ${name} up, then collect again.`,
    };
  }
  if (side.aggregationNodes > 0) {
    return {
      reason: `${where} there are only aggregation nodes (SHARP) and no host: no program runs there that could answer.`,
      help: `Connect a host beyond ${name}, or measure the other cables of the switch.`,
    };
  }
  return {
    reason: `${where} there is no host, so nothing can be sent over this cable from end to end.`,
    help: `Connect a host beyond ${name}, or compare the error counters of both ends instead.`,
  };
}
