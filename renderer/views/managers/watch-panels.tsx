/** Below the timeline: the events, the same states as a table, and opensm's own log. */
import { type KeyboardEvent, useMemo, useState } from "react";
import { changeWords } from "../../../shared/contract/manager-words.ts";
import type { ManagerLogLine } from "../../../shared/contract/manager-log.ts";
import type { RequestOutput } from "../../../shared/contract/requests.ts";
import type { OpensmLogView, OpensmSettingsView } from "../../../shared/contract/views.ts";
import type { AppError } from "../../../shared/errors/kinds.ts";
import { visibleText } from "../../../shared/base/text.ts";
import { Button } from "../../parts/button.tsx";
import { CopyButton } from "../../parts/copy.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { HealthGlyph } from "../../parts/glyph.tsx";
import { clockTime, duration, exactTime } from "../../parts/time.ts";
import { api } from "../../state/api-context.ts";
import { masterlessBefore, type Timeline } from "./timeline.ts";

/** Rows shown at once; older ones by a button. */
const rowsShown = 100;

interface Names {
  readonly nameOf: (guid: string) => string;
}

function Events({
  changes,
  timeline,
  nameOf,
}: Names & { readonly changes: readonly ManagerLogLine[]; readonly timeline: Timeline }) {
  const [shown, setShown] = useState(rowsShown);
  if (changes.length === 0) return <p className="managers-none">No change was seen yet.</p>;
  const newest = [...changes].reverse();
  return (
    <>
      <ol className="managers-events">
        {newest.slice(0, shown).map((change, i) => {
          const words = changeWords(change, nameOf, masterlessBefore(timeline, Date.parse(change.time)));
          return (
            <li key={`${change.time} ${change.guid} ${change.kind} ${newest.length - i}`}>
              <HealthGlyph health={words.severity} size={13} />
              <time dateTime={change.time} title={exactTime(change.time)}>
                {clockTime(change.time)}
              </time>
              <span>
                <strong>{words.title}</strong>
                <span className="managers-quiet">{words.detail}</span>
              </span>
            </li>
          );
        })}
      </ol>
      {shown < newest.length ? (
        <Button kind="ghost" size="small" onClick={() => setShown(shown + rowsShown)}>
          Show older ones
        </Button>
      ) : null}
    </>
  );
}

