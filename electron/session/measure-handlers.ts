import { randomUUID } from "node:crypto";
import type { RouteNetwork } from "../../shared/analyse/routes/network.ts";
import { err, ok, type Result } from "../../shared/base/result.ts";
import { sourceLabel, type SourceSpec } from "../../shared/contract/source.ts";
import { explain } from "../../shared/errors/explain.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { findLink } from "../../shared/fabric/access.ts";
import { createGuide, type PlanGuide } from "../../shared/measure/guide.ts";
import { planMeasurement, type PlanInput } from "../../shared/measure/plan.ts";
import type { Measurement, MeasurePlan } from "../../shared/measure/types.ts";
import type { Handlers } from "../ipc/router.ts";
import { MeasureLocks } from "../measure/locks.ts";
import { randomRendezvousPort } from "../measure/random-port.ts";
import { runMeasurement } from "../measure/run-measurement.ts";
import { sourceTools } from "../measure/source-tools.ts";
import { captureRoutes } from "./capture-routes.ts";
import type { OpenFabric } from "./open-fabrics.ts";
import type { SessionParts } from "./parts.ts";

/** Plans kept for `measure.run`; older ones are planned anew. */
const plansKept = 100;

function noSource(name: string): Result<never, AppError> {
  return err({
    kind: "unsupported",
    what: "Measuring",
    detail: `${name} was opened from files, so there is no cluster behind it. Connect over SSH and collect to measure its links.`,
  });
}

/** Forwarding tables of open fabrics, read at the first plan of each. A fabric that is collected anew is another object. */
class RoutesOfFabrics {
  private readonly known = new WeakMap<OpenFabric, RouteNetwork | null>();

  of(open: OpenFabric): RouteNetwork | undefined {
    let network = this.known.get(open);
    if (network === undefined) {
      network = captureRoutes(open.capture, open.understood)?.network ?? null;
      this.known.set(open, network);
    }
    return network ?? undefined;
  }
}

/** A result that the history did not take is still a result: it says first that it is in no file. */
function notKept(measurement: Measurement, why: AppError): Measurement {
  const { verdict } = measurement;
  const first = `This result is not in the history: ${explain(why).sentence} Copy or export it before you close it.`;
  return { ...measurement, verdict: { ...verdict, next: [first, ...verdict.next] } };
}

/** Planning, running and the history of measurements. */
export function measureHandlers(
  parts: Pick<SessionParts, "fabrics" | "sources" | "settings" | "history" | "now">,
): Pick<Handlers, "measure.plan" | "measure.run" | "measure.list" | "measure.get"> {
  const locks = new MeasureLocks();
  const routes = new RoutesOfFabrics();
  const plans = new Map<
    string,
    { readonly plan: MeasurePlan; readonly source: SourceSpec; readonly guide: PlanGuide }
  >();
  return {
    "measure.plan": ({ fabricId, link, options, client, server }) => {
      const open = parts.fabrics.get(fabricId);
      if (open === undefined) return err({ kind: "unknown-id", what: "fabric", id: fabricId });
      const { source, simulated, name } = open.capture;
      const { fabric, analysis } = open.understood;
      const index = findLink(fabric, link);
      if (index === undefined) return err({ kind: "unknown-id", what: "link", id: link });
      if (source === undefined) return noSource(name);
      const planId = randomUUID();
      const { gidIndex, ...rest } = options;
      const network = routes.of(open);
      const wanted: PlanInput = {
        link: index,
        ...(network === undefined ? {} : { routes: network }),
        fabricId,
        planId,
        simulated,
        options: { ...rest, ...(gidIndex === undefined ? {} : { gidIndex }) },
        ...(client === undefined ? {} : { client }),
        ...(server === undefined ? {} : { server }),
      };
      const plan = planMeasurement(fabric, analysis, wanted);
      if (plan.ok) {
        plans.set(planId, { plan: plan.value, source, guide: createGuide(fabric, analysis, wanted) });
        const oldest = plans.keys().next().value;
        if (plans.size > plansKept && oldest !== undefined) plans.delete(oldest);
      }
      return plan;
    },
    "measure.run": async ({ planId }, context) => {
      const planned = plans.get(planId);
      if (planned === undefined) return err({ kind: "unknown-id", what: "plan", id: planId });
      const { plan, source, guide } = planned;
      context.progress({ step: "connect", done: 0, total: 0, note: "Connecting" });
      const opened = await parts.sources.get(source, context.signal);
      if (!opened.ok) return opened;
      const measured = await runMeasurement(
        plan,
        {
          access: opened.value.access,
          now: parts.now,
          passPercent: parts.settings.get().passPercent,
          locks,
          randomPort: randomRendezvousPort,
          tools: sourceTools(source),
          guide,
          past: () => parts.history.list().measurements,
          sourceInfo: { kind: source.kind, label: sourceLabel(source), simulated: plan.simulated },
        },
        { signal: context.signal, onProgress: context.progress },
      );
      if (!measured.ok) return measured;
      const kept = await parts.history.append(measured.value);
      return kept.ok ? measured : ok(notKept(measured.value, kept.error));
    },
    "measure.list": () => ok(parts.history.list()),
    "measure.get": ({ id }) => parts.history.get(id),
  };
}
