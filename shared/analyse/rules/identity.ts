import { count } from "../../base/text.ts";
import { at, nodeDescription, nodeGuid, nodeName } from "../../fabric/access.ts";
import { type Fabric, nodeKinds, none } from "../../fabric/model.ts";
import type { LinkTable } from "../link-table.ts";
import type { Finding } from "../results.ts";
import { fabricSubject, finding, nodeSubject, type RuleInput } from "./rule.ts";

const switchCode = nodeKinds.indexOf("switch");
const aggregationCode = nodeKinds.indexOf("aggregation");

/** From here on nodes of one rule get one finding on the fabric. */
const namedOneByOne = 10;

/** Nodes without a LID though their links are Active, LIDs and GUIDs that two have, nodes without a description. O(ports). */
export function identity({ fabric, graph }: RuleInput): readonly Finding[] {
  return [
    ...duplicateGuids(fabric),
    ...sharedGuids(fabric),
    ...sharedLids(fabric),
    ...withoutLid(fabric, graph.links),
    ...withoutDescription(fabric),
  ];
}

/** Two nodes with one node GUID: what is drawn mixes the two. */
function duplicateGuids(fabric: Fabric): readonly Finding[] {
  return (fabric.duplicateGuids ?? []).map((node) =>
    finding("duplicate-guid", {
      severity: "error",
      title: "One GUID, two nodes",
      subject: nodeSubject(fabric, node),
      message: `Two nodes have the GUID ${nodeGuid(fabric, node)}; one of them is ${nodeName(fabric, node)}. They are drawn as one.`,
      evidence: `two different records of ${nodeGuid(fabric, node)}`,
      cause: "An adapter or switch was flashed with another one's GUID.",
      remedy:
        "Give one of the two its own GUID again (flint), and restart it: a subnet manager that meets both sweeps without end.",
    }),
  );
}

/** Only where the sources told LIDs at all. */
function withoutLid(fabric: Fabric, table: LinkTable): readonly Finding[] {
  const { nodes, ports, links } = fabric;
  if (!nodes.lid.some((lid) => lid > 0)) return [];
  const bare = new Set<number>();
  const check = (node: number, port: number): void => {
    const kind = nodes.kind[node];
    if (nodes.discovered[node] !== 1 || kind === aggregationCode) return;
    if ((kind === switchCode ? nodes.lid[node] : ports.lid[port]) === 0) bare.add(node);
  };
  for (let link = 0; link < table.count; link += 1) {
    if (table.active[link] === 0) continue;
    check(table.a[link] ?? 0, links.a[link] ?? 0);
    check(table.b[link] ?? 0, links.b[link] ?? 0);
  }
  const found = (nodesOf: readonly number[]): Omit<Finding, "id" | "rule" | "subject"> => ({
    severity: "warning",
    title: "No LID",
    message: `${nodesOf.length === 1 ? `${nodeName(fabric, nodesOf[0] ?? 0)} has` : `${count(nodesOf.length, "node")} have`} an Active link and no LID: nothing can be sent there.`,
    evidence: `LID 0: ${nodesOf
      .slice(0, 3)
      .map((node) => nodeGuid(fabric, node))
      .join(", ")}${nodesOf.length > 3 ? " and more" : ""}`,
    cause:
      "The subnet manager ran out of LIDs, lost this node in its last sweep, or the fabric changed while it was read.",
    remedy: "Look for this node in the subnet manager's log; a heavy sweep (SIGHUP to opensm) assigns LIDs anew.",
  });
  return grouped(fabric, "no-lid", [...bare], found);
}

/** A LID that two nodes own, with all LIDs of a port's LMC. */
function sharedLids(fabric: Fabric): readonly Finding[] {
  const { nodes, ports } = fabric;
  const owner = new Uint32Array(0xc000).fill(none);
  const clashes = new Map<string, { readonly lid: number; readonly a: number; readonly b: number }>();
  const claim = (lid: number, lmc: number, node: number): void => {
    if (lid === 0) return;
    for (let own = lid; own < Math.min(0xc000, lid + 2 ** Math.min(lmc, 7)); own += 1) {
      const first = owner[own] ?? none;
      if (first === none) owner[own] = node;
      else if (first !== node && !clashes.has(`${first} ${node}`)) {
        clashes.set(`${first} ${node}`, { lid: own, a: first, b: node });
      }
    }
  };
  for (let node = 0; node < nodes.count; node += 1) {
    if (nodes.kind[node] === switchCode) claim(nodes.lid[node] ?? 0, nodes.lmc[node] ?? 0, node);
  }
  for (let port = 0; port < ports.count; port += 1) {
    const node = ports.node[port] ?? 0;
    if (nodes.kind[node] !== switchCode) claim(ports.lid[port] ?? 0, ports.lmc[port] ?? 0, node);
  }
  return [...clashes.values()].slice(0, namedOneByOne).map(({ lid, a, b }) =>
    finding("shared-lid", {
      severity: "error",
      title: "One LID, two nodes",
      subject: nodeSubject(fabric, b),
      message: `${nodeName(fabric, b)} and ${nodeName(fabric, a)} both have LID ${lid}: packets for one reach the other.`,
      evidence: `LID ${lid}: ${nodeGuid(fabric, a)} and ${nodeGuid(fabric, b)}`,
      cause: "Two subnets were joined, two subnet managers are masters, or a cached LID assignment came back.",
      remedy: "See that there is one master, then let it reassign (restart it with opensm -r in a quiet hour).",
    }),
  );
}

