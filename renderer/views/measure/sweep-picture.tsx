import {
  type KeyboardEvent,
  memo,
  type ReactNode,
  useCallback,
  useId,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import type { SweepLine, SweepStatus } from "../../../shared/contract/sweeps.ts";
import type { FabricView } from "../../../shared/contract/views.ts";
import type { LinkId } from "../../../shared/fabric/model.ts";
import { percentClass } from "../../parts/percent.ts";
import { useRowWindow } from "../../parts/use-row-window.ts";
import { type SweepLines, withoutResult } from "../../state/sweep-lines.ts";
import type { ShownSweep } from "../../state/sweep-store.ts";
import { linkFinder } from "../links/link-finder.ts";
import { showLink } from "./show-link.ts";
import { type CellPlace, type CellRow, gridRows, stripRows, walkCells } from "./sweep-walk.ts";
import {
  cellKey,
  lineText,
  shortNames,
  type SweepGrid,
  sweepGrid,
  type SweepStrip,
  sweepStrips,
} from "./sweep-words.ts";

/**
 * The links of a sweep as cells that fill. Each cell follows its own link, so that an event draws only what it changes. One
 * Tab stop for all; arrows, Home, End and the page keys walk, Enter shows the link in the topology.
 */
export const SweepPicture = memo(function SweepPicture({
  view,
  sweep,
  pass,
}: {
  readonly view: FabricView;
  readonly sweep: ShownSweep;
  readonly pass: number;
}) {
  const { fabric } = view;
  const { tierOfNode } = view.analysis.topology;
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const grid = useMemo(() => {
    const find = linkFinder(fabric);
    const links = sweep.links.flatMap(({ link }) => {
      const index = find(link);
      return index === undefined ? [] : [{ link, index }];
    });
    return sweepGrid(fabric, tierOfNode, links);
  }, [fabric, tierOfNode, sweep.links]);
  const names = useMemo(() => new Map(sweep.links.map(({ link, linkName }) => [link, linkName])), [sweep.links]);
  const strips = useMemo(() => (grid.columns.length > 0 ? [] : sweepStrips(grid)), [grid]);
  const rows = useMemo(() => (grid.columns.length > 0 ? gridRows(grid) : stripRows(strips)), [grid, strips]);
  const sight = useRowWindow(scroller, strips.length, stripHeight, 0, 0);
  const [here, setHere] = useState<CellPlace>({ row: 0, place: 0 });
  const walked = rows[here.row]?.links[here.place];
  const onShow = useCallback((link: LinkId) => showLink(view, link), [view]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Enter" && walked !== undefined) {
      event.preventDefault();
      onShow(walked);
      return;
    }
    const next = walkCells(rows, here, event.key, event.ctrlKey || event.metaKey);
    if (next === undefined) return;
    event.preventDefault();
    setHere(next);
    if (grid.columns.length === 0) sight.scrollTo(next.row);
    else bringIntoSight(id, rows[next.row], next.place);
  };
  if (rows.length === 0) return null;
  const cell = (link: LinkId): ReactNode => (
    <Cell
      key={link}
      id={cellId(id, link)}
      link={link}
      name={names.get(link) ?? link}
      lines={sweep.lines}
      pass={pass}
      walked={link === walked}
      onShow={onShow}
    />
  );
  const focus = {
    role: "group",
    tabIndex: 0,
    "aria-activedescendant": walked === undefined ? undefined : cellId(id, walked),
    onKeyDown,
  };
  return grid.columns.length > 0 ? (
    <div className="sweep-matrix" aria-label="Links by both switches" {...focus}>
      <Matrix grid={grid} cell={cell} />
    </div>
  ) : (
    <div className="sweep-rows" ref={scroller} aria-label="Links by switch" {...focus}>
      <Strips strips={strips} first={sight.first} end={sight.end} cell={cell} />
    </div>
  );
});

function cellId(picture: string, link: LinkId): string {
  return `${picture}-${link}`;
}

