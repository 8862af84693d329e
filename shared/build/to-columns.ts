/** Merged nodes, ports and cables → the columns of a Fabric. Loops read and write columns in place, see fabric/access.ts. */
import { GuidColumn } from "../base/guid.ts";
import type { GuidTable } from "../base/guid-table.ts";
import { limits } from "../base/limits.ts";
import { type Fabric, nodeKinds, none } from "../fabric/model.ts";
import { shortName } from "../parse/names.ts";
import type { FabricDraft, NodeDraft } from "./draft.ts";
import { noPort } from "./draft-ports.ts";
import { compareNatural, type HostDraft } from "./group-hosts.ts";
import type { Cables } from "./join-cables.ts";

const [switchCode, routerCode, hcaCode] = [
  nodeKinds.indexOf("switch"),
  nodeKinds.indexOf("router"),
  nodeKinds.indexOf("hca"),
];

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

/** @param nodes in the order of their indices */
export function toColumns(
  draft: FabricDraft,
  nodes: readonly NodeDraft[],
  cables: Cables,
  hosts: readonly HostDraft[],
): Pick<Fabric, "strings" | "nodes" | "ports" | "links" | "hosts"> {
  const table = new StringTable();
  nameNodes(draft, nodes, hosts);
  const nodeColumns = columnsOfNodes(draft.guids, nodes, table);
  const rows = rowsInOrder(draft, nodes, nodeColumns.portStart);
  const portColumns = columnsOfPorts(draft, nodeColumns.portStart, rows);
  const links = linksOf(draft, rows, cables, portColumns, nodes);
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

function columnsOfNodes(guids: GuidTable, nodes: readonly NodeDraft[], table: StringTable): Fabric["nodes"] {
  const n = nodes.length;
  const ownGuids = new GuidColumn(n);
  const systemGuids = new GuidColumn(n);
  const columns = {
    count: n,
    kind: new Uint8Array(n),
    guid: ownGuids.values,
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
  let i = 0;
  for (const node of nodes) {
    columns.kind[i] = nodeKinds.indexOf(node.kind);
    ownGuids.set(i, guids.high(node.guid), guids.low(node.guid));
    if (node.systemGuid >= 0) systemGuids.set(i, guids.high(node.systemGuid), guids.low(node.systemGuid));
    columns.description[i] = table.id(node.description);
    columns.label[i] = table.id(node.label);
    columns.declaredPorts[i] = node.declaredPorts;
    columns.lid[i] = node.lid;
    columns.lmc[i] = node.lmc;
    columns.vendorId[i] = node.vendorId;
    columns.deviceId[i] = node.deviceId;
    columns.discovered[i] = node.discovered ? 1 : 0;
    i += 1;
    columns.portStart[i] = (columns.portStart[i - 1] ?? 0) + node.portCount;
  }
  return columns;
}

/** The draft's row of each port, by node and rising number. */
function rowsInOrder({ ports }: FabricDraft, nodes: readonly NodeDraft[], portStart: Uint32Array): Int32Array {
  const rows = new Int32Array(portStart[nodes.length] ?? 0);
  const rowOfNumber = new Int32Array(limits.portNumber + 1).fill(noPort);
  let next = 0;
  for (const node of nodes) {
    const begin = next;
    let highest = -1;
    let isInOrder = true;
    for (let row = node.firstPort; row !== noPort; row = ports.following(row)) {
      const number = ports.number[row] ?? 0;
      if (number < highest) isInOrder = false;
      else highest = number;
      rows[next] = row;
      next += 1;
    }
    if (isInOrder) continue;
    // The numbers of a node's ports are bytes, and each is there once: they are put into their places and read out again.
    for (let i = begin; i < next; i += 1) {
      const row = rows[i] ?? noPort;
      rowOfNumber[ports.number[row] ?? 0] = row;
    }
    next = begin;
    for (let number = 0; number <= highest; number += 1) {
      const row = rowOfNumber[number] ?? noPort;
      if (row === noPort) continue;
      rowOfNumber[number] = noPort;
      rows[next] = row;
      next += 1;
    }
  }
  return rows;
}

/** @param rows the draft's row of each port */
function columnsOfPorts(
  { ports, guids }: FabricDraft,
  portStart: Uint32Array,
  rows: Int32Array,
): Omit<Fabric["ports"], "link"> & { readonly link: Uint32Array } {
  const count = rows.length;
  const portGuids = new GuidColumn(count);
  const node = new Uint32Array(count);
  const number = new Uint8Array(count);
  const lid = new Uint16Array(count);
  const discoverLine = new Uint32Array(count);
  const linkinfoLine = new Uint32Array(count);
  for (let own = 0; own + 1 < portStart.length; own += 1) node.fill(own, portStart[own], portStart[own + 1]);
  for (let i = 0; i < count; i += 1) {
    const row = rows[i] ?? 0;
    const guid = ports.guid[row] ?? -1;
    number[i] = ports.number[row] ?? 0;
    if (guid >= 0) portGuids.set(i, guids.high(guid), guids.low(guid));
    lid[i] = ports.lid[row] ?? 0;
    discoverLine[i] = ports.discoverLine[row] ?? 0;
    linkinfoLine[i] = ports.linkinfoLine[row] ?? 0;
  }
  return {
    count,
    node,
    number,
    guid: portGuids.values,
    lid,
    lmc: bytesOf(ports.lmc, rows),
    state: bytesOf(ports.state, rows),
    phys: bytesOf(ports.phys, rows),
    lanes: bytesOf(ports.lanes, rows),
    speed: bytesOf(ports.speed, rows),
    couldBeLanes: bytesOf(ports.couldBeLanes, rows),
    couldBeSpeed: bytesOf(ports.couldBeSpeed, rows),
    link: new Uint32Array(count).fill(none),
    discoverLine,
    linkinfoLine,
  };
}

/** A draft's column in the order of the ports. Most columns are bytes: this is compiled once for all of them. */
function bytesOf(column: Uint8Array, rows: Int32Array): Uint8Array {
  const bytes = new Uint8Array(rows.length);
  for (let i = 0; i < bytes.length; i += 1) bytes[i] = column[rows[i] ?? 0] ?? 0;
  return bytes;
}

/** Links by their end A. Fills in the column of links of the ports. */
function linksOf(
  draft: FabricDraft,
  rows: Int32Array,
  cables: Cables,
  ports: ReturnType<typeof columnsOfPorts>,
  nodes: readonly NodeDraft[],
): Fabric["links"] {
  const count = cables.a.length;
  const portOfRow = new Uint32Array(draft.ports.count);
  for (let port = 0; port < rows.length; port += 1) portOfRow[rows[port] ?? 0] = port;
  const endX = new Uint32Array(count);
  const endY = new Uint32Array(count);
  for (let cable = 0; cable < count; cable += 1) {
    endX[cable] = portOfRow[cables.a[cable] ?? 0] ?? 0;
    endY[cable] = portOfRow[cables.b[cable] ?? 0] ?? 0;
  }
  const rank = ranksOf(nodes, ports.node, endX, endY);
  // By end A: a port has one cable at most, so that no sorting is needed.
  const farEnd = new Uint32Array(ports.count).fill(none);
  for (let cable = 0; cable < count; cable += 1) {
    const x = endX[cable] ?? 0;
    const y = endY[cable] ?? 0;
    const nodeX = ports.node[x] ?? 0;
    const nodeY = ports.node[y] ?? 0;
    const difference =
      (rank[nodeX] ?? 0) - (rank[nodeY] ?? 0) ||
      compareNatural(nodes[nodeX]?.description ?? "", nodes[nodeY]?.description ?? "") ||
      x - y;
    if (difference <= 0) farEnd[x] = y;
    else farEnd[y] = x;
  }
  const links = { count, a: new Uint32Array(count), b: new Uint32Array(count) };
  let link = 0;
  for (let a = 0; a < ports.count; a += 1) {
    const b = farEnd[a] ?? none;
    if (b === none) continue;
    links.a[link] = a;
    links.b[link] = b;
    ports.link[a] = link;
    ports.link[b] = link;
    link += 1;
  }
  return links;
}

/**
 * Decides which end of a link is A, the lower: 0 for switches with adapters below, rising with the distance from those,
 * -1 for those that have no way to an adapter, then routers, then all else.
 */
function ranksOf(
  nodes: readonly NodeDraft[],
  nodeOfPort: Uint32Array,
  endX: Uint32Array,
  endY: Uint32Array,
): Int32Array {
  const kind = Uint8Array.from(nodes, (node) => nodeKinds.indexOf(node.kind));
  const rank = new Int32Array(nodes.length);
  for (let node = 0; node < rank.length; node += 1)
    rank[node] = kind[node] === switchCode ? -1 : kind[node] === routerCode ? 1000 : 2000;
  let wave: number[] = [];
  const start = new Uint32Array(nodes.length + 1);
  for (let cable = 0; cable < endX.length; cable += 1) {
    const x = nodeOfPort[endX[cable] ?? 0] ?? 0;
    const y = nodeOfPort[endY[cable] ?? 0] ?? 0;
    if (kind[x] === switchCode && kind[y] === switchCode) {
      start[x + 1] = (start[x + 1] ?? 0) + 1;
      start[y + 1] = (start[y + 1] ?? 0) + 1;
      continue;
    }
    const isLeafX = kind[x] === switchCode && kind[y] === hcaCode;
    const isLeafY = kind[y] === switchCode && kind[x] === hcaCode;
    const leaf = isLeafX ? x : y;
    if (!(isLeafX || isLeafY) || rank[leaf] === 0) continue;
    rank[leaf] = 0;
    wave.push(leaf);
  }
  for (let node = 0; node < nodes.length; node += 1) start[node + 1] = (start[node + 1] ?? 0) + (start[node] ?? 0);
  const neighbour = new Uint32Array(start[nodes.length] ?? 0);
  const next = start.slice();
  for (let cable = 0; cable < endX.length; cable += 1) {
    const x = nodeOfPort[endX[cable] ?? 0] ?? 0;
    const y = nodeOfPort[endY[cable] ?? 0] ?? 0;
    if (kind[x] !== switchCode || kind[y] !== switchCode) continue;
    const i = next[x] ?? 0;
    neighbour[i] = y;
    next[x] = i + 1;
    const j = next[y] ?? 0;
    neighbour[j] = x;
    next[y] = j + 1;
  }
  for (let level = 1; wave.length > 0; level += 1) {
    const following: number[] = [];
    for (const node of wave) {
      for (let i = start[node] ?? 0; i < (start[node + 1] ?? 0); i += 1) {
        const other = neighbour[i] ?? 0;
        if (rank[other] !== -1) continue;
        rank[other] = level;
        following.push(other);
      }
    }
    wave = following;
  }
  return rank;
}

/** A host with one adapter goes by the host's name, one of several by its description; switches of one name get part of their GUID. */
function nameNodes(draft: FabricDraft, nodes: readonly NodeDraft[], hosts: readonly HostDraft[]): void {
  for (const host of hosts) {
    if (host.adapters.length === 1) host.first.label = host.name;
  }
  const times = new Map<string, number>();
  for (const node of nodes) {
    if (node.label === "") node.label = shortName(node.description);
    if (node.kind === "switch") times.set(node.label, (times.get(node.label) ?? 0) + 1);
  }
  for (const node of nodes) {
    // Unmanaged switches all bear the same factory name: the end of the GUID tells them apart.
    if (node.kind === "switch" && node.label !== "" && (times.get(node.label) ?? 0) > 1)
      node.label = `${node.label} ${draft.guidOf(node).slice(-6)}`;
  }
}
