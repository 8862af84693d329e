/** Filters that look at the fabric: rail, pod or group, rack, text. Columns over fabric nodes and links. Pure. */
import { at, hostName, nodeKind, nodeName } from "../../shared/fabric/access.ts";
import { none, type Fabric } from "../../shared/fabric/model.ts";
import type { Analysis, Topology } from "../../shared/analyse/results.ts";

export interface FabricFilters {
  /** Rails shown, from 0; empty = all. */
  readonly rails: readonly number[];
  /** Pods or groups shown; empty = all. */
  readonly clusters: readonly number[];
  /** Racks, or names that hosts count through, by position in the grouping; empty = all. */
  readonly hostGroups: readonly number[];
  /** Part of a name; empty = all. */
  readonly text: string;
}

/** What the filters leave. */
export interface Wanted {
  /** 0 for nodes that are not drawn: of other pods, hosts of other racks. */
  readonly nodes: Uint8Array;
  readonly links: Uint8Array;
  /** The same by position in `analysis.missingLinks`. */
  readonly missing: Uint8Array;
  /** 1 for nodes whose name, or whose host's, holds the text; all 0 without a text. */
  readonly named: Uint8Array;
  /** Rail of each adapter and of each switch that serves one alone; -1 for others. */
  readonly railOfNode: Int8Array;
}

export function noFilters({ rails, clusters, hostGroups, text }: FabricFilters): boolean {
  return rails.length === 0 && clusters.length === 0 && hostGroups.length === 0 && text.trim() === "";
}

/** O(nodes + links). @param groupOfHost rack or name of each host, for `hostGroups` */
export function wantedBy(
  fabric: Fabric,
  analysis: Analysis,
  filters: FabricFilters,
  groupOfHost: Int32Array | undefined,
): Wanted {
  const count = fabric.nodes.count;
  const { topology } = analysis;
  const railOfNode = knownRailsOf(fabric, topology);
  const rails = new Set(filters.rails);
  const groups = new Set(filters.hostGroups);
  const text = filters.text.trim().toLowerCase();
  const names = text === "" ? [] : namesOf(fabric);
  const nodes = inClusters(fabric, topology, new Set(filters.clusters));
  const named = new Uint8Array(count);
  const inGroup = new Uint8Array(count).fill(groups.size === 0 ? 1 : 0);
  for (let node = 0; node < count; node++) {
    const host = at(fabric.nodes.host, node);
    if (groups.size > 0 && host !== none) {
      if (groups.has(groupOfHost?.[host] ?? -1)) inGroup[node] = 1;
      else nodes[node] = 0;
    }
    if (text !== "" && (names[node] ?? "").includes(text)) named[node] = 1;
  }
  // A rack is shown with its leaves and their uplinks.
  if (groups.size > 0) {
    eachCable(fabric, (own, other) => {
      if (at(fabric.nodes.host, own) === none && at(fabric.nodes.host, other) !== none && at(inGroup, other) === 1)
        inGroup[own] = 2;
    });
  }
  const onRail = (node: number): boolean => at(railOfNode, node) < 0 || rails.has(at(railOfNode, node));
  const keeps = (portA: number, portB: number): 0 | 1 => {
    const a = at(fabric.ports.node, portA);
    const b = at(fabric.ports.node, portB);
    if (at(nodes, a) === 0 || at(nodes, b) === 0) return 0;
    if (text !== "" && at(named, a) === 0 && at(named, b) === 0) return 0;
    if (at(inGroup, a) === 0 && at(inGroup, b) === 0) return 0;
    if (rails.size === 0 || (onRail(a) && onRail(b))) return 1;
    // A cable between two rails, as of a host on the wrong leaf, is shown with both.
    return rails.has(at(railOfNode, a)) || rails.has(at(railOfNode, b)) ? 1 : 0;
  };
  return {
    nodes,
    links: Uint8Array.from({ length: fabric.links.count }, (_, link) =>
      keeps(at(fabric.links.a, link), at(fabric.links.b, link)),
    ),
    missing: Uint8Array.from(analysis.missingLinks, ({ a, b }) => keeps(a, b)),
    named,
    railOfNode,
  };
}

const knownNames = new WeakMap<Fabric, readonly string[]>();

/** What a text is looked for in, by node: small letters of its name and its host's. Made once: a text changes with every key. */
function namesOf(fabric: Fabric): readonly string[] {
  let names = knownNames.get(fabric);
  if (names === undefined) {
    names = Array.from({ length: fabric.nodes.count }, (_, node) => {
      const host = at(fabric.nodes.host, node);
      const name = nodeName(fabric, node);
      return (host === none ? name : `${name} ${hostName(fabric, host)}`).toLowerCase();
    });
    knownNames.set(fabric, names);
  }
  return names;
}

const knownRails = new WeakMap<Topology, Int8Array>();

function knownRailsOf(fabric: Fabric, topology: Topology): Int8Array {
  let rails = knownRails.get(topology);
  if (rails === undefined) knownRails.set(topology, (rails = railsOf(fabric, topology)));
  return rails;
}

/** What a picture under filters holds; the words of the legend. */
export interface Shown {
  readonly leaves: number;
  readonly hosts: number;
  readonly links: number;
}

