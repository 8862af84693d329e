/** The port lines of ibnetdiscover's records. */
import { longer } from "../base/columns.ts";

/** One port line, seen from its own node. GUIDs are numbers in the text's table; -1 is what the line does not tell. */
export interface PortLine {
  number: number;
  /** External port number of a chassis, when printed (`[3][ext 7]`). */
  external: number;
  /** Own port GUID (CA and router ports). */
  guid: number;
  lid: number;
  lmc: number;
  /** Code in recordKinds (records.ts). */
  peerKind: number;
  peerGuid: number;
  peerPort: number;
  peerExternal: number;
  peerPortGuid: number;
  peerDescription: string;
  peerLid: number;
  /** Lanes, 0 when printed as `??`. */
  lanes: number;
  /** Speed code (fabric/rates.ts), 0 when printed as `???`. */
  speed: number;
  line: number;
}

export function emptyPortLine(): PortLine {
  return {
    number: 0,
    external: -1,
    guid: -1,
    lid: -1,
    lmc: -1,
    peerKind: 0,
    peerGuid: -1,
    peerPort: 0,
    peerExternal: -1,
    peerPortGuid: -1,
    peerDescription: "",
    peerLid: 0,
    lanes: 0,
    speed: 0,
    line: 0,
  };
}

/**
 * All port lines of a text in columns, one row each: half of the time that objects for them took to make went into
 * making them and into carrying them through two collections of garbage.
 */
export class DiscoverPorts {
  count = 0;
  number = new Uint16Array(0);
  guid = new Int32Array(0);
  /** Of use only where `lmc` is not -1. */
  lid = new Uint16Array(0);
  lmc = new Int8Array(0);
  peerKind = new Uint8Array(0);
  peerGuid = new Int32Array(0);
  peerPort = new Uint16Array(0);
  peerPortGuid = new Int32Array(0);
  peerLid = new Uint16Array(0);
  lanes = new Uint8Array(0);
  speed = new Uint8Array(0);
  line = new Uint32Array(0);
  readonly peerDescription: string[] = [];
  /** External numbers by row: only old directors print them. */
  readonly external = new Map<number, number>();
  readonly peerExternal = new Map<number, number>();

  /** @param room rows to have room for at first */
  constructor(room: number) {
    this.reserve(Math.max(16, room));
  }

  add(port: PortLine): void {
    const row = this.count;
    if (row === this.number.length) this.reserve(2 * row);
    this.count += 1;
    this.number[row] = port.number;
    this.guid[row] = port.guid;
    this.lid[row] = port.lid;
    this.lmc[row] = port.lmc;
    this.peerKind[row] = port.peerKind;
    this.peerGuid[row] = port.peerGuid;
    this.peerPort[row] = port.peerPort;
    this.peerPortGuid[row] = port.peerPortGuid;
    this.peerLid[row] = port.peerLid;
    this.lanes[row] = port.lanes;
    this.speed[row] = port.speed;
    this.line[row] = port.line;
    this.peerDescription.push(port.peerDescription);
    if (port.external >= 0) this.external.set(row, port.external);
    if (port.peerExternal >= 0) this.peerExternal.set(row, port.peerExternal);
  }

  private reserve(rows: number): void {
    this.number = longer(this.number, new Uint16Array(rows));
    this.guid = longer(this.guid, new Int32Array(rows));
    this.lid = longer(this.lid, new Uint16Array(rows));
    this.lmc = longer(this.lmc, new Int8Array(rows));
    this.peerKind = longer(this.peerKind, new Uint8Array(rows));
    this.peerGuid = longer(this.peerGuid, new Int32Array(rows));
    this.peerPort = longer(this.peerPort, new Uint16Array(rows));
    this.peerPortGuid = longer(this.peerPortGuid, new Int32Array(rows));
    this.peerLid = longer(this.peerLid, new Uint16Array(rows));
    this.lanes = longer(this.lanes, new Uint8Array(rows));
    this.speed = longer(this.speed, new Uint8Array(rows));
    this.line = longer(this.line, new Uint32Array(rows));
  }
}
