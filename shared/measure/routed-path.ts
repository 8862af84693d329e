/** The way between two adapter ports by the forwarding tables. */
import type { RouteNetwork } from "../analyse/routes/network.ts";
import { routePath } from "../analyse/routes/path.ts";
import { at } from "../fabric/access.ts";
import type { Attachment } from "./endpoints.ts";

type End = Pick<Attachment, "node" | "port">;

/**
 * Link indices from the client to the server's base LID, which is the one that perftest sends to; undefined when the
 * packet does not arrive, or the tables do not tell.
 */
export function linksOfRoute(network: RouteNetwork, client: End, server: End): readonly number[] | undefined {
  const { ports } = network.fabric;
  const from = { node: client.node, port: client.port };
  const { end, hops } = routePath(network, from, at(ports.lid, server.port));
  return end.kind === "arrived" ? hops.map(({ out }) => at(ports.link, out)) : undefined;
}
