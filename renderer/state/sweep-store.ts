import { create } from "zustand";
import type {
  ExportFormat,
  SweepEvent,
  SweepPlanView,
  SweepStatus,
  SweepView,
  SweepWish,
} from "../../shared/contract/sweeps.ts";
import { sweepConcurrency } from "../../shared/contract/sweeps.ts";
import type { Result } from "../../shared/base/result.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { presetOptions } from "../../shared/measure/steps.ts";
import type { MeasureOptions } from "../../shared/measure/types.ts";
import { titleInside } from "../../shared/measure/sweep-select.ts";
import { api } from "./api-context.ts";
import { useFabric } from "./fabric-store.ts";
import { useMeasure } from "./measure-store.ts";
import { SweepLines } from "./sweep-lines.ts";
import { type TaskHandle, useTasks } from "./task-store.ts";

/** The open sheet of a dry run. */
export interface SweepSheet {
  readonly wish: SweepWish;
  /** What is shown before the plan has a title. */
  readonly title: string;
  readonly plan: SweepPlanView | undefined;
  readonly error: AppError | undefined;
  readonly planning: { readonly done: number; readonly total: number; readonly note: string } | undefined;
  /** The start was pressed and the connection is being made. */
  readonly starting: boolean;
}

/** A sweep whose card was opened. How it stands is among the {@link SweepStoreState.sweeps}; its lines change in place. */
export interface ShownSweep extends Pick<SweepView, "links" | "damaged"> {
  readonly lines: SweepLines;
}

interface SweepStoreState {
  readonly sheet: SweepSheet | undefined;
  readonly options: MeasureOptions;
  readonly concurrency: number;
  /** Newest first; also those of earlier runs of the program. */
  readonly sweeps: readonly SweepStatus[];
  /** All links and results of the sweeps that were looked at. */
  readonly views: ReadonlyMap<string, ShownSweep>;
  /** The sweep whose card is open in the Measure view. */
  readonly shown: string | undefined;
  readonly show: (id: string | undefined) => void;
  /** Sweeps that are being taken up again. */
  readonly resuming: ReadonlySet<string>;
  /** Follows the sweeps from now on and reads those of the disk. */
  readonly follow: () => () => void;
  readonly load: () => Promise<void>;
  /** Reads all of one sweep. */
  readonly look: (id: string) => Promise<void>;
  /** Plans and opens the sheet. */
  readonly openSheet: (wish: SweepWish, title: string) => void;
  readonly setOptions: (options: MeasureOptions) => void;
  readonly setConcurrency: (concurrency: number) => void;
  readonly closeSheet: () => void;
  /** Starts what the sheet has planned; true when it runs. */
  readonly start: () => Promise<boolean>;
  readonly pause: (id: string) => Promise<AppError | undefined>;
  readonly resume: (id: string) => Promise<AppError | undefined>;
  readonly cancel: (id: string) => Promise<AppError | undefined>;
  readonly discard: (id: string) => Promise<AppError | undefined>;
  readonly save: (id: string, format: ExportFormat) => Promise<Result<{ saved: boolean; path: string }, AppError>>;
}

/** Of the plan that is made: a later wish ends an earlier one. */
let planning = new AbortController();
const tasks = new Map<string, TaskHandle>();

function isOver({ state }: SweepStatus): boolean {
  return state !== "running" && state !== "paused";
}

/** The task of a sweep that runs here: begun at its first word, ended with it. */
function followTask(status: SweepStatus, store: SweepStoreState): void {
  const known = tasks.get(status.id);
  if (known === undefined && isOver(status)) return;
  const task = known ?? useTasks.getState().begin("sweep", `Sweep, ${titleInside(status.title)}`);
  if (known === undefined) {
    tasks.set(status.id, task);
    task.signal.addEventListener("abort", () => void store.cancel(status.id), { once: true });
  }
  const { done, total, state } = status;
  const note = `${state === "paused" ? "paused, " : ""}${done} of ${total}`;
  task.progress({ callId: status.id, seq: done, step: "sweep", done, total, note });
  const toggle = (): void => void (state === "paused" ? store.resume(status.id) : store.pause(status.id));
  task.hold({ held: state === "paused", toggle });
  if (!isOver(status)) return;
  tasks.delete(status.id);
  task.end(status.state === "cancelled" ? { kind: "cancelled", what: status.title } : (status.error ?? undefined));
}

function withStatus(sweeps: readonly SweepStatus[], status: SweepStatus): readonly SweepStatus[] {
  return sweeps.some(({ id }) => id === status.id)
    ? sweeps.map((one) => (one.id === status.id ? status : one))
    : [status, ...sweeps];
}

