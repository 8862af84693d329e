import { type KeyboardEvent, useEffect, useMemo, useState } from "react";
import { thresholdsOf } from "../../../shared/analyse/limits.ts";
import { count } from "../../../shared/base/text.ts";
import type { FabricView, LinkMark } from "../../../shared/contract/views.ts";
import { explain } from "../../../shared/errors/explain.ts";
import { Button } from "../../parts/button.tsx";
import { CopyButton } from "../../parts/copy.tsx";
import { Empty } from "../../parts/empty.tsx";
import { HealthGlyph } from "../../parts/glyph.tsx";
import { Icon } from "../../parts/icons.tsx";
import { ago, useNow } from "../../parts/time.ts";
import { sweepLinks } from "../measure/start-sweep.ts";
import { useFabric } from "../../state/fabric-store.ts";
import { useMarks } from "../../state/marks-store.ts";
import { useMeasure } from "../../state/measure-store.ts";
import { useSelection } from "../../state/selection-store.ts";
import { useSettings } from "../../state/settings-store.ts";
import { startMeasuring } from "../measure/start.ts";
import { CounterWatchState, CounterWatchSwitch, useGrowths } from "./counter-watch.tsx";
import { evidenceText } from "./finding-rows.ts";
import { markChoices, markWords } from "./mark-words.ts";
import {
  endText,
  type Evidence,
  type EvidenceColumn,
  evidenceColumns,
  huntOf,
  lookedAt,
  type Suspect,
  walkToText,
} from "./suspects.ts";
import "./suspects-view.css";

const columnTitles: Readonly<Record<EvidenceColumn, string>> = {
  rate: "Rate",
  errors: "Errors",
  down: "Went down",
  measured: "Measured",
  structure: "Structure",
};

type MarkChoice = (typeof markChoices)[number];

/** Rows shown at once; more by a button. */
const rowsShown = 200;

function Cell({
  evidence,
  isTime,
  now,
}: {
  readonly evidence: Evidence;
  readonly isTime: boolean;
  readonly now: number;
}) {
  return (
    <td>
      <span className={`suspect-cell suspect-${evidence.level}`}>
        <span title={evidence.text}>{evidence.text}</span>
        <span title={evidence.detail}>{isTime ? ago(evidence.detail, now) : evidence.detail}</span>
      </span>
    </td>
  );
}

function MarkSelect({ suspect, mark }: { readonly suspect: Suspect; readonly mark: LinkMark | undefined }) {
  const setMark = useMarks((state) => state.mark);
  const value: MarkChoice = mark?.mark ?? "new";
  return (
    <select
      className={`suspect-mark suspect-mark-${value}`}
      aria-label={`Mark of ${suspect.name}`}
      value={value}
      onClick={(event) => event.stopPropagation()}
      onChange={(event) => {
        const chosen = markChoices.find((choice) => choice === event.target.value) ?? "new";
        void setMark(suspect.id, chosen === "new" ? null : chosen, mark?.note ?? "");
      }}
    >
      {markChoices.map((choice) => (
        <option key={choice} value={choice}>
          {markWords[choice]}
        </option>
      ))}
    </select>
  );
}

function Row({
  suspect,
  mark,
  chosen,
  onChoose,
  now,
}: {
  readonly suspect: Suspect;
  readonly mark: LinkMark | undefined;
  readonly chosen: boolean;
  readonly onChoose: () => void;
  readonly now: number;
}) {
  const onKeyDown = (event: KeyboardEvent<HTMLTableRowElement>): void => {
    if (event.target !== event.currentTarget) return;
    const row = event.currentTarget;
    const next =
      event.key === "ArrowDown" ? row.nextElementSibling : event.key === "ArrowUp" ? row.previousElementSibling : null;
    if (next instanceof HTMLElement) next.focus();
    else if (event.key === "Enter" || event.key === " ") onChoose();
    else return;
    event.preventDefault();
  };
  return (
    <tr tabIndex={0} aria-selected={chosen} onClick={onChoose} onKeyDown={onKeyDown}>
      <td className={mark === undefined ? "" : "suspect-known"}>
        <HealthGlyph health={suspect.level} size={14} />
      </td>
      <td>
        <span className="suspect-name" title={suspect.name}>
          {suspect.name}
        </span>
      </td>
      {evidenceColumns.map((column) => (
        <Cell key={column} evidence={suspect.cells[column]} isTime={column === "measured"} now={now} />
      ))}
      <td>
        <MarkSelect suspect={suspect} mark={mark} />
      </td>
    </tr>
  );
}

