/**
 * Drawn links of a view graph: each cable on its own, or with parallel ones in a bundle where one end is a fold or a
 * block, or bundles are wanted. A cable with a finding never hides in a bundle: it is a strand of its own beside it.
 * Columns throughout: the largest fabrics pass here at every unfolding.
 */
import { nodeKind } from "../../shared/fabric/access.ts";
import { type Fabric, none } from "../../shared/fabric/model.ts";
import { type Analysis, healths } from "../../shared/analyse/results.ts";
import { expectedCables, Pairs } from "./view-pairs.ts";
import type { ViewGraph, ViewLinks, ViewNode } from "./view-types.ts";

const healthDown = healths.indexOf("down");
const healthWarning = healths.indexOf("warning");
/** Cables with findings between two nodes that are strands of their own; of more, those of one severity share one. */
const mostStrands = 4;

/** Kinds of drawn nodes that stand for one device or one host. */
const alone: readonly ViewNode["kind"][] = ["switch", "router", "adapter", "host"];

export type Collected = Pick<
  ViewGraph,
  "links" | "linkOfFabricLink" | "insideOfFabricLink" | "linkOfMissing" | "insideOfMissing"
>;

export interface CollectOptions {
  /** Draw parallel cables between two switches as one bundle. */
  readonly bundles: boolean;
  /** Fabric links drawn on their own wherever they are: selected, on a path, measured and slow. */
  readonly apart: ReadonlySet<number>;
}

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
  readonly pair: Uint32Array;

  constructor(most: number) {
    this.source = new Uint32Array(most);
    this.target = new Uint32Array(most);
    this.sourcePort = new Uint8Array(most);
    this.targetPort = new Uint8Array(most);
    this.health = new Uint8Array(most);
    this.members = new Uint32Array(most);
    this.missing = new Uint32Array(most);
    this.pair = new Uint32Array(most).fill(none);
  }

  add(source: number, target: number, sourcePort: number, targetPort: number, pair: number): number {
    const draft = this.count++;
    this.source[draft] = source;
    this.target[draft] = target;
    this.sourcePort[draft] = sourcePort;
    this.targetPort[draft] = targetPort;
    this.pair[draft] = pair;
    return draft;
  }

  /** One more cable for a bundle: the lowest port at either end stands for it. */
  join(draft: number, source: number, sourcePort: number, targetPort: number): void {
    const same = (this.source[draft] ?? 0) === source;
    this.sourcePort[draft] = Math.min(this.sourcePort[draft] ?? 0, same ? sourcePort : targetPort);
    this.targetPort[draft] = Math.min(this.targetPort[draft] ?? 0, same ? targetPort : sourcePort);
  }
}

/** 0 quiet, 1 warning, 2 error or down: what may share a strand. */
function severityOf(health: number): 0 | 1 | 2 {
  return health > healthWarning ? 2 : health === healthWarning ? 1 : 0;
}

