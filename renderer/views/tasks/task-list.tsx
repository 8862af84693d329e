import { useState } from "react";
import { explain } from "../../../shared/errors/explain.ts";
import { IconButton } from "../../parts/button.tsx";
import { Empty } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { HealthGlyph } from "../../parts/glyph.tsx";
import { Icon } from "../../parts/icons.tsx";
import { clockTime, duration, useNow } from "../../parts/time.ts";
import { type Task, useTasks } from "../../state/task-store.ts";
import { progressShare, stepGlyph, taskGlyph } from "./task-words.ts";
import "./task-list.css";

function TaskSteps({ task }: { readonly task: Task }) {
  const steps = task.progress?.steps ?? [];
  return (
    <ul className="task-steps">
      {steps.map((step) => (
        <li key={step.id}>
          <HealthGlyph health={stepGlyph(step.state)} size={12} />
          <span>{step.title}</span>
          <span className={step.state === "failed" ? "task-failed" : "task-quiet"}>{step.note}</span>
        </li>
      ))}
    </ul>
  );
}

function TaskRow({ task }: { readonly task: Task }) {
  const [open, setOpen] = useState(false);
  const now = useNow(1000);
  const running = task.state === "running";
  const took = duration((task.endedAt ?? Math.max(now, task.startedAt)) - task.startedAt);
  const gbps = task.progress?.gbps;
  const note = running
    ? [task.progress?.note ?? "", gbps === undefined ? "" : `${gbps.toFixed(1)} Gb/s`].filter(Boolean).join(", ")
    : task.error === undefined || task.state === "cancelled"
      ? task.state === "cancelled"
        ? "cancelled"
        : ""
      : explain(task.error).title;
  const share = progressShare(task);
  const foldable = (task.progress?.steps ?? []).length > 0 || (task.error !== undefined && task.state === "failed");
  return (
    <li className="task">
      <div className="task-row">
        <HealthGlyph health={taskGlyph(task.state)} size={15} />
        <span className="task-title">{task.title}</span>
        <span className={task.state === "failed" ? "task-note task-failed" : "task-note"}>{note}</span>
        <span className="task-time" title={clockTime(new Date(task.startedAt).toISOString())}>
          {took}
        </span>
        {foldable ? (
          <button type="button" className="task-fold" aria-expanded={open} onClick={() => setOpen(!open)}>
            <Icon name={open ? "chevron-down" : "chevron-right"} size={14} />
            Details
          </button>
        ) : null}
        {running && task.hold !== undefined ? (
          <IconButton
            icon={task.hold.held ? "play" : "pause"}
            label={`${task.hold.held ? "Go on with" : "Pause"} ${task.title}`}
            size={14}
            onClick={task.hold.toggle}
          />
        ) : null}
        {running ? <IconButton icon="close" label={`Cancel ${task.title}`} size={14} onClick={task.cancel} /> : null}
      </div>
      {running ? (
        <div className={`task-bar${share === undefined ? " task-bar-open" : ""}`}>
          <span style={share === undefined ? {} : { width: `${share * 100}%` }} />
        </div>
      ) : null}
      {open ? (
        <div className="task-detail">
          <TaskSteps task={task} />
          {task.error !== undefined && task.state === "failed" ? <ErrorBox error={task.error} /> : null}
        </div>
      ) : null}
    </li>
  );
}

/** All tasks of this window, newest first. */
export function TaskList() {
  const tasks = useTasks((state) => state.tasks);
  if (tasks.length === 0) {
    return (
      <Empty title="No tasks yet" sentence="Collections and measurements stand here while they run and afterwards." />
    );
  }
  return (
    <ul className="task-list" aria-label="Tasks">
      {tasks.map((task) => (
        <TaskRow key={task.id} task={task} />
      ))}
    </ul>
  );
}
