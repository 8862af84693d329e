/**
 * What can be asked of a fabric that a thread holds: name → answer. A question is a pure function of the held fabric and
 * plain data; its input and output survive structured cloning. To add one, add a line to the table.
 */
import type { AppError } from "../../shared/errors/kinds.ts";
import { ok, type Result } from "../../shared/base/result.ts";
import { otherPair, type OtherPair, type OtherPairInput } from "../../shared/measure/guide.ts";
import { planMeasurement, type PlanInput } from "../../shared/measure/plan.ts";
import { selectLinks, type SweepSelection } from "../../shared/measure/sweep-select.ts";
import { draftSweep, type SweepDraft, type SweepInput } from "../../shared/measure/sweep.ts";
import type { MeasurePlan } from "../../shared/measure/types.ts";
import type { HeldFabric, HeldProgress } from "./held-fabric.ts";
import { across, routesOf, way } from "./route-questions.ts";

/** Plans one measurement: by the forwarding tables where there are some. */
function plan(
  held: HeldFabric,
  input: Omit<PlanInput, "routes">,
  progress: HeldProgress,
): Result<MeasurePlan, AppError> {
  const network = held.routes(progress)?.network;
  return planMeasurement(held.fabric, held.analysis, {
    ...input,
    ...(network === undefined ? {} : { routes: network }),
  });
}

/** Another pair for the cable of a plan, by shortest paths: the trace has shown that the tables do not hold; null when none is left. */
function anotherPair({ fabric, analysis }: HeldFabric, input: OtherPairInput): Result<OtherPair | null, AppError> {
  return ok(otherPair(fabric, analysis, input) ?? null);
}

/** Which links, and how: what {@link draftSweep} needs beside the fabric. */
export interface SweepQuestion extends Omit<SweepInput, "routes" | "links"> {
  readonly selection: SweepSelection;
}

/** Plans a sweep: pairs, rounds, and the links that cannot be measured. */
function planSweep(
  held: HeldFabric,
  { selection, ...input }: SweepQuestion,
  progress: HeldProgress,
): Result<SweepDraft, AppError> {
  const network = held.routes(progress)?.network;
  const { fabric, analysis } = held;
  const links = selectLinks(fabric, analysis, selection);
  return ok(
    draftSweep(
      fabric,
      analysis,
      { ...input, links, ...(network === undefined ? {} : { routes: network }) },
      (done, total) => progress(done, total, "Looking for pairs of hosts"),
    ),
  );
}

export const questions = { planSweep, plan, anotherPair, routes: routesOf, across, way } as const;

export type QuestionName = keyof typeof questions;
export type QuestionInput<N extends QuestionName> = Parameters<(typeof questions)[N]>[1];
export type QuestionOutput<N extends QuestionName> =
  ReturnType<(typeof questions)[N]> extends Result<infer T, AppError> ? T : never;

/** Answers one question; the pairing of name and input is the caller's. */
export function answer(
  held: HeldFabric,
  name: QuestionName,
  input: unknown,
  progress: HeldProgress,
): Result<unknown, AppError> {
  const asked = questions[name] as (
    held: HeldFabric,
    input: unknown,
    progress: HeldProgress,
  ) => Result<unknown, AppError>;
  return asked(held, input, progress);
}
