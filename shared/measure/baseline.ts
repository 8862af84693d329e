/** Earlier results that a new one is compared with: of the same path, and of links like it. */
import { median } from "../base/statistics.ts";
import type { LinkId } from "../fabric/model.ts";
import type { MeasurePlan, VerdictLevel } from "./types.ts";

/** What is read of an earlier measurement; the history's summaries have it. */
export interface PastResult {
  readonly link: LinkId;
  readonly clientHost: string;
  readonly serverHost: string;
  /** Label of the source. */
  readonly source: string;
  readonly simulated: boolean;
  readonly bandwidthGbps: number | null;
  readonly expectedGbps: number;
  readonly level: VerdictLevel;
  /** Switches between the hosts, and on what the choice of the pair was based; absent in older records. */
  readonly hops?: number;
  readonly basis?: MeasurePlan["basis"];
}

/** A number to compare with, and of how many results it is the median. */
export interface Comparison {
  readonly gbps: number;
  readonly runs: number;
}

export interface Comparisons {
  /** Of the last good runs between the same hosts over the same link. */
  readonly baseline?: Comparison;
  /** Of the newest good result of every other link of the same kind, rate and number of switches. */
  readonly siblings?: Comparison;
}

export interface ComparisonSubject {
  readonly link: LinkId;
  readonly clientHost: string;
  readonly serverHost: string;
  readonly source: string;
  readonly simulated: boolean;
  readonly expectedGbps: number;
  readonly hops: number;
  readonly basis: MeasurePlan["basis"];
}

const baselineRuns = 5;
const siblingsNeeded = 4;

/** A result below this share of what it is compared with is said to be below. */
export const comparisonShare = 0.95;

/** Finds what a new result is compared with. `past`: newest first. O(past). */
export function comparisonsOf(past: Iterable<PastResult>, subject: ComparisonSubject): Comparisons {
  const own: number[] = [];
  const others = new Map<LinkId, number>();
  for (const result of past) {
    const { bandwidthGbps: gbps, level } = result;
    if (gbps === null || level !== "good") continue;
    // Another source may be another fabric; another expectation is another rate, or both directions.
    if (result.source !== subject.source || result.simulated !== subject.simulated) continue;
    if (result.expectedGbps !== subject.expectedGbps) continue;
    if (result.link === subject.link) {
      const samePair = result.clientHost === subject.clientHost && result.serverHost === subject.serverHost;
      if (samePair && own.length < baselineRuns) own.push(gbps);
      continue;
    }
    const sameKind = (result.basis === "host-link") === (subject.basis === "host-link");
    if (result.hops === subject.hops && sameKind && !others.has(result.link)) others.set(result.link, gbps);
  }
  return {
    ...(own.length === 0 ? {} : { baseline: { gbps: median(own), runs: own.length } }),
    ...(others.size < siblingsNeeded ? {} : { siblings: { gbps: median([...others.values()]), runs: others.size } }),
  };
}
