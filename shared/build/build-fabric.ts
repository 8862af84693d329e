/**
 * Records of one capture → one Fabric. Sources that disagree become diagnostics; nothing is dropped without a word.
 * Cost: O(nodes log nodes + ports).
 */
import { assert } from "../base/assert.ts";
import { GuidColumn, guidHigh, guidLow } from "../base/guid.ts";
import { type Fabric, nodeKinds, none, type SmSettings } from "../fabric/model.ts";
import { type Diagnostic, DiagnosticList } from "../parse/diagnostic.ts";
import { shortName } from "../parse/names.ts";
import type { DbCsvRecords } from "../parse/db-csv.ts";
import type { DiscoverRecords, LinkinfoRecords, SminfoRecords } from "../parse/records.ts";
import type { OpensmSettings } from "../parse/opensm-conf.ts";
import type { SaqueryRecords } from "../parse/saquery.ts";
import type { SmpqueryRecords } from "../parse/smpquery.ts";
import { buildCounters, type CounterTexts } from "./build-counters.ts";
import { buildManagers } from "./build-managers.ts";
import { buildPhysical, type PhysicalTexts } from "./build-physical.ts";
import { FabricDraft, type NodeDraft, type PortDraft } from "./draft.ts";
import { compareNatural, groupHosts, type HostDraft } from "./group-hosts.ts";
import { type Cable, dropImpossiblePorts, joinCables } from "./join-cables.ts";
import { mergeDbCsv } from "./merge-db-csv.ts";
import { mergeDiscover } from "./merge-discover.ts";
import { mergeLinkinfo } from "./merge-linkinfo.ts";
import type { Named, Timed } from "./named.ts";

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
  const draft = new FabricDraft();
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
  const unordered = [...draft.nodes.values()];
  const nodes = kindOrder.flatMap((kind) =>
    unordered.filter((node) => node.kind === kind).sort((a, b) => a.guidHigh - b.guidHigh || a.guidLow - b.guidLow),
  );
  assert(nodes.length === unordered.length, "each kind of node has its place");
  nodes.forEach((node, index) => {
    node.index = index;
  });
  const hosts = groupHosts(nodes.filter((node) => node.kind === "hca"));
  const columns = toColumns(nodes, cables, hosts);
  const origin = input.discover?.records.initiatedFrom;
  const originNode = origin === undefined ? undefined : draft.nodes.get(origin);
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

class StringTable {
  readonly strings: string[] = [""];
  private readonly ids = new Map<string, number>([["", 0]]);

  id(text: string): number {
    const known = this.ids.get(text);
    if (known !== undefined) return known;
    const id = this.strings.length;
    this.strings.push(text);
    this.ids.set(text, id);
    return id;
  }
}

function toColumns(
  nodes: readonly NodeDraft[],
  cables: readonly Cable[],
  hosts: readonly HostDraft[],
): Pick<Fabric, "strings" | "nodes" | "ports" | "links" | "hosts"> {
  const table = new StringTable();
  nameNodes(nodes, hosts);
  const portCount = nodes.reduce((sum, node) => sum + node.ports.size, 0);
  const n = nodes.length;
  const nodeGuids = new GuidColumn(n);
  const systemGuids = new GuidColumn(n);
  const portGuids = new GuidColumn(portCount);
  const nodeColumns = {
    count: n,
    kind: new Uint8Array(n),
    guid: nodeGuids.values,
    systemGuid: systemGuids.values,
    description: new Uint32Array(n),
    label: new Uint32Array(n),
    declaredPorts: new Uint16Array(n),
    lid: new Uint16Array(n),
    lmc: new Uint8Array(n),
    vendorId: new Uint32Array(n),
    deviceId: new Uint32Array(n),
    host: new Uint32Array(n).fill(none),
    discovered: new Uint8Array(n),
    portStart: new Uint32Array(n + 1),
  };
  const portColumns = {
    count: portCount,
    node: new Uint32Array(portCount),
    number: new Uint8Array(portCount),
    guid: portGuids.values,
    lid: new Uint16Array(portCount),
    lmc: new Uint8Array(portCount),
    state: new Uint8Array(portCount),
    phys: new Uint8Array(portCount),
    lanes: new Uint8Array(portCount),
    speed: new Uint8Array(portCount),
    couldBeLanes: new Uint8Array(portCount),
    couldBeSpeed: new Uint8Array(portCount),
    link: new Uint32Array(portCount).fill(none),
    discoverLine: new Uint32Array(portCount),
    linkinfoLine: new Uint32Array(portCount),
  };
  let next = 0;
  for (const node of nodes) {
    const i = node.index;
    nodeColumns.kind[i] = nodeKinds.indexOf(node.kind);
    nodeGuids.set(i, node.guidHigh, node.guidLow);
    if (node.systemGuid !== undefined) systemGuids.set(i, guidHigh(node.systemGuid), guidLow(node.systemGuid));
    nodeColumns.description[i] = table.id(node.description);
    nodeColumns.label[i] = table.id(node.label);
    nodeColumns.declaredPorts[i] = node.declaredPorts;
    nodeColumns.lid[i] = node.lid;
    nodeColumns.lmc[i] = node.lmc;
    nodeColumns.vendorId[i] = node.vendorId;
    nodeColumns.deviceId[i] = node.deviceId;
    nodeColumns.discovered[i] = node.discovered ? 1 : 0;
    nodeColumns.portStart[i] = next;
    for (const port of node.ports.inOrder()) {
      port.index = next;
      portColumns.node[next] = i;
      portColumns.number[next] = port.number;
      if (port.guid !== undefined) portGuids.set(next, guidHigh(port.guid), guidLow(port.guid));
      portColumns.lid[next] = port.lid;
      portColumns.lmc[next] = port.lmc;
      portColumns.state[next] = port.state;
      portColumns.phys[next] = port.phys;
      portColumns.lanes[next] = port.lanes;
      portColumns.speed[next] = port.speed;
      portColumns.couldBeLanes[next] = port.couldBeLanes;
      portColumns.couldBeSpeed[next] = port.couldBeSpeed;
      portColumns.discoverLine[next] = port.discoverLine;
      portColumns.linkinfoLine[next] = port.linkinfoLine;
      next += 1;
    }
  }
  nodeColumns.portStart[n] = next;
  const depth = tierHint(nodes, cables);
  // By end A: a port has one cable at most, so that no sorting is needed.
  const endB = new Uint32Array(portCount).fill(none);
  for (const { a, b } of cables) {
    if (isEndA(a, b, depth)) endB[a.index] = b.index;
    else endB[b.index] = a.index;
  }
  const links = { count: cables.length, a: new Uint32Array(cables.length), b: new Uint32Array(cables.length) };
  let link = 0;
  for (let a = 0; a < portCount; a += 1) {
    const b = endB[a] ?? none;
    if (b === none) continue;
    links.a[link] = a;
    links.b[link] = b;
    portColumns.link[a] = link;
    portColumns.link[b] = link;
    link += 1;
  }
  const adapterCount = hosts.reduce((sum, host) => sum + host.adapters.length, 0);
  const hostColumns = {
    count: hosts.length,
    name: new Uint32Array(hosts.length),
    nodeStart: new Uint32Array(hosts.length + 1),
    nodes: new Uint32Array(adapterCount),
  };
  let adapter = 0;
  hosts.forEach((host, h) => {
    hostColumns.name[h] = table.id(host.name);
    hostColumns.nodeStart[h] = adapter;
    for (const node of host.adapters) {
      hostColumns.nodes[adapter] = node.index;
      nodeColumns.host[node.index] = h;
      adapter += 1;
    }
  });
  hostColumns.nodeStart[hosts.length] = adapter;
  return { strings: table.strings, nodes: nodeColumns, ports: portColumns, links, hosts: hostColumns };
}

