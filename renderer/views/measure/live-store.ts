import { useEffect } from "react";
import { create } from "zustand";
import { useMeasure } from "../../state/measure-store.ts";
import { type Task, useTasks } from "../../state/task-store.ts";

/** One reading of the live rate. */
interface RateSample {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly gbps: number;
}

interface LiveState {
  readonly taskId: number | undefined;
  readonly samples: readonly RateSample[];
  readonly add: (taskId: number, sample: RateSample) => void;
}

const samplesKept = 1200;

export const useLiveRate = create<LiveState>((set) => ({
  taskId: undefined,
  samples: [],
  add: (taskId, sample) =>
    set((state) => ({
      taskId,
      samples: state.taskId === taskId ? [...state.samples, sample].slice(-samplesKept) : [sample],
    })),
}));

/** The task of the running measurement. */
export function useRunningTask(): Task | undefined {
  const taskId = useMeasure((state) => state.running?.taskId);
  return useTasks((state) => (taskId === undefined ? undefined : state.tasks.find((task) => task.id === taskId)));
}

/** Collects the live rate of the running measurement; once in the window, so that it goes on whatever is selected. */
export function useRecordLiveRate(): void {
  const task = useRunningTask();
  const id = task?.id;
  const gbps = task?.progress?.gbps;
  const seq = task?.progress?.seq;
  useEffect(() => {
    if (id !== undefined && gbps !== undefined) useLiveRate.getState().add(id, { at: Date.now(), gbps });
  }, [id, gbps, seq]);
}
