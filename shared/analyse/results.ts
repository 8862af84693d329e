/** What analysis says about one Fabric. Plain data that survives structured cloning; indices as in the Fabric. */
import type { Capability } from "./capability.ts";
import type { LinkId } from "../fabric/model.ts";
import type { Severity } from "../parse/diagnostic.ts";

/** From best to worst; the position is the code in health columns, so a fold takes the maximum. */
export const healths = ["ok", "note", "unknown", "not-enough-data", "warning", "error", "down"] as const;
export type Health = (typeof healths)[number];

/** What a finding is about. `name` is for people, ids find it again in another capture. */
export type Subject =
  | { readonly kind: "fabric"; readonly name: string }
  | { readonly kind: "link"; readonly name: string; readonly link: LinkId; readonly index: number }
  | {
      readonly kind: "port";
      readonly name: string;
      readonly guid: string;
      readonly port: number;
      readonly index: number;
      readonly node: number;
    }
  | { readonly kind: "node"; readonly name: string; readonly guid: string; readonly index: number };

export interface Finding {
  /** Stable over collections: rule and subject. */
  readonly id: string;
  /** Rule id: file name in analyse/rules. */
  readonly rule: string;
  readonly severity: Severity;
  /** Few words for a table: `Width below capability`. */
  readonly title: string;
  readonly subject: Subject;
  /** One sentence with the facts. */
  readonly message: string;
  /** The numbers: `2x HDR 100 Gb/s, both ends support 4x HDR 200`. */
  readonly evidence: string;
  readonly cause: string;
  /** What to do next. */
  readonly remedy: string;
}

/** A cable that the pattern of the siblings expects and that is not up; drawn dashed. Ports are indices, both exist and are down. */
export interface MissingLink {
  readonly a: number;
  readonly b: number;
  readonly reason: string;
}

export interface Tier {
  /** 1 = leaf, 2 = spine, 3 = core. */
  readonly level: number;
  readonly name: "leaf" | "spine" | "core" | "switch";
  /** Node indices in drawing order. */
  readonly switches: readonly number[];
}

/** A pod of a fat tree of three levels and more, or a group of a Dragonfly+: leaves with the spines that they share. */
export interface Block {
  /** Node indices. */
  readonly leaves: readonly number[];
  readonly spines: readonly number[];
  /** Hosts below the leaves. */
  readonly hosts: number;
}

/** Switches in one box (one system image GUID): a director. */
export interface Chassis {
  readonly name: string;
  readonly switches: readonly number[];
}

/** Cables between two Dragonfly+ groups; positions in `groups`, a < b. */
export interface GroupPair {
  readonly a: number;
  readonly b: number;
  readonly links: number;
}

export const topologyKinds = ["fat-tree", "dragonfly+", "irregular"] as const;
export type TopologyKind = (typeof topologyKinds)[number];

export interface Topology {
  readonly kind: TopologyKind;
  /** True when the user chose the kind. */
  readonly overruled: boolean;
  /** From the leaves up. */
  readonly tiers: readonly Tier[];
  /** Per node: 0 for hosts' adapters and routers, 1 … for switches by tier, -1 for what has no place. */
  readonly tierOfNode: Int8Array;
  /** Pods of a fat tree of three levels and more; empty otherwise. */
  readonly pods: readonly Block[];
  /** Groups of a Dragonfly+; empty otherwise. */
  readonly groups: readonly Block[];
  /** Global links per pair of groups, pairs without any included. */
  readonly groupPairs: readonly GroupPair[];
  /** Position of a switch in `pods` or `groups`, -1 for none. */
  readonly blockOfNode: Int32Array;
  /** Number of rails of a rail-optimised fabric, 0 when it is none. */
  readonly rails: number;
  /** Rail of an adapter node from 0, -1 for none. */
  readonly railOfNode: Int8Array;
  /** Usual ratio of host to uplink bandwidth of a leaf, 1 = not oversubscribed; 0 when there are no uplinks. */
  readonly oversubscription: number;
  readonly chassis: readonly Chassis[];
  /** Parts that no cable joins, largest first: nodes in each. */
  readonly islands: readonly number[];
  /** Sentences that say why, with counts. */
  readonly evidence: readonly string[];
  readonly exceptions: readonly {
    readonly kind: ExceptionKind;
    readonly subject: Subject;
    readonly message: string;
    /** Pods or groups that it is about as a whole, by position. */
    readonly blocks?: readonly number[];
  }[];
}

/** A pod or a group by its position; undefined for what is none, and for the only pod there is. */
export function blockOf(topology: Topology, block: number): Block | undefined {
  if (topology.groups.length > 0) return topology.groups[block];
  return topology.pods.length > 1 ? topology.pods[block] : undefined;
}

/** Who would be master next. Positions are those in `fabric.subnetManagers`. */
export interface Succession {
  readonly master: number | null;
  /** Takes over when the master dies. */
  readonly heir: number | null;
  /** All that could, the first first. */
  readonly order: readonly number[];
  /** One sentence with the numbers that decide. */
  readonly reason: string;
  /** From the death of the master to a new one, at most; null without an heir. */
  readonly takeOverSeconds: number | null;
  readonly pollingMs: number;
  readonly pollingRetries: number;
  /** True when the two numbers are from the manager's own settings, false when they are opensm's defaults. */
  readonly settingsRead: boolean;
}

/** What an exception of the topology is. */
export const exceptionKinds = [
  "uplinks",
  "swapped-cable",
  "odd-cable",
  "stray-host",
  "unreachable-switch",
  "rail",
  "global-links",
  "group-size",
] as const;
export type ExceptionKind = (typeof exceptionKinds)[number];

export interface Counts {
  readonly switches: number;
  readonly hcas: number;
  readonly routers: number;
  readonly aggregationNodes: number;
  readonly hosts: number;
  readonly ports: number;
  readonly links: number;
  readonly linksActive: number;
  readonly linksDegraded: number;
}

export interface Analysis {
  readonly counts: Counts;
  readonly topology: Topology;
  readonly findings: readonly Finding[];
  readonly missingLinks: readonly MissingLink[];
  readonly succession: Succession;
  /** Code in {@link healths} per link and per node (a node's own findings and its ports', not its links'). */
  readonly linkHealth: Uint8Array;
  readonly nodeHealth: Uint8Array;
  /** What every link could run at. */
  readonly capability: Capability;
}
