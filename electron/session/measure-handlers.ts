import { randomUUID } from "node:crypto";
import { err, ok, type Result } from "../../shared/base/result.ts";
import { sourceLabel, type SourceSpec } from "../../shared/contract/source.ts";
import { explain } from "../../shared/errors/explain.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { findLink } from "../../shared/fabric/access.ts";
import type { PlanGuide } from "../../shared/measure/guide.ts";
import type { PlanInput } from "../../shared/measure/plan.ts";
import type { Measurement, MeasurePlan } from "../../shared/measure/types.ts";
import type { CallContext, Handlers } from "../ipc/router.ts";
import { gpusOfPlan } from "../measure/gpu.ts";
import { MeasureLocks } from "../measure/locks.ts";
import { randomRendezvousPort } from "../measure/random-port.ts";
import { runMeasurement } from "../measure/run-measurement.ts";
import { sourceTools } from "../measure/source-tools.ts";
import type { HeldFabrics } from "./held-fabrics.ts";
import { heldGuide } from "./held-guide.ts";
import { KeptPlans } from "./kept-plans.ts";
import type { OpenFabric } from "./open-fabrics.ts";
import type { SessionParts } from "./parts.ts";

/** Plans kept for `measure.run`; older ones are planned anew. */
const plansKept = 100;

/** A fabric of files has no hosts that could measure. */
export function noSource(name: string): Result<never, AppError> {
  return err({
    kind: "unsupported",
    what: "Measuring",
    detail: `${name} was opened from files, so there is no cluster behind it. Connect over SSH and collect to measure its links.`,
  });
}

/** A result that the history did not take is still a result: it says first that it is in no file. */
function notKept(measurement: Measurement, why: AppError): Measurement {
  const { verdict } = measurement;
  const first = `This result is not in the history: ${explain(why).sentence} Copy or export it before you close it.`;
  return { ...measurement, verdict: { ...verdict, next: [first, ...verdict.next] } };
}

/** A plan with what its run needs beside it. */
export interface ReadyPlan {
  readonly plan: MeasurePlan;
  readonly source: SourceSpec;
  readonly guide: PlanGuide;
  /** Id of the sweep that it belongs to. */
  readonly sweep?: string;
  /** Others who use the adapters may be disturbed. */
  readonly allowBusy?: boolean;
  /** What is added to the record before it is kept. */
  readonly finish?: (measurement: Measurement) => Measurement;
}

/** Runs a plan on its hosts and puts the result into the history. */
export type Measurer = (ready: ReadyPlan, context: CallContext) => Promise<Result<Measurement, AppError>>;

/** One for the process: single measurements and sweeps share its locks, so that they never meet on a cable. */
export function createMeasurer(
  parts: Pick<SessionParts, "sources" | "settings" | "history" | "now">,
  locks = new MeasureLocks(),
): Measurer {
  return async ({ plan, source, guide, sweep, allowBusy = false, finish }, context) => {
    context.progress({ step: "connect", done: 0, total: 0, note: "Connecting" });
    // Another file may be opened meanwhile, which closes the fabric that this was planned for.
    const measured = await parts.sources.during(source, async () => {
      const opened = await parts.sources.get(source, context.signal);
      if (!opened.ok) return opened;
      return runMeasurement(
        plan,
        {
          access: opened.value.access,
          now: parts.now,
          passPercent: parts.settings.get().passPercent,
          locks,
          allowBusy,
          randomPort: randomRendezvousPort,
          tools: sourceTools(source),
          guide,
          past: () => parts.history.newestFirst(),
          sourceInfo: { kind: source.kind, label: sourceLabel(source), simulated: plan.simulated },
        },
        { signal: context.signal, onProgress: context.progress },
      );
    });
    if (!measured.ok) return measured;
    const finished = finish === undefined ? measured.value : finish(measured.value);
    const result: Measurement = sweep === undefined ? finished : { ...finished, sweep };
    const kept = await parts.history.append(result);
    return ok(kept.ok ? result : notKept(result, kept.error));
  };
}

/** Planning, running and the history of measurements. */
export function measureHandlers(
  parts: Pick<SessionParts, "fabrics" | "history" | "sources">,
  measurer: Measurer,
  held: HeldFabrics,
): Pick<Handlers, "measure.plan" | "measure.gpus" | "measure.run" | "measure.list" | "measure.get"> {
  type Planned = Omit<ReadyPlan, "guide"> & { readonly open: OpenFabric; readonly input: PlanInput };
  const plans = new KeptPlans<Planned>(parts.fabrics, plansKept);
  return {
    "measure.plan": async ({ fabricId, link, options, client, server }, context) => {
      const open = parts.fabrics.get(fabricId);
      if (open === undefined) return err({ kind: "unknown-id", what: "fabric", id: fabricId });
      const { source, simulated, name } = open.capture;
      const { fabric } = open.understood;
      const index = findLink(fabric, link);
      if (index === undefined) return err({ kind: "unknown-id", what: "link", id: link });
      if (source === undefined) return noSource(name);
      const planId = randomUUID();
      const wanted: PlanInput = {
        link: index,
        fabricId,
        planId,
        simulated,
        options,
        ...(client === undefined ? {} : { client }),
        ...(server === undefined ? {} : { server }),
      };
      const plan = await held.of(open).ask("plan", wanted, {
        what: "Planning",
        signal: context.signal,
        progress: (done, total, note) => context.progress({ step: "plan", done, total, note }),
      });
      if (plan.ok) plans.add(planId, { plan: plan.value, source, open, input: wanted });
      return plan;
    },
    "measure.gpus": async ({ planId }, context) => {
      const planned = plans.get(planId);
      if (planned === undefined) return err({ kind: "unknown-id", what: "plan", id: planId });
      return parts.sources.during(planned.source, async () => {
        const opened = await parts.sources.get(planned.source, context.signal);
        return opened.ok ? gpusOfPlan(planned.plan, opened.value.access, context.signal) : opened;
      });
    },
    "measure.run": async ({ planId, allowBusy = false }, context) => {
      const planned = plans.get(planId);
      if (planned === undefined) return err({ kind: "unknown-id", what: "plan", id: planId });
      const { open, input, ...ready } = planned;
      const guide = heldGuide(open, input, { fabrics: parts.fabrics, held }, context.signal);
      return measurer({ ...ready, guide, allowBusy }, context);
    },
    "measure.list": () => ok(parts.history.list()),
    "measure.get": ({ id }) => parts.history.get(id),
  };
}
