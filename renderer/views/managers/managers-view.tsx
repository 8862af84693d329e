import { type KeyboardEvent, useMemo, useState } from "react";
import { groupDigits } from "../../../shared/base/text.ts";
import type { FabricView } from "../../../shared/contract/views.ts";
import { explain } from "../../../shared/errors/explain.ts";
import type { Fabric, SmState, SubnetManager } from "../../../shared/fabric/model.ts";
import { Empty } from "../../parts/empty.tsx";
import { type GlyphKind, HealthGlyph } from "../../parts/glyph.tsx";
import { Button } from "../../parts/button.tsx";
import { Segmented } from "../../parts/field.tsx";
import { Tag } from "../../parts/tag.tsx";
import { age, clockTime, exactTime, useNow } from "../../parts/time.ts";
import { useFabric } from "../../state/fabric-store.ts";
import { useSelection } from "../../state/selection-store.ts";
import { useWatch } from "../../state/watch-store.ts";
import { flyTo } from "../shell/go-to.ts";
import { growthOf, takeOverWords, withLiveManagers } from "./live-managers.ts";
import {
  knowsStandbys,
  managerName,
  managerPlace,
  managersInOrder,
  managerSelection,
  managerStatus,
  priorityText,
} from "./manager-status.ts";
import { TimelineChart } from "./timeline-chart.tsx";
import { TimelineOverview } from "./timeline-overview.tsx";
import { type Range, shownSpan, sinceOf, type Span, timelineOf } from "./timeline.ts";
import { WatchBar } from "./watch-bar.tsx";
import { WatchPanels } from "./watch-panels.tsx";
import "../findings/findings-view.css";
import "./managers-view.css";

const glyphs: Readonly<Record<SmState, GlyphKind>> = {
  MASTER: "ok",
  STANDBY: "ok",
  DISCOVERING: "note",
  NOTACTIVE: "note",
  unknown: "unknown",
};

/** `one master, one standby`, and in words what is missing. */
function Summary({ fabric }: { readonly fabric: Fabric }) {
  const status = managerStatus(fabric);
  const standbys = fabric.subnetManagers.filter((manager) => manager.state === "STANDBY").length;
  const standby = !knowsStandbys(fabric)
    ? "standbys not asked"
    : standbys === 0
      ? "no standby"
      : standbys === 1
        ? "one standby"
        : `${standbys} standbys`;
  switch (status.kind) {
    case "not-asked":
      return <Tag tone="plain">not asked</Tag>;
    case "none":
      return <Tag tone="error">no master answers{standbys === 0 ? "" : `, ${standby}`}</Tag>;
    case "several":
      return (
        <Tag tone="error">
          {status.masters.length} masters, {standby}
        </Tag>
      );
    case "one":
      return <Tag tone={standbys === 0 && knowsStandbys(fabric) ? "warning" : "ok"}>one master, {standby}</Tag>;
  }
}

/** `+24 in 20 s`; a count that does not grow is said as well. */
function Growth({ manager }: { readonly manager: SubnetManager }) {
  const status = useWatch((state) => state.status);
  const growth = growthOf(manager, status);
  if (manager.answers === "no") return <span className="managers-quiet">when it answered last</span>;
  if (growth === undefined) return <span className="managers-quiet">growth not known</span>;
  return (
    <span className={growth.count > 0 ? "managers-grows" : "managers-still"}>
      +{groupDigits(growth.count)} in {growth.seconds} s
    </span>
  );
}

const answerWords = { yes: "answers", no: "no answer", "not-asked": "not asked" } as const;

function Since({ guid }: { readonly guid: string }) {
  const changes = useWatch((state) => state.changes);
  const now = useNow(5_000);
  const status = useWatch((state) => state.status);
  const since = status?.running === true ? sinceOf(changes, guid, status.time?.from ?? "") : undefined;
  if (since === undefined) return <span className="managers-quiet">not watched</span>;
  return (
    <>
      <span title={exactTime(since.time)}>{clockTime(since.time)}</span>
      <span className="managers-quiet">{since.atLeast ? "or longer" : `for ${age(since.time, now)}`}</span>
    </>
  );
}

