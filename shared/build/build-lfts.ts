/** Tables of all texts → the forwarding tables of one fabric, with what does not fit together as diagnostics. */
import { type Guid, guidFromBigint, guidToBigint } from "../base/guid.ts";
import { count } from "../base/text.ts";
import { nodeKind, nodeName } from "../fabric/access.ts";
import { lidOwners } from "../fabric/lid-owners.ts";
import { type Lfts, noRoute, notTold } from "../fabric/lfts.ts";
import { type Fabric, none } from "../fabric/model.ts";
import { type Diagnostic, DiagnosticList } from "../parse/diagnostic.ts";
import { type LftRecords, type LftTable, tablePort } from "../parse/lft-tables.ts";

/** Records of one text with the name the user knows it by. */
export interface NamedLfts {
  readonly file: string;
  readonly records: LftRecords;
}

export interface BuiltLfts {
  readonly lfts: Lfts;
  readonly diagnostics: readonly Diagnostic[];
}

interface Candidate {
  readonly file: string;
  readonly table: LftTable;
}

/** What a switch told itself goes before what opensm wrote down. */
const trust = { dump_fts: 3, ibroute: 3, "opensm-lfts": 2, "opensm-fdbs": 1 } as const;

/** Whole tables first, then the closer source, then the one that says more, then the later one. */
function better(a: Candidate, b: Candidate): boolean {
  const whole = Number(a.table.complete) - Number(b.table.complete);
  if (whole !== 0) return whole > 0;
  const closer = trust[a.table.source] - trust[b.table.source];
  if (closer !== 0) return closer > 0;
  return a.table.entries >= b.table.entries;
}

/**
 * Puts the tables of the texts together, by node GUID. Of several tables of one switch the best is taken, and what it
 * does not tell is filled from the others. `path` names the whole for diagnostics. O(switches × LIDs).
 */
export function buildLfts(fabric: Fabric, texts: Iterable<NamedLfts>, path: string): BuiltLfts {
  const remarks = new DiagnosticList(path);
  const nodeOfGuid = new Map<bigint, number>();
  const rowOfNode = new Uint32Array(fabric.nodes.count).fill(none);
  const switches: number[] = [];
  for (let node = 0; node < fabric.nodes.count; node += 1) {
    if (nodeKind(fabric, node) !== "switch") continue;
    rowOfNode[node] = switches.length;
    switches.push(node);
    nodeOfGuid.set(fabric.nodes.guid[node] ?? 0n, node);
  }
  const rows = switches.length;
  const tables: Candidate[][] = switches.map(() => []);
  const strangers = new Map<Guid, Candidate>();
  const moved = new MovedLids(fabric);
  for (const { file, records } of texts) {
    for (const { lid, guid } of records.destinations) moved.check(lid, guid, file);
    for (const table of records.tables) {
      const node = nodeOfGuid.get(guidToBigint(table.guid));
      if (node === undefined) strangers.set(table.guid, { file, table });
      else keep(tables[rowOfNode[node] ?? none] ?? [], { file, table });
    }
  }
  let topLid = 0;
  for (const candidates of tables) {
    for (const { table } of candidates) topLid = Math.max(topLid, table.ports.length - 1, table.gap);
  }
  const told = new Uint8Array(rows);
  const above = new Uint8Array(rows).fill(notTold);
  const ports = new Uint8Array((topLid + 1) * rows).fill(notTold);
  tables.forEach((candidates, row) => {
    const [best, ...others] = [...candidates].sort((a, b) => (better(a, b) ? -1 : 1));
    if (best === undefined) return;
    told[row] = 1;
    above[row] = best.table.above;
    fill(ports, row, rows, topLid, best.table);
    for (const other of others) {
      const differ = merge(ports, row, rows, topLid, other.table);
      if (differ > 0) {
        remarks.add({
          severity: "warning",
          code: "tables-differ",
          message: `${best.file} and ${other.file} have different routes of switch ${nodeName(fabric, switches[row] ?? 0)} for ${count(differ, "LID")}: the routes changed between them. ${best.file} is used.`,
        });
      }
    }
  });
  const lfts: Lfts = { topLid, rows, rowOfNode, nodeOfRow: Uint32Array.from(switches), told, ports, above };
  sayStrangers(strangers, remarks);
  sayUnowned(fabric, lfts, remarks);
  moved.say(remarks);
  sayMissing(fabric, lfts, remarks);
  return { lfts, diagnostics: remarks.finish() };
}

