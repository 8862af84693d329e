import type { DiscoverPorts } from "../parse/discover-ports.ts";
import { type DiscoverRecords, type RecordKind, recordKinds } from "../parse/records.ts";
import type { NodeKind } from "../fabric/model.ts";
import { type FabricDraft, knownLid, type NodeDraft } from "./draft.ts";

/** Device id of SHARP aggregation nodes in every public dump. */
const aggregationDevice = 0xcf09;

/** Kind of a node by what its record says; aggregation nodes are CAs that name themselves so. */
export function kindOf(kind: RecordKind, description: string, deviceId = 0): NodeKind {
  if (kind === "switch" || kind === "router") return kind;
  return deviceId === aggregationDevice || /\bAggregation Node\b/i.test(description) ? "aggregation" : "hca";
}

/**
 * Adds ibnetdiscover's records to a draft that goes on with their table of GUIDs. Nodes that are only named as a peer
 * become nodes without a record of their own.
 */
export function mergeDiscover(draft: FabricDraft, records: DiscoverRecords): void {
  for (const record of records.nodes) {
    const kind = kindOf(record.kind, record.description, record.deviceId);
    const node = draft.node(record.guid, kind);
    if (node.discovered) draft.duplicates.add(node);
    node.discovered = true;
    node.kind = kind;
    if (record.description !== "") node.description = record.description;
    if (record.systemGuid >= 0) node.systemGuid = record.systemGuid;
    node.declaredPorts = Math.max(node.declaredPorts, record.declaredPorts);
    node.vendorId = record.vendorId ?? node.vendorId;
    node.deviceId = record.deviceId ?? node.deviceId;
    if (record.portGuid >= 0) node.portZeroGuid = record.portGuid;
    if (record.lid !== undefined) node.lid = knownLid(record.lid);
    node.lmc = record.lmc ?? node.lmc;
    for (let row = record.firstPort; row < record.endPort; row += 1) mergePort(draft, node, records.ports, row);
  }
}

/** @param row a row of `lines`, which is a port of `node` */
function mergePort(draft: FabricDraft, node: NodeDraft, lines: DiscoverPorts, row: number): void {
  const { ports } = draft;
  const port = draft.port(node, lines.number[row] ?? 0);
  ports.discoverLine[port] = lines.line[row] ?? 0;
  ports.lanes[port] = lines.lanes[row] ?? 0;
  ports.speed[port] = lines.speed[row] ?? 0;
  const guid = lines.guid[row] ?? -1;
  if (guid >= 0) draft.setPortGuid(port, guid);
  const lmc = lines.lmc[row] ?? -1;
  if (lmc >= 0) {
    const lid = knownLid(lines.lid[row] ?? 0);
    ports.lid[port] = lid;
    ports.lmc[port] = lmc;
    if (node.lid === 0) node.lid = lid;
  }
  const description = lines.peerDescription[row] ?? "";
  const peerGuid = lines.peerGuid[row] ?? -1;
  const peer =
    draft.findByNumber(peerGuid) ??
    draft.node(peerGuid, kindOf(recordKinds[lines.peerKind[row] ?? 0] ?? "ca", description));
  if (peer.description === "") peer.description = description;
  const far = draft.port(peer, lines.peerPort[row] ?? 0);
  const farGuid = lines.peerPortGuid[row] ?? -1;
  if (farGuid >= 0) draft.setPortGuid(far, farGuid);
  const peerLid = lines.peerLid[row] ?? 0;
  if (peer.kind === "switch") {
    if (peer.lid === 0) peer.lid = knownLid(peerLid);
  } else if (ports.lid[far] === 0) {
    ports.lid[far] = knownLid(peerLid);
  }
  ports.peer[port] = far;
}
