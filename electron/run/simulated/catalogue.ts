/** The simulated fabrics that can be chosen by name. */
import { assert } from "../../../shared/base/assert.ts";
import { speedCode } from "../../../shared/fabric/rates.ts";
import { SimulatedFabric, type PlantedFault } from "./fabric.ts";
import { buildFatTree, uplinkPort, type FatTree, type FatTreeShape } from "./fat-tree.ts";
import type { PlantedHandover } from "./manager-life.ts";
import { countersOf, setLink, takeDown, type SimulatedNode, type SimulatedPort } from "./model.ts";

export interface SimulatedFabricSummary {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly switches: number;
  readonly hosts: number;
  readonly faults: number;
}

/** Where the faults of a fat tree go; leaves, spines and hosts count from 0. */
interface FaultPlan {
  readonly narrow: readonly [leaf: number, spine: number];
  readonly down: readonly [leaf: number, spine: number];
  readonly weak: readonly [leaf: number, spine: number];
  readonly errors: readonly [leaf: number, spine: number];
  readonly slowHost: number;
  readonly idleHost: number;
}

/** Faults that only a measurement shows, one of each kind that a slow pair can come from. */
interface SuspectPlan {
  /** Its adapter sits in a slot with half the lanes. */
  readonly slowNode: number;
  readonly weak: readonly [leaf: number, spine: number];
  /** A job runs between these two. */
  readonly job: readonly [from: number, to: number];
}

interface Entry {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly shape: FatTreeShape;
  readonly faults?: FaultPlan;
  readonly suspects?: SuspectPlan;
  readonly withoutManager?: boolean;
  readonly handover?: PlantedHandover;
}

const large: Omit<FatTreeShape, "guidOffset"> = { spines: 8, leaves: 16, hosts: 128, hostsPerLeaf: 8, sharp: true };
const small: Omit<FatTreeShape, "guidOffset"> = { spines: 2, leaves: 4, hosts: 8, hostsPerLeaf: 2, sharp: true };

const entries: readonly Entry[] = [
  {
    name: "fat-tree",
    title: "Fat tree, 128 hosts",
    description: "Two levels of HDR switches with faults to find: slow, narrow, dead, erring and weak links.",
    shape: { ...large, guidOffset: 0x10000 },
    faults: { narrow: [4, 1], down: [10, 6], weak: [8, 5], errors: [13, 2], slowHost: 41, idleHost: 86 },
  },
  {
    name: "fat-tree-small",
    title: "Small fat tree, 8 hosts",
    description: "Four leaves and two spines with the same kinds of faults as the large one.",
    shape: { ...small, guidOffset: 0x20000 },
    faults: { narrow: [1, 0], down: [2, 1], weak: [3, 0], errors: [0, 1], slowHost: 2, idleHost: 5 },
  },
  {
    name: "healthy",
    title: "Healthy fat tree, 128 hosts",
    description: "The same two-level fat tree without a fault.",
    shape: { ...large, guidOffset: 0x30000 },
  },
  {
    name: "suspects",
    title: "Slow pairs, 32 hosts",
    description: "Every port looks healthy: one node is slow, one uplink is weak, and a job runs between two hosts.",
    shape: { spines: 4, leaves: 8, hosts: 32, hostsPerLeaf: 4, sharp: true, guidOffset: 0x60000 },
    suspects: { slowNode: 9, weak: [5, 2], job: [17, 25] },
  },
  {
    name: "no-sm",
    title: "Fat tree without a subnet manager",
    description: "Eight hosts whose ports wait in Initialize because no subnet manager runs.",
    shape: { ...small, guidOffset: 0x40000 },
    withoutManager: true,
  },
  {
    name: "failover",
    title: "Fat tree whose master fails",
    description:
      "Eight hosts; the master subnet manager dies after it was asked some times, and comes back as a standby.",
    shape: { ...small, guidOffset: 0x50000 },
    handover: { afterAnswers: 8, returnsAfterMs: 8_000 },
  },
];

/** Share of the data rate that the weak cable carries. */
const weakShare = 0.61;

function at<T>(list: readonly T[], index: number): T {
  const found = list[index];
  assert(found !== undefined, "a planted fault names a part that exists");
  return found;
}

function firstPort(node: SimulatedNode): SimulatedPort {
  const port = node.ports[1];
  assert(port !== undefined, "a host has a port");
  return port;
}

