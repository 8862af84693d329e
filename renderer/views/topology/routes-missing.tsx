import { tablesCost } from "../../../shared/analyse/routes/cost.ts";
import type { FabricView } from "../../../shared/contract/views.ts";
import { Button } from "../../parts/button.tsx";
import { useFabric } from "../../state/fabric-store.ts";
import { useRoutes } from "../../state/routes-store.ts";

/** Why the overlay of routes shows nothing, and what helps. Nothing when the tables are there. */
export function RoutesMissing({ view }: { readonly view: FabricView }) {
  const state = useRoutes((routes) => (routes.of === view.fabric ? routes.state : "reading"));
  const error = useRoutes((routes) => routes.error);
  const loading = useFabric((fabric) => fabric.loading !== undefined);
  const collectAgain = useFabric((fabric) => fabric.collectAgain);
  const load = useRoutes((routes) => routes.load);
  if (state === "ready") return null;
  if (state === "reading") return <span className="topology-legend-remark">Reading the forwarding tables</span>;
  if (state === "failed") {
    const again = (): void => {
      useRoutes.setState({ of: undefined });
      void load(view);
    };
    return (
      <>
        <span className="topology-legend-remark">
          {error?.kind === "cancelled" ? "Reading was cancelled" : "The forwarding tables could not be read"}
        </span>
        <Button kind="plain" size="small" onClick={again}>
          Read again
        </Button>
      </>
    );
  }
  const { words } = tablesCost(view.fabric);
  return view.capture.source === null ? (
    <span className="topology-legend-remark">
      No forwarding tables here: open them together with the capture (dump_fts, opensm-lfts.dump)
    </span>
  ) : (
    <>
      <span className="topology-legend-remark">No forwarding tables yet</span>
      <Button
        kind="plain"
        size="small"
        icon="refresh"
        disabled={loading}
        title={`Collects again and asks ${words}`}
        onClick={() => void collectAgain(true)}
      >
        Collect with routes
      </Button>
      <span className="topology-legend-remark">{words}</span>
    </>
  );
}
