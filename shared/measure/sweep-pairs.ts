/**
 * Who measures each link of a sweep: pairs whose data crosses the link, spread over the hosts so that many can run at
 * once. With forwarding tables by the real routes, without by shortest paths. Built once for a fabric; what a link costs
 * does not grow with the number of links.
 */
import { DestinationTree } from "../analyse/routes/destination-tree.ts";
import { portOfRow, portsOfRow, type RouteNetwork } from "../analyse/routes/network.ts";
import { at, linkGbps, linkKind, nodeKind, peerPort } from "../fabric/access.ts";
import { type Fabric, none } from "../fabric/model.ts";
import { type Attachment, type HealthColumns, unsuitability, usableAttachments } from "./endpoints.ts";
import { buildSwitchGraph, type SwitchGraph } from "./paths.ts";
import { linksOfRoute } from "./routed-path.ts";

export interface SweepPair {
  readonly client: Attachment;
  readonly server: Attachment;
  /** Link indices from the client to the server. */
  readonly links: readonly number[];
  readonly basis: "host-link" | "routes" | "shortest-path";
}

/** Servers, and leaves of clients, looked at for one link; fewer servers where each costs a search for its clients. */
const serversTried = 24;
const serversSearched = 6;
const leavesTried = 24;
const far = 255;

export class SweepPairs {
  private readonly fabric: Fabric;
  private readonly network: RouteNetwork | undefined;
  private readonly graph: SwitchGraph;
  private readonly attachments: readonly Attachment[];
  private readonly byLeaf = new Map<number, Attachment[]>();
  private readonly byLink = new Map<number, Attachment>();
  private readonly tree: DestinationTree | undefined;
  /** By switch: servers by the port that leads to them. */
  private readonly behind = new Map<number, readonly (readonly Attachment[])[]>();
  /** By switch: cables to every other node, {@link far} where none leads. */
  private readonly distances = new Map<number, Uint8Array>();
  /** By switch: leaves with hosts, nearest first. */
  private readonly nearest = new Map<number, readonly number[]>();
  /** How often a host and a link are used so far. */
  private readonly hostLoad = new Map<number, number>();
  private readonly linkLoad: Uint32Array;

  constructor(fabric: Fabric, analysis: HealthColumns, network: RouteNetwork | undefined) {
    this.fabric = fabric;
    this.network = network;
    this.graph = buildSwitchGraph(fabric);
    // Hosts of subnet managers are left in peace: a sweep loads all others for long.
    this.attachments = usableAttachments(fabric, analysis).filter(({ manager }) => !manager);
    this.tree = network === undefined ? undefined : new DestinationTree(network);
    this.linkLoad = new Uint32Array(fabric.links.count);
    for (const attachment of this.attachments) {
      this.byLink.set(attachment.link, attachment);
      const others = this.byLeaf.get(attachment.leaf);
      if (others === undefined) this.byLeaf.set(attachment.leaf, [attachment]);
      else others.push(attachment);
    }
  }

  /** The pair for a link, counted as used; undefined when this search finds none. */
  take(link: number): SweepPair | undefined {
    const pair = linkKind(this.fabric, link) === "host" ? this.hostPair(link) : this.switchPair(link);
    if (pair === undefined || !pair.links.includes(link)) return undefined;
    for (const { name } of [pair.client, pair.server]) this.hostLoad.set(name, this.loadOf(name) + 1);
    for (const used of pair.links) this.linkLoad[used] = at(this.linkLoad, used) + 1;
    return pair;
  }

  private loadOf(name: number): number {
    return this.hostLoad.get(name) ?? 0;
  }

  private least(candidates: readonly Attachment[], gbps: number, not?: number): Attachment | undefined {
    let best: Attachment | undefined;
    let bestCost = Number.POSITIVE_INFINITY;
    for (const candidate of candidates) {
      if (candidate.name === not) continue;
      const cost =
        this.loadOf(candidate.name) + 1000 * unsuitability(candidate, gbps) + (candidate.health > 0 ? 0.5 : 0);
      if (cost >= bestCost) continue;
      best = candidate;
      bestCost = cost;
    }
    return best;
  }

  /** Sum of what the cables of a way carry already: parallel runs shall not meet. */
  private crowd(links: readonly number[]): number {
    return links.reduce((sum, link) => sum + at(this.linkLoad, link), 0);
  }

  /** A way with a cable that is slower than the measured one shows that cable's rate, not its own. */
  private isCapped(links: readonly number[], gbps: number): boolean {
    return links.some((link) => {
      const rate = linkGbps(this.fabric, link);
      return rate > 0 && rate < gbps;
    });
  }

