/**
 * What there is to draw, before any level of detail: boxes (switches, routers, what stands alone), hosts in blocks
 * under the switches they are cabled to, and the cables between boxes. Plain typed arrays: the input of the layout,
 * which may run in a worker. Positions depend on this alone, so folding and unfolding never moves anything.
 */
import { nodeKind } from "../../shared/fabric/access.ts";
import { type Fabric, none } from "../../shared/fabric/model.ts";
import type { Analysis, Chassis } from "../../shared/analyse/results.ts";
import { chipsAbovePods } from "./director-rows.ts";

/** Row of routers; above every switch tier. */
export const routerLevel = 100;
/** Row of boxes that analysis could not place. */
export const unplacedLevel = -1;

/** How the picture is built up. */
export type Shape = "tree" | "dragonfly+" | "irregular";

export interface Structure {
  readonly shape: Shape;
  /** Fabric node of each box. */
  readonly boxNode: Uint32Array;
  /** Tier of each box: 1 leaf, 2 spine …, {@link routerLevel}, or {@link unplacedLevel}. */
  readonly boxLevel: Int16Array;
  /** Position of each box in the drawing order that analysis gives. */
  readonly boxRank: Uint32Array;
  /** Pod of a tree or group of a Dragonfly+ (position in the analysis' list) of each box, -1 for none and above the pods. */
  readonly clusterOfBox: Int32Array;
  readonly clusters: number;
  /** Names of directors: boxes of several switch chips. */
  readonly directors: readonly string[];
  /** Director of each box, -1 for none. */
  readonly directorOfBox: Int32Array;
  /** Boxes of each pair of directly cabled boxes, and the number of cables; missing cables count too. */
  readonly pairA: Uint32Array;
  readonly pairB: Uint32Array;
  readonly pairCables: Uint32Array;
  /** Boxes that the hosts of block b are cabled to: blockBox[blockBoxStart[b] … blockBoxStart[b + 1] - 1], rising rank. */
  readonly blockBoxStart: Uint32Array;
  readonly blockBox: Uint32Array;
  /** Host indices of block b in drawing order (by port on their first switch): blockHost[blockHostStart[b] …]. */
  readonly blockHostStart: Uint32Array;
  readonly blockHost: Uint32Array;
  /** Block of each host. */
  readonly blockOfHost: Uint32Array;
  /** Box that shows a fabric node (an aggregation node is shown by its switch), or {@link none} for adapters of hosts. */
  readonly boxOfNode: Uint32Array;
  /** SHARP aggregation nodes shown by each box. */
  readonly aggregations: Uint16Array;
}

/** Columns from lists of lists. */
function rows(lists: readonly (readonly number[])[]): { start: Uint32Array; flat: Uint32Array } {
  const start = new Uint32Array(lists.length + 1);
  lists.forEach((list, i) => (start[i + 1] = (start[i] ?? 0) + list.length));
  return { start, flat: Uint32Array.from(lists.flat()) };
}

/** The switch next to an aggregation node; undefined when it has none. */
function switchBeside(fabric: Fabric, node: number): number | undefined {
  for (let port = fabric.nodes.portStart[node] ?? 0; port < (fabric.nodes.portStart[node + 1] ?? 0); port++) {
    const link = fabric.ports.link[port] ?? 0;
    if (link === none) continue;
    const a = fabric.links.a[link] ?? 0;
    const peer = fabric.ports.node[a === port ? (fabric.links.b[link] ?? 0) : a] ?? 0;
    if (nodeKind(fabric, peer) === "switch") return peer;
  }
  return undefined;
}

