/**
 * A cable between two switches, by the forwarding tables: a pair of hosts whose route crosses it, with the fewest other
 * cables. perftest sends to the base LID of a port, so only the routes to base LIDs can be measured.
 */
import { pairsAcross, sourcesAcross } from "../analyse/routes/across.ts";
import { DestinationTree } from "../analyse/routes/destination-tree.ts";
import { homeRow, type RouteNetwork } from "../analyse/routes/network.ts";
import { ok, type Result } from "../base/result.ts";
import { groupDigits } from "../base/text.ts";
import type { AppError } from "../errors/kinds.ts";
import { at, hostName, linkGbps, linkName, portName } from "../fabric/access.ts";
import { none } from "../fabric/model.ts";
import { type Attachment, type HealthColumns, unsuitability, usableAttachments } from "./endpoints.ts";
import { noRouteReason } from "./no-route.ts";
import { compareSuitability } from "./pairs.ts";
import { noPath } from "./reasons.ts";
import { linksOfRoute } from "./routed-path.ts";
import type { Choice, Route } from "./route.ts";

export type Direction = "a-to-b" | "b-to-a";

/** What the tables say of one way across the cable. */
interface Way {
  /** Port index that the cable is left by. */
  readonly port: number;
  readonly pairs: number;
  readonly destinations: ReturnType<typeof pairsAcross>["destinations"];
}

interface RoutedPair {
  readonly way: Way;
  readonly client: Attachment;
  readonly server: Attachment;
  /** Cables from the client to the server. */
  readonly cables: number;
}

const replacementsListed = 50;

/**
 * Plans by routes.
 *
 * @returns undefined when there is no table of the switches in question; `no-path` with what carries the data instead
 * when no route of two hosts crosses the cable.
 */
export function planByRoutes(
  network: RouteNetwork,
  analysis: HealthColumns,
  link: number,
  choice: Choice,
  direction: Direction | undefined,
): Result<Route, AppError> | undefined {
  const { fabric, lfts } = network;
  const ends = [
    ...(direction === "b-to-a" ? [] : [at(fabric.links.a, link)]),
    ...(direction === "a-to-b" ? [] : [at(fabric.links.b, link)]),
  ];
  const known = ends.filter((port) => {
    const row = at(lfts.rowOfNode, at(fabric.ports.node, port));
    return row !== none && lfts.told[row] === 1;
  });
  if (known.length === 0) return undefined;
  const attachments = usableAttachments(fabric, analysis);
  const ways = known.map((port): Way => ({ port, ...pairsAcross(network, port) }));
  const gbps = linkGbps(fabric, link);
  const pair = bestPair(network, ways, attachments, choice, gbps);
  if (pair === undefined) {
    const free = bestPair(network, ways, attachments, {}, gbps);
    return free === undefined
      ? noRouteReason(network, link, ways, attachments)
      : refuseChoice(network, link, choice, attachments, free);
  }
  return ok(toRoute(network, link, pair, attachments, gbps));
}

/** The best pair of either way: suitable ports first, then the fewest cables, then end A to end B. */
function bestPair(
  network: RouteNetwork,
  ways: readonly Way[],
  attachments: readonly Attachment[],
  choice: Choice,
  gbps: number,
): RoutedPair | undefined {
  const search = new PairSearch(network, attachments, choice, gbps);
  for (const allowed of [0, 1, 2]) {
    let best: RoutedPair | undefined;
    for (const way of ways) {
      const pair = search.find(way, allowed, best?.cables ?? Number.POSITIVE_INFINITY);
      if (pair !== undefined) best = pair;
    }
    if (best !== undefined) return best;
  }
  return undefined;
}

class PairSearch {
  private readonly network: RouteNetwork;
  private readonly byPort: ReadonlyMap<number, Attachment>;
  private readonly choice: Choice;
  private readonly gbps: number;
  private readonly tree: DestinationTree;
  private readonly compare: (a: Attachment, b: Attachment) => number;

  constructor(network: RouteNetwork, attachments: readonly Attachment[], choice: Choice, gbps: number) {
    this.network = network;
    this.byPort = new Map(attachments.map((attachment) => [attachment.port, attachment]));
    this.choice = choice;
    this.gbps = gbps;
    this.tree = new DestinationTree(network);
    this.compare = compareSuitability(gbps);
  }

  /** The pair with the fewest cables below `fewerThan`, of ports that suit up to `allowed`. */
  find(way: Way, allowed: number, fewerThan: number): RoutedPair | undefined {
    const servers = way.destinations
      .flatMap((destination) => {
        const server = this.usable(destination.port, this.choice.server, allowed);
        return server === undefined ? [] : [{ server, destination }];
      })
      .sort((a, b) => a.destination.hops - b.destination.hops || this.compare(a.server, b.server));
    let best: RoutedPair | undefined;
    let least = fewerThan;
    for (const { server, destination } of servers) {
      // Sorted by the least that is possible: nothing better comes.
      if (destination.hops >= least) break;
      const client = this.closest(way, server, destination.lid, allowed);
      if (client === undefined || client.cables >= least) continue;
      if (allowed === 0 && this.isCapped(client.attachment, server)) continue;
      least = client.cables;
      best = { way, client: client.attachment, server, cables: client.cables };
    }
    return best;
  }

