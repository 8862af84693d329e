import { type Guid, guidFromBigint, guidToBigint } from "../base/guid.ts";
import type { DiagnosticList } from "../parse/diagnostic.ts";
import type { LinkinfoPort, LinkinfoRecords } from "../parse/records.ts";
import { formatRate } from "../fabric/rates.ts";
import { type FabricDraft, knownLid, type NodeDraft } from "./draft.ts";
import { noPort, type PortDraft } from "./draft-ports.ts";
import { kindOf } from "./merge-discover.ts";

/** Finds the port that a line is about; makes it when the line alone tells enough, {@link noPort} otherwise. */
function ownPort(draft: FabricDraft, record: LinkinfoPort, remarks: DiagnosticList): PortDraft {
  const { guid } = record;
  if (guid === undefined) {
    remarks.add({
      severity: "warning",
      code: "port-without-node",
      line: record.line,
      message: "This port line names no node and stands below no node's header; it is left out.",
    });
    return noPort;
  }
  const asNode = draft.find(guid);
  if (asNode !== undefined && (record.kind === "switch" || record.kind === "unknown") && asNode.kind === "switch") {
    return draft.port(asNode, record.number);
  }
  const known = draft.portWithGuid(guid);
  if (known !== noPort && draft.nodeOfPort(known).kind !== "switch") {
    if (draft.numberOfPort(known) === record.number) return known;
    return draft.port(draft.nodeOfPort(known), record.number);
  }
  if (asNode !== undefined) return draft.port(asNode, record.number);
  const kind = record.kind === "unknown" ? "switch" : kindOf(record.kind, record.description ?? "");
  const sister = kind === "switch" ? undefined : otherPortOfCard(draft, guid, record);
  const guidNumber = draft.guids.addGuid(guid);
  if (sister !== undefined) {
    const port = draft.port(sister, record.number);
    draft.setPortGuid(port, guidNumber);
    return port;
  }
  const node = draft.node(guidNumber, kind);
  node.description = record.description ?? "";
  node.discovered = true;
  const port = draft.port(node, record.number);
  if (kind !== "switch") {
    // Adapters are named by port GUID here: it stands for the node GUID, which this tool does not print.
    draft.setPortGuid(port, guidNumber);
    remarks.add({
      severity: "note",
      code: "node-guid-unknown",
      line: record.line,
      message:
        "iblinkinfo prints only the port GUID of adapters; it stands for the node GUID. ibnetdiscover's output would tell both.",
    });
  }
  return port;
}

/** The node of an adapter's other port: same description, and port GUIDs that differ as the port numbers do. */
function otherPortOfCard(draft: FabricDraft, guid: Guid, record: LinkinfoPort): NodeDraft | undefined {
  for (const number of [1, 2]) {
    if (number === record.number) continue;
    const other = draft.portWithGuid(guidFromBigint(guidToBigint(guid) + BigInt(number - record.number)));
    if (other === noPort || draft.numberOfPort(other) !== number) continue;
    const node = draft.nodeOfPort(other);
    if (node.description === record.description && draft.ports.find(node, record.number) === noPort) return node;
  }
  return undefined;
}

/** GUIDs of neighbours that the text names by LID only lie in a range that no vendor has (OUI ff:ff:fe). */
const nameless = 0xffff_fe00_0000_0000n;

/**
 * A neighbour known by LID and description only (default layout, or the tools of OFED 1.x, which print switches
 * alone). One that is named at several ports, or at a port above 2, is a switch.
 */
function namelessPeer(
  draft: FabricDraft,
  record: LinkinfoPort,
  mentions: ReadonlyMap<number, number>,
): NodeDraft | undefined {
  const { peer } = record;
  if (peer === undefined || peer.lid === 0) return undefined;
  const guid = peer.guid ?? guidFromBigint(nameless + BigInt(peer.lid));
  const isSwitch = (mentions.get(peer.lid) ?? 0) > 1 || peer.number > 2;
  const node = draft.node(draft.guids.addGuid(guid), isSwitch ? "switch" : kindOf("ca", peer.description));
  node.description = node.description === "" ? peer.description : node.description;
  node.lid = knownLid(peer.lid);
  const port = draft.port(node, peer.number);
  if (!isSwitch) draft.ports.lid[port] = knownLid(peer.lid);
  return node;
}

/**
 * Line mode does not say what a line's own node is. A GUID that has many lines or that others name as a switch is a
 * switch; an adapter has one line per port GUID with that port's own number.
 */
function guessKinds(records: LinkinfoRecords): LinkinfoRecords {
  if (records.ports.every((port) => port.kind !== "unknown")) return records;
  const lines = new Map<string, number>();
  for (const port of records.ports) {
    if (port.guid !== undefined) lines.set(port.guid, (lines.get(port.guid) ?? 0) + 1);
  }
  return {
    ...records,
    ports: records.ports.map((port) => {
      if (port.kind !== "unknown" || port.guid === undefined) return port;
      const kind = (lines.get(port.guid) ?? 0) > 1 || port.number > 2 ? ("switch" as const) : ("ca" as const);
      return { ...port, kind };
    }),
  };
}

interface Lids {
  readonly nodes: Map<number, NodeDraft>;
  readonly ports: Map<number, NodeDraft>;
}

function indexLids(draft: FabricDraft): Lids {
  const lids: Lids = { nodes: new Map(), ports: new Map() };
  const { ports } = draft;
  for (const node of draft.nodes) {
    if (node.kind === "switch") {
      if (node.lid !== 0) lids.nodes.set(node.lid, node);
      continue;
    }
    for (let port = node.firstPort; port !== noPort; port = ports.following(port)) {
      const lid = ports.lid[port] ?? 0;
      if (lid !== 0) lids.ports.set(lid, node);
    }
  }
  return lids;
}

