import { useDeferredValue, useMemo } from "react";
import { groupDigits } from "../../../shared/base/text.ts";
import { rowNames } from "../../graph/graph-model.ts";
import { hostName, hostOfNode, nodeName } from "../../../shared/fabric/access.ts";
import type { CaptureInfo, FabricView } from "../../../shared/contract/views.ts";
import { Facts } from "../../parts/facts.tsx";
import { type GlyphKind, HealthGlyph } from "../../parts/glyph.tsx";
import { PercentMeter } from "../../parts/meter.tsx";
import { Section } from "../../parts/section.tsx";
import { ago, clockTime, exactTime, useNow } from "../../parts/time.ts";
import { useMeasure } from "../../state/measure-store.ts";
import { useSelection } from "../../state/selection-store.ts";
import { useSettings } from "../../state/settings-store.ts";
import { useUi } from "../../state/ui-store.ts";
import { selectionOfNode } from "../findings/finding-index.ts";
import { measuredLinks } from "../links/link-rows.ts";
import { useWatchedFabric } from "../managers/use-watched-fabric.ts";
import { percentText } from "../measure/words.ts";
import { GroupMatrixSection } from "./group-matrix.tsx";
import { Head, type HeadControls } from "./head.tsx";
import { fabricText } from "./inspector-text.ts";
import type { TagText } from "./link-facts.ts";
import {
  capital,
  findingsByRule,
  measuredOverall,
  type Share,
  shapeText,
  sharesByHealth,
  sharesByRate,
  tierText,
} from "./node-facts.ts";
import { stepGlyph } from "./running.tsx";
import { shapeRows } from "./shape-facts.ts";
import { WhyThisShape } from "./shape.tsx";

/** The whole fabric: what shows when nothing is selected. */
export function FabricInspector({ view, controls }: { readonly view: FabricView; readonly controls: HeadControls }) {
  const { analysis, capture } = view;
  const { counts, topology } = analysis;
  // What looks at every link comes after the first picture, so that opening a large fabric never blocks the window.
  const late = useDeferredValue<FabricView | null>(view, null);
  const worst: GlyphKind = analysis.findings.some((finding) => finding.severity === "error")
    ? "error"
    : analysis.findings.some((finding) => finding.severity === "warning")
      ? "warning"
      : "ok";
  const exceptions = topology.exceptions.length;
  const titles = rowNames(analysis);
  const tags: TagText[] = [
    { text: shapeText(analysis), tone: "plain" },
    ...(topology.overruled ? [{ text: "Chosen by you", tone: "note" as const }] : []),
    ...(exceptions === 0
      ? []
      : [{ text: `${exceptions} ${exceptions === 1 ? "exception" : "exceptions"}`, tone: "warning" as const }]),
    ...(capture.simulated ? [{ text: "SIMULATED", tone: "sim" as const }] : []),
    ...(capture.partial ? [{ text: "Partial", tone: "warning" as const }] : []),
  ];
  return (
    <>
      <Head health={worst} title={capture.name} tags={tags} copyText={() => fabricText(view)} controls={controls} />
      <div className="inspector-body">
        <Section id="fabric-shape" title="Shape">
          <Facts
            rows={[
              ...[...topology.tiers]
                .reverse()
                .map((tier) => ({ label: titles.get(tier.level) ?? capital(tier.name), value: tierText(tier) })),
              ...shapeRows(topology),
              { label: "Hosts", value: `${groupDigits(counts.hosts)}, ${groupDigits(counts.hcas)} HCAs` },
              ...(counts.routers === 0 ? [] : [{ label: "Routers", value: groupDigits(counts.routers) }]),
              ...(counts.aggregationNodes === 0
                ? []
                : [{ label: "Aggregation", value: `${groupDigits(counts.aggregationNodes)} nodes` }]),
              {
                label: "Links",
                value: `${groupDigits(counts.links)}, ${groupDigits(counts.linksActive)} active`,
              },
            ]}
          />
        </Section>
        <WhyThisShape view={view} />
        <GroupMatrixSection view={view} />
        <FindingsByRule view={view} />
        <Shares
          id="fabric-health"
          title="Links by health"
          total={counts.links + analysis.missingLinks.length}
          shares={sharesByHealth(analysis)}
        />
        {late === null ? null : <RateShares view={late} />}
        <Managers view={view} />
        {late === null ? null : <MeasuredSummary view={late} />}
        <Capture capture={capture} />
      </div>
    </>
  );
}

function RateShares({ view }: { readonly view: FabricView }) {
  const shares = useMemo(() => sharesByRate(view.fabric), [view.fabric]);
  return <Shares id="fabric-rate" title="Links by rate" total={view.analysis.counts.links} shares={shares} />;
}

function FindingsByRule({ view }: { readonly view: FabricView }) {
  const groups = findingsByRule(view.analysis.findings);
  const show = useUi((state) => state.show);
  return (
    <Section id="fabric-findings" title="Findings" aside={groupDigits(view.analysis.findings.length)}>
      {groups.length === 0 ? (
        <div className="evidence">
          <HealthGlyph health="ok" size={12} />
          <span>None. What was not measured is not proven.</span>
        </div>
      ) : (
        groups.map((group) => (
          <div className="evidence" key={`${group.rule} ${group.severity} ${group.title}`}>
            <HealthGlyph health={group.severity} size={12} />
            <button type="button" className="text-link text-link-plain" onClick={() => show("findings")}>
              {group.title}
            </button>
            <span className="evidence-end">{groupDigits(group.times)}</span>
          </div>
        ))
      )}
    </Section>
  );
}

