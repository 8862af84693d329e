/** What crosses to the window, as plain types. */
import type { Analysis } from "../analyse/results.ts";
import type { Fabric } from "../fabric/model.ts";
import type { Diagnostic, Severity } from "../parse/diagnostic.ts";
import type { Measurement, RouteProof, VerdictLevel } from "../measure/types.ts";
import type { AppError } from "../errors/kinds.ts";
import type { LogEventKind } from "../parse/opensm-log.ts";
import type { ManagerChange, ManagerLogLine } from "./manager-log.ts";
import type { SourceSpec } from "./source.ts";

/** One raw output of a capture. */
export interface RawFileInfo {
  readonly name: string;
  readonly tool: string | null;
  readonly bytes: number;
  readonly commandLine: string | null;
  readonly exitCode: number | null;
}

/** How one step of a collection went. */
export interface CollectStep {
  readonly id: string;
  readonly title: string;
  readonly state: "waiting" | "running" | "done" | "failed" | "skipped" | "cancelled";
  /** `553 ports`, or the failure's sentence. */
  readonly note: string;
  readonly ms: number;
}

export interface CaptureInfo {
  /** For people: source label or file name. */
  readonly name: string;
  readonly how: "ssh" | "local" | "simulated" | "file";
  readonly simulated: boolean;
  /** ISO 8601; null when a raw output does not say. */
  readonly collectedAt: string | null;
  /** Path when it was opened or saved. */
  readonly path: string | null;
  readonly source: SourceSpec | null;
  readonly steps: readonly CollectStep[];
  readonly files: readonly RawFileInfo[];
  /** True when a step failed or a text was cut: something may be missing. */
  readonly partial: boolean;
}

/** Everything about one open fabric; crosses once per collection. */
export interface FabricView {
  readonly fabricId: string;
  readonly capture: CaptureInfo;
  readonly fabric: Fabric;
  readonly analysis: Analysis;
  readonly diagnostics: readonly Diagnostic[];
}

export interface RecentEntry {
  readonly id: string;
  readonly name: string;
  readonly detail: string;
  readonly source: SourceSpec | null;
  readonly path: string | null;
  readonly simulated: boolean;
  readonly switches: number;
  readonly hosts: number;
  readonly findings: Readonly<Record<Severity, number>>;
  readonly openedAt: string;
}

/** One row of the history; the full record by `measure.get`. */
export interface MeasurementSummary {
  readonly id: string;
  readonly at: string;
  readonly link: Measurement["link"];
  readonly linkName: string;
  readonly source: string;
  readonly simulated: boolean;
  readonly clientHost: string;
  readonly serverHost: string;
  readonly bandwidthGbps: number | null;
  readonly latencyUs: number | null;
  readonly expectedGbps: number;
  readonly percent: number | null;
  readonly level: VerdictLevel;
  readonly sentence: string;
  /** Switches between the hosts. */
  readonly hops?: number;
  readonly basis?: Measurement["basis"];
  /** What the counters said about the way, and which share of the bytes crossed the link; absent when nothing was read. */
  readonly route?: RouteProof["kind"];
  readonly share?: number;
  /** New errors on the path during the runs; absent when no counters were read. */
  readonly newErrors?: number;
  readonly latencyP99Us?: number;
  /** Id of the sweep that it belongs to. */
  readonly sweep?: string;
}

export interface SimulatedFabricInfo {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly switches: number;
  readonly hosts: number;
  readonly faults: number;
}

/** A capture that comes with the program, made on a simulated fabric. */
export interface SampleInfo {
  /** Opens with `capture.open`. */
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly switches: number;
  readonly hosts: number;
}

export interface SshTestStep {
  readonly id: "reach" | "host-key" | "log-in" | "tools" | "management-access" | "infiniband-port" | "subnet-manager";
  readonly title: string;
  readonly state: "passed" | "failed" | "warning" | "not-tested";
  readonly detail: string;
  readonly ms: number;
  /** What to do, when it failed. */
  readonly remedy: string;
}

/** What a running watch heard of one subnet manager at its last round. */
export interface WatchedManager {
  /** `0x` and 16 digits. */
  readonly guid: string;
  readonly lid: number;
  readonly state: ManagerChange["to"];
  readonly priority: number;
  readonly activity: number;
  /** What its activity count grew by since an earlier round, over how many seconds; null before there are two. */
  readonly growth: { readonly count: number; readonly seconds: number } | null;
}

/** Times during which subnet managers were watched; ISO 8601. Outside of them nothing is known. */
export interface WatchTime {
  readonly from: string;
  /** The last round of it. */
  readonly to: string;
  readonly intervalSeconds: number;
}

/** How a watch stands. */
export interface WatchStatus {
  readonly running: boolean;
  /** Of the running watch, else of the last one; null when there was none since the program was started. */
  readonly time: WatchTime | null;
  /** LIDs asked at the last round, and how many of them answered; null before the first. */
  readonly lastRound: { readonly at: string; readonly asked: number; readonly answering: number } | null;
  readonly managers: readonly WatchedManager[];
  /** Why it cannot ask now (then it tries again), or why it has ended. */
  readonly trouble: AppError | null;
}

/** A watch with what was logged of the same source, also by earlier runs of the program. */
export interface WatchView {
  readonly status: WatchStatus;
  /** Oldest first. */
  readonly changes: readonly ManagerLogLine[];
  /** Oldest first; the running watch's is in `status`. */
  readonly times: readonly WatchTime[];
  /** Lines of the log that could not be read. */
  readonly damaged: number;
}

/** One opensm.log, read from its end. Times are ISO 8601, by this machine's time zone and that machine's clock. */
export interface OpensmLogView {
  readonly host: string;
  readonly path: string;
  readonly events: readonly { readonly time: string; readonly kind: LogEventKind; readonly text: string }[];
  /** Lines of one error counted together, most frequent first. */
  readonly errors: readonly {
    readonly text: string;
    readonly count: number;
    readonly first: string;
    readonly last: string;
  }[];
  readonly eventsDropped: number;
}

/** What an opensm.conf says; null where it says nothing, so that opensm's default holds. */
export interface OpensmSettingsView {
  readonly host: string;
  readonly priority: number | null;
  readonly pollingMs: number | null;
  readonly pollingRetries: number | null;
  readonly sweepSeconds: number | null;
}

/** What the user said of a suspect cable. */
export interface LinkMark {
  readonly mark: "known" | "handed-over" | "fixed";
  /** ISO 8601, when it was marked. */
  readonly at: string;
  /** For the next shift; may be empty. */
  readonly note: string;
}
