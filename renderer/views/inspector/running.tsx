import type { MeasurePlan } from "../../../shared/measure/types.ts";
import { type GlyphKind, HealthGlyph } from "../../parts/glyph.tsx";
import { Section } from "../../parts/section.tsx";
import { duration, useNow } from "../../parts/time.ts";
import type { CollectStep } from "../../../shared/contract/views.ts";
import type { Task } from "../../state/task-store.ts";
import { useLiveRate } from "../measure/live-store.ts";
import { pathThrough } from "./spark.ts";

export const stepGlyph: Readonly<Record<CollectStep["state"], GlyphKind>> = {
  waiting: "not-run",
  running: "running",
  done: "ok",
  failed: "error",
  skipped: "not-run",
  cancelled: "not-run",
};

function LiveChart({
  plan,
  seconds,
  pass,
}: {
  readonly plan: MeasurePlan;
  readonly seconds: number;
  readonly pass: number;
}) {
  const samples = useLiveRate((state) => state.samples);
  const first = samples[0];
  const width = 344;
  if (first === undefined || samples.length < 2) return null;
  const passGbps = (plan.slowestGbps * pass) / 100;
  const top = Math.max(plan.slowestGbps, ...samples.map((sample) => sample.gbps)) || 1;
  const span = Math.max(seconds * 1000, (samples[samples.length - 1]?.at ?? 0) - first.at);
  const points = samples.map((sample) => ({
    x: ((sample.at - first.at) / span) * width,
    y: 58 - (sample.gbps / top) * 50,
  }));
  const last = points[points.length - 1];
  const passY = 58 - (passGbps / top) * 50;
  return (
    <svg className="live-chart" viewBox={`0 0 ${width} 60`} fill="none" role="img" aria-label="Live rate">
      <path d={`M0 ${passY}H${width}`} stroke="var(--edge)" strokeDasharray="3 3" />
      <text x={width} y={passY + 12} textAnchor="end" className="sparkline-text">
        pass {Math.round(passGbps)}
      </text>
      <path d={pathThrough(points)} stroke="var(--accent)" strokeWidth="1.8" />
      {last === undefined ? null : <circle cx={last.x} cy={last.y} r="3.5" fill="var(--accent)" />}
      <path d={`M0 58.5H${width}`} stroke="var(--hair)" />
    </svg>
  );
}

/** A measurement while it runs: live rate when counters tell, the steps, what happens when the connection drops. */
export function Running({
  plan,
  task,
  pass,
}: {
  readonly plan: MeasurePlan;
  readonly task: Task;
  readonly pass: number;
}) {
  const now = useNow(500);
  const progress = task.progress;
  const total = progress !== undefined && progress.total > 0 ? progress.total : plan.seconds;
  const passed = progress !== undefined && progress.total > 0 ? progress.done : (now - task.startedAt) / 1000;
  const steps: readonly CollectStep[] =
    progress?.steps ??
    plan.steps.map((step) => ({ id: step.tool, title: step.title, state: "waiting", note: "", ms: 0 }));
  const gbps = progress?.gbps;
  return (
    <>
      <Section
        id="link-measuring"
        title="Measuring"
        aside={`${Math.min(Math.round(total), Math.floor(passed))} of ${Math.round(total)} s`}
      >
        {gbps === undefined ? null : (
          <div className="big">
            <b>{Math.round(gbps)}</b>
            <span>Gb/s now</span>
            <span className="big-space" />
            <span className="quiet-small">by port counters</span>
          </div>
        )}
        {gbps === undefined ? null : <LiveChart plan={plan} seconds={plan.options.seconds} pass={pass} />}
        <div
          className="progress"
          role="progressbar"
          aria-label="Time"
          aria-valuenow={Math.floor(passed)}
          aria-valuemin={0}
          aria-valuemax={Math.round(total)}
        >
          <i style={{ width: `${Math.min(100, (passed / Math.max(1, total)) * 100)}%` }} />
        </div>
        {gbps === undefined ? <p className="quiet-small">ib_write_bw prints its numbers at the end.</p> : null}
      </Section>
      <Section id="link-steps" title="Steps">
        <div className="steps" role="status">
          {steps.map((step) => (
            <div className="step" key={step.id}>
              <HealthGlyph health={stepGlyph[step.state]} size={13} />
              <span className={`step-${step.state}`} title={step.note}>
                {step.title}
                {step.state === "running" && step.note !== "" ? <em>{step.note}</em> : null}
              </span>
              <span className="step-time">{step.state === "waiting" || step.ms === 0 ? "" : duration(step.ms)}</span>
            </div>
          ))}
        </div>
      </Section>
    </>
  );
}
