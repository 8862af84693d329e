import { memo, type ReactNode, useMemo, useRef } from "react";
import { count, groupDigits } from "../../../shared/base/text.ts";
import { sourceLabel } from "../../../shared/contract/source.ts";
import type { SweepLine, SweepStatus, SweepView } from "../../../shared/contract/sweeps.ts";
import type { FabricView } from "../../../shared/contract/views.ts";
import type { LinkId } from "../../../shared/fabric/model.ts";
import { explain } from "../../../shared/errors/explain.ts";
import { titleInside } from "../../../shared/measure/sweep-select.ts";
import { Button, IconButton } from "../../parts/button.tsx";
import { Callout } from "../../parts/callout.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { HealthGlyph } from "../../parts/glyph.tsx";
import { Icon } from "../../parts/icons.tsx";
import { Menu } from "../../parts/menu.tsx";
import { percentClass } from "../../parts/percent.ts";
import { Tag } from "../../parts/tag.tsx";
import { dayTime } from "../../parts/time.ts";
import { useRowWindow } from "../../parts/use-row-window.ts";
import { useSelection } from "../../state/selection-store.ts";
import { useSweeps } from "../../state/sweep-store.ts";
import { useUi } from "../../state/ui-store.ts";
import { linkFinder } from "../links/link-finder.ts";
import { sayIfWrong } from "./say-if-wrong.ts";
import { SweepButtons } from "./sweep-buttons.tsx";
import {
  canResume,
  cellKey,
  lineText,
  shortNames,
  stateWords,
  type SweepGrid,
  sweepGrid,
  sweepStrips,
  timeText,
} from "./sweep-words.ts";
import "./record.css";
import "./sweep-card.css";

async function saveSweep(id: string, format: "csv" | "json"): Promise<void> {
  const saved = await useSweeps.getState().save(id, format);
  const { toast } = useUi.getState();
  if (!saved.ok) toast({ kind: "error", text: explain(saved.error).sentence, error: saved.error });
  else if (saved.value.saved) toast({ kind: "done", text: `Saved as ${saved.value.path}` });
}

/** One sweep: numbers, its picture that fills, the slow ones, and what can be done. */
export function SweepCard({
  view,
  status,
  pass,
  now,
}: {
  readonly view: FabricView | undefined;
  readonly status: SweepStatus;
  readonly pass: number;
  readonly now: number;
}) {
  const sweep = useSweeps((state) => state.views.get(status.id));
  const resuming = useSweeps((state) => state.resuming.has(status.id));
  const { discard, show, openSheet } = useSweeps.getState();
  const running = status.state === "running" || status.state === "paused";
  const without = useMemo(
    () => (sweep?.lines ?? []).filter(({ level }) => level === "not-measured" || level === "failed"),
    [sweep],
  );
  const slow = useMemo(() => (sweep?.lines ?? []).filter((line) => line.slow), [sweep]);
  return (
    <aside className="record sweep-card" aria-label={`Sweep, ${titleInside(status.title)}`}>
      <div className="record-head">
        <Icon name="measure" size={16} />
        <h3>Sweep, {titleInside(status.title)}</h3>
        <Menu
          trigger={<IconButton icon="export" label="Export the results" disabled={status.done === 0} />}
          items={[
            { id: "csv", label: "Table (CSV)", onSelect: () => void saveSweep(status.id, "csv") },
            { id: "json", label: "JSON", onSelect: () => void saveSweep(status.id, "json") },
          ]}
        />
        <IconButton icon="close" label="Close" onClick={() => show(undefined)} />
      </div>
      <div className="record-tags">
        {status.simulated ? <Tag tone="sim">SIMULATED</Tag> : null}
        <Tag tone="plain">{status.source}</Tag>
        <Tag tone={status.state === "stopped" ? "error" : status.state === "interrupted" ? "warning" : "plain"}>
          {running && status.state === "running"
            ? `round ${status.round} of ${status.rounds}`
            : stateWords[status.state]}
        </Tag>
        <Tag tone="plain">{dayTime(status.startedAt, now)}</Tag>
      </div>
      <div className="record-body">
        <dl className="sweep-numbers">
          <div>
            <dt>done</dt>
            <dd>
              {groupDigits(status.done)} <small>of {groupDigits(status.total)}</small>
            </dd>
          </div>
          <div>
            <dt>{running ? "at once" : "without result"}</dt>
            <dd>{groupDigits(running ? status.running.length : status.failed)}</dd>
          </div>
          <div className={status.slow > 0 ? "sweep-number-bad" : undefined}>
            <dt>slow</dt>
            <dd>{groupDigits(status.slow)}</dd>
          </div>
          <div>
            <dt>{running ? "left" : "to go"}</dt>
            <dd>
              {status.secondsLeft === null ? groupDigits(status.total - status.done) : timeText(status.secondsLeft)}
            </dd>
          </div>
        </dl>
        {status.error === null ? null : (
          <div className="sweep-block">
            <ErrorBox error={status.error} />
          </div>
        )}
        {sweep === undefined || view === undefined ? null : <Grid view={view} sweep={sweep} pass={pass} />}
        {sweep === undefined || sweep.damaged === 0 ? null : (
          <div className="sweep-block">
            <Callout tone="note">
              {count(sweep.damaged, "line")} of its journal could not be read and {sweep.damaged === 1 ? "is" : "are"}{" "}
              left out. Results that the history has are not measured again.
            </Callout>
          </div>
        )}
        <Lines title="Slow" lines={slow} view={view} bad />
        <Lines title="Without a result" lines={without} view={view} />
      </div>
      <div className="sweep-foot">
        <span>{running ? "No host, HCA or link is used twice in a round" : ""}</span>
        <SweepButtons status={status} />
        {canResume(status) ? (
          <>
            <Button kind="plain" size="small" onClick={() => sayIfWrong(discard(status.id))}>
              Forget it
            </Button>
            <ResumeButton status={status} view={view} resuming={resuming} />
          </>
        ) : null}
        {status.state === "finished" && without.length > 0 && view !== undefined ? (
          <Button
            kind="plain"
            size="small"
            icon="measure"
            onClick={() => openSheet(linksWish(without, `${status.title}, without a result`), status.title)}
          >
            Try {count(without.length, "link")} again
          </Button>
        ) : null}
      </div>
    </aside>
  );
}

