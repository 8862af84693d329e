import { create } from "zustand";
import type { AppError } from "../../shared/errors/kinds.ts";
import type { ProgressEvent } from "../../shared/contract/events.ts";

/** Long work that the user started: collecting, opening, measuring. */
export interface Task {
  readonly id: number;
  readonly kind: "collect" | "open" | "measure" | "routes" | "sweep";
  readonly title: string;
  readonly state: "running" | "done" | "failed" | "cancelled";
  readonly progress: ProgressEvent | undefined;
  readonly error: AppError | undefined;
  readonly startedAt: number;
  readonly endedAt: number | undefined;
  readonly cancel: () => void;
  /** Pauses it and goes on, where that can be. */
  readonly hold?: TaskHold;
}

export interface TaskHold {
  readonly held: boolean;
  readonly toggle: () => void;
}

interface TaskState {
  /** Newest first, at most 50. */
  readonly tasks: readonly Task[];
  /** Starts a task; returns what feeds it. */
  readonly begin: (kind: Task["kind"], title: string) => TaskHandle;
}

export interface TaskHandle {
  readonly id: number;
  readonly signal: AbortSignal;
  readonly progress: (event: ProgressEvent) => void;
  readonly hold: (hold: TaskHold) => void;
  /** Ends it: without an error it is done; kind `cancelled` is no failure. */
  readonly end: (error?: AppError) => void;
}

let lastTask = 0;

export const useTasks = create<TaskState>((set) => ({
  tasks: [],
  begin: (kind, title) => {
    lastTask += 1;
    const id = lastTask;
    const controller = new AbortController();
    const patch = (change: Partial<Task>): void =>
      set((state) => ({ tasks: state.tasks.map((task) => (task.id === id ? { ...task, ...change } : task)) }));
    const task: Task = {
      id,
      kind,
      title,
      state: "running",
      progress: undefined,
      error: undefined,
      startedAt: Date.now(),
      endedAt: undefined,
      cancel: () => controller.abort(),
    };
    set((state) => ({ tasks: [task, ...state.tasks].slice(0, 50) }));
    return {
      id,
      signal: controller.signal,
      progress: (event) => patch({ progress: event }),
      hold: (hold) => patch({ hold }),
      end: (error) =>
        patch({
          state: error === undefined ? "done" : error.kind === "cancelled" ? "cancelled" : "failed",
          error,
          endedAt: Date.now(),
        }),
    };
  },
}));
