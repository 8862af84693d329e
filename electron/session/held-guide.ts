/** A guide for runs on an open fabric, whose other pairs its thread plans: one plan costs a search over the fabric. */
import { guideWith, type PlanGuide } from "../../shared/measure/guide.ts";
import type { PlanInput } from "../../shared/measure/plan.ts";
import type { HeldFabrics } from "./held-fabrics.ts";
import type { OpenFabric, OpenFabrics } from "./open-fabrics.ts";

/**
 * The guide of plans made with `input` on this fabric. There is no other pair when the fabric was closed, or collected
 * anew: links of the plan are numbers of the old one.
 */
export function heldGuide(
  open: OpenFabric,
  input: PlanInput,
  { fabrics, held }: { readonly fabrics: OpenFabrics; readonly held: HeldFabrics },
  signal: AbortSignal,
): PlanGuide {
  const { fabric } = open.understood;
  return guideWith(fabric, input, async (from) => {
    const now = fabrics.get(open.id);
    if (now?.understood.fabric !== fabric) return undefined;
    const asked = await held.of(now).ask("anotherPair", from, { what: "Looking for another pair", signal });
    return asked.ok ? (asked.value ?? undefined) : undefined;
  });
}
