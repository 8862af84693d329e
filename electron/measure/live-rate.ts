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

interface Sample {
  readonly bytes: bigint;
  /** Seconds since the host has started, to 10 ms. */
  readonly uptime: number;
}

/**
 * /proc/uptime (two numbers) and the counters after it. The host's own clock, read together with the counters, so that
 * neither the way there nor a host whose time runs otherwise (a simulated one) spoils the rate.
 */
function readSample(text: string, files: number): Sample | undefined {
  const [uptime, , ...words] = text.split(/\s+/).filter((word) => word !== "");
  if (uptime === undefined || !/^\d+\.\d+$/.test(uptime) || words.length !== files) return undefined;
  if (!words.every((word) => /^\d{1,20}$/.test(word))) return undefined;
  const sum = words.reduce((total, word) => total + BigInt(word), 0n);
  return { bytes: sum * BigInt(bytesPerWord), uptime: Number(uptime) };
}

/**
 * Calls `onRate` with Gb/s until the signal is aborted, the counters cannot be read, or they fall (somebody has reset
 * them). Never fails: without counters there is just no live rate.
 */
export async function watchRate(
  source: RateSource,
  sleep: Sleep,
  signal: AbortSignal,
  onRate: (gbps: number) => void,
): Promise<void> {
  const folder = `/sys/class/infiniband/${source.device}/ports/${source.ibPort}/counters`;
  const files = [`${folder}/port_xmit_data`, ...(source.bothDirections ? [`${folder}/port_rcv_data`] : [])];
  let before: Sample | undefined;
  while (!signal.aborted) {
    const asked = await ask(source.runner, ["cat", "/proc/uptime", ...files], signal);
    const sample = asked.ok && asked.value.exitCode === 0 ? readSample(asked.value.stdout, files.length) : undefined;
    if (sample === undefined || (before !== undefined && sample.bytes < before.bytes)) return;
    if (before !== undefined && sample.uptime > before.uptime) {
      onRate((Number(sample.bytes - before.bytes) * 8) / (sample.uptime - before.uptime) / 1e9);
    }
    before = sample;
    await sleep(sampleMs, signal);
  }
}