function ManagerRow({ fabric, manager }: { readonly fabric: Fabric; readonly manager: SubnetManager }) {
  const select = useSelection((state) => state.select);
  const target = managerSelection(fabric, manager);
  const silent = manager.answers === "no";
  const selected = useSelection(
    (state) => target.kind !== "nothing" && JSON.stringify(state.selection) === JSON.stringify(target),
  );
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget || event.key !== "Enter") return;
    event.preventDefault();
    select(target);
  };
  return (
    <tr tabIndex={0} aria-selected={selected} onClick={() => select(target)} onKeyDown={onKeyDown}>
      <td>
        <HealthGlyph health={silent ? "error" : glyphs[manager.state]} size={14} />
      </td>
      <td>
        <span className={`managers-state managers-state-${silent ? "NO-ANSWER" : manager.state}`}>
          {silent ? "NO ANSWER" : manager.state}
        </span>
      </td>
      <td>
        <span className="managers-name">{managerName(fabric, manager)}</span>
        <span className="managers-quiet">{managerPlace(fabric, manager)}</span>
      </td>
      <td className="mono managers-guid">{manager.guid === "" ? "–" : manager.guid}</td>
      <td className="managers-number" title={`0x${manager.lid.toString(16)}`}>
        {manager.lid}
      </td>
      <td className="managers-number managers-priority">{priorityText(manager)}</td>
      <td>
        <span className="managers-name">{groupDigits(manager.activity)}</span>
        <Growth manager={manager} />
      </td>
      <td className={silent ? "managers-bad" : ""}>{answerWords[manager.answers]}</td>
      <td>
        <Since guid={manager.guid} />
      </td>
      <td>
        {target.kind === "nothing" ? null : (
          <button
            type="button"
            className="managers-show"
            title="Show in topology"
            onClick={(event) => {
              event.stopPropagation();
              flyTo(target);
            }}
          >
            Show
          </button>
        )}
      </td>
    </tr>
  );
}

function TakeOver({ fabric }: { readonly fabric: Fabric }) {
  const status = managerStatus(fabric);
  const { heading, title, reason, time, worry } = takeOverWords(fabric);
  return (
    <aside className="managers-if" aria-label="What happens when the master dies">
      <p className="managers-quiet">{heading}</p>
      <p className="managers-if-title">
        {worry ? <HealthGlyph health={status.kind === "one" ? "warning" : "error"} size={14} /> : null}
        {title}
      </p>
      <p>{reason}</p>
      {time === "" ? null : <p>{time}</p>}
      {status.kind === "several" ? (
        <p>
          Two masters give the same LIDs to different ports. Find out whether two fabrics have been joined, or whether
          one of them did not see the other.
        </p>
      ) : null}
      {fabric.smUnasked.map((sentence) => (
        <p key={sentence} className="managers-quiet">
          {sentence}
        </p>
      ))}
    </aside>
  );
}

const legend = [
  ["MASTER", "MASTER"],
  ["STANDBY", "STANDBY"],
  ["DISCOVERING", "DISCOVERING"],
  ["NOTACTIVE", "NOTACTIVE"],
  ["NO-ANSWER", "no answer"],
  ["masterless", "no master"],
] as const;

const rangeChoices = [
  { value: "event", label: "Fit event", title: "The last handover or loss, else the last watch" },
  { value: "hour", label: "1 h" },
  { value: "day", label: "24 h" },
  { value: "week", label: "7 d" },
] as const;

const brushChoice = { value: "brush", label: "Brush", title: "What is chosen on the strip below" } as const;

