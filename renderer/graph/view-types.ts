/** What the view graph is made of; deriving it is in view-graph.ts. */
import type { HostGroups } from "../../shared/analyse/host-names.ts";
import { at } from "../../shared/fabric/access.ts";
import type { Folding } from "./clusters.ts";

/** `pod`, `group` and `plane` are blocks of switches drawn as one. */
type ViewNodeKind =
  "switch" | "director" | "router" | "aggregation" | "adapter" | "host" | "fold" | "pod" | "group" | "plane";

export interface ViewNode {
  /** Stable over collections of the same fabric. */
  readonly id: string;
  readonly kind: ViewNodeKind;
  /** Row: 0 hosts, 1 leaf, 2 spine …; see structure.ts for routers and what has no place. */
  readonly level: number;
  readonly label: string;
  /** Fabric node: the box's, a host's first adapter, the first switch of a fold ({@link none} when it hangs nowhere). */
  readonly node: number;
  /** Host index of a host, else {@link none}. */
  readonly host: number;
  /** Box index (layout), or {@link none} for hosts and folds. */
  readonly box: number;
  /** Block of a host or a fold, else {@link none}. */
  readonly block: number;
  /** Pod or group it belongs to or stands for (a plane: the plane), -1 for none. */
  readonly cluster: number;
  /** Hosts this node stands for: 1 for a host, n for a fold or a block, 0 for a box. */
  readonly hosts: number;
  /** Leaves and spines (a plane: core switches) that a block stands for; 0 for others. */
  readonly leaves: number;
  readonly spines: number;
  /** Fabric nodes of a plane's core switches. */
  readonly cores?: readonly number[];
  /** Chips that a closed director stands for, as boxes. */
  readonly boxes?: Uint32Array;
  /** Rows that a closed director stands for. */
  readonly levels?: readonly number[];
  /** Position of a closed director in `structure.directors`. */
  readonly director?: number;
  /** A fold of some of a block's hosts: those of one rack or name. */
  readonly part?: FoldPart | undefined;
  /** Worst health of what it stands for; a fold includes its hosts' links. Code in `healths`. */
  readonly health: number;
  /** Of a pod or a group: worst of its hosts with their links, and of its switches themselves. */
  readonly hostHealth?: number;
  readonly switchHealth?: number;
  readonly aggregations: number;
  readonly manager: "MASTER" | "STANDBY" | undefined;
  /** False when the node is only known as somebody's peer. */
  readonly reached: boolean;
}

/** What a fold of a rack's or a name's hosts stands for. */
export interface FoldPart {
  /** All hosts of the block, of which this is a part. */
  readonly of: Uint32Array;
  readonly position: number;
  readonly parts: number;
  /** Position in the grouping's names, -1 for those in no group. */
  readonly group: number;
  /** Name of the group: `r12`; empty for those in none. */
  readonly name: string;
  /** Hosts in it. */
  readonly hosts: Uint32Array;
}

export interface ViewLinks {
  readonly count: number;
  /** Node of end A: the upper one of the two rows is not implied. */
  readonly source: Uint32Array;
  readonly target: Uint32Array;
  /** Fabric links of drawn link i: member[memberStart[i] … memberStart[i + 1] - 1]. */
  readonly memberStart: Uint32Array;
  readonly member: Uint32Array;
  /** Missing links (position in analysis.missingLinks) of drawn link i, the same way. */
  readonly missingStart: Uint32Array;
  readonly missing: Uint32Array;
  /** Lowest port number at either end, for the place on the node's edge. */
  readonly sourcePort: Uint8Array;
  readonly targetPort: Uint8Array;
  /** Worst health of the members. */
  readonly health: Uint8Array;
  /** Cables that are there between the two nodes, in this drawn link and in others beside it. */
  readonly present: Uint32Array;
  /**
   * Cables that should be there, as most siblings have or with those known to be missing; 0 when nobody says, and on all
   * but one link of the same two nodes.
   */
  readonly usual: Uint32Array;
  /** Not 0 on every link of two nodes that have fewer cables than that. */
  readonly lacking: Uint8Array;
}

/** A block's inner links: one cell per leaf (across) and spine (down), 0 = no cable, else worst health + 1. */
export interface Cells {
  readonly columns: number;
  readonly rows: number;
  readonly health: Uint8Array;
}

export interface ViewGraph {
  readonly nodes: readonly ViewNode[];
  readonly links: ViewLinks;
  /** Inner links of each drawn pod and group. */
  readonly cells: ReadonlyMap<number, Cells>;
  /** Cell that shows a fabric link, in the matrix of the node it is inside of, or {@link none}; empty without a matrix. */
  readonly cellOfFabricLink: Uint32Array;
  /** The same for missing links. */
  readonly cellOfMissing: Uint32Array;
  /** Drawn node that shows a fabric node. */
  readonly nodeOfFabricNode: Uint32Array;
  /** Drawn link that holds a fabric link, or {@link none} when it is inside a node. */
  readonly linkOfFabricLink: Uint32Array;
  /** Drawn node that holds a fabric link inside itself, or {@link none}. */
  readonly insideOfFabricLink: Uint32Array;
  /** Drawn link of each missing link, or {@link none} when both its ends are in one node. */
  readonly linkOfMissing: Uint32Array;
  /** Drawn node that holds a missing link inside itself, or {@link none}. */
  readonly insideOfMissing: Uint32Array;
}

export interface ViewOptions {
  /** Fabric nodes of switches whose hosts are drawn one by one; "all" draws every host. */
  readonly unfolded: "all" | ReadonlySet<number>;
  /** Draw parallel cables between two switches as one bundle. */
  readonly bundles: boolean;
  /** Fabric links drawn on their own, never in a bundle: selected, on a path, measured and slow. */
  readonly apart?: ReadonlySet<number> | undefined;
  /** Directors drawn chip by chip, by position in `structure.directors`; all others are one box. */
  readonly openDirectors?: ReadonlySet<number> | undefined;
  /** How a leaf's folded hosts are divided; without it they are one fold. */
  readonly hostGroups?: HostGroups | undefined;
  /** Pods, groups and planes drawn as blocks. */
  readonly folding?: Folding | undefined;
}

/** Fabric links of a drawn link. */
export function membersOf(links: ViewLinks, link: number): Uint32Array {
  return links.member.subarray(at(links.memberStart, link), at(links.memberStart, link + 1));
}

/** True for a cable from a node to itself. */
export function isLoop(links: ViewLinks, link: number): boolean {
  return at(links.source, link) === at(links.target, link);
}

/** Missing links of a drawn link. */
export function missingOf(links: ViewLinks, link: number): Uint32Array {
  return links.missing.subarray(at(links.missingStart, link), at(links.missingStart, link + 1));
}
