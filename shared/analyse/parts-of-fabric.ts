/** Islands and chassis. O(links). */
import { at, nodeName } from "../fabric/access.ts";
import type { Fabric } from "../fabric/model.ts";
import type { Chassis } from "./results.ts";

/** Sizes in nodes of the parts that no cable joins, largest first. */
export function islandsOf(fabric: Fabric): readonly number[] {
  const parent = Int32Array.from({ length: fabric.nodes.count }, (_, i) => i);
  const find = (node: number): number => {
    let root = node;
    while (at(parent, root) !== root) root = at(parent, root);
    while (at(parent, node) !== root) {
      const next = at(parent, node);
      parent[node] = root;
      node = next;
    }
    return root;
  };
  for (let link = 0; link < fabric.links.count; link += 1) {
    const a = find(at(fabric.ports.node, at(fabric.links.a, link)));
    const b = find(at(fabric.ports.node, at(fabric.links.b, link)));
    if (a !== b) parent[a] = b;
  }
  const sizes = new Map<number, number>();
  for (let node = 0; node < fabric.nodes.count; node += 1) sizes.set(find(node), (sizes.get(find(node)) ?? 0) + 1);
  return [...sizes.values()].sort((a, b) => b - a);
}

/** Switches that share a system image GUID: chips of one box. */
export function chassisOf(fabric: Fabric, switches: readonly number[]): readonly Chassis[] {
  const boxes = new Map<bigint, number[]>();
  for (const node of switches) {
    const guid = fabric.nodes.systemGuid[node] ?? 0n;
    if (guid === 0n) continue;
    const box = boxes.get(guid);
    if (box === undefined) boxes.set(guid, [node]);
    else box.push(node);
  }
  return [...boxes.values()]
    .filter((box) => box.length > 1)
    .map((box) => ({ name: commonName(fabric, box), switches: box }));
}

/** `director-1` of `director-1/L01/U1`, `director-1/S03/U1`; the first name when they have nothing in common. */
function commonName(fabric: Fabric, nodes: readonly number[]): string {
  const names = nodes.map((node) => nodeName(fabric, node));
  let prefix = names[0] ?? "";
  for (const name of names) while (!name.startsWith(prefix)) prefix = prefix.slice(0, -1);
  const trimmed = prefix.replace(/[/\s:_-]+[A-Z]*\d*$/i, "").replace(/[/\s:_-]+$/, "");
  return trimmed === "" ? (names[0] ?? "") : trimmed;
}
