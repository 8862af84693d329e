/** Routes in the picture: the numbers for the overlay, and the way of the pair that was asked for. */
import type { Topology } from "../../../shared/analyse/results.ts";
import type { FabricView } from "../../../shared/contract/views.ts";
import type { RoutesView } from "../../../shared/contract/routes.ts";
import type { GraphPath } from "../../graph/target.ts";
import { useRoutes } from "../../state/routes-store.ts";
import { pathIn } from "./path-shown.ts";

const drawn = new WeakMap<Topology, FabricView>();

/**
 * A fabric as its picture needs it: with the analysis that it was drawn with first. Findings that come later (on routes,
 * read in the background) change no place and no colour, so nothing is laid out anew for them.
 */
export function asDrawn(view: FabricView): FabricView {
  const { topology } = view.analysis;
  const first = drawn.get(topology);
  const same =
    first !== undefined &&
    first.fabric === view.fabric &&
    first.capture === view.capture &&
    first.analysis.linkHealth === view.analysis.linkHealth &&
    first.analysis.nodeHealth === view.analysis.nodeHealth;
  if (same) return first;
  drawn.set(topology, view);
  return view;
}

/** What the tables of the fabric tell; undefined while nobody knows. */
export function useRouteNumbers({ fabric }: FabricView): RoutesView | undefined {
  return useRoutes((state) => (state.of === fabric ? state.routes : undefined));
}

/** The route that was asked for, in this fabric's picture. */
export function shownRoute(
  view: FabricView,
  shown: ReturnType<typeof useRoutes.getState>["shown"],
): GraphPath | undefined {
  return shown?.of === view.fabric ? pathIn(view.fabric, shown.route.hops, false) : undefined;
}
