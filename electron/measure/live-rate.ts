/**
 * The rate of a running test as the client's own port counts it, about once a second: shown while it runs, never
 * part of the result. The counters are in words of 4 bytes (headers included, so up to 1 % above the payload).
 */
import type { CommandRunner } from "../run/runner.ts";
import { ask, type Sleep } from "./commands.ts";

export interface RateSource {
  readonly runner: CommandRunner;
  readonly device: string;
  readonly ibPort: number;
  /** Count what the port receives as well. */
  readonly bothDirections: boolean;
}

const sampleMs = 1000;
const bytesPerWord = 4;

/** Sum of the counters in bytes; undefined when the port has none, as on emulated adapters. */
function readBytes(text: string, files: number): bigint | undefined {
  const values = text.split(/\s+/).filter((word) => word !== "");
  if (values.length !== files || !values.every((word) => /^\d{1,20}$/.test(word))) return undefined;
  return values.reduce((sum, word) => sum + BigInt(word), 0n) * BigInt(bytesPerWord);
}

/**
 * Calls `onRate` with Gb/s until the signal is aborted, the counters cannot be read, or they fall (somebody has reset
 * them). Never fails: without counters there is just no live rate.
 */
export async function watchRate(
  source: RateSource,
  deps: { readonly now: () => number; readonly sleep: Sleep },
  signal: AbortSignal,
  onRate: (gbps: number) => void,
): Promise<void> {
  const folder = `/sys/class/infiniband/${source.device}/ports/${source.ibPort}/counters`;
  const files = [`${folder}/port_xmit_data`, ...(source.bothDirections ? [`${folder}/port_rcv_data`] : [])];
  let before: { readonly bytes: bigint; readonly at: number } | undefined;
  while (!signal.aborted) {
    const asked = await ask(source.runner, ["cat", ...files], signal);
    const bytes = asked.ok && asked.value.exitCode === 0 ? readBytes(asked.value.stdout, files.length) : undefined;
    const at = deps.now();
    if (bytes === undefined || (before !== undefined && bytes < before.bytes)) return;
    if (before !== undefined && at > before.at) {
      // Bits per millisecond are kb/s.
      onRate((Number(bytes - before.bytes) * 8) / (at - before.at) / 1e6);
    }
    before = { bytes, at };
    await deps.sleep(sampleMs, signal);
  }
}
