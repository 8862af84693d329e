import type { DiscoverRecords, RecordKind } from "../parse/records.ts";
import type { NodeKind } from "../fabric/model.ts";
import { type FabricDraft, knownLid, type NodeDraft } from "./draft.ts";

/** Device id of SHARP aggregation nodes in every public dump. */
const aggregationDevice = 0xcf09;

/** Kind of a node by what its record says; aggregation nodes are CAs that name themselves so. */
export function kindOf(kind: RecordKind, description: string, deviceId = 0): NodeKind {
  if (kind === "switch" || kind === "router") return kind;
  return deviceId === aggregationDevice || /\bAggregation Node\b/i.test(description) ? "aggregation" : "hca";
}

function describe(node: NodeDraft, description: string): void {
  if (node.description === "") node.description = description;
}

/** Adds ibnetdiscover's records. Nodes that are only named as a peer become nodes without a record of their own. */
export function mergeDiscover(draft: FabricDraft, records: DiscoverRecords): void {
  for (const record of records.nodes) {
    const kind = kindOf(record.kind, record.description, record.deviceId);
    const node = draft.node(record.guid, kind);
    if (node.discovered) draft.duplicates.add(node);
    node.discovered = true;
    node.kind = kind;
    if (record.description !== "") node.description = record.description;
    node.systemGuid = record.systemGuid ?? node.systemGuid;
    node.declaredPorts = Math.max(node.declaredPorts, record.declaredPorts);
    node.vendorId = record.vendorId ?? node.vendorId;
    node.deviceId = record.deviceId ?? node.deviceId;
    node.portZeroGuid = record.portGuid ?? node.portZeroGuid;
    if (record.lid !== undefined) node.lid = knownLid(record.lid);
    node.lmc = record.lmc ?? node.lmc;
    for (const line of record.ports) {
      const port = draft.port(node, line.number);
      port.discoverLine = line.line;
      port.lanes = line.lanes;
      port.speed = line.speed;
      if (line.guid !== undefined) draft.setPortGuid(port, line.guid);
      if (line.lid !== undefined) {
        port.lid = knownLid(line.lid);
        port.lmc = line.lmc ?? 0;
        if (node.lid === 0) node.lid = port.lid;
      }
      const peer =
        draft.nodes.get(line.peerGuid) ?? draft.node(line.peerGuid, kindOf(line.peerKind, line.peerDescription));
      describe(peer, line.peerDescription);
      const far = draft.port(peer, line.peerPort);
      if (line.peerPortGuid !== undefined) draft.setPortGuid(far, line.peerPortGuid);
      if (peer.kind === "switch") {
        if (peer.lid === 0) peer.lid = knownLid(line.peerLid);
      } else if (far.lid === 0) {
        far.lid = knownLid(line.peerLid);
      }
      port.peer = far;
    }
  }
}
