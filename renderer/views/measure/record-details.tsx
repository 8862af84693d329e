import type { FabricView, MeasurementSummary } from "../../../shared/contract/views.ts";
import { findLink } from "../../../shared/fabric/access.ts";
import { IconButton } from "../../parts/button.tsx";
import { CopyButton } from "../../parts/copy.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { Facts } from "../../parts/facts.tsx";
import { HealthGlyph } from "../../parts/glyph.tsx";
import { PercentMeter } from "../../parts/meter.tsx";
import { Section } from "../../parts/section.tsx";
import { Tag } from "../../parts/tag.tsx";
import { ago, dayTime, exactTime } from "../../parts/time.ts";
import { useMeasure } from "../../state/measure-store.ts";
import { useSweeps } from "../../state/sweep-store.ts";
import { Evidence } from "../inspector/evidence.tsx";
import { Path } from "../inspector/path.tsx";
import { flyTo } from "../shell/go-to.ts";
import { historyLine } from "./history-rows.ts";
import { useMeasurementRecord } from "./records-store.ts";
import { RunRecords } from "./run-records.tsx";
import { sayIfWrong } from "./say-if-wrong.ts";
import { StepResults } from "./step-results.tsx";
import { latencyNumber, levelHealth, loadedText, rateNumber, settingsText } from "./words.ts";
import "./record.css";

/** One result in full, beside the table. */
export function RecordDetails({
  view,
  run,
  pass,
  now,
  onClose,
}: {
  readonly view: FabricView | undefined;
  readonly run: MeasurementSummary;
  readonly pass: number;
  readonly now: number;
  readonly onClose: () => void;
}) {
  const loaded = useMeasurementRecord(run.id);
  const setBaseline = useMeasure((state) => state.setBaseline);
  const isBaseline = useMeasure((state) => state.baselines.some(({ measurement }) => measurement === run.id));
  // Simulated and real results may name the same link; only those of the open fabric's kind belong to it.
  const here =
    view === undefined || view.capture.simulated !== run.simulated ? undefined : findLink(view.fabric, run.link);
  return (
    <aside className="record" aria-label="Measurement">
      <div className="record-head">
        <HealthGlyph health={run.level === "cancelled" ? "not-run" : levelHealth(run.level)} size={15} />
        <h3>{run.linkName}</h3>
        <CopyButton
          text={() => (loaded?.ok === true ? JSON.stringify(loaded.value, null, 2) : historyLine(run))}
          label="Copy all"
        />
        <IconButton icon="close" label="Close" onClick={onClose} />
      </div>
      <div className="record-tags">
        {run.simulated ? <Tag tone="sim">SIMULATED</Tag> : null}
        <Tag tone="plain">{run.source}</Tag>
        <Tag tone="plain" title={exactTime(run.at)}>
          {ago(run.at, now)}
        </Tag>
        {isBaseline ? <Tag tone="note">Baseline</Tag> : null}
        {run.sweep === undefined ? null : (
          <button type="button" className="cell-link" onClick={() => useSweeps.getState().show(run.sweep)}>
            Show its sweep
          </button>
        )}
        {run.bandwidthGbps === null && run.latencyUs === null ? null : (
          <button type="button" className="cell-link" onClick={() => sayIfWrong(setBaseline(run.id, !isBaseline))}>
            {isBaseline ? "Clear the baseline" : "Set as baseline"}
          </button>
        )}
        {here === undefined ? (
          <Tag tone="plain">Not in the open fabric</Tag>
        ) : (
          <button type="button" className="cell-link" onClick={() => flyTo({ kind: "link", link: here })}>
            Show the link
          </button>
        )}
      </div>
      <div className="record-body">
        {loaded === undefined ? (
          <p className="cell-quiet record-wait">Reading the record</p>
        ) : !loaded.ok ? (
          <div className="record-wait">
            <ErrorBox error={loaded.error} />
          </div>
        ) : (
          <>
            <Section
              id="record-result"
              title="Result"
              aside={<span title={exactTime(run.at)}>{dayTime(run.at, now)}</span>}
            >
              <p className="record-sentence">
                {loaded.value.percent === undefined ? null : (
                  <PercentMeter percent={loaded.value.percent} pass={pass} />
                )}
                {loaded.value.verdict.sentence}
              </p>
              {loaded.value.verdict.next.map((step) => (
                <p key={step} className="cell-soft">
                  {step}
                </p>
              ))}
              <Facts
                rows={[
                  {
                    label: "Bandwidth",
                    value:
                      loaded.value.bandwidthGbps === undefined ? "" : `${rateNumber(loaded.value.bandwidthGbps)} Gb/s`,
                  },
                  {
                    label: "Latency",
                    value:
                      loaded.value.latencyUs === undefined
                        ? ""
                        : `${latencyNumber(loaded.value.latencyUs)} µs avg${loaded.value.latencyP99Us === undefined ? "" : `, ${latencyNumber(loaded.value.latencyP99Us)} µs p99`}`,
                  },
                  ...(loaded.value.loadedLatencyUs === undefined
                    ? []
                    : [{ label: "Under load", value: loadedText(loaded.value) }]),
                  { label: "Settings", value: settingsText(loaded.value.options) },
                  { label: "Client", value: `${loaded.value.client.host}, port ${loaded.value.client.port}` },
                  { label: "Server", value: `${loaded.value.server.host}, port ${loaded.value.server.port}` },
                ]}
              />
            </Section>
            <StepResults record={loaded.value} pass={pass} />
            <Path id="record-path" record={loaded.value} />
            <Evidence id="record-evidence" record={loaded.value} />
            <Section id="record-versions" title="Versions">
              <Facts
                rows={Object.entries(loaded.value.versions).map(([host, version]) => ({
                  label: host,
                  value: version.replace(/^Version:/, "perftest"),
                }))}
              />
            </Section>
            <Section id="record-raw" title="Command lines and raw output">
              {loaded.value.runs.length === 0 ? (
                <p className="cell-quiet">Nothing had run yet.</p>
              ) : (
                <RunRecords record={loaded.value} />
              )}
            </Section>
          </>
        )}
      </div>
    </aside>
  );
}
