/** Growth of watched error counters, per cable and over time. Pure; no React. */
import { groupDigits } from "../../../shared/base/text.ts";
import type { CounterWatchStatus } from "../../../shared/contract/counter-watch.ts";
import { at, nodeGuid, portGuid } from "../../../shared/fabric/access.ts";
import type { CounterPoint, CounterSeries } from "../../../shared/fabric/counter-history.ts";
import type { ErrorCounter } from "../../../shared/fabric/counters.ts";
import type { Fabric } from "../../../shared/fabric/model.ts";

/** What one counter of one port did while it was watched. */
export interface PortGrowth {
  /** Port index. */
  readonly port: number;
  readonly counter: ErrorCounter;
  /** Counted since the watch began. */
  readonly counted: number;
  /** Over the whole watch. */
  readonly perHour: number;
  /** Growth an hour in equal pieces of the watch, oldest first; `at` is the end of a piece. */
  readonly pieces: readonly { readonly at: number; readonly perHour: number }[];
  /** When it counted, newest last. */
  readonly times: readonly number[];
}

const mostPieces = 48;

/** `12 per hour`, `0.4 per hour`. */
export function perHourText(perHour: number): string {
  return `${perHour < 10 ? Number(perHour.toFixed(1)) : groupDigits(Math.round(perHour))} per hour`;
}

/** What stood when the watch began: a counter that was first listed later stood at 0. */
function valueAtBegin(points: readonly CounterPoint[], begin: number): number {
  return points.reduce((value, point) => (point.at <= begin ? point.value : value), 0);
}

/** After a reset all that has come since. */
function grown(before: number, after: number): number {
  return after < before ? after : after - before;
}

function growthOf(
  port: number,
  { counter, points, cut }: CounterSeries,
  { from, to, intervalSeconds }: { readonly from: number; readonly to: number; readonly intervalSeconds: number },
): PortGrowth | undefined {
  const begin = cut ? Math.max(from, points[0]?.at ?? from) : from;
  const inside = points.filter((point) => point.at > begin);
  if (inside.length === 0 || to <= begin) return undefined;
  const count = Math.max(1, Math.min(mostPieces, Math.floor((to - begin) / (intervalSeconds * 1000))));
  const width = (to - begin) / count;
  const amounts = Array.from({ length: count }, () => 0);
  let value = valueAtBegin(points, begin);
  for (const point of inside) {
    const piece = Math.min(count - 1, Math.ceil((point.at - begin) / width) - 1);
    amounts[piece] = (amounts[piece] ?? 0) + grown(value, point.value);
    value = point.value;
  }
  const pieces = amounts.map((amount, index) => ({
    at: begin + (index + 1) * width,
    perHour: (amount * 3_600_000) / width,
  }));
  const counted = amounts.reduce((sum, amount) => sum + amount, 0);
  if (counted <= 0) return undefined;
  return {
    ...{ port, counter, pieces, counted },
    perHour: (counted * 3_600_000) / (to - begin),
    times: inside.map((point) => point.at),
  };
}

/** Port indices by what ibqueryerrors calls them. O(ports). */
function portsByName(fabric: Fabric): ReadonlyMap<string, number> {
  const byName = new Map<string, number>();
  for (let port = 0; port < fabric.ports.count; port += 1) {
    const number = at(fabric.ports.number, port);
    byName.set(`${nodeGuid(fabric, at(fabric.ports.node, port))}:${number}`, port);
    const own = portGuid(fabric, port);
    if (own !== "" && !byName.has(`${own}:${number}`)) byName.set(`${own}:${number}`, port);
  }
  return byName;
}

const namesOf = new WeakMap<Fabric, ReadonlyMap<string, number>>();

/** What came out last: the hunt, the inspector and the picture ask for the same in each round of a watch. */
const lastOf = new WeakMap<
  Fabric,
  {
    readonly series: ReadonlyMap<string, CounterSeries>;
    readonly status: CounterWatchStatus | undefined;
    readonly growths: readonly PortGrowth[];
  }
>();

/**
 * All that grew while it was watched, the fastest first. O(points of all), once a round of the watch for all who ask; the same
 * list until the next round.
 */
export function growthsOf(
  fabric: Fabric,
  series: ReadonlyMap<string, CounterSeries>,
  status: CounterWatchStatus | undefined,
): readonly PortGrowth[] {
  const last = lastOf.get(fabric);
  if (last?.series === series && last.status === status) return last.growths;
  const growths = growthsNow(fabric, series, status);
  lastOf.set(fabric, { series, status, growths });
  return growths;
}

/** The ports' names once a fabric. */
function growthsNow(
  fabric: Fabric,
  series: ReadonlyMap<string, CounterSeries>,
  status: CounterWatchStatus | undefined,
): readonly PortGrowth[] {
  const { from, to, intervalSeconds = 0 } = status ?? { from: null, to: null };
  if (from === null || to === null || series.size === 0) return [];
  const names = namesOf.get(fabric) ?? portsByName(fabric);
  namesOf.set(fabric, names);
  const found: PortGrowth[] = [];
  for (const one of series.values()) {
    const port = names.get(`${one.guid}:${one.port}`);
    const growth = port === undefined ? undefined : growthOf(port, one, { from, to, intervalSeconds });
    if (growth !== undefined) found.push(growth);
  }
  return found.sort((x, y) => y.perHour - x.perHour);
}

/** Those of the two ends of a link. */
export function growthsOfLink(fabric: Fabric, link: number, growths: readonly PortGrowth[]): readonly PortGrowth[] {
  return growths.filter(({ port }) => at(fabric.ports.link, port) === link);
}
