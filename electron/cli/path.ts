import type { RouteNetwork } from "../../shared/analyse/routes/network.ts";
import { type RouteEnd, type RouteEndpoint, type RoutePath, routePath } from "../../shared/analyse/routes/path.ts";
import { endSentence } from "../../shared/analyse/routes/words.ts";
import { guidToBigint } from "../../shared/base/guid.ts";
import { err, ok, type Result } from "../../shared/base/result.ts";
import { visibleText } from "../../shared/base/text.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import {
  adaptersOfHost,
  at,
  hostName,
  linkId,
  nodeDescription,
  nodeGuid,
  nodeKind,
  portGuid,
  portsOfNode,
} from "../../shared/fabric/access.ts";
import type { Fabric } from "../../shared/fabric/model.ts";
import { loadRoutes } from "./load-routes.ts";
import { readOptions } from "./options.ts";
import { decimal, guidOf, readNode } from "./places.ts";
import { fail, print, printJson, say } from "./terminal.ts";

interface Place extends RouteEndpoint {
  readonly lid: number;
}

/** Unicast LIDs (IBA 4.1.3). */
const lids = { first: 1, last: 0xbfff } as const;

/**
 * A LID in decimal (`57`) or as ibroute prints it (`0x0039`); a GUID, a port's or a node's; or the name of a node or a
 * host, as every text shows it. A node is an adapter's first port with a LID.
 */
function findPlace(network: RouteNetwork, text: string, option: string): Result<Place, AppError> {
  const { fabric, owners } = network;
  const usage = (detail: string): Result<never, AppError> => err({ kind: "bad-request", detail });
  const lid = /^0x[0-9a-f]{1,4}$/i.test(text) ? Number(text) : decimal(text);
  if (lid !== undefined && lid >= lids.first && lid <= lids.last) {
    const node = owners.nodeOf(lid);
    const port = owners.portOf(lid);
    if (node === undefined) return usage(`nobody has the LID ${lid} of --${option}`);
    return ok({ node, lid, ...(port === undefined ? {} : { port }) });
  }
  if (lid !== undefined) return usage(`--${option} takes a LID from ${lids.first} to ${lids.last}, not ${text}`);
  const guid = guidOf(text);
  if (guid === undefined) {
    const named = readNode(fabric, option, text, "a LID, ");
    if (named.ok) return placeOfNode(fabric, named.value, option);
    const adapters = adaptersOfHostNamed(fabric, text);
    const [adapter, second] = adapters;
    if (adapter === undefined) return named;
    if (second === undefined) return placeOfNode(fabric, adapter, option);
    const guids = adapters.map((one) => nodeGuid(fabric, one)).join(", ");
    return usage(`${text} has several adapters; give --${option} the GUID of one: ${guids}`);
  }
  const value = guidToBigint(guid);
  const ownPort = fabric.ports.guid.indexOf(value);
  if (ownPort >= 0 && at(fabric.ports.lid, ownPort) !== 0) {
    return ok({ node: at(fabric.ports.node, ownPort), port: ownPort, lid: at(fabric.ports.lid, ownPort) });
  }
  const node = fabric.nodes.guid.indexOf(value);
  return node < 0 ? err({ kind: "unknown-id", what: "node", id: text } as const) : placeOfNode(fabric, node, option);
}

/** Adapters of the host, or of the hosts, of that name. */
function adaptersOfHostNamed(fabric: Fabric, name: string): readonly number[] {
  const hosts = Array.from({ length: fabric.hosts.count }, (_, host) => host);
  return hosts.filter((host) => hostName(fabric, host) === name).flatMap((host) => adaptersOfHost(fabric, host));
}

/** A switch, or an adapter's first port with a LID. */
function placeOfNode(fabric: Fabric, node: number, option: string): Result<Place, AppError> {
  if (nodeKind(fabric, node) === "switch") {
    const own = at(fabric.nodes.lid, node);
    if (own !== 0) return ok({ node, lid: own });
  } else {
    const port = portsOfNode(fabric, node).find((candidate) => at(fabric.ports.lid, candidate) !== 0);
    if (port !== undefined) return ok({ node, port, lid: at(fabric.ports.lid, port) });
  }
  return err({ kind: "bad-request", detail: `the node of --${option} has no LID` });
}

/** LIDs of a place: a switch's own, an adapter port's, from the base LID to the last of its LMC. */
function lidRange(fabric: Fabric, { node, port }: RouteEndpoint): readonly [base: number, last: number] {
  const columns = port === undefined ? fabric.nodes : fabric.ports;
  const base = at(columns.lid, port ?? node);
  return [base, base + 2 ** at(columns.lmc, port ?? node) - 1];
}

/** As ibtracert calls the kinds; to it an aggregation node is an adapter. */
function traceKind(fabric: Fabric, node: number): string {
  const kind = nodeKind(fabric, node);
  return kind === "switch" || kind === "router" ? kind : "ca";
}