function linksWish(lines: readonly SweepLine[], title: string) {
  return { kind: "links" as const, links: lines.map(({ link }) => link), title: title.slice(0, 100) };
}

/** Goes on with an unfinished sweep, where the open fabric is the one that it measures. */
export function ResumeButton({
  status,
  view,
  resuming,
}: {
  readonly status: SweepStatus;
  readonly view: FabricView | undefined;
  readonly resuming: boolean;
}) {
  const possible = isOf(status, view);
  return (
    <Button
      kind="primary"
      size="small"
      icon="play"
      disabled={!possible || resuming}
      title={
        possible
          ? `About ${count(status.total - status.done, "link")} at line rate; what is measured is not measured again`
          : `Collect ${status.source} first`
      }
      onClick={() => sayIfWrong(useSweeps.getState().resume(status.id))}
    >
      {resuming ? "Planning" : "Resume"}
    </Button>
  );
}

/** True when the sweep measures the fabric that is open. */
export function isOf(status: SweepStatus, view: FabricView | undefined): boolean {
  if (view === undefined || view.capture.source === null) return false;
  return view.capture.simulated === status.simulated && sourceLabel(view.capture.source) === status.source;
}

function Grid({ view, sweep, pass }: { readonly view: FabricView; readonly sweep: SweepView; readonly pass: number }) {
  const { fabric, analysis } = view;
  const here = isOf(sweep.status, view);
  const grid = useMemo(() => {
    const find = linkFinder(fabric);
    const links = sweep.links.flatMap(({ link }) => {
      const index = find(link);
      return index === undefined ? [] : [{ link, index }];
    });
    return sweepGrid(fabric, analysis.topology.tierOfNode, links);
  }, [fabric, analysis.topology.tierOfNode, sweep.links]);
  const lines = useMemo(() => new Map(sweep.lines.map((line) => [line.link, line])), [sweep.lines]);
  const names = useMemo(() => new Map(sweep.links.map(({ link, linkName }) => [link, linkName])), [sweep.links]);
  const running = useMemo(() => new Set(sweep.status.running), [sweep.status.running]);
  if (!here || grid.rows.length === 0) return null;
  const cell = (link: LinkId) => (
    <Cell
      key={link}
      link={link}
      name={names.get(link) ?? link}
      line={lines.get(link)}
      running={running.has(link)}
      pass={pass}
      view={view}
    />
  );
  const used = new Set<string>();
  for (const line of sweep.lines) used.add(cellClass(line, false, pass));
  return (
    <div className="sweep-block">
      {grid.columns.length > 0 ? (
        <div className="sweep-matrix">
          <table>
            <thead>
              <tr>
                <td />
                {shortNames(grid.columns).map((name, index) => (
                  <th key={grid.columns[index]} scope="col" title={grid.columns[index]}>
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {grid.rows.map((row) => (
                <tr key={row}>
                  <th scope="row">{row}</th>
                  {grid.columns.map((column) => (
                    <td key={column}>
                      <span className="sweep-cells">{(grid.cells.get(cellKey(row, column)) ?? []).map(cell)}</span>
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : (
        <Strips grid={grid} cell={cell} />
      )}
      <ul className="sweep-legend" aria-label="Colours">
        {legend(pass)
          .filter(({ name }) => used.has(name))
          .map(({ name, text }) => (
            <li key={name}>
              <i className={`sweep-cell ${name}`} />
              {text}
            </li>
          ))}
        {sweep.status.running.length > 0 ? (
          <li>
            <i className="sweep-cell sweep-cell-running" />
            running
          </li>
        ) : null}
        {sweep.status.done < sweep.status.total ? (
          <li>
            <i className="sweep-cell" />
            waiting
          </li>
        ) : null}
      </ul>
    </div>
  );
}

/** px, as in the style sheet. */
const stripHeight = 17;

/** Links by switch; of thousands only those in sight are drawn. */
function Strips({ grid, cell }: { readonly grid: SweepGrid; readonly cell: (link: LinkId) => ReactNode }) {
  const scroller = useRef<HTMLDivElement>(null);
  const strips = useMemo(() => sweepStrips(grid), [grid]);
  const { first, end } = useRowWindow(scroller, strips.length, stripHeight, 0, 0);
  return (
    <div className="sweep-rows" ref={scroller} role="group" aria-label="Links by switch" tabIndex={0}>
      <div className="sweep-rows-all" style={{ height: strips.length * stripHeight }}>
        {strips.slice(first, end).map(({ name, links }, i) => (
          <div
            key={first + i}
            className="sweep-row"
            style={{ transform: `translateY(${(first + i) * stripHeight}px)` }}
          >
            <span title={name}>{name}</span>
            <span className="sweep-strip">{links.map(cell)}</span>
          </div>
        ))}
      </div>
    </div>
  );
}

function legend(pass: number): readonly { readonly name: string; readonly text: string }[] {
  return [
    { name: "sweep-cell-5", text: `≥ ${Math.round(pass)}\u00a0%` },
    { name: "sweep-cell-4", text: `${Math.round(pass - 5)}–${Math.round(pass)}` },
    { name: "sweep-cell-3", text: `${Math.round(pass - 15)}–${Math.round(pass - 5)}` },
    { name: "sweep-cell-2", text: `${Math.round(pass - 35)}–${Math.round(pass - 15)}` },
    { name: "sweep-cell-1", text: `< ${Math.round(pass - 35)}` },
    { name: "sweep-cell-done", text: "measured" },
    { name: "sweep-cell-none", text: "no result" },
  ];
}

function cellClass(line: SweepLine | undefined, running: boolean, pass: number): string {
  if (running) return "sweep-cell-running";
  if (line === undefined) return "";
  if (line.level === "not-measured" || line.level === "failed") return "sweep-cell-none";
  return line.percent === null ? "sweep-cell-done" : `sweep-cell-${percentClass(line.percent, pass)}`;
}

const Cell = memo(function Cell({
  link,
  name,
  line,
  running,
  pass,
  view,
}: {
  readonly link: LinkId;
  readonly name: string;
  readonly line: SweepLine | undefined;
  readonly running: boolean;
  readonly pass: number;
  readonly view: FabricView;
}) {
  const words = running ? "running" : line === undefined ? "waiting" : lineText(line);
  const number = line !== undefined && line.slow && line.percent !== null ? Math.round(line.percent) : "";
  return (
    <button
      type="button"
      className={`sweep-cell ${cellClass(line, running, pass)}`}
      title={`${name}: ${words}`}
      aria-label={`${name}: ${words}`}
      onClick={() => showLink(view, link)}
    >
      {line?.level === "not-measured" || line?.level === "failed" ? "×" : number}
    </button>
  );
});

function showLink(view: FabricView, id: LinkId): void {
  const link = linkFinder(view.fabric)(id);
  if (link === undefined) return;
  useSelection.getState().select({ kind: "link", link }, { fly: true });
  useUi.getState().show("topology");
}

const linesShown = 40;

function Lines({
  title,
  lines,
  view,
  bad = false,
}: {
  readonly title: string;
  readonly lines: readonly SweepLine[];
  readonly view: FabricView | undefined;
  readonly bad?: boolean;
}) {
  if (lines.length === 0) return null;
  return (
    <section className="sweep-block">
      <h4>
        {title}
        <span>{groupDigits(lines.length)}</span>
      </h4>
      <ul className="sweep-lines" aria-live={bad ? "polite" : undefined}>
        {lines.slice(0, linesShown).map((line) => (
          <li key={line.link}>
            <HealthGlyph health={bad ? "warning" : "not-run"} size={12} />
            <button
              type="button"
              className="text-link text-link-plain"
              disabled={view === undefined || linkFinder(view.fabric)(line.link) === undefined}
              onClick={() => (view === undefined ? undefined : showLink(view, line.link))}
            >
              {line.linkName}
            </button>
            <span className={bad ? "sweep-line-bad" : undefined}>
              {lineText(line)}
              {bad && line.siblingsGbps !== null ? `; its siblings reach ${line.siblingsGbps.toFixed(1)} Gb/s` : ""}
            </span>
          </li>
        ))}
      </ul>
      {lines.length > linesShown ? (
        <p className="cell-quiet">and {groupDigits(lines.length - linesShown)} more: export them to see all</p>
      ) : null}
    </section>
  );
}
