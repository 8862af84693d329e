/**
 * The view graph: what is drawn at one level of detail. Every link of the fabric is in exactly one drawn link (alone or
 * with parallel ones in a bundle) or inside one drawn node (a fold, a switch with its aggregation node).
 */
import { at, hostName, nodeGuid, nodeKind, nodeName } from "../../shared/fabric/access.ts";
import { type Fabric, none } from "../../shared/fabric/model.ts";
import type { Analysis } from "../../shared/analyse/results.ts";
import { blockCount, boxesOfBlock, hostsOfBlock, type Structure } from "./structure.ts";

type ViewNodeKind = "switch" | "router" | "aggregation" | "adapter" | "host" | "fold";

export interface ViewNode {
  /** Stable over collections of the same fabric. */
  readonly id: string;
  readonly kind: ViewNodeKind;
  /** Row: 0 hosts, 1 leaf, 2 spine …; see structure.ts for routers and what has no place. */
  readonly level: number;
  readonly label: string;
  /** Fabric node: the box's, a host's first adapter, the first switch of a fold ({@link none} when it hangs nowhere). */
  readonly node: number;
  /** Host index of a host, else {@link none}. */
  readonly host: number;
  /** Box index (layout), or {@link none} for hosts and folds. */
  readonly box: number;
  /** Block of a host or a fold, else {@link none}. */
  readonly block: number;
  /** Hosts this node stands for: 1 for a host, n for a fold, 0 for a box. */
  readonly hosts: number;
  /** Worst health of what it stands for; a fold includes its hosts' links. Code in `healths`. */
  readonly health: number;
  readonly aggregations: number;
  readonly manager: "MASTER" | "STANDBY" | undefined;
  /** False when the node is only known as somebody's peer. */
  readonly reached: boolean;
}

export interface ViewLinks {
  readonly count: number;
  /** Node of end A: the upper one of the two rows is not implied. */
  readonly source: Uint32Array;
  readonly target: Uint32Array;
  /** Fabric links of drawn link i: member[memberStart[i] … memberStart[i + 1] - 1]. */
  readonly memberStart: Uint32Array;
  readonly member: Uint32Array;
  /** Missing links (position in analysis.missingLinks) of drawn link i, the same way. */
  readonly missingStart: Uint32Array;
  readonly missing: Uint32Array;
  /** Lowest port number at either end, for the place on the node's edge. */
  readonly sourcePort: Uint8Array;
  readonly targetPort: Uint8Array;
  /** Worst health of the members. */
  readonly health: Uint8Array;
}

export interface ViewGraph {
  readonly nodes: readonly ViewNode[];
  readonly links: ViewLinks;
  /** Drawn node that shows a fabric node. */
  readonly nodeOfFabricNode: Uint32Array;
  /** Drawn link that holds a fabric link, or {@link none} when it is inside a node. */
  readonly linkOfFabricLink: Uint32Array;
  /** Drawn node that holds a fabric link inside itself, or {@link none}. */
  readonly insideOfFabricLink: Uint32Array;
  /** Drawn link of each missing link, or {@link none} when both its ends are in one node. */
  readonly linkOfMissing: Uint32Array;
}

export interface ViewOptions {
  /** Fabric nodes of switches whose hosts are drawn one by one; "all" draws every host. */
  readonly unfolded: "all" | ReadonlySet<number>;
  /** Draw parallel cables between two switches as one bundle. */
  readonly bundles: boolean;
}

const healthOk = 0;
/** Code of "down" in `healths`. */
const healthDown = 6;
const healthWarning = 4;

