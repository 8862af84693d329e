/**
 * Links whose newest result is below the baseline that was set for them. The limits are Ibex's own: repeated runs over one
 * healthy path differ by 1 to 2 %, so 5 % less is a change, and a fifth less is a fault.
 */
import type { Finding } from "../analyse/results.ts";
import { findLink, linkName } from "../fabric/access.ts";
import type { Fabric, LinkId } from "../fabric/model.ts";
import { formatMeasuredGbps } from "../fabric/rates.ts";
import { comparisonShare } from "./baseline.ts";
import type { RouteProof, VerdictLevel } from "./types.ts";

/** What was set for a link. */
export interface LinkBaseline {
  readonly measurement: string;
  readonly link: LinkId;
  readonly source: string;
  readonly simulated: boolean;
  /** ISO 8601. */
  readonly measuredAt: string;
  readonly bandwidthGbps: number | null;
  readonly expectedGbps: number;
  readonly latencyUs: number | null;
}

/** A result of the history. */
export interface BaselineRun {
  readonly id: string;
  readonly at: string;
  readonly link: LinkId;
  readonly source: string;
  readonly simulated: boolean;
  readonly clientHost: string;
  readonly serverHost: string;
  readonly bandwidthGbps: number | null;
  readonly expectedGbps: number;
  readonly latencyUs: number | null;
  readonly level: VerdictLevel;
  readonly route?: RouteProof["kind"];
}

/** Below this share of the baseline it is an error. */
const errorShare = 0.8;
/** Above this multiple of the baseline's latency it is a warning, above the second an error. */
const latencyLimits = { warning: 1.3, error: 2.1 } as const;

const routeWords: Readonly<Record<RouteProof["kind"], string>> = {
  proven: ", proven by counters",
  spread: ", spread over several links",
  elsewhere: ", crossed another link",
  unknown: "",
};

/** A run that says something of its link; one that went another way does not. */
function counts(run: BaselineRun, baseline: LinkBaseline): boolean {
  return (
    run.link === baseline.link &&
    run.source === baseline.source &&
    run.simulated === baseline.simulated &&
    run.level !== "cancelled" &&
    run.level !== "failed" &&
    run.route !== "elsewhere"
  );
}

interface Fall {
  readonly severity: "warning" | "error";
  readonly was: string;
  readonly is: string;
  /** `61 % of the baseline`. */
  readonly share: string;
}

function bandwidthFall(run: BaselineRun, baseline: LinkBaseline): Fall | undefined {
  const { bandwidthGbps: was } = baseline;
  const { bandwidthGbps: is } = run;
  // Another expectation is another rate, or both directions: the two numbers do not compare.
  if (was === null || is === null || was === 0 || run.expectedGbps !== baseline.expectedGbps) return undefined;
  if (is >= was * comparisonShare) return undefined;
  return {
    severity: is < was * errorShare ? "error" : "warning",
    was: `${formatMeasuredGbps(was)} Gb/s`,
    is: `${formatMeasuredGbps(is)} Gb/s`,
    share: `${Math.round((is / was) * 100)}\u00a0% of it`,
  };
}

function latencyFall(run: BaselineRun, baseline: LinkBaseline): Fall | undefined {
  const { latencyUs: was } = baseline;
  const { latencyUs: is } = run;
  if (was === null || is === null || was === 0 || is <= was * latencyLimits.warning) return undefined;
  return {
    severity: is > was * latencyLimits.error ? "error" : "warning",
    was: `${was.toFixed(2)} µs`,
    is: `${is.toFixed(2)} µs`,
    share: `${(is / was).toFixed(1)} times as long`,
  };
}

function day(iso: string): string {
  return iso.slice(0, 10);
}

/**
 * Findings of one fabric. `history`: newest first. Of each kind of number the newest run after the baseline counts: a
 * good one later takes the finding away. O(history + baselines).
 */
export function baselineFindings(
  fabric: Fabric,
  history: readonly BaselineRun[],
  baselines: readonly LinkBaseline[],
): readonly Finding[] {
  if (baselines.length === 0) return [];
  const runs = new Map<LinkId, BaselineRun[]>();
  for (const baseline of baselines) runs.set(baseline.link, []);
  for (const run of history) runs.get(run.link)?.push(run);
  return baselines.flatMap((baseline): readonly Finding[] => {
    const index = findLink(fabric, baseline.link);
    if (index === undefined) return [];
    const own = (runs.get(baseline.link) ?? []).filter((run) => counts(run, baseline));
    const newestWith = (field: "bandwidthGbps" | "latencyUs"): BaselineRun | undefined =>
      own.find((run) => run[field] !== null && (field === "latencyUs" || run.expectedGbps === baseline.expectedGbps));
    const looked = [
      { run: newestWith("bandwidthGbps"), fall: bandwidthFall, what: "bandwidth" },
      { run: newestWith("latencyUs"), fall: latencyFall, what: "latency" },
    ] as const;
    return looked.flatMap(({ run, fall, what }): readonly Finding[] => {
      if (run === undefined || run.id === baseline.measurement || run.at <= baseline.measuredAt) return [];
      const fallen = fall(run, baseline);
      if (fallen === undefined) return [];
      const name = linkName(fabric, index);
      return [
        {
          id: `below-baseline ${what} ${baseline.link}`,
          rule: "below-baseline",
          severity: fallen.severity,
          title: "Below its baseline",
          subject: { kind: "link", name, link: baseline.link, index },
          message: `${name}: the ${what} was ${fallen.was} when the baseline was set, the last run reaches ${fallen.is}.`,
          evidence: `${fallen.is} on ${day(run.at)}, baseline ${fallen.was} of ${day(baseline.measuredAt)}: ${fallen.share}; ${run.clientHost} to ${run.serverHost}${routeWords[run.route ?? "unknown"]}`,
          cause:
            "The cable, one of its ends or one of the two hosts has changed, or others used the path during the run.",
          remedy: `Measure ${name} again between two other hosts. When it stays low, reseat the cable and compare firmware of both hosts with their siblings.`,
        },
      ];
    });
  });
}