/** True when a GUID stands at two ports of adapters. Sorting is the quickest way to see that none does. */
function repeatsGuids({ nodes, ports }: Fabric): boolean {
  // Taken by halves: each read of a column of 64 bits would make a bigint.
  const halves = new Uint32Array(ports.guid.buffer, ports.guid.byteOffset, 2 * ports.count);
  const told = new BigUint64Array(ports.count);
  const toldHalves = new Uint32Array(told.buffer);
  let count = 0;
  for (let port = 0; port < ports.count; port += 1) {
    const first = halves[2 * port] ?? 0;
    const second = halves[2 * port + 1] ?? 0;
    if ((first === 0 && second === 0) || nodes.kind[ports.node[port] ?? 0] === switchCode) continue;
    toldHalves[2 * count] = first;
    toldHalves[2 * count + 1] = second;
    count += 1;
  }
  told.subarray(0, count).sort();
  for (let i = 2; i < 2 * count; i += 2)
    if (toldHalves[i] === toldHalves[i - 2] && toldHalves[i + 1] === toldHalves[i - 1]) return true;
  return false;
}

/** A port GUID that two nodes give. */
function sharedGuids(fabric: Fabric): readonly Finding[] {
  if (!repeatsGuids(fabric)) return [];
  const owner = new Map<bigint, number>();
  const found: Finding[] = [];
  for (let port = 0; port < fabric.ports.count; port += 1) {
    const guid = fabric.ports.guid[port] ?? 0n;
    const node = at(fabric.ports.node, port);
    if (guid === 0n || fabric.nodes.kind[node] === switchCode) continue;
    const first = owner.get(guid);
    if (first === undefined) owner.set(guid, node);
    else if (first !== node && found.length < namedOneByOne) {
      found.push(
        finding("shared-guid", {
          severity: "error",
          title: "One GUID, two ports",
          subject: nodeSubject(fabric, node),
          message: `${nodeName(fabric, node)} and ${nodeName(fabric, first)} have a port with the same GUID 0x${guid.toString(16).padStart(16, "0")}: the subnet manager serves only one of them.`,
          evidence: `port GUID 0x${guid.toString(16).padStart(16, "0")}: nodes ${nodeGuid(fabric, first)} and ${nodeGuid(fabric, node)}`,
          cause: "An adapter was flashed with another one's GUIDs, or virtual functions were given the same ones.",
          remedy: "Give one of the two its own GUIDs (mlxconfig, or the hypervisor's settings), and restart it.",
        }),
      );
    }
  }
  return found;
}

function withoutDescription(fabric: Fabric): readonly Finding[] {
  const bare: number[] = [];
  for (let node = 0; node < fabric.nodes.count; node += 1) {
    if (at(fabric.nodes.discovered, node) === 1 && nodeDescription(fabric, node).trim() === "") bare.push(node);
  }
  return grouped(fabric, "no-description", bare, (nodesOf) => ({
    severity: "note",
    title: "No node description",
    message: `${nodesOf.length === 1 ? `${nodeGuid(fabric, nodesOf[0] ?? 0)} has` : `${count(nodesOf.length, "node")} have`} no node description: nobody can tell where to walk to.`,
    evidence: nodesOf
      .slice(0, 3)
      .map((node) => nodeGuid(fabric, node))
      .join(", "),
    cause: "The host's driver has not set it yet (it does so when it starts), or the switch has no name.",
    remedy: "Set it: rdma-ndd on hosts, the hostname on managed switches, a node name map for the rest.",
  }));
}

/** One finding for each node, or one for all of them when there are many. */
function grouped(
  fabric: Fabric,
  rule: string,
  nodes: readonly number[],
  words: (nodes: readonly number[]) => Omit<Finding, "id" | "rule" | "subject">,
): readonly Finding[] {
  if (nodes.length > namedOneByOne) return [finding(rule, { ...words(nodes), subject: fabricSubject })];
  return nodes.map((node) => finding(rule, { ...words([node]), subject: nodeSubject(fabric, node) }));
}
