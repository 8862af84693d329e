/** Runs a plan on its two hosts and judges what came out. */
import { randomUUID } from "node:crypto";
import { err, ok, type Result } from "../../shared/base/result.ts";
import { explain } from "../../shared/errors/explain.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { comparisonsOf, type PastResult } from "../../shared/measure/baseline.ts";
import { headlineOf } from "../../shared/measure/headline.ts";
import { expectedGbpsOf, judge } from "../../shared/measure/judge.ts";
import { stepsOf } from "../../shared/measure/steps.ts";
import type { PlanGuide } from "../../shared/measure/guide.ts";
import type { CauseCheck, Measurement, MeasurePlan, RunRecord, TracedRoute } from "../../shared/measure/types.ts";
import type { HostAccess } from "../run/access.ts";
import { realSleep, type Sleep } from "./commands.ts";
import { checkCauses } from "./causes.ts";
import { PathCounters } from "./evidence.ts";
import { findUses } from "./in-use.ts";
import { claimsOf, type MeasureLocks } from "./locks.ts";
import { prepareSides, type PreparedSide } from "./prepare.ts";
import { ProgressReporter, type RunProgress } from "./progress.ts";
import { runSteps, type Sides } from "./run-steps.ts";
import type { SourceTools } from "./source-tools.ts";
import { traceFirst } from "./trace.ts";

export interface MeasureDeps {
  readonly access: HostAccess;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Pass line of the settings. */
  readonly passPercent: number;
  readonly sourceInfo: Measurement["source"];
  /** A TCP port for the rendezvous, a different one each time (random-port.ts). */
  readonly randomPort: () => number;
  /** Shared by all measurements of the process. */
  readonly locks: MeasureLocks;
  /** The user has said that others who use the adapters may be disturbed. */
  readonly allowBusy?: boolean;
  /** Id of the measurement; a random UUID by default. */
  readonly newId?: () => string;
  readonly sleep?: Sleep;
  /** How the InfiniBand tools are called on the source; by their names alone unless told. */
  readonly tools?: SourceTools;
  /** The fabric behind the plan: with it the way is traced before the run. */
  readonly guide?: PlanGuide;
  /** Earlier results, newest first, that this one is compared with. */
  readonly past?: () => Iterable<PastResult>;
}

export interface MeasureHooks {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: RunProgress) => void;
}

const plainTools: SourceTools = { sudo: false, options: [] };

/**
 * Runs a plan: prepares both hosts, then each tool, server first. When it returns, no process of it runs any more on
 * a host that can be reached.
 *
 * @returns the measurement, also when a test failed or was cancelled after something was measured (level `failed` or
 * `cancelled`, with the runs' errors and outputs). An error when nothing was started: `busy`, `in-use`, the access's errors,
 * `tool-missing`, `no-device`, `port-down`, `unsupported`, `cancelled`; `no-path` when the traced ways do not cross the cable.
 */
export async function runMeasurement(
  plan: MeasurePlan,
  deps: MeasureDeps,
  hooks: MeasureHooks,
): Promise<Result<Measurement, AppError>> {
  if (plan.simulated !== deps.access.simulated) {
    return err({
      kind: "bad-request",
      detail: "a plan for a simulated fabric runs on simulated hosts only, and the other way round",
    });
  }
  const claims = new ChangingClaims(deps.locks);
  const locked = await claims.take(plan);
  if (!locked.ok) return locked;
  const startedAt = deps.now();
  const progress = new ProgressReporter(stepPlans(plan), deps.now, hooks.onProgress);
  try {
    progress.begin("prepare");
    const way = await chooseWay(plan, deps, hooks.signal, progress, claims);
    if (!way.ok) return failPreparation(way.error, hooks.signal, progress);
    const { client, server } = way.value.plan;
    const sides = await prepareSides(deps.access, client, server, plan.options, hooks.signal);
    if (!sides.ok) return failPreparation(sides.error, hooks.signal, progress);
    const free = await checkFree(way.value.plan, sides.value, deps, hooks.signal, progress);
    if (!free.ok) return failPreparation(free.error, hooks.signal, progress);
    progress.end("done", [...[sides.value.client, sides.value.server].map(describeSide), ...free.value].join("; "));
    const runs = await runTools(way.value, deps, hooks.signal, progress, sides.value);
    const measured = runs.some((run) => run.error === undefined);
    if (!measured && runs.some((run) => run.error?.kind === "cancelled")) {
      return err({ kind: "cancelled", what: "The measurement" });
    }
    const measurement = toMeasurement(way.value, deps, startedAt, runs, sides.value);
    const stopped = (): boolean => hooks.signal.aborted;
    if (!isLow(measurement) || stopped()) return ok(measurement);
    const checks = await checkCauses(sides.value.client, sides.value.server, hooks.signal);
    // A cancel now takes nothing from what was measured.
    if (stopped()) return ok(measurement);
    return ok(toMeasurement(way.value, deps, startedAt, runs, sides.value, checks));
  } finally {
    progress.close();
    await claims.release();
  }
}

/** Beyond its planned time a run ends at the latest after both tools' limits, with the ways there and back. */
const longestDelayMs = 15 * 60_000;

/** Nothing runs where others work, unless the user has said so. Sentences on what was found meanwhile. */
async function checkFree(
  plan: MeasurePlan,
  sides: Sides,
  deps: MeasureDeps,
  signal: AbortSignal,
  progress: ProgressReporter,
): Promise<Result<readonly string[], AppError>> {
  progress.say("Looking whether others use the adapters");
  const { now, sleep = realSleep, tools = plainTools, access } = deps;
  const found = await findUses(sides, plan.path, { now, sleep, tools, source: access.source }, signal);
  if (signal.aborted) return err({ kind: "cancelled", what: "the preparation" });
  if (found.uses.length > 0 && deps.allowBusy !== true) return err({ kind: "in-use", uses: found.uses });
  return ok([
    ...found.ended.map((what) => `ended ${what}, left over from an earlier run`),
    ...(found.unknown.length === 0 ? [] : [`whether ${found.unknown.join(" and ")} had other work cannot be told`]),
  ]);
}