function bringIntoSight(picture: string, row: CellRow | undefined, place: number): void {
  const link = row?.links[place];
  if (link === undefined) return;
  document.getElementById(cellId(picture, link))?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

function Matrix({ grid, cell }: { readonly grid: SweepGrid; readonly cell: (link: LinkId) => ReactNode }) {
  return (
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
  );
}

/** px, as in the style sheet. */
const stripHeight = 17;

/** Links by switch; of thousands only those in sight are drawn. */
function Strips({
  strips,
  first,
  end,
  cell,
}: {
  readonly strips: readonly SweepStrip[];
  readonly first: number;
  readonly end: number;
  readonly cell: (link: LinkId) => ReactNode;
}) {
  return (
    <div className="sweep-rows-all" style={{ height: strips.length * stripHeight }}>
      {strips.slice(first, end).map(({ name, links }, i) => (
        <div key={first + i} className="sweep-row" style={{ transform: `translateY(${(first + i) * stripHeight}px)` }}>
          <span title={name}>{name}</span>
          <span className="sweep-strip">{links.map(cell)}</span>
        </div>
      ))}
    </div>
  );
}

/** What the colours of the cells mean: those that there are. Drawn anew with each status. */
export function SweepLegend({
  lines,
  status,
  pass,
}: {
  readonly lines: SweepLines;
  readonly status: SweepStatus;
  readonly pass: number;
}) {
  const kindOf = useCallback((line: SweepLine) => lineClass(line, pass), [pass]);
  const counts = lines.countsBy(kindOf);
  return (
    <ul className="sweep-legend" aria-label="Colours">
      {legend(pass)
        .filter(({ name }) => counts.has(name))
        .map(({ name, text }) => (
          <li key={name}>
            <i className={`sweep-cell ${name}`} />
            {text}
          </li>
        ))}
      {status.running.length > 0 ? (
        <li>
          <i className="sweep-cell sweep-cell-running" />
          running
        </li>
      ) : null}
      {status.done < status.total ? (
        <li>
          <i className="sweep-cell" />
          waiting
        </li>
      ) : null}
    </ul>
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

function lineClass(line: SweepLine, pass: number): string {
  if (withoutResult(line)) return "sweep-cell-none";
  return line.percent === null ? "sweep-cell-done" : `sweep-cell-${percentClass(line.percent, pass)}`;
}

/** What is seen of one link: `running`, how it came out, or undefined while it waits. */
function useLine(lines: SweepLines, link: LinkId): SweepLine | "running" | undefined {
  const subscribe = useCallback((listener: () => void) => lines.subscribe(link, listener), [lines, link]);
  return useSyncExternalStore(subscribe, () => (lines.isRunning(link) ? "running" : lines.get(link)));
}

const Cell = memo(function Cell({
  id,
  link,
  name,
  lines,
  pass,
  walked,
  onShow,
}: {
  readonly id: string;
  readonly link: LinkId;
  readonly name: string;
  readonly lines: SweepLines;
  readonly pass: number;
  readonly walked: boolean;
  readonly onShow: (link: LinkId) => void;
}) {
  const line = useLine(lines, link);
  const words = line === "running" ? "running" : line === undefined ? "waiting" : lineText(line);
  const colour = line === "running" ? "sweep-cell-running" : line === undefined ? "" : lineClass(line, pass);
  return (
    <button
      type="button"
      id={id}
      tabIndex={-1}
      className={`sweep-cell ${colour}${walked ? " sweep-cell-walked" : ""}`}
      title={`${name}: ${words}`}
      aria-label={`${name}: ${words}`}
      onClick={() => onShow(link)}
    >
      {typeof line === "object" ? cellText(line) : ""}
    </button>
  );
});

function cellText(line: SweepLine): string {
  if (withoutResult(line)) return "×";
  return line.slow && line.percent !== null ? String(Math.round(line.percent)) : "";
}
