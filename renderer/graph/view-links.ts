/**
 * Drawn links of a view graph: each cable on its own, or with parallel ones in a bundle where one end is a fold or a
 * block, or bundles are wanted. Columns throughout: the largest fabrics pass here at every unfolding.
 */
import { at } from "../../shared/fabric/access.ts";
import { type Fabric, none } from "../../shared/fabric/model.ts";
import type { Analysis } from "../../shared/analyse/results.ts";
import type { ViewGraph, ViewLinks, ViewNode } from "./view-types.ts";

/** Codes in `healths`. */
const healthDown = 6;
const healthWarning = 4;

export type Collected = Pick<
  ViewGraph,
  "links" | "linkOfFabricLink" | "insideOfFabricLink" | "linkOfMissing" | "insideOfMissing"
>;

/** Links being collected. */
class Drafts {
  count = 0;
  readonly source: Uint32Array;
  readonly target: Uint32Array;
  readonly sourcePort: Uint8Array;
  readonly targetPort: Uint8Array;
  readonly health: Uint8Array;
  readonly members: Uint32Array;
  readonly missing: Uint32Array;
  /** Bundles of each lower node, chained. */
  private readonly head: Uint32Array;
  private readonly next: Uint32Array;

  constructor(most: number, nodes: number) {
    this.source = new Uint32Array(most);
    this.target = new Uint32Array(most);
    this.sourcePort = new Uint8Array(most);
    this.targetPort = new Uint8Array(most);
    this.health = new Uint8Array(most);
    this.members = new Uint32Array(most);
    this.missing = new Uint32Array(most);
    this.head = new Uint32Array(nodes).fill(none);
    this.next = new Uint32Array(most);
  }

  /** The draft for a cable: a new one, or with `merge` the bundle of the same two nodes. */
  draftFor(source: number, target: number, sourcePort: number, targetPort: number, merge: boolean): number {
    const low = Math.min(source, target);
    const high = Math.max(source, target);
    if (merge) {
      let known = at(this.head, low);
      while (known !== none && Math.max(at(this.source, known), at(this.target, known)) !== high) {
        known = at(this.next, known);
      }
      if (known !== none) {
        const same = at(this.source, known) === source;
        this.sourcePort[known] = Math.min(at(this.sourcePort, known), same ? sourcePort : targetPort);
        this.targetPort[known] = Math.min(at(this.targetPort, known), same ? targetPort : sourcePort);
        return known;
      }
    }
    const draft = this.count++;
    this.source[draft] = source;
    this.target[draft] = target;
    this.sourcePort[draft] = sourcePort;
    this.targetPort[draft] = targetPort;
    if (merge) {
      this.next[draft] = at(this.head, low);
      this.head[low] = draft;
    }
    return draft;
  }
}

