/**
 * Overlays: the class of every fabric link under health, rate, bandwidth, latency, errors or routes, with the legend that explains them.
 * Colours are names of tokens; the classes never depend on the theme.
 */
import { type Analysis, type Health, healths } from "../../shared/analyse/results.ts";
import type { RoutesView } from "../../shared/contract/routes.ts";
import type { MeasurementSummary } from "../../shared/contract/views.ts";
import { at, linkGbps, linkId, linkKind } from "../../shared/fabric/access.ts";
import type { Fabric, LinkId } from "../../shared/fabric/model.ts";
import { formatGbps, formatRate } from "../../shared/fabric/rates.ts";
import { percentClass, type PercentClass } from "../parts/percent.ts";
import type { ErrorGrowth } from "./overlay-errors.ts";
import { amountClasses, amountLabel, busierWay } from "./overlay-routes.ts";

export const overlayNames = ["health", "rate", "bandwidth", "latency", "errors", "routes"] as const;
export type OverlayName = (typeof overlayNames)[number];

/** `dashed` is down and `dotted` not known, everywhere; `broken` and `dash-dot` tell classes of one colour apart. */
export type LineStyle = "solid" | "dashed" | "dotted" | "broken" | "dash-dot";

const dashes: Readonly<Record<LineStyle, readonly number[]>> = {
  solid: [],
  dashed: [6, 4],
  dotted: [2, 3],
  broken: [14, 3],
  "dash-dot": [14, 3, 3, 3],
};

/** Lengths of dashes and gaps of a style, px. In a legend's sample of 18 px they are shorter. */
export function dashesOf(line: LineStyle, sample = false): number[] {
  return dashes[line].map((length) => (sample ? Math.min(8, Math.max(2, length * 0.8)) : length));
}

/** One class of links under an overlay and its entry in the legend. Classes are listed from quiet to loud. */
export interface LinkClass {
  readonly id: string;
  readonly label: string;
  /** Token of the colour, as `--ok-line`. */
  readonly token: string;
  readonly line: LineStyle;
  /** Drawn in full colour, at least 2 px, above the quiet ones. */
  readonly loud: boolean;
  /** Sign beside the colour, when the class has one. */
  readonly glyph?: Health;
  /** Bars of five for measured classes. */
  readonly bars?: PercentClass;
  /** Thickness in px at 100 % for a sample of the line; absent = thin. */
  readonly width?: number;
  /** Fabric links (and missing ones) in it. */
  readonly count: number;
}

export interface Classes {
  readonly title: string;
  readonly classes: readonly LinkClass[];
  /** Class of each fabric link. */
  readonly ofLink: Uint8Array;
  /** Class of missing links: they are down in every overlay. */
  readonly ofMissing: number;
  /** What the colours do not say: one line at the end of the legend. */
  readonly remark: string;
}

export type Measured = ReadonlyMap<LinkId, MeasurementSummary>;

export interface ClassifyInput {
  readonly fabric: Fabric;
  readonly analysis: Analysis;
  readonly measured: Measured;
  readonly passPercent: number;
  /** What the forwarding tables tell; absent while nobody knows. */
  readonly routes?: RoutesView | undefined;
  readonly errors?: ErrorGrowth | undefined;
}

type Entry = Omit<LinkClass, "count">;

const downEntry: Entry = {
  id: "down",
  label: "down",
  token: "--error-line",
  line: "dashed",
  loud: true,
  glyph: "down",
};

const downCode = healths.indexOf("down");

/** Sorts every link into the classes of an overlay. O(links). */
export function classify(overlay: OverlayName, input: ClassifyInput): Classes {
  switch (overlay) {
    case "health":
      return byHealth(input);
    case "rate":
      return byRate(input);
    case "bandwidth":
      return byPercent(input);
    case "latency":
      return byLatency(input);
    case "errors":
      return byErrors(input);
    case "routes":
      return byRoutes(input);
  }
}

