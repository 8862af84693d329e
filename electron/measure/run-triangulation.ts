/** Runs the pairs of a triangulation one after the other, and puts what they tell together. */
import { err, ok, type Result } from "../../shared/base/result.ts";
import { explain } from "../../shared/errors/explain.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { formatMeasuredGbps } from "../../shared/fabric/rates.ts";
import { crowdedCables, judgeTriangulation, outcomeOf } from "../../shared/measure/judge-triangulation.ts";
import { testWords, type TriangulationPlan, type TriangulationTest } from "../../shared/measure/triangulate.ts";
import type { CauseCheck, Measurement, TriangleResult, Triangulation } from "../../shared/measure/types.ts";
import { ProgressReporter, type RunProgress } from "./progress.ts";

export interface TriangulationDeps {
  /**
   * Runs one pair (run-measurement.ts) and puts `finish` of its record into the history, each as soon as it is there, so
   * that nothing of it is lost.
   */
  readonly measure: (
    test: TriangulationTest,
    hooks: { readonly signal: AbortSignal; readonly onProgress: (progress: RunProgress) => void },
    finish: (measurement: Measurement) => Measurement,
  ) => Promise<Result<Measurement, AppError>>;
  readonly now: () => number;
}

export interface TriangulationEnd {
  readonly triangulation: Triangulation;
  /** The low pair once more, with the triangulation in its record; absent when that gave no record. */
  readonly measurement?: Measurement;
}

/** Failures that every further pair would meet. */
const endsAll: ReadonlySet<AppError["kind"]> = new Set(["cancelled", "host-key-changed"]);

/**
 * Runs the tests in their order and judges. A pair that cannot be measured tells nothing and stops nothing.
 *
 * @returns `cancelled`, `host-key-changed`
 */
export async function runTriangulation(
  plan: TriangulationPlan,
  deps: TriangulationDeps,
  hooks: { readonly signal: AbortSignal; readonly onProgress: (progress: RunProgress) => void },
): Promise<Result<TriangulationEnd, AppError>> {
  const { suspect, tests } = plan;
  const steps = tests.map((test) => ({
    id: test.role,
    title: testWords(test, suspect.linkName),
    seconds: test.plan.seconds,
  }));
  const progress = new ProgressReporter(steps, deps.now, hooks.onProgress);
  const results: TriangleResult[] = [];
  const checks: CauseCheck[] = [...(suspect.checks ?? [])];
  const crossed = new Set<string>();
  const untested = plan.missing.map(({ role, reason }) => missingResult(plan, role, reason));
  const conclude = (all: readonly TriangleResult[], again: Measurement | undefined): Triangulation =>
    judgeTriangulation({
      suspect,
      results: [...all, ...untested],
      faults: faultsOf([...checks, ...(again?.checks ?? [])]),
      crowded: again === undefined ? [] : crowdedCables(again),
      untried: suspect.path.filter(({ link }) => !crossed.has(link)),
    });
  let measurement: Measurement | undefined;
  try {
    for (const test of tests) {
      progress.begin(test.role);
      // The low pair is the last: its record carries the word.
      const finish = (again: Measurement): Measurement => ({
        ...again,
        triangulation: conclude([...results, resultOf(plan, test, ok(again))], again),
      });
      const measured = await deps.measure(
        test,
        {
          signal: hooks.signal,
          onProgress: ({ note, gbps }) => {
            progress.say(note);
            if (gbps !== undefined) progress.rate(gbps);
          },
        },
        test.role === "again" ? finish : (other) => other,
      );
      if (hooks.signal.aborted) return err({ kind: "cancelled", what: "Telling node, link and route apart" });
      if (!measured.ok && endsAll.has(measured.error.kind)) return measured;
      const result = resultOf(plan, test, measured);
      results.push(result);
      if (measured.ok && test.role === "again") measurement = measured.value;
      else if (measured.ok) {
        checks.push(...(measured.value.checks ?? []));
        for (const { link } of measured.value.path) crossed.add(link);
      }
      progress.end(measured.ok ? "done" : "failed", result.reason ?? `${formatMeasuredGbps(result.gbps ?? 0)} Gb/s`);
    }
  } finally {
    progress.close();
  }
  const known = measurement?.triangulation;
  return ok({
    triangulation: known ?? conclude(results, measurement),
    ...(measurement === undefined ? {} : { measurement }),
  });
}

function resultOf(
  { suspect }: TriangulationPlan,
  { role, plan }: TriangulationTest,
  measured: Result<Measurement, AppError>,
): TriangleResult {
  const pair = { role, clientHost: plan.client.host, serverHost: plan.server.host };
  if (!measured.ok) return { ...pair, outcome: "none", reason: explain(measured.error).sentence };
  const { id, client, server, bandwidthGbps, percent, verdict } = measured.value;
  // The trace may have taken another pair, and one with a host of the low pair tells nothing of the link.
  const lowHosts = [suspect.client.host, suspect.server.host];
  const mixed = role === "link" && [client.host, server.host].some((host) => lowHosts.includes(host));
  const outcome = mixed ? "none" : outcomeOf(measured.value);
  const reason = mixed ? "only pairs with a host of the low one cross the link" : verdict.sentence;
  return {
    role,
    clientHost: client.host,
    serverHost: server.host,
    outcome,
    measurement: id,
    ...(bandwidthGbps === undefined ? {} : { gbps: bandwidthGbps }),
    ...(percent === undefined ? {} : { percent }),
    ...(outcome === "none" ? { reason } : {}),
  };
}

function missingResult({ suspect }: TriangulationPlan, role: TriangleResult["role"], reason: string): TriangleResult {
  return {
    role,
    clientHost: role === "server" ? "another host" : suspect.client.host,
    serverHost: role === "client" ? "another host" : suspect.server.host,
    outcome: "none",
    reason,
  };
}

/** Each fault once. */
function faultsOf(checks: readonly CauseCheck[]): readonly CauseCheck[] {
  const faults = checks.filter(({ state }) => state === "fault");
  return [...new Map(faults.map((fault) => [`${fault.host} ${fault.what}`, fault])).values()];
}
