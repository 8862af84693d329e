/** ibnetdiscover's records as plain objects with their GUIDs written out, and back: columns are no reading for people. */
import type { Guid } from "../../shared/base/guid.ts";
import { GuidTable } from "../../shared/base/guid-table.ts";
import { DiscoverPorts, emptyPortLine } from "../../shared/parse/discover-ports.ts";
import { type DiscoverNode, type DiscoverRecords, type RecordKind, recordKinds } from "../../shared/parse/records.ts";

export interface PlainPort {
  readonly number: number;
  readonly peerKind: RecordKind;
  readonly peerGuid: Guid;
  readonly peerPort: number;
  readonly peerDescription: string;
  readonly peerLid: number;
  readonly lanes: number;
  readonly speed: number;
  readonly line: number;
  readonly guid?: Guid | undefined;
  readonly peerPortGuid?: Guid | undefined;
  readonly external?: number | undefined;
  readonly peerExternal?: number | undefined;
  readonly lid?: number | undefined;
  readonly lmc?: number | undefined;
}

export interface PlainNode {
  readonly vendorId?: number | undefined;
  readonly deviceId?: number | undefined;
  readonly systemGuid?: Guid | undefined;
  readonly chassis?: string | undefined;
  readonly portGuid?: Guid | undefined;
  readonly kind: RecordKind;
  readonly guid: Guid;
  readonly declaredPorts: number;
  readonly description: string;
  readonly lid?: number | undefined;
  readonly lmc?: number | undefined;
  readonly enhancedPort0?: boolean | undefined;
  readonly line: number;
  readonly ports: readonly PlainPort[];
}

export function plainNodes({ guids, nodes, ports }: DiscoverRecords): readonly PlainNode[] {
  return nodes.map((node) => ({
    vendorId: node.vendorId,
    deviceId: node.deviceId,
    systemGuid: guidOf(guids, node.systemGuid),
    chassis: node.chassis,
    portGuid: guidOf(guids, node.portGuid),
    kind: node.kind,
    guid: guids.guidOf(node.guid),
    declaredPorts: node.declaredPorts,
    description: node.description,
    lid: node.lid,
    lmc: node.lmc,
    enhancedPort0: node.enhancedPort0,
    line: node.line,
    ports: Array.from({ length: node.endPort - node.firstPort }, (_, i) => plainPort(guids, ports, node.firstPort + i)),
  }));
}

function plainPort(guids: GuidTable, ports: DiscoverPorts, row: number): PlainPort {
  const lmc = ports.lmc[row] ?? -1;
  return {
    number: ports.number[row] ?? -1,
    peerKind: recordKinds[ports.peerKind[row] ?? -1] ?? "ca",
    peerGuid: guids.guidOf(ports.peerGuid[row] ?? -1),
    peerPort: ports.peerPort[row] ?? -1,
    peerDescription: ports.peerDescription[row] ?? "?",
    peerLid: ports.peerLid[row] ?? -1,
    lanes: ports.lanes[row] ?? -1,
    speed: ports.speed[row] ?? -1,
    line: ports.line[row] ?? -1,
    guid: guidOf(guids, ports.guid[row] ?? -1),
    peerPortGuid: guidOf(guids, ports.peerPortGuid[row] ?? -1),
    external: ports.external.get(row),
    peerExternal: ports.peerExternal.get(row),
    lid: lmc < 0 ? undefined : ports.lid[row],
    lmc: lmc < 0 ? undefined : lmc,
  };
}

function guidOf(guids: GuidTable, number: number): Guid | undefined {
  return number < 0 ? undefined : guids.guidOf(number);
}

/** Records with all their GUIDs and ports written out, for comparing and printing. */
export function plainRecords(records: DiscoverRecords) {
  const { generatedOn, initiatedFrom, complete } = records;
  return {
    nodes: plainNodes(records),
    ...(generatedOn === undefined ? {} : { generatedOn }),
    ...(initiatedFrom === undefined ? {} : { initiatedFrom }),
    complete,
  };
}

/** Whole records of made nodes. */
export function recordsOf(plain: readonly PlainNode[]): DiscoverRecords {
  const guids = new GuidTable();
  const ports = new DiscoverPorts(0);
  const numberOf = (guid: Guid | undefined): number => (guid === undefined ? -1 : guids.addGuid(guid));
  const nodes = plain.map((node): DiscoverNode => {
    const firstPort = ports.count;
    for (const port of node.ports) {
      ports.add({
        ...emptyPortLine(),
        ...port,
        guid: numberOf(port.guid),
        peerKind: recordKinds.indexOf(port.peerKind),
        peerGuid: numberOf(port.peerGuid),
        peerPortGuid: numberOf(port.peerPortGuid),
        external: port.external ?? -1,
        peerExternal: port.peerExternal ?? -1,
        lid: port.lid ?? -1,
        lmc: port.lmc ?? -1,
      });
    }
    return {
      kind: node.kind,
      guid: numberOf(node.guid),
      systemGuid: numberOf(node.systemGuid),
      portGuid: numberOf(node.portGuid),
      vendorId: node.vendorId,
      deviceId: node.deviceId,
      declaredPorts: node.declaredPorts,
      description: node.description,
      lid: node.lid,
      lmc: node.lmc,
      enhancedPort0: node.enhancedPort0,
      chassis: node.chassis,
      firstPort,
      endPort: ports.count,
      line: node.line,
    };
  });
  return { guids, nodes, ports, complete: true };
}