/** Derives the view graph. O(nodes + links). */
export function buildViewGraph(
  fabric: Fabric,
  analysis: Analysis,
  structure: Structure,
  options: ViewOptions,
): ViewGraph {
  const managers = managersByNode(fabric);
  const nodes: ViewNode[] = [];
  const nodeOfFabricNode = new Uint32Array(fabric.nodes.count).fill(none);
  const nodeHealth = (node: number): number => at(analysis.nodeHealth, node);

  structure.boxNode.forEach((node, box) => {
    nodes.push(boxNode(fabric, structure, box, nodeHealth(node), managers.get(node)));
  });
  structure.boxOfNode.forEach((box, node) => {
    if (box !== none) nodeOfFabricNode[node] = box;
  });
  for (let block = 0; block < blockCount(structure); block++) {
    const hosts = hostsOfBlock(structure, block);
    const boxes = boxesOfBlock(structure, block);
    if (isUnfolded(options, structure, boxes, hosts)) {
      for (const host of hosts) addHost(host, block);
    } else addFold(block, boxes, hosts);
  }

  function adapters(host: number): Uint32Array {
    return fabric.hosts.nodes.subarray(at(fabric.hosts.nodeStart, host), at(fabric.hosts.nodeStart, host + 1));
  }
  function addHost(host: number, block: number): void {
    const own = adapters(host);
    const first = at(own, 0);
    let health = healthOk;
    let manager: ViewNode["manager"];
    for (const node of own) {
      nodeOfFabricNode[node] = nodes.length;
      health = Math.max(health, nodeHealth(node));
      manager = better(manager, managers.get(node));
    }
    nodes.push({
      id: `h${nodeGuid(fabric, first)}`,
      kind: "host",
      level: 0,
      label: hostName(fabric, host),
      node: first,
      host,
      box: none,
      block,
      hosts: 1,
      health,
      aggregations: 0,
      manager,
      reached: own.some((node) => fabric.nodes.discovered[node] === 1),
    });
  }
  function addFold(block: number, boxes: Uint32Array, hosts: Uint32Array): void {
    let health = healthOk;
    let manager: ViewNode["manager"];
    for (const host of hosts) {
      for (const node of adapters(host)) {
        nodeOfFabricNode[node] = nodes.length;
        health = Math.max(health, nodeHealth(node));
        manager = better(manager, managers.get(node));
      }
    }
    const node = boxes.length === 0 ? none : at(structure.boxNode, at(boxes, 0));
    nodes.push({
      id: `f${Array.from(boxes, (box) => nodeGuid(fabric, at(structure.boxNode, box))).join("+")}`,
      kind: "fold",
      level: 0,
      label: `${hosts.length} hosts`,
      node,
      host: none,
      box: none,
      block,
      hosts: hosts.length,
      health,
      aggregations: 0,
      manager,
      reached: true,
    });
  }

  const collected = collectLinks(fabric, analysis, nodes, nodeOfFabricNode, options.bundles);
  return { nodes: withLinkHealth(nodes, collected), nodeOfFabricNode, ...collected };
}

/** A fold shows the worst of its hosts' links as well: nothing hides in it. */
function withLinkHealth(nodes: readonly ViewNode[], graph: Pick<ViewGraph, "links">): readonly ViewNode[] {
  const worst = new Uint8Array(nodes.length);
  const { links } = graph;
  for (let link = 0; link < links.count; link++) {
    for (const end of [at(links.source, link), at(links.target, link)]) {
      worst[end] = Math.max(at(worst, end), at(links.health, link));
    }
  }
  return nodes.map((node, i) =>
    node.kind === "fold" && at(worst, i) > node.health ? { ...node, health: at(worst, i) } : node,
  );
}

function isUnfolded(options: ViewOptions, structure: Structure, boxes: Uint32Array, hosts: Uint32Array): boolean {
  if (options.unfolded === "all" || hosts.length === 1) return true;
  const { unfolded } = options;
  return boxes.some((box) => unfolded.has(at(structure.boxNode, box)));
}

function boxNode(
  fabric: Fabric,
  structure: Structure,
  box: number,
  health: number,
  manager: ViewNode["manager"],
): ViewNode {
  const node = at(structure.boxNode, box);
  const kind = nodeKind(fabric, node);
  return {
    id: `n${nodeGuid(fabric, node)}`,
    kind: kind === "hca" ? "adapter" : kind,
    level: at(structure.boxLevel, box),
    label: nodeName(fabric, node),
    node,
    host: none,
    box,
    block: none,
    hosts: 0,
    health,
    aggregations: at(structure.aggregations, box),
    manager,
    reached: fabric.nodes.discovered[node] === 1,
  };
}

function managersByNode(fabric: Fabric): ReadonlyMap<number, "MASTER" | "STANDBY"> {
  const managers = new Map<number, "MASTER" | "STANDBY">();
  for (const manager of fabric.subnetManagers) {
    if (manager.node === undefined || (manager.state !== "MASTER" && manager.state !== "STANDBY")) continue;
    const known = better(managers.get(manager.node), manager.state);
    if (known !== undefined) managers.set(manager.node, known);
  }
  return managers;
}

function better(a: ViewNode["manager"], b: ViewNode["manager"]): ViewNode["manager"] {
  return a === "MASTER" || b === "MASTER" ? "MASTER" : (a ?? b);
}

type Collected = Pick<ViewGraph, "links" | "linkOfFabricLink" | "insideOfFabricLink" | "linkOfMissing">;