function plantFaults(tree: FatTree, shape: FatTreeShape, plan: FaultPlan): PlantedFault[] {
  const faults: PlantedFault[] = [];
  const uplink = ([leaf, spine]: readonly [number, number]): SimulatedPort =>
    tree.topology.port(at(tree.leaves, leaf), uplinkPort(shape, spine));
  const plant = (kind: PlantedFault["kind"], port: SimulatedPort, what: string): void => {
    const far = port.cable;
    const other = far === undefined ? "" : ` - ${far.node.description} port ${String(far.number)}`;
    faults.push({ kind, port, text: `${what}: ${port.node.description} port ${String(port.number)}${other}` });
  };

  const narrow = uplink(plan.narrow);
  setLink(narrow, { lanes: 2 });
  plant("narrow", narrow, "trained at 2x");

  const slow = firstPort(at(tree.hosts, plan.slowHost));
  setLink(slow, { speed: speedCode("EDR") });
  plant("slow", slow, "trained at EDR");

  const down = uplink(plan.down);
  takeDown(down);
  plant("down", down, "down");

  const weak = uplink(plan.weak);
  setLink(weak, { carries: weakShare });
  plant("weak", weak, `looks healthy and carries ${String(weakShare * 100)} %`);

  const idle = firstPort(at(tree.hosts, plan.idleHost));
  setLink(idle, { state: "Initialize" });
  plant("not-active", idle, "stays in Initialize");

  const errors = uplink(plan.errors);
  countersOf(errors).errors.set("SymbolErrorCounter", 4127).set("PortRcvErrors", 318);
  if (errors.cable !== undefined)
    countersOf(errors.cable).errors.set("SymbolErrorCounter", 96).set("PortRcvErrors", 12);
  plant("errors", errors, "takes symbol errors");
  return faults;
}

/** Share of its rate that an adapter with half the PCIe lanes reaches: 16 lanes of the fourth generation carry 200 Gb/s. */
const halfSlotShare = 0.54;

function plantSuspects(tree: FatTree, shape: FatTreeShape, plan: SuspectPlan): PlantedFault[] {
  const node = at(tree.hosts, plan.slowNode);
  const own = firstPort(node);
  node.slotLanes = 8;
  setLink(own, { carries: halfSlotShare });
  const weak = tree.topology.port(at(tree.leaves, plan.weak[0]), uplinkPort(shape, plan.weak[1]));
  setLink(weak, { carries: weakShare });
  const [from] = plan.job;
  return [
    { kind: "slow-node", port: own, text: `${node.description} sits in a slot of 8 lanes` },
    { kind: "weak", port: weak, text: `${weak.node.description} port ${String(weak.number)} carries 61 %` },
    {
      kind: "job",
      port: firstPort(at(tree.hosts, from)),
      text: `a job sends from ${at(tree.hosts, from).description}`,
    },
  ];
}

const jobGbps = 74;

/** Data of a job that began when the fabric came up and does not end. */
function addJob(fabric: SimulatedFabric, tree: FatTree, [from, to]: SuspectPlan["job"]): void {
  const path = fabric.routes.path(firstPort(at(tree.hosts, from)), firstPort(at(tree.hosts, to)));
  assert(path !== undefined, "the job's hosts reach each other");
  fabric.addJob({ path, gbps: jobGbps });
}

/** What a fabric looks like that was powered on without a subnet manager: no LIDs, ports in Initialize. */
function removeManager(tree: FatTree): PlantedFault[] {
  tree.topology.managers.length = 0;
  for (const node of tree.topology.nodes) {
    node.lid = 0;
    for (const port of node.ports) {
      if (port === undefined) continue;
      port.lid = 0;
      if (port.physical === "LinkUp") port.state = "Initialize";
    }
  }
  return [{ kind: "no-manager", text: "no subnet manager runs" }];
}

function build(entry: Entry): SimulatedFabric {
  const tree = buildFatTree(entry.shape);
  const faults = [
    ...(entry.faults === undefined ? [] : plantFaults(tree, entry.shape, entry.faults)),
    ...(entry.suspects === undefined ? [] : plantSuspects(tree, entry.shape, entry.suspects)),
    ...(entry.withoutManager === true ? removeManager(tree) : []),
    ...(entry.handover === undefined ? [] : [{ kind: "handover", text: "the master subnet manager dies" } as const]),
  ];
  const fabric = new SimulatedFabric({
    name: entry.name,
    title: entry.title,
    topology: tree.topology,
    origin: at(tree.managementHosts, 0),
    faults,
    ...(entry.handover === undefined ? {} : { handover: entry.handover }),
  });
  if (entry.suspects !== undefined) addJob(fabric, tree, entry.suspects.job);
  return fabric;
}

const faultKindsOfAPlan = 6;

/** All simulated fabrics, the default one first. `hosts` counts the two management hosts as well. */
export const simulatedFabrics: readonly SimulatedFabricSummary[] = entries.map((entry) => ({
  name: entry.name,
  title: entry.title,
  description: entry.description,
  switches: entry.shape.spines + entry.shape.leaves,
  hosts: entry.shape.hosts + 2,
  faults:
    (entry.faults === undefined ? 0 : faultKindsOfAPlan) +
    (entry.suspects === undefined ? 0 : 3) +
    (entry.withoutManager === true ? 1 : 0) +
    (entry.handover === undefined ? 0 : 1),
}));

/** Makes the fabric of that name, always the same one; undefined when the catalogue has no such name. */
export function createSimulatedFabric(name: string): SimulatedFabric | undefined {
  const entry = entries.find((candidate) => candidate.name === name);
  return entry === undefined ? undefined : build(entry);
}
