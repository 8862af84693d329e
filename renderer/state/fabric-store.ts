import { create } from "zustand";
import type { TopologyKind } from "../../shared/analyse/results.ts";
import { isTableTool } from "../../shared/build/interpret-routes.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { type SourceSpec, sourceLabel } from "../../shared/contract/source.ts";
import type { FabricView, RecentEntry } from "../../shared/contract/views.ts";
import { api } from "./api-context.ts";
import { useSelection } from "./selection-store.ts";
import { useTasks } from "./task-store.ts";
import { translateSelection } from "./translate-selection.ts";

/** What the last attempt to open or collect wanted, for "try again". */
export type Attempt =
  | { readonly kind: "collect"; readonly source: SourceSpec; readonly routes?: boolean }
  | { readonly kind: "open"; readonly paths: readonly string[] };

interface FabricState {
  /** Has the open fabric analysed anew; `refreshed` as below. */
  readonly analyseAgain: (kind: TopologyKind | "automatic", refreshed: boolean) => Promise<AppError | undefined>;
  /** The open fabric. */
  readonly view: FabricView | undefined;
  readonly loading: Attempt | undefined;
  /** Task of the attempt that runs, or of the one that ended last. */
  readonly taskId: number | undefined;
  /** Why the last attempt failed; the fabric that was open stays open. */
  readonly failure: { readonly attempt: Attempt; readonly error: AppError } | undefined;
  readonly connection: "connected" | "lost" | "closed";
  readonly recent: readonly RecentEntry[];
  /** True when the open fabric has replaced an earlier collection of itself: keep camera and selection. */
  readonly refreshed: boolean;
  /** Resolves to true when a fabric is open afterwards. A cancelled attempt leaves no failure. */
  readonly attempt: (what: Attempt) => Promise<boolean>;
  /** Collects from the same source; with the forwarding tables when they are asked for, or were there before. */
  readonly collectAgain: (routes?: boolean) => Promise<boolean>;
  /** Takes the open fabric for another shape, or for what it looks like; the error when that did not work. */
  readonly overrule: (kind: TopologyKind | "automatic") => Promise<AppError | undefined>;
  /** Judges the open fabric by the limits that stand in the settings now. The picture keeps its place. */
  readonly judgeAgain: () => Promise<AppError | undefined>;
  readonly close: () => void;
  readonly dismissFailure: () => void;
  readonly loadRecent: () => Promise<void>;
  readonly setConnection: (state: "connected" | "lost" | "closed") => void;
}

function title(what: Attempt): string {
  return what.kind === "collect"
    ? `Collect from ${what.source.kind === "simulated" ? "simulated fabric " : ""}${sourceLabel(what.source)}`
    : `Open ${what.paths.length === 1 ? (what.paths[0] ?? "") : `${what.paths.length} files`}`;
}

function sameSource(a: SourceSpec | null, b: SourceSpec): boolean {
  return a !== null && JSON.stringify(a) === JSON.stringify(b);
}

/** Of the last wish about the shape: a later one ends an earlier one. */
let overruling = new AbortController();

export const useFabric = create<FabricState>((set, get) => ({
  view: undefined,
  loading: undefined,
  taskId: undefined,
  failure: undefined,
  connection: "closed",
  recent: [],
  refreshed: false,
  attempt: async (what) => {
    // Only one attempt at a time: a later wish ends the earlier one.
    const { loading, taskId } = get();
    if (loading !== undefined) {
      useTasks
        .getState()
        .tasks.find((other) => other.id === taskId)
        ?.cancel();
    }
    const task = useTasks.getState().begin(what.kind, title(what));
    const before = get().view;
    const refreshes = what.kind === "collect" && before !== undefined && sameSource(before.capture.source, what.source);
    set({ loading: what, taskId: task.id, failure: undefined });
    const options = { signal: task.signal, onProgress: task.progress };
    const opened =
      what.kind === "collect"
        ? await api().call(
            "capture.collect",
            {
              source: what.source,
              ...(refreshes ? { replaces: before.fabricId } : {}),
              ...(what.routes === true ? { routes: true } : {}),
            },
            options,
          )
        : await api().call("capture.open", { paths: [...what.paths] }, options);
    const view = opened.ok ? await api().call("fabric.get", { fabricId: opened.value.fabricId }) : opened;
    // To read a large answer and to show it are two tasks: as one they would hold the window up for too long.
    await new Promise((resolve) => setTimeout(resolve));
    if (get().taskId !== task.id) {
      // Another attempt has begun meanwhile; what this one has still opened is not wanted any more.
      if (opened.ok && opened.value.fabricId !== get().view?.fabricId) {
        void api().call("fabric.close", { fabricId: opened.value.fabricId });
      }
      task.end({ kind: "cancelled", what: title(what) });
      return false;
    }
    set({ loading: undefined });
    if (!view.ok) {
      task.end(view.error);
      if (view.error.kind !== "cancelled") set({ failure: { attempt: what, error: view.error } });
      return false;
    }
    const selection = useSelection.getState();
    if (!refreshes) {
      selection.reset();
      if (before !== undefined) void api().call("fabric.close", { fabricId: before.fabricId });
    } else {
      // Indices are those of one collection: the selection moves to the same object in the new one.
      selection.select(translateSelection(selection.selection, before, view.value));
    }
    set({ view: view.value, refreshed: refreshes, connection: what.kind === "collect" ? "connected" : "closed" });
    task.end();
    void get().loadRecent();
    return true;
  },
  collectAgain: async (routes) => {
    const capture = get().view?.capture;
    if (capture?.source === null || capture?.source === undefined) return false;
    const { source, files } = capture;
    return get().attempt({ kind: "collect", source, routes: routes ?? files.some(({ tool }) => isTableTool(tool)) });
  },
  overrule: (kind) => get().analyseAgain(kind, false),
  judgeAgain: async () => {
    const topology = get().view?.analysis.topology;
    return topology === undefined
      ? undefined
      : get().analyseAgain(topology.overruled ? topology.kind : "automatic", true);
  },
  analyseAgain: async (kind, refreshed) => {
    const before = get().view;
    if (before === undefined) return undefined;
    overruling.abort();
    overruling = new AbortController();
    const answer = await api().call(
      "fabric.overrule",
      { fabricId: before.fabricId, kind },
      { signal: overruling.signal },
    );
    if (!answer.ok) return answer.error;
    const now = get().view;
    if (now?.fabricId !== before.fabricId) return undefined;
    // The nodes and links are the same, but what is missing may not be: the selection moves to the same object.
    const { selection, select } = useSelection.getState();
    select(translateSelection(selection, now, answer.value));
    // Another shape is another picture: it is fitted anew.
    set({ view: answer.value, refreshed });
    return undefined;
  },
  close: () => {
    const { view, loading, taskId } = get();
    if (loading !== undefined) {
      useTasks
        .getState()
        .tasks.find((task) => task.id === taskId)
        ?.cancel();
    }
    if (view !== undefined) void api().call("fabric.close", { fabricId: view.fabricId });
    useSelection.getState().reset();
    set({ view: undefined, failure: undefined, connection: "closed", refreshed: false });
    void get().loadRecent();
  },
  dismissFailure: () => set({ failure: undefined }),
  loadRecent: async () => {
    const recent = await api().call("recent.list", {});
    if (recent.ok) set({ recent: recent.value });
  },
  setConnection: (connection) => set({ connection }),
}));
