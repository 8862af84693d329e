import type { DbCsvRecords } from "../parse/db-csv.ts";
import type { DbPort } from "../parse/db-csv-rows.ts";
import type { DiagnosticList } from "../parse/diagnostic.ts";
import { type FabricDraft, knownLid, type PortDraft } from "./draft.ts";
import { kindOf } from "./merge-discover.ts";

/**
 * Adds ibdiagnet's view. `whole`: it is the topology; otherwise another tool's topology stands and only what that does
 * not tell is filled in (port states, what both ends support). O(rows).
 */
export function mergeDbCsv(draft: FabricDraft, records: DbCsvRecords, whole: boolean, remarks: DiagnosticList): void {
  if (whole) addNodes(draft, records);
  const told = new Map<PortDraft, DbPort>();
  for (const record of records.ports) {
    const node = draft.nodes.get(record.node);
    if (node === undefined) {
      if (whole) unknownNode(remarks, record.line, "PORTS");
      continue;
    }
    if (record.number === 0) {
      if (node.lid === 0) node.lid = knownLid(record.lid);
      if (whole) node.lmc = record.lmc;
      node.portZeroGuid ??= record.guid;
      continue;
    }
    const port = whole ? draft.port(node, record.number) : node.ports.get(record.number);
    if (port === undefined) continue;
    if (whole) takePort(draft, port, record);
    if (port.state === 0) port.state = record.state;
    if (port.phys === 0) port.phys = record.phys;
    told.set(port, record);
  }
  if (whole) addLinks(draft, records, remarks);
  else compareLinks(draft, records, remarks);
  for (const [port, record] of told) hint(draft, port, record, told);
}

function addNodes(draft: FabricDraft, records: DbCsvRecords): void {
  for (const record of records.nodes) {
    const node = draft.node(record.guid, kindOf(record.kind, record.description, record.deviceId));
    node.discovered = true;
    node.description = record.description;
    node.systemGuid = record.systemGuid;
    node.declaredPorts = record.declaredPorts;
    node.vendorId = record.vendorId ?? 0;
    node.deviceId = record.deviceId ?? 0;
    if (record.kind === "switch") node.portZeroGuid = record.portGuid;
  }
}

function takePort(draft: FabricDraft, port: PortDraft, record: DbPort): void {
  port.lanes = record.lanes;
  port.speed = record.speed;
  if (port.node.kind === "switch") return;
  if (record.guid !== undefined) draft.setPortGuid(port, record.guid);
  port.lid = knownLid(record.lid);
  port.lmc = record.lmc;
  if (port.node.lid === 0) port.node.lid = port.lid;
}

function addLinks(draft: FabricDraft, records: DbCsvRecords, remarks: DiagnosticList): void {
  for (const { a, aPort, b, bPort, line } of records.links) {
    const [nodeA, nodeB] = [draft.nodes.get(a), draft.nodes.get(b)];
    if (nodeA === undefined || nodeB === undefined) {
      unknownNode(remarks, line, "LINKS");
      continue;
    }
    // Port 0 is inside a switch: no cable leads to it.
    if (aPort === 0 || bPort === 0) continue;
    const [portA, portB] = [draft.port(nodeA, aPort), draft.port(nodeB, bPort)];
    portA.peer = portB;
    portB.peer ??= portA;
  }
}

/** Another tool's cables stand; what ibdiagnet saw otherwise is said: the fabric changed between the two. */
function compareLinks(draft: FabricDraft, records: DbCsvRecords, remarks: DiagnosticList): void {
  for (const { a, aPort, b, bPort, line } of records.links) {
    const [nodeA, nodeB] = [draft.nodes.get(a), draft.nodes.get(b)];
    const [portA, portB] = [nodeA?.ports.get(aPort), nodeB?.ports.get(bPort)];
    const known = portA?.peer ?? portB?.peer;
    const same =
      (portA?.peer?.node === nodeB && portA?.peer?.number === bPort) ||
      (portB?.peer?.node === nodeA && portB?.peer?.number === aPort);
    if (same || aPort === 0 || bPort === 0) continue;
    const place = (node: typeof nodeA, guid: string, port: number): string =>
      `${node === undefined || node.description === "" ? `0x${guid}` : node.description}, port ${port}`;
    remarks.add({
      severity: "warning",
      code: "sources-disagree",
      line,
      message: `ibdiagnet saw a cable from ${place(nodeA, a, aPort)} to ${place(nodeB, b, bPort)}; ${known === undefined ? "the other outputs do not have it" : `the other outputs have ${portA?.peer === undefined ? place(nodeB, b, bPort) : place(nodeA, a, aPort)} cabled to ${place(known.node, known.node.guid, known.number)}`}. The fabric changed between the two; the other outputs are shown.`,
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
  if (port.peer === undefined || port.couldBeLanes > 0 || port.couldBeSpeed > 0) return;
  const other = told.get(port.peer);
  if (other === undefined || !draft.nodes.has(own.node)) return;
  const lanes = Math.min(own.canLanes, other.canLanes);
  const speed = Math.min(own.canSpeed, other.canSpeed);
  if (port.lanes > 0 && lanes > port.lanes) port.couldBeLanes = lanes;
  if (port.speed > 0 && speed > port.speed) port.couldBeSpeed = speed;
}
