/** The nodes table as columns: one row per switch, host, router and aggregation node. Pure; no React. */
import { type Analysis, blockOf, type Finding, healths, type Topology } from "../../../shared/analyse/results.ts";
import {
  adaptersOfHost,
  at,
  hostName,
  hostOfNode,
  nodeDescription,
  nodeGuid,
  nodeKind,
  nodeName,
  peerPort,
  portsOfNode,
} from "../../../shared/fabric/access.ts";
import type { Fabric } from "../../../shared/fabric/model.ts";
import { orderRows, rankTexts, rankTextsInSlices, type SortKey } from "../../parts/data-table-order.ts";
import type { Selection } from "../../state/selection-store.ts";
import { findingIndex } from "../findings/finding-index.ts";
import { hexId, hostsBelow, nodeAndLinkHealth, nodeWord, portsUp } from "../inspector/node-facts.ts";
import type { TableLook } from "../links/table-store.ts";
import { namedPositions, type Query, type QueryKey, queryKey } from "../links/query.ts";

const nodeRowKinds = ["switch", "host", "router", "aggregation", "hca"] as const;
type NodeRowKind = (typeof nodeRowKinds)[number];

export interface NodeRow {
  readonly kind: NodeRowKind;
  /** Host index for hosts, else node index. */
  readonly index: number;
  readonly nodes: readonly number[];
  readonly name: string;
  /** `Leaf`, `Spine`, `Host`, … */
  readonly tier: string;
  /** Node GUID of the first adapter. */
  readonly guid: string;
  readonly lid: number;
  readonly up: number;
  readonly of: number;
  /** Hosts cabled to it; hosts themselves have none. */
  readonly hosts: number;
  readonly vendor: string;
  readonly device: string;
  /** Code in {@link healths}. */
  readonly health: number;
  readonly findings: number;
  /** `pod 3`, `group 5`: where it is, a host where its first switch is; empty for what is in none. */
  readonly block: string;
  /** Lower case, for free text. */
  readonly search: string;
}

function row(
  fabric: Fabric,
  analysis: Analysis,
  kind: NodeRowKind,
  index: number,
  nodes: readonly number[],
  name: string,
): NodeRow {
  const first = nodes[0] ?? 0;
  const byNode = findingIndex(fabric, analysis).byNode;
  const findings = new Set(nodes.flatMap((node): readonly Finding[] => byNode.get(node) ?? []));
  const ports = nodes.map((node) => portsUp(fabric, node));
  const guids = nodes.map((node) => nodeGuid(fabric, node));
  return {
    kind,
    index,
    nodes,
    name,
    tier: kind === "host" ? "Host" : nodeWord(fabric, analysis, first),
    guid: guids[0] ?? "",
    lid: at(fabric.nodes.lid, first),
    up: ports.reduce((sum, entry) => sum + entry.up, 0),
    of: ports.reduce((sum, entry) => sum + entry.of, 0),
    hosts: kind === "switch" ? hostsBelow(fabric, first).size : 0,
    vendor: hexId(at(fabric.nodes.vendorId, first)),
    device: hexId(at(fabric.nodes.deviceId, first)),
    health: nodes.reduce((worst, node) => Math.max(worst, nodeAndLinkHealth(fabric, analysis, node)), 0),
    findings: findings.size,
    block: blockText(fabric, analysis, nodes),
    search: [name, ...guids, ...nodes.map((node) => nodeDescription(fabric, node))].join(" ").toLowerCase(),
  };
}

/** `pod 3`, `group 5`, or nothing. O(ports of the nodes). */
function blockText(fabric: Fabric, { topology }: Analysis, nodes: readonly number[]): string {
  for (const node of nodes) {
    const own = topology.blockOfNode[node] ?? -1;
    const peers = hostOfNode(fabric, node) === undefined ? [] : portsOfNode(fabric, node);
    const found = own >= 0 ? own : (peers.map((port) => peerBlock(fabric, topology, port)).find((at) => at >= 0) ?? -1);
    if (blockOf(topology, found) !== undefined) return `${topology.groups.length > 0 ? "group" : "pod"} ${found + 1}`;
  }
  return "";
}