/** Counts classes and leaves out those that nothing is in, except `keep`. */
function finish(
  title: string,
  entries: readonly Entry[],
  raw: Uint8Array,
  missing: number,
  keep: (entry: Entry) => boolean,
  remark: string,
): Classes {
  const counts = new Uint32Array(entries.length);
  for (const entry of raw) counts[entry] = at(counts, entry) + 1;
  const down = entries.findIndex((entry) => entry.id === "down");
  counts[down] = at(counts, down) + missing;
  const kept = entries.map((entry, i) => ({ entry, i })).filter(({ entry, i }) => at(counts, i) > 0 || keep(entry));
  const place = new Uint8Array(entries.length);
  kept.forEach(({ i }, k) => (place[i] = k));
  return {
    title,
    classes: kept.map(({ entry, i }) => ({ ...entry, count: at(counts, i) })),
    ofLink: raw.map((entry) => at(place, entry)),
    ofMissing: at(place, down),
    remark,
  };
}

function byHealth({ fabric, analysis }: ClassifyInput): Classes {
  const entries: readonly Entry[] = [
    { id: "ok", label: "healthy", token: "--ok-line", line: "solid", loud: false },
    { id: "note", label: "note", token: "--note", line: "solid", loud: false, glyph: "note" },
    { id: "unknown", label: "unknown", token: "--unknown-line", line: "dotted", loud: false, glyph: "unknown" },
    {
      id: "not-enough-data",
      label: "not enough data",
      token: "--unknown-line",
      line: "solid",
      loud: false,
      glyph: "not-enough-data",
    },
    { id: "warning", label: "warning", token: "--warn-line", line: "solid", loud: true, glyph: "warning" },
    { id: "error", label: "error", token: "--error-line", line: "solid", loud: true, glyph: "error" },
    downEntry,
  ];
  const raw = Uint8Array.from({ length: fabric.links.count }, (_, link) => at(analysis.linkHealth, link));
  return finish("Health", entries, raw, analysis.missingLinks.length, (entry) => entry.id === "ok", "Thickness: rate");
}

/** Steps of colour and thickness by data rate, slow to fast (Gb/s of the 4x link of that speed). */
const rateSteps: readonly { readonly from: number; readonly token: string; readonly width: number }[] = [
  { from: 0.1, token: "--r-sdr", width: 1 },
  { from: 16, token: "--r-ddr", width: 1.25 },
  { from: 32, token: "--r-qdr", width: 1.5 },
  { from: 40, token: "--r-fdr10", width: 1.5 },
  { from: 54, token: "--r-fdr", width: 1.75 },
  { from: 100, token: "--r-edr", width: 2 },
  { from: 200, token: "--r-hdr", width: 2.75 },
  { from: 400, token: "--r-ndr", width: 3.5 },
  { from: 800, token: "--r-xdr", width: 4.5 },
];

function rateStep(gbps: number): (typeof rateSteps)[number] | undefined {
  let hit: (typeof rateSteps)[number] | undefined;
  for (const step of rateSteps) if (gbps >= step.from) hit = step;
  return hit;
}

/** Token of the colour of a data rate. */
export function rateToken(gbps: number): string {
  return rateStep(gbps)?.token ?? "--unknown-line";
}

/** Thickness of a link in px at 100 %: its data rate, so 2x HDR is as thin as EDR. 1 when the rate is not known. */
export function rateWidth(gbps: number): number {
  return rateStep(gbps)?.width ?? 1;
}

function byRate({ fabric, analysis }: ClassifyInput): Classes {
  // By number: to make the label of every link takes longer than all the rest.
  const seen = new Map<number, { gbps: number; label: string; links: number[] }>();
  const down: number[] = [];
  for (let link = 0; link < fabric.links.count; link++) {
    if (at(analysis.linkHealth, link) === downCode) {
      down.push(link);
      continue;
    }
    const gbps = linkGbps(fabric, link);
    const port = slowerPort(fabric, link);
    const lanes = at(fabric.ports.lanes, port);
    const speed = at(fabric.ports.speed, port);
    const key = gbps === 0 ? 0 : (lanes * 256 + speed) * 1e6 + Math.round(gbps * 10);
    const entry = seen.get(key);
    if (entry === undefined) {
      const label = gbps === 0 ? "not known" : `${formatRate(lanes, speed)}, ${formatGbps(gbps)} Gb/s`;
      seen.set(key, { gbps, label, links: [link] });
    } else entry.links.push(link);
  }
  // Fast to slow: in a bundle the slowest counts, so it must come later.
  const groups = [...seen.values()]
    .sort((a, b) => b.gbps - a.gbps || b.links.length - a.links.length || (a.label < b.label ? -1 : 1))
    .slice(0, 40);
  const times = new Map<string, number>();
  const entries: Entry[] = groups.map(({ gbps, label }) => {
    const token = rateToken(gbps);
    const before = times.get(token) ?? 0;
    times.set(token, before + 1);
    // 2x HDR is as fast as 4x EDR, and has its colour: the rarer of them are told by their line.
    const line = gbps === 0 ? "dotted" : before === 0 ? "solid" : before === 1 ? "broken" : "dash-dot";
    return { id: label, label, token, line, loud: false, width: rateWidth(gbps) };
  });
  entries.push(downEntry);
  const raw = new Uint8Array(fabric.links.count).fill(entries.length - 1);
  groups.forEach((group, i) => {
    for (const link of group.links) raw[link] = i;
  });
  for (const link of down) raw[link] = entries.length - 1;
  return finish("Rate", entries, raw, analysis.missingLinks.length, () => false, "Colour and thickness: data rate");
}