/** The timeline in words, for those who do not see the picture, and to copy. */
function States({ timeline, nameOf }: Names & { readonly timeline: Timeline }) {
  const rows = [
    ...timeline.lanes.flatMap(({ guid, bands }) =>
      bands.map((band) => ({
        ...band,
        who: nameOf(guid),
        what: band.state === "NO-ANSWER" ? "no answer" : band.state,
        bad: band.state === "NO-ANSWER",
      })),
    ),
    ...timeline.masterless.map((gap) => ({ ...gap, who: "all", what: "no master", bad: true })),
  ].sort((a, b) => b.from - a.from);
  if (rows.length === 0) return <p className="managers-none">Nothing was watched yet.</p>;
  return (
    <table className="managers-states" aria-label="States over time">
      <thead>
        <tr>
          <th>From</th>
          <th>To</th>
          <th className="managers-number">For</th>
          <th>Who</th>
          <th>State</th>
        </tr>
      </thead>
      <tbody>
        {rows.slice(0, 500).map((row) => (
          <tr key={`${row.who} ${row.what} ${row.from}`}>
            <td>{clockTime(new Date(row.from).toISOString())}</td>
            <td>{clockTime(new Date(row.to).toISOString())}</td>
            <td className="managers-number">{duration(row.to - row.from)}</td>
            <td>{row.who}</td>
            <td className={row.bad ? "managers-bad" : ""}>{row.what}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type LogAnswer = RequestOutput<"watch.logs"> | { readonly error: AppError };

/** `opensm.conf on mgmt-01: priority 14, asks the master every 10 s, takes over after 4 misses, sweeps every 10 s`. */
function settingsWords({ host, priority, pollingMs, pollingRetries, sweepSeconds }: OpensmSettingsView): string {
  const said = [
    priority === null ? "" : `priority ${priority}`,
    pollingMs === null ? "" : `asks the master every ${pollingMs / 1000} s`,
    pollingRetries === null ? "" : `takes over after ${pollingRetries} misses`,
    sweepSeconds === null ? "" : sweepSeconds === 0 ? "no light sweeps" : `sweeps every ${sweepSeconds} s`,
  ].filter((words) => words !== "");
  return `opensm.conf on ${visibleText(host)}: ${said.length === 0 ? "opensm's defaults" : said.join(", ")}`;
}

function LogText({ log, marks }: { readonly log: OpensmLogView; readonly marks: readonly number[] }) {
  const near = (time: string): boolean => marks.some((at) => Math.abs(at - Date.parse(time)) < 15_000);
  return (
    <section className="managers-log">
      <h3>
        {visibleText(log.path)} on {visibleText(log.host)}
      </h3>
      {log.errors.slice(0, 5).map((group) => (
        <p key={group.text} className="managers-log-error">
          {group.count} × {visibleText(group.text)}, last {clockTime(group.last)}
        </p>
      ))}
      <ol>
        {[...log.events].reverse().map((event, i) => (
          <li
            key={`${event.time} ${log.events.length - i}`}
            data-state={event.kind === "state"}
            data-near={near(event.time)}
          >
            <time dateTime={event.time} title={exactTime(event.time)}>
              {clockTime(event.time)}
            </time>{" "}
            {visibleText(event.text)}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** opensm.log and opensm.conf, read when it is asked for; lines near an event are marked. */
function Logs({ fabricId, handovers }: { readonly fabricId: string; readonly handovers: Timeline["handovers"] }) {
  const [answer, setAnswer] = useState<LogAnswer | undefined>(undefined);
  const [reading, setReading] = useState(false);
  const marks = useMemo(() => handovers.map(({ at }) => at), [handovers]);
  const read = async (): Promise<void> => {
    setReading(true);
    const got = await api().call("watch.logs", { fabricId });
    setAnswer(got.ok ? got.value : { error: got.error });
    setReading(false);
  };
  return (
    <aside className="managers-logs" aria-label="opensm.log">
      <header>
        <h2>opensm.log</h2>
        <Button kind="plain" size="small" icon="terminal" disabled={reading} onClick={() => void read()}>
          {answer === undefined ? "Read" : "Read again"}
        </Button>
      </header>
      {answer === undefined ? (
        <p className="managers-none">
          The last 4 MB of opensm&apos;s log where the tools run and on the subnet managers&apos; own hosts, and what
          opensm.conf says there, when you ask for them.
        </p>
      ) : "error" in answer ? (
        <ErrorBox error={answer.error} />
      ) : (
        <>
          {answer.unread.map((sentence) => (
            <p key={sentence} className="managers-log-error">
              {visibleText(sentence).replace(/\.$/, "")}.
            </p>
          ))}
          {answer.settings.map((one) => (
            <p key={one.host} className="managers-quiet managers-none">
              {settingsWords(one)}.
            </p>
          ))}
          {answer.logs.length === 0 && answer.unread.length === 0 ? (
            <p className="managers-none">
              There is no opensm.log where the tools run and on the managers&apos; hosts: a switch runs the subnet
              manager, or it logs elsewhere.
            </p>
          ) : null}
          {answer.logs.map((log) => (
            <LogText key={`${log.host} ${log.path}`} log={log} marks={marks} />
          ))}
        </>
      )}
    </aside>
  );
}

const tabs = ["events", "states"] as const;

/** Everything below the timeline. */
export function WatchPanels({
  fabricId,
  changes,
  timeline,
  nameOf,
  source,
}: Names & {
  readonly fabricId: string;
  readonly changes: readonly ManagerLogLine[];
  readonly timeline: Timeline;
  readonly source: boolean;
}) {
  const [tab, setTab] = useState<(typeof tabs)[number]>("events");
  const states = timeline.lanes.reduce((sum, { bands }) => sum + bands.length, 0);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "ArrowRight" || event.key === "ArrowLeft") setTab(tab === "events" ? "states" : "events");
  };
  const asText = (): string =>
    changes
      .map((change) => {
        const words = changeWords(change, nameOf, masterlessBefore(timeline, Date.parse(change.time)));
        return [change.time, change.simulated ? "simulated" : "", change.guid, words.title, words.detail].join("\t");
      })
      .join("\n");
  return (
    <div className="managers-panels">
      <section className="managers-panel">
        <header>
          <span className="segments" role="tablist" aria-label="What was watched" onKeyDown={onKeyDown}>
            {tabs.map((name) => (
              <button
                key={name}
                type="button"
                role="tab"
                aria-selected={tab === name}
                tabIndex={tab === name ? 0 : -1}
                className="segment"
                onClick={() => setTab(name)}
              >
                {name === "events" ? "Events" : "States as a table"}
                <span className="count">{name === "events" ? changes.length : states}</span>
              </button>
            ))}
          </span>
          <CopyButton text={asText} label="Copy the events" />
        </header>
        <div
          className="managers-panel-body"
          role="tabpanel"
          tabIndex={0}
          aria-label={tab === "events" ? "Events" : "States"}
        >
          {tab === "events" ? (
            <Events changes={changes} timeline={timeline} nameOf={nameOf} />
          ) : (
            <States timeline={timeline} nameOf={nameOf} />
          )}
        </div>
      </section>
      {source ? <Logs fabricId={fabricId} handovers={timeline.handovers} /> : null}
    </div>
  );
}