/** Collects the drawn links. O(links + missing). */
export function collectLinks(
  fabric: Fabric,
  analysis: Analysis,
  nodes: readonly ViewNode[],
  nodeOf: Uint32Array,
  bundles: boolean,
): Collected {
  const links = fabric.links.count;
  const gaps = analysis.missingLinks.length;
  const drafts = new Drafts(links + gaps, nodes.length);
  const linkOfFabricLink = new Uint32Array(links).fill(none);
  const insideOfFabricLink = new Uint32Array(links).fill(none);
  const linkOfMissing = new Uint32Array(gaps).fill(none);
  const insideOfMissing = new Uint32Array(gaps).fill(none);
  const merging = Uint8Array.from(nodes, (node) => {
    if (node.kind === "fold" || isBlock(node)) return 2;
    return bundles && node.kind !== "host" ? 1 : 0;
  });
  const place = (portA: number, portB: number): { readonly draft: number; readonly inside: number } => {
    const source = at(nodeOf, at(fabric.ports.node, portA));
    const target = at(nodeOf, at(fabric.ports.node, portB));
    if (source === target) return { draft: none, inside: source };
    const merge = at(merging, source) + at(merging, target) >= 2;
    const numbers = fabric.ports.number;
    return { draft: drafts.draftFor(source, target, at(numbers, portA), at(numbers, portB), merge), inside: none };
  };
  for (let link = 0; link < links; link++) {
    const { draft, inside } = place(at(fabric.links.a, link), at(fabric.links.b, link));
    linkOfFabricLink[link] = draft;
    insideOfFabricLink[link] = inside;
    if (draft === none) continue;
    drafts.members[draft] = at(drafts.members, draft) + 1;
    drafts.health[draft] = Math.max(at(drafts.health, draft), at(analysis.linkHealth, link));
  }
  analysis.missingLinks.forEach((missing, i) => {
    const { draft, inside } = place(missing.a, missing.b);
    linkOfMissing[i] = draft;
    insideOfMissing[i] = inside;
    if (draft === none) return;
    drafts.missing[draft] = at(drafts.missing, draft) + 1;
    // Alone it is a cable that is not up; in a bundle the others still carry traffic.
    const health = at(drafts.members, draft) === 0 ? healthDown : healthWarning;
    drafts.health[draft] = Math.max(at(drafts.health, draft), health);
  });
  const count = drafts.count;
  const member = gather(drafts.members.subarray(0, count), linkOfFabricLink);
  const missing = gather(drafts.missing.subarray(0, count), linkOfMissing);
  const columns = {
    count,
    source: drafts.source.slice(0, count),
    target: drafts.target.slice(0, count),
    memberStart: member.start,
    member: member.items,
    missingStart: missing.start,
    missing: missing.items,
    sourcePort: drafts.sourcePort.slice(0, count),
    targetPort: drafts.targetPort.slice(0, count),
    health: drafts.health.slice(0, count),
  };
  const usual = usualCables(nodes, columns);
  // A bundle with fewer cables than its siblings is a finding of the shape: never quieter than a warning.
  for (let link = 0; link < count; link++) {
    if (lacks({ ...columns, usual }, link)) columns.health[link] = Math.max(at(columns.health, link), healthWarning);
  }
  return { links: { ...columns, usual }, linkOfFabricLink, insideOfFabricLink, linkOfMissing, insideOfMissing };
}

export function isBlock(node: ViewNode): boolean {
  return node.kind === "pod" || node.kind === "group" || node.kind === "plane";
}

/** True when a bundle between blocks has fewer cables than most. */
function lacks(links: Pick<ViewLinks, "memberStart" | "usual">, link: number): boolean {
  return at(links.memberStart, link + 1) - at(links.memberStart, link) < at(links.usual, link);
}

/** Lists by draft, from the draft of each item. */
function gather(
  sizes: Uint32Array,
  draftOf: Uint32Array,
): { readonly start: Uint32Array; readonly items: Uint32Array } {
  const start = new Uint32Array(sizes.length + 1);
  for (let i = 0; i < sizes.length; i++) start[i + 1] = at(start, i) + at(sizes, i);
  const fill = start.slice();
  const items = new Uint32Array(at(start, sizes.length));
  draftOf.forEach((draft, item) => {
    if (draft === none) return;
    items[at(fill, draft)] = item;
    fill[draft] = at(fill, draft) + 1;
  });
  return { start, items };
}

/** What most bundles between two blocks of the same kinds have, when more than half of them agree. */
function usualCables(
  nodes: readonly ViewNode[],
  links: Pick<ViewLinks, "count" | "source" | "target" | "memberStart">,
): Uint32Array {
  const usual = new Uint32Array(links.count);
  const groups = new Map<string, { readonly links: number[]; readonly sizes: Map<number, number> }>();
  for (let link = 0; link < links.count; link++) {
    const a = nodes[at(links.source, link)];
    const b = nodes[at(links.target, link)];
    if (a === undefined || b === undefined || !isBlock(a) || !isBlock(b)) continue;
    const key = a.kind < b.kind ? `${a.kind} ${b.kind}` : `${b.kind} ${a.kind}`;
    let group = groups.get(key);
    if (group === undefined) groups.set(key, (group = { links: [], sizes: new Map() }));
    const size = at(links.memberStart, link + 1) - at(links.memberStart, link);
    group.links.push(link);
    group.sizes.set(size, (group.sizes.get(size) ?? 0) + 1);
  }
  for (const group of groups.values()) {
    const [most] = [...group.sizes].sort((x, y) => y[1] - x[1] || y[0] - x[0]);
    if (most === undefined || most[1] * 2 <= group.links.length) continue;
    for (const link of group.links) usual[link] = most[0];
  }
  return usual;
}
