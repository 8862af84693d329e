import { randomUUID } from "node:crypto";
import { err, ok } from "../../shared/base/result.ts";
import type { SourceSpec } from "../../shared/contract/source.ts";
import { guideOf, planTriangulation, testWords, type TriangulationPlan } from "../../shared/measure/triangulate.ts";
import type { Handlers } from "../ipc/router.ts";
import { runTriangulation } from "../measure/run-triangulation.ts";
import type { HeldFabrics } from "./held-fabrics.ts";
import { heldGuide } from "./held-guide.ts";
import { KeptPlans } from "./kept-plans.ts";
import { type Measurer, noSource } from "./measure-handlers.ts";
import type { OpenFabric } from "./open-fabrics.ts";
import type { SessionParts } from "./parts.ts";

/** Plans kept for `triangulation.run`. */
const plansKept = 20;

interface Ready {
  readonly plan: TriangulationPlan;
  readonly source: SourceSpec;
  readonly open: OpenFabric;
}

/** Telling a low result's node, link and route apart. */
export function triangulateHandlers(
  parts: Pick<SessionParts, "fabrics" | "history" | "now">,
  measurer: Measurer,
  held: HeldFabrics,
): Pick<Handlers, "triangulation.plan" | "triangulation.run"> {
  const plans = new KeptPlans<Ready>(parts.fabrics, plansKept);
  return {
    "triangulation.plan": async ({ fabricId, measurement }, context) => {
      const open = parts.fabrics.get(fabricId);
      if (open === undefined) return err({ kind: "unknown-id", what: "fabric", id: fabricId });
      const { source, simulated, name } = open.capture;
      if (source === undefined) return noSource(name);
      const suspect = await parts.history.get(measurement);
      if (!suspect.ok) return suspect;
      if (suspect.value.source.simulated !== simulated) {
        return err({ kind: "bad-request", detail: "this result is of another source than the open fabric" });
      }
      const ask = {
        what: "Planning",
        signal: context.signal,
        progress: (done: number, total: number, note: string) => context.progress({ step: "plan", done, total, note }),
      };
      const { understood } = open;
      const id = randomUUID();
      const plan = await planTriangulation(
        understood.fabric,
        suspect.value,
        { fabricId, planId: id, simulated },
        (input) => held.of(open).ask("plan", input, ask),
      );
      if (!plan.ok) return plan;
      plans.add(id, { plan: plan.value, source, open });
      const { tests, missing, seconds } = plan.value;
      return ok({
        id,
        tests: tests.map((test) => ({
          role: test.role,
          text: testWords(test, suspect.value.linkName),
          clientHost: test.plan.client.host,
          serverHost: test.plan.server.host,
          seconds: test.plan.seconds,
        })),
        missing: missing.map(
          ({ reason }) => `${reason.slice(0, 1).toUpperCase()}${reason.slice(1).replace(/\.$/, "")}.`,
        ),
        seconds,
      });
    },
    "triangulation.run": async ({ planId, allowBusy = false }, context) => {
      const ready = plans.get(planId);
      if (ready === undefined) return err({ kind: "unknown-id", what: "plan", id: planId });
      const { plan, source, open } = ready;
      return runTriangulation(
        plan,
        {
          now: parts.now,
          measure: (test, { signal, onProgress }, finish) => {
            const guide = heldGuide(open, test.input, { fabrics: parts.fabrics, held }, signal);
            return measurer(
              { plan: test.plan, source, guide: guideOf(test, plan.suspect, guide), allowBusy, finish },
              {
                signal,
                progress: ({ note, gbps }) => onProgress({ ...silent, note, ...(gbps === undefined ? {} : { gbps }) }),
              },
            );
          },
        },
        { signal: context.signal, onProgress: context.progress },
      );
    },
  };
}

/** Of a pair's own progress only the note and the rate are passed on. */
const silent = { step: "", done: 0, total: 0, steps: [] } as const;
