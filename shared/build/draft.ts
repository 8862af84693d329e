/** The mutable half of building: nodes and ports while records are merged, before they become columns. */
import { type Guid, guidHigh, guidLow } from "../base/guid.ts";
import type { NodeKind } from "../fabric/model.ts";

export interface PortDraft {
  readonly node: NodeDraft;
  readonly number: number;
  guid: Guid | undefined;
  lid: number;
  lmc: number;
  state: number;
  phys: number;
  lanes: number;
  speed: number;
  couldBeLanes: number;
  couldBeSpeed: number;
  /** What this port says its cable leads to. */
  peer: PortDraft | undefined;
  /** True when it is the end of a cable that counts. */
  cabled: boolean;
  discoverLine: number;
  linkinfoLine: number;
  /** Index in the finished columns. */
  index: number;
}

export interface NodeDraft {
  readonly guid: Guid;
  /** The GUID's halves, to sort by and for the column. */
  readonly guidHigh: number;
  readonly guidLow: number;
  kind: NodeKind;
  systemGuid: Guid | undefined;
  description: string;
  declaredPorts: number;
  lid: number;
  lmc: number;
  vendorId: number;
  deviceId: number;
  discovered: boolean;
  /** GUID of a switch's port 0. */
  portZeroGuid: Guid | undefined;
  readonly ports: PortsOfNode;
  /** Its name for people, once all nodes are known. */
  label: string;
  index: number;
}

/** Up to so many ports are looked through; most nodes are adapters with one or two. */
const fewPorts = 4;

/** The ports of a node, in the order in which they were first named; by number. */
export class PortsOfNode {
  private all: PortDraft[] = [];
  /** By number, of nodes with more than a few ports. */
  private byNumber: Record<number, PortDraft> | undefined;

  get size(): number {
    return this.all.length;
  }

  get(number: number): PortDraft | undefined {
    if (this.byNumber !== undefined) return this.byNumber[number];
    for (const port of this.all) if (port.number === number) return port;
    return undefined;
  }

  /** Adds a port with a number that no other has. */
  add(port: PortDraft): void {
    this.all.push(port);
    if (this.byNumber !== undefined) this.byNumber[port.number] = port;
    else if (this.all.length > fewPorts) this.byNumber = numbered(this.all);
  }

  values(): readonly PortDraft[] {
    return this.all;
  }

  /** By rising number. */
  inOrder(): readonly PortDraft[] {
    const isInOrder = this.all.every((port, i) => i === 0 || (this.all[i - 1]?.number ?? 0) < port.number);
    return isInOrder ? this.all : [...this.all].sort((a, b) => a.number - b.number);
  }

  /** Takes out all ports but those that pass. */
  keep(passes: (port: PortDraft) => boolean): void {
    const kept = this.all.filter(passes);
    if (kept.length === this.all.length) return;
    this.all = kept;
    this.byNumber = kept.length > fewPorts ? numbered(kept) : undefined;
  }
}

function numbered(ports: readonly PortDraft[]): Record<number, PortDraft> {
  // An array: numbers are small, and those that no device can have are properties of it until they are taken out.
  const byNumber: Record<number, PortDraft> = [];
  for (const port of ports) byNumber[port.number] = port;
  return byNumber;
}

/** All nodes of a fabric in the making, by node GUID. */
export class FabricDraft {
  readonly nodes = new Map<Guid, NodeDraft>();
  /** Nodes with two different records. */
  readonly duplicates = new Set<NodeDraft>();
  /** Ports by port GUID, for texts that know adapters only by that. */
  readonly portsByGuid = new Map<Guid, PortDraft>();

  node(guid: Guid, kind: NodeKind): NodeDraft {
    const known = this.nodes.get(guid);
    if (known !== undefined) return known;
    const node: NodeDraft = {
      guid,
      guidHigh: guidHigh(guid),
      guidLow: guidLow(guid),
      kind,
      systemGuid: undefined,
      description: "",
      declaredPorts: 0,
      lid: 0,
      lmc: 0,
      vendorId: 0,
      deviceId: 0,
      discovered: false,
      portZeroGuid: undefined,
      ports: new PortsOfNode(),
      label: "",
      index: -1,
    };
    this.nodes.set(guid, node);
    return node;
  }

  port(node: NodeDraft, number: number): PortDraft {
    const known = node.ports.get(number);
    if (known !== undefined) return known;
    const port: PortDraft = {
      node,
      number,
      guid: undefined,
      lid: 0,
      lmc: 0,
      state: 0,
      phys: 0,
      lanes: 0,
      speed: 0,
      couldBeLanes: 0,
      couldBeSpeed: 0,
      peer: undefined,
      cabled: false,
      discoverLine: 0,
      linkinfoLine: 0,
      index: -1,
    };
    node.ports.add(port);
    return port;
  }

  setPortGuid(port: PortDraft, guid: Guid): void {
    if (port.guid !== undefined) return;
    port.guid = guid;
    if (!this.portsByGuid.has(guid)) this.portsByGuid.set(guid, port);
  }
}

/** A LID as columns hold it: 0 for "not assigned" in either spelling (0 and 65535). */
export function knownLid(lid: number): number {
  return lid >= 1 && lid <= 0xbfff ? lid : 0;
}