function peerOf(draft: FabricDraft, { peer }: LinkinfoPort, lids: Lids): NodeDraft | undefined {
  if (peer === undefined) return undefined;
  if (peer.guid !== undefined) {
    const node = draft.find(peer.guid);
    if (node !== undefined) return node;
    const port = draft.portWithGuid(peer.guid);
    if (port !== noPort) return draft.nodeOfPort(port);
  }
  return lids.nodes.get(peer.lid) ?? lids.ports.get(peer.lid);
}

function takeFacts(draft: FabricDraft, port: PortDraft, record: LinkinfoPort, remarks: DiagnosticList): void {
  const { ports } = draft;
  const node = draft.nodeOfPort(port);
  ports.linkinfoLine[port] = record.line;
  ports.state[port] = record.state;
  ports.phys[port] = record.phys;
  ports.couldBeLanes[port] = record.couldBeLanes;
  ports.couldBeSpeed[port] = record.couldBeSpeed;
  if (node.kind === "switch") {
    if (node.lid === 0) node.lid = knownLid(record.lid);
  } else if (ports.lid[port] === 0) {
    const lid = knownLid(record.lid);
    ports.lid[port] = lid;
    if (node.lid === 0) node.lid = lid;
  }
  const lanes = record.lanes ?? 0;
  const speed = record.speed ?? 0;
  const lanesBefore = ports.lanes[port] ?? 0;
  const speedBefore = ports.speed[port] ?? 0;
  const differs =
    (lanes !== 0 && lanesBefore !== 0 && lanes !== lanesBefore) ||
    (speed !== 0 && speedBefore !== 0 && speed !== speedBefore);
  if (differs) {
    remarks.add({
      severity: "warning",
      code: "tools-disagree",
      line: record.line,
      message: `${draft.nameOf(node)}, port ${draft.numberOfPort(port)}, runs ${formatRate(lanesBefore, speedBefore)} by ibnetdiscover and ${formatRate(lanes, speed)} by iblinkinfo: it changed between the two. The later, iblinkinfo's, is shown.`,
    });
  }
  if (lanes !== 0) ports.lanes[port] = lanes;
  if (speed !== 0) ports.speed[port] = speed;
}

/** Adds iblinkinfo's records: states, hints, down ports; whole nodes and cables where ibnetdiscover is missing. */
export function mergeLinkinfo(draft: FabricDraft, input: LinkinfoRecords, remarks: DiagnosticList): void {
  const alone = draft.nodes.length === 0;
  const records = alone ? guessKinds(input) : input;
  const own = records.ports.map((record) => {
    const port = ownPort(draft, record, remarks);
    if (port === noPort) return port;
    const node = draft.nodeOfPort(port);
    if (node.description === "" && record.description !== undefined) node.description = record.description;
    takeFacts(draft, port, record, remarks);
    return port;
  });
  const lids = indexLids(draft);
  const mentions = new Map<number, number>();
  for (const { peer } of records.ports)
    if (peer !== undefined) mentions.set(peer.lid, (mentions.get(peer.lid) ?? 0) + 1);
  records.ports.forEach((record, i) => {
    const port = own[i] ?? noPort;
    if (port === noPort || record.peer === undefined) return;
    let node = peerOf(draft, record, lids);
    if (node === undefined && alone) {
      node = namelessPeer(draft, record, mentions);
      if (node !== undefined && record.peer.guid === undefined) {
        remarks.add({
          severity: "note",
          code: "node-guid-unknown",
          line: record.line,
          message:
            "This output names the neighbour by LID and description only; its GUID is made up from the LID (0xfffffe…).",
          excerpt: record.peer.description,
        });
      }
    }
    if (node !== undefined) takePeer(draft, port, record, record.peer, node, alone, remarks);
  });
}

/** @param node the node that `peer` is a port of */
function takePeer(
  draft: FabricDraft,
  port: PortDraft,
  record: LinkinfoPort,
  peer: NonNullable<LinkinfoPort["peer"]>,
  node: NodeDraft,
  alone: boolean,
  remarks: DiagnosticList,
): void {
  const known = draft.ports.peer[port] ?? noPort;
  if (known === noPort) {
    const far = draft.port(node, peer.number);
    draft.ports.peer[port] = far;
    if (node.description === "") node.description = peer.description;
    if (peer.guid !== undefined && node.kind !== "switch") draft.setPortGuid(far, draft.guids.addGuid(peer.guid));
    if (!alone) {
      remarks.add({
        severity: "note",
        code: "only-in-iblinkinfo",
        line: record.line,
        message: `The cable at ${placeOf(draft, port)} is in iblinkinfo and not in ibnetdiscover: it came up between the two.`,
      });
    }
    return;
  }
  const knownNode = draft.nodeOfPort(known);
  if (knownNode === node && draft.numberOfPort(known) === peer.number) return;
  remarks.add({
    severity: "warning",
    code: "tools-disagree",
    line: record.line,
    message: `The cable at ${placeOf(draft, port)} leads to ${knownNode.description}:${draft.numberOfPort(known)} by ibnetdiscover and to ${node.description}:${peer.number} by iblinkinfo. ibnetdiscover's is shown.`,
  });
}

function placeOf(draft: FabricDraft, port: PortDraft): string {
  return `${draft.nodeOfPort(port).description}, port ${draft.numberOfPort(port)}`;
}
