import { limits } from "../base/limits.ts";
import type { Guid } from "../base/guid.ts";
import type { NodeHeader } from "./discover-lines.ts";
import type { DiscoverPorts, PortLine } from "./discover-ports.ts";
import type { DiscoverNode, RecordKind } from "./records.ts";

/** What the lines before a node's own line tell of it. GUIDs by number, -1 for those not told. */
export interface Preamble {
  vendorId: number | undefined;
  deviceId: number | undefined;
  systemGuid: number;
  kind: RecordKind | undefined;
  guid: number;
  portGuid: number;
  chassis: string | undefined;
}

function emptyPreamble(): Preamble {
  return {
    vendorId: undefined,
    deviceId: undefined,
    systemGuid: -1,
    kind: undefined,
    guid: -1,
    portGuid: -1,
    chassis: undefined,
  };
}

interface OpenNode extends DiscoverNode {
  endPort: number;
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
  readonly nodes: DiscoverNode[] = [];
  preamble = emptyPreamble();
  /** True between the first line of a preamble and the node's own line. */
  insidePreamble = false;
  private current: OpenNode | undefined;
  /** Highest port number of the current node so far. */
  private lastPort = 0;
  private blankBefore = false;
  private readonly ports: DiscoverPorts;

  /** @param ports rows of the whole text, to which this dump adds its own */
  constructor(firstLine: number, ports: DiscoverPorts) {
    this.ports = ports;
    this.firstLine = firstLine;
    this.lastLine = firstLine;
  }

  /** A line `key=value` begins or goes on with the preamble of the next node. */
  beginPreamble(): Preamble {
    if (!this.insidePreamble) {
      this.insidePreamble = true;
      this.preamble = emptyPreamble();
      this.current = undefined;
    }
    return this.preamble;
  }

  blank(): void {
    this.blankBefore = true;
  }

  addNode(header: NodeHeader, line: number): void {
    this.open(header, line);
  }

  /**
   * A port of the current node. When the node's own line was lost, the preamble before still tells whose ports these
   * are (`implied`); without it the port belongs to nobody (`orphan`).
   */
  addPort(port: PortLine): "added" | "implied" | "orphan" | "repeated" {
    let answer: "added" | "implied" = "added";
    if (this.insidePreamble) {
      const { guid, kind } = this.preamble;
      if (guid < 0 || kind === undefined) {
        this.insidePreamble = false;
        this.preamble = emptyPreamble();
        this.current = undefined;
        return "orphan";
      }
      const lost = { lid: undefined, lmc: undefined, enhancedPort0: undefined, chassis: undefined };
      this.open({ kind, guid, declaredPorts: 0, description: "", ...lost }, port.line);
      answer = "implied";
    }
    const { current } = this;
    if (current === undefined) return "orphan";
    if (port.number <= this.lastPort) {
      // Ports come in rising order: after an empty line a lower one belongs to a node whose own lines are lost.
      if (this.blankBefore) {
        this.current = undefined;
        return "orphan";
      }
      for (let row = current.firstPort; row < current.endPort; row += 1)
        if (this.ports.number[row] === port.number) return "repeated";
    }
    this.ports.add(port);
    current.endPort = this.ports.count;
    this.lastPort = Math.max(this.lastPort, port.number);
    this.blankBefore = false;
    return answer;
  }

  /** The own line of a node was damaged: its ports must not go to the node before. */
  lostHeader(): void {
    if (!this.insidePreamble) this.current = undefined;
  }

  /** Begins a node with what its own line and the lines before it tell. */
  private open(header: NodeHeader, line: number): void {
    const { preamble } = this;
    this.current = {
      vendorId: preamble.vendorId,
      deviceId: preamble.deviceId,
      systemGuid: preamble.systemGuid,
      chassis: header.chassis ?? preamble.chassis,
      portGuid: preamble.guid === header.guid ? preamble.portGuid : -1,
      kind: header.kind,
      guid: header.guid,
      declaredPorts: header.declaredPorts,
      description: header.description,
      lid: header.lid,
      lmc: header.lmc,
      enhancedPort0: header.enhancedPort0,
      line,
      firstPort: this.ports.count,
      endPort: this.ports.count,
    };
    this.nodes.push(this.current);
    this.lastPort = 0;
    this.insidePreamble = false;
    this.preamble = emptyPreamble();
    this.blankBefore = false;
  }
}

/** Two records of one GUID: the same text twice (`-g` prints chassis switches twice), or two that contradict. */
export function sameRecord(ports: DiscoverPorts, a: DiscoverNode, b: DiscoverNode): boolean {
  const size = a.endPort - a.firstPort;
  if (a.kind !== b.kind || a.description !== b.description || b.endPort - b.firstPort !== size) return false;
  if (a.declaredPorts !== b.declaredPorts || size > limits.portNumber) return false;
  for (let i = 0; i < size; i += 1) {
    const [row, other] = [a.firstPort + i, b.firstPort + i];
    if (
      ports.number[row] !== ports.number[other] ||
      ports.peerGuid[row] !== ports.peerGuid[other] ||
      ports.peerPort[row] !== ports.peerPort[other]
    )
      return false;
  }
  return true;
}

const months = "JanFebMarAprMayJunJulAugSepOctNovDec";

/** Sortable number of the time at which a dump was made; 0 when it tells none. */
export function timeOf(dump: DiscoverDump): number {
  const hit = /^\w{3} (\w{3}) +(\d{1,2}) (\d\d):(\d\d):(\d\d) (\d{4})$/.exec(dump.generatedOn ?? "");
  if (hit === null) return 0;
  const month = months.indexOf(hit[1] ?? "?");
  return month < 0 || month % 3 !== 0
    ? 0
    : Date.UTC(Number(hit[6]), month / 3, Number(hit[2]), Number(hit[3]), Number(hit[4]), Number(hit[5]));
}
