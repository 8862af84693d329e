import { at, nodeDescription, nodeGuid, nodeName, portGuid, portsOfNode } from "../../../shared/fabric/access.ts";
import type { Fabric } from "../../../shared/fabric/model.ts";
import { atOnce } from "../../parts/slices.ts";
import { rankTextsInSlices } from "../../parts/data-table-order.ts";

/** Names of the nodes, and the place of each in their natural order. */
interface NodeNames {
  readonly name: readonly string[];
  readonly nameRank: Uint32Array;
}

const names = new WeakMap<Fabric, NodeNames>();
const searched = new WeakMap<Fabric, readonly string[]>();

/** Names of all nodes; O(nodes) on the first call for a fabric. */
export function nodeNames(fabric: Fabric): NodeNames {
  return atOnce(nodeNamesInSlices(fabric));
}

/** Names as {@link nodeNames} gives them, with pauses. */
export function* nodeNamesInSlices(fabric: Fabric): Generator<undefined, NodeNames> {
  const before = names.get(fabric);
  if (before !== undefined) return before;
  const name = Array.from({ length: fabric.nodes.count }, (_, node) => nodeName(fabric, node));
  const made = { name, nameRank: yield* rankTextsInSlices(name) };
  names.set(fabric, made);
  return made;
}

/** What each node can be found by, lower case: name, description and GUID, with a blank between. Made once, too. */
function searchTexts(fabric: Fabric): readonly string[] {
  const before = searched.get(fabric);
  if (before !== undefined) return before;
  const texts = nodeNames(fabric).name.map((text, node) =>
    `${text} ${nodeDescription(fabric, node)} ${nodeGuid(fabric, node)}`.toLowerCase(),
  );
  searched.set(fabric, texts);
  return texts;
}

/**
 * Tells for a term which ports fit: by node name, description or GUID, port GUID, LID, or `name:port`.
 * The work is per node; only a term that looks like a GUID or names a port looks at ports.
 */
export function portMatcher(fabric: Fabric, term: string): (port: number) => boolean {
  const search = searchTexts(fabric);
  const nodes = new Uint8Array(fabric.nodes.count);
  const lid = /^\d{1,5}$/.test(term) ? Number(term) : -1;
  for (let node = 0; node < fabric.nodes.count; node += 1) {
    if (search[node]?.includes(term) === true || (lid > 0 && at(fabric.nodes.lid, node) === lid)) nodes[node] = 1;
  }
  const ports = new Set<number>();
  const named = /^(.+):(\d{1,3})$/.exec(term);
  if (named?.[1] !== undefined) {
    const number = Number(named[2]);
    const wanted = named[1];
    for (let node = 0; node < fabric.nodes.count; node += 1) {
      if (search[node]?.includes(wanted) !== true) continue;
      for (const port of portsOfNode(fabric, node)) if (at(fabric.ports.number, port) === number) ports.add(port);
    }
  }
  if (/^(0x)?[0-9a-f]{6,16}$/.test(term)) {
    const digits = term.replace(/^0x/, "");
    const { guid } = fabric.ports;
    let holds = false;
    for (let port = 0; port < fabric.ports.count; port += 1) {
      // A switch has one GUID for all of its ports.
      if (port === 0 || guid[port] !== guid[port - 1]) holds = portGuid(fabric, port).includes(digits);
      if (holds) ports.add(port);
    }
  }
  return (port) =>
    nodes[at(fabric.ports.node, port)] === 1 || ports.has(port) || (lid > 0 && at(fabric.ports.lid, port) === lid);
}

/** Nodes whose name contains one of the values. */
export function nodesNamed(fabric: Fabric, values: readonly string[]): Uint8Array {
  const { name } = nodeNames(fabric);
  return Uint8Array.from(name, (text) => (values.some((value) => text.toLowerCase().includes(value)) ? 1 : 0));
}
