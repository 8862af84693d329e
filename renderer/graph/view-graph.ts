/**
 * The view graph: what is drawn at one level of detail. Every link of the fabric is in exactly one drawn link (alone or
 * with parallel ones in a bundle) or inside one drawn node (a fold, a switch with its aggregation node).
 */
import { assert } from "../../shared/base/assert.ts";
import { at, hostName, nodeGuid, nodeKind, nodeName } from "../../shared/fabric/access.ts";
import { type Fabric, none } from "../../shared/fabric/model.ts";
import type { Analysis } from "../../shared/analyse/results.ts";
import type { HostGroups } from "../../shared/analyse/host-names.ts";
import { count } from "../../shared/base/text.ts";
import { addBlocks, cellsOf } from "./view-blocks.ts";
import { addDirectors } from "./view-directors.ts";
import { collectLinks, isBlock, type Collected } from "./view-links.ts";
import type { FoldPart, ViewGraph, ViewNode, ViewOptions } from "./view-types.ts";
import { blockCount, boxesOfBlock, hostsOfBlock, type Structure } from "./structure.ts";

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

  const openDirectors = options.openDirectors ?? noLinks;
  const blocks =
    options.folding === undefined ? undefined : addBlocks(structure, options.folding, openDirectors, nodes);
  const nodeOfBox = blocks?.nodeOfBox ?? new Uint32Array(structure.boxNode.length).fill(none);
  addDirectors(structure, openDirectors, nodeOfBox, nodes);
  structure.boxNode.forEach((node, box) => {
    const within = at(nodeOfBox, box);
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
    } else addFolds(block, boxes, hosts, cluster);
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
  function addFolds(block: number, boxes: Uint32Array, hosts: Uint32Array, cluster: number): void {
    const { hostGroups } = options;
    if (hostGroups === undefined) {
      addFold(block, boxes, hosts, cluster, undefined);
      return;
    }
    const parts = partsOf(hosts, hostGroups);
    for (const part of parts) {
      if (part.hosts.length === 1 && parts.length === 1) addHost(at(part.hosts, 0), block, cluster);
      else addFold(block, boxes, part.hosts, cluster, part);
    }
  }
  function addFold(
    block: number,
    boxes: Uint32Array,
    hosts: Uint32Array,
    cluster: number,
    part: FoldPart | undefined,
  ): void {
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
      id: `f${Array.from(boxes, (box) => nodeGuid(fabric, at(structure.boxNode, box))).join("+")}${part === undefined ? "" : `/${part.name}`}`,
      kind: "fold",
      level: 0,
      label: count(hosts.length, "host"),
      part,
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

  /** A fold shows the worst of its hosts' links as well: nothing hides in it. */
  function withHealth(drawn: readonly ViewNode[], graph: Collected): readonly ViewNode[] {
    const worst = new Uint8Array(drawn.length);
    const hosts = new Uint8Array(drawn.length);
    const switches = new Uint8Array(drawn.length);
    const { links } = graph;
    const raiseFold = (end: number, health: number): void => {
      if (health > (worst[end] ?? 0) && drawn[end]?.kind === "fold") worst[end] = health;
    };
    for (let link = 0; link < links.count; link++) {
      const health = links.health[link] ?? 0;
      raiseFold(links.source[link] ?? 0, health);
      raiseFold(links.target[link] ?? 0, health);
    }
    const isHost = (node: number): boolean => (fabric.nodes.host[node] ?? none) !== none;
    const isHostPort = (port: number): boolean => isHost(fabric.ports.node[port] ?? 0);
    graph.insideOfFabricLink.forEach((node, link) => {
      const health = analysis.linkHealth[link] ?? 0;
      if (node === none || health === healthOk) return;
      worst[node] = Math.max(worst[node] ?? 0, health);
      if (isHostPort(fabric.links.a[link] ?? 0) || isHostPort(fabric.links.b[link] ?? 0))
        hosts[node] = Math.max(hosts[node] ?? 0, health);
    });
    for (const inside of graph.insideOfMissing) if (inside !== none) worst[inside] = healthDown;
    nodeOfFabricNode.forEach((node, own) => {
      const health = analysis.nodeHealth[own] ?? 0;
      if (health === healthOk) return;
      const column = isHost(own) ? hosts : switches;
      column[node] = Math.max(column[node] ?? 0, health);
    });
    return drawn.map((node, i) => {
      const health = node.kind === "host" ? node.health : Math.max(node.health, at(worst, i));
      if (isBlock(node)) return { ...node, health, hostHealth: at(hosts, i), switchHealth: at(switches, i) };
      return health > node.health ? { ...node, health } : node;
    });
  }

  // The loops over links read columns in place: a node that is drawn nowhere would be taken for the first one.
  for (const node of nodeOfFabricNode) assert(node !== none, "every node of the fabric is drawn or in a fold");
  const collected = collectLinks(fabric, analysis, nodes, nodeOfFabricNode, {
    bundles: options.bundles,
    apart: options.apart ?? noLinks,
  });
  const hasInside = blocks !== undefined || structure.directors.length > 0;
  const inside = hasInside ? cellsOf({ fabric, analysis, structure }, nodes, nodeOfFabricNode, collected) : noCells;
  return { nodes: withHealth(nodes, collected), nodeOfFabricNode, ...inside, ...collected };
}

/** Hosts of a block by rack or name, in the order of their first ports; those in no group come last. */
function partsOf(hosts: Uint32Array, groups: HostGroups): readonly FoldPart[] {
  const lists = new Map<number, number[]>();
  for (const host of hosts) {
    const group = at(groups.ofHost, host);
    const list = lists.get(group);
    if (list === undefined) lists.set(group, [host]);
    else list.push(host);
  }
  const ordered = [...lists].sort(([a], [b]) => Number(a < 0) - Number(b < 0));
  return ordered.map(([group, list], position) => ({
    of: hosts,
    position,
    parts: ordered.length,
    group,
    name: groups.names[group] ?? "",
    hosts: Uint32Array.from(list),
  }));
}

const noSwitches = { leaves: 0, spines: 0 };
const noLinks: ReadonlySet<number> = new Set();
const noCells: Pick<ViewGraph, "cells" | "cellOfFabricLink" | "cellOfMissing"> = {
  cells: new Map(),
  cellOfFabricLink: new Uint32Array(0),
  cellOfMissing: new Uint32Array(0),
};

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

/** Fabric nodes on which a manager is master or stands by. */
export function managersByNode(fabric: Fabric): ReadonlyMap<number, "MASTER" | "STANDBY"> {
  const managers = new Map<number, "MASTER" | "STANDBY">();
  for (const manager of fabric.subnetManagers) {
    if (manager.node === undefined || (manager.state !== "MASTER" && manager.state !== "STANDBY")) continue;
    const known = better(managers.get(manager.node), manager.state);
    if (known !== undefined) managers.set(manager.node, known);
  }
  return managers;
}

/** Of several managers on what is one drawn node the master counts. */
export function better(a: ViewNode["manager"], b: ViewNode["manager"]): ViewNode["manager"] {
  return a === "MASTER" || b === "MASTER" ? "MASTER" : (a ?? b);
}
