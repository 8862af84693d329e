/**
 * Changes of subnet managers → bands over time: which state each was in, when there was no master, when nobody
 * looked. Pure; no React. Times are milliseconds since 1970.
 */
import type { ManagerChange } from "../../../shared/contract/manager-log.ts";
import type { WatchTime } from "../../../shared/contract/views.ts";

export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface Band extends Span {
  readonly state: ManagerChange["to"];
}

export interface Lane {
  readonly guid: string;
  readonly bands: readonly Band[];
}

export interface Timeline {
  /** The first master on top, the others in the order in which they were first seen. */
  readonly lanes: readonly Lane[];
  /** Without a master, as far as the questions tell: each end may be late by one interval. */
  readonly masterless: readonly Span[];
  /** Watched; outside of these nothing is known. */
  readonly watched: readonly Span[];
  readonly handovers: readonly { readonly at: number; readonly guid: string; readonly before: string }[];
}

/** The first answers of a watch come one after the other: a master that is seen within this time was there before. */
const firstAnswersMs = 15_000;
/** Shorter gaps are the time between two answers of one round. */
const leastGapMs = 1_000;

interface Part extends Span {
  readonly changes: readonly (ManagerChange & { readonly at: number })[];
}

/**
 * Cuts the changes into the times they were seen in. Changes outside of every time (logged by the command line) make
 * times of their own, from the first answer to the last change.
 */
function partsOf(changes: readonly ManagerChange[], times: readonly WatchTime[]): readonly Part[] {
  const known = times
    .map(({ from, to }) => ({ from: Date.parse(from), to: Date.parse(to) }))
    .filter(({ from, to }) => Number.isFinite(from) && to >= from)
    .sort((a, b) => a.from - b.from);
  const stamped = changes
    .map((change) => ({ ...change, at: Date.parse(change.time) }))
    .filter(({ at }) => Number.isFinite(at));
  const parts: Part[] = known.map((time) => ({
    ...time,
    changes: stamped.filter(({ at }) => at >= time.from && at <= time.to),
  }));
  const stray = stamped.filter(({ at }) => !known.some(({ from, to }) => at >= from && at <= to));
  let group: (ManagerChange & { at: number })[] = [];
  const seen = new Set<string>();
  const close = (): void => {
    const [first] = group;
    const last = group.at(-1);
    if (first !== undefined && last !== undefined) parts.push({ from: first.at, to: last.at, changes: group });
    group = [];
    seen.clear();
  };
  for (const change of stray) {
    // A first answer of one that is known already: another watch has begun.
    if (change.kind === "seen" && seen.has(change.guid)) close();
    if (change.kind === "seen") seen.add(change.guid);
    group.push(change);
  }
  close();
  return parts.sort((a, b) => a.from - b.from);
}

function bandsOf(part: Part): ReadonlyMap<string, readonly Band[]> {
  const bands = new Map<string, Band[]>();
  for (const { guid, to, at } of part.changes) {
    if (guid === "") continue;
    const list = bands.get(guid) ?? [];
    bands.set(guid, list);
    const before = list.at(-1);
    if (before?.state === to) continue;
    if (before !== undefined) list[list.length - 1] = { ...before, to: Math.max(before.from, at) };
    list.push({ state: to, from: at, to: Math.max(at, part.to) });
  }
  return bands;
}

/** What no master's band covers, from the first answer on. */
function masterlessIn(part: Part, bands: ReadonlyMap<string, readonly Band[]>): readonly Span[] {
  const [first] = part.changes;
  if (first === undefined) return [];
  const masters = [...bands.values()]
    .flat()
    .filter(({ state }) => state === "MASTER")
    .sort((a, b) => a.from - b.from);
  const gaps: Span[] = [];
  let until = first.at;
  for (const band of masters) {
    const least = until === first.at ? firstAnswersMs : leastGapMs;
    if (band.from - until >= least) gaps.push({ from: until, to: band.from });
    until = Math.max(until, band.to);
  }
  if (part.to - until >= leastGapMs) gaps.push({ from: until, to: part.to });
  return gaps;
}