/** Collects the drawn links. O(links + missing). */
export function collectLinks(
  fabric: Fabric,
  analysis: Analysis,
  nodes: readonly ViewNode[],
  nodeOf: Uint32Array,
  options: CollectOptions,
): Collected {
  const links = fabric.links.count;
  const gaps = analysis.missingLinks.length;
  const insideOfFabricLink = new Uint32Array(links).fill(none);
  const insideOfMissing = new Uint32Array(gaps).fill(none);
  const merging = Uint8Array.from(nodes, (node) => {
    if (node.kind === "fold" || node.kind === "director" || isBlock(node)) return 2;
    return options.bundles && node.kind !== "host" ? 1 : 0;
  });
  const isHost = Uint8Array.from(nodes, (node) => (node.kind === "host" ? 1 : 0));
  const merges = (source: number, target: number): boolean => (merging[source] ?? 0) + (merging[target] ?? 0) >= 2;
  // A cable from a node to itself is seen where the node is drawn alone; an aggregation node sits inside its switch.
  const loops = Uint8Array.from(nodes, (node) => (alone.includes(node.kind) ? 1 : 0));
  const isLoop = (node: number, portA: number, portB: number): boolean =>
    (loops[node] ?? 0) === 1 &&
    [portA, portB].every((port) => nodeKind(fabric, fabric.ports.node[port] ?? 0) !== "aggregation");
  const nodeAt = (port: number): number => nodeOf[fabric.ports.node[port] ?? 0] ?? 0;

  const pairs = new Pairs(links + gaps, nodes.length);
  const pairOf = new Uint32Array(links + gaps).fill(none);
  const enter = (cable: number, portA: number, portB: number, bad: boolean): number => {
    const source = nodeAt(portA);
    const target = nodeAt(portB);
    if (source === target && !isLoop(source, portA, portB)) return source;
    // Of hosts one by one there is nothing to compare, and they are many.
    if (!merges(source, target) && (isHost[source] ?? 0) + (isHost[target] ?? 0) > 0) return none;
    const pair = pairs.find(source, target);
    pairOf[cable] = pair;
    const column = cable < links ? pairs.present : pairs.gaps;
    column[pair] = (column[pair] ?? 0) + 1;
    if (bad) pairs.bad[pair] = (pairs.bad[pair] ?? 0) + 1;
    return none;
  };
  for (let link = 0; link < links; link++) {
    const bad = (analysis.linkHealth[link] ?? 0) >= healthWarning;
    insideOfFabricLink[link] = enter(link, fabric.links.a[link] ?? 0, fabric.links.b[link] ?? 0, bad);
  }
  analysis.missingLinks.forEach(({ a, b }, i) => (insideOfMissing[i] = enter(links + i, a, b, true)));

  const drafts = new Drafts(links + gaps);
  const shared = new Uint32Array(pairs.count * 3).fill(none);
  const place = (cable: number, portA: number, portB: number, severity: 0 | 1 | 2, alone: boolean): number => {
    const source = nodeAt(portA);
    const target = nodeAt(portB);
    const pair = pairOf[cable] ?? 0;
    const portOfA = fabric.ports.number[portA] ?? 0;
    const portOfB = fabric.ports.number[portB] ?? 0;
    const own = alone || (severity > 0 && pair !== none && (pairs.bad[pair] ?? 0) <= mostStrands);
    if (own || pair === none || !merges(source, target)) return drafts.add(source, target, portOfA, portOfB, pair);
    const slot = pair * 3 + severity;
    const known = shared[slot] ?? 0;
    if (known === none) return (shared[slot] = drafts.add(source, target, portOfA, portOfB, pair));
    drafts.join(known, source, portOfA, portOfB);
    return known;
  };
  const linkOfFabricLink = new Uint32Array(links).fill(none);
  const linkOfMissing = new Uint32Array(gaps).fill(none);
  for (let link = 0; link < links; link++) {
    if ((insideOfFabricLink[link] ?? 0) !== none) continue;
    const health = analysis.linkHealth[link] ?? 0;
    const a = fabric.links.a[link] ?? 0;
    const b = fabric.links.b[link] ?? 0;
    const draft = place(link, a, b, severityOf(health), options.apart.has(link));
    linkOfFabricLink[link] = draft;
    drafts.members[draft] = (drafts.members[draft] ?? 0) + 1;
    drafts.health[draft] = Math.max(drafts.health[draft] ?? 0, health);
  }
  analysis.missingLinks.forEach(({ a, b }, i) => {
    if ((insideOfMissing[i] ?? 0) !== none) return;
    const draft = place(links + i, a, b, 2, false);
    linkOfMissing[i] = draft;
    drafts.missing[draft] = (drafts.missing[draft] ?? 0) + 1;
    drafts.health[draft] = healthDown;
  });
  const member = gather(drafts.members.subarray(0, drafts.count), linkOfFabricLink);
  const missing = gather(drafts.missing.subarray(0, drafts.count), linkOfMissing);
  return {
    links: {
      count: drafts.count,
      source: drafts.source.slice(0, drafts.count),
      target: drafts.target.slice(0, drafts.count),
      memberStart: member.start,
      member: member.items,
      missingStart: missing.start,
      missing: missing.items,
      sourcePort: drafts.sourcePort.slice(0, drafts.count),
      targetPort: drafts.targetPort.slice(0, drafts.count),
      ...counted(nodes, pairs, drafts, merges),
    },
    linkOfFabricLink,
    insideOfFabricLink,
    linkOfMissing,
    insideOfMissing,
  };
}

/** What is there between two nodes and what is expected, said by one link of each pair: the quietest. */
function counted(
  nodes: readonly ViewNode[],
  pairs: Pairs,
  drafts: Drafts,
  merges: (source: number, target: number) => boolean,
): Pick<ViewLinks, "present" | "usual" | "lacking" | "health"> {
  const present = new Uint32Array(drafts.count);
  const usual = new Uint32Array(drafts.count);
  const lacking = new Uint8Array(drafts.count);
  const health = drafts.health.slice(0, drafts.count);
  const expected = expectedCables(nodes, pairs);
  const speaker = new Uint32Array(pairs.count).fill(none);
  for (let draft = 0; draft < drafts.count; draft++) {
    const pair = drafts.pair[draft] ?? 0;
    present[draft] = pair === none ? (drafts.members[draft] ?? 0) : (pairs.present[pair] ?? 0);
    if (pair === none) continue;
    if ((present[draft] ?? 0) < (expected[pair] ?? 0)) lacking[draft] = 1;
    const before = speaker[pair] ?? 0;
    if (before === none || (health[draft] ?? 0) < (health[before] ?? 0)) speaker[pair] = draft;
  }
  speaker.forEach((draft, pair) => {
    if (draft === none || (pairs.present[pair] ?? 0) === 0) return;
    usual[draft] = expected[pair] ?? 0;
    // A bundle with fewer cables than its siblings is a finding of the shape: never quieter than a warning.
    if (
      (pairs.present[pair] ?? 0) < (expected[pair] ?? 0) &&
      merges(drafts.source[draft] ?? 0, drafts.target[draft] ?? 0)
    ) {
      health[draft] = Math.max(health[draft] ?? 0, healthWarning);
    }
  });
  return { present, usual, lacking, health };
}

export function isBlock(node: ViewNode): boolean {
  return node.kind === "pod" || node.kind === "group" || node.kind === "plane";
}

/** Lists by draft, from the draft of each item. */
function gather(
  sizes: Uint32Array,
  draftOf: Uint32Array,
): { readonly start: Uint32Array; readonly items: Uint32Array } {
  const start = new Uint32Array(sizes.length + 1);
  for (let i = 0; i < sizes.length; i++) start[i + 1] = (start[i] ?? 0) + (sizes[i] ?? 0);
  const fill = start.slice();
  const items = new Uint32Array(start[sizes.length] ?? 0);
  draftOf.forEach((draft, item) => {
    if (draft === none) return;
    items[fill[draft] ?? 0] = item;
    fill[draft] = (fill[draft] ?? 0) + 1;
  });
  return { start, items };
}
