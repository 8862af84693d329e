/** Plans and results of measurements: plain data for the contract, the history file and the CLI. */
import type { BelowCapability } from "./below.ts";
import type { AppError } from "../errors/kinds.ts";
import type { LinkId } from "../fabric/model.ts";
import type { BandwidthRow, LatencyRow } from "../parse/records.ts";

/**
 * Kinds of measurement. `quick`: bandwidth one way, then latency. `acceptance`: longer, both ways as well. `bandwidth`,
 * `latency`: only that. `loaded`: latency idle, then with a bandwidth test beside it. `deep`: 1, 4, 16 queue pairs,
 * then both ways.
 */
export const presets = ["quick", "acceptance", "bandwidth", "latency", "loaded", "deep"] as const;
export type Preset = (typeof presets)[number];

/** Bandwidth tools; raw_ethernet_bw sends Ethernet frames and runs on RoCE ports only. */
export const bandwidthTools = ["ib_write_bw", "ib_read_bw", "ib_send_bw", "raw_ethernet_bw"] as const;
export type BandwidthTool = (typeof bandwidthTools)[number];

/** Latency tools. Write and send print half the round trip, read the whole. */
export const latencyTools = ["ib_write_lat", "ib_read_lat", "ib_send_lat"] as const;
export type LatencyTool = (typeof latencyTools)[number];

/** Path MTUs of InfiniBand and RoCE in bytes. */
export const pathMtus = [256, 512, 1024, 2048, 4096] as const;
export type PathMtu = (typeof pathMtus)[number];

export interface MeasureOptions {
  readonly preset: Preset;
  /** Message size of the bandwidth test in bytes. */
  readonly bytes: number;
  readonly queuePairs: number;
  /** Duration of the bandwidth test in seconds; perftest measures the middle half of it. */
  readonly seconds: number;
  readonly bidirectional: boolean;
  readonly latencyIterations: number;
  /** GID index; only needed on RoCE. */
  readonly gidIndex?: number;
  /** `ib_write_bw` and `ib_send_lat` unless told. */
  readonly bandwidthTool?: BandwidthTool;
  readonly latencyTool?: LatencyTool;
  /** All sizes from 2 B to 8 MiB instead of `bytes`, with this number of messages each; instead of a duration. */
  readonly sizeIterations?: number;
  /** Path MTU in bytes; the active one unless told. */
  readonly mtu?: PathMtu;
  /** Service level, 0 to 15; 0 unless told. */
  readonly serviceLevel?: number;
  /** CUDA device on both hosts whose memory the bandwidth test uses. */
  readonly gpu?: number;
}

export const defaultMeasureOptions: MeasureOptions = {
  preset: "quick",
  bytes: 65536,
  queuePairs: 4,
  seconds: 10,
  bidirectional: false,
  latencyIterations: 5000,
};

/** One side of a measurement. */
export interface Endpoint {
  /** Host name from the node description, what the host access resolves. */
  readonly host: string;
  readonly nodeGuid: string;
  readonly node: number;
  readonly port: number;
  readonly portGuid: string;
  readonly lid: number;
  /** Verbs device named in the description (`mlx5_0`), a hint; the run finds the device by GUID. */
  readonly deviceHint?: string;
}

/** One cable on the path, from the client to the server. */
export interface PathHop {
  readonly link: LinkId;
  readonly linkIndex: number;
  readonly fromNode: number;
  readonly fromName: string;
  readonly fromPort: number;
  readonly toNode: number;
  readonly toName: string;
  readonly toPort: number;
  /** Data rate in Gb/s, 0 when unknown. */
  readonly gbps: number;
  /** Node GUIDs of both ends; absent in records of older versions. */
  readonly fromGuid?: string;
  readonly toGuid?: string;
  /** LIDs by which the counters of both ends are asked for: a switch's own, an adapter port's. 0: none known. */
  readonly fromLid?: number;
  readonly toLid?: number;
  /** Where it runs below what both of its ends support. */
  readonly below?: BelowCapability;
}

/** A port of a switch that the data could take instead of the path's. */
export interface BesidePort {
  readonly guid: string;
  readonly name: string;
  readonly lid: number;
  readonly port: number;
  /** The far end of its cable: `spine-6:3`. */
  readonly to: string;
  readonly link: LinkId;
}

export interface PlannedCommand {
  readonly role: "server" | "client";
  readonly host: string;
  readonly argv: readonly string[];
}