  private hostPair(link: number): SweepPair | undefined {
    const own = this.byLink.get(link);
    if (own === undefined) return undefined;
    const partner =
      this.least(this.byLeaf.get(own.leaf) ?? [], own.gbps, own.name) ??
      this.nearestLeaves(own.leaf)
        .slice(0, leavesTried)
        .map((leaf) => this.least(this.byLeaf.get(leaf) ?? [], own.gbps, own.name))
        .find((found) => found !== undefined);
    if (partner === undefined) return undefined;
    const links = this.linksBetween(own, partner);
    return links === undefined ? undefined : { client: own, server: partner, links, basis: "host-link" };
  }

  private linksBetween(client: Attachment, server: Attachment): readonly number[] | undefined {
    if (this.network !== undefined) return linksOfRoute(this.network, client, server);
    const between = this.walk(client.leaf, server.leaf, client.gbps);
    return between === undefined ? undefined : [client.link, ...between, server.link];
  }

  private switchPair(link: number): SweepPair | undefined {
    const ends = [at(this.fabric.links.a, link), at(this.fabric.links.b, link)];
    for (const port of ends) {
      const pair = this.network === undefined ? this.shortest(link, port) : this.routed(this.network, link, port);
      if (pair !== undefined) return pair;
    }
    return undefined;
  }

  /** A pair whose route leaves by this port. */
  private routed(network: RouteNetwork, link: number, port: number): SweepPair | undefined {
    const node = at(this.fabric.ports.node, port);
    const gbps = linkGbps(this.fabric, link);
    const behind = this.serversBehind(network, node)[at(this.fabric.ports.number, port)] ?? [];
    const servers = this.leastBusy(behind, gbps, this.byLeaf.has(node) ? serversTried : serversSearched);
    let best: SweepPair | undefined;
    let bestCost = Number.POSITIVE_INFINITY;
    for (const { server, load } of servers) {
      // Nothing that comes has a less busy server.
      if (load >= bestCost) break;
      const client = this.least(this.clientsOver(network, node, server), gbps, server.name);
      if (client === undefined) continue;
      const links = linksOfRoute(network, client, server);
      if (links?.includes(link) !== true) continue;
      const cost =
        load +
        this.loadOf(client.name) +
        1000 * unsuitability(client, gbps) +
        this.crowd(links) / 8 +
        links.length / 100 +
        (this.isCapped(links, gbps) ? 500 : 0);
      if (cost >= bestCost) continue;
      best = { client, server, links, basis: "routes" };
      bestCost = cost;
    }
    return best;
  }

  /** The least busy of many, in one pass. */
  private leastBusy(
    candidates: readonly Attachment[],
    gbps: number,
    most: number,
  ): readonly { readonly server: Attachment; readonly load: number }[] {
    const kept: { server: Attachment; load: number }[] = [];
    for (const server of candidates) {
      const load = this.loadOf(server.name) + 1000 * unsuitability(server, gbps);
      const last = kept.at(-1);
      if (kept.length >= most && last !== undefined && load >= last.load) continue;
      let place = kept.length;
      while (place > 0 && (kept[place - 1]?.load ?? 0) > load) place -= 1;
      kept.splice(place, 0, { server, load });
      if (kept.length > most) kept.pop();
    }
    return kept;
  }

  /** Servers by the output port that a switch's table has for them. */
  private serversBehind(network: RouteNetwork, node: number): readonly (readonly Attachment[])[] {
    const known = this.behind.get(node);
    if (known !== undefined) return known;
    const { lfts } = network;
    const row = at(lfts.rowOfNode, node);
    const byPort: Attachment[][] = Array.from({ length: portsOfRow }, () => []);
    for (const server of row === none ? [] : this.attachments) {
      if (server.leaf === node) continue;
      byPort[portOfRow(lfts, row, this.fabric.ports.lid[server.port] ?? 0)]?.push(server);
    }
    this.behind.set(node, byPort);
    return byPort;
  }

  /** Ports whose route to a server passes a switch: its own hosts, else those of leaves that send that way. */
  private clientsOver(network: RouteNetwork, node: number, server: Attachment): readonly Attachment[] {
    const own = this.byLeaf.get(node);
    if (own !== undefined && own.length > 0) return own;
    const { tree } = this;
    if (tree === undefined) return [];
    tree.follow(at(this.fabric.ports.lid, server.port));
    const target = at(network.lfts.rowOfNode, node);
    const clients: Attachment[] = [];
    let leaves = 0;
    for (const leaf of this.nearestLeaves(node)) {
      if (leaves >= leavesTried) break;
      let row = at(network.lfts.rowOfNode, leaf);
      if ((tree.hops[row] ?? -1) < 0) continue;
      while (row >= 0 && row !== target) row = tree.next[row] ?? -1;
      if (row !== target) continue;
      leaves += 1;
      clients.push(...(this.byLeaf.get(leaf) ?? []));
    }
    return clients;
  }