/** Derives the structure. O(nodes + links). A link that was missed still counts: shape is what was cabled. */
export function buildStructure(fabric: Fabric, analysis: Analysis): Structure {
  const nodes = fabric.nodes.count;
  const boxNode: number[] = [];
  const boxLevel: number[] = [];
  const boxOfNode = new Uint32Array(nodes).fill(none);
  const given = new Uint32Array(nodes).fill(none);
  let next = 0;
  for (const tier of analysis.topology.tiers) for (const node of tier.switches) given[node] = next++;
  const addBox = (node: number, level: number): void => {
    boxOfNode[node] = boxNode.length;
    boxNode.push(node);
    boxLevel.push(level);
  };
  const attached: [number, number][] = [];
  for (let node = 0; node < nodes; node++) {
    const kind = nodeKind(fabric, node);
    const tier = analysis.topology.tierOfNode[node] ?? unplacedLevel;
    if (kind === "switch") addBox(node, tier >= 1 ? tier : unplacedLevel);
    else if (kind === "router") addBox(node, routerLevel);
    else if (kind === "aggregation") {
      const beside = switchBeside(fabric, node);
      if (beside === undefined) addBox(node, unplacedLevel);
      else attached.push([node, beside]);
    } else if ((fabric.nodes.host[node] ?? 0) === none) addBox(node, unplacedLevel);
  }
  const aggregations = new Uint16Array(boxNode.length);
  for (const [node, beside] of attached) {
    const box = boxOfNode[beside] ?? 0;
    boxOfNode[node] = box;
    aggregations[box] = (aggregations[box] ?? 0) + 1;
  }
  const boxRank = Uint32Array.from(boxNode, (node, i) => ((given[node] ?? 0) === none ? next + i : (given[node] ?? 0)));
  const pairs = boxPairs(fabric, analysis, boxOfNode, boxNode.length);
  const { topology } = analysis;
  const directorOfBox = directorColumn(topology.chassis, boxOfNode, boxNode.length);
  const above = topology.kind === "fat-tree" ? chipsAbovePods(boxLevel, directorOfBox) : undefined;
  return {
    shape: topology.kind === "fat-tree" ? "tree" : topology.kind,
    clusterOfBox: Int32Array.from(boxNode, (node, box) =>
      (boxLevel[box] ?? 0) >= routerLevel || above?.[box] === 1 ? -1 : (topology.blockOfNode[node] ?? -1),
    ),
    clusters: Math.max(topology.pods.length, topology.groups.length),
    directors: topology.chassis.map((chassis) => chassis.name),
    directorOfBox,
    boxNode: Uint32Array.from(boxNode),
    boxLevel: Int16Array.from(boxLevel),
    boxRank,
    ...pairs,
    ...hostBlocks(fabric, boxOfNode, boxRank),
    boxOfNode,
    aggregations,
  };
}

function directorColumn(chassis: readonly Chassis[], boxOfNode: Uint32Array, boxes: number): Int32Array {
  const column = new Int32Array(boxes).fill(-1);
  chassis.forEach(({ switches }, director) => {
    for (const node of switches) column[boxOfNode[node] ?? 0] = director;
  });
  return column;
}

/** Pairs in the order of their first cable. A chain of known partners per lower box: no keys to build, no hashing. */
function boxPairs(
  fabric: Fabric,
  analysis: Analysis,
  boxOfNode: Uint32Array,
  boxes: number,
): Pick<Structure, "pairA" | "pairB" | "pairCables"> {
  const most = fabric.links.count + analysis.missingLinks.length;
  const a = new Uint32Array(most);
  const b = new Uint32Array(most);
  const cables = new Uint32Array(most);
  const head = new Uint32Array(boxes).fill(none);
  const next = new Uint32Array(most);
  let count = 0;
  const add = (portA: number, portB: number): void => {
    let first = boxOfNode[fabric.ports.node[portA] ?? 0] ?? 0;
    let second = boxOfNode[fabric.ports.node[portB] ?? 0] ?? 0;
    if (first === none || second === none || first === second) return;
    if (first > second) [first, second] = [second, first];
    let pair = head[first] ?? 0;
    while (pair !== none && (b[pair] ?? 0) !== second) pair = next[pair] ?? 0;
    if (pair === none) {
      pair = count++;
      a[pair] = first;
      b[pair] = second;
      next[pair] = head[first] ?? 0;
      head[first] = pair;
    }
    cables[pair] = (cables[pair] ?? 0) + 1;
  };
  for (let link = 0; link < fabric.links.count; link++) add(fabric.links.a[link] ?? 0, fabric.links.b[link] ?? 0);
  for (const missing of analysis.missingLinks) add(missing.a, missing.b);
  return { pairA: a.slice(0, count), pairB: b.slice(0, count), pairCables: cables.slice(0, count) };
}

