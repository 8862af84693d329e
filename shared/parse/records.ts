/** What parsers return: plain records with the line they came from. GUIDs are in normal form (base/guid.ts). */
import type { Guid } from "../base/guid.ts";
import type { GuidTable } from "../base/guid-table.ts";
import type { Diagnostic } from "./diagnostic.ts";
import type { DiscoverPorts } from "./discover-ports.ts";

/** The tools whose text Ibex reads or at least recognises. */
export const toolNames = [
  "ibnetdiscover",
  "ibnetdiscover-ports",
  "ibnetdiscover-list",
  "iblinkinfo",
  "iblinkinfo-line",
  "sminfo",
  "perftest-bandwidth",
  "perftest-latency",
  "perftest-failure",
  "ibqueryerrors",
  "perfquery",
  "smpquery",
  "saquery",
  "ibroute",
  "dump_fts",
  "ibtracert",
  "opensm-log",
  "opensm-conf",
  "opensm-lfts",
  "opensm-fdbs",
  "opensm-subnet",
  "opensm-lid-matrix",
  "ibstat",
  "ibstatus",
  "ibv_devinfo",
  "ibportstate",
  "mlxlink",
  "ibswinfo",
  "ibdiagnet-db",
  "nccl-tests",
  "net-file",
] as const;
export type ToolName = (typeof toolNames)[number];

export interface ParseContext {
  /** Name for diagnostics, as the user knows the file. */
  readonly file: string;
}

/** Lines read = understood + ignored (known to carry nothing) + diagnosed. Asserted by every parser. */
export interface ParseStats {
  readonly lines: number;
  readonly understood: number;
  readonly ignored: number;
  readonly diagnosed: number;
}

export interface Parsed<T> {
  readonly records: T;
  readonly diagnostics: readonly Diagnostic[];
  readonly stats: ParseStats;
}

/** Kinds of nodes, by their codes in columns. */
export const recordKinds = ["switch", "ca", "router"] as const;
export type RecordKind = (typeof recordKinds)[number];

/** GUIDs are numbers in the text's table; -1 when the text does not tell one. */
export interface DiscoverNode {
  readonly kind: RecordKind;
  readonly guid: number;
  readonly systemGuid: number;
  /** Port GUID of a switch's port 0. */
  readonly portGuid: number;
  readonly vendorId: number | undefined;
  readonly deviceId: number | undefined;
  readonly declaredPorts: number;
  readonly description: string;
  /** Switches: LID and LMC of port 0, and whether it is an enhanced one. */
  readonly lid: number | undefined;
  readonly lmc: number | undefined;
  readonly enhancedPort0: boolean | undefined;
  /** Chassis remark of `-g`, as printed. */
  readonly chassis: string | undefined;
  /** Its rows in {@link DiscoverRecords.ports}: from `firstPort` to before `endPort`. */
  readonly firstPort: number;
  readonly endPort: number;
  readonly line: number;
}

export interface DiscoverRecords {
  readonly guids: GuidTable;
  /** In the order of the text. A text with several dumps: the newest whole one, said in a diagnostic. */
  readonly nodes: readonly DiscoverNode[];
  readonly ports: DiscoverPorts;
  /** `Topology file: generated on …`, as printed (host's local time). */
  readonly generatedOn?: string;
  readonly initiatedFrom?: Guid;
  /** False when the text shows signs of a cut or of nodes that did not answer. */
  readonly complete: boolean;
}

/** One port line of iblinkinfo (either layout). */
export interface LinkinfoPort {
  /** Own node or port GUID: node GUID for switches; port GUID for CA and router ports. */
  readonly guid?: Guid;
  readonly kind: RecordKind | "unknown";
  readonly description?: string;
  readonly lid: number;
  readonly number: number;
  readonly external?: number;
  /** Lanes; undefined when the line has none (down ports), 0 when not readable. */
  readonly lanes?: number;
  readonly speed?: number;
  /** Code in fabric/model.ts portStates. */
  readonly state: number;
  /** Code in fabric/model.ts physStates. */
  readonly phys: number;
  readonly peer?: {
    readonly guid?: Guid;
    readonly lid: number;
    readonly number: number;
    readonly external?: number;
    readonly description: string;
  };
  /** True when the tool printed "Port not available". */
  readonly peerUnavailable: boolean;
  /** "Could be": lanes and speed code; 0 = no such hint. */
  readonly couldBeLanes: number;
  readonly couldBeSpeed: number;
  readonly line: number;
}

export interface LinkinfoRecords {
  readonly ports: readonly LinkinfoPort[];
  readonly complete: boolean;
}

export interface SminfoRecord {
  readonly guid: Guid;
  readonly lid: number;
  readonly activity: number;
  readonly priority: number;
  /** 0 to 3 as printed, -1 for `???`. */
  readonly state: number;
  readonly line: number;
}

export interface SminfoRecords {
  readonly managers: readonly SminfoRecord[];
  /** Error lines, text after `iberror:`. */
  readonly failures: readonly { readonly text: string; readonly line: number }[];
}

export interface BandwidthRow {
  readonly bytes: number;
  readonly iterations: number;
  /** Decimal Gb/s, whatever unit the tool printed; undefined when not measured (printed 0.00). */
  readonly peakGbps?: number;
  readonly averageGbps: number;
  readonly msgRateMpps: number;
  readonly line: number;
}

export interface LatencyRow {
  readonly bytes: number;
  readonly iterations: number;
  readonly minUs?: number;
  readonly maxUs?: number;
  readonly typicalUs?: number;
  readonly avgUs: number;
  readonly stdevUs?: number;
  readonly p99Us?: number;
  readonly p999Us?: number;
  readonly line: number;
}

/** Why perftest failed, from its texts (source: perftest's own messages). */
export interface PerftestFailure {
  /** Stable kebab-case code: `no-device`, `port-not-active`, `could-not-connect`, `option-unknown`, `retry-exceeded`, … */
  readonly code: string;
  /** The line that says it, as printed. */
  readonly text: string;
  readonly line: number;
}

export interface PerftestRecords {
  /** Command name when the text names it or the title tells it: `ib_write_bw`, `ib_send_lat`, … */
  readonly tool?: string;
  /** Title as printed, trimmed: `RDMA_Write BW Test`. */
  readonly title?: string;
  readonly bidirectional: boolean;
  /** `Key: value` pairs of the information block, as printed. */
  readonly info: Readonly<Record<string, string>>;
  readonly bandwidth: readonly BandwidthRow[];
  readonly latency: readonly LatencyRow[];
  readonly failure?: PerftestFailure;
}
