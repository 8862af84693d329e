/**
 * Link widths and speeds of InfiniBand.
 *
 * Numbers: data rate per lane = signalling × coding (8/10 up to QDR, 64/66 for FDR10, FDR and EDR; PAM4 with
 * RS(544,514) and 256b/257b from HDR on), InfiniBand Architecture Specification vol. 1 and 2.
 */

/** Speeds from slow to fast. The position is the code in `Uint8Array` columns; 0 is "unknown". */
export const speeds = ["unknown", "SDR", "DDR", "QDR", "FDR10", "FDR", "EDR", "HDR", "NDR", "XDR"] as const;
export type Speed = (typeof speeds)[number];

/** Data rate of one lane in Gb/s, by speed code. */
const laneGbps: readonly number[] = [0, 2, 4, 8, 10, 13.64, 25, 50, 100, 200];

/** Code of a speed name; 0 for a name that is none. */
export function speedCode(name: string): number {
  const code = (speeds as readonly string[]).indexOf(name);
  return code < 0 ? 0 : code;
}

/** Name of a speed code; `unknown` for a code that is none. */
export function speedName(code: number): Speed {
  return speeds[code] ?? "unknown";
}

/** Data rate in Gb/s of `lanes` lanes at a speed code; 0 when either is unknown. */
export function dataRateGbps(lanes: number, code: number): number {
  return lanes * (laneGbps[code] ?? 0);
}

/** `4x HDR`; unknown parts as `?`. */
export function formatRate(lanes: number, code: number): string {
  return `${lanes === 0 ? "?" : String(lanes)}x ${code === 0 ? "?" : speedName(code)}`;
}

/** `200`, `54.6`, `0.066`: Gb/s with at most one decimal, below 1 with two significant digits; without a unit. */
export function formatGbps(gbps: number): string {
  if (gbps >= 1) return String(Math.round(gbps * 10) / 10);
  // What is next to nothing would come with an exponent.
  return gbps < 1e-6 ? "0" : String(Number(gbps.toPrecision(2)));
}

/** `121.0`, `0.066`: a measured rate in Gb/s, always with its decimal; below 1 as {@link formatGbps}; without a unit. */
export function formatMeasuredGbps(gbps: number): string {
  return gbps < 1 ? formatGbps(gbps) : gbps.toFixed(1);
}