/** One stacked bar with its legend; the legend carries the numbers. */
function Shares({
  id,
  title,
  total,
  shares,
}: {
  readonly id: string;
  readonly title: string;
  readonly total: number;
  readonly shares: readonly Share[];
}) {
  if (total === 0) return null;
  return (
    <Section id={id} title={title} aside={groupDigits(total)}>
      <div className="stack-bar" aria-hidden="true">
        {shares.map((share) => (
          <i key={share.label} style={{ flexGrow: share.value, background: share.colour }} />
        ))}
      </div>
      <div className="stack-legend">
        {shares.map((share) => (
          <span key={share.label}>
            {share.health === undefined ? (
              <i style={{ background: share.colour }} />
            ) : (
              <HealthGlyph health={share.health} size={12} />
            )}
            {share.health === undefined ? `${share.label} ` : ""}
            {groupDigits(share.value)}
          </span>
        ))}
      </div>
    </Section>
  );
}

function Managers({ view }: { readonly view: FabricView }) {
  // While they are watched, the state of now: the bar above and the picture show it too.
  const fabric = useWatchedFabric(view) ?? view.fabric;
  const select = useSelection((state) => state.select);
  const managers = fabric.subnetManagers;
  return (
    <Section id="fabric-managers" title="Subnet managers" aside={String(managers.length)}>
      {managers.length === 0 ? (
        <div className="evidence">
          <HealthGlyph health={fabric.smAsked ? "error" : "unknown"} size={12} />
          <span>{fabric.smAsked ? "Asked, and none answers." : "Nobody asked for them."}</span>
        </div>
      ) : (
        managers.map((manager) => {
          const { node } = manager;
          const host = node === undefined ? undefined : hostOfNode(fabric, node);
          const name =
            node === undefined ? manager.guid : host === undefined ? nodeName(fabric, node) : hostName(fabric, host);
          return (
            <div className="evidence" key={manager.guid}>
              <HealthGlyph
                health={manager.state === "MASTER" || manager.state === "STANDBY" ? "ok" : "warning"}
                size={12}
              />
              <span>
                {node === undefined ? (
                  <span className="mono">{name}</span>
                ) : (
                  <button
                    type="button"
                    className="text-link text-link-plain"
                    onClick={() => select(selectionOfNode(fabric, node), { fly: true })}
                  >
                    {name}
                  </button>
                )}{" "}
                <span className="quiet-words">
                  {manager.state.toLowerCase()}, prio {manager.priority}
                </span>
              </span>
              <span className="evidence-end">LID {manager.lid}</span>
            </div>
          );
        })
      )}
    </Section>
  );
}

function MeasuredSummary({ view }: { readonly view: FabricView }) {
  const { fabric, analysis } = view;
  const latest = useMeasure((state) => state.latest);
  const pass = useSettings((state) => state.settings.passPercent);
  const overall = useMemo(() => measuredOverall(measuredLinks(fabric, latest).values(), pass), [fabric, latest, pass]);
  return (
    <Section
      id="fabric-measured"
      title="Measured"
      aside={`${groupDigits(overall?.links ?? 0)} of ${groupDigits(analysis.counts.links)} links`}
    >
      {overall === undefined ? (
        <div className="evidence">
          <HealthGlyph health="not-enough-data" size={12} />
          <span>No link of this fabric has been measured.</span>
        </div>
      ) : (
        <div className="measured-overall">
          <PercentMeter percent={overall.median} pass={pass} />
          <span>{percentText(overall.median)} median</span>
          <span className="quiet-words">
            {percentText(overall.low)} to {percentText(overall.high)},{" "}
            {overall.below === 0 ? "all pass" : `${groupDigits(overall.below)} below ${percentText(pass)}`}
          </span>
        </div>
      )}
    </Section>
  );
}

const howWords: Readonly<Record<CaptureInfo["how"], string>> = {
  ssh: "over SSH",
  local: "on this machine",
  simulated: "simulated, for learning and tests",
  file: "opened from a file",
};

function Capture({ capture }: { readonly capture: CaptureInfo }) {
  const now = useNow();
  const at = capture.collectedAt;
  return (
    <Section id="fabric-capture" title="Capture" aside={at === null ? undefined : ago(at, now)}>
      <Facts
        rows={[
          {
            label: "When",
            value:
              at === null ? (
                "the raw outputs do not say"
              ) : (
                <span title={exactTime(at)}>{`${clockTime(at)}, ${ago(at, now)}`}</span>
              ),
          },
          { label: "From", value: `${capture.name}, ${howWords[capture.how]}` },
          ...(capture.path === null ? [] : [{ label: "File", value: capture.path }]),
          { label: "Raw outputs", value: groupDigits(capture.files.length) },
        ]}
      />
      {capture.steps.map((step) => (
        <div className="evidence" key={step.id}>
          <HealthGlyph health={step.state === "failed" ? "warning" : stepGlyph[step.state]} size={12} />
          <span>
            {step.title}
            {step.state === "failed" ? <span className="evidence-why">{step.note}</span> : null}
          </span>
          {step.state === "failed" ? null : <span className="evidence-end">{step.note}</span>}
        </div>
      ))}
    </Section>
  );
}
