import type { CollectStep } from "../../../shared/contract/views.ts";
import type { GlyphKind } from "../../parts/glyph.tsx";
import type { Task } from "../../state/task-store.ts";

/** Sign of a step's state. A failed step is a warning: the rest goes on. */
export function stepGlyph(state: CollectStep["state"], fatal = false): GlyphKind {
  switch (state) {
    case "done":
      return "ok";
    case "failed":
      return fatal ? "error" : "warning";
    case "running":
      return "running";
    case "waiting":
    case "skipped":
    case "cancelled":
      return "not-run";
  }
}

export function taskGlyph(state: Task["state"]): GlyphKind {
  switch (state) {
    case "running":
      return "running";
    case "done":
      return "ok";
    case "failed":
      return "error";
    case "cancelled":
      return "not-run";
  }
}

/** How far a task is, 0 to 1; undefined when that is not known. */
export function progressShare(task: Task): number | undefined {
  const { progress } = task;
  if (progress === undefined) return undefined;
  const steps = progress.steps ?? [];
  if (steps.length > 0) {
    const ended = steps.filter((step) => step.state !== "waiting" && step.state !== "running").length;
    const running = steps.some((step) => step.state === "running");
    const within = running && progress.total > 0 ? Math.min(1, progress.done / progress.total) : 0;
    return (ended + within) / steps.length;
  }
  return progress.total > 0 ? Math.min(1, progress.done / progress.total) : undefined;
}
