/**
 * A sweep: many links in the fewest rounds in which no host, adapter or cable is used twice. The rounds are a greedy
 * colouring: the most contested measurements first, each into the first round where it meets nobody.
 */
import type { RouteNetwork } from "../analyse/routes/network.ts";
import { explain } from "../errors/explain.ts";
import { at, linkId, linkName } from "../fabric/access.ts";
import type { Fabric, LinkId } from "../fabric/model.ts";
import type { HealthColumns } from "./endpoints.ts";
import { assemblePlan, planMeasurement, type PlanInput } from "./plan.ts";
import { SweepPairs, type SweepPair } from "./sweep-pairs.ts";
import type { MeasureOptions, MeasurePlan } from "./types.ts";

export interface SweepInput {
  /** Link indices, each once. */
  readonly links: readonly number[];
  readonly fabricId: string;
  readonly options: MeasureOptions;
  readonly simulated: boolean;
  readonly routes?: RouteNetwork;
  /** Measurements at a time at most; as many as fit unless told. */
  readonly concurrency?: number;
}

export interface SweepItem {
  readonly linkIndex: number;
  readonly link: LinkId;
  readonly linkName: string;
  readonly clientHost: string;
  readonly serverHost: string;
  readonly basis: MeasurePlan["basis"];
  /** Cables from the client to the server. */
  readonly cables: number;
  /** The whole plan, made when it is asked for; and what it was made from. */
  plan(): MeasurePlan;
  readonly input: PlanInput;
}

export interface RefusedLink {
  readonly link: LinkId;
  readonly linkName: string;
  readonly reason: string;
}

export interface Sweep {
  readonly rounds: readonly (readonly SweepItem[])[];
  /** No order of these measurements has fewer rounds. */
  readonly lowerBound: number;
  readonly refused: readonly RefusedLink[];
  /** Seconds that all rounds take, as planned. */
  readonly seconds: number;
  readonly secondsPerRound: number;
}

interface Planned {
  readonly item: SweepItem;
  /** What it needs for itself. */
  readonly needs: readonly number[];
}

/** Plans a sweep. O(links × (endpoints of one switch + paths)). */
export function planSweep(fabric: Fabric, analysis: HealthColumns, input: SweepInput): Sweep {
  const pairs = new SweepPairs(fabric, analysis, input.routes);
  const planned: Planned[] = [];
  const refused: RefusedLink[] = [];
  const resources = new ResourceNumbers();
  for (const link of input.links) {
    const planInput: PlanInput = {
      link,
      fabricId: input.fabricId,
      planId: `sweep ${linkId(fabric, link)}`,
      options: input.options,
      simulated: input.simulated,
      ...(input.routes === undefined ? {} : { routes: input.routes }),
    };
    const pair = pairs.take(link);
    if (pair !== undefined) {
      planned.push(fromPair(fabric, planInput, pair, resources));
      continue;
    }
    // The search of sweeps leaves rare cases out; the planner of single links has the last word, and the reason.
    const plan = planMeasurement(fabric, analysis, planInput);
    if (plan.ok) planned.push(fromPlan(plan.value, planInput, resources));
    else {
      refused.push({
        link: linkId(fabric, link),
        linkName: linkName(fabric, link),
        reason: explain(plan.error).sentence,
      });
    }
  }
  const cap = Math.max(1, input.concurrency ?? Number.POSITIVE_INFINITY);
  const { rounds, lowerBound } = colour(planned, cap, resources.count);
  const first = planned[0]?.item.plan().seconds ?? 0;
  return {
    rounds: rounds.map((round) => round.map(({ item }) => item)),
    lowerBound,
    refused,
    seconds: rounds.length * first,
    secondsPerRound: first,
  };
}

/** Numbers for hosts and links, so that the colouring works on arrays. */
class ResourceNumbers {
  private readonly numbers = new Map<string, number>();

  get count(): number {
    return this.numbers.size;
  }

  of(name: string): number {
    const known = this.numbers.get(name);
    if (known !== undefined) return known;
    const number = this.numbers.size;
    this.numbers.set(name, number);
    return number;
  }
}

