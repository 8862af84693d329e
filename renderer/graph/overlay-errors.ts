/** The overlay of errors: growth an hour of the error counters of both ends that a cable makes. */
import type { Thresholds } from "../../shared/analyse/thresholds.ts";
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

/** Growth of errors by link; NaN where nobody can tell. */
export interface ErrorGrowth {
  /** Errors an hour, of all counters of both ends together. */
  readonly perHour: Float64Array;
  /** The same as a share of what is allowed, each counter by its own limit: above 1 it is an error. */
  readonly ofLimit: Float64Array;
  /** The limit, errors an hour, when all counters of a cable have the same. */
  readonly limit: number | undefined;
}

/** Limits by counter; a counter without one is never judged. */
type Limits = Thresholds["counters"];

const isCableError: ReadonlySet<ErrorCounter> = new Set(cableErrors);

/**
 * Growth an hour by link: between the two readings of the fabric, or what a watch saw since it began. NaN where nobody
 * can tell: one reading only, or a port that was not read. O(links + growths).
 *
 * @param watched undefined while no watch has two readings
 */
export function errorGrowthOfLinks(
  fabric: Fabric,
  watched: readonly WatchedGrowth[] | undefined,
  limits: Limits,
): ErrorGrowth {
  const { links, counters } = fabric;
  const start = watched === undefined ? Number.NaN : 0;
  const perHour = new Float64Array(links.count).fill(start);
  const ofLimit = new Float64Array(links.count).fill(start);
  const add = (link: number, counter: ErrorCounter, growth: number): void => {
    const allowed = limits[counter]?.errorPerHour ?? Infinity;
    perHour[link] = known(at(perHour, link)) + growth;
    ofLimit[link] = known(at(ofLimit, link)) + (growth === 0 ? 0 : growth / allowed);
  };
  const set = new Set(cableErrors.map((name) => limits[name]?.errorPerHour));
  const [only] = set.size === 1 ? set : [];
  const made = { perHour, ofLimit, limit: only };
  if (watched !== undefined) {
    for (const one of watched) {
      const link = at(fabric.ports.link, one.port);
      if (link >= 0 && link < links.count && isCableError.has(one.counter)) add(link, one.counter, one.perHour);
    }
    return made;
  }
  if (counters === undefined || secondsBetween(counters) <= 0) return made;
  for (let link = 0; link < links.count; link += 1) {
    for (const port of [at(links.a, link), at(links.b, link)]) {
      for (const name of cableErrors) {
        const one = counterGrowth(counters, name, port);
        if (one !== undefined) add(link, name, one.perHour);
      }
    }
  }
  return made;
}

function known(value: number): number {
  return Number.isNaN(value) ? 0 : value;
}
