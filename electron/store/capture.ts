/** A capture in memory: everything collected in one go, raw. */
import type { SourceSpec } from "../../shared/contract/source.ts";
import type { CollectStep } from "../../shared/contract/views.ts";

/** One raw output. */
export interface CaptureOutput {
  /** Name inside the capture, `ibnetdiscover.txt`. */
  readonly name: string;
  readonly stdout: Uint8Array;
  /** Error output, when there was any. */
  readonly stderr?: Uint8Array;
  readonly commandLine?: string;
  readonly exitCode?: number;
  /** ISO 8601. */
  readonly startedAt?: string;
  readonly durationMs?: number;
}

export interface Capture {
  readonly name: string;
  readonly how: "ssh" | "local" | "simulated" | "file";
  readonly simulated: boolean;
  /** ISO 8601, when known. */
  readonly collectedAt?: string;
  readonly source?: SourceSpec;
  readonly steps: readonly CollectStep[];
  readonly outputs: readonly CaptureOutput[];
}
