import { create } from "zustand";
import type { CounterWatchStatus } from "../../shared/contract/counter-watch.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { type CounterChange, type CounterSeries, historyLimits } from "../../shared/fabric/counter-history.ts";
import { api } from "./api-context.ts";
import { followFabric } from "./follow-fabric.ts";

interface CounterState {
  /** The fabric that the rest is about. */
  readonly fabricId: string | undefined;
  readonly status: CounterWatchStatus | undefined;
  /** By GUID, port and counter, as the tool names them. */
  readonly series: ReadonlyMap<string, CounterSeries>;
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

const keyOf = ({ guid, port, counter }: Pick<CounterSeries, "guid" | "port" | "counter">): string =>
  `${guid}:${port}:${counter}`;

function withChanges(
  series: ReadonlyMap<string, CounterSeries>,
  changes: readonly CounterChange[],
): ReadonlyMap<string, CounterSeries> {
  if (changes.length === 0) return series;
  const next = new Map(series);
  for (const change of changes) {
    const { guid, port, counter, at, value } = change;
    const key = keyOf(change);
    const known = next.get(key);
    const points = [...(known?.points ?? []), { at, value }].slice(-historyLimits.points);
    next.set(key, { guid, port, counter, points, cut: known?.cut ?? false });
  }
  return next;
}

/** Followed once for the life of the window: changes that come while another view is open are kept too. */
let listening = false;

/** The watch of error counters of the open fabric. */
export const useCounters = create<CounterState>((set, get) => {
  const listen = (): void => {
    if (listening) return;
    listening = true;
    api().subscribe("counters", ({ fabricId, status, changes }) => {
      if (fabricId !== get().fabricId) return;
      set((state) => ({ status, series: withChanges(state.series, changes) }));
    });
  };
  const load = async (fabricId: string): Promise<void> => {
    const view = await api().call("counters.state", { fabricId });
    if (get().fabricId !== fabricId) return;
    if (!view.ok) set({ error: view.error });
    else {
      const { status, series } = view.value;
      set({ status, series: new Map(series.map((one) => [keyOf(one), one])), error: undefined });
    }
  };
  return {
    fabricId: undefined,
    status: undefined,
    series: new Map(),
    error: undefined,
    intervalSeconds: 60,
    follow: async (fabricId) => {
      listen();
      if (get().fabricId !== fabricId) set({ fabricId, status: undefined, series: new Map(), error: undefined });
      await load(fabricId);
    },
    start: async () => {
      const { fabricId, intervalSeconds } = get();
      if (fabricId === undefined) return;
      const started = await api().call("counters.start", { fabricId, intervalSeconds });
      if (started.ok) await load(fabricId);
      else set({ error: started.error });
    },
    stop: async () => {
      const { fabricId } = get();
      if (fabricId === undefined) return;
      const stopped = await api().call("counters.stop", { fabricId });
      if (stopped.ok) set({ status: stopped.value, error: undefined });
      else set({ error: stopped.error });
    },
    setInterval: (intervalSeconds) => {
      set({ intervalSeconds });
      if (get().status?.running === true) void get().start();
    },
  };
});

/** Follows the watch of error counters of every fabric that is opened. Returns the function that ends it. */
export function followCounters(): () => void {
  return followFabric(
    () => useCounters.getState().fabricId,
    (fabricId) => useCounters.getState().follow(fabricId),
  );
}