  /** Ports whose route to the LID crosses, the closest first. */
  clients(way: Way, server: Attachment, lid: number, allowed: number) {
    this.tree.follow(lid);
    return Array.from(sourcesAcross(this.network, way.port, lid))
      .flatMap((port) => {
        const attachment = this.usable(port, this.choice.client, allowed);
        if (attachment === undefined || attachment.name === server.name) return [];
        const cables = (this.tree.hops[homeRow(this.network, port)] ?? 0) + 1;
        return [{ attachment, cables }];
      })
      .sort((a, b) => a.cables - b.cables || this.compare(a.attachment, b.attachment));
  }

  /** A slower cable on the way would show its own rate. */
  private isCapped(client: Attachment, server: Attachment): boolean {
    return (linksOfRoute(this.network, client, server) ?? []).some((link) => {
      const rate = linkGbps(this.network.fabric, link);
      return rate > 0 && rate < this.gbps;
    });
  }

  private closest(way: Way, server: Attachment, lid: number, allowed: number) {
    return this.clients(way, server, lid, allowed)[0];
  }

  private usable(port: number, name: string | undefined, allowed: number): Attachment | undefined {
    const attachment = this.byPort.get(port);
    if (attachment === undefined || unsuitability(attachment, this.gbps) > allowed) return undefined;
    return name === undefined || hostName(this.network.fabric, attachment.host) === name ? attachment : undefined;
  }
}

function toRoute(
  network: RouteNetwork,
  link: number,
  { way, client, server }: RoutedPair,
  attachments: readonly Attachment[],
  gbps: number,
): Route {
  const { fabric } = network;
  const lid = at(fabric.ports.lid, server.port);
  const clientName = hostName(fabric, client.host);
  const serverName = hostName(fabric, server.host);
  const all = new PairSearch(network, attachments, {}, gbps);
  const byPort = new Map(attachments.map((attachment) => [attachment.port, attachment]));
  const servers: Attachment[] = [];
  for (const { port } of [...way.destinations].sort((a, b) => a.hops - b.hops)) {
    if (servers.length >= replacementsListed) break;
    const other = byPort.get(port);
    if (other === undefined || other.name === client.name) continue;
    if (linksOfRoute(network, client, other)?.includes(link) === true) servers.push(other);
  }
  return {
    client,
    server,
    links: linksOfRoute(network, client, server) ?? [],
    basis: "routes",
    will: `By the forwarding tables everything that ${clientName} sends to ${serverName} (LID ${lid}) crosses ${linkName(fabric, link)}, out of ${portName(fabric, way.port)}.`,
    cannot: `As of these tables ${groupDigits(way.pairs)} ${way.pairs === 1 ? "pair crosses" : "pairs cross"} the cable this way. Adaptive routing, or tables that have changed since, can send the data another way: the counters tell after the run.`,
    clients: all.clients(way, server, lid, 2).map(({ attachment }) => attachment),
    servers,
  };
}

/** The cable can be measured, only not with the hosts that were chosen. */
function refuseChoice(
  network: RouteNetwork,
  link: number,
  choice: Choice,
  attachments: readonly Attachment[],
  possible: RoutedPair,
): Result<never, AppError> {
  const { fabric } = network;
  const help = `Choose for instance ${hostName(fabric, possible.client.host)} as client and ${hostName(fabric, possible.server.host)} as server.`;
  const named = (name: string): readonly Attachment[] =>
    attachments.filter(({ host }) => hostName(fabric, host) === name);
  for (const name of [choice.client, choice.server]) {
    if (name !== undefined && named(name).length === 0) {
      const reason = `${name} cannot take part: the fabric has no such host with an Active port and a LID.`;
      return noPath(fabric, link, reason, help);
    }
  }
  const { client, server } = choice;
  if (client === undefined || server === undefined) {
    const reason = `By the forwarding tables no route ${client === undefined ? "to" : "from"} ${client ?? server ?? ""} crosses ${linkName(fabric, link)}.`;
    return noPath(fabric, link, reason, help);
  }
  if (client === server) {
    const reason = `${client} cannot be client and server at once: a test inside one host may never leave its adapter.`;
    return noPath(fabric, link, reason, help);
  }
  const [from] = named(client);
  const [to] = named(server);
  const links = from === undefined || to === undefined ? undefined : linksOfRoute(network, from, to);
  const way =
    links === undefined
      ? "by the forwarding tables nothing that it sends there arrives"
      : `by the forwarding tables the data goes over ${links.map((other) => linkName(fabric, other)).join(", then ")}`;
  const reason = `Nothing from ${client} to ${server} crosses ${linkName(fabric, link)}: ${way}.`;
  return noPath(fabric, link, reason, help);
}
