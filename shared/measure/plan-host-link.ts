/** The cable of a host: everything the host sends or receives there crosses it, so any partner will do. */
import type { RouteNetwork } from "../analyse/routes/network.ts";
import { ok, type Result } from "../base/result.ts";
import type { AppError } from "../errors/kinds.ts";
import { at, hostName, hostOfNode, linkGbps, linkName, nodeKind, nodeName, portName } from "../fabric/access.ts";
import type { Fabric } from "../fabric/model.ts";
import { unsuitability, usableAttachments, type Attachment, type HealthColumns } from "./endpoints.ts";
import { compareSuitability } from "./pairs.ts";
import { buildSwitchGraph, distancesFrom, shortestPath } from "./paths.ts";
import type { Choice, Route } from "./route.ts";
import { noPath } from "./reasons.ts";
import { linksOfRoute } from "./routed-path.ts";

/** Partners whose route is looked up before the nearest is taken as it is. */
const partnersTried = 50;

/** Two adapters cabled to each other without a switch; undefined when one end is a switch. */
export function planBackToBack(
  fabric: Fabric,
  analysis: HealthColumns,
  link: number,
  choice: Choice,
): Result<Route, AppError> | undefined {
  const ports = [at(fabric.links.a, link), at(fabric.links.b, link)];
  const ends = ports.map((port) => {
    const node = at(fabric.ports.node, port);
    const host = nodeKind(fabric, node) === "hca" ? hostOfNode(fabric, node) : undefined;
    if (host === undefined) return undefined;
    const health = Math.max(analysis.linkHealth[link] ?? 0, analysis.nodeHealth[node] ?? 0);
    return {
      host,
      name: at(fabric.hosts.name, host),
      node,
      port,
      link,
      gbps: linkGbps(fabric, link),
      manager: false,
      health,
    };
  });
  const [first, second] = ends;
  if (first === undefined || second === undefined) return undefined;
  if (first.name === second.name) {
    return noPath(
      fabric,
      link,
      `Both ends of the cable are in one host, ${hostName(fabric, first.host)}: a test between them may never leave the machine.`,
      "Cable one end to another host or to a switch.",
    );
  }
  const lost = [first, second].find(({ port }) => at(fabric.ports.lid, port) === 0);
  if (lost !== undefined) return withoutLid(fabric, link, lost.port);
  const names = [first, second].map(({ host }) => hostName(fabric, host));
  for (const chosen of [choice.client, choice.server]) {
    if (chosen !== undefined && !names.includes(chosen)) {
      return noPath(
        fabric,
        link,
        `${chosen} is not at an end of this cable; it joins ${names.join(" and ")} directly.`,
        `Measure between ${names.join(" and ")}.`,
      );
    }
  }
  const swap = choice.client === names[1] || (choice.client === undefined && choice.server === names[0]);
  const [client, server] = swap ? [second, first] : [first, second];
  return ok({
    client,
    server,
    links: [link],
    basis: "host-link",
    will: `The cable joins the two hosts directly: the result is that of ${linkName(fabric, link)} and the two adapters.`,
    cannot: "It cannot tell a fault of the cable from one of the two adapters or their PCIe slots.",
    clients: [],
    servers: [],
  });
}

function withoutLid(fabric: Fabric, link: number, port: number): Result<never, AppError> {
  return noPath(
    fabric,
    link,
    `${portName(fabric, port)} has no LID, so nothing can be sent to it.`,
    "Check that a subnet manager runs, then collect again.",
  );
}

function ownAttachment(all: readonly Attachment[], link: number): Attachment | undefined {
  return all.find((attachment) => attachment.link === link);
}

