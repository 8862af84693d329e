/** The limits of verdicts. Sources: pass lines and latency bands of field guides and acceptance tests. */
import type { VerdictLevel } from "./types.ts";

export const bands = {
  fairPercent: 90,
  slowPercent: 70,
  /** Above this the number is not the rate of the path. */
  suspiciousPercent: 102,
  /** Smaller messages are bound by the message rate, not by the link. */
  judgedBytes: 65536,
  /** Averages in µs, half round trip. */
  latencyOneSwitchUs: 2,
  latencyGoodUs: 5,
  latencyFairUs: 10,
  latencyNotRdmaUs: 50,
} as const;

/** Level of a bandwidth by its share of the expected rate. */
export function bandwidthLevel(percent: number, passPercent: number): VerdictLevel {
  if (percent > bands.suspiciousPercent) return "fair";
  if (percent >= passPercent) return "good";
  if (percent >= bands.fairPercent) return "fair";
  if (percent >= bands.slowPercent) return "slow";
  return "bad";
}

/** Level of an average latency; over one switch less is expected than over several. */
export function latencyLevel(averageUs: number, switches: number): VerdictLevel {
  if (averageUs < (switches <= 1 ? bands.latencyOneSwitchUs : bands.latencyGoodUs)) return "good";
  return averageUs <= bands.latencyFairUs ? "fair" : "bad";
}