/** What a watch has seen: timeline, events, states, log. */
function Watched({ view, fabric }: { readonly view: FabricView; readonly fabric: Fabric }) {
  const { status, changes, times, damaged, error } = useWatch();
  const [range, setRange] = useState<Range>("event");
  /** Chosen with the brush; in place of a range. */
  const [brushed, setBrushed] = useState<Span | undefined>(undefined);
  const running = status?.time ?? undefined;
  const timeline = useMemo(
    () => timelineOf(changes, running === undefined ? times : [...times, running]),
    [changes, times, running],
  );
  const managers = managersInOrder(fabric);
  const nameOf = (guid: string): string => {
    const manager = managers.find((one) => one.guid === guid);
    return manager === undefined ? guid : managerName(fabric, manager);
  };
  // Those that are known stay in the order in which they were seen: a handover must not move the lanes.
  const guids = [
    ...new Set(
      [...timeline.lanes.map(({ guid }) => guid), ...managers.map(({ guid }) => guid)].filter((id) => id !== ""),
    ),
  ];
  const lanes = guids.map((guid) => {
    const manager = managers.find((one) => one.guid === guid);
    return {
      guid,
      name: nameOf(guid),
      note: manager === undefined || manager.priority < 0 ? "" : `priority ${manager.priority}`,
    };
  });
  const span = brushed ?? shownSpan(timeline, range, Date.parse(running?.to ?? "") || 0);
  const source = view.capture.source !== null;
  const nothing = timeline.watched.length === 0;
  const interval = running?.intervalSeconds;
  return (
    <>
      <div className="managers-timeline-head">
        <h2>Timeline</h2>
        {nothing ? null : (
          <>
            <span className="managers-quiet">
              {clockTime(new Date(span.from).toISOString())} to {clockTime(new Date(span.to).toISOString())}
              {interval === undefined ? "" : `, to ${interval} s exact`}
            </span>
            <Segmented
              label="Time shown"
              choices={brushed === undefined ? rangeChoices : [...rangeChoices, brushChoice]}
              value={brushed === undefined ? range : "brush"}
              onChange={(chosen) => {
                if (chosen === "brush") return;
                setRange(chosen);
                setBrushed(undefined);
              }}
            />
          </>
        )}
        <span className="managers-legend">
          {legend.map(([state, words]) => (
            <span key={state}>
              <i className={`managers-legend-${state}`} />
              {words}
            </span>
          ))}
        </span>
      </div>
      {error === undefined ? null : <p className="managers-bad managers-none">{explain(error).sentence}</p>}
      {damaged === 0 ? null : (
        <p className="managers-none">{damaged} lines of the log of changes could not be read and are left out.</p>
      )}
      {nothing ? (
        <p className="managers-none">
          {source
            ? "Nothing was watched yet. Watch asks every subnet manager again and again, draws their states here and tells of handovers."
            : "This fabric was opened from files. Connect to it to watch its subnet managers."}
        </p>
      ) : (
        <>
          <TimelineChart
            timeline={timeline}
            lanes={lanes}
            span={span}
            label={`States of ${lanes.length} subnet managers; ${timeline.handovers.length} handovers, ${timeline.masterless.length} times without a master`}
          />
          <TimelineOverview {...{ timeline, lanes, span }} onSpan={setBrushed} />
        </>
      )}
      {nothing && !source ? null : (
        <WatchPanels fabricId={view.fabricId} changes={changes} timeline={timeline} nameOf={nameOf} source={source} />
      )}
    </>
  );
}

/** All subnet managers that the capture knows, who is master, and who would take over; the watch of them. */
export function ManagersView() {
  const view = useFabric((state) => state.view);
  const collectAgain = useFabric((state) => state.collectAgain);
  const loading = useFabric((state) => state.loading !== undefined);
  const status = useWatch((state) => (state.fabricId === view?.fabricId ? state.status : undefined));
  const known = view?.fabric;
  const fabric = useMemo(() => (known === undefined ? undefined : withLiveManagers(known, status)), [known, status]);
  if (view === undefined || fabric === undefined) return null;
  const managers = managersInOrder(fabric);
  const { source } = view.capture;
  return (
    <div className="managers">
      <header className="managers-head">
        <h1>Subnet managers</h1>
        <Summary fabric={fabric} />
        {view.capture.simulated ? <Tag tone="sim">SIMULATED</Tag> : null}
        <WatchBar source={source !== null} />
      </header>
      {managers.length === 0 ? (
        <div className="managers-empty">
          <Empty
            glyph={fabric.smAsked ? "error" : "unknown"}
            title={fabric.smAsked ? "No subnet manager answers" : "Nobody asked for subnet managers"}
            sentence={
              fabric.smAsked
                ? "sminfo got no answer. Links that are up keep running, but nothing new comes up until a subnet manager runs."
                : "This capture holds no sminfo output, so it does not tell who is master."
            }
            action={
              source === null ? undefined : (
                <Button kind="plain" size="small" icon="refresh" disabled={loading} onClick={() => void collectAgain()}>
                  Collect again
                </Button>
              )
            }
          />
        </div>
      ) : (
        <div className="managers-body">
          <div className="managers-table">
            <table>
              <thead>
                <tr>
                  <th>
                    <span className="visually-hidden">Health</span>
                  </th>
                  <th>State</th>
                  <th>Where</th>
                  <th>GUID</th>
                  <th className="managers-number">LID</th>
                  <th className="managers-number">Priority</th>
                  <th>Activity count</th>
                  <th>Asked</th>
                  <th>In this state since</th>
                  <th>
                    <span className="visually-hidden">Actions</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {managers.map((manager) => (
                  <ManagerRow key={`${manager.guid} ${manager.lid}`} fabric={fabric} manager={manager} />
                ))}
              </tbody>
            </table>
          </div>
          <TakeOver fabric={fabric} />
        </div>
      )}
      <Watched view={view} fabric={fabric} />
    </div>
  );
}