/** A host with one adapter goes by the host's name, one of several by its description; switches of one name get part of their GUID. */
function nameNodes(nodes: readonly NodeDraft[], hosts: readonly HostDraft[]): void {
  for (const host of hosts) {
    const only = host.adapters.length === 1 ? host.adapters[0] : undefined;
    if (only !== undefined) only.label = host.name;
  }
  const times = new Map<string, number>();
  for (const node of nodes) {
    if (node.label === "") node.label = shortName(node.description);
    if (node.kind === "switch") times.set(node.label, (times.get(node.label) ?? 0) + 1);
  }
  for (const node of nodes) {
    // Unmanaged switches all bear the same factory name: the end of the GUID tells them apart.
    if (node.kind === "switch" && node.label !== "" && (times.get(node.label) ?? 0) > 1)
      node.label = `${node.label} ${node.guid.slice(-6)}`;
  }
}

/** 0 for switches with adapters below, rising with the distance from those: decides which end of a link is A. */
function tierHint(nodes: readonly NodeDraft[], cables: readonly Cable[]): Int32Array {
  const depth = new Int32Array(nodes.length).fill(-1);
  const neighbours: number[][] = [];
  let wave: number[] = [];
  for (const { a, b } of cables) {
    const x = a.node;
    const y = b.node;
    if (x.kind === "switch" && y.kind === "switch") {
      join(neighbours, x.index, y.index);
      join(neighbours, y.index, x.index);
    }
    const leaf = x.kind === "switch" && y.kind === "hca" ? x : y.kind === "switch" && x.kind === "hca" ? y : undefined;
    if (leaf !== undefined && depth[leaf.index] === -1) {
      depth[leaf.index] = 0;
      wave.push(leaf.index);
    }
  }
  for (let level = 1; wave.length > 0; level += 1) {
    const following: number[] = [];
    for (const node of wave) {
      for (const other of neighbours[node] ?? []) {
        if (depth[other] !== -1) continue;
        depth[other] = level;
        following.push(other);
      }
    }
    wave = following;
  }
  return depth;
}

function join(neighbours: number[][], from: number, to: number): void {
  (neighbours[from] ??= []).push(to);
}

/** True when `a` is the end of its cable that comes first. */
function isEndA(a: PortDraft, b: PortDraft, depth: Int32Array): boolean {
  const difference =
    rank(a.node, depth) - rank(b.node, depth) ||
    compareNatural(a.node.description, b.node.description) ||
    a.node.index - b.node.index ||
    a.number - b.number;
  return difference <= 0;
}

function rank(node: NodeDraft, depth: Int32Array): number {
  return node.kind === "switch" ? (depth[node.index] ?? 0) : node.kind === "router" ? 1000 : 2000;
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
