/** Numbers and words of measurements as people read them. Pure; no React. */
import { count } from "../../../shared/base/text.ts";
import { formatGbps } from "../../../shared/fabric/rates.ts";
import type { MeasureOptions, Preset, VerdictLevel } from "../../../shared/measure/types.ts";

/** No-break space between a number and its per cent sign. */
const nbsp = "\u00a0";

/** `61 %`, integer. */
export function percentText(percent: number): string {
  return `${Math.round(percent)}${nbsp}%`;
}

/** `121.4`: one decimal, always. */
export function rateNumber(gbps: number): string {
  return gbps.toFixed(1);
}

/** `1.71`: two decimals, one from 100 on. */
export function latencyNumber(us: number): string {
  return us >= 100 ? us.toFixed(1) : us.toFixed(2);
}

/** `64 KiB`, `2 B`, `1 MiB`. */
export function bytesText(bytes: number): string {
  if (bytes >= 1024 * 1024 && bytes % (1024 * 1024) === 0) return `${bytes / (1024 * 1024)} MiB`;
  if (bytes >= 1024 && bytes % 1024 === 0) return `${bytes / 1024} KiB`;
  return `${bytes} B`;
}

/** Size of a file: `812 B`, `34 KiB`, `1.2 MiB`. */
export function fileSizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${Math.round(bytes / 1024)} KiB`;
  return `${(bytes / (1024 * 1024)).toFixed(1)} MiB`;
}

/** `of 200 Gb/s`, also for both directions together. */
export function expectedText(gbps: number): string {
  return gbps === 0 ? "rate not known" : `of ${formatGbps(gbps)} Gb/s`;
}

/** `RDMA write, 64 KiB, 4 QPs, 10 s`. */
export function settingsText(options: MeasureOptions): string {
  if (options.preset === "latency") return `Send, 2 B, ${count(options.latencyIterations, "time")}`;
  const both = options.bidirectional ? ", both directions" : "";
  return `RDMA write, ${bytesText(options.bytes)}, ${count(options.queuePairs, "QP")}, ${options.seconds} s${both}`;
}

export const presetTitles: Readonly<Record<Preset, string>> = {
  quick: "Quick check",
  bandwidth: "Bandwidth",
  latency: "Latency",
};

/** The word behind the percentage. */
export function levelWord(level: VerdictLevel): string {
  switch (level) {
    case "good":
      return "as expected";
    case "fair":
      return "below the pass line";
    case "slow":
      return "slow";
    case "bad":
      return "very slow";
    case "failed":
      return "failed";
    case "cancelled":
      return "cancelled";
  }
}

/** Colour and glyph of a verdict. A cancelled run says nothing about the link. */
export function levelHealth(level: VerdictLevel): "ok" | "warning" | "error" | "unknown" {
  switch (level) {
    case "good":
      return "ok";
    case "fair":
      return "warning";
    case "slow":
    case "bad":
    case "failed":
      return "error";
    case "cancelled":
      return "unknown";
  }
}
