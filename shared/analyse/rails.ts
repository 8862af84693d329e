/**
 * Rails: in a rail-optimised fabric the n-th adapter of every host of a pod goes to the pod's n-th leaf. Decided by the
 * majority of hosts with several adapters; hosts that differ are exceptions. O(adapters).
 */
import { mode } from "../base/statistics.ts";
import { adaptersOfHost, at, hostName, nodeGuid, nodeName, peerPort } from "../fabric/access.ts";
import type { Fabric } from "../fabric/model.ts";
import type { Topology } from "./results.ts";

interface Rails {
  readonly rails: number;
  readonly railOfNode: Int8Array;
  readonly exceptions: Topology["exceptions"];
  readonly evidence: readonly string[];
}

/** Leaf that an adapter's first cabled port goes to; undefined when it has none. */
function leafOf(fabric: Fabric, adapter: number): number | undefined {
  for (let port = at(fabric.nodes.portStart, adapter); port < at(fabric.nodes.portStart, adapter + 1); port += 1) {
    const peer = peerPort(fabric, port);
    if (peer !== undefined && at(fabric.nodes.kind, at(fabric.ports.node, peer)) === 0)
      return at(fabric.ports.node, peer);
  }
  return undefined;
}

export function railsOf(fabric: Fabric): Rails {
  const railOfNode = new Int8Array(fabric.nodes.count).fill(-1);
  const none: Rails = { rails: 0, railOfNode, exceptions: [], evidence: [] };
  const { nodeStart } = fabric.hosts;
  const several: { host: number; leaves: readonly (number | undefined)[]; adapters: readonly number[] }[] = [];
  for (let host = 0; host < fabric.hosts.count; host += 1) {
    if (at(nodeStart, host + 1) - at(nodeStart, host) < 2) continue;
    const adapters = adaptersOfHost(fabric, host);
    several.push({ host, adapters, leaves: adapters.map((adapter) => leafOf(fabric, adapter)) });
  }
  const usual = mode(several.map(({ adapters }) => adapters.length));
  const rows = several.filter(({ adapters }) => adapters.length === usual.value);
  if (rows.length < 2 || rows.length * 2 < several.length) return none;
  // The rail of a leaf is the adapter number that most of its hosts reach it by.
  const numbers = new Map<number, number[]>();
  for (const { leaves } of rows) {
    for (const [i, leaf] of leaves.entries()) {
      if (leaf === undefined) continue;
      const known = numbers.get(leaf);
      if (known === undefined) numbers.set(leaf, [i]);
      else known.push(i);
    }
  }
  const railOfLeaf = new Map([...numbers].map(([leaf, list]) => [leaf, mode(list).value]));
  const fits = ({ leaves }: (typeof rows)[number]): boolean =>
    leaves.every((leaf, i) => leaf !== undefined && railOfLeaf.get(leaf) === i);
  const good = rows.filter(fits).length;
  if (good * 4 < rows.length * 3) return none;
  const exceptions: Topology["exceptions"][number][] = [];
  for (const { host, adapters, leaves } of rows) {
    for (const [i, adapter] of adapters.entries()) {
      railOfNode[adapter] = i;
      const leaf = leaves[i];
      if (leaf === undefined || railOfLeaf.get(leaf) === i) continue;
      exceptions.push({
        kind: "rail",
        subject: { kind: "node", name: nodeName(fabric, adapter), guid: nodeGuid(fabric, adapter), index: adapter },
        message: `Adapter ${i + 1} of ${hostName(fabric, host)} is on ${nodeName(fabric, leaf)}, a leaf of rail ${(railOfLeaf.get(leaf) ?? 0) + 1}; it belongs to rail ${i + 1}.`,
      });
    }
  }
  return {
    rails: usual.value,
    railOfNode,
    exceptions,
    evidence: [
      `${usual.value} rails: ${good} of ${rows.length} hosts have their n-th adapter on a leaf of the n-th rail.`,
    ],
  };
}