function fromPair(fabric: Fabric, input: PlanInput, pair: SweepPair, resources: ResourceNumbers): Planned {
  const { client, server, links, basis } = pair;
  const hostText = (name: number): string => fabric.strings[name] ?? "";
  const [clientHost, serverHost] = [hostText(client.name), hostText(server.name)];
  const name = linkName(fabric, input.link);
  const item: SweepItem = {
    linkIndex: input.link,
    link: linkId(fabric, input.link),
    linkName: name,
    clientHost,
    serverHost,
    basis,
    cables: links.length,
    input: { ...input, client: clientHost, server: serverHost },
    plan: () =>
      assemblePlan(fabric, input, { client, server, links, basis, ...words(pair, name), clients: [], servers: [] }),
  };
  const needs = [
    ...[clientHost, serverHost].map((host) => resources.of(`host ${host}`)),
    ...[client, server].map(({ node }) => resources.of(`node ${node}`)),
    ...links.map((link) => resources.of(`link ${link}`)),
  ];
  return { item, needs: [...new Set(needs)] };
}

function words({ basis }: SweepPair, name: string): { readonly will: string; readonly cannot: string } {
  switch (basis) {
    case "host-link":
      return {
        will: `Everything between the two hosts crosses ${name}.`,
        cannot: "A low result may come from the partner.",
      };
    case "routes":
      return { will: `By the forwarding tables the data crosses ${name}.`, cannot: "" };
    case "shortest-path":
      return {
        will: `By shortest path the data can cross ${name}.`,
        cannot: "Not proven: the way is traced before the run.",
      };
  }
}

function fromPlan(plan: MeasurePlan, input: PlanInput, resources: ResourceNumbers): Planned {
  const item: SweepItem = {
    linkIndex: plan.linkIndex,
    link: plan.link,
    linkName: plan.linkName,
    clientHost: plan.client.host,
    serverHost: plan.server.host,
    basis: plan.basis,
    cables: plan.path.length,
    input,
    plan: () => plan,
  };
  const needs = [
    ...[plan.client, plan.server].flatMap(({ host, node }) => [
      resources.of(`host ${host}`),
      resources.of(`node ${node}`),
    ]),
    ...plan.path.map(({ linkIndex }) => resources.of(`link ${linkIndex}`)),
  ];
  return { item, needs: [...new Set(needs)] };
}

function colour(
  planned: readonly Planned[],
  cap: number,
  resources: number,
): { readonly rounds: readonly (readonly Planned[])[]; readonly lowerBound: number } {
  const uses = new Uint32Array(resources);
  for (const { needs } of planned) for (const need of needs) uses[need] = at(uses, need) + 1;
  const most = uses.reduce((max, use) => Math.max(max, use), 0);
  const contest = ({ needs }: Planned): number => needs.reduce((max, need) => Math.max(max, at(uses, need)), 0);
  const ordered = planned
    .map((one) => ({ one, contest: contest(one), sum: one.needs.reduce((sum, need) => sum + at(uses, need), 0) }))
    .sort((a, b) => b.contest - a.contest || b.sum - a.sum);
  const rounds: Planned[][] = [];
  /** By round: 1 where a resource is in use. */
  const taken: Uint8Array[] = [];
  for (const { one } of ordered) {
    let round = 0;
    for (;;) {
      const inUse = taken[round];
      const members = rounds[round];
      if (inUse === undefined || members === undefined) break;
      if (members.length < cap && !one.needs.some((need) => inUse[need] === 1)) break;
      round += 1;
    }
    const inUse = taken[round] ?? new Uint8Array(resources);
    taken[round] = inUse;
    const members = rounds[round] ?? [];
    rounds[round] = members;
    members.push(one);
    for (const need of one.needs) inUse[need] = 1;
  }
  const hosts = new Set(planned.flatMap(({ item }) => [item.clientHost, item.serverHost])).size;
  // A round has room for half the hosts.
  const room = Math.min(cap, Math.floor(hosts / 2));
  const lowerBound = Math.max(most, room > 0 ? Math.ceil(planned.length / room) : 0);
  return { rounds, lowerBound: planned.length === 0 ? 0 : Math.max(1, lowerBound) };
}
