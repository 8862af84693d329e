import type { SshTestStep } from "../../../shared/contract/views.ts";
import { Button } from "../../parts/button.tsx";
import { Callout } from "../../parts/callout.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { type GlyphKind, HealthGlyph } from "../../parts/glyph.tsx";
import { duration } from "../../parts/time.ts";
import { allSteps, passed } from "./connect-form.ts";
import type { ConnectionTest as Test } from "./use-connection-test.ts";

const glyphs: Readonly<Record<SshTestStep["state"], GlyphKind>> = {
  passed: "ok",
  failed: "error",
  warning: "warning",
  "not-tested": "not-run",
};

function endWord(step: SshTestStep, running: boolean): string {
  switch (step.state) {
    case "passed":
      return step.ms > 0 ? duration(step.ms) : "";
    case "failed":
      return "failed";
    case "warning":
      return "";
    case "not-tested":
      return running ? "" : "not tested";
  }
}

function Step({
  step,
  running,
  onSudo,
}: {
  readonly step: SshTestStep;
  /** This step is the one being tested. */
  readonly running: boolean;
  readonly onSudo: (() => void) | undefined;
}) {
  const bad = step.state === "failed" || step.state === "warning";
  return (
    <li className={`connect-step connect-step-${step.state}`}>
      <HealthGlyph health={running ? "running" : glyphs[step.state]} size={15} />
      <span className="connect-step-title">{step.title}</span>
      <span className="connect-step-end">{endWord(step, running)}</span>
      {step.detail !== "" && !(bad && step.remedy !== "") ? (
        <span className="connect-step-detail">{step.detail}</span>
      ) : null}
      {bad && step.remedy !== "" ? (
        <div className="connect-step-remedy">
          <Callout
            tone={step.state === "failed" ? "error" : "warning"}
            {...(step.detail === "" ? {} : { title: step.detail })}
            actions={
              onSudo === undefined ? undefined : (
                <Button kind="primary" size="small" onClick={onSudo}>
                  Use sudo and test again
                </Button>
              )
            }
          >
            {step.remedy}
          </Callout>
        </div>
      ) : null}
    </li>
  );
}

/** The right half of the connect dialogue: each step of the way to the fabric, as far as it has been tested. */
export function ConnectionTest({
  test,
  stale,
  ready,
  sudo,
  onTest,
  onSudo,
}: {
  readonly test: Test;
  /** What was tested is not what the form says now. */
  readonly stale: boolean;
  /** Everything up to management access is in order. */
  readonly ready: boolean;
  readonly sudo: boolean;
  readonly onTest: () => void;
  readonly onSudo: () => void;
}) {
  const steps = allSteps(stale ? [] : test.steps);
  const sum = passed(steps);
  const current = test.running ? steps.find((step) => step.state === "not-tested")?.id : undefined;
  const told = !stale && test.steps.length > 0;
  return (
    <section className="connect-test" aria-label="Connection test">
      <header className="connect-test-head">
        <h3>Connection test</h3>
        <span aria-live="polite">
          {told ? `${sum.passed} of ${steps.length} passed${sum.ms > 0 ? `, ${duration(sum.ms)}` : ""}` : ""}
        </span>
        <Button
          kind={ready && !stale ? "plain" : "primary"}
          size="small"
          icon="refresh"
          disabled={test.running && !stale}
          onClick={onTest}
        >
          {told && steps.some((step) => step.id === "log-in" && step.state !== "not-tested")
            ? "Test again"
            : "Test connection"}
        </Button>
      </header>
      {test.error !== undefined && !stale ? <ErrorBox error={test.error} /> : null}
      <ul>
        {steps.map((step) => (
          <Step
            key={step.id}
            step={step}
            running={!stale && step.id === current}
            onSudo={step.id === "management-access" && step.state === "failed" && !sudo ? onSudo : undefined}
          />
        ))}
      </ul>
    </section>
  );
}
