/** Reading a Fabric: names, identities and neighbours by index. All O(1) or O(ports of one node). */
import { formatGuid, guidFromBigint } from "../base/guid.ts";
import { assert } from "../base/assert.ts";
import { lowerKnown } from "../base/statistics.ts";
import { dataRateGbps } from "./rates.ts";
import { type Fabric, type LinkId, type NodeKind, none, nodeKinds, physStates, portStates } from "./model.ts";

/**
 * Column value at an index that the caller knows to be inside; a BugError otherwise. Columns of all kinds come through
 * here, so it is compiled for none: loops over all links of a picture read `column[index] ?? 0` in place instead, which
 * took two fifths off the view graph of 50,000 links.
 */
export function at(column: { readonly [index: number]: number; readonly length: number }, index: number): number {
  const value = column[index];
  // The message is made only when it is needed: this is the most called function of all.
  if (value === undefined) assert(false, `index ${index} outside a column of ${column.length}`);
  return value;
}

function text(fabric: Fabric, id: number): string {
  return fabric.strings[id] ?? "";
}

export function nodeKind(fabric: Fabric, node: number): NodeKind {
  return nodeKinds[at(fabric.nodes.kind, node)] ?? "hca";
}

/** Node description as printed by the tools. */
export function nodeDescription(fabric: Fabric, node: number): string {
  return text(fabric, at(fabric.nodes.description, node));
}

/** Short name for labels; the GUID when the node has no description. */
export function nodeName(fabric: Fabric, node: number): string {
  const label = text(fabric, at(fabric.nodes.label, node));
  return label === "" ? nodeGuid(fabric, node) : label;
}

/** `0x` + 16 digits. */
export function nodeGuid(fabric: Fabric, node: number): string {
  return formatGuid(guidFromBigint(fabric.nodes.guid[node] ?? 0n));
}

/** `0x` + 16 digits; empty when not known. */
export function portGuid(fabric: Fabric, port: number): string {
  const guid = fabric.ports.guid[port] ?? 0n;
  return guid === 0n ? "" : formatGuid(guidFromBigint(guid));
}

/** Port indices of a node, by rising port number. */
export function portsOfNode(fabric: Fabric, node: number): readonly number[] {
  const first = at(fabric.nodes.portStart, node);
  const end = at(fabric.nodes.portStart, node + 1);
  const ports: number[] = [];
  for (let port = first; port < end; port += 1) ports.push(port);
  return ports;
}

/** Index of a node's port by its number; undefined when the capture does not know that port. */
export function portByNumber(fabric: Fabric, node: number, number: number): number | undefined {
  let low = at(fabric.nodes.portStart, node);
  let high = at(fabric.nodes.portStart, node + 1) - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const value = at(fabric.ports.number, middle);
    if (value === number) return middle;
    if (value < number) low = middle + 1;
    else high = middle - 1;
  }
  return undefined;
}

/** `leaf-03:38`. */
export function portName(fabric: Fabric, port: number): string {
  return `${nodeName(fabric, at(fabric.ports.node, port))}:${at(fabric.ports.number, port)}`;
}

/** The other end of a port's cable; undefined when it has none. */
export function peerPort(fabric: Fabric, port: number): number | undefined {
  const link = at(fabric.ports.link, port);
  if (link === none) return undefined;
  const a = at(fabric.links.a, link);
  return a === port ? at(fabric.links.b, link) : a;
}

/** `leaf-03:38 to spine-6:3`. */
export function linkName(fabric: Fabric, link: number): string {
  return `${portName(fabric, at(fabric.links.a, link))} to ${portName(fabric, at(fabric.links.b, link))}`;
}

/** Identity of a port across captures: node GUID, `:`, port number. */
export function portId(fabric: Fabric, port: number): LinkId {
  return `${nodeGuid(fabric, at(fabric.ports.node, port)) as `0x${string}`}:${at(fabric.ports.number, port)}`;
}

/** Identity of a link: its end A. */
export function linkId(fabric: Fabric, link: number): LinkId {
  return portId(fabric, at(fabric.links.a, link));
}

/** Finds a port by its identity, `0x<node GUID>:<port>`; undefined when this fabric has none. O(nodes). */
export function findPort(fabric: Fabric, id: string): number | undefined {
  const hit = /^(?:0x)?([0-9a-f]{1,16}):(\d{1,3})$/i.exec(id);
  if (hit?.[1] === undefined || hit[2] === undefined) return undefined;
  const guid = BigInt(`0x${hit[1]}`);
  const node = fabric.nodes.guid.indexOf(guid);
  return node < 0 ? undefined : portByNumber(fabric, node, Number(hit[2]));
}

/** Finds a link by the identity of either end; undefined when this fabric has none there. O(nodes). */
export function findLink(fabric: Fabric, id: string): number | undefined {
  const port = findPort(fabric, id);
  if (port === undefined) return undefined;
  const link = at(fabric.ports.link, port);
  return link === none ? undefined : link;
}

export function portState(fabric: Fabric, port: number): (typeof portStates)[number] {
  return portStates[at(fabric.ports.state, port)] ?? "unknown";
}

export function physState(fabric: Fabric, port: number): (typeof physStates)[number] {
  return physStates[at(fabric.ports.phys, port)] ?? "unknown";
}

/** Data rate of one port in Gb/s, 0 when not known. */
function portGbps(fabric: Fabric, port: number): number {
  return dataRateGbps(at(fabric.ports.lanes, port), at(fabric.ports.speed, port));
}

/** Data rate of a link in Gb/s: the lower of its known ends, 0 when neither is known. */
export function linkGbps(fabric: Fabric, link: number): number {
  return lowerKnown(portGbps(fabric, at(fabric.links.a, link)), portGbps(fabric, at(fabric.links.b, link)));
}

/** True when no tool says that an end is other than Active. Without iblinkinfo a discovered link counts as active. */
export function linkIsActive(fabric: Fabric, link: number): boolean {
  const active = 4;
  const a = at(fabric.ports.state, at(fabric.links.a, link));
  const b = at(fabric.ports.state, at(fabric.links.b, link));
  return (a === active || a === 0) && (b === active || b === 0);
}

/** Host index of a node, undefined for switches, routers and aggregation nodes. */
export function hostOfNode(fabric: Fabric, node: number): number | undefined {
  const host = at(fabric.nodes.host, node);
  return host === none ? undefined : host;
}

export function hostName(fabric: Fabric, host: number): string {
  return text(fabric, at(fabric.hosts.name, host));
}

/** Node indices of a host's adapters. */
export function adaptersOfHost(fabric: Fabric, host: number): readonly number[] {
  const first = at(fabric.hosts.nodeStart, host);
  const end = at(fabric.hosts.nodeStart, host + 1);
  return Array.from({ length: end - first }, (_, i) => at(fabric.hosts.nodes, first + i));
}

/** What a link joins: `host`, `inter-switch`, `aggregation` (SHARP), `router`. */
export type LinkKind = "host" | "inter-switch" | "aggregation" | "router";

export function linkKind(fabric: Fabric, link: number): LinkKind {
  const a = nodeKind(fabric, at(fabric.ports.node, at(fabric.links.a, link)));
  const b = nodeKind(fabric, at(fabric.ports.node, at(fabric.links.b, link)));
  if (a === "aggregation" || b === "aggregation") return "aggregation";
  if (a === "router" || b === "router") return "router";
  if (a === "hca" || b === "hca") return "host";
  return "inter-switch";
}
