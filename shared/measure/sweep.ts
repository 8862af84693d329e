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
  /** The whole plan, made when it is asked for. */
  plan(): MeasurePlan;
  /**
   * What other pairs are planned from when the trace shows another way. A pair by shortest path is a guess: other hosts
   * may take its place, as in a single measurement. One by the tables, or of a host's cable, stays.
   */
  input(): PlanInput;
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
  /** Seconds that all rounds take, as planned: when every pair keeps its way. */
  readonly seconds: number;
  /**
   * The same when pairs are exchanged after their traces, and rounds need as many turns as are tried together. Only a
   * round whose pairs meet oftener than that takes longer still.
   */
  readonly secondsMost: number;
  readonly secondsPerRound: number;
}

/** Who measures one link: a pair of the search of sweeps, or a whole plan. Plain data. */
interface DraftItem extends Omit<SweepItem, "plan" | "input"> {
  readonly found: { readonly pair: SweepPair } | { readonly plan: MeasurePlan };
}

/** A sweep as a worker hands it over: plain data that {@link sweepFromDraft} makes a sweep of. */
export interface SweepDraft {
  readonly rounds: readonly (readonly DraftItem[])[];
  readonly lowerBound: number;
  readonly refused: readonly RefusedLink[];
}

interface Planned {
  readonly draft: DraftItem;
  readonly hosts: readonly [string, string];
  /** What it needs for itself. */
  readonly needs: readonly number[];
}

/** Plans a sweep. O(links × (endpoints of one switch + paths)). */
export function planSweep(fabric: Fabric, analysis: HealthColumns, input: SweepInput): Sweep {
  return sweepFromDraft(fabric, input, draftSweep(fabric, analysis, input));
}

/** Links between two words on how far the planning is. */
const linksBetweenReports = 250;

/** The search behind {@link planSweep}. `onProgress` hears how many links have been looked at. */
export function draftSweep(
  fabric: Fabric,
  analysis: HealthColumns,
  input: SweepInput,
  onProgress: (done: number, total: number) => void = () => undefined,
): SweepDraft {
  const pairs = new SweepPairs(fabric, analysis, input.routes);
  const planned: Planned[] = [];
  const refused: RefusedLink[] = [];
  const resources = new ResourceNumbers();
  for (const [position, link] of input.links.entries()) {
    if (position % linksBetweenReports === 0) onProgress(position, input.links.length);
    const pair = pairs.take(link);
    if (pair !== undefined) {
      planned.push(fromPair(fabric, link, pair, resources));
      continue;
    }
    // The search of sweeps leaves rare cases out; the planner of single links has the last word, and the reason.
    const { routes } = input;
    const plan = planMeasurement(fabric, analysis, {
      ...planInput(fabric, input, link),
      ...(routes === undefined ? {} : { routes }),
    });
    if (plan.ok) planned.push(fromPlan(plan.value, resources));
    else {
      refused.push({
        link: linkId(fabric, link),
        linkName: linkName(fabric, link),
        reason: explain(plan.error).sentence,
      });
    }
  }
  onProgress(input.links.length, input.links.length);
  const cap = Math.max(1, input.concurrency ?? Number.POSITIVE_INFINITY);
  const { rounds, lowerBound } = colour(planned, cap, resources.count);
  return { rounds: rounds.map((round) => round.map(({ draft }) => draft)), lowerBound, refused };
}

/** The sweep of a draft, over the same fabric and with the same input. */
export function sweepFromDraft(fabric: Fabric, input: Omit<SweepInput, "links">, draft: SweepDraft): Sweep {
  const rounds = draft.rounds.map((round) => round.map((item) => sweepItem(fabric, input, item)));
  const secondsPerRound = rounds[0]?.[0]?.plan().seconds ?? 0;
  const { lowerBound, refused } = draft;
  const turns = rounds.reduce((sum, round) => sum + Math.min(turnsTogether, 1 + pairsThatMayWait(round)), 0);
  return {
    ...{ rounds, lowerBound, refused, secondsPerRound },
    seconds: rounds.length * secondsPerRound,
    secondsMost: turns * secondsPerRound,
  };
}

