import { readFileSync } from "node:fs";
import { SimulatedTopology, type SimulatedNode } from "../../../../electron/run/simulated/model.ts";

const folder = new URL("../../../fixtures/simulated/ft2-32/", import.meta.url);

/** A real tool's output on the reference fabric. */
export function referenceText(name: string): string {
  return readFileSync(new URL(name, folder), "utf8");
}

/** LIDs as the real subnet manager gave them, by port GUID (of a switch: node GUID). */
function referenceLids(): Map<string, number> {
  const lids = new Map<string, number>();
  for (const line of referenceText("iblinkinfo-l.txt").split("\n")) {
    const hit = /^0x([0-9a-f]{16}) ".{30,}?"\s+(\d+)\s/.exec(line);
    if (hit?.[1] !== undefined && hit[2] !== undefined) lids.set(hit[1], Number(hit[2]));
  }
  return lids;
}

/** The fabric of the reference outputs, built anew: 4 spines, 8 leaves, 32 hosts, 2 cables a pair, 5 management hosts. */
export function buildReferenceFabric(): { topology: SimulatedTopology; origin: SimulatedNode } {
  const topology = new SimulatedTopology();
  const spines = [1, 2, 3, 4].map((n) => topology.addSwitch(`spine-0${String(n)}`, "MQM8700", true));
  const leaves = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => topology.addSwitch(`leaf-0${String(n)}`, "MQM8700", true));
  const hosts: SimulatedNode[] = [];
  leaves.forEach((leaf, leafIndex) => {
    for (let slot = 1; slot <= 4; slot += 1) {
      const rack = leafIndex < 4 ? "a" : "b";
      const host = topology.addAdapter(`gpu-${rack}${String((hosts.length % 16) + 1).padStart(2, "0")} mlx5_0`);
      topology.connect(leaf, slot, host, 1);
      hosts.push(host);
    }
    spines.forEach((spine, spineIndex) => {
      for (const cable of [1, 2]) {
        topology.connect(leaf, 4 + spineIndex * 2 + cable, spine, leafIndex * 2 + cable);
      }
    });
  });
  const [first, second] = leaves;
  const origin = hosts[0];
  if (first === undefined || second === undefined || origin === undefined) throw new Error("the fabric has leaves");
  const managers = [topology.addAdapter("sm-01 mlx5_0"), topology.addAdapter("sm-02 mlx5_0")] as const;
  topology.connect(first, 40, managers[0], 1);
  topology.connect(second, 40, managers[1], 1);
  topology.connect(first, 39, topology.addAdapter("login-01 HCA-1"), 1);
  for (const [index, name] of ["stor-01", "stor-02"].entries()) {
    const storage = topology.addAdapter(`${name} mlx5_0`, 2);
    topology.connect(first, 38 - index, storage, 1);
    topology.connect(second, 39 - index, storage, 2);
  }
  topology.managers.push(
    { port: topology.port(managers[0], 1), priority: 14, state: 3, activity: 3713 },
    { port: topology.port(managers[1], 1), priority: 5, state: 2, activity: 1050 },
  );
  const lids = referenceLids();
  for (const node of topology.nodes) {
    node.lid = lids.get(node.guid) ?? 0;
    for (const port of node.ports)
      if (port !== undefined && node.kind !== "switch") port.lid = lids.get(port.guid) ?? 0;
  }
  return { topology, origin };
}