function endLine(fabric: Fabric, word: "From" | "To", place: RouteEndpoint): string {
  const [base, last] = lidRange(fabric, place);
  const number = place.port === undefined ? 0 : at(fabric.ports.number, place.port);
  return `${word} ${traceKind(fabric, place.node)} {${nodeGuid(fabric, place.node)}} portnum ${number} lid ${base}-${last} "${nodeDescription(fabric, place.node)}"`;
}

/** The place where a hop enters a node: a switch's LID belongs to the whole of it. */
function entry(fabric: Fabric, node: number, port: number): RouteEndpoint {
  return nodeKind(fabric, node) === "switch" ? { node } : { node, port };
}

/** GUID of the port that is entered; a switch's is that of its port 0, which is its node's. */
function entryGuid(fabric: Fabric, node: number, port: number): string {
  const own = nodeKind(fabric, node) === "switch" ? "" : portGuid(fabric, port);
  return own === "" ? nodeGuid(fabric, node) : own;
}

/** Line by line what ibtracert prints of this route. */
export function traceText(fabric: Fabric, path: RoutePath): string {
  const lines = [endLine(fabric, "From", path.from)];
  for (const hop of path.hops) {
    const [base, last] = lidRange(fabric, entry(fabric, hop.node, hop.in));
    lines.push(
      `[${at(fabric.ports.number, hop.out)}] -> ${traceKind(fabric, hop.node)} port {${entryGuid(fabric, hop.node, hop.in)}}[${at(fabric.ports.number, hop.in)}] lid ${base}-${last} "${nodeDescription(fabric, hop.node)}"`,
    );
  }
  if (path.end.kind === "arrived" && path.to !== undefined) lines.push(endLine(fabric, "To", path.to));
  return lines.map(visibleText).join("\n");
}

function placeReport(fabric: Fabric, place: RouteEndpoint): Record<string, unknown> {
  const [lid, lastLid] = lidRange(fabric, place);
  return {
    node: nodeGuid(fabric, place.node),
    port: place.port === undefined ? 0 : at(fabric.ports.number, place.port),
    lid,
    lastLid,
    kind: nodeKind(fabric, place.node),
    name: nodeDescription(fabric, place.node),
  };
}

function endReport(fabric: Fabric, end: RouteEnd): Record<string, unknown> {
  return { ...end, ...("node" in end ? { node: nodeGuid(fabric, end.node) } : {}) };
}

/** `ibex path --json`. A promise to scripts: add, never change. */
function pathReport(fabric: Fabric, path: RoutePath): unknown {
  return {
    from: placeReport(fabric, path.from),
    to: path.to === undefined ? null : placeReport(fabric, path.to),
    lid: path.lid,
    hops: path.hops.map(({ out, in: into, node }) => {
      const { lid, lastLid, kind, name, node: guid } = placeReport(fabric, entry(fabric, node, into));
      return {
        outPort: at(fabric.ports.number, out),
        inPort: at(fabric.ports.number, into),
        node: guid,
        portGuid: entryGuid(fabric, node, into),
        kind,
        lid,
        lastLid,
        name,
        link: linkId(fabric, at(fabric.ports.link, out)),
      };
    }),
    links: path.hops.length,
    reached: path.end.kind === "arrived",
    end: { ...endReport(fabric, path.end), message: endSentence(fabric, path) },
  };
}

/** `ibex path PATH… --from NODE|GUID|LID --to NODE|GUID|LID [--json]`: the routed hops, by the forwarding tables. */
export async function pathCommand(args: readonly string[]): Promise<number> {
  const options = readOptions(args, ["json", "from", "to"]);
  if (!options.ok) return fail(options.error, 2);
  const { words } = options.value;
  const fromText = options.value.text("from");
  const toText = options.value.text("to");
  if (words.length === 0 || fromText === undefined || toText === undefined) {
    const detail =
      "ibex path needs a capture and two ends: ibex path PATH --from END --to END, an END being a node's name, a GUID or a LID";
    return fail({ kind: "bad-request", detail }, 2);
  }
  const loaded = await loadRoutes(words);
  if (!loaded.ok) return fail(loaded.error, 2);
  const { network, routes } = loaded.value;
  const from = findPlace(network, fromText, "from");
  if (!from.ok) return fail(from.error, 2);
  const to = findPlace(network, toText, "to");
  if (!to.ok) return fail(to.error, 2);
  const { node, port } = from.value;
  const path = routePath(network, { node, ...(port === undefined ? {} : { port }) }, to.value.lid);
  const reached = path.end.kind === "arrived";
  if (options.value.flag("json")) printJson(pathReport(network.fabric, path));
  else print(traceText(network.fabric, path));
  for (const { file, line, message, severity } of routes.diagnostics) {
    if (severity !== "note") say(visibleText(`${file}${line > 0 ? `:${line}` : ""} ${message}`));
  }
  if (!reached) say(`ibex: ${visibleText(endSentence(network.fabric, path))}`);
  return reached ? 0 : 1;
}
