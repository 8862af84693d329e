/** The links table as columns: one row per link, then one per missing link. Pure; no React. */
import { type Analysis, type Health, healths } from "../../../shared/analyse/results.ts";
import { at, linkGbps, linkIsActive, type LinkKind, linkKind } from "../../../shared/fabric/access.ts";
import { type Fabric, type LinkId, physStates, portStates } from "../../../shared/fabric/model.ts";
import { dataRateGbps } from "../../../shared/fabric/rates.ts";
import type { MeasurementSummary } from "../../../shared/contract/views.ts";
import { latencyLevel } from "../../../shared/measure/bands.ts";
import { levelHealth } from "../measure/words.ts";
import { linkFinder } from "./link-finder.ts";

export const linkKinds: readonly LinkKind[] = ["host", "inter-switch", "aggregation", "router"];
/** Logical states a row can have, best last; `unknown`: no tool said. */
export const rowStates = portStates;

export interface LinkTable {
  readonly fabric: Fabric;
  readonly analysis: Analysis;
  /** Rows 0 … links - 1 are links; row links + m is analysis.missingLinks[m]. */
  readonly links: number;
  readonly count: number;
  /** Port indices. */
  readonly a: Uint32Array;
  readonly b: Uint32Array;
  /** Code in {@link healths}. */
  readonly health: Uint8Array;
  /** Code in {@link linkKinds}. */
  readonly kind: Uint8Array;
  /** Port whose state speaks for the link: the worse end. */
  readonly speaker: Uint32Array;
  /** Code in {@link rowStates}. */
  readonly state: Uint8Array;
  /** Active width and speed, the lower of both ends; 0 unknown or down. */
  readonly lanes: Uint8Array;
  readonly speed: Uint8Array;
  /** Data rate in Gb/s; NaN unknown or down. */
  readonly gbps: Float64Array;
  /** What both ends support when that is more, else 0 and NaN. */
  readonly couldBeLanes: Uint8Array;
  readonly couldBeSpeed: Uint8Array;
  readonly couldBeGbps: Float64Array;
}

function lower(a: number, b: number): number {
  return a === 0 ? b : b === 0 ? a : Math.min(a, b);
}

/** Rows between two pauses. */
const rowsAtOnce = 4096;

/** All links and missing links of a fabric; O(links), with pauses. */
export function* linkTable(fabric: Fabric, analysis: Analysis): Generator<undefined, LinkTable> {
  const links = fabric.links.count;
  const count = links + analysis.missingLinks.length;
  const table = {
    fabric,
    analysis,
    links,
    count,
    a: new Uint32Array(count),
    b: new Uint32Array(count),
    health: new Uint8Array(count),
    kind: new Uint8Array(count),
    speaker: new Uint32Array(count),
    state: new Uint8Array(count),
    lanes: new Uint8Array(count),
    speed: new Uint8Array(count),
    gbps: new Float64Array(count).fill(NaN),
    couldBeLanes: new Uint8Array(count),
    couldBeSpeed: new Uint8Array(count),
    couldBeGbps: new Float64Array(count).fill(NaN),
  };
  const { ports } = fabric;
  const { capability } = analysis;
  for (let link = 0; link < links; link += 1) {
    if (link % rowsAtOnce === 0) yield;
    const a = at(fabric.links.a, link);
    const b = at(fabric.links.b, link);
    table.a[link] = a;
    table.b[link] = b;
    table.health[link] = at(analysis.linkHealth, link);
    table.kind[link] = linkKinds.indexOf(linkKind(fabric, link));
    const stateA = at(ports.state, a);
    const stateB = at(ports.state, b);
    // An end that no tool asked says nothing about the other.
    const speaker = stateA === 0 ? b : stateB === 0 ? a : stateB < stateA ? b : a;
    table.speaker[link] = speaker;
    table.state[link] = at(ports.state, speaker);
    if (!linkIsActive(fabric, link) && at(ports.state, speaker) === portStates.indexOf("Down")) continue;
    table.lanes[link] = lower(at(ports.lanes, a), at(ports.lanes, b));
    table.speed[link] = lower(at(ports.speed, a), at(ports.speed, b));
    const gbps = linkGbps(fabric, link);
    table.gbps[link] = gbps === 0 ? NaN : gbps;
    const lanes = Math.max(at(table.lanes, link), at(capability.lanes, link));
    const speed = Math.max(at(table.speed, link), at(capability.speed, link));
    const promised = dataRateGbps(lanes, speed);
    if (gbps === 0 || promised <= gbps) continue;
    table.couldBeLanes[link] = lanes;
    table.couldBeSpeed[link] = speed;
    table.couldBeGbps[link] = promised;
  }
  const down = healths.indexOf("down");
  analysis.missingLinks.forEach((missing, m) => {
    const row = links + m;
    table.a[row] = missing.a;
    table.b[row] = missing.b;
    table.health[row] = down;
    table.kind[row] = linkKinds.indexOf("inter-switch");
    table.speaker[row] = missing.a;
    table.state[row] = portStates.indexOf("Down");
  });
  return table;
}