/** Counts what the filters leave. Leaves: those with a shown cable, on the chosen rails. O(links). */
export function shownBy(fabric: Fabric, topology: Topology, wanted: Wanted, filters: FabricFilters): Shown {
  const leaves = new Uint8Array(fabric.nodes.count);
  const hosts = new Uint8Array(fabric.hosts.count);
  let links = 0;
  const rails = new Set(filters.rails);
  const see = (port: number): void => {
    const node = at(fabric.ports.node, port);
    const host = at(fabric.nodes.host, node);
    if (host !== none) hosts[host] = 1;
    else if (topology.tierOfNode[node] === 1 && (rails.size === 0 || rails.has(at(wanted.railOfNode, node))))
      leaves[node] = 1;
  };
  for (let link = 0; link < wanted.links.length; link++) {
    if (wanted.links[link] === 0) continue;
    links += 1;
    see(at(fabric.links.a, link));
    see(at(fabric.links.b, link));
  }
  return { leaves: sum(leaves), hosts: sum(hosts), links };
}

/** What each rail alone holds: the same numbers as {@link shownBy} has for it, all in one pass. O(links). */
export function shownByRail(fabric: Fabric, topology: Topology): readonly Pick<Shown, "leaves" | "hosts">[] {
  const rails = knownRailsOf(fabric, topology);
  const each = Array.from({ length: topology.rails }, () => ({
    leaves: new Uint8Array(fabric.nodes.count),
    hosts: new Uint8Array(fabric.hosts.count),
  }));
  const see = (rail: number, node: number): void => {
    const host = at(fabric.nodes.host, node);
    const own = each[rail];
    if (own === undefined) return;
    if (host !== none) own.hosts[host] = 1;
    else if (topology.tierOfNode[node] === 1 && at(rails, node) === rail) own.leaves[node] = 1;
  };
  for (let link = 0; link < fabric.links.count; link++) {
    const a = at(fabric.ports.node, at(fabric.links.a, link));
    const b = at(fabric.ports.node, at(fabric.links.b, link));
    const [railA, railB] = [at(rails, a), at(rails, b)];
    for (let rail = 0; rail < each.length; rail++) {
      // What is on no rail is shown with each.
      if (railA !== rail && railB !== rail && (railA >= 0 || railB >= 0)) continue;
      see(rail, a);
      see(rail, b);
    }
  }
  return each.map(({ leaves, hosts }) => ({ leaves: sum(leaves), hosts: sum(hosts) }));
}

function sum(ones: Uint8Array): number {
  return ones.reduce((all, one) => all + one, 0);
}

/** 1 for nodes in a chosen pod or group, or in none at all. A host is where its first switch is. */
function inClusters(fabric: Fabric, topology: Topology, chosen: ReadonlySet<number>): Uint8Array {
  if (chosen.size === 0) return new Uint8Array(fabric.nodes.count).fill(1);
  const clusters = topology.blockOfNode.slice();
  eachCable(fabric, (own, other) => {
    if (at(fabric.nodes.host, own) !== none && at(clusters, own) < 0) clusters[own] = at(topology.blockOfNode, other);
  });
  return Uint8Array.from(clusters, (cluster) => (cluster < 0 || chosen.has(cluster) ? 1 : 0));
}

/**
 * Rail of each node: an adapter's own; a leaf's is that of most of its adapters; a switch above serves one rail when all
 * below it that has one is of that rail. -1 else.
 */
export function railsOf(fabric: Fabric, topology: Topology): Int8Array {
  const rails = topology.railOfNode.slice();
  if (topology.rails === 0) return rails;
  const votes = new Map<number, Uint32Array>();
  eachCable(fabric, (own, other) => {
    const rail = at(topology.railOfNode, other);
    if (rail < 0 || nodeKind(fabric, own) !== "switch") return;
    const counts = votes.get(own) ?? new Uint32Array(topology.rails);
    votes.set(own, counts);
    counts[rail] = at(counts, rail) + 1;
  });
  for (const [leaf, counts] of votes) {
    const most = counts.indexOf(Math.max(...counts));
    const all = counts.reduce((sum, n) => sum + n, 0);
    if (at(counts, most) * 2 > all) rails[leaf] = most;
  }
  for (const tier of topology.tiers) {
    if (tier.level < 2) continue;
    const below = new Map<number, number>();
    const members = new Set(tier.switches);
    const mixed = -2;
    eachCable(fabric, (own, other) => {
      if (!members.has(own) || topology.tierOfNode[other] !== tier.level - 1) return;
      const rail = at(rails, other) < 0 ? mixed : at(rails, other);
      below.set(own, (below.get(own) ?? rail) === rail ? rail : mixed);
    });
    for (const [node, rail] of below) rails[node] = Math.max(-1, rail);
  }
  return rails;
}

function eachCable(fabric: Fabric, visit: (own: number, other: number) => void): void {
  for (let link = 0; link < fabric.links.count; link++) {
    const a = at(fabric.ports.node, at(fabric.links.a, link));
    const b = at(fabric.ports.node, at(fabric.links.b, link));
    visit(a, b);
    visit(b, a);
  }
}
