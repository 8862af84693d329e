/**
 * What a test between two simulated ports measures. The numbers follow what the real cards of that rate show: 97 to
 * 98.5 % of the data rate of the slowest hop for large messages, a message rate of a few million a second for small
 * ones, about 1 µs plus 0.13 µs a switch one way.
 */
import { dataRateGbps } from "../../../shared/fabric/rates.ts";
import type { SimulatedPort } from "./model.ts";
import type { PerftestOptions, Verb } from "./perftest-options.ts";
import type { Path } from "./routes.ts";
import type { Traffic } from "./traffic.ts";

/** One printed row of a bandwidth table, in decimal Gb/s. */
export interface BandwidthResult {
  readonly bytes: number;
  readonly iterations: number;
  /** 0 when not measured. */
  readonly peakGbps: number;
  readonly averageGbps: number;
}

/** One printed row of a latency table, in µs. */
export interface LatencyResult {
  readonly bytes: number;
  readonly iterations: number;
  readonly minimum: number;
  readonly maximum: number;
  readonly typical: number;
  readonly average: number;
  readonly deviation: number;
  readonly p99: number;
  readonly p999: number;
}

/** Messages a second that one queue pair posts, in millions, for cards of the HDR generation. */
const messageRateMpps = 4.1;
/** Queue pairs beyond this number add no more messages. */
const usefulQueuePairs = 8;

/** Data rate of the path for a new test; a loop inside one card turns around at the rate of its port. */
export function pathRateGbps(traffic: Traffic, path: Path, port: SimulatedPort): number {
  return path.length === 0 ? dataRateGbps(port.lanes, port.speed) : traffic.rateGbps(path);
}

/**
 * Average of one direction in Gb/s for messages of `bytes`.
 * @param rateGbps data rate of the path
 * @param random next number in [0, 1): the spread between runs
 */
export function bandwidthGbps(
  verb: Verb,
  rateGbps: number,
  bytes: number,
  options: Pick<PerftestOptions, "queuePairs" | "mtu">,
  random: () => number,
): number {
  const share = 0.971 + 0.013 * random();
  const framing = (options.mtu / (options.mtu + 30)) * (4126 / 4096);
  const fast = rateGbps > 100;
  const verbShare = verb === "read" && fast ? 0.962 : 1;
  const wire = rateGbps * share * framing * verbShare;
  const posting = messageRateMpps * (0.97 + 0.06 * random()) * Math.min(options.queuePairs, usefulQueuePairs);
  const posted = (posting * bytes * 8) / 1000;
  // A soft minimum: near the bend neither limit is reached.
  return (wire ** -4 + posted ** -4) ** -0.25;
}

/** Peak that goes with an average; never more than the wire carries. */
export function peakGbps(average: number, rateGbps: number, random: () => number): number {
  return Math.min(average * (1.0005 + 0.004 * random()), Math.max(average, rateGbps * 0.994));
}

/** Largest message that goes inline, by verb; a longer one costs another read over PCIe. */
const inlineBytes: Readonly<Record<Verb, number>> = { write: 220, send: 236, read: 0 };

/** One way in µs for a small message over `switches` switches. */
function oneWay(verb: Verb, bytes: number, switches: number, rateGbps: number): number {
  const fetch = verb !== "read" && bytes > inlineBytes[verb] ? 0.48 : 0;
  const copy = (Math.min(bytes, 4096) / 4096) * 0.55;
  const serial = (bytes * 8 * 1.6) / (rateGbps * 1000);
  return 1.0 + 0.13 * switches + fetch + copy + serial;
}

/**
 * A latency row as one side measures it: half the round trip for write and send, the whole for read.
 * @param weak the path has a cable that repeats packets, so the slowest samples are far slower
 */
export function latencyResult(
  verb: Verb,
  bytes: number,
  iterations: number,
  way: {
    readonly switches: number;
    readonly rateGbps: number;
    readonly weak: boolean;
    /** Another test fills a port of the path: each message waits for some packets of it. */
    readonly loaded: boolean;
  },
  random: () => number,
): LatencyResult {
  const base = oneWay(verb, bytes, way.switches, way.rateGbps) * (verb === "read" ? 1.75 : 1);
  const queued = way.loaded ? 2.2 + 0.9 * random() : 0;
  const typical = base + queued + 0.04 * random();
  const minimum = typical - 0.02 - 0.03 * random();
  const tail = 2.5 * queued + (way.weak ? 14 : 1.4) + (way.weak ? 9 : 1.1) * random();
  const maximum = typical + tail + 2.5 * random() + (iterations > 2000 ? 2 * random() : 0);
  const p99 = iterations <= 100 ? maximum : typical + 0.9 * queued + 0.06 + 0.05 * random() + (way.weak ? 2.1 : 0);
  return {
    bytes,
    iterations,
    minimum,
    maximum,
    typical,
    average: typical + 0.01 + 0.01 * random() + (way.weak ? 0.3 : 0),
    deviation: (way.weak ? 0.9 : 0.05) + 0.04 * random(),
    p99: Math.min(p99, maximum),
    p999: iterations <= 1000 ? maximum : Math.min(maximum, typical + tail * 0.8),
  };
}