/** Hosts with the same set of switches form a block; a host is ordered by its port on the first of them. */
function hostBlocks(
  fabric: Fabric,
  boxOfNode: Uint32Array,
  boxRank: Uint32Array,
): Pick<Structure, "blockBoxStart" | "blockBox" | "blockHostStart" | "blockHost" | "blockOfHost"> {
  const hosts = fabric.hosts.count;
  // Most hosts hang on one box: that one stands in columns, further ones in a list of their own.
  const firstBox = new Uint32Array(hosts).fill(none);
  const firstPort = new Uint8Array(hosts).fill(255);
  const further = new Map<number, Map<number, number>>();
  const touch = (own: number, other: number): void => {
    const host = fabric.nodes.host[fabric.ports.node[own] ?? 0] ?? 0;
    const box = boxOfNode[fabric.ports.node[other] ?? 0] ?? 0;
    if (host === none || box === none) return;
    const number = fabric.ports.number[other] ?? 0;
    if ((firstBox[host] ?? 0) === none || (firstBox[host] ?? 0) === box) {
      firstBox[host] = box;
      firstPort[host] = Math.min(firstPort[host] ?? 0, number);
      return;
    }
    let map = further.get(host);
    if (map === undefined) further.set(host, (map = new Map<number, number>()));
    map.set(box, Math.min(map.get(box) ?? 255, number));
  };
  for (let link = 0; link < fabric.links.count; link++) {
    touch(fabric.links.a[link] ?? 0, fabric.links.b[link] ?? 0);
    touch(fabric.links.b[link] ?? 0, fabric.links.a[link] ?? 0);
  }
  const blocks = new Map<string | number, { boxes: number[]; hosts: { host: number; port: number }[] }>();
  for (let host = 0; host < hosts; host++) {
    const map = further.get(host);
    const first = firstBox[host] ?? 0;
    const boxes = first === none ? [] : [first, ...(map?.keys() ?? [])];
    if (boxes.length > 1) boxes.sort((x, y) => (boxRank[x] ?? 0) - (boxRank[y] ?? 0));
    const key = boxes.length > 1 ? boxes.join() : first;
    let block = blocks.get(key);
    if (block === undefined) blocks.set(key, (block = { boxes, hosts: [] }));
    const port = boxes[0] === first ? (firstPort[host] ?? 0) : (map?.get(boxes[0] ?? none) ?? 0);
    block.hosts.push({ host, port: first === none ? 0 : port });
  }
  const list = [...blocks.values()].sort(
    (x, y) => rankOf(x.boxes, boxRank) - rankOf(y.boxes, boxRank) || x.boxes.length - y.boxes.length,
  );
  for (const block of list) block.hosts.sort((x, y) => x.port - y.port || x.host - y.host);
  const boxColumns = rows(list.map((block) => block.boxes));
  const hostColumns = rows(list.map((block) => block.hosts.map((entry) => entry.host)));
  const blockOfHost = new Uint32Array(hosts);
  list.forEach((block, i) => {
    for (const entry of block.hosts) blockOfHost[entry.host] = i;
  });
  return {
    blockBoxStart: boxColumns.start,
    blockBox: boxColumns.flat,
    blockHostStart: hostColumns.start,
    blockHost: hostColumns.flat,
    blockOfHost,
  };
}

function rankOf(boxes: readonly number[], boxRank: Uint32Array): number {
  return boxes[0] === undefined ? none : (boxRank[boxes[0]] ?? 0);
}

/** Boxes a block's hosts are cabled to. */
export function boxesOfBlock(structure: Structure, block: number): Uint32Array {
  return structure.blockBox.subarray(structure.blockBoxStart[block] ?? 0, structure.blockBoxStart[block + 1] ?? 0);
}

/** Hosts of a block, in drawing order. */
export function hostsOfBlock(structure: Structure, block: number): Uint32Array {
  return structure.blockHost.subarray(structure.blockHostStart[block] ?? 0, structure.blockHostStart[block + 1] ?? 0);
}

export function blockCount(structure: Structure): number {
  return structure.blockBoxStart.length - 1;
}
