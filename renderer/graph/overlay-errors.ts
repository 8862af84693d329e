/** The overlay of errors: growth an hour of the error counters of both ends that a cable makes. */
import { at } from "../../shared/fabric/access.ts";
import { cableErrors, counterGrowth, type ErrorCounter, secondsBetween } from "../../shared/fabric/counters.ts";
import type { Fabric } from "../../shared/fabric/model.ts";

/** Growth that a watch saw at a port. */
export interface WatchedGrowth {
  /** Port index. */
  readonly port: number;
  readonly counter: ErrorCounter;
  readonly perHour: number;
}

const isCableError: ReadonlySet<ErrorCounter> = new Set(cableErrors);

/**
 * Growth an hour by link: between the two readings of the fabric, or what a watch saw since it began. NaN where nobody
 * can tell: one reading only, or a port that was not read. O(links + growths).
 *
 * @param watched undefined while no watch has two readings
 */
export function errorGrowthOfLinks(fabric: Fabric, watched: readonly WatchedGrowth[] | undefined): Float64Array {
  const { links, counters } = fabric;
  const growth = new Float64Array(links.count).fill(watched === undefined ? Number.NaN : 0);
  if (watched !== undefined) {
    for (const { port, counter, perHour } of watched) {
      const link = at(fabric.ports.link, port);
      if (link >= 0 && link < links.count && isCableError.has(counter)) growth[link] = at(growth, link) + perHour;
    }
    return growth;
  }
  if (counters === undefined || secondsBetween(counters) <= 0) return growth;
  for (let link = 0; link < links.count; link += 1) {
    for (const port of [at(links.a, link), at(links.b, link)]) {
      for (const name of cableErrors) {
        const one = counterGrowth(counters, name, port);
        if (one === undefined) continue;
        const before = at(growth, link);
        growth[link] = (Number.isNaN(before) ? 0 : before) + one.perHour;
      }
    }
  }
  return growth;
}
