/** The mutable half of building: nodes and ports while records are merged, before they become columns. */
import { assert } from "../base/assert.ts";
import { longer } from "../base/columns.ts";
import type { Guid } from "../base/guid.ts";
import { GuidTable } from "../base/guid-table.ts";
import type { NodeKind } from "../fabric/model.ts";
import { DraftPorts, noPort, type OwnerOfPorts, type PortDraft } from "./draft-ports.ts";

export interface NodeDraft extends OwnerOfPorts {
  /** Its GUID's number in the draft's table. */
  readonly guid: number;
  kind: NodeKind;
  /** Likewise, -1 when not known. */
  systemGuid: number;
  description: string;
  declaredPorts: number;
  lid: number;
  lmc: number;
  vendorId: number;
  deviceId: number;
  discovered: boolean;
  /** GUID of a switch's port 0, -1 when not known. */
  portZeroGuid: number;
  /** Its name for people, once all nodes are known. */
  label: string;
  /** Index in the finished columns. */
  index: number;
}

/** All nodes and ports of a fabric in the making. */
export class FabricDraft {
  readonly guids: GuidTable;
  readonly ports: DraftPorts;
  /** In the order in which they were first named. */
  readonly nodes: NodeDraft[] = [];
  /** Nodes with two different records. */
  readonly duplicates = new Set<NodeDraft>();
  /** By the number of a GUID: position of the node that has it, -1 for none. */
  private placeOfGuid: Int32Array;
  /** Likewise the first port that had it: for texts that know adapters only by that. */
  private portOfGuid: Int32Array;

  /**
   * @param guids GUIDs that have numbers already; the table is the draft's own from now on
   * @param room ports to have room for at first
   */
  constructor(guids = new GuidTable(), room = 0) {
    this.guids = guids;
    this.ports = new DraftPorts(room);
    this.placeOfGuid = new Int32Array(guids.count + 64).fill(-1);
    this.portOfGuid = new Int32Array(guids.count + 64).fill(noPort);
  }

  guidOf(node: NodeDraft): Guid {
    return this.guids.guidOf(node.guid);
  }

  /** The node with a GUID, if there is one. */
  find(guid: Guid): NodeDraft | undefined {
    return this.findByNumber(this.guids.findGuid(guid));
  }

  /** The same by the GUID's number. */
  findByNumber(guid: number): NodeDraft | undefined {
    return this.nodes[this.placeOfGuid[guid] ?? -1];
  }

  /** The node with a GUID, by the GUID's number. It is made when there is none. */
  node(guid: number, kind: NodeKind): NodeDraft {
    const known = this.findByNumber(guid);
    if (known !== undefined) return known;
    const node: NodeDraft = {
      place: this.nodes.length,
      guid,
      kind,
      systemGuid: -1,
      description: "",
      declaredPorts: 0,
      lid: 0,
      lmc: 0,
      vendorId: 0,
      deviceId: 0,
      discovered: false,
      portZeroGuid: -1,
      firstPort: noPort,
      lastPort: noPort,
      portCount: 0,
      label: "",
      index: -1,
    };
    this.makeRoomFor(guid);
    this.placeOfGuid[guid] = node.place;
    this.nodes.push(node);
    return node;
  }

  /** The port of a node by its number. It is made when there is none. */
  port(node: NodeDraft, number: number): PortDraft {
    return this.ports.findOrAdd(node, number);
  }

  nodeOfPort(port: PortDraft): NodeDraft {
    const node = this.nodes[this.ports.node[port] ?? -1];
    assert(node !== undefined, "a port has a node");
    return node;
  }

  numberOfPort(port: PortDraft): number {
    return this.ports.number[port] ?? 0;
  }

  /** The first port that had a GUID, {@link noPort} when none has. */
  portWithGuid(guid: Guid): PortDraft {
    return this.portOfGuid[this.guids.findGuid(guid)] ?? noPort;
  }

  /** @param guid number of the GUID; a port keeps the first that it is given */
  setPortGuid(port: PortDraft, guid: number): void {
    if (this.ports.guid[port] !== -1) return;
    this.ports.guid[port] = guid;
    this.makeRoomFor(guid);
    if (this.portOfGuid[guid] === noPort) this.portOfGuid[guid] = port;
  }

  private makeRoomFor(guid: number): void {
    if (guid < this.placeOfGuid.length) return;
    const room = 2 * guid;
    this.placeOfGuid = longer(this.placeOfGuid, new Int32Array(room).fill(-1));
    this.portOfGuid = longer(this.portOfGuid, new Int32Array(room).fill(noPort));
  }

  /** A node for people: by its description, or else its GUID. */
  nameOf(node: NodeDraft): string {
    return node.description === "" ? `0x${this.guidOf(node)}` : node.description;
  }
}

/** A LID as columns hold it: 0 for "not assigned" in either spelling (0 and 65535). */
export function knownLid(lid: number): number {
  return lid >= 1 && lid <= 0xbfff ? lid : 0;
}