/** Three tables of one switch are enough to compare; hostile texts may repeat one for ever. */
function keep(candidates: Candidate[], candidate: Candidate): void {
  candidates.push(candidate);
  if (candidates.length <= 4) return;
  candidates.sort((a, b) => (better(a, b) ? -1 : 1));
  candidates.pop();
}

function fill(ports: Uint8Array, row: number, rows: number, topLid: number, table: LftTable): void {
  const end = table.ports.length;
  for (let lid = 1; lid < end; lid += 1) ports[lid * rows + row] = table.ports[lid] ?? notTold;
  for (let lid = Math.max(1, end); lid <= topLid; lid += 1) ports[lid * rows + row] = tablePort(table, lid);
}

/** Fills what is not told; returns for how many LIDs the tables name different ports. */
function merge(ports: Uint8Array, row: number, rows: number, topLid: number, table: LftTable): number {
  let differ = 0;
  for (let lid = 1; lid <= topLid; lid += 1) {
    const place = lid * rows + row;
    const known = ports[place] ?? notTold;
    const other = tablePort(table, lid);
    if (known === notTold) ports[place] = other;
    else if (other !== notTold && other !== known) differ += 1;
  }
  return differ;
}

const older = "the tables are older or newer than the topology";

function sayStrangers(strangers: ReadonlyMap<Guid, Candidate>, remarks: DiagnosticList): void {
  for (const [guid, { file, table }] of strangers) {
    remarks.add({
      severity: "warning",
      code: "table-of-unknown-switch",
      message: `${file}, line ${table.line}: the topology has no switch 0x${guid}${table.description === "" ? "" : ` (${table.description})`}; ${older}. Its table was left out.`,
    });
  }
}

/** LIDs that switches route and that nobody in the topology has. */
function sayUnowned(fabric: Fabric, lfts: Lfts, remarks: DiagnosticList): void {
  const owners = lidOwners(fabric);
  const { topLid, rows, ports } = lfts;
  const unowned: number[] = [];
  for (let lid = 1; lid <= topLid; lid += 1) {
    if (owners.nodeOf(lid) !== undefined) continue;
    let routed = false;
    for (let place = lid * rows; place < (lid + 1) * rows && !routed; place += 1) {
      routed = (ports[place] ?? noRoute) < notTold;
    }
    if (routed) unowned.push(lid);
  }
  if (unowned.length === 0) return;
  const few = unowned.slice(0, 10).join(", ");
  remarks.add({
    severity: "warning",
    code: "lid-without-owner",
    message: `The tables have routes to ${count(unowned.length, "LID")} that nobody in the topology has (${few}${unowned.length > 10 ? ", …" : ""}); ${older}.`,
  });
}

function sayMissing(fabric: Fabric, lfts: Lfts, remarks: DiagnosticList): void {
  const missing: string[] = [];
  lfts.told.forEach((told, row) => {
    if (told === 0) missing.push(nodeName(fabric, lfts.nodeOfRow[row] ?? 0));
  });
  if (missing.length === 0) return;
  const few = missing.slice(0, 5).join(", ");
  remarks.add({
    severity: "warning",
    code: "table-missing",
    message: `There is no forwarding table of ${count(missing.length, "switch", "switches")} (${few}${missing.length > 5 ? ", …" : ""}); routes through them are not known.`,
  });
}

/** Notices LIDs that belonged to another port when the tables were read. */
class MovedLids {
  private readonly lids = new Set<number>();
  private example = "";
  private readonly owners: ReturnType<typeof lidOwners>;
  private readonly fabric: Fabric;

  constructor(fabric: Fabric) {
    this.fabric = fabric;
    this.owners = lidOwners(fabric);
  }

  check(lid: number, guid: Guid, file: string): void {
    const port = this.owners.portOf(lid);
    const now = port === undefined ? 0n : (this.fabric.ports.guid[port] ?? 0n);
    // Some outputs name no port GUID; then nothing can be said.
    if (port === undefined || now === 0n || now === guidToBigint(guid)) return;
    if (this.lids.size === 0) {
      this.example = `LID ${lid} was port 0x${guid} in ${file} and is 0x${guidFromBigint(now)} in the topology`;
    }
    this.lids.add(lid);
  }

  say(remarks: DiagnosticList): void {
    if (this.lids.size === 0) return;
    remarks.add({
      severity: "warning",
      code: "lid-moved",
      message: `${count(this.lids.size, "LID")} had another owner when the tables were read (${this.example}); ${older}.`,
    });
  }
}
