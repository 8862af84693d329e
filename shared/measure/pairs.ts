/** Which two hosts have their shortest path over a given cable between two switches. */
import { at } from "../fabric/access.ts";
import { hasFinding, unsuitability, type Attachment } from "./endpoints.ts";
import { distancesFrom, type Distances, type SwitchGraph } from "./paths.ts";

interface Pair {
  readonly client: Attachment;
  readonly server: Attachment;
}

/** A pair with the number of equally short ways between its leaves, and how many of them use the cable in question. */
export interface CrossingPair extends Pair {
  readonly ways: number;
  readonly waysAcross: number;
}

/** A cable between switches, in the direction of the client's data. */
export interface Crossing {
  readonly from: number;
  readonly to: number;
  readonly gbps: number;
}

/** Attachments of one switch, best suited first. */
interface Leaf {
  readonly node: number;
  readonly attachments: readonly Attachment[];
}

export interface CrossingSearch {
  readonly fromDistances: Distances;
  readonly toDistances: Distances;
  /** Adapter ports for which the cable is on a shortest way to its far end. */
  readonly clients: readonly Attachment[];
  readonly servers: readonly Attachment[];
}

/** Order of preference among ports at the same distance. */
export function compareSuitability(gbps: number): (a: Attachment, b: Attachment) => number {
  return (a, b) =>
    unsuitability(a, gbps) - unsuitability(b, gbps) ||
    Number(hasFinding(a)) - Number(hasFinding(b)) ||
    b.gbps - a.gbps ||
    a.port - b.port;
}

/** Finds who can stand on either side of a cable. Two searches over the graph. */
export function searchCrossing(
  graph: SwitchGraph,
  attachments: readonly Attachment[],
  { from, to }: Crossing,
): CrossingSearch {
  const fromDistances = distancesFrom(graph, from);
  const toDistances = distancesFrom(graph, to);
  const onSide = (near: Distances, far: Distances) => (attachment: Attachment) => {
    const hops = at(near.hops, attachment.leaf);
    return hops >= 0 && at(far.hops, attachment.leaf) === hops + 1;
  };
  return {
    fromDistances,
    toDistances,
    clients: attachments.filter(onSide(fromDistances, toDistances)),
    servers: attachments.filter(onSide(toDistances, fromDistances)),
  };
}

function byLeaf(attachments: readonly Attachment[], near: Distances, gbps: number): Leaf[] {
  const leaves = new Map<number, Attachment[]>();
  for (const attachment of attachments) {
    const known = leaves.get(attachment.leaf);
    if (known === undefined) leaves.set(attachment.leaf, [attachment]);
    else known.push(attachment);
  }
  const compare = compareSuitability(gbps);
  const hopsTo = (leaf: Leaf): number => at(near.hops, leaf.node);
  return [...leaves]
    .map(([node, list]) => ({ node, attachments: list.sort(compare) }))
    .sort((a, b) => hopsTo(a) - hopsTo(b) || a.node - b.node);
}

/** The best two ports of two leaves that are not on one host. */
function twoHosts(clients: Leaf, servers: Leaf): Pair | undefined {
  for (const client of clients.attachments) {
    const server = servers.attachments.find((candidate) => candidate.name !== client.name);
    if (server !== undefined) return { client, server };
  }
  return undefined;
}

/** The pair with the fewest cables among the given ports; exact, as each leaf of a client is searched from. */
function shortestPair(
  graph: SwitchGraph,
  search: CrossingSearch,
  clients: readonly Attachment[],
  servers: readonly Attachment[],
  gbps: number,
): CrossingPair | undefined {
  const { fromDistances, toDistances } = search;
  const clientLeaves = byLeaf(clients, fromDistances, gbps);
  const serverLeaves = byLeaf(servers, toDistances, gbps);
  const nearestServer = serverLeaves[0];
  if (nearestServer === undefined) return undefined;
  const least = at(toDistances.hops, nearestServer.node);
  let best: CrossingPair | undefined;
  let bestHops = Number.POSITIVE_INFINITY;
  for (const clientLeaf of clientLeaves) {
    const before = at(fromDistances.hops, clientLeaf.node) + 1;
    if (before + least >= bestHops) break;
    const distances = distancesFrom(graph, clientLeaf.node);
    for (const serverLeaf of serverLeaves) {
      const hops = before + at(toDistances.hops, serverLeaf.node);
      if (hops >= bestHops) break;
      if (at(distances.hops, serverLeaf.node) !== hops) continue;
      const pair = twoHosts(clientLeaf, serverLeaf);
      if (pair === undefined) continue;
      best = {
        ...pair,
        ways: at(distances.ways, serverLeaf.node),
        waysAcross: at(fromDistances.ways, clientLeaf.node) * at(toDistances.ways, serverLeaf.node),
      };
      bestHops = hops;
    }
  }
  return best;
}

/**
 * The pair of hosts with the shortest path over the cable. Ports that suit come first; those that would colour the
 * result, and hosts of subnet managers, only when there is no pair without them.
 */
export function bestCrossingPair(
  graph: SwitchGraph,
  search: CrossingSearch,
  { gbps }: Crossing,
): CrossingPair | undefined {
  for (const allowed of [0, 1, 2]) {
    const fits = (attachment: Attachment): boolean => unsuitability(attachment, gbps) <= allowed;
    const pair = shortestPair(graph, search, search.clients.filter(fits), search.servers.filter(fits), gbps);
    if (pair !== undefined) return pair;
  }
  return undefined;
}

/**
 * The ports that could replace one side of a pair while the other stays, best first: their shortest path to `fixed`
 * has the cable on it too.
 */
export function replacements(
  graph: SwitchGraph,
  candidates: readonly Attachment[],
  fixed: Attachment,
  near: Distances,
  acrossHops: number,
  gbps: number,
): readonly Attachment[] {
  const distances = distancesFrom(graph, fixed.leaf);
  const hopsTo = (attachment: Attachment): number => at(near.hops, attachment.leaf);
  const compare = compareSuitability(gbps);
  return candidates
    .filter(
      (candidate) =>
        candidate.name !== fixed.name && at(distances.hops, candidate.leaf) === hopsTo(candidate) + acrossHops,
    )
    .sort((a, b) => unsuitability(a, gbps) - unsuitability(b, gbps) || hopsTo(a) - hopsTo(b) || compare(a, b));
}
