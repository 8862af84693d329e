/** What is said of a link's baseline. Pure; no React. */
import type { Baseline } from "../../../shared/contract/sweeps.ts";
import type { Measurement } from "../../../shared/measure/types.ts";
import { dayTime } from "../../parts/time.ts";
import { latencyNumber, percentText, rateNumber } from "./words.ts";

/** The baseline that a result is held against. */
export function baselineOf(
  baselines: readonly Baseline[],
  { link, source }: Pick<Measurement, "link" | "source">,
): Baseline | undefined {
  return baselines.find(
    (one) => one.link === link && one.source === source.label && one.simulated === source.simulated,
  );
}

/** Per cent of what was expected that the baseline reached; undefined without a bandwidth or a known rate. */
export function baselinePercent(baseline: Baseline | undefined): number | undefined {
  if (baseline?.bandwidthGbps == null || baseline.expectedGbps === 0) return undefined;
  return (baseline.bandwidthGbps / baseline.expectedGbps) * 100;
}

/** `195.9 Gb/s of 12 Feb 22:10, this run 62 % of it`. */
export function baselineText(
  baseline: Baseline,
  record: Pick<Measurement, "id" | "bandwidthGbps" | "expectedGbps">,
  now: number,
): string {
  const { bandwidthGbps, latencyUs, measuredAt } = baseline;
  const was = bandwidthGbps === null ? `${latencyNumber(latencyUs ?? 0)} µs` : `${rateNumber(bandwidthGbps)} Gb/s`;
  const of = `${was} of ${dayTime(measuredAt, now)}`;
  if (record.id === baseline.measurement) return `${of}, this run`;
  if (bandwidthGbps === null || bandwidthGbps === 0 || record.bandwidthGbps === undefined) return of;
  if (record.expectedGbps !== baseline.expectedGbps) return `${of}, at another rate: not comparable`;
  return `${of}, this run ${percentText((record.bandwidthGbps / bandwidthGbps) * 100)} of it`;
}