/** Of the chosen cable: where to walk, what to do there, and a note for the next shift. */
function Chosen({
  view,
  suspect,
  mark,
}: {
  readonly view: FabricView;
  readonly suspect: Suspect;
  readonly mark: LinkMark | undefined;
}) {
  const setMark = useMarks((state) => state.mark);
  const error = useMarks((state) => state.error);
  const [note, setNote] = useState(mark?.note ?? "");
  const text = walkToText(view.fabric, suspect);
  const [where = ""] = text.split("\n");
  return (
    <section className="suspect-chosen" aria-label={`Walk to ${suspect.name}`}>
      <div className="suspect-walk">
        <h2>Walk to</h2>
        <CopyButton text={text} label="Copy walk to" kind="plain" />
        {suspect.link === undefined ? null : (
          <Button
            kind="plain"
            size="small"
            icon="measure"
            onClick={() => void startMeasuring(view.fabricId, suspect.id)}
          >
            Measure
          </Button>
        )}
      </div>
      <p className="suspect-where">{where}</p>
      <dl className="suspect-ends">
        {[suspect.a, suspect.b].map((port) => (
          <div key={port}>
            <dt className="visually-hidden">End</dt>
            <dd>{endText(view.fabric, port)}</dd>
          </div>
        ))}
      </dl>
      <ul className="suspect-why">
        {suspect.findings.map((finding) => (
          <li key={finding.id}>
            <HealthGlyph health={finding.severity} size={12} />
            <span>
              {finding.message} <em>{finding.remedy}</em>
            </span>
          </li>
        ))}
      </ul>
      <form
        className="suspect-note"
        onSubmit={(event) => {
          event.preventDefault();
          void setMark(suspect.id, mark?.mark ?? "known", note);
        }}
      >
        <input
          aria-label="Note for the next shift"
          placeholder="Note for the next shift"
          maxLength={2000}
          value={note}
          onChange={(event) => setNote(event.target.value)}
        />
        <Button kind="plain" size="small" type="submit" disabled={note === (mark?.note ?? "")}>
          {mark === undefined ? "Mark known with note" : "Keep note"}
        </Button>
      </form>
      {error === undefined ? null : <p className="suspect-problem">{explain(error).sentence}</p>}
    </section>
  );
}

