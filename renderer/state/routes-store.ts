/** Forwarding tables of the open fabric as the window knows them, and the route that the picture shows. */
import { create } from "zustand";
import { withFindings } from "../../shared/analyse/analyse.ts";
import { isTableTool } from "../../shared/build/interpret-routes.ts";
import type { RoutesView, RouteView } from "../../shared/contract/routes.ts";
import type { FabricView } from "../../shared/contract/views.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import type { LinkId } from "../../shared/fabric/model.ts";
import { api } from "./api-context.ts";
import { useFabric } from "./fabric-store.ts";
import { withoutMeasured } from "./measured-findings.ts";
import { useSelection } from "./selection-store.ts";
import { useTasks } from "./task-store.ts";

/** Of which collection something is: another one of the same fabric has other indices. */
type Collection = FabricView["fabric"];

interface RoutesState {
  readonly of: Collection | undefined;
  /** `none`: the capture has no tables. */
  readonly state: "none" | "reading" | "ready" | "failed";
  readonly routes: RoutesView | undefined;
  readonly error: AppError | undefined;
  /** The route in the picture. */
  readonly shown: { readonly of: Collection; readonly route: RouteView } | undefined;
  /** Reads the tables of a fabric, once per collection; their findings join the others. */
  readonly load: (view: FabricView) => Promise<void>;
  /** The list of pairs in the inspector of a link. */
  readonly pairsOpen: boolean;
  /** Asks for the way between two adapter ports and shows it; the error when that did not work. */
  readonly showWay: (view: FabricView, from: LinkId, to: LinkId) => Promise<AppError | undefined>;
  readonly hideWay: () => void;
}

/** True when a capture holds forwarding tables. */
function hasTables(view: FabricView): boolean {
  return view.capture.files.some(({ tool }) => isTableTool(tool));
}

export const useRoutes = create<RoutesState>((set, get) => ({
  of: undefined,
  state: "none",
  routes: undefined,
  error: undefined,
  shown: undefined,
  pairsOpen: false,
  load: async (view) => {
    const { fabric } = view;
    const known = get();
    if (known.of === fabric) {
      // Looked at with another shape: the findings on routes belong to the new analysis too.
      if (known.routes !== undefined) joinFindings(fabric, known.routes);
      return;
    }
    const start = { of: fabric, routes: undefined, error: undefined, shown: undefined };
    if (!hasTables(view)) {
      set({ ...start, state: "none" });
      return;
    }
    set({ ...start, state: "reading" });
    const task = useTasks.getState().begin("routes", "Read the forwarding tables");
    const read = await api().call(
      "routes.get",
      { fabricId: view.fabricId },
      { signal: task.signal, onProgress: task.progress },
    );
    task.end(read.ok ? undefined : read.error);
    if (get().of !== fabric) return;
    if (!read.ok) {
      set({ state: "failed", error: read.error });
      return;
    }
    set({ state: "ready", routes: read.value });
    joinFindings(fabric, read.value);
  },
  showWay: async (view, from, to) => {
    const way = await api().call("routes.way", { fabricId: view.fabricId, from, to });
    if (!way.ok) return way.error;
    if (useFabric.getState().view?.fabric === view.fabric) set({ shown: { of: view.fabric, route: way.value } });
    return undefined;
  },
  hideWay: () => set({ shown: undefined }),
}));

function joinFindings(fabric: Collection, { findings }: RoutesView): void {
  const { view } = useFabric.getState();
  if (view === undefined || view.fabric !== fabric || findings.length === 0) return;
  if (findings.every((finding) => view.analysis.findings.includes(finding))) return;
  // Findings of results are put on top of these again.
  const base = withoutMeasured(view);
  useFabric.setState({ view: { ...base, analysis: withFindings(base.analysis, findings) } });
}

/**
 * Reads the tables of every fabric that is opened, and takes the route out of the picture when nothing is selected any
 * more. Returns the function that ends it.
 */
export function followRoutes(): () => void {
  const ends = [
    useFabric.subscribe(({ view }, before) => {
      if (view !== undefined) {
        if (view.analysis !== before.view?.analysis) void useRoutes.getState().load(view);
      } else if (before.view !== undefined) {
        useRoutes.setState({ of: undefined, state: "none", routes: undefined, shown: undefined });
      }
    }),
    useSelection.subscribe(({ selection }, before) => {
      if (selection !== before.selection && selection.kind === "nothing") useRoutes.getState().hideWay();
    }),
  ];
  return () => ends.forEach((end) => end());
}
