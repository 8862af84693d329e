import { useMemo, useState } from "react";
import { healths } from "../../../shared/analyse/results.ts";
import { at, linkId } from "../../../shared/fabric/access.ts";
import type { FabricView, MeasurementSummary } from "../../../shared/contract/views.ts";
import { Button } from "../../parts/button.tsx";
import { Callout } from "../../parts/callout.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { HealthGlyph } from "../../parts/glyph.tsx";
import { PercentMeter } from "../../parts/meter.tsx";
import { Section } from "../../parts/section.tsx";
import { dayTime, exactTime, useNow } from "../../parts/time.ts";
import { useMeasure } from "../../state/measure-store.ts";
import { useSelection } from "../../state/selection-store.ts";
import { useSettings } from "../../state/settings-store.ts";
import { useFabric } from "../../state/fabric-store.ts";
import { useGrowths } from "../findings/counter-watch.tsx";
import { findingIndex } from "../findings/finding-index.ts";
import { GrowthCharts } from "../findings/growth-chart.tsx";
import { growthsOfLink } from "../findings/growth.ts";
import { measuredHealth } from "../links/link-rows.ts";
import { useRunningTask } from "../measure/live-store.ts";
import { useMeasurementRecord } from "../measure/records-store.ts";
import { RunRecords } from "../measure/run-records.tsx";
import { sayIfWrong } from "../measure/say-if-wrong.ts";
import { latencyNumber, percentText, rateNumber } from "../measure/words.ts";
import { useObjectActions } from "../shell/object-actions.ts";
import { BothEnds, Cable } from "./both-ends.tsx";
import { Checks } from "./checks.tsx";
import { Evidence } from "./evidence.tsx";
import { FindingList } from "./finding-list.tsx";
import { Head, type HeadControls } from "./head.tsx";
import { linkText } from "./inspector-text.ts";
import {
  cannotMeasure,
  endNames,
  farEndNames,
  linkRate,
  linkTags,
  siblingsMeasured,
  siblingsOf,
  walkText,
} from "./link-facts.ts";
import { LinkRoutes } from "./link-routes.tsx";
import { Measured } from "./measured.tsx";
import { Path } from "./path.tsx";
import { Running } from "./running.tsx";
import { Triangulate } from "./triangulate.tsx";
import { WalkTo } from "./walk-to.tsx";

