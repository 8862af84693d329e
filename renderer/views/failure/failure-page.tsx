import { explain } from "../../../shared/errors/explain.ts";
import type { AppError } from "../../../shared/errors/kinds.ts";
import type { CollectStep } from "../../../shared/contract/views.ts";
import { Button } from "../../parts/button.tsx";
import { DetailFold } from "../../parts/error-box.tsx";
import { HealthGlyph } from "../../parts/glyph.tsx";
import { duration } from "../../parts/time.ts";
import { api } from "../../state/api-context.ts";
import { type Attempt, useFabric } from "../../state/fabric-store.ts";
import { useTasks } from "../../state/task-store.ts";
import { useUi } from "../../state/ui-store.ts";
import { chooseAndOpen, copyText } from "../shell/actions.ts";
import { attemptName } from "../shell/source-picker.tsx";
import { stepGlyph } from "../tasks/task-words.ts";
import { type FailureAction, failureActions } from "./failure-actions.ts";
import "./failure-page.css";

function Steps({
  title,
  steps,
  took,
}: {
  readonly title: string;
  readonly steps: readonly CollectStep[];
  readonly took: string;
}) {
  const done = steps.filter((step) => step.state === "done").length;
  return (
    <section className="failure-steps" aria-label="Steps">
      <header>
        <h2>{title}</h2>
        <span>
          {done} of {steps.length}
          {took === "" ? "" : `, ${took}`}
        </span>
      </header>
      <ul>
        {steps.map((step) => (
          <li key={step.id} className={`failure-step failure-step-${step.state}`}>
            <HealthGlyph health={stepGlyph(step.state, true)} size={15} />
            <span className="failure-step-title">{step.title}</span>
            <span className="failure-step-end">
              {step.state === "failed"
                ? "failed"
                : step.state === "done"
                  ? duration(step.ms)
                  : step.state === "cancelled"
                    ? "cancelled"
                    : "not run"}
            </span>
            {step.note === "" ? null : <span className="failure-step-note">{step.note}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}

async function copyReport(incident: string): Promise<void> {
  const report = await api().call("app.report", { incident });
  const text = report.ok ? report.value.text : `Incident ${incident}`;
  if (await copyText(text)) useUi.getState().toast({ kind: "done", text: "Copied the report" });
}

function perform(action: FailureAction, attempt: Attempt): void {
  switch (action.does.kind) {
    case "attempt":
      void useFabric.getState().attempt(action.does.attempt);
      return;
    case "change-connection":
      if (attempt.kind === "collect" && attempt.source.kind === "ssh") {
        useUi.getState().openDialog({ kind: "connect", source: attempt.source });
      }
      return;
    case "open-files":
      void chooseAndOpen("files");
      return;
    case "report":
      void copyReport(action.does.incident);
  }
}

/** A failed attempt: one sentence, what follows, numbered remedies each with its button, the raw text, what went before. */
export function FailurePage({
  attempt,
  error,
  onBack,
}: {
  readonly attempt: Attempt;
  readonly error: AppError;
  /** Back to the fabric that is still open, with its name. */
  readonly onBack: { readonly name: string; readonly go: () => void } | undefined;
}) {
  const taskId = useFabric((state) => state.taskId);
  const task = useTasks((state) => state.tasks.find((candidate) => candidate.id === taskId));
  const dismiss = useFabric((state) => state.dismissFailure);
  const words = explain(error);
  const actions = failureActions(attempt, error);
  const steps = task?.progress?.steps ?? [];
  const took = task?.endedAt === undefined ? "" : duration(task.endedAt - task.startedAt);
  const first = actions[0];
  const others = actions.filter((action) => action.remedy === undefined);
  return (
    <main className="failure" data-region="main">
      {steps.length === 0 ? null : (
        <Steps
          title={`${attempt.kind === "collect" ? "Collect from" : "Open"} ${attemptName(attempt)}`}
          steps={steps}
          took={took}
        />
      )}
      <div className="failure-main" role="alert">
        <div className="failure-column">
          <div className="failure-head">
            <HealthGlyph health="error" size={26} />
            <div>
              <h1>{words.title}</h1>
              <p>{words.sentence}</p>
            </div>
          </div>
          {words.remedy.length === 0 ? null : (
            <ol className="failure-remedies">
              {words.remedy.map((remedy, index) => {
                const own = actions.find((action) => action.remedy === index);
                return (
                  <li key={remedy}>
                    <span className="failure-number">{index + 1}</span>
                    <span>{remedy}</span>
                    {own === undefined ? null : (
                      <Button kind="primary" autoFocus onClick={() => perform(own, attempt)}>
                        {own.label}
                      </Button>
                    )}
                  </li>
                );
              })}
            </ol>
          )}
          <DetailFold detail={words.detail} open={words.detail.length < 2000} />
          <div className="failure-actions">
            {others.map((action) => (
              <Button
                key={action.label}
                kind={action === first ? "plain" : "ghost"}
                {...(action.does.kind === "attempt" ? { icon: "refresh" as const } : {})}
                onClick={() => perform(action, attempt)}
              >
                {action.label}
              </Button>
            ))}
            {onBack === undefined ? (
              <Button kind="ghost" onClick={dismiss}>
                Back to the start
              </Button>
            ) : (
              <Button kind="ghost" onClick={onBack.go}>
                Back to {onBack.name}
              </Button>
            )}
          </div>
        </div>
      </div>
    </main>
  );
}
