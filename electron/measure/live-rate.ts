/**
 * The rate of a running test as the client's own port counts it, about once a second: shown while it runs, never
 * part of the result. The counters are in words of 4 bytes (headers included, so up to 1 % above the payload).
 */
import type { CommandRunner } from "../run/runner.ts";
import type { Argv } from "./batch.ts";
import { ask, type Sleep, type TextOutput } from "./commands.ts";

export interface RateSource {
  readonly runner: CommandRunner;
  readonly device: string;
  readonly ibPort: number;
  /** Count what the port receives as well. */
  readonly bothDirections: boolean;
}

const sampleMs = 1000;
const bytesPerWord = 4;

type Port = Pick<RateSource, "device" | "ibPort">;

/** Data counters of a port, as sysfs names them. */
export type DataCounter = "port_xmit_data" | "port_rcv_data";

export interface PortSample {
  /** Bytes by each counter that was asked for, in their order. */
  readonly bytes: readonly bigint[];
  /** Seconds since the host has started, to 10 ms. */
  readonly uptime: number;
}

/**
 * /proc/uptime (two numbers) and the counters after it. The host's own clock, read together with the counters, so that
 * neither the way there nor a host whose time runs otherwise (a simulated one) spoils the rate.
 */
export function readPortSample(
  { stdout, exitCode }: TextOutput,
  counters: readonly DataCounter[],
): PortSample | undefined {
  if (exitCode !== 0) return undefined;
  const [uptime, , ...words] = stdout.split(/\s+/).filter((word) => word !== "");
  if (uptime === undefined || !/^\d+\.\d+$/.test(uptime) || words.length !== counters.length) return undefined;
  if (!words.every((word) => /^\d{1,20}$/.test(word))) return undefined;
  return { bytes: words.map((word) => BigInt(word) * BigInt(bytesPerWord)), uptime: Number(uptime) };
}

/** Reads a port's counters; {@link readPortSample} understands its output. */
export function portSampleCommand({ device, ibPort }: Port, counters: readonly DataCounter[]): Argv {
  const files = counters.map((counter) => `/sys/class/infiniband/${device}/ports/${ibPort}/counters/${counter}`);
  return ["cat", "/proc/uptime", ...files];
}

/** What the host's own counters of a port say now; undefined where it has none, as with emulated adapters. */
export async function askPortSample(
  { runner, device, ibPort }: Pick<RateSource, "runner" | "device" | "ibPort">,
  counters: readonly DataCounter[],
  signal: AbortSignal,
): Promise<PortSample | undefined> {
  const asked = await ask(runner, portSampleCommand({ device, ibPort }, counters), signal);
  return asked.ok ? readPortSample(asked.value, counters) : undefined;
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
  const counters = source.bothDirections
    ? (["port_xmit_data", "port_rcv_data"] as const)
    : (["port_xmit_data"] as const);
  const sum = ({ bytes }: PortSample): bigint => bytes.reduce((total, each) => total + each, 0n);
  let before: PortSample | undefined;
  while (!signal.aborted) {
    const sample = await askPortSample(source, counters, signal);
    if (sample === undefined || (before !== undefined && sum(sample) < sum(before))) return;
    if (before !== undefined && sample.uptime > before.uptime) {
      onRate((Number(sum(sample) - sum(before)) * 8) / (sample.uptime - before.uptime) / 1e9);
    }
    before = sample;
    await sleep(sampleMs, signal);
  }
}
