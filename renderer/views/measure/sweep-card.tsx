import { count, groupDigits } from "../../../shared/base/text.ts";
import { sourceLabel } from "../../../shared/contract/source.ts";
import type { SweepLine, SweepStatus, SweepWish } from "../../../shared/contract/sweeps.ts";
import type { FabricView } from "../../../shared/contract/views.ts";
import type { LinkId } from "../../../shared/fabric/model.ts";
import { explain } from "../../../shared/errors/explain.ts";
import { titleInside } from "../../../shared/measure/sweep-select.ts";
import { timeText } from "../../../shared/measure/sweep-time.ts";
import { Button, IconButton } from "../../parts/button.tsx";
import { Callout } from "../../parts/callout.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { HealthGlyph } from "../../parts/glyph.tsx";
import { Icon } from "../../parts/icons.tsx";
import { Menu } from "../../parts/menu.tsx";
import { Tag } from "../../parts/tag.tsx";
import { dayTime } from "../../parts/time.ts";
import { useSweeps } from "../../state/sweep-store.ts";
import { useUi } from "../../state/ui-store.ts";
import { linkFinder } from "../links/link-finder.ts";
import { sayIfWrong } from "./say-if-wrong.ts";
import { showLink } from "./show-link.ts";
import { SweepButtons } from "./sweep-buttons.tsx";
import { SweepLegend, SweepPicture } from "./sweep-picture.tsx";
import { canResume, lineText, stateWords } from "./sweep-words.ts";
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
  const pictured = sweep !== undefined && view !== undefined && isOf(status, view);
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
        {pictured ? (
          <div className="sweep-block">
            <SweepPicture view={view} sweep={sweep} pass={pass} />
            <SweepLegend lines={sweep.lines} status={status} pass={pass} />
          </div>
        ) : null}
        {sweep === undefined || sweep.damaged === 0 ? null : (
          <div className="sweep-block">
            <Callout tone="note">
              {count(sweep.damaged, "line")} of its journal could not be read and {sweep.damaged === 1 ? "is" : "are"}{" "}
              left out. Results that the history has are not measured again.
            </Callout>
          </div>
        )}
        {sweep === undefined ? null : (
          <>
            <Lines title="Slow" lines={sweep.lines.slow} view={view} bad />
            <Lines title="Without a result" lines={sweep.lines.without} view={view} />
          </>
        )}
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
        {status.state === "finished" && sweep !== undefined && sweep.lines.without.size > 0 && view !== undefined ? (
          <Button
            kind="plain"
            size="small"
            icon="measure"
            onClick={() =>
              openSheet(linksWish([...sweep.lines.without.keys()], `${status.title}, without a result`), status.title)
            }
          >
            Try {count(sweep.lines.without.size, "link")} again
          </Button>
        ) : null}
      </div>
    </aside>
  );
}

function linksWish(links: LinkId[], title: string): SweepWish {
  return { kind: "links", links, title: title.slice(0, 100) };
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

const linesShown = 40;

function firstOf<T>(values: Iterable<T>, most: number): readonly T[] {
  const first: T[] = [];
  for (const value of values) {
    if (first.length === most) break;
    first.push(value);
  }
  return first;
}

function Lines({
  title,
  lines,
  view,
  bad = false,
}: {
  readonly title: string;
  readonly lines: ReadonlyMap<LinkId, SweepLine>;
  readonly view: FabricView | undefined;
  readonly bad?: boolean;
}) {
  if (lines.size === 0) return null;
  return (
    <section className="sweep-block">
      <h4>
        {title}
        <span>{groupDigits(lines.size)}</span>
      </h4>
      <ul className="sweep-lines" aria-live={bad ? "polite" : undefined}>
        {firstOf(lines.values(), linesShown).map((line) => (
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
      {lines.size > linesShown ? (
        <p className="cell-quiet">and {groupDigits(lines.size - linesShown)} more: export them to see all</p>
      ) : null}
    </section>
  );
}
