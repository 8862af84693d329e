/** dump_fts and ibroute, as version 44 prints them. */
import { discoveryOrder, peerOf, type SimulatedNode, type SimulatedPort } from "./model.ts";
import type { SimulatedRoutes } from "./routes.ts";

/** LIDs come in blocks of this many; a switch's top LID is the last of a block. */
const blockSize = 64;

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}

interface Destination {
  readonly lid: number;
  readonly words: string;
  /** What routes are asked for: the adapter port, or any port of the switch. */
  readonly port: SimulatedPort | undefined;
  readonly node: SimulatedNode;
}

function destinations(nodes: readonly SimulatedNode[]): Destination[] {
  const found: Destination[] = [];
  for (const node of nodes) {
    const ports = node.ports.filter((port): port is SimulatedPort => port !== undefined);
    if (node.kind === "switch") {
      const words = `(Switch portguid 0x${node.guid}: '${node.description}')`;
      found.push({ lid: node.lid, words, port: ports[0], node });
      continue;
    }
    for (const port of ports) {
      const words = `(Channel Adapter portguid 0x${port.guid}: '${node.description}')`;
      found.push({ lid: port.lid, words, port, node });
    }
  }
  return found.filter(({ lid }) => lid > 0).sort((a, b) => a.lid - b.lid);
}

/** Port number by which a switch sends on; 0 for itself, undefined without a route. */
function outOf(routes: SimulatedRoutes, from: SimulatedNode, to: Destination): number | undefined {
  if (to.node === from) return 0;
  return to.port === undefined ? undefined : routes.forwardingPort(from, to.port)?.number;
}

function table(
  from: SimulatedNode,
  where: string,
  targets: readonly Destination[],
  routes: SimulatedRoutes,
  names: boolean,
): string {
  const highest = targets.at(-1)?.lid ?? 0;
  const top = Math.ceil((highest + 1) / blockSize) * blockSize - 1;
  const lines = targets.flatMap((target) => {
    const out = outOf(routes, from, target);
    return out === undefined
      ? []
      : [`0x${hex(target.lid, 4)} ${String(out).padStart(3, "0")} ${names ? `: ${target.words}` : ""}`];
  });
  return [
    `Unicast lids [0x0-0x${hex(top, 1)}] of switch ${where} guid 0x${from.guid} (${from.description}):`,
    "  Lid  Out   Destination",
    "       Port     Info ",
    ...lines,
    `${String(lines.length)} valid lids dumped `,
    "",
  ].join("\n");
}

/** Directed route of every reachable node from `origin`: `0,1,5`. */
function directedRoutes(origin: SimulatedNode): ReadonlyMap<SimulatedNode, string> {
  const routes = new Map([[origin, "0"]]);
  for (const [node, route] of routes) {
    for (const port of node.ports) {
      const peer = port === undefined ? undefined : peerOf(port)?.node;
      if (port !== undefined && peer !== undefined && !routes.has(peer))
        routes.set(peer, `${route},${String(port.number)}`);
    }
  }
  return routes;
}

/** `dump_fts`: the tables of all switches that the host of `origin` reaches, newest-found first. `names`: without -n. */
export function printDumpFts(origin: SimulatedNode, routes: SimulatedRoutes, names: boolean): string {
  const nodes = discoveryOrder(origin);
  const targets = destinations(nodes);
  const ways = directedRoutes(origin);
  return nodes
    .filter(({ kind }) => kind === "switch")
    .reverse()
    .map((node) => table(node, `DR path slid 0; dlid 0; ${ways.get(node) ?? "0"}`, targets, routes, names))
    .join("");
}

/** `ibroute LID` of one switch; `names`: without -n, which spares the look-up of each destination's name. */
export function printIbroute(
  origin: SimulatedNode,
  from: SimulatedNode,
  routes: SimulatedRoutes,
  names: boolean,
): string {
  return table(from, `Lid ${String(from.lid)}`, destinations(discoveryOrder(origin)), routes, names);
}