/** `Active`, `Initialize`, `Down / Polling`, `not asked`. */
export function stateText(table: LinkTable, row: number): string {
  return portStateText(table.fabric, at(table.speaker, row), row >= table.links);
}

/** State of one port for people. A port of a missing link that no tool asked about is down all the same. */
export function portStateText(fabric: Fabric, port: number, missing = false): string {
  const state = portStates[at(fabric.ports.state, port)] ?? "unknown";
  const phys = physStates[at(fabric.ports.phys, port)] ?? "unknown";
  if (state === "unknown" && !missing) return "not asked";
  if (state === "Down" || missing) return phys === "unknown" || phys === "LinkUp" ? "Down" : `Down / ${phys}`;
  return state;
}

/** True when traffic of two hosts can cross: a measurement can be planned. */
export function canMeasure(table: LinkTable, row: number): boolean {
  return cannotMeasureWords(table, row) === undefined;
}

/** Why a row cannot be measured, for a cell; undefined when it can. */
export function cannotMeasureWords(table: LinkTable, row: number): string | undefined {
  const kind = linkKinds[at(table.kind, row)];
  if (kind === "aggregation") return "cannot, in a switch";
  if (kind === "router") return "cannot, leaves subnet";
  return row < table.links && linkIsActive(table.fabric, row) ? undefined : "cannot, not active";
}

/** Newest measurements laid beside the rows. */
export interface MeasuredColumns {
  /** Health with what was measured: below the pass line a link is no longer healthy. Code in {@link healths}. */
  readonly health: Uint8Array;
  /** NaN = not measured, or only its latency. */
  readonly percent: Float64Array;
  /** Milliseconds since 1970, NaN = not measured. */
  readonly at: Float64Array;
  readonly summary: ReadonlyMap<number, MeasurementSummary>;
}

/** Matches measurements to rows by link identity; measurements of links that this fabric has not are left out. */
export function measuredColumns(
  table: LinkTable,
  latest: ReadonlyMap<LinkId, MeasurementSummary>,
  passPercent: number,
): MeasuredColumns {
  const health = table.health.slice();
  const percent = new Float64Array(table.count).fill(NaN);
  const time = new Float64Array(table.count).fill(NaN);
  const summary = measuredLinks(table.fabric, latest);
  for (const [link, entry] of summary) {
    percent[link] = entry.percent ?? NaN;
    time[link] = Date.parse(entry.at);
    health[link] = Math.max(at(health, link), healths.indexOf(measuredHealth(entry, passPercent)));
  }
  return { health, percent, at: time, summary };
}

/** Newest measurements by link; those of links that this fabric has not are left out. */
export function measuredLinks(
  fabric: Fabric,
  latest: ReadonlyMap<LinkId, MeasurementSummary>,
): ReadonlyMap<number, MeasurementSummary> {
  const links = new Map<number, MeasurementSummary>();
  if (latest.size === 0) return links;
  const find = linkFinder(fabric);
  for (const [id, entry] of latest) {
    const link = find(id);
    if (link !== undefined) links.set(link, entry);
  }
  return links;
}

/**
 * What a result says about a link. Far below the pass line is an error, just below it a warning. A low verdict that its latency
 * earned counts as well; one that it earned by an earlier pass line does not.
 */
export function measuredHealth(
  { percent, level, latencyUs, hops }: Pick<MeasurementSummary, "percent" | "level" | "latencyUs" | "hops">,
  passPercent: number,
): Health {
  if (percent !== null && percent < passPercent) return percent >= passPercent - 5 ? "warning" : "error";
  const low = level === "fair" || level === "slow" || level === "bad";
  const late = latencyUs !== null && latencyLevel(latencyUs, hops ?? 1) !== "good";
  return low && late ? levelHealth(level) : "ok";
}
