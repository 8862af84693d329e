/** A capture in memory: everything collected in one go, raw. */
import { gunzipSync } from "node:zlib";
import type { SourceSpec } from "../../shared/contract/source.ts";
import type { CollectStep } from "../../shared/contract/views.ts";

/** One raw output. */
export interface CaptureOutput {
  /** Name inside the capture, `ibnetdiscover.txt`. */
  readonly name: string;
  /** Empty when it is kept packed: {@link stdoutOf} gives it whole. */
  readonly stdout: Uint8Array;
  /** Large outputs in pieces, each of whole lines and gzipped on its own, so that a capture stays small in memory. */
  readonly packed?: { readonly pieces: readonly Uint8Array[]; readonly bytes: number };
  /** Error output, when there was any. */
  readonly stderr?: Uint8Array;
  /** Why the file could not be read, a sentence; `stdout` is then empty. */
  readonly unread?: string;
  readonly commandLine?: string;
  readonly exitCode?: number;
  /** ISO 8601. */
  readonly startedAt?: string;
  readonly durationMs?: number;
}

/** The output as it came. O(bytes) for one that is packed. */
export function stdoutOf({ stdout, packed }: Pick<CaptureOutput, "stdout" | "packed">): Uint8Array {
  return packed === undefined ? stdout : Buffer.concat(packed.pieces.map((piece) => gunzipSync(piece)));
}

/** Size of the output as it came, in bytes. */
export function stdoutBytes({ stdout, packed }: Pick<CaptureOutput, "stdout" | "packed">): number {
  return packed?.bytes ?? stdout.length;
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
