import type { Guid } from "../base/guid.ts";
import { noRoute, notTold } from "../fabric/lfts.ts";

/** The tools that print forwarding tables. */
export type LftSource = "dump_fts" | "ibroute" | "opensm-lfts" | "opensm-fdbs";

/** The forwarding table of one switch as one text tells it. */
export interface LftTable {
  /** Node GUID of the switch. */
  readonly guid: Guid;
  readonly source: LftSource;
  /** Description as printed; empty where the format has none. */
  readonly description: string;
  /** Output port by LID up to the highest one listed; {@link noRoute} and {@link notTold} as in fabric/lfts.ts. */
  readonly ports: Uint8Array;
  /** What holds for LIDs above the array: {@link noRoute} when the switch's own top LID is told, else {@link notTold}. */
  readonly above: number;
  /**
   * A LID of which the table says nothing although it is finished, 0 for none: infiniband-diags leave a top LID out that
   * is a multiple of 64.
   */
  readonly gap: number;
  /** Entries read. */
  readonly entries: number;
  /** False when the text ends before the table does, or lines of it are lost. */
  readonly complete: boolean;
  /** Line of its header. */
  readonly line: number;
}

/** An adapter port that a table names as the destination of a LID. */
export interface LftDestination {
  readonly lid: number;
  /** Port GUID. */
  readonly guid: Guid;
}

export interface LftRecords {
  /** In the order of the text; a switch may be there more than once. */
  readonly tables: readonly LftTable[];
  /** What owned the LIDs when the tables were read: from the first table of the text that names destinations. */
  readonly destinations: readonly LftDestination[];
  /** False when the text shows signs of a cut. */
  readonly complete: boolean;
}

/** Bytes that the tables of one text take at most: 1,500 switches with every unicast LID are below it. */
export const tableBytesMax = 96 * 1024 * 1024;

const highestUnicast = 0xbfff;

/** LIDs of one block of a table; a top LID that begins a block is what infiniband-diags leave out. */
const blockSize = 64;

/** A table while its lines come. */
export class GrowingTable {
  entries = 0;
  complete = false;
  readonly guid: Guid;
  readonly source: LftSource;
  readonly description: string;
  readonly first: number;
  readonly last: number;
  readonly line: number;
  private ports = new Uint8Array(256).fill(notTold);
  private top = 0;

  constructor(head: Pick<GrowingTable, "guid" | "source" | "description" | "first" | "last" | "line">) {
    this.guid = head.guid;
    this.source = head.source;
    this.description = head.description;
    this.first = head.first;
    this.last = Math.min(head.last, highestUnicast);
    this.line = head.line;
  }

  /** Keeps an entry; false when its LID cannot be in this table. */
  put(lid: number, port: number): boolean {
    if (lid < 1 || lid < this.first || lid > this.last) return false;
    if (lid >= this.ports.length) this.grow(lid);
    this.ports[lid] = port;
    if (lid > this.top) this.top = lid;
    this.entries += 1;
    return true;
  }

  private grow(lid: number): void {
    const grown = new Uint8Array(Math.min(highestUnicast + 1, Math.max(this.ports.length * 2, lid + 1))).fill(notTold);
    grown.set(this.ports);
    this.ports = grown;
  }

  /** Bytes that the finished table will take. */
  get bytes(): number {
    return this.top + 1;
  }

  /** The finished table. Where the tool printed all valid entries to the end, a LID without one has no route. */
  finish(): LftTable {
    const fromSwitch = this.source === "dump_fts" || this.source === "ibroute";
    // opensm.fdbs has a line for every LID, so a missing one is a lost one.
    const absentMeansNone = this.complete && this.source !== "opensm-fdbs";
    const ports = this.ports.slice(0, this.top + 1);
    if (absentMeansNone) {
      for (let lid = Math.max(1, this.first); lid < ports.length; lid += 1) {
        if (ports[lid] === notTold) ports[lid] = noRoute;
      }
    }
    const gap = fromSwitch && this.last % blockSize === 0 && this.last >= ports.length ? this.last : 0;
    return {
      guid: this.guid,
      source: this.source,
      description: this.description,
      ports,
      // opensm's files end at the highest LID that was assigned; a switch drops what is above its top.
      above: absentMeansNone && fromSwitch && this.first === 0 ? noRoute : notTold,
      gap,
      entries: this.entries,
      complete: this.complete,
      line: this.line,
    };
  }
}

/** What a table says of a LID: a port number, {@link noRoute} or {@link notTold}. */
export function tablePort(table: LftTable, lid: number): number {
  const port = table.ports[lid];
  if (port !== undefined) return port;
  return lid === table.gap ? notTold : table.above;
}
