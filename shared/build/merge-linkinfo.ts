import { type Guid, guidFromBigint, guidToBigint } from "../base/guid.ts";
import type { DiagnosticList } from "../parse/diagnostic.ts";
import type { LinkinfoPort, LinkinfoRecords } from "../parse/records.ts";
import { formatRate } from "../fabric/rates.ts";
import { type FabricDraft, knownLid, type NodeDraft, type PortDraft } from "./draft.ts";
import { kindOf } from "./merge-discover.ts";

/** Finds the port that a line is about; makes it when the line alone tells enough. */
function ownPort(draft: FabricDraft, record: LinkinfoPort, remarks: DiagnosticList): PortDraft | undefined {
  const { guid } = record;
  if (guid === undefined) {
    remarks.add({
      severity: "warning",
      code: "port-without-node",
      line: record.line,
      message: "This port line names no node and stands below no node's header; it is left out.",
    });
    return undefined;
  }
  const asNode = draft.nodes.get(guid);
  if (asNode !== undefined && (record.kind === "switch" || record.kind === "unknown") && asNode.kind === "switch") {
    return draft.port(asNode, record.number);
  }
  const known = draft.portsByGuid.get(guid);
  if (known !== undefined && known.node.kind !== "switch") {
    if (known.number === record.number) return known;
    return draft.port(known.node, record.number);
  }
  if (asNode !== undefined) return draft.port(asNode, record.number);
  const kind = record.kind === "unknown" ? "switch" : kindOf(record.kind, record.description ?? "");
  const sister = kind === "switch" ? undefined : otherPortOfCard(draft, guid, record);
  if (sister !== undefined) {
    const port = draft.port(sister, record.number);
    draft.setPortGuid(port, guid);
    return port;
  }
  const node = draft.node(guid, kind);
  node.description = record.description ?? "";
  node.discovered = true;
  const port = draft.port(node, record.number);
  if (kind !== "switch") {
    // Adapters are named by port GUID here: it stands for the node GUID, which this tool does not print.
    draft.setPortGuid(port, guid);
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
    const other = draft.portsByGuid.get(guidFromBigint(guidToBigint(guid) + BigInt(number - record.number)));
    if (
      other?.number === number &&
      other.node.description === record.description &&
      other.node.ports.get(record.number) === undefined
    ) {
      return other.node;
    }
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
  const node = draft.node(guid, isSwitch ? "switch" : kindOf("ca", peer.description));
  node.description = node.description === "" ? peer.description : node.description;
  node.lid = knownLid(peer.lid);
  const port = draft.port(node, peer.number);
  if (!isSwitch) port.lid = knownLid(peer.lid);
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
  readonly ports: Map<number, PortDraft>;
}

function indexLids(draft: FabricDraft): Lids {
  const lids: Lids = { nodes: new Map(), ports: new Map() };
  for (const node of draft.nodes.values()) {
    if (node.kind === "switch" && node.lid !== 0) lids.nodes.set(node.lid, node);
    for (const port of node.ports.values())
      if (node.kind !== "switch" && port.lid !== 0) lids.ports.set(port.lid, port);
  }
  return lids;
}

function peerOf(draft: FabricDraft, record: LinkinfoPort, lids: Lids): { node: NodeDraft; number: number } | undefined {
  const { peer } = record;
  if (peer === undefined) return undefined;
  if (peer.guid !== undefined) {
    const node = draft.nodes.get(peer.guid);
    if (node !== undefined) return { node, number: peer.number };
    const port = draft.portsByGuid.get(peer.guid);
    if (port !== undefined) return { node: port.node, number: peer.number };
  }
  const bySwitchLid = lids.nodes.get(peer.lid);
  if (bySwitchLid !== undefined) return { node: bySwitchLid, number: peer.number };
  const byPortLid = lids.ports.get(peer.lid);
  return byPortLid === undefined ? undefined : { node: byPortLid.node, number: peer.number };
}

function takeFacts(port: PortDraft, record: LinkinfoPort, remarks: DiagnosticList, name: string): void {
  port.linkinfoLine = record.line;
  port.state = record.state;
  port.phys = record.phys;
  port.couldBeLanes = record.couldBeLanes;
  port.couldBeSpeed = record.couldBeSpeed;
  if (port.node.kind === "switch") {
    if (port.node.lid === 0) port.node.lid = knownLid(record.lid);
  } else if (port.lid === 0) {
    port.lid = knownLid(record.lid);
    if (port.node.lid === 0) port.node.lid = port.lid;
  }
  const lanes = record.lanes ?? 0;
  const speed = record.speed ?? 0;
  if (lanes === 0 && speed === 0) return;
  const differs =
    (lanes !== 0 && port.lanes !== 0 && lanes !== port.lanes) ||
    (speed !== 0 && port.speed !== 0 && speed !== port.speed);
  if (differs) {
    remarks.add({
      severity: "warning",
      code: "tools-disagree",
      line: record.line,
      message: `${name} runs ${formatRate(port.lanes, port.speed)} by ibnetdiscover and ${formatRate(lanes, speed)} by iblinkinfo: it changed between the two. The later, iblinkinfo's, is shown.`,
    });
  }
  if (lanes !== 0) port.lanes = lanes;
  if (speed !== 0) port.speed = speed;
}

/** Adds iblinkinfo's records: states, hints, down ports; whole nodes and cables where ibnetdiscover is missing. */
export function mergeLinkinfo(draft: FabricDraft, input: LinkinfoRecords, remarks: DiagnosticList): void {
  const alone = draft.nodes.size === 0;
  const records = alone ? guessKinds(input) : input;
  const placed: { record: LinkinfoPort; port: PortDraft }[] = [];
  for (const record of records.ports) {
    const port = ownPort(draft, record, remarks);
    if (port === undefined) continue;
    const { node } = port;
    if (node.description === "" && record.description !== undefined) node.description = record.description;
    takeFacts(
      port,
      record,
      remarks,
      `${node.description === "" ? `0x${node.guid}` : node.description}, port ${port.number},`,
    );
    placed.push({ record, port });
  }
  const lids = indexLids(draft);
  const mentions = new Map<number, number>();
  for (const { peer } of records.ports)
    if (peer !== undefined) mentions.set(peer.lid, (mentions.get(peer.lid) ?? 0) + 1);
  for (const { record, port } of placed) {
    let peer = peerOf(draft, record, lids);
    if (peer === undefined && alone && record.peer !== undefined) {
      const node = namelessPeer(draft, record, mentions);
      peer = node === undefined ? undefined : { node, number: record.peer.number };
      if (peer !== undefined && record.peer.guid === undefined) {
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
    if (peer === undefined) continue;
    if (port.peer === undefined) {
      const far = draft.port(peer.node, peer.number);
      port.peer = far;
      if (peer.node.description === "" && record.peer !== undefined) peer.node.description = record.peer.description;
      if (record.peer?.guid !== undefined && peer.node.kind !== "switch") draft.setPortGuid(far, record.peer.guid);
      if (!alone) {
        remarks.add({
          severity: "note",
          code: "only-in-iblinkinfo",
          line: record.line,
          message: `The cable at ${placeOf(port)} is in iblinkinfo and not in ibnetdiscover: it came up between the two.`,
        });
      }
    } else if (port.peer.node !== peer.node || port.peer.number !== peer.number) {
      remarks.add({
        severity: "warning",
        code: "tools-disagree",
        line: record.line,
        message: `The cable at ${placeOf(port)} leads to ${port.peer.node.description}:${port.peer.number} by ibnetdiscover and to ${peer.node.description}:${peer.number} by iblinkinfo. ibnetdiscover's is shown.`,
      });
    }
  }
}

function placeOf(port: PortDraft): string {
  return `${port.node.description}, port ${port.number}`;
}
