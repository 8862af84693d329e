/** Fabrics for the drawing's tests, from the simulated ones and by hand. */
import {
  buildFatTree,
  buildThreeLevelFatTree,
  uplinkPort,
  type FatTreeShape,
} from "../../../../electron/run/simulated/fat-tree.ts";
import { SimulatedTopology, setLink, takeDown, type SimulatedNode } from "../../../../electron/run/simulated/model.ts";
import { analyse } from "../../../../shared/analyse/analyse.ts";
import type { Analysis } from "../../../../shared/analyse/results.ts";
import { assert } from "../../../../shared/base/assert.ts";
import type { Fabric } from "../../../../shared/fabric/model.ts";
import { layoutOptions } from "../../../../renderer/graph/graph-model.ts";
import { layoutFabric } from "../../../../renderer/graph/layout.ts";
import type { Layout } from "../../../../renderer/graph/layout-types.ts";
import { buildStructure, type Structure } from "../../../../renderer/graph/structure.ts";
import { collected, printed } from "../../measure/fabrics.ts";

export interface Sample {
  readonly fabric: Fabric;
  readonly analysis: Analysis;
  readonly structure: Structure;
}

function sampleOf(fabric: Fabric): Sample {
  const analysis = analyse(fabric);
  return { fabric, analysis, structure: buildStructure(fabric, analysis) };
}

const shape: FatTreeShape = { spines: 4, leaves: 6, hosts: 24, hostsPerLeaf: 4, sharp: true, guidOffset: 0 };

/** 4 spines with aggregation nodes, 6 leaves, 24 hosts and 2 management hosts; one narrow uplink, one cable down. */
export function faultyTree(): Sample {
  const tree = buildFatTree(shape);
  const uplink = (leaf: number, spine: number) => {
    const node = tree.leaves[leaf];
    assert(node !== undefined, "a leaf of the tree");
    return tree.topology.port(node, uplinkPort(shape, spine));
  };
  setLink(uplink(1, 2), { lanes: 2 });
  takeDown(uplink(4, 0));
  const origin = tree.managementHosts[0];
  assert(origin !== undefined, "a management host");
  return sampleOf(printed(tree.topology, origin));
}

/** Healthy three-level tree. */
export function threeLevelTree(hosts: number): Sample {
  const tree = buildThreeLevelFatTree(hosts);
  const origin = tree.managementHosts[0];
  assert(origin !== undefined, "a management host");
  return sampleOf(printed(tree.topology, origin));
}

/** 8 hosts with four adapters each, one per rail leaf; 2 spines with two cables to each leaf. */
export function railTree(): Sample {
  const topology = new SimulatedTopology();
  const leaves = [1, 2, 3, 4].map((n) => topology.addSwitch(`leaf-${String(n)}`));
  const spines = [1, 2].map((n) => topology.addSwitch(`spine-${String(n)}`));
  let first: SimulatedNode | undefined;
  for (let host = 1; host <= 8; host++) {
    leaves.forEach((leaf, rail) => {
      const adapter = topology.addAdapter(`gpu-${String(host)} mlx5_${String(rail)}`);
      first ??= adapter;
      topology.connect(leaf, host, adapter, 1);
    });
  }
  leaves.forEach((leaf, l) => {
    spines.forEach((spine, s) => {
      for (const cable of [0, 1]) topology.connect(leaf, 20 + s * 2 + cable, spine, 1 + l * 2 + cable);
    });
  });
  assert(first !== undefined, "an adapter");
  return sampleOf(collected(topology, first));
}

/** Healthy two-level tree as wide as 40-port switches allow. */
export function wideTree(): Sample {
  const tree = buildFatTree({ ...shape, spines: 18, leaves: 38, hosts: 684, hostsPerLeaf: 18 });
  const origin = tree.managementHosts[0];
  assert(origin !== undefined, "a management host");
  return sampleOf(printed(tree.topology, origin));
}

/** Groups of 3 leaves and 3 spines, every pair of groups joined by 3 cables between spines. */
export function dragonflyPlus(groups: number): Sample {
  const topology = new SimulatedTopology();
  const spines: SimulatedNode[][] = [];
  let first: SimulatedNode | undefined;
  for (let group = 0; group < groups; group++) {
    const tops = [0, 1, 2].map((n) => topology.addSwitch(`g${String(group)}-spine-${String(n)}`));
    spines.push(tops);
    for (let l = 0; l < 3; l++) {
      const leaf = topology.addSwitch(`g${String(group)}-leaf-${String(l)}`);
      for (let port = 1; port <= 4; port++) {
        const host = topology.addAdapter(`h${String(group)}-${String(l)}-${String(port)} mlx5_0`);
        first ??= host;
        topology.connect(leaf, port, host, 1);
      }
      tops.forEach((spine, s) => topology.connect(leaf, 10 + s, spine, 1 + l));
    }
  }
  for (let a = 0; a < groups; a++) {
    for (let b = a + 1; b < groups; b++) {
      for (const s of [0, 1, 2]) {
        const [from, to] = [spines[a]?.[s], spines[b]?.[s]];
        if (from !== undefined && to !== undefined) topology.connect(from, 10 + b, to, 10 + a);
      }
    }
  }
  assert(first !== undefined, "a host");
  return sampleOf(collected(topology, first));
}

/** Two adapters back to back. */
export function twoHosts(): Sample {
  const topology = new SimulatedTopology();
  const a = topology.addAdapter("n1 mlx5_0");
  topology.connect(a, 1, topology.addAdapter("n2 mlx5_0"), 1);
  return sampleOf(collected(topology, a));
}

/** A ring of eight switches with two hosts each: no tiers. */
export function ring(): Sample {
  const topology = new SimulatedTopology();
  const switches = Array.from({ length: 8 }, (_, i) => topology.addSwitch(`sw-${String(i + 1)}`));
  let first: SimulatedNode | undefined;
  switches.forEach((node, i) => {
    for (const port of [1, 2]) {
      const host = topology.addAdapter(`h${String(i)}-${String(port)} mlx5_0`);
      first ??= host;
      topology.connect(node, port, host, 1);
    }
    const next = switches[(i + 1) % switches.length];
    if (next !== undefined) topology.connect(node, 10, next, 11);
  });
  assert(first !== undefined, "a host");
  return sampleOf(collected(topology, first));
}

export function laidOut(sample: Sample, size = { width: 1000, height: 520 }): Layout {
  return layoutFabric(sample.structure, layoutOptions(sample.fabric, sample.structure, size, undefined));
}