function peerBlock(fabric: Fabric, topology: Topology, port: number): number {
  const peer = peerPort(fabric, port);
  return peer === undefined ? -1 : (topology.blockOfNode[at(fabric.ports.node, peer)] ?? -1);
}

/** How the table looks before anybody changes it. */
export const nodesStart: TableLook = { query: "", sort: { column: "health", descending: true }, widths: {} };

/** A query that leaves the nodes of some names. */
export function namesQuery(names: readonly string[]): string {
  const list = names.map((name) => name.replaceAll('"', "")).join(",");
  return /\s/.test(list) ? `name:"${list}"` : `name:${list}`;
}

/** Rows between two pauses; a row takes as long as its node has ports. */
const rowsAtOnce = 128;

/** Switches from the top tier down, then hosts, routers, aggregation nodes; each by name. O(ports), with pauses. */
export function* nodeRows(fabric: Fabric, analysis: Analysis): Generator<undefined, readonly NodeRow[]> {
  const rows: NodeRow[] = [];
  for (let node = 0; node < fabric.nodes.count; node += 1) {
    if (node % rowsAtOnce === 0) yield;
    if (hostOfNode(fabric, node) !== undefined) continue;
    rows.push(row(fabric, analysis, nodeKind(fabric, node), node, [node], nodeName(fabric, node)));
  }
  for (let host = 0; host < fabric.hosts.count; host += 1) {
    if (host % rowsAtOnce === 0) yield;
    rows.push(row(fabric, analysis, "host", host, adaptersOfHost(fabric, host), hostName(fabric, host)));
  }
  const names = yield* rankTextsInSlices(rows.map((entry) => entry.name));
  yield;
  const tier = (entry: NodeRow): number =>
    entry.kind === "switch" ? 1024 - at(analysis.topology.tierOfNode, entry.index) : 0;
  // By name, then these by kind and tier: equals keep their order.
  const byName = orderRows(Uint32Array.from(rows.keys()), names, false);
  const place = rows.map((entry) => nodeRowKinds.indexOf(entry.kind) * 4096 + tier(entry));
  return [...orderRows(byName, place, false)].flatMap((position) => rows[position] ?? []);
}

/** What a nodes query can filter by. */
export function nodeQueryKeys(rows: readonly NodeRow[]): readonly QueryKey[] {
  const counted = (value: (row: NodeRow) => string) => {
    const times = new Map<string, number>();
    for (const entry of rows) {
      const text = value(entry).toLowerCase();
      if (text !== "") times.set(text, (times.get(text) ?? 0) + 1);
    }
    return [...times].map(([text, n]) => ({ value: text, rows: n }));
  };
  return [
    queryKey("kind", "what it is", () => counted((entry) => entry.kind)),
    queryKey("tier", "place in the shape", () => counted((entry) => entry.tier)),
    queryKey("health", "worst of its ports and links", () => [
      ...counted((entry) => healths[entry.health] ?? "unknown"),
      { value: "degraded" },
    ]),
    queryKey("name", "exactly this name", () => []),
    ...(["pod", "group"] as const)
      .filter((word) => rows.some(({ block }) => block.startsWith(word)))
      .map((word) =>
        queryKey(word, `number of its ${word}`, () => counted(({ block }) => block.slice(word.length + 1))),
      ),
    queryKey("device", "device id", () => counted((entry) => entry.device)),
    queryKey("findings", "has findings", () => [{ value: "yes" }, { value: "no" }]),
  ];
}

