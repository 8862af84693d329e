/** Results of a sweep as JSON lines. A promise to scripts: add, never change. */
import { explain } from "../../shared/errors/explain.ts";
import { routeProofOf } from "../../shared/measure/judge-evidence.ts";
import type { Sweep } from "../../shared/measure/sweep.ts";
import type { SweepResult } from "../measure/run-sweep.ts";
import type { ResultRow } from "../../shared/contract/results-export.ts";
import { planReport } from "./plan-report.ts";

/** One line of `ibex sweep`. */
export function sweepLine({ item, measurement, error, slow, siblingsGbps }: SweepResult): ResultRow {
  const evidence = measurement?.runs.flatMap((run) => run.evidence ?? []) ?? [];
  const route = routeProofOf(evidence);
  return {
    link: item.link,
    linkName: item.linkName,
    client: measurement?.client.host ?? item.clientHost,
    server: measurement?.server.host ?? item.serverHost,
    level: measurement?.verdict.level ?? "not-measured",
    bandwidthGbps: measurement?.bandwidthGbps ?? null,
    expectedGbps: measurement?.expectedGbps ?? null,
    percent: measurement?.percent ?? null,
    latencyUs: measurement?.latencyUs ?? null,
    slow,
    siblingsGbps: siblingsGbps ?? null,
    route: route?.kind ?? null,
    share: route?.share ?? null,
    newErrors:
      evidence.length === 0
        ? null
        : evidence.flatMap(({ newErrors }) => newErrors).reduce((sum, { growth }) => sum + growth, 0),
    basis: measurement?.basis ?? item.basis,
    measurement: measurement?.id ?? null,
    at: measurement?.at ?? null,
    sentence: measurement?.verdict.sentence ?? (error === undefined ? "" : explain(error).sentence),
    latencyP99Us: measurement?.latencyP99Us ?? null,
    source: measurement?.source.label ?? null,
    simulated: item.input().simulated,
    sweep: measurement?.sweep ?? null,
  };
}

/** `ibex sweep --dry-run --json`. */
export function dryRunReport(sweep: Sweep): Record<string, unknown> {
  return {
    links: sweep.rounds.reduce((sum, round) => sum + round.length, 0) + sweep.refused.length,
    rounds: sweep.rounds.map((round) => round.map((item) => planReport(item.plan()))),
    lowerBound: sweep.lowerBound,
    seconds: sweep.seconds,
    secondsMost: sweep.secondsMost,
    refused: sweep.refused,
  };
}
