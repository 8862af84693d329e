import type { MeasurementSummary } from "../../../shared/contract/views.ts";
import type { Measurement } from "../../../shared/measure/types.ts";
import { Callout } from "../../parts/callout.tsx";
import { Facts } from "../../parts/facts.tsx";
import { percentClass } from "../../parts/percent.ts";
import { Section } from "../../parts/section.tsx";
import { Tag, type TagTone } from "../../parts/tag.tsx";
import { ago, clockTime, exactTime } from "../../parts/time.ts";
import { useMeasure } from "../../state/measure-store.ts";
import { baselineOf, baselinePercent, baselineText } from "../measure/baseline-words.ts";
import { resultWord } from "../measure/proof-words.ts";
import { StepResults } from "../measure/step-results.tsx";
import {
  expectedText,
  latencyNumber,
  levelHealth,
  loadedText,
  percentText,
  rateNumber,
  settingsText,
} from "../measure/words.ts";
import { Sparkline } from "./sparkline.tsx";

const tones: Readonly<Record<ReturnType<typeof levelHealth>, TagTone>> = {
  ok: "ok",
  warning: "warning",
  error: "error",
  unknown: "plain",
};

/** Bar of a percentage with a tick at the pass line. */
function Gauge({ percent, pass }: { readonly percent: number; readonly pass: number }) {
  return (
    <div className="gauge" role="img" aria-label={`${percentText(percent)}, passes at ${percentText(pass)}`}>
      <i
        style={{
          width: `${Math.min(100, Math.max(0, percent))}%`,
          background: `var(--pct-${percentClass(percent, pass)})`,
        }}
      />
      <u style={{ left: `${pass}%` }} />
    </div>
  );
}

/** One result in full: number first, then the verdict, then how it was measured. */
export function Measured({
  record,
  runs,
  pass,
  now,
}: {
  readonly record: Measurement;
  /** All results of the link, newest first. */
  readonly runs: readonly MeasurementSummary[];
  readonly pass: number;
  readonly now: number;
}) {
  const { percent, bandwidthGbps, latencyUs, latencyP99Us, verdict } = record;
  const health = levelHealth(verdict.level);
  const latency = latencyUs === undefined ? undefined : `${latencyNumber(latencyUs)} µs avg`;
  const p99 = latencyP99Us === undefined ? "" : `, ${latencyNumber(latencyP99Us)} µs p99`;
  const baseline = useMeasure((state) => baselineOf(state.baselines, record));
  const word = resultWord(record, pass);
  const calloutTone = health === "unknown" ? "note" : health;
  return (
    <>
      <Section
        id="link-measured"
        title="Measured"
        aside={
          <span title={exactTime(record.at)}>
            {record.source.simulated ? "simulated, " : ""}
            {clockTime(record.at)}, {ago(record.at, now)}
          </span>
        }
      >
        {bandwidthGbps === undefined ? null : (
          <div className="measured">
            <div>
              <div className="big">
                <b>{rateNumber(bandwidthGbps)}</b>
                <span>Gb/s</span>
                <span className="big-space" />
                {percent === undefined ? null : (
                  <Tag tone={tones[health]}>
                    {percentText(percent)}, {word}
                  </Tag>
                )}
              </div>
              {percent === undefined ? null : <Gauge percent={percent} pass={pass} />}
              <div className="gauge-words">
                <span>{expectedText(record.expectedGbps)}</span>
                <span>pass {percentText(pass)}</span>
              </div>
            </div>
            <Sparkline runs={runs} pass={pass} now={now} baseline={baselinePercent(baseline)} />
          </div>
        )}
        {bandwidthGbps === undefined && latencyUs !== undefined ? (
          <div className="big">
            <b>{latencyNumber(latencyUs)}</b>
            <span>µs average</span>
            <span className="big-space" />
            <Tag tone={tones[health]}>{word}</Tag>
          </div>
        ) : null}
        <Facts
          rows={[
            ...(record.bothWaysGbps === undefined
              ? []
              : [{ label: "Both ways", value: `${rateNumber(record.bothWaysGbps)} Gb/s at once` }]),
            ...(latency === undefined ? [] : [{ label: "Latency", value: `${latency}${p99}` }]),
            ...(record.loadedLatencyUs === undefined ? [] : [{ label: "Under load", value: loadedText(record) }]),
            ...(baseline === undefined ? [] : [{ label: "Baseline", value: baselineText(baseline, record, now) }]),
            { label: "Settings", value: settingsText(record.options) },
            { label: "Hosts", value: `${record.client.host} to ${record.server.host}` },
          ]}
        />
        {verdict.level === "good" ? null : (
          <div className="inspector-callout">
            <Callout tone={calloutTone}>
              <p>
                <strong className="inline-strong">{verdict.sentence}</strong>
              </p>
              {verdict.next.length === 0 ? null : (
                <ol className="next-steps">
                  {verdict.next.map((step) => (
                    <li key={step}>{step}</li>
                  ))}
                </ol>
              )}
            </Callout>
          </div>
        )}
      </Section>
      <StepResults record={record} pass={pass} />
    </>
  );
}
