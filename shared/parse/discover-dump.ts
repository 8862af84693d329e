import { limits } from "../base/limits.ts";
import type { Guid } from "../base/guid.ts";
import type { NodeHeader } from "./discover-lines.ts";
import type { DiscoverNode, DiscoverPort, RecordKind } from "./records.ts";

/** What the lines before a node's own line tell of it. */
export interface Preamble {
  vendorId?: number;
  deviceId?: number;
  systemGuid?: Guid;
  kind?: RecordKind;
  guid?: Guid;
  portGuid?: Guid;
  chassis?: string;
}

type PreambleFacts = Pick<DiscoverNode, "vendorId" | "deviceId" | "systemGuid" | "portGuid" | "chassis">;

interface OpenNode {
  readonly node: Omit<DiscoverNode, "ports">;
  readonly ports: DiscoverPort[];
  lastPort: number;
}

/** One dump of a text, while it is read. */
export class DiscoverDump {
  generatedOn: string | undefined;
  initiatedFrom: Guid | undefined;
  /** False after a line that says that something is missing. */
  complete = true;
  /** True when the text ends inside this dump. */
  cut = false;
  /** ibdiagnet's file: the value in parentheses after the own port is no port GUID. */
  ownGuids = true;
  readonly firstLine: number;
  lastLine: number;
  readonly nodes: OpenNode[] = [];
  preamble: Preamble = {};
  /** True between the first line of a preamble and the node's own line. */
  insidePreamble = false;
  private current: OpenNode | undefined;
  private blankBefore = false;

  constructor(firstLine: number) {
    this.firstLine = firstLine;
    this.lastLine = firstLine;
  }

  /** A line `key=value` begins or goes on with the preamble of the next node. */
  beginPreamble(): Preamble {
    if (!this.insidePreamble) {
      this.insidePreamble = true;
      this.preamble = {};
      this.current = undefined;
    }
    return this.preamble;
  }

  blank(): void {
    this.blankBefore = true;
  }

  addNode(header: NodeHeader, line: number): void {
    this.open({ ...this.takePreamble(this.preamble.guid === header.guid), ...header, line });
  }

  /**
   * A port of the current node. When the node's own line was lost, the preamble before still tells whose ports these
   * are (`implied`); without it the port belongs to nobody (`orphan`).
   */
  addPort(port: DiscoverPort): "added" | "implied" | "orphan" | "repeated" {
    let answer: "added" | "implied" = "added";
    if (this.insidePreamble) {
      const { guid, kind } = this.preamble;
      if (guid === undefined || kind === undefined) {
        this.insidePreamble = false;
        this.preamble = {};
        this.current = undefined;
        return "orphan";
      }
      this.open({ ...this.takePreamble(true), kind, guid, declaredPorts: 0, description: "", line: port.line });
      answer = "implied";
    }
    const { current } = this;
    if (current === undefined) return "orphan";
    if (port.number <= current.lastPort) {
      // Ports come in rising order: after an empty line a lower one belongs to a node whose own lines are lost.
      if (this.blankBefore) {
        this.current = undefined;
        return "orphan";
      }
      if (current.ports.some((known) => known.number === port.number)) return "repeated";
    }
    current.ports.push(port);
    current.lastPort = Math.max(current.lastPort, port.number);
    this.blankBefore = false;
    return answer;
  }

  /** The own line of a node was damaged: its ports must not go to the node before. */
  lostHeader(): void {
    if (!this.insidePreamble) this.current = undefined;
  }

  finish(): DiscoverNode[] {
    return this.nodes.map(({ node, ports }) => ({ ...node, ports }));
  }

  private open(node: Omit<DiscoverNode, "ports">): void {
    this.current = { node, ports: [], lastPort: 0 };
    this.nodes.push(this.current);
    this.insidePreamble = false;
    this.preamble = {};
    this.blankBefore = false;
  }

  private takePreamble(samePort0: boolean): PreambleFacts {
    const facts: { -readonly [K in keyof PreambleFacts]: PreambleFacts[K] } = {};
    const { vendorId, deviceId, systemGuid, portGuid, chassis } = this.preamble;
    if (vendorId !== undefined) facts.vendorId = vendorId;
    if (deviceId !== undefined) facts.deviceId = deviceId;
    if (systemGuid !== undefined) facts.systemGuid = systemGuid;
    if (chassis !== undefined) facts.chassis = chassis;
    if (portGuid !== undefined && samePort0) facts.portGuid = portGuid;
    return facts;
  }
}

/** Two records of one GUID: the same text twice (`-g` prints chassis switches twice), or two that contradict. */
export function sameRecord(a: DiscoverNode, b: DiscoverNode): boolean {
  if (a.kind !== b.kind || a.description !== b.description || a.ports.length !== b.ports.length) return false;
  if (a.declaredPorts !== b.declaredPorts || a.ports.length > limits.portNumber) return false;
  return a.ports.every((port, index) => {
    const other = b.ports[index];
    return (
      other !== undefined &&
      port.number === other.number &&
      port.peerGuid === other.peerGuid &&
      port.peerPort === other.peerPort
    );
  });
}