function fits(entry: NodeRow, key: string, values: readonly string[]): boolean {
  switch (key) {
    case "kind":
      return values.some((value) => entry.kind.startsWith(value));
    case "tier":
      return values.some((value) => entry.tier.toLowerCase().startsWith(value));
    case "health": {
      const degraded = values.includes("degraded") && entry.health >= healths.indexOf("warning");
      return degraded || namedPositions(values, healths)[entry.health] === 1;
    }
    case "device":
      return values.includes(entry.device);
    case "name":
      return values.includes(entry.name.toLowerCase());
    case "pod":
    case "group":
      return values.some((value) => entry.block === `${key} ${value}`);
    default:
      return values.includes(entry.findings > 0 ? "yes" : "no");
  }
}

/** Positions of the rows that fit, in their order. A number also finds the LID. */
export function filterNodes(rows: readonly NodeRow[], query: Query): Uint32Array {
  const positions = [...rows.keys()].filter((position) => {
    const entry = rows[position];
    if (entry === undefined) return false;
    return (
      query.filters.every((filter) => fits(entry, filter.key, filter.values) !== filter.negated) &&
      query.terms.every((term) => entry.search.includes(term) || (entry.lid > 0 && String(entry.lid) === term))
    );
  });
  return Uint32Array.from(positions);
}

/** Sort key of a column. */
export function nodeSortKey(rows: readonly NodeRow[], column: string): SortKey | undefined {
  switch (column) {
    case "health":
      return rows.map((entry) => entry.health);
    case "name":
      return rankTexts(rows.map((entry) => entry.name));
    case "kind":
      return rows.map((entry) => nodeRowKinds.indexOf(entry.kind));
    case "tier":
      return rankTexts(rows.map((entry) => entry.tier));
    case "guid":
      return rankTexts(rows.map((entry) => entry.guid));
    case "lid":
      return rows.map((entry) => (entry.lid === 0 ? NaN : entry.lid));
    case "ports":
      return rows.map((entry) => entry.up);
    case "hosts":
      return rows.map((entry) => (entry.kind === "switch" ? entry.hosts : NaN));
    case "vendor":
      return rankTexts(rows.map((entry) => entry.vendor));
    case "device":
      return rankTexts(rows.map((entry) => entry.device));
    case "findings":
      return rows.map((entry) => entry.findings);
    default:
      return undefined;
  }
}

export function selectionOfNodeRow(entry: NodeRow): Selection {
  return entry.kind === "host" ? { kind: "host", host: entry.index } : { kind: "node", node: entry.index };
}

/** Position of the row that a selection is shown in; a host's adapter is its host. */
export function positionOfSelection(
  rows: readonly NodeRow[],
  fabric: Fabric,
  selection: Selection,
): number | undefined {
  const wanted =
    selection.kind === "node" && hostOfNode(fabric, selection.node) !== undefined
      ? ({ kind: "host", host: hostOfNode(fabric, selection.node) ?? 0 } as const)
      : selection;
  const position = rows.findIndex(
    (entry) =>
      (wanted.kind === "host" && entry.kind === "host" && entry.index === wanted.host) ||
      (wanted.kind === "node" && entry.kind !== "host" && entry.index === wanted.node),
  );
  return position < 0 ? undefined : position;
}

/** Rows as tab-separated lines with a head line. */
export function nodesAsText(rows: readonly NodeRow[]): string {
  const head = [
    "Health",
    "Name",
    "Kind",
    "Tier",
    "GUID",
    "LID",
    "Ports up",
    "Ports",
    "Hosts",
    "Vendor",
    "Device",
    "Findings",
  ];
  const lines = rows.map((entry) => [
    healths[entry.health] ?? "unknown",
    entry.name,
    entry.kind,
    entry.tier,
    entry.guid,
    entry.lid === 0 ? "" : String(entry.lid),
    String(entry.up),
    String(entry.of),
    entry.kind === "switch" ? String(entry.hosts) : "",
    entry.vendor,
    entry.device,
    String(entry.findings),
  ]);
  return [head, ...lines].map((cells) => cells.join("\t")).join("\n");
}