function slowerPort(fabric: Fabric, link: number): number {
  const a = at(fabric.links.a, link);
  const b = at(fabric.links.b, link);
  const aKnown = at(fabric.ports.lanes, a) > 0 && at(fabric.ports.speed, a) > 0;
  const bKnown = at(fabric.ports.lanes, b) > 0 && at(fabric.ports.speed, b) > 0;
  if (!aKnown || !bKnown) return aKnown ? a : b;
  const value = (port: number): number => at(fabric.ports.speed, port) * 16 + at(fabric.ports.lanes, port);
  return value(b) < value(a) ? b : a;
}

function measuredEntries(labels: readonly string[]): readonly Entry[] {
  const quiet: Entry = { id: "none", label: "not measured", token: "--unknown-line", line: "solid", loud: false };
  const classes = ([5, 4, 3, 2, 1] as const).map((bars, i) => ({
    id: `class-${bars}`,
    label: labels[i] ?? "",
    token: `--pct-${bars}`,
    line: "solid" as const,
    loud: bars < 5,
    bars,
  }));
  return [quiet, ...classes, downEntry];
}

/** Place of a class of five in {@link measuredEntries}. */
function placeOf(bars: PercentClass): number {
  return 6 - bars;
}

function byPercent({ fabric, analysis, measured, passPercent }: ClassifyInput): Classes {
  const borders = [passPercent, passPercent - 5, passPercent - 15, passPercent - 35];
  const labels = [
    `≥ ${borders[0]}`,
    `${borders[1]}–${borders[0]}`,
    `${borders[2]}–${borders[1]}`,
    `${borders[3]}–${borders[2]}`,
    `< ${borders[3]}`,
  ];
  const raw = measuredClasses(fabric, analysis, measured, (summary) =>
    summary.percent === null ? undefined : percentClass(summary.percent, passPercent),
  );
  return finish("Percent of expected", measuredEntries(labels), raw, analysis.missingLinks.length, () => true, "");
}

/** Ratio to the median of links of the same kind and number of hops: ≤ 1.1, 1.3, 1.6, 2.1, more. */
export function latencyClass(ratio: number): PercentClass {
  if (ratio <= 1.1) return 5;
  if (ratio <= 1.3) return 4;
  if (ratio <= 1.6) return 3;
  return ratio <= 2.1 ? 2 : 1;
}

function byLatency({ fabric, analysis, measured }: ClassifyInput): Classes {
  const values = new Map<string, number[]>();
  // Latencies compare only between links of one kind over as many switches.
  const alike = (summary: MeasurementSummary, link: number): string =>
    `${linkKind(fabric, link)} ${summary.hops ?? ""}`;
  for (let link = 0; measured.size > 0 && link < fabric.links.count; link += 1) {
    const summary = measured.get(linkId(fabric, link));
    if (summary?.latencyUs === null || summary === undefined) continue;
    const key = alike(summary, link);
    const list = values.get(key);
    if (list === undefined) values.set(key, [summary.latencyUs]);
    else list.push(summary.latencyUs);
  }
  const medians = new Map([...values].map(([key, list]) => [key, median(list)]));
  const raw = measuredClasses(fabric, analysis, measured, (summary, link) => {
    const middle = medians.get(alike(summary, link));
    return summary.latencyUs === null || middle === undefined || middle === 0
      ? undefined
      : latencyClass(summary.latencyUs / middle);
  });
  const labels = ["≤ 1.1", "1.1–1.3", "1.3–1.6", "1.6–2.1", "> 2.1"];
  const title = "Latency, times median";
  return finish(
    title,
    measuredEntries(labels),
    raw,
    analysis.missingLinks.length,
    () => true,
    "of links of one kind over as many switches",
  );
}

