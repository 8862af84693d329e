/**
 * Records of one capture → one Fabric. Sources that disagree become diagnostics; nothing is dropped without a word.
 * Cost: O(nodes log nodes + ports).
 */
import { assert } from "../base/assert.ts";
import { GuidColumn } from "../base/guid.ts";
import type { GuidTable } from "../base/guid-table.ts";
import { type Fabric, none, type SmSettings } from "../fabric/model.ts";
import { type Diagnostic, DiagnosticList } from "../parse/diagnostic.ts";
import type { DbCsvRecords } from "../parse/db-csv.ts";
import type { DiscoverRecords, LinkinfoRecords, SminfoRecords } from "../parse/records.ts";
import type { OpensmSettings } from "../parse/opensm-conf.ts";
import type { SaqueryRecords } from "../parse/saquery.ts";
import type { SmpqueryRecords } from "../parse/smpquery.ts";
import { buildCounters, type CounterTexts } from "./build-counters.ts";
import { buildManagers } from "./build-managers.ts";
import { buildPhysical, type PhysicalTexts } from "./build-physical.ts";
import { FabricDraft, type NodeDraft } from "./draft.ts";
import { groupHosts } from "./group-hosts.ts";
import { dropImpossiblePorts, joinCables } from "./join-cables.ts";
import { mergeDbCsv } from "./merge-db-csv.ts";
import { mergeDiscover } from "./merge-discover.ts";
import { mergeLinkinfo } from "./merge-linkinfo.ts";
import type { Named, Timed } from "./named.ts";
import { toColumns } from "./to-columns.ts";

export interface BuildInput {
  readonly discover?: Named<DiscoverRecords>;
  readonly linkinfo?: Named<LinkinfoRecords>;
  /** The topology, when nothing else tells it; what the others do not tell, otherwise. */
  readonly dbCsv?: Named<DbCsvRecords>;
  /** Empty when nobody asked for subnet managers. */
  readonly sminfo: readonly Timed<SminfoRecords>[];
  readonly saquery?: readonly Named<SaqueryRecords>[];
  readonly portInfos?: SmpqueryRecords["portInfos"];
  readonly counters?: CounterTexts;
  readonly physical?: PhysicalTexts;
  /** The master's own settings, when its file was read. */
  readonly opensm?: OpensmSettings;
  /** Names of all outputs of the capture. */
  readonly files?: readonly string[];
}

export interface Built {
  readonly fabric: Fabric;
  readonly diagnostics: readonly Diagnostic[];
}

const kindOrder = ["switch", "router", "hca", "aggregation"] as const;

/** Merges everything one capture knows. Never throws on any records. */
export function buildFabric(input: BuildInput): Built {
  const discovered = input.discover?.records;
  const draft = new FabricDraft(discovered?.guids.copy(), discovered?.ports.count);
  const remarks: DiagnosticList[] = [];
  const remarksOn = (file: string): DiagnosticList => {
    const list = new DiagnosticList(file);
    remarks.push(list);
    return list;
  };
  const discoverRemarks = remarksOn(input.discover?.file ?? input.linkinfo?.file ?? input.dbCsv?.file ?? "");
  if (input.discover !== undefined) mergeDiscover(draft, input.discover.records);
  if (input.linkinfo !== undefined) mergeLinkinfo(draft, input.linkinfo.records, remarksOn(input.linkinfo.file));
  if (input.dbCsv !== undefined) {
    const whole = input.discover === undefined && input.linkinfo === undefined;
    mergeDbCsv(draft, input.dbCsv.records, whole, remarksOn(input.dbCsv.file));
  }
  dropImpossiblePorts(draft, discoverRemarks);
  const cables = joinCables(draft, discoverRemarks);
  const nodes = inOrder(draft);
  const hosts = groupHosts(
    nodes.filter((node) => node.kind === "hca"),
    draft.guids,
  );
  const columns = toColumns(draft, nodes, cables, hosts);
  const origin = discovered?.initiatedFrom;
  const originNode = origin === undefined ? undefined : draft.find(origin);
  const managers = buildManagers(
    {
      sminfo: input.sminfo,
      saquery: input.saquery ?? [],
      portInfos: input.portInfos ?? [],
      files: input.files ?? [],
    },
    draft,
  );
  const withoutCounters: Fabric = {
    ...columns,
    subnetManagers: managers.managers,
    smAsked: managers.asked,
    smListed: managers.listed,
    smUnasked: managers.unasked,
    ...(input.opensm === undefined ? {} : { smSettings: smSettingsOf(input.opensm) }),
    ...(originNode === undefined ? {} : { origin: originNode.index }),
    ...(draft.duplicates.size === 0 ? {} : { duplicateGuids: [...draft.duplicates].map(({ index }) => index) }),
  };
  const counters = buildCounters(withoutCounters, input.counters);
  const physical = buildPhysical(withoutCounters, input.physical ?? { dbCsv: [], mlxlink: [] });
  const fabric: Fabric = {
    ...withoutCounters,
    ...(counters.readings === undefined ? {} : { counters: counters.readings }),
    ...(physical.columns === undefined ? {} : { physical: physical.columns }),
  };
  checkInvariants(fabric);
  return {
    fabric,
    diagnostics: [
      ...remarks.flatMap((list) => list.finish()),
      ...managers.diagnostics,
      ...counters.diagnostics,
      ...physical.diagnostics,
    ],
  };
}

function smSettingsOf({ pollingMs, pollingRetries }: OpensmSettings): SmSettings {
  return {
    ...(pollingMs === undefined ? {} : { pollingMs }),
    ...(pollingRetries === undefined ? {} : { pollingRetries }),
  };
}

/** All nodes in the order of the columns: by kind, then by GUID. Tells each its index. */
function inOrder(draft: FabricDraft): readonly NodeDraft[] {
  const ordered: NodeDraft[] = [];
  for (const kind of kindOrder) {
    const nodes = draft.nodes.filter((node) => node.kind === kind);
    const guids = guidColumn(nodes.length, draft.guids, (i) => nodes[i]?.guid ?? -1);
    // Sorted as numbers, without a comparison of ours: then each tells its node.
    guids.values.sort();
    for (let i = 0; i < nodes.length; i += 1) {
      const node = draft.findByNumber(draft.guids.find(guids.high(i), guids.low(i)));
      assert(node !== undefined, "each GUID has its node");
      node.index = ordered.length;
      ordered.push(node);
    }
  }
  assert(ordered.length === draft.nodes.length, "each kind of node has its place");
  return ordered;
}

/** A column of GUIDs by their numbers in a table; 0 for a number of -1. */
function guidColumn(length: number, guids: GuidTable, numberAt: (index: number) => number): GuidColumn {
  const column = new GuidColumn(length);
  for (let i = 0; i < length; i += 1) {
    const guid = numberAt(i);
    if (guid >= 0) column.set(i, guids.high(guid), guids.low(guid));
  }
  return column;
}

/** What must hold for every Fabric, whatever the input was. */
function checkInvariants(fabric: Fabric): void {
  const { nodes, ports, links } = fabric;
  assert(nodes.portStart[nodes.count] === ports.count, "ports are grouped by node");
  for (let link = 0; link < links.count; link += 1) {
    const a = links.a[link] ?? none;
    const b = links.b[link] ?? none;
    assert(a !== b && a < ports.count && b < ports.count, "a link has two different ends");
    assert(ports.link[a] === link && ports.link[b] === link, "both ends know their link");
  }
}