/** Everything about one cable. */
export function LinkInspector({
  view,
  link,
  controls,
}: {
  readonly view: FabricView;
  readonly link: number;
  readonly controls: HeadControls;
}) {
  const { fabric, analysis } = view;
  const now = useNow();
  const pass = useSettings((state) => state.settings.passPercent);
  const id = linkId(fabric, link);
  const history = useMeasure((state) => state.history);
  const running = useMeasure((state) => state.running);
  const last = useMeasure((state) => state.last);
  const task = useRunningTask();
  const connection = useFabric((state) => state.connection);
  const collectAgain = useFabric((state) => state.collectAgain);
  const [chosen, setChosen] = useState<string | undefined>(undefined);

  const runs = useMemo(
    () => history.filter((run) => run.link === id && run.simulated === view.capture.simulated),
    [history, id, view.capture.simulated],
  );
  const ended = last?.link === id ? last : undefined;
  const newest = runs.find((run) => run.bandwidthGbps !== null || run.latencyUs !== null) ?? runs[0];
  const wantedRecord = chosen ?? ended?.measurement?.id ?? newest?.id;
  const loaded = useMeasurementRecord(wantedRecord === ended?.measurement?.id ? undefined : wantedRecord);
  const record =
    wantedRecord !== undefined && wantedRecord === ended?.measurement?.id
      ? ended.measurement
      : loaded?.ok === true
        ? loaded.value
        : undefined;
  const setBaseline = useMeasure((state) => state.setBaseline);
  const isBaseline = useMeasure((state) => state.baselines.some(({ measurement }) => measurement === record?.id));
  const isRunning = running?.plan.link === id && task !== undefined;
  const impossible = cannotMeasure(fabric, link);
  const findings = findingIndex(fabric, analysis).byLink.get(link) ?? [];
  const [a, b] = endNames(fabric, link);
  const ends = [at(fabric.links.a, link), at(fabric.links.b, link)] as const;
  const own = healths[at(analysis.linkHealth, link)] ?? "unknown";
  const byResult =
    record === undefined
      ? "ok"
      : measuredHealth(
          {
            ...{ percent: record.percent ?? null, latencyUs: record.latencyUs ?? null },
            ...{ level: record.verdict.level, hops: record.path.length - 1 },
          },
          pass,
        );
  const health = healths.indexOf(byResult) > healths.indexOf(own) ? byResult : own;
  const wanted = useMemo(() => {
    const { capability } = analysis;
    const { lanes, speed } = linkRate(fabric, link);
    return {
      lanes: Math.max(lanes, at(capability.lanes, link)),
      speed: Math.max(speed, at(capability.speed, link)),
    };
  }, [fabric, analysis, link]);

  const target = useMemo(() => ({ kind: "link", link }) as const, [link]);
  const measure = useObjectActions(view, target).find((one) => one.id === "measure");
  const actions = isRunning ? (
    <>
      <Button kind="plain" size="small" icon="stop" onClick={task.cancel}>
        Cancel
      </Button>
      <span className="quiet-words">ends both sides at once</span>
    </>
  ) : (
    <>
      <Button
        kind={impossible === undefined && record?.verdict.level !== "good" ? "primary" : "plain"}
        size="small"
        icon="measure"
        disabled={measure?.reason !== undefined}
        title={measure?.reason ?? "M"}
        onClick={() => measure?.run()}
      >
        {record === undefined ? "Measure" : "Measure again"}
      </Button>
      {record === undefined || (record.bandwidthGbps === undefined && record.latencyUs === undefined) ? null : (
        <Button kind="plain" size="small" onClick={() => sayIfWrong(setBaseline(record.id, !isBaseline))}>
          {isBaseline ? "Clear the baseline" : "Set as baseline"}
        </Button>
      )}
      {impossible !== undefined && connection === "connected" ? (
        <Button kind="plain" size="small" icon="refresh" onClick={() => void collectAgain()}>
          Collect again
        </Button>
      ) : null}
    </>
  );

  const measured = isRunning ? (
    <Running plan={running.plan} task={task} pass={pass} />
  ) : (
    <>
      {ended?.error === undefined ? null : (
        <Section id="link-failed" title={ended.error.kind === "cancelled" ? "Cancelled" : "Not measured"}>
          <ErrorBox error={ended.error} />
        </Section>
      )}
      {impossible === undefined ? null : (
        <Section id="link-cannot" title="Cannot be measured">
          <Callout tone={health === "ok" ? "note" : "error"}>{impossible}</Callout>
          {fabric.links.count > 0 && health !== "ok" ? <WalkTo text={walkText(fabric, ends[0], ends[1])} /> : null}
        </Section>
      )}
      {record !== undefined ? (
        <>
          <Measured record={record} runs={runs} pass={pass} now={now} />
          <Triangulate fabricId={view.fabricId} record={record} />
        </>
      ) : loaded?.ok === false ? (
        <Section id="link-measured" title="Measured">
          <ErrorBox error={loaded.error} />
        </Section>
      ) : impossible === undefined && newest === undefined ? (
        <NeverMeasured view={view} link={link} healthy={findings.length === 0} />
      ) : null}
    </>
  );
  const findingList = <FindingList id="link-findings" findings={findings} />;
  return (
    <>
      <Head
        health={isRunning ? "running" : health}
        title={
          <>
            {a} <span className="inspector-to">to</span> {b}
          </>
        }
        tags={linkTags(fabric, link)}
        actions={actions}
        copyText={() => linkText(view, link, runs)}
        controls={controls}
      />
      <div className="inspector-body">
        {record === undefined && !isRunning && ended === undefined ? findingList : null}
        {measured}
        {record === undefined && !isRunning && ended === undefined ? null : findingList}
        <GrowthSection view={view} link={link} />
        {record === undefined || isRunning ? null : (
          <>
            <Path id="link-path" record={record} />
            <Evidence id="link-evidence" record={record} />
            <Checks id="link-checks" record={record} />
          </>
        )}
        <BothEnds view={view} a={ends[0]} b={ends[1]} wanted={wanted} />
        <LinkRoutes view={view} link={link} />
        <Cable view={view} a={ends[0]} b={ends[1]} findings={findings} />
        <SiblingsSection view={view} link={link} />
        <History runs={runs} pass={pass} now={now} shown={record?.id} onChoose={setChosen} />
        {record === undefined || record.runs.length === 0 || isRunning ? null : (
          <Section id="link-raw" title="Command lines and raw output" defaultOpen={false}>
            <RunRecords record={record} />
          </Section>
        )}
      </div>
    </>
  );
}

