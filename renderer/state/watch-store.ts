import { create } from "zustand";
import type { ManagerLogLine } from "../../shared/contract/manager-log.ts";
import type { WatchStatus, WatchTime } from "../../shared/contract/views.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { api } from "./api-context.ts";
import { followFabric } from "./follow-fabric.ts";

interface WatchState {
  /** The fabric that the rest is about. */
  readonly fabricId: string | undefined;
  readonly status: WatchStatus | undefined;
  /** Oldest first; earlier runs of the program included. */
  readonly changes: readonly ManagerLogLine[];
  readonly times: readonly WatchTime[];
  readonly damaged: number;
  /** Why the last request failed. */
  readonly error: AppError | undefined;
  /** Seconds between two rounds; remembered while the window is open. */
  readonly intervalSeconds: number;
  /** Shows the watch of a fabric; from then on it is followed. */
  readonly follow: (fabricId: string) => Promise<void>;
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
  readonly setInterval: (seconds: number) => void;
}

/** Followed once for the life of the window: changes that come while another view is open are kept too. */
let listening = false;

/** Changes kept in the window, the newest. */
const changesKept = 2_000;

export const useWatch = create<WatchState>((set, get) => {
  const listen = (): void => {
    if (listening) return;
    listening = true;
    api().subscribe("watch", ({ fabricId, status, changes }) => {
      if (fabricId !== get().fabricId) return;
      set((state) => ({
        status,
        changes: changes.length === 0 ? state.changes : [...state.changes, ...changes].slice(-changesKept),
      }));
    });
  };
  /** Main's word on all of it; what comes meanwhile as an event is in the answer already. */
  const load = async (fabricId: string): Promise<void> => {
    const view = await api().call("watch.state", { fabricId });
    if (get().fabricId !== fabricId) return;
    if (view.ok) set({ ...view.value, error: undefined });
    else set({ error: view.error });
  };
  return {
    fabricId: undefined,
    status: undefined,
    changes: [],
    times: [],
    damaged: 0,
    error: undefined,
    intervalSeconds: 10,
    follow: async (fabricId) => {
      listen();
      if (get().fabricId !== fabricId) {
        set({ fabricId, status: undefined, changes: [], times: [], damaged: 0, error: undefined });
      }
      await load(fabricId);
    },
    start: async () => {
      const { fabricId, intervalSeconds } = get();
      if (fabricId === undefined) return;
      const started = await api().call("watch.start", { fabricId, intervalSeconds });
      if (started.ok) await load(fabricId);
      else set({ error: started.error });
    },
    stop: async () => {
      const { fabricId } = get();
      if (fabricId === undefined) return;
      const stopped = await api().call("watch.stop", { fabricId });
      if (stopped.ok) set({ status: stopped.value });
      else set({ error: stopped.error });
    },
    setInterval: (intervalSeconds) => {
      set({ intervalSeconds });
      if (get().status?.running === true) void get().start();
    },
  };
});

/** Follows the watch of subnet managers of every fabric that is opened. Returns the function that ends it. */
export function followManagers(): () => void {
  return followFabric(
    () => useWatch.getState().fabricId,
    (fabricId) => useWatch.getState().follow(fabricId),
  );
}