export interface PlannedStep {
  /** As the progress names it: `bandwidth`, `latency`, `qp-4`. */
  readonly id: string;
  readonly title: string;
  readonly tool: string;
  readonly seconds: number;
  /** What this step runs with; the preset may differ from the measurement's own options. */
  readonly options: MeasureOptions;
  /** The bandwidth tool that fills the link meanwhile. */
  readonly load?: string;
  /** As they will run, the load's first; port and device are filled in when the run starts. */
  readonly commands: readonly PlannedCommand[];
}

export interface MeasurePlan {
  readonly id: string;
  readonly fabricId: string;
  readonly link: LinkId;
  readonly linkName: string;
  readonly linkIndex: number;
  readonly options: MeasureOptions;
  readonly client: Endpoint;
  readonly server: Endpoint;
  readonly path: readonly PathHop[];
  /** Switches between client and server. */
  readonly hops: number;
  readonly slowestGbps: number;
  /** Position in `path` of the slowest cable. */
  readonly slowestHop: number;
  /**
   * `host-link`: every route of that host crosses it. `routes`: by the forwarding tables this pair's route does.
   * `shortest-path`: likely, not proven.
   */
  readonly basis: "host-link" | "routes" | "shortest-path";
  readonly will: string;
  readonly cannot: string;
  readonly steps: readonly PlannedStep[];
  readonly seconds: number;
  /** Other hosts that could take either role, by name (at most 50 each). */
  readonly otherClients: readonly string[];
  readonly otherServers: readonly string[];
  readonly simulated: boolean;
  /** Ports to other switches beside the measured one, whose counters tell where the data went instead. */
  readonly beside?: readonly BesidePort[];
}

/** A link with its share of what the client sent, 0 to 1. */
export interface LinkShare {
  readonly link: LinkId;
  /** `leaf-03:36 to spine-4:3`. */
  readonly name: string;
  readonly share: number;
}

/** What the port counters say about the way that the data took. */
export interface RouteProof {
  /** `proven`: it crossed the measured cable. `spread`: over several. `elsewhere`: over another. */
  readonly kind: "proven" | "spread" | "elsewhere" | "unknown";
  /** Share of the client's bytes that crossed the measured cable, 0 to 1. */
  readonly share?: number;
  /** Other links that carried data of the test, most first. */
  readonly others: readonly LinkShare[];
  /** One sentence for people. */
  readonly sentence: string;
}

/** Data of one port during a run, what others send subtracted. */
export interface PortTraffic {
  /** `leaf-03:38`. */
  readonly name: string;
  readonly sentBytes: number;
  readonly receivedBytes: number;
  /** What it sent and received a second right before the run. */
  readonly ambientSent: number;
  readonly ambientReceived: number;
  /** False when the port told its data and not its error counters; absent in older records. */
  readonly errorsRead?: boolean;
}

/** Growth of an error counter during a run. */
export interface NewErrors {
  readonly link: LinkId;
  /** `spine-6:3`. */
  readonly port: string;
  readonly counter: string;
  readonly growth: number;
  /** The counter was cleared meanwhile, or stands at its ceiling: it is this or more. */
  readonly atLeast: boolean;
  /** True for the measured cable. */
  readonly measured: boolean;
}

/** What the counters of the path did during a run. */
export interface RunEvidence {
  readonly route: RouteProof;
  readonly ports: readonly PortTraffic[];
  readonly newErrors: readonly NewErrors[];
  /** Ports whose counters could not be used, with the reason: `leaf-03:38: its counters were cleared during the run`. */
  readonly unread: readonly string[];
}

/** Causes of low results that commands on a host can check, the one that costs most first. */
export const causes = [
  "pcie-width",
  "pcie-speed",
  "mtu",
  "numa-node",
  "governor",
  "memlock",
  "firmware",
  "link-layer",
] as const;

/** A known cause of low results, looked for on one host. */
export interface CauseCheck {
  readonly host: string;
  readonly what: (typeof causes)[number];
  readonly state: "fine" | "fault" | "unreadable";
  /** `mlx5_0 runs at x8 of x16`. */
  readonly detail: string;
}

/** What ibtracert showed right before the run. */
export interface TracedRoute {
  readonly commandLine: string;
  /** Whether the way crosses the measured cable; absent when the trace could not be used. */
  readonly crosses?: boolean;
  /** Pairs that were traced before and went another way. */
  readonly othersTraced: number;
  /** Why the trace could not be used. */
  readonly problem?: string;
}

/** The step of a measurement that a run was. */
export interface RunStep {
  /** As in the plan; the load beside a latency test has `load`. */
  readonly id: string;
  /** `1 QP`, `both directions`, `latency under load`. */
  readonly title: string;
  readonly queuePairs: number;
  readonly bidirectional: boolean;
}