function byErrors({ fabric, analysis, errors }: ClassifyInput): Classes {
  // With several limits no one number tells where a colour begins.
  const limit = errors?.limit;
  const entries: readonly Entry[] = [
    { id: "none", label: "0 per hour", token: "--ok-line", line: "solid", loud: false },
    { id: "unknown", label: "growth not known", token: "--unknown-line", line: "dotted", loud: false },
    {
      id: "grows",
      label: limit === undefined ? "within the limits" : `to ${limit} per hour`,
      token: "--warn-line",
      line: "solid",
      loud: true,
      glyph: "warning",
    },
    {
      id: "beyond",
      label: limit === undefined ? "above a limit" : `> ${limit} per hour`,
      token: "--error-line",
      line: "solid",
      loud: true,
      glyph: "error",
    },
    downEntry,
  ];
  const raw = Uint8Array.from({ length: fabric.links.count }, (_, link) => {
    if (at(analysis.linkHealth, link) === downCode) return 4;
    if (errors === undefined || Number.isNaN(at(errors.perHour, link))) return 1;
    if (at(errors.perHour, link) === 0) return 0;
    return at(errors.ofLimit, link) <= 1 ? 2 : 3;
  });
  return finish("Errors", entries, raw, analysis.missingLinks.length, () => false, "of both ends of a cable");
}

function byRoutes({ fabric, analysis, routes }: ClassifyInput): Classes {
  const missing = analysis.missingLinks.length;
  const isDown = (link: number): boolean => at(analysis.linkHealth, link) === downCode;
  if (routes === undefined) {
    const unknown: Entry = { id: "unknown", label: "not known", token: "--unknown-line", line: "dotted", loud: false };
    const all = Uint8Array.from({ length: fabric.links.count }, (_, link) => (isDown(link) ? 1 : 0));
    return finish("Destinations", [unknown, downEntry], all, missing, () => false, "");
  }
  const between = Array.from(
    { length: fabric.links.count },
    (_, link) => linkKind(fabric, link) === "inter-switch" && !isDown(link),
  );
  const values = between.map((counts, link) => (counts ? busierWay(routes, link).destinations : 0));
  const amounts = amountClasses(values);
  const step = amounts.length < 2 ? 0 : 4 / (amounts.length - 1);
  const entries: readonly Entry[] = [
    { id: "other", label: "to hosts", token: "--unknown-line", line: "solid", loud: false },
    { id: "amount-0", label: "none", token: "--unknown-line", line: "dotted", loud: false },
    ...amounts.map((amount, i): Entry => {
      const place = amounts.length === 1 ? 3 : Math.round(1 + i * step);
      return {
        id: `amount-${i + 1}`,
        label: amountLabel(amount),
        token: `--amt-${place}`,
        line: "solid",
        loud: i > 0 && i === amounts.length - 1,
        width: 1 + place * 0.5,
      };
    }),
    downEntry,
  ];
  const raw = Uint8Array.from({ length: fabric.links.count }, (_, link) => {
    if (isDown(link)) return entries.length - 1;
    if (between[link] !== true) return 0;
    const value = values[link] ?? 0;
    return value === 0 ? 1 : 2 + amounts.findIndex(({ to }) => value <= to);
  });
  return finish("Destinations", entries, raw, missing, () => false, "of the busier direction");
}

function measuredClasses(
  fabric: Fabric,
  analysis: Analysis,
  measured: Measured,
  classOf: (summary: MeasurementSummary, link: number) => PercentClass | undefined,
): Uint8Array {
  return Uint8Array.from({ length: fabric.links.count }, (_, link) => {
    if (at(analysis.linkHealth, link) === downCode) return 6;
    const summary = measured.size === 0 ? undefined : measured.get(linkId(fabric, link));
    const bars = summary === undefined ? undefined : classOf(summary, link);
    return bars === undefined ? 0 : placeOf(bars);
  });
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}
