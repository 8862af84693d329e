import { longer } from "../base/columns.ts";

/** A port in the making: its row in {@link DraftPorts}. */
export type PortDraft = number;

/** No port. */
export const noPort = -1;

/** What a node knows of its ports: a list in the order in which they were first named, which {@link DraftPorts.following} goes through. */
export interface OwnerOfPorts {
  /** Position among all nodes of the draft. */
  readonly place: number;
  firstPort: PortDraft;
  lastPort: PortDraft;
  portCount: number;
}

/**
 * Ports in the making, as columns: a fabric has five times as many of them as nodes, and objects for them cost more to
 * make and to keep than all that is merged into them. Rows are in the order in which the ports were first named.
 */
export class DraftPorts {
  count = 0;
  /** Position of its node among all nodes. */
  node = new Int32Array(0);
  /** As a tool gave it: what no device can have is said and taken out when all is merged. */
  number = new Float64Array(0);
  /** Its GUID's number, -1 for none. */
  guid = new Int32Array(0);
  lid = new Uint16Array(0);
  lmc = new Uint8Array(0);
  state = new Uint8Array(0);
  phys = new Uint8Array(0);
  lanes = new Uint8Array(0);
  speed = new Uint8Array(0);
  couldBeLanes = new Uint8Array(0);
  couldBeSpeed = new Uint8Array(0);
  /** Port that this one says its cable leads to, {@link noPort} for none. */
  peer = new Int32Array(0);
  /** 1 when it is the end of a cable that counts. */
  cabled = new Uint8Array(0);
  discoverLine = new Uint32Array(0);
  linkinfoLine = new Uint32Array(0);
  /** The next port of the same node. */
  private next = new Int32Array(0);
  /** Hash table over node and number: the first row of each bucket, and of each row the one after it in its bucket. */
  private bucket = new Int32Array(0);
  private after = new Int32Array(0);
  private shift = 32;

  /** @param room rows to have room for at first */
  constructor(room: number) {
    let rows = 64;
    while (rows < room) rows *= 2;
    this.reserve(rows);
  }

  /** The port of a node by its number, {@link noPort} when there is none yet. */
  find(node: OwnerOfPorts, number: number): PortDraft {
    let row = this.bucket[this.bucketOf(node.place, number)] ?? noPort;
    while (row !== noPort && (this.node[row] !== node.place || this.number[row] !== number))
      row = this.after[row] ?? noPort;
    return row;
  }

  /** The same; it is made when there is none. */
  findOrAdd(node: OwnerOfPorts, number: number): PortDraft {
    const known = this.find(node, number);
    if (known !== noPort) return known;
    if (this.count === this.node.length) this.reserve(2 * this.count);
    const row = this.count;
    this.count += 1;
    this.node[row] = node.place;
    this.number[row] = number;
    this.guid[row] = -1;
    this.peer[row] = noPort;
    this.next[row] = noPort;
    if (node.lastPort === noPort) node.firstPort = row;
    else this.next[node.lastPort] = row;
    node.lastPort = row;
    node.portCount += 1;
    this.enter(row);
    return row;
  }

  /** The port of the same node that was named after this one, {@link noPort} behind the last: from `node.firstPort` on. */
  following(port: PortDraft): PortDraft {
    return this.next[port] ?? noPort;
  }

  /** Takes those ports from a node that do not pass. They are found no more by its list; their rows stay. */
  keep(node: OwnerOfPorts, passes: (port: PortDraft) => boolean): void {
    let row = node.firstPort;
    node.firstPort = noPort;
    node.lastPort = noPort;
    node.portCount = 0;
    while (row !== noPort) {
      const following = this.following(row);
      if (passes(row)) {
        if (node.lastPort === noPort) node.firstPort = row;
        else this.next[node.lastPort] = row;
        node.lastPort = row;
        node.portCount += 1;
        this.next[row] = noPort;
      }
      row = following;
    }
  }

  private bucketOf(place: number, number: number): number {
    return Math.imul(place * 256 + number, 0x9e3779b1) >>> this.shift;
  }

  private enter(row: number): void {
    const bucket = this.bucketOf(this.node[row] ?? 0, this.number[row] ?? 0);
    this.after[row] = this.bucket[bucket] ?? noPort;
    this.bucket[bucket] = row;
  }

  /** @param rows a power of two */
  private reserve(rows: number): void {
    this.node = longer(this.node, new Int32Array(rows));
    this.number = longer(this.number, new Float64Array(rows));
    this.guid = longer(this.guid, new Int32Array(rows));
    this.lid = longer(this.lid, new Uint16Array(rows));
    this.lmc = longer(this.lmc, new Uint8Array(rows));
    this.state = longer(this.state, new Uint8Array(rows));
    this.phys = longer(this.phys, new Uint8Array(rows));
    this.lanes = longer(this.lanes, new Uint8Array(rows));
    this.speed = longer(this.speed, new Uint8Array(rows));
    this.couldBeLanes = longer(this.couldBeLanes, new Uint8Array(rows));
    this.couldBeSpeed = longer(this.couldBeSpeed, new Uint8Array(rows));
    this.peer = longer(this.peer, new Int32Array(rows));
    this.cabled = longer(this.cabled, new Uint8Array(rows));
    this.discoverLine = longer(this.discoverLine, new Uint32Array(rows));
    this.linkinfoLine = longer(this.linkinfoLine, new Uint32Array(rows));
    this.next = longer(this.next, new Int32Array(rows));
    this.after = new Int32Array(rows);
    this.bucket = new Int32Array(rows).fill(noPort);
    this.shift = Math.clz32(rows) + 1;
    for (let row = 0; row < this.count; row += 1) this.enter(row);
  }
}
