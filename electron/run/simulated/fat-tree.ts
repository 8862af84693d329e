/** Shapes: fat trees of two and three levels out of 40-port switches. */
import { assert } from "../../../shared/base/assert.ts";
import { SimulatedTopology, assignLids, type SimulatedNode } from "./model.ts";

export interface FatTreeShape {
  readonly spines: number;
  readonly leaves: number;
  /** Hosts in all; leaves are filled one after the other. */
  readonly hosts: number;
  readonly hostsPerLeaf: number;
  /** Aggregation nodes on the spines. */
  readonly sharp: boolean;
  /** Distance of this fabric's GUIDs from the first ones. */
  readonly guidOffset: number;
  /** Digits of the host numbers, at least. */
  readonly hostDigits?: number;
}

/** A built fat tree, with its parts at hand for planting faults. Leaf `i` and spine `j` count from 0. */
export interface FatTree {
  readonly topology: SimulatedTopology;
  readonly spines: readonly SimulatedNode[];
  readonly leaves: readonly SimulatedNode[];
  readonly hosts: readonly SimulatedNode[];
  readonly managementHosts: readonly SimulatedNode[];
}

function numbered(index: number, of: number, least = 1): string {
  return String(index + 1).padStart(Math.max(least, String(of).length), "0");
}

/** Port of a leaf that its uplink to spine `spine` (from 0) uses. */
export function uplinkPort(shape: FatTreeShape, spine: number): number {
  return shape.hostsPerLeaf + spine + 1;
}

const managementPort = 40;

/** Two management hosts on the first and the last leaf, subnet managers on both. */
function addManagement(topology: SimulatedTopology, first: SimulatedNode, last: SimulatedNode): SimulatedNode[] {
  const one = topology.addAdapter("mgmt-01 mlx5_0");
  const two = topology.addAdapter("mgmt-02 mlx5_0");
  topology.connect(first, managementPort, one, 1);
  topology.connect(last, first === last ? managementPort - 1 : managementPort, two, 1);
  topology.managers.push(
    { port: topology.port(one, 1), priority: 14, state: 3, activity: 3713 },
    { port: topology.port(two, 1), priority: 5, state: 2, activity: 1050 },
  );
  return [one, two];
}

/** Two levels: one uplink from every leaf to every spine; port i of a spine goes to leaf i. */
export function buildFatTree(shape: FatTreeShape): FatTree {
  assert(shape.hostsPerLeaf + shape.spines < managementPort - 1, "a leaf has 40 ports");
  assert(shape.leaves <= 40, "a spine has 40 ports");
  assert(shape.hosts <= shape.leaves * shape.hostsPerLeaf, "more hosts than ports for them");
  const topology = new SimulatedTopology(shape.guidOffset);
  const spines = Array.from({ length: shape.spines }, (_, index) =>
    topology.addSwitch(`spine-${numbered(index, shape.spines)}`, "MQM8700", shape.sharp),
  );
  const leaves = Array.from({ length: shape.leaves }, (_, index) =>
    topology.addSwitch(`leaf-${numbered(index, shape.leaves)}`),
  );
  const hosts: SimulatedNode[] = [];
  leaves.forEach((leaf, leafIndex) => {
    for (let slot = 1; slot <= shape.hostsPerLeaf && hosts.length < shape.hosts; slot += 1) {
      const host = topology.addAdapter(`n${numbered(hosts.length, shape.hosts, shape.hostDigits ?? 3)} mlx5_0`);
      topology.connect(leaf, slot, host, 1);
      hosts.push(host);
    }
    spines.forEach((spine, spineIndex) => {
      topology.connect(leaf, uplinkPort(shape, spineIndex), spine, leafIndex + 1);
    });
  });
  const firstLeaf = leaves[0];
  const lastLeaf = leaves[leaves.length - 1];
  assert(firstLeaf !== undefined && lastLeaf !== undefined, "a fat tree has leaves");
  const managementHosts = addManagement(topology, firstLeaf, lastLeaf);
  const origin = managementHosts[0];
  assert(origin !== undefined, "the first management host was just added");
  assignLids(origin);
  return { topology, spines, leaves, hosts, managementHosts };
}

/**
 * Three levels for large fabrics: pods of up to 18 leaves of 18 hosts and as many aggregation switches as leaves,
 * below planes of core switches. Aggregation switch `a` of every pod connects to the cores of plane `a`.
 */
export function buildThreeLevelFatTree(hosts: number): FatTree {
  const hostsPerLeaf = 18;
  const leavesPerPod = Math.max(1, Math.min(18, Math.ceil(Math.sqrt(hosts / hostsPerLeaf))));
  const pods = Math.ceil(hosts / (hostsPerLeaf * leavesPerPod));
  assert(pods <= 40, "a core switch has 40 ports");
  const aggregations = leavesPerPod;
  const coresPerPlane = Math.ceil(leavesPerPod / 2);
  const topology = new SimulatedTopology();
  const cores = Array.from({ length: aggregations }, (_, plane) =>
    Array.from({ length: coresPerPlane }, (_, index) =>
      topology.addSwitch(`core-${numbered(plane, aggregations, 2)}-${numbered(index, coresPerPlane, 2)}`),
    ),
  );
  const leaves: SimulatedNode[] = [];
  const middle: SimulatedNode[] = [];
  const adapters: SimulatedNode[] = [];
  for (let pod = 0; pod < pods; pod += 1) {
    const podName = `p${numbered(pod, pods, 2)}`;
    const podAggregations = Array.from({ length: aggregations }, (_, index) =>
      topology.addSwitch(`agg-${podName}-${numbered(index, aggregations, 2)}`),
    );
    middle.push(...podAggregations);
    for (let leafIndex = 0; leafIndex < leavesPerPod; leafIndex += 1) {
      const leaf = topology.addSwitch(`leaf-${podName}-${numbered(leafIndex, leavesPerPod, 2)}`);
      leaves.push(leaf);
      for (let slot = 1; slot <= hostsPerLeaf && adapters.length < hosts; slot += 1) {
        const host = topology.addAdapter(`n${numbered(adapters.length, hosts, 3)} mlx5_0`);
        topology.connect(leaf, slot, host, 1);
        adapters.push(host);
      }
      podAggregations.forEach((aggregation, index) => {
        topology.connect(leaf, hostsPerLeaf + index + 1, aggregation, leafIndex + 1);
      });
    }
    podAggregations.forEach((aggregation, plane) => {
      cores[plane]?.forEach((core, index) => {
        topology.connect(aggregation, leavesPerPod + index + 1, core, pod + 1);
      });
    });
  }
  const firstLeaf = leaves[0];
  const lastLeaf = leaves[leaves.length - 1];
  assert(firstLeaf !== undefined && lastLeaf !== undefined, "a fat tree has leaves");
  const managementHosts = addManagement(topology, firstLeaf, lastLeaf);
  const origin = managementHosts[0];
  assert(origin !== undefined, "the first management host was just added");
  assignLids(origin);
  return { topology, spines: [...cores.flat(), ...middle], leaves, hosts: adapters, managementHosts };
}