/** What a run has for itself; exchanged when it takes another pair. */
class ChangingClaims {
  private readonly locks: MeasureLocks;
  private give: (() => Promise<void>) | undefined;

  constructor(locks: MeasureLocks) {
    this.locks = locks;
  }

  async take(plan: MeasurePlan): Promise<Result<void, AppError>> {
    await this.release();
    const taken = await this.locks.acquire(claimsOf(plan), plan.seconds * 1000 + longestDelayMs);
    if (!taken.ok) return taken;
    this.give = taken.value;
    return ok(undefined);
  }

  async release(): Promise<void> {
    const { give } = this;
    this.give = undefined;
    await give?.();
  }
}

interface Way {
  readonly plan: MeasurePlan;
  readonly traced?: TracedRoute;
}

/** Traces the way where the fabric is known, and takes what that needs. */
async function chooseWay(
  plan: MeasurePlan,
  deps: MeasureDeps,
  signal: AbortSignal,
  progress: ProgressReporter,
  claims: ChangingClaims,
): Promise<Result<Way, AppError>> {
  const { guide, access, tools = plainTools } = deps;
  // Two adapters back to back have no way to choose.
  if (guide === undefined || plan.path.length < 2) return ok({ plan });
  progress.say("Tracing the way");
  const traced = await traceFirst(
    plan,
    { runner: access.source, tools, guide, onNote: (note) => progress.say(note) },
    signal,
  );
  if (!traced.ok) return traced;
  const locked = await claims.take(traced.value.plan);
  if (!locked.ok) return locked;
  progress.replan(stepPlans(traced.value.plan));
  return traced;
}

function failPreparation(error: AppError, signal: AbortSignal, progress: ProgressReporter): Result<never, AppError> {
  const cancelled = signal.aborted || error.kind === "cancelled";
  progress.end(cancelled ? "cancelled" : "failed", explain(error).sentence);
  return err(cancelled ? { kind: "cancelled", what: "The measurement" } : error);
}

function stepPlans(plan: MeasurePlan): { id: string; title: string; seconds: number }[] {
  const steps = plan.steps.map(({ id, title, seconds }) => ({ id, title, seconds }));
  const runs = steps.reduce((sum, step) => sum + step.seconds, 0);
  return [{ id: "prepare", title: "Find devices and tools", seconds: Math.max(0, plan.seconds - runs) }, ...steps];
}

function describeSide({ endpoint, device, ibPort }: PreparedSide): string {
  return `${endpoint.host} ${device} port ${ibPort}`;
}

function runTools(
  { plan, traced }: Way,
  deps: MeasureDeps,
  signal: AbortSignal,
  progress: ProgressReporter,
  sides: Sides,
): Promise<readonly RunRecord[]> {
  const { access, now, randomPort, sleep = realSleep, tools = plainTools } = deps;
  const counters = (): PathCounters =>
    new PathCounters(plan, traced?.crosses === true, { runner: access.source, tools, now, sleep });
  return runSteps(stepsOf(plan.options), sides, { now, randomPort, sleep, counters }, signal, progress);
}

function versionsOf(sides: readonly PreparedSide[]): Record<string, string> {
  return Object.fromEntries(
    sides.map(({ endpoint, versions }) => [endpoint.host, [...new Set(versions.values())].join(", ")]),
  );
}

/** A result that asks for an explanation. */
function isLow({ verdict, runs }: Measurement): boolean {
  if (verdict.level === "slow" || verdict.level === "bad") return true;
  return runs.some(({ error }) => error?.kind === "perftest" && error.code === "memory-locked");
}

function toMeasurement(
  { plan, traced }: Way,
  deps: MeasureDeps,
  startedAt: number,
  runs: readonly RunRecord[],
  sides: Sides,
  checks?: readonly CauseCheck[],
): Measurement {
  const comparisons = comparisonsOf(deps.past?.() ?? [], {
    link: plan.link,
    clientHost: plan.client.host,
    serverHost: plan.server.host,
    source: deps.sourceInfo.label,
    simulated: deps.sourceInfo.simulated,
    expectedGbps: expectedGbpsOf(plan.path, plan.options.bidirectional),
    hops: plan.path.length - 1,
    basis: plan.basis,
  });
  return {
    version: 1,
    id: deps.newId?.() ?? randomUUID(),
    at: new Date(startedAt).toISOString(),
    source: deps.sourceInfo,
    link: plan.link,
    linkName: plan.linkName,
    client: plan.client,
    server: plan.server,
    path: plan.path,
    basis: plan.basis,
    ...(traced === undefined ? {} : { traced }),
    options: plan.options,
    runs,
    ...judge({
      path: plan.path,
      link: plan.linkIndex,
      linkName: plan.linkName,
      basis: plan.basis,
      clientHost: plan.client.host,
      serverHost: plan.server.host,
      options: plan.options,
      passPercent: deps.passPercent,
      ...headlineOf(plan.options, runs),
      ...(traced === undefined ? {} : { traced }),
      comparisons,
      ...(checks === undefined ? {} : { checks }),
      evidence: runs.flatMap((run) => (run.evidence === undefined ? [] : [run.evidence])),
    }),
    ...(checks === undefined ? {} : { checks }),
    versions: versionsOf([sides.client, sides.server]),
  };
}
