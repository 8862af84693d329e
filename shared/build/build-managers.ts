/**
 * What sminfo and saquery told → the subnet managers of a fabric. sminfo's answer is the live one; the master's SA
 * knows the others as of its last sweep; the IsSM bit only says that one runs there.
 */
import { formatGuid, type Guid } from "../base/guid.ts";
import type { SmState, SubnetManager } from "../fabric/model.ts";
import { DiagnosticList, type Diagnostic } from "../parse/diagnostic.ts";
import type { SminfoRecord, SminfoRecords } from "../parse/records.ts";
import type { SaqueryRecords } from "../parse/saquery.ts";
import type { SmpqueryRecords } from "../parse/smpquery.ts";
import type { FabricDraft, NodeDraft } from "./draft.ts";
import { noPort } from "./draft-ports.ts";
import { askedLid } from "./manager-files.ts";
import type { Named, Timed } from "./named.ts";

export interface ManagerTexts {
  readonly sminfo: readonly Timed<SminfoRecords>[];
  readonly saquery: readonly Named<SaqueryRecords>[];
  /** Ports that were asked for their IsSM bit one by one. */
  readonly portInfos?: SmpqueryRecords["portInfos"];
  /** Names of all outputs: some say which LID was asked (manager-files.ts). */
  readonly files: readonly string[];
}

export interface BuiltManagers {
  readonly managers: readonly SubnetManager[];
  readonly asked: boolean;
  readonly listed: boolean;
  readonly unasked: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

const smStates: readonly SmState[] = ["NOTACTIVE", "DISCOVERING", "STANDBY", "MASTER"];

interface Look extends SminfoRecord {
  readonly takenAt: number;
}

interface Draft {
  guid: Guid | undefined;
  lid: number;
  /** Whose the GUID is, or else the LID. */
  node: NodeDraft | undefined;
  /** Whose the LID is. */
  lidNode: NodeDraft | undefined;
  looks: Look[];
  recorded: { state: number; priority: number; activity: number } | undefined;
}

/** Merges all that was told. One entry per manager: masters first, then standbys, then by priority and GUID. */
export function buildManagers(texts: ManagerTexts, draft: FabricDraft): BuiltManagers {
  const owners = new LidOwnersOfDraft(draft);
  const remarks = new DiagnosticList(texts.sminfo[0]?.file ?? texts.saquery[0]?.file ?? "");
  const found: Draft[] = [];
  const entry = (guid: Guid | undefined, lid: number): Draft => {
    const lidNode = owners.nodeAt(lid);
    const node = owners.nodeOf(guid) ?? lidNode;
    const known = found.find(
      (other) =>
        (guid !== undefined && other.guid === guid && (other.lid === lid || sameNode(other.lidNode, lidNode))) ||
        ((guid === undefined || other.guid === undefined) && lid !== 0 && other.lid === lid),
    );
    if (known !== undefined) {
      known.guid ??= guid;
      known.node ??= node;
      known.lidNode ??= lidNode;
      return known;
    }
    const fresh: Draft = { guid, lid, node, lidNode, looks: [], recorded: undefined };
    found.push(fresh);
    return fresh;
  };
  const inOrder = [...texts.sminfo].sort((a, b) => (a.takenAt ?? 0) - (b.takenAt ?? 0));
  for (const { records, takenAt } of inOrder) {
    for (const record of records.managers) {
      entry(record.guid, record.lid).looks.push({ ...record, takenAt: takenAt ?? 0 });
    }
  }
  for (const { records } of texts.saquery) {
    for (const record of records.smInfos) entry(record.guid, record.lid).recorded = record;
    for (const { lid, disabled } of records.smPorts) {
      // Whoever answered at this LID is the one, whatever GUID it gives.
      if (!disabled && !found.some((one) => one.lid === lid)) entry(owners.portGuid(lid), lid);
    }
  }
  const bits = new Map((texts.portInfos ?? []).map(({ lid, isSm }) => [lid, isSm]));
  for (const [lid, isSm] of bits) {
    if (isSm && !found.some((one) => one.lid === lid)) entry(owners.portGuid(lid), lid);
  }
  for (const group of sameGuids(found)) {
    remarks.add({
      severity: "warning",
      code: "same-manager-guid",
      message: `Subnet managers at LIDs ${group.map(({ lid }) => lid).join(" and ")} give the same GUID ${formatGuid(group[0]?.guid ?? ("" as Guid))}: one of the two ports has a GUID that is not its own.`,
    });
  }
  const asked = new Set(texts.files.flatMap((file) => askedLid(file) ?? []));
  const ends = bits.size === 0 ? [] : owners.endLids;
  const unaskedPorts = ends.filter((lid) => !bits.has(lid)).length;
  const listed =
    texts.saquery.some(({ records }) => records.listsSmPorts || records.smInfos.length > 0) ||
    (bits.size > 0 && unaskedPorts === 0);
  return {
    managers: found.map((one) => toManager(one, asked)).sort(byRank),
    asked: texts.sminfo.length > 0 || listed,
    listed,
    unasked: unaskedOf(
      texts,
      found,
      asked,
      listed,
      bits.size === 0 ? undefined : [ends.length - unaskedPorts, ends.length],
    ),
    diagnostics: remarks.finish(),
  };
}

function sameNode(a: NodeDraft | undefined, b: NodeDraft | undefined): boolean {
  // Without a topology nobody can tell two LIDs of one port (LMC) from two ports.
  return a === undefined || b === undefined || a === b;
}

function sameGuids(found: readonly Draft[]): readonly (readonly Draft[])[] {
  const groups = new Map<Guid, Draft[]>();
  for (const one of found) {
    if (one.guid === undefined) continue;
    groups.set(one.guid, [...(groups.get(one.guid) ?? []), one]);
  }
  return [...groups.values()].filter((group) => group.length > 1);
}

function toManager({ guid, lid, node, looks, recorded }: Draft, asked: ReadonlySet<number>): SubnetManager {
  const last = looks.at(-1);
  const timed = looks.filter((look) => look.takenAt > 0);
  const [before, after] = [timed[0], timed.at(-1)];
  const told = last ?? recorded;
  return {
    guid: guid === undefined ? "" : formatGuid(guid),
    lid: last?.lid ?? lid,
    state: told === undefined ? "unknown" : (smStates[told.state] ?? "unknown"),
    priority: told?.priority ?? -1,
    activity: told?.activity ?? 0,
    answers: last !== undefined ? "yes" : asked.has(lid) ? "no" : "not-asked",
    ...(node === undefined ? {} : { node: node.index }),
    ...(before === undefined || after === undefined || before === after
      ? {}
      : { earlier: { activity: before.activity, seconds: (after.takenAt - before.takenAt) / 1000 } }),
  };
}

function byRank(a: SubnetManager, b: SubnetManager): number {
  const rank = ({ state }: SubnetManager): number => (state === "MASTER" ? 0 : state === "STANDBY" ? 1 : 2);
  return rank(a) - rank(b) || b.priority - a.priority || (a.guid < b.guid ? -1 : 1);
}

function unaskedOf(
  texts: ManagerTexts,
  found: readonly Draft[],
  asked: ReadonlySet<number>,
  listed: boolean,
  bits: readonly [asked: number, total: number] | undefined,
): readonly string[] {
  if (texts.sminfo.length === 0 && texts.saquery.length === 0 && bits === undefined) return [];
  if (!listed && bits !== undefined) {
    return [
      `The list of subnet managers could not be had from the SA. ${bits[0]} of ${bits[1]} ports were asked for their IsSM bit instead: there may be others than those shown.`,
    ];
  }
  if (!listed) {
    return [
      texts.saquery.some(({ records }) => records.failed)
        ? "The list of subnet managers could not be had: the SA did not answer saquery. There may be others than those shown."
        : "Nobody listed the subnet managers (saquery -s): there may be others than those shown.",
    ];
  }
  const silent = found.filter((one) => one.looks.length === 0 && !asked.has(one.lid));
  if (silent.length === 0) return [];
  return [
    `Not asked by sminfo: LID ${silent.map(({ lid }) => lid).join(", ")}. What is shown of them is what the master knew at its last sweep.`,
  ];
}

/** Nodes and port GUIDs by LID, with LMC. */
class LidOwnersOfDraft {
  private readonly draft: FabricDraft;
  private index: LidIndex | undefined;

