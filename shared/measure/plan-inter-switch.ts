/** A cable between two switches: the pair of hosts whose shortest path crosses it. Likely, not proven. */
import { count, groupDigits } from "../base/text.ts";
import { ok, type Result } from "../base/result.ts";
import type { AppError } from "../errors/kinds.ts";
import { at, hostName, linkGbps, linkName, nodeName } from "../fabric/access.ts";
import type { Fabric } from "../fabric/model.ts";
import { usableAttachments, type Attachment, type HealthColumns } from "./endpoints.ts";
import {
  bestCrossingPair,
  replacements,
  searchCrossing,
  type Crossing,
  type CrossingPair,
  type CrossingSearch,
} from "./pairs.ts";
import { buildSwitchGraph, distancesFrom, shortestPath, type SwitchGraph } from "./paths.ts";
import type { Choice, Route } from "./route.ts";
import { emptySideReason, noPath } from "./reasons.ts";

interface Found {
  readonly crossing: Crossing;
  readonly search: CrossingSearch;
  readonly pair: CrossingPair;
}

function named(fabric: Fabric, attachments: readonly Attachment[], name: string | undefined): readonly Attachment[] {
  return name === undefined ? attachments : attachments.filter(({ host }) => hostName(fabric, host) === name);
}

/** Plans a cable between switches. */
export function planInterSwitch(
  fabric: Fabric,
  analysis: HealthColumns,
  link: number,
  choice: Choice,
  direction?: "a-to-b" | "b-to-a",
): Result<Route, AppError> {
  const graph = buildSwitchGraph(fabric);
  const all = usableAttachments(fabric, analysis);
  const a = at(fabric.ports.node, at(fabric.links.a, link));
  const b = at(fabric.ports.node, at(fabric.links.b, link));
  if (a === b) {
    return noPath(
      fabric,
      link,
      `Both ends of the cable are on ${nodeName(fabric, a)}: no route goes over a loop.`,
      "Plug one end into another switch.",
    );
  }
  const gbps = linkGbps(fabric, link);
  const asked = choice.client !== undefined || choice.server !== undefined;
  // Who chose a host may have chosen one of either side; else the client is on the side of end A.
  const crossings = [
    ...(direction === "b-to-a" ? [] : [{ from: a, to: b, gbps }]),
    ...(direction === "b-to-a" || (direction === undefined && asked) ? [{ from: b, to: a, gbps }] : []),
  ];
  let unrestricted: CrossingPair | undefined;
  for (const crossing of crossings) {
    const search = searchCrossing(graph, all, crossing);
    const clients = named(fabric, search.clients, choice.client);
    const servers = named(fabric, search.servers, choice.server);
    const pair = bestCrossingPair(graph, { ...search, clients, servers }, crossing);
    if (pair !== undefined) return ok(toRoute(fabric, graph, link, { crossing, search, pair }));
    if (asked) unrestricted ??= bestCrossingPair(graph, search, crossing);
  }
  if (unrestricted !== undefined) return refuseChoice(fabric, graph, all, link, choice, unrestricted);
  return refuse(fabric, graph, all, link, a, b);
}

function toRoute(fabric: Fabric, graph: SwitchGraph, link: number, { crossing, search, pair }: Found): Route {
  const { client, server, ways, waysAcross } = pair;
  const before = shortestPath(fabric, graph, client.leaf, crossing.from) ?? [];
  const after = shortestPath(fabric, graph, crossing.to, server.leaf) ?? [];
  const toServer = at(search.toDistances.hops, server.leaf) + 1;
  const toClient = at(search.fromDistances.hops, client.leaf) + 1;
  const clientName = hostName(fabric, client.host);
  const serverName = hostName(fabric, server.host);
  const name = linkName(fabric, link);
  return {
    client,
    server,
    links: [client.link, ...before.map((step) => step.link), link, ...after.map((step) => step.link), server.link],
    basis: "shortest-path",
    will: `Measures the way from ${clientName} to ${serverName}, which by shortest path crosses ${name}.`,
    cannot:
      ways === 1 && waysAcross === 1
        ? `By shortest path, not proven: it is the only shortest way between ${clientName} and ${serverName}, but the forwarding tables were not asked.`
        : `By shortest path, not proven: there are ${groupDigits(ways)} equally short ways between ${clientName} and ${serverName} (other switches, parallel cables), and ${groupDigits(waysAcross)} of them ${waysAcross === 1 ? "crosses" : "cross"} ${name}. The subnet manager may have chosen another.`,
    clients: replacements(graph, search.clients, server, search.fromDistances, toServer, crossing.gbps),
    servers: replacements(graph, search.servers, client, search.toDistances, toClient, crossing.gbps),
  };
}

/** The cable can be measured, only not with the hosts that were chosen. */
function refuseChoice(
  fabric: Fabric,
  graph: SwitchGraph,
  all: readonly Attachment[],
  link: number,
  choice: Choice,
  possible: Pick<CrossingPair, "client" | "server">,
): Result<never, AppError> {
  const help = `Choose for instance ${hostName(fabric, possible.client.host)} and ${hostName(fabric, possible.server.host)}.`;
  for (const name of [choice.client, choice.server]) {
    if (name !== undefined && named(fabric, all, name).length === 0) {
      return noPath(
        fabric,
        link,
        `${name} cannot take part: the fabric has no such host with an Active port and a LID.`,
        help,
      );
    }
  }
  const { client, server } = choice;
  if (client === undefined || server === undefined) {
    return noPath(
      fabric,
      link,
      `No shortest path from ${client ?? server ?? ""} to another host crosses ${linkName(fabric, link)}.`,
      help,
    );
  }
  if (client === server) {
    return noPath(
      fabric,
      link,
      `${client} cannot be client and server at once: a test inside one host may never leave its adapter.`,
      help,
    );
  }
  const leafOf = (name: string): number => named(fabric, all, name)[0]?.leaf ?? 0;
  const hops = at(distancesFrom(graph, leafOf(client)).hops, leafOf(server));
  const direct =
    hops < 0 ? "no path joins them" : `their shortest path has ${count(hops + 2, "cable")} and goes another way`;
  return noPath(
    fabric,
    link,
    `Nothing between ${client} and ${server} crosses ${linkName(fabric, link)}: ${direct}.`,
    help,
  );
}

function refuse(
  fabric: Fabric,
  graph: SwitchGraph,
  all: readonly Attachment[],
  link: number,
  a: number,
  b: number,
): Result<never, AppError> {
  if (all.length === 0) {
    return noPath(
      fabric,
      link,
      "The fabric has no host with an Active port and a LID, so nobody can send anything.",
      "Bring two hosts up, check that a subnet manager runs, then collect again.",
    );
  }
  for (const side of [a, b]) {
    const { hops } = distancesFrom(graph, side, link);
    if (!all.some(({ leaf }) => at(hops, leaf) >= 0)) {
      const { reason, help } = emptySideReason(fabric, graph, side, link);
      return noPath(fabric, link, reason, help);
    }
  }
  const hosts = new Set(all.map(({ host }) => host));
  if (hosts.size === 1) {
    return noPath(
      fabric,
      link,
      "There is only one host in the fabric that can take part, and a test needs two.",
      "Bring another host up, then collect again.",
    );
  }
  return noPath(
    fabric,
    link,
    `Every pair of hosts has a shorter way that avoids ${linkName(fabric, link)}, so no route is expected to use it.`,
    "Measure the cables of the shorter ways, or connect a host closer to this one.",
  );
}