/** The hunt: suspect cables, worst evidence first, marks, and what is not the cable's fault. */
export function SuspectsView({ view }: { readonly view: FabricView }) {
  const latest = useMeasure((state) => state.latest);
  const passPercent = useSettings((state) => state.settings.passPercent);
  const limits = useSettings((state) => state.settings.limits);
  const marks = useMarks((state) => state.marks);
  const load = useMarks((state) => state.load);
  const collectAgain = useFabric((state) => state.collectAgain);
  const loading = useFabric((state) => state.loading !== undefined);
  const [filter, setFilter] = useState<MarkChoice | "all">("all");
  const [shown, setShown] = useState(rowsShown);
  const [open, setOpen] = useState(false);
  const selection = useSelection((state) => state.selection);
  const select = useSelection((state) => state.select);
  const now = useNow();
  const growths = useGrowths(view);
  useEffect(() => void load(), [load]);
  const { suspects, notCables } = useMemo(
    () => huntOf(view, latest, marks, passPercent, growths, thresholdsOf(limits).counters),
    [view, latest, marks, passPercent, growths, limits],
  );
  const looked = useMemo(() => lookedAt(view.fabric, latest), [view, latest]);
  const markOf = ({ id }: Suspect): MarkChoice => marks[id]?.mark ?? "new";
  const rows = filter === "all" ? suspects : suspects.filter((suspect) => markOf(suspect) === filter);
  const cables = rows.flatMap((suspect) => (suspect.selection.kind === "link" ? [suspect.selection.link] : []));
  const key = JSON.stringify(selection);
  const chosen = rows.find((suspect) => JSON.stringify(suspect.selection) === key);
  const number = (choice: MarkChoice): number => suspects.filter((suspect) => markOf(suspect) === choice).length;
  return (
    <div className="suspects">
      <div className="table-bar" role="group" aria-label="Marks">
        <button type="button" className="chip" aria-pressed={filter === "all"} onClick={() => setFilter("all")}>
          All {suspects.length}
        </button>
        {markChoices.map((choice) => (
          <button
            key={choice}
            type="button"
            className="chip"
            aria-pressed={filter === choice}
            onClick={() => setFilter(choice)}
          >
            {choice === "fixed" ? "Fixed" : markWords[choice]} {number(choice)}
          </button>
        ))}
        <span className="table-bar-end table-bar-tools">
          <CopyButton
            text={() => rows.map((suspect) => walkToText(view.fabric, suspect)).join("\n\n")}
            label="Copy walk list"
          />
          {view.capture.source === null || cables.length === 0 ? null : (
            <Button
              kind="plain"
              size="small"
              icon="measure"
              title="Shows the plan first"
              onClick={() => sweepLinks(view, cables, "Suspect links")}
            >
              Measure {count(cables.length, "link")}
            </Button>
          )}
          {view.capture.source === null ? null : <CounterWatchSwitch />}
          {view.capture.source === null ? null : (
            <Button
              kind="plain"
              size="small"
              icon="refresh"
              disabled={loading}
              title="Collects again: counters that grow meanwhile are seen"
              onClick={() => void collectAgain()}
            >
              Check again
            </Button>
          )}
        </span>
      </div>
      <CounterWatchState view={view} growths={growths} />
      <div className="suspects-scroll">
        {rows.length === 0 ? (
          <Empty
            glyph={suspects.length === 0 ? "ok" : "note"}
            title={suspects.length === 0 ? "No suspect cable" : "No cable has this mark"}
            sentence={
              suspects.length === 0
                ? "Nothing that was collected speaks against a cable. What was not measured is not proven."
                : "Choose All to see every suspect."
            }
          />
        ) : (
          <table aria-label="Suspect links">
            <thead>
              <tr>
                <th>
                  <span className="visually-hidden">Severity</span>
                </th>
                <th>Link, worst evidence first</th>
                {evidenceColumns.map((column) => (
                  <th key={column}>{columnTitles[column]}</th>
                ))}
                <th>Mark</th>
              </tr>
            </thead>
            <tbody>
              {rows.slice(0, shown).map((suspect) => (
                <Row
                  key={suspect.id}
                  suspect={suspect}
                  mark={marks[suspect.id]}
                  chosen={suspect === chosen}
                  onChoose={() => select(suspect.selection, { fly: true })}
                  now={now}
                />
              ))}
            </tbody>
          </table>
        )}
        {shown < rows.length ? (
          <Button kind="ghost" size="small" onClick={() => setShown(shown + rowsShown)}>
            {`Show more, ${rows.length - shown} left`}
          </Button>
        ) : null}
        {notCables.length === 0 ? null : (
          <>
            <button
              type="button"
              className="suspects-fold"
              aria-expanded={open}
              aria-controls="suspects-not-cables"
              onClick={() => setOpen(!open)}
            >
              <Icon name={open ? "chevron-down" : "chevron-right"} size={12} />
              <strong>Not the cable</strong> {count(notCables.length, "finding")}: subnet managers, structure,
              congestion, side effects
            </button>
            <ul id="suspects-not-cables" className="suspects-others" hidden={!open}>
              {notCables.map((finding) => (
                <li key={finding.id}>
                  <HealthGlyph health={finding.severity} size={12} />
                  <strong>{finding.title}</strong>
                  <span>{finding.subject.name}</span>
                  <span title={finding.message}>{evidenceText(finding)}</span>
                </li>
              ))}
            </ul>
          </>
        )}
        <p className="suspects-looked">
          {looked.checked}; {looked.over}; {looked.notMeasured}.
        </p>
      </div>
      {chosen === undefined ? null : (
        <Chosen
          key={`${chosen.id} ${marks[chosen.id]?.at ?? ""}`}
          view={view}
          suspect={chosen}
          mark={marks[chosen.id]}
        />
      )}
    </div>
  );
}
