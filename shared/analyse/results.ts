/** What analysis says about one Fabric. Plain data that survives structured cloning; indices as in the Fabric. */
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

export interface Topology {
  readonly kind: "fat-tree" | "dragonfly+" | "irregular";
  /** From the leaves up. */
  readonly tiers: readonly Tier[];
  /** Per node: 0 for hosts' adapters and routers, 1 … for switches by tier, -1 for what has no place. */
  readonly tierOfNode: Int8Array;
  /** Sentences that say why, with counts. */
  readonly evidence: readonly string[];
  readonly exceptions: readonly { readonly subject: Subject; readonly message: string }[];
}

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
  /** Code in {@link healths} per link and per node (a node's own findings and its ports', not its links'). */
  readonly linkHealth: Uint8Array;
  readonly nodeHealth: Uint8Array;
}
