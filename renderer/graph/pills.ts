/** The number on a link: what was measured over it. Pure. */
import type { MeasurementSummary } from "../../shared/contract/views.ts";
import { at, linkId } from "../../shared/fabric/access.ts";
import type { Fabric } from "../../shared/fabric/model.ts";
import { formatGbps } from "../../shared/fabric/rates.ts";
import { percentClass, type PercentClass } from "../parts/percent.ts";
import { age } from "../parts/time.ts";
import type { Measured, OverlayName } from "./overlay.ts";
import { membersOf, type ViewGraph } from "./view-types.ts";

export interface Pill {
  /** Drawn bold: `61 %`. */
  readonly text: string;
  /** Quiet words behind it: `121 Gb/s, 2 min`. */
  readonly more: string;
  /** Bars of the meter, when it is a measured per cent. */
  readonly bars: PercentClass | undefined;
  /** Token of the frame. */
  readonly token: string;
  /** Not newer than 30 days: drawn weaker. */
  readonly old: boolean;
}

export interface PillInput {
  readonly fabric: Fabric;
  readonly graph: ViewGraph;
  readonly measured: Measured;
  readonly passPercent: number;
  readonly overlay: OverlayName;
  /** Drawn link, -1 for none. */
  readonly selected: number;
  /** Drawn link that is being measured now, -1 for none. */
  readonly running: number;
  readonly now: number;
}

const month = 30 * 24 * 3600 * 1000;

/** Pill of each drawn link that has one: the running and the selected one, every one below its pass line. */
export function pillsOf(input: PillInput): ReadonlyMap<number, Pill> {
  const { fabric, graph, measured, passPercent, overlay, selected } = input;
  const pills = new Map<number, Pill>();
  for (const [id, summary] of measured) {
    const link = drawnLink(fabric, graph, id);
    if (link < 0 || membersOf(graph.links, link).length !== 1) continue;
    const slow = summary.percent !== null && summary.percent < passPercent;
    if (link !== selected && !(slow && overlay === "bandwidth")) continue;
    const pill = pillFor(summary, passPercent, input.now, link === selected);
    if (pill !== undefined) pills.set(link, pill);
  }
  if (input.running >= 0) {
    pills.set(input.running, { text: "running", more: "", bars: undefined, token: "--accent", old: false });
  }
  return pills;
}

function drawnLink(fabric: Fabric, graph: ViewGraph, id: string): number {
  const link = linkIndex(fabric).get(id);
  if (link === undefined) return -1;
  const drawn = at(graph.linkOfFabricLink, link);
  return drawn < graph.links.count ? drawn : -1;
}

const indices = new WeakMap<Fabric, ReadonlyMap<string, number>>();

/** Link by its identity; built once per fabric. */
export function linkIndex(fabric: Fabric): ReadonlyMap<string, number> {
  let index = indices.get(fabric);
  if (index === undefined) {
    const made = new Map<string, number>();
    for (let link = 0; link < fabric.links.count; link++) made.set(linkId(fabric, link), link);
    indices.set(fabric, (index = made));
  }
  return index;
}

function pillFor(summary: MeasurementSummary, pass: number, now: number, full: boolean): Pill | undefined {
  const old = now - Date.parse(summary.at) > month;
  const when = age(summary.at, now);
  const latency = summary.latencyUs === null ? "" : `${summary.latencyUs.toFixed(2)} µs`;
  if (summary.percent === null || summary.bandwidthGbps === null) {
    // Small messages are not judged against the rate of the cable: their number stands for itself.
    const rate = summary.bandwidthGbps === null ? "" : `${formatGbps(summary.bandwidthGbps)} Gb/s`;
    const text = latency === "" ? rate : latency;
    if (text === "") return undefined;
    return { text, more: full ? when : "", bars: undefined, token: "--edge", old };
  }
  const gbps = summary.bandwidthGbps;
  const bars = percentClass(summary.percent, pass);
  return {
    text: `${Math.floor(summary.percent)} %`,
    // No decimals, but for what would read as nothing.
    more: full ? `${formatGbps(gbps < 1 ? gbps : Math.round(gbps))} Gb/s, ${when}` : "",
    bars,
    token: `--pct-${bars}`,
    old,
  };
}