/** A host's cable to a switch. */
export function planHostLink(
  fabric: Fabric,
  analysis: HealthColumns,
  link: number,
  choice: Choice,
  routes?: RouteNetwork,
): Result<Route, AppError> {
  const all = usableAttachments(fabric, analysis);
  const own = ownAttachment(all, link);
  const adapterPort = at(fabric.links.b, link);
  if (own === undefined) {
    if (at(fabric.ports.lid, adapterPort) === 0) return withoutLid(fabric, link, adapterPort);
    return noPath(
      fabric,
      link,
      `${portName(fabric, adapterPort)} belongs to no host that Ibex knows, so no test can be started there.`,
      "Give the adapter a node description with its host's name, then collect again.",
    );
  }
  const ownName = hostName(fabric, own.host);
  const graph = buildSwitchGraph(fabric);
  const { hops } = distancesFrom(graph, own.leaf);
  const reachable = all.filter(({ name, leaf }) => name !== own.name && at(hops, leaf) >= 0);
  const compare = compareSuitability(own.gbps);
  const partners = [...reachable].sort(
    (a, b) =>
      unsuitability(a, own.gbps) - unsuitability(b, own.gbps) || at(hops, a.leaf) - at(hops, b.leaf) || compare(a, b),
  );
  const roles = rolesOf(ownName, choice);
  if (roles === undefined) {
    return noPath(
      fabric,
      link,
      `Neither ${choice.client ?? ""} nor ${choice.server ?? ""} is ${ownName}: nothing between them crosses ${linkName(fabric, link)}.`,
      `Choose ${ownName} as client or as server.`,
    );
  }
  const ownIsServer = roles.ownIs === "server";
  const routed = (candidate: Attachment): readonly number[] | undefined =>
    routes === undefined
      ? undefined
      : linksOfRoute(routes, ownIsServer ? candidate : own, ownIsServer ? own : candidate);
  const wanted =
    roles.partner === undefined ? partners : partners.filter(({ host }) => hostName(fabric, host) === roles.partner);
  // A partner that the tables do not lead to is of no use; one of which they say nothing may be.
  const partner = wanted.slice(0, partnersTried).find((candidate) => routed(candidate) !== undefined) ?? wanted[0];
  if (partner === undefined) {
    const first = partners[0];
    if (roles.partner === undefined || first === undefined) {
      return noPath(
        fabric,
        link,
        `There is no second host that ${ownName} can reach: a test needs a partner with an Active port and a LID.`,
        "Bring another host of the fabric up, then collect again.",
      );
    }
    return noPath(
      fabric,
      link,
      roles.partner === ownName
        ? `${ownName} cannot be client and server at once: a test inside one host may never leave its adapter.`
        : `${roles.partner} cannot be the partner of ${ownName}: the fabric has no such host with an Active port and a LID that ${ownName} can reach.`,
      `Choose another host, for instance ${hostName(fabric, first.host)}.`,
    );
  }
  const byTables = routed(partner);
  const between = shortestPath(fabric, graph, own.leaf, partner.leaf) ?? [];
  const shortest = [own.link, ...between.map((step) => step.link), partner.link];
  const links = byTables ?? (ownIsServer ? shortest.reverse() : shortest);
  const partnerName = hostName(fabric, partner.host);
  const way =
    between.length === 0
      ? `Both hosts are on ${nodeName(fabric, own.leaf)}, so only their two cables are on the way.`
      : byTables === undefined
        ? `The way between ${nodeName(fabric, own.leaf)} and ${nodeName(fabric, partner.leaf)} is the shortest path, not proven.`
        : `The way between ${nodeName(fabric, own.leaf)} and ${nodeName(fabric, partner.leaf)} is that of the forwarding tables.`;
  return ok({
    client: ownIsServer ? partner : own,
    server: ownIsServer ? own : partner,
    links,
    basis: "host-link",
    will: `Everything between ${ownName} and ${partnerName} crosses ${linkName(fabric, link)}. ${way}`,
    cannot: `A low result may come from ${partnerName} or its cable as well: measure once more with another partner to tell.`,
    clients: ownIsServer ? partners : [],
    servers: ownIsServer ? [] : partners,
  });
}

/** Which role the cable's own host takes, and the partner that was chosen; undefined when it is in neither role. */
function rolesOf(
  own: string,
  { client, server }: Choice,
): { readonly ownIs: "client" | "server"; readonly partner?: string } | undefined {
  if (client === undefined && server === undefined) return { ownIs: "client" };
  if (client === own || client === undefined) {
    if (client === undefined && server === own) return { ownIs: "server" };
    return { ownIs: "client", ...(server === undefined ? {} : { partner: server }) };
  }
  if (server === own || server === undefined) return { ownIs: "server", partner: client };
  return undefined;
}
