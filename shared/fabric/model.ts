/**
 * The fabric as columns: compact, indexed, immutable once built. An index into `nodes`, `ports`, `links` or
 * `hosts` is only valid for the one Fabric it came from; across captures use GUIDs and {@link LinkId}.
 *
 * The whole object survives structured cloning, so it crosses to workers and to the window as it is.
 */

import type { CounterReadings } from "./counters.ts";
import type { PhysicalColumns } from "./physical.ts";

/** What a node is. `aggregation` is a SHARP aggregation node: an adapter inside a switch, never a host. */
export const nodeKinds = ["switch", "hca", "router", "aggregation"] as const;
export type NodeKind = (typeof nodeKinds)[number];

/** Logical port state; the position is the column code. `unknown`: no tool said. */
export const portStates = ["unknown", "Down", "Initialize", "Armed", "Active"] as const;

/** Physical port state as iblinkinfo spells it; the position is the column code. */
export const physStates = [
  "unknown",
  "Sleep",
  "Polling",
  "Disabled",
  "PortConfigurationTraining",
  "LinkUp",
  "LinkErrorRecovery",
  "PhyTest",
] as const;

/** Identity of a link across captures: node GUID (`0x` + 16 digits), `:`, port number of its end A. */
export type LinkId = `0x${string}:${number}`;

/** `0xffffffff` marks "none" in unsigned index columns. */
export const none = 0xffffffff;

export interface NodeColumns {
  readonly count: number;
  /** Code in {@link nodeKinds}. */
  readonly kind: Uint8Array;
  /** Node GUID. */
  readonly guid: BigUint64Array;
  /** System image GUID, 0 when no tool printed it. */
  readonly systemGuid: BigUint64Array;
  /** String id of the node description as printed. */
  readonly description: Uint32Array;
  /** String id of the short name for labels (a hint, never identity). */
  readonly label: Uint32Array;
  /** Ports the node says it has; 0 when it has no record of its own. */
  readonly declaredPorts: Uint16Array;
  /** LID of a switch's port 0, of a CA's first port; 0 when not assigned. */
  readonly lid: Uint16Array;
  readonly lmc: Uint8Array;
  readonly vendorId: Uint32Array;
  readonly deviceId: Uint32Array;
  /** Host index, or {@link none} (switches, routers, aggregation nodes). */
  readonly host: Uint32Array;
  /** 1 when the node has a record of its own, 0 when it is only known as somebody's peer. */
  readonly discovered: Uint8Array;
  /** Ports of node n are portStart[n] … portStart[n + 1] - 1, by rising port number. Length count + 1. */
  readonly portStart: Uint32Array;
}

export interface PortColumns {
  readonly count: number;
  readonly node: Uint32Array;
  /** Port number on its node, 1 … 254. */
  readonly number: Uint8Array;
  /** Port GUID, 0 when not known. */
  readonly guid: BigUint64Array;
  readonly lid: Uint16Array;
  readonly lmc: Uint8Array;
  /** Code in {@link portStates}. */
  readonly state: Uint8Array;
  /** Code in {@link physStates}. */
  readonly phys: Uint8Array;
  /** Active width in lanes, 0 unknown. */
  readonly lanes: Uint8Array;
  /** Active speed code (rates.ts), 0 unknown. */
  readonly speed: Uint8Array;
  /** Highest width that both ends support as iblinkinfo's "Could be" tells for this port, 0 = no hint. */
  readonly couldBeLanes: Uint8Array;
  /** Highest speed code that both ends support as the hint tells, 0 = no hint. */
  readonly couldBeSpeed: Uint8Array;
  /** Link index, or {@link none}. */
  readonly link: Uint32Array;
  /** Line in ibnetdiscover's output that states this port, 0 = not there. */
  readonly discoverLine: Uint32Array;
  /** Line in iblinkinfo's output that states this port, 0 = not there. */
  readonly linkinfoLine: Uint32Array;
}

export interface LinkColumns {
  readonly count: number;
  /** Port index of end A: a switch when there is one, then the lower tier, then the lower GUID and port. A host is always B. */
  readonly a: Uint32Array;
  readonly b: Uint32Array;
}

export interface HostColumns {
  readonly count: number;
  /** String id of the host's name (first word of the description, or the description). */
  readonly name: Uint32Array;
  /** Adapters of host h are nodes[nodeStart[h] … nodeStart[h + 1] - 1]. */
  readonly nodeStart: Uint32Array;
  readonly nodes: Uint32Array;
}

export type SmState = "NOTACTIVE" | "DISCOVERING" | "STANDBY" | "MASTER" | "unknown";

export interface SubnetManager {
  /** Port GUID as `0x` + 16 digits; empty when only a LID is known. */
  readonly guid: string;
  readonly lid: number;
  /** Its own answer; of one that did not answer, what the master knew of it at its last sweep. */
  readonly state: SmState;
  /** 0 to 15; -1 when nobody told. */
  readonly priority: number;
  /** Activity count as printed (32 bits). */
  readonly activity: number;
  /** Whether it answered sminfo. */
  readonly answers: "yes" | "no" | "not-asked";
  /** An earlier answer in the same capture: its activity count, and seconds from it to this one. */
  readonly earlier?: { readonly activity: number; readonly seconds: number };
  /** Node index, when the GUID or LID is found in the fabric. */
  readonly node?: number;
}

/** How a standby watches the master, as opensm's options file says. */
export interface SmSettings {
  /** Milliseconds between two questions. */
  readonly pollingMs?: number;
  /** Questions without an answer after which it takes over. */
  readonly pollingRetries?: number;
}

export interface Fabric {
  readonly strings: readonly string[];
  readonly nodes: NodeColumns;
  readonly ports: PortColumns;
  readonly links: LinkColumns;
  readonly hosts: HostColumns;
  readonly subnetManagers: readonly SubnetManager[];
  /** False when nobody asked for subnet managers (no sminfo output): then an empty list says nothing. */
  readonly smAsked: boolean;
  /** True when somebody listed them (saquery): then there are no others. */
  readonly smListed: boolean;
  /** Sentences on what could not be asked of them. */
  readonly smUnasked: readonly string[];
  readonly smSettings?: SmSettings;
  /** Port counters, when they were collected. */
  readonly counters?: CounterReadings;
  /** Cables and bit errors, when ibdiagnet or mlxlink told of them. */
  readonly physical?: PhysicalColumns;
  /** Nodes of which the discovery has two different records with one GUID. */
  readonly duplicateGuids?: readonly number[];
  /** Node the discovery started from, when known. */
  readonly origin?: number;
}