export interface RunRecord {
  readonly tool: string;
  /** Absent in records of older versions: their tool tells. */
  readonly step?: RunStep;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly server: SideRecord;
  readonly client: SideRecord;
  readonly bandwidth: readonly BandwidthRow[];
  readonly latency: readonly LatencyRow[];
  readonly error?: AppError;
  /** What the counters of the path did meanwhile, where they could be read. */
  readonly evidence?: RunEvidence;
  /** Why no counter of the path could be read, when that is known. */
  readonly countersError?: AppError;
}

export interface SideRecord {
  readonly host: string;
  readonly commandLine: string;
  readonly exitCode?: number;
  readonly stdout: string;
  readonly stderr: string;
}

export type VerdictLevel = "good" | "fair" | "slow" | "bad" | "failed" | "cancelled";

export interface Verdict {
  readonly level: VerdictLevel;
  /** `121.4 Gb/s, 61 % of 200 Gb/s: slow.` */
  readonly sentence: string;
  /** Next steps, best first. */
  readonly next: readonly string[];
}

/** What another pair shares with a low one: its client, its server, the measured cable; `again`: it is the low one. */
export const triangleRoles = ["client", "server", "link", "again"] as const;
export type TriangleRole = (typeof triangleRoles)[number];

/** `none`: no number, so that it tells nothing. */
export const triangleOutcomes = ["good", "low", "none"] as const;
export type TriangleOutcome = (typeof triangleOutcomes)[number];

/** Where a low result comes from. `routes`: from the way of this pair only; `passed`: it is low no more. */
export const blames = ["client", "server", "link", "routes", "passed", "unclear"] as const;
export type Blame = (typeof blames)[number];

/** One pair of a triangulation. */
export interface TriangleResult {
  readonly role: TriangleRole;
  readonly clientHost: string;
  readonly serverHost: string;
  readonly outcome: TriangleOutcome;
  readonly gbps?: number;
  readonly percent?: number;
  /** Id of its record. */
  readonly measurement?: string;
  /** Why there is no number. */
  readonly reason?: string;
}

/** What third and fourth hosts have told of a low result. */
export interface Triangulation {
  /** Id of the low result. */
  readonly of: string;
  readonly blames: readonly Blame[];
  readonly sentence: string;
  /** What each pair showed and what follows, sentence by sentence. */
  readonly why: readonly string[];
  readonly next: readonly string[];
  readonly tests: readonly TriangleResult[];
}

export interface Measurement {
  readonly version: 1;
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly source: {
    readonly kind: "ssh" | "local" | "simulated";
    readonly label: string;
    readonly simulated: boolean;
  };
  readonly link: LinkId;
  /** `leaf-03:38 to spine-6:3`. */
  readonly linkName: string;
  readonly client: Endpoint;
  readonly server: Endpoint;
  readonly path: readonly PathHop[];
  readonly basis: MeasurePlan["basis"];
  /** The way as ibtracert showed it before the run; `path` is then that way. */
  readonly traced?: TracedRoute;
  readonly options: MeasureOptions;
  readonly runs: readonly RunRecord[];
  readonly bandwidthGbps?: number;
  /** Average and 99th percentile of the latency test, half round trip, in microseconds. */
  readonly latencyUs?: number;
  readonly latencyP99Us?: number;
  /** The same while a bandwidth test ran beside it. */
  readonly loadedLatencyUs?: number;
  readonly loadedLatencyP99Us?: number;
  /** Sum of both directions at once, where a test of one direction gave `bandwidthGbps`. */
  readonly bothWaysGbps?: number;
  /** Data rate of the slowest cable on the path, both directions counted when bidirectional. */
  readonly expectedGbps: number;
  /** bandwidthGbps / expectedGbps × 100. */
  readonly percent?: number;
  readonly verdict: Verdict;
  /** Median of the last good runs of the same path, and of links like it, at the time of this run. */
  readonly baselineGbps?: number;
  readonly siblingsGbps?: number;
  /** Causes that were looked for on both hosts, when the result was low. */
  readonly checks?: readonly CauseCheck[];
  /** Id of the sweep that it belongs to. */
  readonly sweep?: string;
  /** Where an earlier low result of the same pair comes from; this record is its last test. */
  readonly triangulation?: Triangulation;
  /** Version texts by host, as the tools print them. */
  readonly versions: Readonly<Record<string, string>>;
}
