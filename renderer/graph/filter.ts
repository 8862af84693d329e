/** Filters that look at the fabric: rail, pod or group, text. Columns over fabric nodes and links. Pure. */
import { at, hostName, nodeName } from "../../shared/fabric/access.ts";
import { none, type Fabric } from "../../shared/fabric/model.ts";
import type { Topology } from "../../shared/analyse/results.ts";

export interface FabricFilters {
  /** Rails shown, from 0; empty = all. */
  readonly rails: readonly number[];
  /** Pods or groups shown; empty = all. */
  readonly clusters: readonly number[];
  /** Part of a name; empty = all. */
  readonly text: string;
}

/** What the filters leave. */
export interface Wanted {
  /** 1 for nodes in a chosen pod or group, or in none at all. */
  readonly inCluster: Uint8Array;
  /** 1 for nodes on a chosen rail or above all rails. */
  readonly onRail: Uint8Array;
  /** 1 for nodes whose name, or whose host's, holds the text. */
  readonly named: Uint8Array;
}

export function noFilters({ rails, clusters, text }: FabricFilters): boolean {
  return rails.length === 0 && clusters.length === 0 && text === "";
}

/** O(nodes + links). */
export function wantedBy(fabric: Fabric, topology: Topology, filters: FabricFilters): Wanted {
  const count = fabric.nodes.count;
  const blockOf = clustersOf(fabric, topology);
  const railOf = railsOf(fabric, topology);
  const clusters = new Set(filters.clusters);
  const rails = new Set(filters.rails);
  const text = filters.text.trim().toLowerCase();
  const inCluster = new Uint8Array(count).fill(1);
  const onRail = new Uint8Array(count).fill(1);
  const named = new Uint8Array(count).fill(1);
  for (let node = 0; node < count; node++) {
    const cluster = at(blockOf, node);
    if (clusters.size > 0 && cluster >= 0 && !clusters.has(cluster)) inCluster[node] = 0;
    const rail = at(railOf, node);
    if (rails.size > 0 && rail >= 0 && !rails.has(rail)) onRail[node] = 0;
    if (text === "") continue;
    const host = at(fabric.nodes.host, node);
    const name = host === none ? nodeName(fabric, node) : `${nodeName(fabric, node)} ${hostName(fabric, host)}`;
    if (!name.toLowerCase().includes(text)) named[node] = 0;
  }
  return { inCluster, onRail, named };
}

/** Pod or group of each node: a switch's own, an adapter's by its first switch. */
function clustersOf(fabric: Fabric, topology: Topology): Int32Array {
  const clusters = topology.blockOfNode.slice();
  eachCable(fabric, (own, other) => {
    if (at(fabric.nodes.host, own) !== none && at(clusters, own) < 0) clusters[own] = at(topology.blockOfNode, other);
  });
  return clusters;
}

/** Rail of each node: an adapter's own; a leaf's when all its adapters share one; -1 else. */
function railsOf(fabric: Fabric, topology: Topology): Int8Array {
  const rails = topology.railOfNode.slice();
  const mixed = -2;
  eachCable(fabric, (own, other) => {
    const rail = at(topology.railOfNode, other);
    if (at(fabric.nodes.host, own) !== none || rail < 0) return;
    rails[own] = at(rails, own) === -1 || at(rails, own) === rail ? rail : mixed;
  });
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