function NeverMeasured({
  view,
  link,
  healthy,
}: {
  readonly view: FabricView;
  readonly link: number;
  readonly healthy: boolean;
}) {
  const latest = useMeasure((state) => state.latest);
  const siblings = siblingsOf(view.fabric, view.analysis, link);
  const range = siblingsMeasured(siblings, link, (other) => latest.get(linkId(view.fabric, other)));
  const low = range === undefined ? "" : percentText(range.low);
  const high = range === undefined ? "" : percentText(range.high);
  return (
    <Section id="link-measured" title="Measured" aside="never">
      <div className="remark">
        <HealthGlyph health="not-enough-data" size={14} />
        <span>
          {healthy ? "Looks healthy, but nobody has measured it." : "Nobody has measured it."}
          {range === undefined ? null : (
            <>
              {" "}
              {range.links === 1 ? "The one measured sibling reaches " : `The ${range.links} measured siblings reach `}
              <strong>{low === high ? low : `${low} to ${high}`}</strong>.
            </>
          )}
        </span>
      </div>
    </Section>
  );
}

/** What the error counters of both ends did while they were watched; nothing when none of them grew. */
function GrowthSection({ view, link }: { readonly view: FabricView; readonly link: number }) {
  const growths = useGrowths(view);
  const own = useMemo(() => growthsOfLink(view.fabric, link, growths), [view.fabric, link, growths]);
  if (own.length === 0) return null;
  return (
    <Section id="link-growth" title="Counters while watched" aside={String(own.length)}>
      <GrowthCharts fabric={view.fabric} growths={own} />
    </Section>
  );
}

function SiblingsSection({ view, link }: { readonly view: FabricView; readonly link: number }) {
  const { fabric, analysis } = view;
  const siblings = useMemo(() => siblingsOf(fabric, analysis, link), [fabric, analysis, link]);
  const select = useSelection((state) => state.select);
  if (siblings.others < 1) return null;
  const own = siblings.groups.find((group) => group.own);
  const node = at(fabric.ports.node, at(fabric.links.a, link));
  return (
    <Section id="link-siblings" title={siblings.title} aside={String(siblings.links.length)}>
      {siblings.groups.map((group) => {
        const slower = siblings.groups.some(
          (other) => other.gbps > group.gbps && other.links.length > group.links.length,
        );
        const bad = group.links.some((other) => at(analysis.linkHealth, other) >= healths.indexOf("warning"));
        const first = group.links.find((other) => other !== link) ?? group.links[0];
        return (
          <div className="sibling" key={group.rate}>
            <HealthGlyph health={slower || bad ? "warning" : "ok"} size={12} />
            <span>
              {group.links.length} {group.gbps < 0 ? "" : group.links.length === 1 ? "runs " : "run "}
              {group.rate}
              {group === own ? (group.links.length === 1 ? ", this one" : ", this one too") : ""}
            </span>
            <button
              type="button"
              className="text-link text-link-quiet"
              title={farEndNames(fabric, node, group.links)}
              onClick={() => (first === undefined ? undefined : select({ kind: "link", link: first }, { fly: true }))}
            >
              {farEndNames(fabric, node, group.links)}
            </button>
          </div>
        );
      })}
    </Section>
  );
}

const historyShown = 8;

function History({
  runs,
  pass,
  now,
  shown,
  onChoose,
}: {
  readonly runs: readonly MeasurementSummary[];
  readonly pass: number;
  readonly now: number;
  readonly shown: string | undefined;
  readonly onChoose: (id: string) => void;
}) {
  const [all, setAll] = useState(false);
  if (runs.length < 2) return null;
  return (
    <Section id="link-history" title="History" aside={`${runs.length} runs`}>
      <table className="history">
        <thead>
          <tr>
            <th>when</th>
            <th>Gb/s</th>
            <th>%</th>
            <th>µs</th>
            <th />
          </tr>
        </thead>
        <tbody>
          {(all ? runs : runs.slice(0, historyShown)).map((run) => (
            <tr key={run.id} aria-current={run.id === shown}>
              <td>
                <button
                  type="button"
                  className="text-link text-link-plain"
                  title={exactTime(run.at)}
                  onClick={() => onChoose(run.id)}
                >
                  {dayTime(run.at, now)}
                </button>
              </td>
              <td>{run.bandwidthGbps === null ? "–" : rateNumber(run.bandwidthGbps)}</td>
              <td>
                {run.percent === null
                  ? run.bandwidthGbps === null && run.latencyUs === null
                    ? run.level
                    : "–"
                  : Math.round(run.percent)}
              </td>
              <td>{run.latencyUs === null ? "–" : latencyNumber(run.latencyUs)}</td>
              <td>{run.percent === null ? null : <PercentMeter percent={run.percent} pass={pass} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {runs.length > historyShown && !all ? (
        <button type="button" className="text-link" onClick={() => setAll(true)}>
          Show all {runs.length}
        </button>
      ) : null}
    </Section>
  );
}