  /** A pair whose shortest path can leave by this port. */
  private shortest(link: number, port: number): SweepPair | undefined {
    const from = at(this.fabric.ports.node, port);
    const peer = peerPort(this.fabric, port);
    if (peer === undefined) return undefined;
    const to = at(this.fabric.ports.node, peer);
    const gbps = linkGbps(this.fabric, link);
    const [near, beyond] = [this.distancesTo(from), this.distancesTo(to)];
    const isNear = (leaf: number): boolean => at(beyond, leaf) === at(near, leaf) + 1;
    const isBeyond = (leaf: number): boolean => at(near, leaf) === at(beyond, leaf) + 1;
    const clientLeaves = this.nearestLeaves(from).filter(isNear).slice(0, leavesTried);
    const serverLeaves = this.nearestLeaves(to).filter(isBeyond);
    const beyondLinks = new Map<number, readonly number[]>();
    const linksBeyond = (leaf: number): readonly number[] => {
      const links = beyondLinks.get(leaf) ?? this.walk(to, leaf, gbps) ?? [];
      beyondLinks.set(leaf, links);
      return links;
    };
    let best: { client: Attachment; server: Attachment; cost: number } | undefined;
    for (const clientLeaf of clientLeaves) {
      const distances = this.distancesTo(clientLeaf);
      const client = this.least(this.byLeaf.get(clientLeaf) ?? [], gbps);
      if (client === undefined) continue;
      const before = at(near, clientLeaf) + 1;
      let tried = 0;
      for (const serverLeaf of serverLeaves) {
        if (tried >= serversTried) break;
        if (at(distances, serverLeaf) !== before + at(beyond, serverLeaf)) continue;
        tried += 1;
        const server = this.least(this.byLeaf.get(serverLeaf) ?? [], gbps, client.name);
        if (server === undefined) continue;
        const after = linksBeyond(serverLeaf);
        const loads = this.loadOf(client.name) + this.loadOf(server.name) + this.crowd(after) / 8;
        const cost = 2 * at(distances, serverLeaf) + loads + (this.isCapped(after, gbps) ? 500 : 0);
        if (best === undefined || cost < best.cost) best = { client, server, cost };
      }
    }
    if (best === undefined) return undefined;
    const { client, server } = best;
    const [before, after] = [this.walk(client.leaf, from, gbps), this.walk(to, server.leaf, gbps)];
    if (before === undefined || after === undefined) return undefined;
    return { client, server, links: [client.link, ...before, link, ...after, server.link], basis: "shortest-path" };
  }

  private nearestLeaves(node: number): readonly number[] {
    const known = this.nearest.get(node);
    if (known !== undefined) return known;
    const distances = this.distancesTo(node);
    const leaves = [...this.byLeaf.keys()]
      .filter((leaf) => at(distances, leaf) < far)
      .sort((a, b) => at(distances, a) - at(distances, b) || a - b);
    this.nearest.set(node, leaves);
    return leaves;
  }

  private distancesTo(node: number): Uint8Array {
    const known = this.distances.get(node);
    if (known !== undefined) return known;
    const { start, neighbour } = this.graph;
    const distances = new Uint8Array(this.fabric.nodes.count).fill(far);
    const queue = [node];
    distances[node] = 0;
    for (const here of queue) {
      const next = Math.min(far - 1, (distances[here] ?? 0) + 1);
      const end = start[here + 1] ?? 0;
      for (let entry = start[here] ?? 0; entry < end; entry += 1) {
        const other = neighbour[entry] ?? 0;
        if (distances[other] !== far) continue;
        distances[other] = next;
        queue.push(other);
      }
    }
    this.distances.set(node, distances);
    return distances;
  }

  /** A shortest path between two switches over the least used cables, slower ones than `gbps` last. */
  private walk(from: number, to: number, gbps: number): readonly number[] | undefined {
    const distances = this.distancesTo(to);
    if (nodeKind(this.fabric, from) !== "switch" || at(distances, from) === far) return undefined;
    const links: number[] = [];
    let here = from;
    while (here !== to) {
      let best = -1;
      let bestLoad = Number.POSITIVE_INFINITY;
      for (let entry = at(this.graph.start, here); entry < at(this.graph.start, here + 1); entry += 1) {
        const next = at(this.graph.neighbour, entry);
        if (at(distances, next) !== at(distances, here) - 1) continue;
        const link = at(this.graph.link, entry);
        const load = at(this.linkLoad, link) + (this.isCapped([link], gbps) ? 500 : 0);
        if (load >= bestLoad) continue;
        best = entry;
        bestLoad = load;
      }
      if (best < 0) return undefined;
      links.push(at(this.graph.link, best));
      here = at(this.graph.neighbour, best);
    }
    return links;
  }
}
