/** Numbers and words of measurements as people read them. Pure; no React. */
import { count } from "../../../shared/base/text.ts";
import { formatGbps, formatMeasuredGbps } from "../../../shared/fabric/rates.ts";
import { defaultTools } from "../../../shared/measure/steps.ts";
import type {
  BandwidthTool,
  LatencyTool,
  Measurement,
  MeasureOptions,
  Preset,
  VerdictLevel,
} from "../../../shared/measure/types.ts";

/** No-break space between a number and its per cent sign. */
const nbsp = "\u00a0";

/** `61 %`, integer. */
export function percentText(percent: number): string {
  return `${Math.round(percent)}${nbsp}%`;
}

/** `121.4`, `0.066`: one decimal from 1 on, below two significant digits. */
export function rateNumber(gbps: number): string {
  return formatMeasuredGbps(gbps);
}

/** `1.71`: two decimals, one from 100 on. */
export function latencyNumber(us: number): string {
  return us >= 100 ? us.toFixed(1) : us.toFixed(2);
}

/** `6.00 µs avg, 12.40 µs p99, 4.0 times idle`; empty when none was measured. */
export function loadedText({
  latencyUs,
  loadedLatencyUs,
  loadedLatencyP99Us,
}: Pick<Measurement, "latencyUs" | "loadedLatencyUs" | "loadedLatencyP99Us">): string {
  if (loadedLatencyUs === undefined) return "";
  return [
    `${latencyNumber(loadedLatencyUs)} µs avg`,
    ...(loadedLatencyP99Us === undefined ? [] : [`${latencyNumber(loadedLatencyP99Us)} µs p99`]),
    ...(latencyUs === undefined || latencyUs <= 0 ? [] : [`${(loadedLatencyUs / latencyUs).toFixed(1)} times idle`]),
  ].join(", ");
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

/** What a tool does, as a choice and in a list of settings. */
export const toolTitles: Readonly<Record<BandwidthTool | LatencyTool, string>> = {
  ib_write_bw: "RDMA write",
  ib_read_bw: "RDMA read",
  ib_send_bw: "Send",
  raw_ethernet_bw: "Raw Ethernet",
  ib_write_lat: "RDMA write",
  ib_read_lat: "RDMA read",
  ib_send_lat: "Send",
};

/** Bandwidth of one step: `64 KiB, 4 QPs, 10 s`. */
function bandwidthWords({ bytes, queuePairs, seconds, sizeIterations, preset }: MeasureOptions): string {
  const pairs = preset === "deep" ? "1, 4 and 16 QPs" : count(queuePairs, "QP");
  return sizeIterations === undefined
    ? `${bytesText(bytes)}, ${pairs}, ${seconds} s`
    : `all sizes, ${pairs}, ${count(sizeIterations, "message")} each`;
}

/** `RDMA write, 64 KiB, 4 QPs, 10 s`. */
export function settingsText(options: MeasureOptions): string {
  const { preset, sizeIterations, latencyIterations, bandwidthTool, latencyTool, mtu, serviceLevel, gidIndex, gpu } =
    options;
  const more = [
    ...(options.bidirectional ? ["both directions"] : []),
    ...(preset === "acceptance" || preset === "deep" ? ["one direction, then both"] : []),
    ...(mtu === undefined ? [] : [`MTU ${mtu}`]),
    ...(serviceLevel === undefined ? [] : [`SL ${serviceLevel}`]),
    ...(gidIndex === undefined ? [] : [`GID index ${gidIndex}`]),
    ...(gpu === undefined ? [] : [`memory of GPU ${gpu}`]),
  ];
  const messages = sizeIterations === undefined ? count(latencyIterations, "time") : `${sizeIterations} times`;
  const latency = `${toolTitles[latencyTool ?? defaultTools.latency]}, ${sizeIterations === undefined ? "2 B" : "all sizes"}, ${messages}`;
  if (preset === "latency") return [latency, ...more].join(", ");
  return [`${toolTitles[bandwidthTool ?? defaultTools.bandwidth]}, ${bandwidthWords(options)}`, ...more].join(", ");
}

export const presetTitles: Readonly<Record<Preset, string>> = {
  quick: "Quick check",
  acceptance: "Acceptance",
  bandwidth: "Bandwidth",
  latency: "Latency",
  loaded: "Under load",
  deep: "Deep",
};

/** What a kind of measurement answers. */
export const presetHints: Readonly<Record<Preset, string>> = {
  quick: "Does the link carry its rate, and is its latency that of its switches?",
  acceptance: "For a protocol: long enough to trust, one direction, both at once, latency with its slowest 0.1 %.",
  bandwidth: "The rate only, by any tool, one size of messages or all.",
  latency: "Small messages only: jobs hardly feel it.",
  loaded: "What small messages feel while the link is full, as in training, beside their idle latency.",
  deep: "Tells a slow flow from a slow link: 1, 4 and 16 queue pairs, then both directions.",
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
