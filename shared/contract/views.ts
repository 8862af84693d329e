/** What crosses to the window, as plain types. */
import type { Analysis } from "../analyse/results.ts";
import type { Fabric } from "../fabric/model.ts";
import type { Diagnostic, Severity } from "../parse/diagnostic.ts";
import type { Measurement, VerdictLevel } from "../measure/types.ts";
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