/** Turns of a round in which all pairs that wait try at once, those after the first turn included; each try costs a trace. */
export const turnsTogether = 4;

/**
 * Pairs of a round that may have to wait for others of it: those whose way nothing has shown, which are exchanged when
 * their trace shows another. One of a round never waits.
 */
export function pairsThatMayWait(round: readonly SweepItem[]): number {
  const guessed = round.reduce((sum, { basis }) => sum + (basis === "shortest-path" ? 1 : 0), 0);
  return Math.max(0, Math.min(guessed, round.length - 1));
}

function planInput(fabric: Fabric, input: Omit<SweepInput, "links">, link: number): PlanInput {
  const { fabricId, options, simulated } = input;
  return { link, fabricId, planId: `sweep ${linkId(fabric, link)}`, options, simulated };
}

/** Thousands at once: what only the run of one needs is made when it is asked for. */
function sweepItem(fabric: Fabric, input: Omit<SweepInput, "links">, item: DraftItem): SweepItem {
  const { found, ...shown } = item;
  const { routes } = input;
  const wanted = (): PlanInput => planInput(fabric, input, shown.linkIndex);
  const routed = (): PlanInput => (routes === undefined ? wanted() : { ...wanted(), routes });
  if ("plan" in found) return { ...shown, input: routed, plan: () => found.plan };
  const { pair } = found;
  const { client, server, links, basis } = pair;
  const hosts = { client: shown.clientHost, server: shown.serverHost };
  return {
    ...shown,
    input: () => (basis === "shortest-path" ? routed() : { ...routed(), ...hosts }),
    plan: () =>
      assemblePlan(fabric, wanted(), {
        ...{ client, server, links, basis, ...words(pair, shown.linkName) },
        ...{ clients: [], servers: [] },
      }),
  };
}

function hostNames(fabric: Fabric, { client, server }: SweepPair): readonly [string, string] {
  return [fabric.strings[client.name] ?? "", fabric.strings[server.name] ?? ""];
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

function fromPair(fabric: Fabric, linkIndex: number, pair: SweepPair, resources: ResourceNumbers): Planned {
  const { client, server, links } = pair;
  const hosts = hostNames(fabric, pair);
  const needs = [
    ...hosts.map((host) => resources.of(`host ${host}`)),
    ...[client, server].map(({ node }) => resources.of(`node ${node}`)),
    ...links.map((link) => resources.of(`link ${link}`)),
  ];
  const [clientHost, serverHost] = hosts;
  const draft: DraftItem = {
    linkIndex,
    link: linkId(fabric, linkIndex),
    linkName: linkName(fabric, linkIndex),
    clientHost,
    serverHost,
    basis: pair.basis,
    cables: links.length,
    found: { pair },
  };
  return { draft, hosts, needs: [...new Set(needs)] };
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

function fromPlan(plan: MeasurePlan, resources: ResourceNumbers): Planned {
  const needs = [
    ...[plan.client, plan.server].flatMap(({ host, node }) => [
      resources.of(`host ${host}`),
      resources.of(`node ${node}`),
    ]),
    ...plan.path.map(({ linkIndex }) => resources.of(`link ${linkIndex}`)),
  ];
  return {
    draft: {
      linkIndex: plan.linkIndex,
      link: plan.link,
      linkName: plan.linkName,
      clientHost: plan.client.host,
      serverHost: plan.server.host,
      basis: plan.basis,
      cables: plan.path.length,
      found: { plan },
    },
    hosts: [plan.client.host, plan.server.host],
    needs: [...new Set(needs)],
  };
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
  const hosts = new Set(planned.flatMap((one) => one.hosts)).size;
  // A round has room for half the hosts.
  const room = Math.min(cap, Math.floor(hosts / 2));
  const lowerBound = Math.max(most, room > 0 ? Math.ceil(planned.length / room) : 0);
  return { rounds, lowerBound: planned.length === 0 ? 0 : Math.max(1, lowerBound) };
}