/** All bands. `times`: when somebody looked, the running watch included. */
export function timelineOf(changes: readonly ManagerChange[], times: readonly WatchTime[]): Timeline {
  const lanes = new Map<string, Band[]>();
  const masterless: Span[] = [];
  const watched: Span[] = [];
  for (const part of partsOf(changes, times)) {
    const bands = bandsOf(part);
    for (const [guid, list] of bands) lanes.set(guid, [...(lanes.get(guid) ?? []), ...list]);
    masterless.push(...masterlessIn(part, bands));
    watched.push({ from: part.from, to: part.to });
  }
  const handovers = changes.flatMap(({ kind, guid, time, before }) =>
    kind === "handover" ? [{ at: Date.parse(time), guid, before: before ?? "" }] : [],
  );
  // Whoever was master first stands on top, whatever happens later: lanes do not move.
  const first = ([, [band]]: readonly [string, readonly Band[]]): number => (band?.state === "MASTER" ? 0 : 1);
  const inOrder = [...lanes].sort((a, b) => first(a) - first(b));
  return { lanes: inOrder.map(([guid, bands]) => ({ guid, bands })), masterless, watched, handovers };
}

/** Seconds without a master that end with a handover at this time; undefined when there were none. */
export function masterlessBefore(timeline: Timeline, at: number): number | undefined {
  const gap = timeline.masterless.find(({ to }) => to === at);
  return gap === undefined ? undefined : Math.round((gap.to - gap.from) / 1000);
}

/**
 * Since when a manager is in the state it is in, as the watch that began at `begun` saw it; `atLeast`: it was so when
 * the watch began. Undefined when this watch has not heard of it.
 */
export function sinceOf(
  changes: readonly ManagerChange[],
  guid: string,
  begun: string,
): { readonly time: string; readonly atLeast: boolean } | undefined {
  const start = Date.parse(begun);
  const last = changes
    .filter((change) => change.guid === guid && change.from !== change.to && Date.parse(change.time) >= start)
    .at(-1);
  return last === undefined ? undefined : { time: last.time, atLeast: last.kind === "seen" };
}

export const ranges = ["event", "hour", "day", "week"] as const;
export type Range = (typeof ranges)[number];

const hour = 3_600_000;
const lengths: Readonly<Record<Exclude<Range, "event">, number>> = { hour, day: 24 * hour, week: 7 * 24 * hour };
const least = 30_000;

/** The part of time that is shown. `event`: the last handover or loss with some time around it, else the last watch. */
export function shownSpan(timeline: Timeline, range: Range, now: number): Span {
  const end = timeline.watched.at(-1)?.to ?? now;
  if (range !== "event") return { from: end - lengths[range], to: end };
  const last = timeline.watched.at(-1) ?? { from: end - least, to: end };
  if (last.to - last.from <= hour) return { from: last.from, to: Math.max(last.to, last.from + least) };
  const events = [
    ...timeline.handovers.map(({ at }) => ({ from: at, to: at })),
    ...timeline.masterless,
    ...timeline.lanes.flatMap(({ bands }) => bands.filter(({ state }) => state === "NO-ANSWER")),
  ].filter(({ from }) => from >= last.from);
  if (events.length === 0) return { from: last.to - hour, to: last.to };
  const newest = Math.max(...events.map(({ from }) => from));
  // Handover and handover back belong to one picture.
  const near = events.filter(({ from }) => from > newest - hour / 2);
  const from = Math.min(...near.map((event) => event.from));
  const to = Math.max(...near.map((event) => Math.min(event.to, event.from + hour / 2)));
  const around = Math.max(60_000, (to - from) * 0.2);
  return { from: Math.max(last.from, from - around), to: Math.min(last.to, to + around) };
}

const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400];

/** Round times in a span, at most `most`; by local time, so that days begin at midnight. */
export function ticksOf({ from, to }: Span, most: number): readonly number[] {
  const seconds = Math.max(1, (to - from) / 1000);
  const step = (steps.find((one) => seconds / one <= most) ?? 86_400 * Math.ceil(seconds / 86_400 / most)) * 1000;
  const shift = new Date(from).getTimezoneOffset() * 60_000;
  const ticks: number[] = [];
  for (let at = Math.ceil((from - shift) / step) * step + shift; at <= to; at += step) ticks.push(at);
  return ticks;
}