export const useSweeps = create<SweepStoreState>((set, get) => {
  const take = ({ status, lines, measurements }: SweepEvent): void => {
    // The lines first: who is told of the status reads them.
    get().views.get(status.id)?.lines.take(lines, status.running);
    set((state) => ({ sweeps: withStatus(state.sweeps, status) }));
    const simulated = useFabric.getState().view?.capture.simulated ?? status.simulated;
    useMeasure.getState().addResults(measurements, simulated);
    followTask(status, get());
  };
  const told = async (call: Promise<Result<SweepStatus, AppError>>): Promise<AppError | undefined> => {
    const answer = await call;
    if (!answer.ok) return answer.error;
    take({ status: answer.value, lines: [], measurements: [] });
    return undefined;
  };
  const plan = async (wish: SweepWish): Promise<void> => {
    planning.abort();
    planning = new AbortController();
    const { signal } = planning;
    const fabricId = useFabric.getState().view?.fabricId;
    if (fabricId === undefined) return;
    const patch = (change: Partial<SweepSheet>): void =>
      set(({ sheet }) => (sheet === undefined || signal.aborted ? {} : { sheet: { ...sheet, ...change } }));
    patch({ planning: { done: 0, total: 0, note: "" }, error: undefined });
    const { options, concurrency } = get();
    const planned = await api().call(
      "sweep.plan",
      { fabricId, wish, options, concurrency },
      { signal, onProgress: ({ done, total, note }) => patch({ planning: { done, total, note } }) },
    );
    patch(
      planned.ok
        ? { plan: planned.value, planning: undefined }
        : { plan: undefined, planning: undefined, error: planned.error },
    );
  };
  const planAgain = (): void => {
    const { sheet } = get();
    if (sheet !== undefined) void plan(sheet.wish);
  };
  return {
    sheet: undefined,
    options: presetOptions("bandwidth"),
    concurrency: sweepConcurrency.usual,
    sweeps: [],
    views: new Map(),
    shown: undefined,
    show: (id) => {
      set({ shown: id });
      if (id !== undefined) void get().look(id);
    },
    resuming: new Set(),
    follow: () => {
      const end = api().subscribe("sweep", take);
      void get().load();
      return end;
    },
    load: async () => {
      const list = await api().call("sweep.list", {});
      if (!list.ok) return;
      set({ sweeps: list.value });
      // After the window was loaded anew the sweeps still run in main.
      for (const status of list.value) if (!isOver(status)) followTask(status, get());
    },
    look: async (id) => {
      const view = await api().call("sweep.get", { sweepId: id });
      if (!view.ok) return;
      const { status, links, lines, damaged } = view.value;
      const shown: ShownSweep = { links, damaged, lines: new SweepLines(lines, status.running) };
      set((state) => ({ views: new Map(state.views).set(id, shown) }));
    },
    openSheet: (wish, title) => {
      set({ sheet: { wish, title, plan: undefined, error: undefined, planning: undefined, starting: false } });
      void plan(wish);
    },
    setOptions: (options) => {
      set({ options });
      planAgain();
    },
    setConcurrency: (concurrency) => {
      set({ concurrency });
      planAgain();
    },
    closeSheet: () => {
      planning.abort();
      set({ sheet: undefined });
    },
    start: async () => {
      const { sheet } = get();
      if (sheet?.plan === undefined || sheet.starting || sheet.planning !== undefined) return false;
      set({ sheet: { ...sheet, starting: true } });
      const started = await api().call("sweep.start", { planId: sheet.plan.planId });
      if (!started.ok) {
        set({ sheet: { ...sheet, starting: false, error: started.error } });
        return false;
      }
      set({ sheet: undefined });
      take({ status: started.value, lines: [], measurements: [] });
      get().show(started.value.id);
      return true;
    },
    pause: (id) => told(api().call("sweep.pause", { sweepId: id })),
    resume: async (id) => {
      const fabricId = useFabric.getState().view?.fabricId;
      if (fabricId === undefined) return { kind: "bad-request", detail: "no fabric is open" };
      set((state) => ({ resuming: new Set([...state.resuming, id]) }));
      const error = await told(api().call("sweep.resume", { sweepId: id, fabricId }));
      set((state) => ({ resuming: new Set([...state.resuming].filter((one) => one !== id)) }));
      if (error === undefined) get().show(id);
      return error;
    },
    cancel: (id) => told(api().call("sweep.cancel", { sweepId: id })),
    discard: async (id) => {
      const discarded = await api().call("sweep.discard", { sweepId: id });
      if (!discarded.ok) return discarded.error;
      set((state) => ({
        sweeps: state.sweeps.filter((one) => one.id !== id),
        views: new Map([...state.views].filter(([one]) => one !== id)),
        shown: state.shown === id ? undefined : state.shown,
      }));
      return undefined;
    },
    save: (id, format) => api().call("sweep.export", { sweepId: id, format }),
  };
});
