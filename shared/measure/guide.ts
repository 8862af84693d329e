/** What a run needs of the fabric that its plan was made from: traced ways as paths, and other pairs for the same cable. */
import { formatGuid, guidToBigint } from "../base/guid.ts";
import { at, nodeGuid, peerPort, portByNumber, portGuid } from "../fabric/access.ts";
import type { Fabric } from "../fabric/model.ts";
import type { parseIbtracert } from "../parse/ibtracert.ts";
import { besidePorts } from "./beside.ts";
import type { HealthColumns } from "./endpoints.ts";
import { slowestOf, stepsToHops } from "./hops.ts";
import { planMeasurement, type PlanInput } from "./plan.ts";
import type { MeasurePlan } from "./types.ts";

/** One trace as the parser reads it. */
export type Trace = ReturnType<typeof parseIbtracert>["records"]["traces"][number];

export interface PlanGuide {
  /** The plan with the traced way as its path; undefined when the trace does not fit the fabric. */
  along(plan: MeasurePlan, trace: Trace): MeasurePlan | undefined;
  /** Plans of other pairs for the same cable, most likely first. */
  others(plan: MeasurePlan): Iterable<MeasurePlan>;
}

/** A guide for plans made with this input. Hosts that the user chose stay in every plan. */
export function createGuide(fabric: Fabric, analysis: HealthColumns, input: PlanInput): PlanGuide {
  return {
    along(plan, trace) {
      const links = linksOfTrace(fabric, trace);
      const from = fabric.nodes.guid.indexOf(guidToBigint(trace.from.guid));
      if (links === undefined || from < 0) return undefined;
      const path = stepsToHops(fabric, from, links);
      const slowest = slowestOf(path, plan.linkIndex);
      return {
        ...plan,
        path,
        hops: path.length - 1,
        slowestGbps: slowest.gbps,
        slowestHop: slowest.hop,
        beside: besidePorts(fabric, path, plan.linkIndex),
      };
    },
    *others(plan) {
      const tried = new Set([`${plan.client.portGuid} ${plan.server.portGuid}`]);
      const pairs = [
        // Where data goes is decided by the receiver's LID: another server is another way, another client rarely.
        ...(input.server === undefined
          ? plan.otherServers.map((server) => ({ client: plan.client.host, server }))
          : []),
        ...(input.client === undefined
          ? plan.otherClients.map((client) => ({ client, server: plan.server.host }))
          : []),
      ];
      for (const pair of pairs) {
        const other = planMeasurement(fabric, analysis, { ...input, ...pair });
        if (!other.ok) continue;
        const key = `${other.value.client.portGuid} ${other.value.server.portGuid}`;
        if (tried.has(key)) continue;
        tried.add(key);
        yield other.value;
      }
    },
  };
}

/** True when a trace line names the node that a port belongs to: by its node GUID, or by the port's own. */
function isAt(fabric: Fabric, port: number, place: Trace["hops"][number]): boolean {
  const guid = formatGuid(place.guid);
  return guid === nodeGuid(fabric, at(fabric.ports.node, port)) || guid === portGuid(fabric, port);
}

/** Link indices of a trace that arrived; undefined when a cable of it is not in the fabric. */
function linksOfTrace(fabric: Fabric, trace: Trace): readonly number[] | undefined {
  if (trace.to === undefined) return undefined;
  let node = fabric.nodes.guid.indexOf(guidToBigint(trace.from.guid));
  const links: number[] = [];
  for (const hop of trace.hops) {
    if (node < 0) return undefined;
    const out = portByNumber(fabric, node, hop.out);
    const into = out === undefined ? undefined : peerPort(fabric, out);
    if (out === undefined || into === undefined || at(fabric.ports.number, into) !== hop.in) return undefined;
    if (!isAt(fabric, into, hop)) return undefined;
    links.push(at(fabric.ports.link, out));
    node = at(fabric.ports.node, into);
  }
  return links.length === 0 ? undefined : links;
}
