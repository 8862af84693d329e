import { type KeyboardEvent, memo, useCallback, useMemo, useRef, useState } from "react";
import { at, linkName } from "../../../shared/fabric/access.ts";
import { groupDigits } from "../../../shared/base/text.ts";
import { healths } from "../../../shared/analyse/results.ts";
import { formatRate } from "../../../shared/fabric/rates.ts";
import type { FabricView } from "../../../shared/contract/views.ts";
import { HealthGlyph } from "../../parts/glyph.tsx";
import { useInParts } from "../../parts/later.tsx";
import { Section } from "../../parts/section.tsx";
import { useSelection } from "../../state/selection-store.ts";
import { linkRate, missingLinkName } from "./link-facts.ts";
import { cellText, type GroupMatrix, groupMatrix, linksOfCell, type MatrixCell } from "./shape-facts.ts";
import "./group-matrix.css";

/** Digits fit into a field up to so many groups; above, a field is a colour, and its sign when it deviates. */
const mostWithDigits = 16;
const mostSpacious = 8;
/** Above, only every fifth group has its number at the edge. */
const mostNumbered = 20;
/** Rows of a dense matrix that are made in one task: 48 groups have 2,304 fields. */
const rowsATask = 6;
/** Links listed of a chosen field. */
const mostListed = 40;

/** Global links of a Dragonfly+, group by group; a chosen field lists its links. Nothing for other shapes. */
export function GroupMatrixSection({ view }: { readonly view: FabricView }) {
  const { fabric, analysis } = view;
  const matrix = useMemo(() => groupMatrix(fabric, analysis), [fabric, analysis]);
  const [chosen, setChosen] = useState<readonly [number, number] | undefined>(undefined);
  const choose = useCallback(
    ({ a, b }: MatrixCell) => setChosen((before) => (before?.[0] === a && before[1] === b ? undefined : [a, b])),
    [],
  );
  const groups = matrix?.groups ?? 0;
  const rows = useInParts(groups, groups <= mostWithDigits ? groups : rowsATask);
  if (matrix === undefined) return null;
  const cell =
    chosen === undefined || chosen[0] >= matrix.groups || chosen[1] >= matrix.groups
      ? undefined
      : matrix.cells[chosen[0] * matrix.groups + chosen[1]];
  return (
    <>
      <Section
        id="fabric-groups"
        title="Global links, group by group"
        aside={matrix.groups > 1 ? `${groupDigits(matrix.usual)} in most pairs` : undefined}
      >
        <Matrix matrix={matrix} rows={rows} chosen={cell} onChoose={choose} />
        <div className="matrix-legend">
          <span>
            <HealthGlyph health="warning" size={11} /> other number, missing or degraded
          </span>
          <span>
            <HealthGlyph health="error" size={11} /> link in error
          </span>
          <span>
            <i className="matrix-inside-sample" /> inside the group
          </span>
        </div>
      </Section>
      {cell === undefined ? null : <LinksOfCell view={view} matrix={matrix} cell={cell} />}
    </>
  );
}

/** The matrix as a table: one button a field, arrows walk between them. */
export function Matrix({
  matrix,
  rows,
  chosen,
  onChoose,
}: {
  readonly matrix: GroupMatrix;
  /** How many rows stand already. */
  readonly rows: number;
  readonly chosen: MatrixCell | undefined;
  /** The same function each time, or all fields are made anew. */
  readonly onChoose: (cell: MatrixCell) => void;
}) {
  const { groups, sums } = matrix;
  const table = useRef<HTMLTableElement>(null);
  // One stop for the Tab key; arrows walk inside.
  const [stop, setStop] = useState<readonly [number, number]>([0, 0]);
  const choose = useCallback(
    (cell: MatrixCell) => {
      setStop([cell.a, cell.b]);
      onChoose(cell);
    },
    [onChoose],
  );
  const room = groups <= mostSpacious ? "spacious" : groups <= mostWithDigits ? "normal" : "dense";
  const groupName = (group: number): string =>
    groups <= mostNumbered || group % 5 === 4 || group === 0
      ? room === "dense"
        ? String(group + 1)
        : `G${group + 1}`
      : "";
  const isLit = (group: number): boolean => chosen !== undefined && (chosen.a === group || chosen.b === group);
  const walk = (event: KeyboardEvent<HTMLTableElement>): void => {
    const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const clamp = (value: number): number => Math.min(groups - 1, Math.max(0, value));
    const [row, column] = [clamp(stop[0] + (step[0] ?? 0)), clamp(stop[1] + (step[1] ?? 0))];
    setStop([row, column]);
    table.current?.querySelector<HTMLButtonElement>(`[data-cell="${row}-${column}"]`)?.focus();
  };
  return (
    <table
      className={`matrix matrix-${room}${rows < groups ? " matrix-growing" : ""}`}
      aria-label="Global links between each two groups"
      ref={table}
      onKeyDown={walk}
    >
      <thead>
        <tr>
          <td />
          {sums.map((_, group) => (
            <th key={group} scope="col" className={isLit(group) ? "lit" : undefined}>
              <GroupTitle group={group} name={groupName(group)} />
            </th>
          ))}
          <th scope="col" className="matrix-sum">
            sum
          </th>
        </tr>
      </thead>
      <tbody>
        {sums.slice(0, rows).map((_, row) => (
          <Row
            key={row}
            {...{ matrix, row, room }}
            name={groupName(row)}
            isLit={isLit(row)}
            chosen={chosen?.a === row ? chosen.b : -1}
            stop={stop[0] === row ? stop[1] : -1}
            onChoose={choose}
          />
        ))}
      </tbody>
    </table>
  );
}

