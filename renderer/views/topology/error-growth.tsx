/** The overlay of errors: its numbers, and why it may not have any. */
import { useMemo } from "react";
import { thresholdsOf } from "../../../shared/analyse/limits.ts";
import type { FabricView } from "../../../shared/contract/views.ts";
import { secondsBetween } from "../../../shared/fabric/counters.ts";
import { type ErrorGrowth, errorGrowthOfLinks } from "../../graph/overlay-errors.ts";
import { Button } from "../../parts/button.tsx";
import { useCounters } from "../../state/counter-store.ts";
import { useFabric } from "../../state/fabric-store.ts";
import { useSettings } from "../../state/settings-store.ts";
import { useGrowths } from "../findings/counter-watch.tsx";

/** True when a watch of this fabric has two readings. */
function useWatched(view: FabricView): boolean {
  return useCounters((state) => state.fabricId === view.fabricId && (state.status?.rounds ?? 0) >= 2);
}

/** Growth of errors by link, from the watch when there is one, else between two collections. */
export function useErrorGrowth(view: FabricView, wanted: boolean): ErrorGrowth | undefined {
  const { fabric } = view;
  const growths = useGrowths(view);
  const watched = useWatched(view);
  const limits = useSettings((state) => state.settings.limits);
  return useMemo(
    () =>
      wanted ? errorGrowthOfLinks(fabric, watched ? growths : undefined, thresholdsOf(limits).counters) : undefined,
    [wanted, fabric, watched, growths, limits],
  );
}

/** Why the overlay of errors shows nothing, and what helps. Nothing when there are two readings. */
export function GrowthMissing({ view }: { readonly view: FabricView }) {
  const watched = useWatched(view);
  const running = useCounters((state) => state.status?.running === true);
  const start = useCounters((state) => state.start);
  const loading = useFabric((state) => state.loading !== undefined);
  const collectAgain = useFabric((state) => state.collectAgain);
  const { counters } = view.fabric;
  if (watched || (counters !== undefined && secondsBetween(counters) > 0)) return null;
  if (running) return <span className="topology-legend-remark">Growth shows from the second reading on</span>;
  const why = counters === undefined ? "No counters here" : "One reading tells no growth";
  if (view.capture.source === null)
    return <span className="topology-legend-remark">{why}: open it together with a later output of ibqueryerrors</span>;
  return (
    <>
      <span className="topology-legend-remark">{why}</span>
      <Button kind="plain" size="small" icon="play" onClick={() => void start()}>
        Watch counters
      </Button>
      <Button kind="plain" size="small" icon="refresh" disabled={loading} onClick={() => void collectAgain()}>
        Collect again
      </Button>
    </>
  );
}
