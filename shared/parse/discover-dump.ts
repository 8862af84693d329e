import { limits } from "../base/limits.ts";
import type { Guid } from "../base/guid.ts";
import type { NodeHeader } from "./discover-lines.ts";
import type { DiscoverNode, DiscoverPort, RecordKind } from "./records.ts";

/** What the lines before a node's own line tell of it. */
export interface Preamble {
  vendorId: number | undefined;
  deviceId: number | undefined;
  systemGuid: Guid | undefined;
  kind: RecordKind | undefined;
  guid: Guid | undefined;
  portGuid: Guid | undefined;
  chassis: string | undefined;
}

function emptyPreamble(): Preamble {
  return {
    vendorId: undefined,
    deviceId: undefined,
    systemGuid: undefined,
    kind: undefined,
    guid: undefined,
    portGuid: undefined,
    chassis: undefined,
  };
}

interface OpenNode extends DiscoverNode {
  readonly ports: DiscoverPort[];
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

  constructor(firstLine: number) {
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
  addPort(port: DiscoverPort): "added" | "implied" | "orphan" | "repeated" {
    let answer: "added" | "implied" = "added";
    if (this.insidePreamble) {
      const { guid, kind } = this.preamble;
      if (guid === undefined || kind === undefined) {
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
      if (current.ports.some((known) => known.number === port.number)) return "repeated";
    }
    current.ports.push(port);
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
      portGuid: preamble.guid === header.guid ? preamble.portGuid : undefined,
      kind: header.kind,
      guid: header.guid,
      declaredPorts: header.declaredPorts,
      description: header.description,
      lid: header.lid,
      lmc: header.lmc,
      enhancedPort0: header.enhancedPort0,
      line,
      ports: [],
    };
    this.nodes.push(this.current);
    this.lastPort = 0;
    this.insidePreamble = false;
    this.preamble = emptyPreamble();
    this.blankBefore = false;
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
