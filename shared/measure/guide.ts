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
  others(plan: MeasurePlan): Iterable<MeasurePlan> | AsyncIterable<MeasurePlan>;
}

/** Pairs of hosts that are not tried yet. Plain data. */
interface PairsLeft {
  readonly pairs: readonly { readonly client: string; readonly server: string }[];
  /** Adapter ports of those that were. */
  readonly tried: readonly string[];
}

/** The search for another pair: what the first plan was made from and, from the second step on, what is left. */
export interface OtherPairInput {
  readonly plan: MeasurePlan;
  /** Hosts that the user chose stay in every plan. */
  readonly input: PlanInput;
  readonly left?: PairsLeft;
}

/** The next pair for the same cable that can be planned, with what is left after it. */
export interface OtherPair {
  readonly plan: MeasurePlan;
  readonly left: PairsLeft;
}

const portsOf = ({ client, server }: MeasurePlan): string => `${client.portGuid} ${server.portGuid}`;

function allPairs(fabric: Fabric, analysis: HealthColumns, { plan, input }: OtherPairInput): PairsLeft["pairs"] {
  const chosen = input.client !== undefined && input.server !== undefined;
  // A pair of a sweep does not list who else could: then it is looked up here.
  const listed = plan.otherClients.length + plan.otherServers.length > 0 || chosen;
  const wide = listed ? undefined : planMeasurement(fabric, analysis, input);
  const { otherClients, otherServers } = wide?.ok === true ? wide.value : plan;
  const { client, server } = plan;
  // Where data goes is decided by the receiver's LID: another server is another way, another client rarely.
  return [
    ...(input.server === undefined ? otherServers.map((other) => ({ client: client.host, server: other })) : []),
    ...(input.client === undefined ? otherClients.map((other) => ({ client: other, server: server.host })) : []),
  ];
}

/** One step of the search; undefined when there is no further pair. Costs as many plans as pairs are passed over. */
export function otherPair(fabric: Fabric, analysis: HealthColumns, from: OtherPairInput): OtherPair | undefined {
  const { plan, input } = from;
  const { pairs, tried } = from.left ?? { pairs: allPairs(fabric, analysis, from), tried: [portsOf(plan)] };
  for (const [position, pair] of pairs.entries()) {
    const other = planMeasurement(fabric, analysis, { ...input, ...pair });
    if (!other.ok || tried.includes(portsOf(other.value))) continue;
    return {
      plan: other.value,
      left: { pairs: pairs.slice(position + 1), tried: [...tried, portsOf(other.value)] },
    };
  }
  return undefined;
}

/** A guide whose other pairs `next` finds, wherever it looks. */
export function guideWith(
  fabric: Fabric,
  input: PlanInput,
  next: (from: OtherPairInput) => Promise<OtherPair | undefined>,
): PlanGuide {
  return {
    along: (plan, trace) => planAlong(fabric, plan, trace),
    async *others(plan) {
      let found = await next({ plan, input });
      while (found !== undefined) {
        yield found.plan;
        found = await next({ plan, input, left: found.left });
      }
    },
  };
}

/** A guide that plans in this thread, for plans made with this input. */
export function createGuide(fabric: Fabric, analysis: HealthColumns, input: PlanInput): PlanGuide {
  return guideWith(fabric, input, (from) => Promise.resolve(otherPair(fabric, analysis, from)));
}

function planAlong(fabric: Fabric, plan: MeasurePlan, trace: Trace): MeasurePlan | undefined {
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
