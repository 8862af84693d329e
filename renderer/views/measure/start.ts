import { sourceLabel } from "../../../shared/contract/source.ts";
import type { CaptureInfo } from "../../../shared/contract/views.ts";
import type { LinkId } from "../../../shared/fabric/model.ts";
import { defaultMeasureOptions } from "../../../shared/measure/types.ts";
import { api } from "../../state/api-context.ts";
import { useFabric } from "../../state/fabric-store.ts";
import { useMeasure } from "../../state/measure-store.ts";
import { useSettings } from "../../state/settings-store.ts";
import { useUi } from "../../state/ui-store.ts";

/** Name under which "do not ask again" is kept for a capture's source. */
export function askLabel(capture: CaptureInfo): string {
  return capture.source === null ? capture.name : sourceLabel(capture.source);
}

/**
 * What the Measure command does: opens the plan, or starts a quick check at once when the user has said so for this
 * source. While a measurement runs, says so instead: two at a time would disturb each other.
 */
export async function startMeasuring(fabricId: string, link: LinkId): Promise<void> {
  const measure = useMeasure.getState();
  if (measure.running !== undefined) {
    const text = `${measure.running.plan.linkName} is being measured. Wait for its end or cancel it.`;
    useUi.getState().toast({ kind: "error", text });
    return;
  }
  const view = useFabric.getState().view;
  const label = view?.fabricId === fabricId ? askLabel(view.capture) : undefined;
  const withoutAsking = label !== undefined && useSettings.getState().settings.measureWithoutAsking.includes(label);
  if (!withoutAsking) {
    await measure.openSheet(fabricId, link);
    return;
  }
  // "Do not ask again" was said for a quick check as it comes, so options changed since do not apply.
  const plan = await api().call("measure.plan", { fabricId, link, options: defaultMeasureOptions });
  if (plan.ok) await measure.run(plan.value);
  else await measure.openSheet(fabricId, link);
}