/** Number of a group at the edge of the matrix; a click selects the group. Arrow keys and Tab stay with the fields. */
function GroupTitle({ group, name }: { readonly group: number; readonly name: string }) {
  const select = useSelection((state) => state.select);
  return (
    <button
      type="button"
      className="matrix-title"
      aria-label={`Group ${group + 1}`}
      title={`Group ${group + 1}: select it`}
      tabIndex={-1}
      onClick={() => select({ kind: "block", block: group })}
    >
      {name}
    </button>
  );
}

interface RowProps {
  readonly matrix: GroupMatrix;
  readonly row: number;
  readonly room: string;
  readonly name: string;
  readonly isLit: boolean;
  /** Column of the chosen field, and of the one that the Tab key stops at; -1: in another row. */
  readonly chosen: number;
  readonly stop: number;
  readonly onChoose: (cell: MatrixCell) => void;
}

/** What a row shows of its matrix. */
function contentOf({ matrix, row }: RowProps): string {
  const { groups, usual, cells, sums } = matrix;
  return JSON.stringify([groups, usual, sums[row], cells.slice(row * groups, (row + 1) * groups)]);
}

/** The same fabric collected again has the same fields mostly. */
function sameRow(before: RowProps, now: RowProps): boolean {
  const { matrix: a, ...rest } = before;
  const { matrix: b, ...others } = now;
  const same = Object.entries(rest).every(([key, value]) => value === others[key as keyof typeof others]);
  return same && (a === b || contentOf(before) === contentOf(now));
}

/** Fields of one group; the others stay as they are when one is chosen. */
const Row = memo(function Row({ matrix, row, room, name, isLit, chosen, stop, onChoose }: RowProps) {
  const { cells, groups, sums } = matrix;
  const sum = sums[row];
  return (
    <tr>
      <th scope="row" className={isLit ? "lit" : undefined}>
        <GroupTitle group={row} name={name} />
      </th>
      {cells.slice(row * groups, (row + 1) * groups).map((cell) => (
        <Cell
          key={cell.b}
          cell={cell}
          text={cellText(matrix, cell)}
          dense={room === "dense"}
          chosen={chosen === cell.b}
          isStop={stop === cell.b}
          onChoose={() => onChoose(cell)}
        />
      ))}
      <td className={`matrix-sum${sum?.deviates === true ? " matrix-odd" : ""}`}>{groupDigits(sum?.links ?? 0)}</td>
    </tr>
  );
}, sameRow);

function Cell({
  cell,
  text,
  dense,
  chosen,
  isStop,
  onChoose,
}: {
  readonly cell: MatrixCell;
  readonly text: string;
  readonly dense: boolean;
  readonly chosen: boolean;
  readonly isStop: boolean;
  readonly onChoose: () => void;
}) {
  const sign = cell.health === "down" ? "error" : cell.health;
  const loud = sign === "warning" || sign === "error";
  return (
    <td>
      <button
        type="button"
        className={`matrix-cell matrix-${loud ? sign : "quiet"}${cell.a === cell.b ? " matrix-inside" : ""}`}
        data-cell={`${cell.a}-${cell.b}`}
        aria-label={text}
        aria-pressed={chosen}
        title={text}
        tabIndex={isStop ? 0 : -1}
        onClick={onChoose}
      >
        {dense ? null : cell.links}
        {loud ? <HealthGlyph health={sign} size={dense ? 7 : 9} /> : null}
      </button>
    </td>
  );
}

function LinksOfCell({
  view,
  matrix,
  cell,
}: {
  readonly view: FabricView;
  readonly matrix: GroupMatrix;
  readonly cell: MatrixCell;
}) {
  const { fabric, analysis } = view;
  const select = useSelection((state) => state.select);
  const { links, missing } = linksOfCell(fabric, analysis, cell.a, cell.b);
  // What is wrong stands first.
  const sorted = [...links].sort((x, y) => at(analysis.linkHealth, y) - at(analysis.linkHealth, x));
  const title =
    cell.a === cell.b ? `Links inside group ${cell.a + 1}` : `Links of group ${cell.a + 1} and group ${cell.b + 1}`;
  return (
    <Section id="fabric-group-links" title={title} aside={groupDigits(links.length)}>
      {cell.health === "ok" ? null : <p className="quiet-words">{cellText(matrix, cell)}.</p>}
      {missing.map(({ index, link }) => (
        <div className="evidence" key={`missing ${index}`}>
          <HealthGlyph health="down" size={12} />
          <button
            type="button"
            className="text-link text-link-plain"
            onClick={() => select({ kind: "missing-link", missing: index }, { fly: true })}
          >
            {missingLinkName(fabric, link)}
          </button>
          <span className="evidence-end">no link</span>
        </div>
      ))}
      {sorted.slice(0, mostListed).map((link) => {
        const { lanes, speed } = linkRate(fabric, link);
        return (
          <div className="evidence" key={link}>
            <HealthGlyph health={healths[at(analysis.linkHealth, link)] ?? "unknown"} size={12} />
            <button
              type="button"
              className="text-link text-link-plain"
              onClick={() => select({ kind: "link", link }, { fly: true })}
            >
              {linkName(fabric, link)}
            </button>
            <span className="evidence-end">{lanes === 0 && speed === 0 ? "" : formatRate(lanes, speed)}</span>
          </div>
        );
      })}
      {sorted.length > mostListed ? (
        <p className="quiet-words">and {groupDigits(sorted.length - mostListed)} more, all in the Links table.</p>
      ) : null}
    </Section>
  );
}
