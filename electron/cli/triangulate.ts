import type { Analysis } from "../../shared/analyse/results.ts";
import { createGuide } from "../../shared/measure/guide.ts";
import type { Fabric } from "../../shared/fabric/model.ts";
import { planMeasurement, type PlanInput } from "../../shared/measure/plan.ts";
import { guideOf, planTriangulation, testWords } from "../../shared/measure/triangulate.ts";
import type { Measurement } from "../../shared/measure/types.ts";
import { type MeasureDeps, type MeasureHooks, runMeasurement } from "../measure/run-measurement.ts";
import { runTriangulation } from "../measure/run-triangulation.ts";
import type { History } from "../store/history.ts";
import { ask, fail, isInteractive, print, say } from "./terminal.ts";

interface Place {
  readonly fabric: Fabric;
  readonly analysis: Analysis;
  readonly base: Omit<PlanInput, "link" | "client" | "server" | "options">;
  readonly deps: MeasureDeps;
  readonly hooks: MeasureHooks;
  readonly history: History;
}

/**
 * Tells a low result's node, link and route apart, and prints the last record with the answer. Nothing is done for a
 * result that is not low.
 *
 * @returns an exit code when it failed
 */
export async function triangulate(suspect: Measurement, place: Place, yes: boolean): Promise<number | undefined> {
  const { fabric, analysis, base, deps, hooks, history } = place;
  const { level } = suspect.verdict;
  if (level !== "slow" && level !== "bad") {
    say("The result is not slow: there is nothing to tell apart.");
    return undefined;
  }
  const plan = await planTriangulation(fabric, suspect, base, (input) => planMeasurement(fabric, analysis, input));
  if (!plan.ok) return fail(plan.error, 1);
  const { tests, missing, seconds } = plan.value;
  say(`Node, link or route? ${tests.length} pairs at line rate, one after the other, about ${seconds} s:`);
  for (const test of tests) say(`  ${testWords(test, suspect.linkName)}`);
  for (const { reason } of missing) say(`  not tried: ${reason}`);
  if (!yes && !base.simulated) {
    if (!isInteractive) {
      say("ibex: this loads these hosts at line rate. Add --yes to start without being asked.");
      return 2;
    }
    if ((await ask("Start? [yes/no] ", false, hooks.signal))?.trim().toLowerCase() !== "yes") return 2;
  }
  const end = await runTriangulation(
    plan.value,
    {
      now: deps.now,
      async measure(test, testHooks, finish) {
        const guide = guideOf(test, suspect, createGuide(fabric, analysis, test.input));
        const measured = await runMeasurement(test.plan, { ...deps, guide }, testHooks);
        if (!measured.ok) return measured;
        const record = finish(measured.value);
        const kept = await history.append(record);
        if (!kept.ok) say(`ibex: ${record.id} is not in the history`);
        return { ok: true, value: record };
      },
    },
    hooks,
  );
  if (!end.ok) return fail(end.error, end.error.kind === "cancelled" ? 130 : 1);
  const { triangulation, measurement } = end.value;
  print(JSON.stringify(measurement ?? { triangulation }));
  say(triangulation.sentence);
  for (const sentence of triangulation.why) say(`  ${sentence}`);
  for (const step of triangulation.next) say(`  > ${step}`);
  return undefined;
}
