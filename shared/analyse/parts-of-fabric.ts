/** Islands and chassis. O(links). */
import { nodeDescription, nodeName } from "../fabric/access.ts";
import type { Fabric } from "../fabric/model.ts";
import type { LinkTable } from "./link-table.ts";
import type { Chassis } from "./results.ts";

/** Sizes in nodes of the parts that no cable joins, largest first. */
export function islandsOf(links: LinkTable, nodes: number): readonly number[] {
  const parent = new Uint32Array(nodes);
  for (let node = 0; node < nodes; node += 1) parent[node] = node;
  /** The node that stands for an island; halves the way there for the next question. */
  const find = (from: number): number => {
    let node = from;
    let next = parent[node] ?? node;
    while (next !== node) {
      const beyond = parent[next] ?? next;
      parent[node] = beyond;
      node = beyond;
      next = parent[node] ?? node;
    }
    return node;
  };
  for (let link = 0; link < links.count; link += 1) {
    const a = find(links.a[link] ?? 0);
    const b = find(links.b[link] ?? 0);
    if (a !== b) parent[b] = a;
  }
  const sizes = new Uint32Array(nodes);
  for (let node = 0; node < nodes; node += 1) {
    const island = find(node);
    sizes[island] = (sizes[island] ?? 0) + 1;
  }
  return [...sizes.filter((size) => size > 0)].sort((a, b) => b - a);
}

/** A director's chip says where it sits: `MF0;core:MCS8500/L16/U2`. */
const slot = /^(MF\d+;.+:[A-Z][A-Z0-9-]*)\/[A-Z]+\d+\/U\d+$/;

/**
 * Chips of one box: switches that share a system image GUID, or whose descriptions name slots of one director. A name
 * that two boxes have (a slot would be filled twice) joins nothing.
 */
export function chassisOf(fabric: Fabric, switches: readonly number[]): readonly Chassis[] {
  const boxOf = new Map<number, number>();
  const boxes: number[][] = [];
  const join = (members: readonly number[]): void => {
    const known = [...new Set(members.flatMap((node) => boxOf.get(node) ?? []))];
    const whole = new Set([...known.flatMap((box) => boxes[box] ?? []), ...members]);
    for (const box of known) boxes[box] = [];
    for (const node of whole) boxOf.set(node, boxes.length);
    boxes.push([...whole]);
  };
  const bySystem = new Map<bigint, number[]>();
  const byName = new Map<string, number[]>();
  for (const node of switches) {
    const guid = fabric.nodes.systemGuid[node] ?? 0n;
    const name = slot.exec(nodeDescription(fabric, node).trim())?.[1];
    if (guid !== 0n) bySystem.set(guid, [...(bySystem.get(guid) ?? []), node]);
    if (name !== undefined) byName.set(name, [...(byName.get(name) ?? []), node]);
  }
  for (const members of bySystem.values()) if (members.length > 1) join(members);
  for (const members of byName.values()) {
    const slots = new Set(members.map((node) => nodeDescription(fabric, node).trim()));
    if (members.length > 1 && slots.size === members.length) join(members);
  }
  return boxes
    .filter((box) => box.length > 0)
    .map((box) => box.sort((x, y) => x - y))
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