interface Draft {
  readonly source: number;
  readonly target: number;
  sourcePort: number;
  targetPort: number;
  health: number;
  readonly members: number[];
  readonly missing: number[];
}

function collectLinks(
  fabric: Fabric,
  analysis: Analysis,
  nodes: readonly ViewNode[],
  nodeOf: Uint32Array,
  bundles: boolean,
): Collected {
  const drafts: Draft[] = [];
  const merged = new Map<number, number>();
  const linkOfFabricLink = new Uint32Array(fabric.links.count).fill(none);
  const insideOfFabricLink = new Uint32Array(fabric.links.count).fill(none);
  const linkOfMissing = new Uint32Array(analysis.missingLinks.length).fill(none);
  const isFold = (node: number): boolean => nodes[node]?.kind === "fold";

  const draftFor = (portA: number, portB: number): { index: number; inside: number } => {
    const source = at(nodeOf, at(fabric.ports.node, portA));
    const target = at(nodeOf, at(fabric.ports.node, portB));
    if (source === target) return { index: none, inside: source };
    const merge = isFold(source) || isFold(target) || (bundles && areBoxes(nodes, source, target));
    const low = Math.min(source, target);
    const key = low * nodes.length + Math.max(source, target);
    const known = merge ? merged.get(key) : undefined;
    const sourcePort = at(fabric.ports.number, portA);
    const targetPort = at(fabric.ports.number, portB);
    if (known === undefined) {
      if (merge) merged.set(key, drafts.length);
      drafts.push({ source, target, sourcePort, targetPort, health: healthOk, members: [], missing: [] });
      return { index: drafts.length - 1, inside: none };
    }
    const draft = drafts[known];
    if (draft !== undefined) {
      const same = draft.source === source;
      draft.sourcePort = Math.min(draft.sourcePort, same ? sourcePort : targetPort);
      draft.targetPort = Math.min(draft.targetPort, same ? targetPort : sourcePort);
    }
    return { index: known, inside: none };
  };

  for (let link = 0; link < fabric.links.count; link++) {
    const { index, inside } = draftFor(at(fabric.links.a, link), at(fabric.links.b, link));
    const draft = drafts[index];
    if (draft === undefined) {
      insideOfFabricLink[link] = inside;
      continue;
    }
    draft.members.push(link);
    draft.health = Math.max(draft.health, at(analysis.linkHealth, link));
    linkOfFabricLink[link] = index;
  }
  analysis.missingLinks.forEach((missing, i) => {
    const { index } = draftFor(missing.a, missing.b);
    const draft = drafts[index];
    if (draft === undefined) return;
    draft.missing.push(i);
    // Alone it is a cable that is not up; in a bundle the others still carry traffic.
    draft.health = Math.max(draft.health, draft.members.length === 0 ? healthDown : healthWarning);
    linkOfMissing[i] = index;
  });
  return { links: columns(drafts), linkOfFabricLink, insideOfFabricLink, linkOfMissing };
}

function areBoxes(nodes: readonly ViewNode[], a: number, b: number): boolean {
  return nodes[a]?.kind !== "host" && nodes[b]?.kind !== "host";
}

function columns(drafts: readonly Draft[]): ViewLinks {
  const memberStart = new Uint32Array(drafts.length + 1);
  const missingStart = new Uint32Array(drafts.length + 1);
  drafts.forEach((draft, i) => {
    memberStart[i + 1] = at(memberStart, i) + draft.members.length;
    missingStart[i + 1] = at(missingStart, i) + draft.missing.length;
  });
  return {
    count: drafts.length,
    source: Uint32Array.from(drafts, (draft) => draft.source),
    target: Uint32Array.from(drafts, (draft) => draft.target),
    memberStart,
    member: Uint32Array.from(drafts.flatMap((draft) => draft.members)),
    missingStart,
    missing: Uint32Array.from(drafts.flatMap((draft) => draft.missing)),
    sourcePort: Uint8Array.from(drafts, (draft) => draft.sourcePort),
    targetPort: Uint8Array.from(drafts, (draft) => draft.targetPort),
    health: Uint8Array.from(drafts, (draft) => draft.health),
  };
}

/** Fabric links of a drawn link. */
export function membersOf(links: ViewLinks, link: number): Uint32Array {
  return links.member.subarray(at(links.memberStart, link), at(links.memberStart, link + 1));
}

/** Missing links of a drawn link. */
export function missingOf(links: ViewLinks, link: number): Uint32Array {
  return links.missing.subarray(at(links.missingStart, link), at(links.missingStart, link + 1));
}
