import {
  at,
  nodeDescription,
  nodeGuid,
  nodeKind,
  physState,
  portByNumber,
  portGuid,
  portState,
} from "../../shared/fabric/access.ts";
import { none } from "../../shared/fabric/model.ts";
import type { Fabric } from "../../shared/fabric/model.ts";
import { speedName } from "../../shared/fabric/rates.ts";
import type { NetEnd, NetFile, NetLink } from "./net-model.ts";

/** A fact of the net file and of the fabric, in words that compare. */
type Facts = Map<string, string>;

export interface FabricExpectation {
  /** Cables that were pulled since the net file was read. */
  readonly without?: readonly NetLink[];
  /** State of both ends of every cable: `Active` when left out; `Initialize` where no manager has been. */
  readonly state?: "Active" | "Initialize";
}

/**
 * Compares a collected fabric with the net file it was collected from: every node (kind, GUIDs, description, number of
 * ports), every port (GUID, state, LID where a manager gave it one), every cable (both ends, width, speed).
 *
 * @returns one line for each difference; empty when they are the same
 */
export function fabricDifferences(
  fabric: Fabric,
  net: NetFile,
  expectation: FabricExpectation = {},
): readonly string[] {
  return [
    ...compare("node", plannedNodes(net, expectation), seenNodes(fabric)),
    ...compare("link", plannedLinks(net, expectation), seenLinks(fabric)),
    ...compare("port", plannedPorts(net, expectation), seenPorts(fabric, net)),
    ...lidDifferences(fabric, net, expectation),
  ];
}

function compare(what: string, planned: Facts, seen: Facts): readonly string[] {
  const differences: string[] = [];
  for (const [key, fact] of planned) {
    const found = seen.get(key);
    if (found === undefined) differences.push(`${what} ${key} (${fact}) is missing`);
    else if (found !== fact) differences.push(`${what} ${key} is ${found} instead of ${fact}`);
  }
  for (const [key, fact] of seen) if (!planned.has(key)) differences.push(`${what} ${key} (${fact}) is not there`);
  return differences;
}

/** A node without a cable cannot be seen. */
function plannedNodes(net: NetFile, expectation: FabricExpectation): Facts {
  const reached = new Set(cabled(net, expectation).flatMap(({ a, b }) => [a.guid, b.guid]));
  return new Map(
    net.nodes
      .filter(({ guid }) => reached.has(guid))
      .map((node) => [
        node.guid,
        JSON.stringify([node.kind, node.description, node.systemGuid, `${node.ports} ports`]),
      ]),
  );
}

function seenNodes(fabric: Fabric): Facts {
  const facts: Facts = new Map();
  for (let node = 0; node < fabric.nodes.count; node += 1) {
    const systemGuid = `0x${(fabric.nodes.systemGuid[node] ?? 0n).toString(16).padStart(16, "0")}`;
    const ports = `${at(fabric.nodes.declaredPorts, node)} ports`;
    const guid = nodeGuid(fabric, node);
    const key = facts.has(guid) ? `${guid} twice` : guid;
    facts.set(key, JSON.stringify([nodeKind(fabric, node), nodeDescription(fabric, node), systemGuid, ports]));
  }
  return facts;
}

function endName({ guid, port }: NetEnd): string {
  return `${guid}:${port}`;
}

function linkKey(a: string, b: string): string {
  return [a, b].sort().join(" - ");
}

function sameLink(x: NetLink, y: NetLink): boolean {
  return endName(x.a) === endName(y.a) && endName(x.b) === endName(y.b);
}

function cabled(net: NetFile, { without = [] }: FabricExpectation): readonly NetLink[] {
  return net.links.filter((link) => !without.some((gone) => sameLink(gone, link)));
}

function plannedLinks(net: NetFile, expectation: FabricExpectation): Facts {
  const { state = "Active" } = expectation;
  return new Map(
    cabled(net, expectation).map(({ a, b, lanes, speed }) => {
      const end = `${lanes}x ${speed} ${state}/LinkUp`;
      return [linkKey(endName(a), endName(b)), `${end}, ${end}`];
    }),
  );
}

function seenLinks(fabric: Fabric): Facts {
  const facts: Facts = new Map();
  for (let link = 0; link < fabric.links.count; link += 1) {
    const ends = [at(fabric.links.a, link), at(fabric.links.b, link)].map((port) => ({
      name: `${nodeGuid(fabric, at(fabric.ports.node, port))}:${at(fabric.ports.number, port)}`,
      rate: `${at(fabric.ports.lanes, port)}x ${speedName(at(fabric.ports.speed, port))}`,
      state: `${portState(fabric, port)}/${physState(fabric, port)}`,
    }));
    const [a, b] = ends;
    if (a === undefined || b === undefined) continue;
    facts.set(linkKey(a.name, b.name), ends.map(({ rate, state }) => `${rate} ${state}`).join(", "));
  }
  return facts;
}

/** Ports without a cable are shown by iblinkinfo for switches only. */
function plannedPorts(net: NetFile, expectation: FabricExpectation): Facts {
  const up = new Set(cabled(net, expectation).flatMap(({ a, b }) => [endName(a), endName(b)]));
  const facts: Facts = new Map();
  for (const node of net.nodes) {
    for (let port = 1; port <= node.ports; port += 1) {
      const name = endName({ guid: node.guid, port });
      if (node.kind === "switch") {
        if (!up.has(name)) facts.set(name, "Down/Polling");
      } else if (up.has(name)) {
        facts.set(name, node.portGuids[port - 1] ?? "");
      }
    }
  }
  return facts;
}

function seenPorts(fabric: Fabric, net: NetFile): Facts {
  const kinds = new Map(net.nodes.map((node) => [node.guid, node.kind]));
  const facts: Facts = new Map();
  for (let port = 0; port < fabric.ports.count; port += 1) {
    const guid = nodeGuid(fabric, at(fabric.ports.node, port));
    const name = endName({ guid, port: at(fabric.ports.number, port) });
    const hasLink = at(fabric.ports.link, port) !== none;
    if (kinds.get(guid) !== "switch") {
      if (hasLink) facts.set(name, portGuid(fabric, port));
    } else if (!hasLink) {
      facts.set(name, `${portState(fabric, port)}/${physState(fabric, port)}`);
    }
  }
  return facts;
}

/** Every switch, and every cabled port of an adapter, has a LID of its own, or none has one. */
function lidDifferences(fabric: Fabric, net: NetFile, expectation: FabricExpectation): readonly string[] {
  const differences: string[] = [];
  const owners = new Map<number, string>();
  const wanted = expectation.state !== "Initialize";
  const take = (name: string, lid: number): void => {
    if (wanted === (lid === 0)) differences.push(`${name} has LID ${lid}`);
    const other = owners.get(lid);
    if (lid !== 0 && other !== undefined) differences.push(`${name} and ${other} both have LID ${lid}`);
    owners.set(lid, name);
  };
  const adapters = new Map(net.nodes.map((node) => [node.guid, node.kind !== "switch"]));
  for (let node = 0; node < fabric.nodes.count; node += 1) {
    const guid = nodeGuid(fabric, node);
    if (adapters.get(guid) === false) {
      take(guid, at(fabric.nodes.lid, node));
      continue;
    }
    for (const { a, b } of cabled(net, expectation)) {
      for (const end of [a, b]) {
        if (end.guid !== guid) continue;
        const port = portByNumber(fabric, node, end.port);
        if (port !== undefined) take(endName(end), at(fabric.ports.lid, port));
      }
    }
  }
  return differences;
}
