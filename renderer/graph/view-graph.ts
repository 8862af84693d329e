/**
 * The view graph: what is drawn at one level of detail. Every link of the fabric is in exactly one drawn link (alone or
 * with parallel ones in a bundle) or inside one drawn node (a fold, a switch with its aggregation node).
 */
import { at, hostName, nodeGuid, nodeKind, nodeName } from "../../shared/fabric/access.ts";
import { type Fabric, none } from "../../shared/fabric/model.ts";
import type { Analysis } from "../../shared/analyse/results.ts";
import type { Folding } from "./clusters.ts";
import { addBlocks, cellsOf } from "./view-blocks.ts";
import { collectLinks, type Collected } from "./view-links.ts";
import { blockCount, boxesOfBlock, hostsOfBlock, type Structure } from "./structure.ts";

/** `pod`, `group` and `plane` are blocks of switches drawn as one. */
type ViewNodeKind = "switch" | "router" | "aggregation" | "adapter" | "host" | "fold" | "pod" | "group" | "plane";

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
  /** Pod or group it belongs to or stands for (a plane: the plane), -1 for none. */
  readonly cluster: number;
  /** Hosts this node stands for: 1 for a host, n for a fold or a block, 0 for a box. */
  readonly hosts: number;
  /** Leaves and spines (a plane: core switches) that a block stands for; 0 for others. */
  readonly leaves: number;
  readonly spines: number;
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
  /** Cables that a bundle between blocks should have, as most such bundles do; 0 when nobody says. */
  readonly usual: Uint32Array;
}

/** A block's inner links: one cell per leaf (across) and spine (down), 0 = no cable, else worst health + 1. */
export interface Cells {
  readonly columns: number;
  readonly rows: number;
  readonly health: Uint8Array;
}

export interface ViewGraph {
  readonly nodes: readonly ViewNode[];
  readonly links: ViewLinks;
  /** Inner links of each drawn pod and group. */
  readonly cells: ReadonlyMap<number, Cells>;
  /** Drawn node that shows a fabric node. */
  readonly nodeOfFabricNode: Uint32Array;
  /** Drawn link that holds a fabric link, or {@link none} when it is inside a node. */
  readonly linkOfFabricLink: Uint32Array;
  /** Drawn node that holds a fabric link inside itself, or {@link none}. */
  readonly insideOfFabricLink: Uint32Array;
  /** Drawn link of each missing link, or {@link none} when both its ends are in one node. */
  readonly linkOfMissing: Uint32Array;
  /** Drawn node that holds a missing link inside itself, or {@link none}. */
  readonly insideOfMissing: Uint32Array;
}

export interface ViewOptions {
  /** Fabric nodes of switches whose hosts are drawn one by one; "all" draws every host. */
  readonly unfolded: "all" | ReadonlySet<number>;
  /** Draw parallel cables between two switches as one bundle. */
  readonly bundles: boolean;
  /** Pods, groups and planes drawn as blocks. */
  readonly folding?: Folding | undefined;
}

const healthOk = 0;
/** Code of "down" in `healths`. */
const healthDown = 6;

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
  const boxToNode = new Uint32Array(structure.boxNode.length);

  const blocks = options.folding === undefined ? undefined : addBlocks(structure, options.folding, nodes);
  structure.boxNode.forEach((node, box) => {
    const within = blocks?.nodeOfBox[box] ?? none;
    boxToNode[box] = within === none ? nodes.length : within;
    if (within === none) nodes.push(boxNode(fabric, structure, box, nodeHealth(node), managers.get(node)));
    else raise(within, nodeHealth(node), managers.get(node));
  });
  structure.boxOfNode.forEach((box, node) => {
    if (box !== none) nodeOfFabricNode[node] = at(boxToNode, box);
  });
  for (let block = 0; block < blockCount(structure); block++) {
    const hosts = hostsOfBlock(structure, block);
    const boxes = boxesOfBlock(structure, block);
    const cluster = boxes.length === 0 ? -1 : at(structure.clusterOfBox, at(boxes, 0));
    const within = blocks?.nodeOfBlock[block] ?? none;
    if (within !== none) hideHosts(within, hosts);
    else if (isUnfolded(options, structure, boxes, hosts)) {
      for (const host of hosts) addHost(host, block, cluster);
    } else addFold(block, boxes, hosts, cluster);
  }

  function raise(index: number, health: number, manager: ViewNode["manager"]): void {
    const block = nodes[index];
    if (block === undefined) return;
    const worse = Math.max(block.health, health);
    if (worse === block.health && manager === undefined) return;
    nodes[index] = { ...block, health: worse, manager: better(block.manager, manager) };
  }
  function hideHosts(within: number, hosts: Uint32Array): void {
    for (const host of hosts) {
      for (const node of adapters(host)) {
        nodeOfFabricNode[node] = within;
        raise(within, nodeHealth(node), managers.get(node));
      }
    }
  }
  function adapters(host: number): Uint32Array {
    return fabric.hosts.nodes.subarray(at(fabric.hosts.nodeStart, host), at(fabric.hosts.nodeStart, host + 1));
  }
  function addHost(host: number, block: number, cluster: number): void {
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
      cluster,
      hosts: 1,
      ...noSwitches,
      health,
      aggregations: 0,
      manager,
      reached: own.some((node) => fabric.nodes.discovered[node] === 1),
    });
  }
  function addFold(block: number, boxes: Uint32Array, hosts: Uint32Array, cluster: number): void {
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
      cluster,
      hosts: hosts.length,
      ...noSwitches,
      health,
      aggregations: 0,
      manager,
      reached: true,
    });
  }

  const collected = collectLinks(fabric, analysis, nodes, nodeOfFabricNode, options.bundles);
  const cells = blocks === undefined ? noCells : cellsOf({ fabric, analysis, structure }, nodes, collected);
  return { nodes: withLinkHealth(nodes, collected, analysis), nodeOfFabricNode, cells, ...collected };
}

const noSwitches = { leaves: 0, spines: 0 };
const noCells: ReadonlyMap<number, Cells> = new Map();

/** A fold shows the worst of its hosts' links as well: nothing hides in it. */
function withLinkHealth(nodes: readonly ViewNode[], graph: Collected, analysis: Analysis): readonly ViewNode[] {
  const worst = new Uint8Array(nodes.length);
  const { links, insideOfFabricLink } = graph;
  for (let link = 0; link < links.count; link++) {
    for (const end of [at(links.source, link), at(links.target, link)]) {
      if (nodes[end]?.kind === "fold") worst[end] = Math.max(at(worst, end), at(links.health, link));
    }
  }
  insideOfFabricLink.forEach((node, link) => {
    if (node !== none) worst[node] = Math.max(at(worst, node), at(analysis.linkHealth, link));
  });
  for (const inside of graph.insideOfMissing)
    if (inside !== none) worst[inside] = Math.max(at(worst, inside), healthDown);
  return nodes.map((node, i) =>
    at(worst, i) > node.health && node.kind !== "host" ? { ...node, health: at(worst, i) } : node,
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
    cluster: at(structure.clusterOfBox, box),
    hosts: 0,
    ...noSwitches,
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

/** Fabric links of a drawn link. */
export function membersOf(links: ViewLinks, link: number): Uint32Array {
  return links.member.subarray(at(links.memberStart, link), at(links.memberStart, link + 1));
}

/** Missing links of a drawn link. */
export function missingOf(links: ViewLinks, link: number): Uint32Array {
  return links.missing.subarray(at(links.missingStart, link), at(links.missingStart, link + 1));
}
