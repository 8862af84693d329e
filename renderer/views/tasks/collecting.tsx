import { Button } from "../../parts/button.tsx";
import { HealthGlyph } from "../../parts/glyph.tsx";
import { duration, useNow } from "../../parts/time.ts";
import { type Attempt } from "../../state/fabric-store.ts";
import type { Task } from "../../state/task-store.ts";
import { progressShare, stepGlyph } from "./task-words.ts";
import "./collecting.css";

/** What is being collected or opened, step by step, over the window until it is done or sent to the background. */
export function Collecting({
  attempt,
  name,
  task,
  onBackground,
}: {
  readonly attempt: Attempt;
  readonly name: string;
  readonly task: Task;
  /** Undefined: there is nothing behind it to look at. */
  readonly onBackground: (() => void) | undefined;
}) {
  const now = useNow(250);
  const steps = task.progress?.steps ?? [];
  const share = progressShare(task) ?? 0;
  return (
    <section className="collecting" aria-labelledby="collecting-title">
      <header className="collecting-head">
        <h2 id="collecting-title">
          {attempt.kind === "collect" ? "Collecting from " : "Opening "}
          {name}
        </h2>
        <span>{duration(Math.max(0, now - task.startedAt))}</span>
      </header>
      <div
        className="collecting-bar"
        role="progressbar"
        aria-label="Progress"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(share * 100)}
      >
        <span style={{ width: `${Math.max(share * 100, 2)}%` }} />
      </div>
      <ul className="collecting-steps">
        {steps.length === 0 ? (
          <li>
            <HealthGlyph health="running" size={14} />
            <span className="collecting-now">
              {task.progress?.note ?? (attempt.kind === "collect" ? "Connecting" : "Reading")}
            </span>
          </li>
        ) : null}
        {steps.map((step) => (
          <li key={step.id} className={`collecting-${step.state}`}>
            <HealthGlyph health={stepGlyph(step.state)} size={14} />
            <span className="collecting-title">{step.title}</span>
            <span className="collecting-note" title={step.note}>
              {step.state === "running" && step.note === "" ? (task.progress?.note ?? "") : step.note}
            </span>
          </li>
        ))}
      </ul>
      <footer className="collecting-foot">
        {onBackground === undefined ? null : (
          <Button kind="plain" size="small" onClick={onBackground}>
            Run in background
          </Button>
        )}
        <Button kind="plain" size="small" onClick={task.cancel}>
          Cancel
        </Button>
      </footer>
    </section>
  );
}
