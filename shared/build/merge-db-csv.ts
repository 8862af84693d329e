import type { Guid } from "../base/guid.ts";
import type { DbCsvRecords } from "../parse/db-csv.ts";
import type { DbPort } from "../parse/db-csv-rows.ts";
import type { DiagnosticList } from "../parse/diagnostic.ts";
import { type FabricDraft, knownLid, type NodeDraft } from "./draft.ts";
import { noPort, type PortDraft } from "./draft-ports.ts";
import { kindOf } from "./merge-discover.ts";

/**
 * Adds ibdiagnet's view. `whole`: it is the topology; otherwise another tool's topology stands and only what that does
 * not tell is filled in (port states, what both ends support). O(rows).
 */
export function mergeDbCsv(draft: FabricDraft, records: DbCsvRecords, whole: boolean, remarks: DiagnosticList): void {
  if (whole) addNodes(draft, records);
  const { ports } = draft;
  const told = new Map<PortDraft, DbPort>();
  for (const record of records.ports) {
    const node = draft.find(record.node);
    if (node === undefined) {
      if (whole) unknownNode(remarks, record.line, "PORTS");
      continue;
    }
    if (record.number === 0) {
      if (node.lid === 0) node.lid = knownLid(record.lid);
      if (whole) node.lmc = record.lmc;
      if (node.portZeroGuid < 0) node.portZeroGuid = numberOf(draft, record.guid);
      continue;
    }
    const port = whole ? draft.port(node, record.number) : ports.find(node, record.number);
    if (port === noPort) continue;
    if (whole) takePort(draft, node, port, record);
    if (ports.state[port] === 0) ports.state[port] = record.state;
    if (ports.phys[port] === 0) ports.phys[port] = record.phys;
    told.set(port, record);
  }
  if (whole) addLinks(draft, records, remarks);
  else compareLinks(draft, records, remarks);
  for (const [port, record] of told) hint(draft, port, record, told);
}

function numberOf(draft: FabricDraft, guid: Guid | undefined): number {
  return guid === undefined ? -1 : draft.guids.addGuid(guid);
}

function addNodes(draft: FabricDraft, records: DbCsvRecords): void {
  for (const record of records.nodes) {
    const kind = kindOf(record.kind, record.description, record.deviceId);
    const node = draft.node(draft.guids.addGuid(record.guid), kind);
    node.discovered = true;
    node.description = record.description;
    node.systemGuid = numberOf(draft, record.systemGuid);
    node.declaredPorts = record.declaredPorts;
    node.vendorId = record.vendorId ?? 0;
    node.deviceId = record.deviceId ?? 0;
    if (record.kind === "switch") node.portZeroGuid = numberOf(draft, record.portGuid);
  }
}

function takePort(draft: FabricDraft, node: NodeDraft, port: PortDraft, record: DbPort): void {
  const { ports } = draft;
  ports.lanes[port] = record.lanes;
  ports.speed[port] = record.speed;
  if (node.kind === "switch") return;
  if (record.guid !== undefined) draft.setPortGuid(port, draft.guids.addGuid(record.guid));
  const lid = knownLid(record.lid);
  ports.lid[port] = lid;
  ports.lmc[port] = record.lmc;
  if (node.lid === 0) node.lid = lid;
}

function addLinks(draft: FabricDraft, records: DbCsvRecords, remarks: DiagnosticList): void {
  const { peer } = draft.ports;
  for (const { a, aPort, b, bPort, line } of records.links) {
    const [nodeA, nodeB] = [draft.find(a), draft.find(b)];
    if (nodeA === undefined || nodeB === undefined) {
      unknownNode(remarks, line, "LINKS");
      continue;
    }
    // Port 0 is inside a switch: no cable leads to it.
    if (aPort === 0 || bPort === 0) continue;
    const [portA, portB] = [draft.port(nodeA, aPort), draft.port(nodeB, bPort)];
    peer[portA] = portB;
    if (peer[portB] === noPort) peer[portB] = portA;
  }
}

/** Another tool's cables stand; what ibdiagnet saw otherwise is said: the fabric changed between the two. */
function compareLinks(draft: FabricDraft, records: DbCsvRecords, remarks: DiagnosticList): void {
  const { ports } = draft;
  const portOf = (node: NodeDraft | undefined, number: number): PortDraft =>
    node === undefined ? noPort : ports.find(node, number);
  const peerOf = (port: PortDraft): PortDraft => ports.peer[port] ?? noPort;
  const place = (node: NodeDraft | undefined, guid: string, port: number): string =>
    `${node === undefined || node.description === "" ? `0x${guid}` : node.description}, port ${port}`;
  for (const { a, aPort, b, bPort, line } of records.links) {
    const [nodeA, nodeB] = [draft.find(a), draft.find(b)];
    const [portA, portB] = [portOf(nodeA, aPort), portOf(nodeB, bPort)];
    const [peerA, peerB] = [peerOf(portA), peerOf(portB)];
    const same = (peerA !== noPort && peerA === portB) || (peerB !== noPort && peerB === portA);
    if (same || aPort === 0 || bPort === 0) continue;
    const known = peerA === noPort ? peerB : peerA;
    const otherwise = (): string => {
      if (known === noPort) return "the other outputs do not have it";
      const node = draft.nodeOfPort(known);
      const own = peerA === noPort ? place(nodeB, b, bPort) : place(nodeA, a, aPort);
      return `the other outputs have ${own} cabled to ${place(node, draft.guidOf(node), draft.numberOfPort(known))}`;
    };
    remarks.add({
      severity: "warning",
      code: "sources-disagree",
      line,
      message: `ibdiagnet saw a cable from ${place(nodeA, a, aPort)} to ${place(nodeB, b, bPort)}; ${otherwise()}. The fabric changed between the two; the other outputs are shown.`,
    });
  }
}

function unknownNode(remarks: DiagnosticList, line: number, section: string): void {
  remarks.add({
    severity: "warning",
    code: "node-unknown",
    line,
    message: `A row of ${section} names a node that section NODES does not have; it was left out. The file is incomplete, or the fabric changed while it was read.`,
  });
}

/** What both ends support, where it is more than what the link runs at: as iblinkinfo's "Could be". */
function hint(draft: FabricDraft, port: PortDraft, own: DbPort, told: ReadonlyMap<PortDraft, DbPort>): void {
  const { couldBeLanes, couldBeSpeed, lanes, speed, peer } = draft.ports;
  if ((couldBeLanes[port] ?? 0) > 0 || (couldBeSpeed[port] ?? 0) > 0) return;
  const other = told.get(peer[port] ?? noPort);
  if (other === undefined) return;
  const canLanes = Math.min(own.canLanes, other.canLanes);
  const canSpeed = Math.min(own.canSpeed, other.canSpeed);
  const [nowLanes, nowSpeed] = [lanes[port] ?? 0, speed[port] ?? 0];
  if (nowLanes > 0 && canLanes > nowLanes) couldBeLanes[port] = canLanes;
  if (nowSpeed > 0 && canSpeed > nowSpeed) couldBeSpeed[port] = canSpeed;
}