  constructor(draft: FabricDraft) {
    this.draft = draft;
  }

  nodeOf(guid: Guid | undefined): NodeDraft | undefined {
    if (guid === undefined) return undefined;
    const port = this.draft.portWithGuid(guid);
    if (port !== noPort) return this.draft.nodeOfPort(port);
    return this.draft.find(guid) ?? this.lids.portZeros.get(guid);
  }

  /** Base LIDs of all end ports: port 0 of switches, and the ports of everything else. */
  get endLids(): readonly number[] {
    const lids = new Set<number>();
    const { nodes, ports } = this.draft;
    for (const node of nodes) {
      if (node.kind === "aggregation") continue;
      if (node.kind === "switch") lids.add(node.lid);
      else
        for (let port = node.firstPort; port !== noPort; port = ports.following(port)) lids.add(ports.lid[port] ?? 0);
    }
    lids.delete(0);
    return [...lids];
  }

  nodeAt(lid: number): NodeDraft | undefined {
    return this.lids.nodes.get(lid);
  }

  portGuid(lid: number): Guid | undefined {
    return this.lids.guids.get(lid);
  }

  /** Made when a text first names a LID or a GUID. */
  private get lids(): LidIndex {
    this.index ??= indexLids(this.draft);
    return this.index;
  }
}

interface LidIndex {
  readonly nodes: Map<number, NodeDraft>;
  readonly guids: Map<number, Guid>;
  readonly portZeros: Map<Guid, NodeDraft>;
}

function indexLids(draft: FabricDraft): LidIndex {
  const index: LidIndex = { nodes: new Map(), guids: new Map(), portZeros: new Map() };
  const { guids, ports } = draft;
  for (const node of draft.nodes) {
    if (node.kind === "switch") {
      const guid = guids.guidOf(node.portZeroGuid < 0 ? node.guid : node.portZeroGuid);
      claim(index, node.lid, node.lmc, node, guid);
      index.portZeros.set(guid, node);
      continue;
    }
    for (let port = node.firstPort; port !== noPort; port = ports.following(port)) {
      const guid = ports.guid[port] ?? -1;
      claim(index, ports.lid[port] ?? 0, ports.lmc[port] ?? 0, node, guid < 0 ? undefined : guids.guidOf(guid));
    }
  }
  return index;
}

function claim(index: LidIndex, lid: number, lmc: number, node: NodeDraft, guid: Guid | undefined): void {
  if (lid === 0) return;
  for (let own = lid; own < lid + 2 ** Math.min(lmc, 7); own += 1) {
    if (index.nodes.has(own)) continue;
    index.nodes.set(own, node);
    if (guid !== undefined) index.guids.set(own, guid);
  }
}
