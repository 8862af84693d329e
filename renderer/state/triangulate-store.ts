import { create } from "zustand";
import type { TriangulationView } from "../../shared/contract/requests.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import type { Measurement, Triangulation } from "../../shared/measure/types.ts";
import { api } from "./api-context.ts";
import { useMeasure } from "./measure-store.ts";
import { useTasks } from "./task-store.ts";

interface TriangulateState {
  /** Id of the low result that is asked about. */
  readonly of: string | undefined;
  readonly plan: TriangulationView | undefined;
  readonly planning: boolean;
  readonly error: AppError | undefined;
  /** Task of the run. */
  readonly taskId: number | undefined;
  /** What came out, by the id of the low result; kept also when the last test gave no record. */
  readonly results: Readonly<Record<string, Triangulation>>;
  /** Plans the pairs for a low result and shows them. */
  readonly ask: (fabricId: string, measurement: string) => Promise<void>;
  readonly close: () => void;
  readonly run: (record: Measurement) => Promise<void>;
}

const idle = { of: undefined, plan: undefined, planning: false, error: undefined, taskId: undefined } as const;

/** Telling a low result's node, link and route apart; one at a time. */
export const useTriangulate = create<TriangulateState>((set, get) => ({
  ...idle,
  results: {},
  ask: async (fabricId, measurement) => {
    set({ ...idle, of: measurement, planning: true });
    const plan = await api().call("triangulation.plan", { fabricId, measurement });
    if (get().of !== measurement) return;
    set(plan.ok ? { plan: plan.value, planning: false } : { error: plan.error, planning: false });
  },
  close: () => set(idle),
  run: async (record) => {
    const { plan } = get();
    if (plan === undefined) return;
    const task = useTasks.getState().begin("measure", `Node, link or route: ${record.linkName}`);
    set({ of: record.id, taskId: task.id, plan });
    // Another result may be asked about meanwhile: what is shown of that one stays.
    const released = ({ of }: TriangulateState): Partial<TriangulateState> => (of === record.id ? idle : {});
    const call = { signal: task.signal, onProgress: task.progress };
    const end = await api().call("triangulation.run", { planId: plan.id }, call);
    if (end.ok) {
      const { triangulation, measurement } = end.value;
      task.end();
      set((state) => ({ ...released(state), results: { ...state.results, [record.id]: triangulation } }));
      if (measurement !== undefined) {
        useMeasure.setState({ last: { link: measurement.link, measurement, error: undefined } });
      }
    } else {
      task.end(end.error);
      const error = end.error.kind === "cancelled" ? undefined : end.error;
      set((state) => ({ ...released(state), ...(state.of === record.id ? { of: record.id, error } : {}) }));
    }
    await useMeasure.getState().loadHistory(record.source.simulated);
  },
}));
