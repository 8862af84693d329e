import {
  type ColumnDef,
  type ColumnSizingState,
  getCoreRowModel,
  type Updater,
  useReactTable,
} from "@tanstack/react-table";
import {
  type KeyboardEvent,
  memo,
  type MouseEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useId,
  useMemo,
  useRef,
} from "react";
import { moveRow } from "./data-table-order.ts";
import { Icon } from "./icons.tsx";
import { useRowWindow } from "./use-row-window.ts";
import "./data-table-style.ts";
import "./data-table.css";

/** One column. `cell` is called only for rows in sight. */
export interface TableColumn {
  readonly id: string;
  /** Head text; also the name that is read aloud. */
  readonly title: string;
  /** The head shows nothing but the sort arrow; the title is still read aloud. */
  readonly titleHidden?: boolean;
  /** px. */
  readonly width: number;
  /** Takes what the others leave. */
  readonly grow?: boolean;
  readonly align?: "end";
  readonly sortable?: boolean;
  /** The first click sorts from high to low. */
  readonly highFirst?: boolean;
  readonly cell: (row: number) => ReactNode;
}

export interface TableSort {
  readonly column: string;
  readonly descending: boolean;
}

export interface DataTableProps {
  /** Name of the table, read aloud. */
  readonly label: string;
  readonly columns: readonly TableColumn[];
  /** Row ids in the order to show. */
  readonly rows: Uint32Array;
  readonly sort?: TableSort | undefined;
  readonly onSort?: (sort: TableSort) => void;
  /** Row id of the selection. */
  readonly selected?: number | undefined;
  readonly onSelect: (row: number) => void;
  /** Enter or a double click. */
  readonly onActivate?: ((row: number) => void) | undefined;
  /** Ticked row ids; with this the first column is a check box. */
  readonly checked?: ReadonlySet<number>;
  readonly onChecked?: (checked: ReadonlySet<number>) => void;
  /** Column widths that the user has set, px by column id. */
  readonly widths?: ColumnSizingState;
  readonly onWidths?: (widths: ColumnSizingState) => void;
  /** Lies over the right end of the head. */
  readonly headEnd?: ReactNode;
  /** Shown instead of rows. */
  readonly empty?: ReactNode;
  /** Keeps the scroll place while another view is shown. */
  readonly scrollKey?: string;
}

const rowHeight = 26;
const noRows: readonly object[] = [];
const scrollPlaces = new Map<string, number>();

interface RowProps {
  readonly row: number;
  readonly position: number;
  readonly id: string;
  readonly columns: readonly TableColumn[];
  readonly selected: boolean;
  readonly checked: boolean | undefined;
}

const Row = memo(function Row({ row, position, id, columns, selected, checked }: RowProps) {
  return (
    <div
      id={id}
      role="row"
      className="data-table-row"
      aria-rowindex={position + 2}
      aria-selected={selected}
      data-row={row}
      data-position={position}
      style={{ transform: `translateY(${position * rowHeight}px)` }}
    >
      {checked === undefined ? null : (
        <div role="gridcell" className="data-table-cell data-table-check">
          <span role="checkbox" aria-checked={checked} aria-label="Tick this row" className="check" data-check="row">
            {checked ? <Icon name="check" size={11} /> : null}
          </span>
        </div>
      )}
      {columns.map((column) => (
        <div
          key={column.id}
          role="gridcell"
          className={`data-table-cell${column.align === "end" ? " data-table-end" : ""}`}
        >
          {column.cell(row)}
        </div>
      ))}
    </div>
  );
});

function resolve<T>(updater: Updater<T>, before: T): T {
  return typeof updater === "function" ? (updater as (before: T) => T)(before) : updater;
}

function template(columns: readonly TableColumn[], width: (id: string) => number, checkable: boolean): string {
  const tracks = columns.map((column) => {
    const px = `${Math.round(width(column.id))}px`;
    return column.grow === true ? `minmax(${px}, 1fr)` : px;
  });
  if (checkable) tracks.unshift("34px");
  // Without a growing column the last track takes the rest, so that lines run to the edge.
  return columns.some((column) => column.grow === true) ? tracks.join(" ") : `${tracks.join(" ")} minmax(0, 1fr)`;
}

/**
 * A large table: only the rows in sight are in the document, order and filter come ready as row ids. One focus stop;
 * arrows, Page, Home and End move the selection, Enter activates, Space ticks.
 */
export function DataTable(props: DataTableProps) {
  const { label, columns, rows, sort, onSort, selected, onSelect, onActivate, checked, onChecked, headEnd, empty } =
    props;
  const { widths, onWidths, scrollKey } = props;
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const anchor = useRef<number | undefined>(undefined);
  const checkable = checked !== undefined && onChecked !== undefined;

  const definitions = useMemo<ColumnDef<object>[]>(
    () =>
      columns.map((column) => ({
        id: column.id,
        size: column.width,
        minSize: Math.min(48, column.width),
        maxSize: 900,
      })),
    [columns],
  );
  // The table library keeps widths and their handles; rows never enter it, so its cost does not grow with them.
  const head = useReactTable<object>({
    data: noRows as object[],
    columns: definitions,
    getCoreRowModel: getCoreRowModel(),
    columnResizeMode: "onChange",
    state: { columnSizing: widths ?? {} },
    onColumnSizingChange: (updater) => onWidths?.(resolve(updater, widths ?? {})),
  });
  const widthOf = (column: string): number => head.getColumn(column)?.getSize() ?? 100;
  const total = columns.reduce((sum, column) => sum + widthOf(column.id), checkable ? 34 : 0);

  const start = scrollKey === undefined ? 0 : (scrollPlaces.get(scrollKey) ?? 0);
  const { first, end, scrollTo } = useRowWindow(scroller, rows.length, rowHeight, rowHeight, start);
  const position = useMemo(() => (selected === undefined ? -1 : rows.indexOf(selected)), [rows, selected]);

  const place = useRef({ position, selected });
  useEffect(() => {
    place.current.position = position;
  }, [position]);
  useEffect(() => {
    // Only a new selection scrolls; sorting and filtering leave the eye where it is.
    if (selected === undefined || place.current.position < 0) return;
    scrollTo(place.current.position);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the way to scroll is the same for the life of the table
  }, [selected]);
  useEffect(() => {
    const element = scroller.current;
    if (element === null || scrollKey === undefined) return;
    return () => {
      scrollPlaces.set(scrollKey, element.scrollTop);
    };
  }, [scrollKey]);

  const tick = useCallback(
    (row: number, range: boolean) => {
      if (checked === undefined || onChecked === undefined) return;
      const next = new Set(checked);
      const from = range && anchor.current !== undefined ? rows.indexOf(anchor.current) : -1;
      const to = rows.indexOf(row);
      if (from >= 0 && to >= 0)
        for (const one of rows.subarray(Math.min(from, to), Math.max(from, to) + 1)) next.add(one);
      else if (next.has(row)) next.delete(row);
      else next.add(row);
      anchor.current = row;
      onChecked(next);
    },
    [checked, onChecked, rows],
  );

  const rowOf = (event: MouseEvent): number | undefined => {
    const element = event.target instanceof Element ? event.target.closest("[data-row]") : null;
    return element instanceof HTMLElement && element.dataset["row"] !== undefined
      ? Number(element.dataset["row"])
      : undefined;
  };
  const onClick = (event: MouseEvent): void => {
    const target = event.target;
    if (!(target instanceof Element) || target.closest("button, a") !== null) return;
    const row = rowOf(event);
    if (row === undefined) return;
    if (checkable && (target.closest(".data-table-check") !== null || event.ctrlKey || event.metaKey)) {
      tick(row, event.shiftKey);
      return;
    }
    onSelect(row);
  };
  const onDoubleClick = (event: MouseEvent): void => {
    const row = rowOf(event);
    if (row !== undefined && !(event.target instanceof Element && event.target.closest("button, a, .check") !== null)) {
      onActivate?.(row);
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget || event.altKey) return;
    const current = position < 0 ? undefined : rows[position];
    if (event.key === "a" && (event.ctrlKey || event.metaKey) && checkable) {
      event.preventDefault();
      onChecked(new Set(rows));
      return;
    }
    if (event.ctrlKey || event.metaKey) return;
    if (event.key === "Escape" && checkable && checked.size > 0) {
      event.stopPropagation();
      onChecked(new Set());
      return;
    }
    if (event.key === "Enter" && current !== undefined) {
      event.preventDefault();
      onActivate?.(current);
      return;
    }
    if (event.key === " " && current !== undefined && checkable) {
      event.preventDefault();
      tick(current, event.shiftKey);
      return;
    }
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 2);
    const next = moveRow(event.key, position, rows.length, page);
    if (next === undefined) return;
    event.preventDefault();
    const row = rows[next];
    if (row !== undefined) onSelect(row);
    scrollTo(next);
  };

  const allTicked = checkable && rows.length > 0 && rows.every((row) => checked.has(row));
  const headers = head.getFlatHeaders();
  return (
    <div className="data-table">
      <div
        ref={scroller}
        className="data-table-scroll"
        role="grid"
        tabIndex={0}
        aria-label={label}
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length + (checkable ? 1 : 0)}
        aria-multiselectable={checkable}
        aria-activedescendant={position < 0 ? undefined : `${id}-${position}`}
        onClick={onClick}
        onDoubleClick={onDoubleClick}
        onKeyDown={onKeyDown}
        style={{ "--columns": template(columns, widthOf, checkable), "--total": `${total}px` }}
      >
        <div role="row" className="data-table-head" aria-rowindex={1}>
          {checkable ? (
            <div role="columnheader" className="data-table-cell data-table-check" aria-label="Ticked">
              <button
                type="button"
                role="checkbox"
                className="check"
                aria-checked={allTicked ? true : checked.size > 0 ? "mixed" : false}
                aria-label="Tick all rows"
                title="Tick all rows"
                onClick={() => onChecked(allTicked ? new Set() : new Set(rows))}
              >
                {allTicked ? (
                  <Icon name="check" size={11} />
                ) : checked.size > 0 ? (
                  <Icon name="minus" size={11} />
                ) : null}
              </button>
            </div>
          ) : null}
          {columns.map((column, index) => (
            <HeadCell key={column.id} column={column} sort={sort} onSort={onSort}>
              {onWidths === undefined ? null : (
                <span
                  className="data-table-resize"
                  aria-hidden="true"
                  onPointerDown={(event) => event.stopPropagation()}
                  onMouseDown={headers[index]?.getResizeHandler()}
                  onTouchStart={headers[index]?.getResizeHandler()}
                  onDoubleClick={() => head.getColumn(column.id)?.resetSize()}
                  onClick={(event) => event.stopPropagation()}
                />
              )}
            </HeadCell>
          ))}
        </div>
        {rows.length === 0 ? (
          <div role="row" aria-rowindex={2}>
            <div role="gridcell" className="data-table-empty">
              {empty}
            </div>
          </div>
        ) : (
          <div className="data-table-body" role="rowgroup" style={{ height: rows.length * rowHeight }}>
            {Array.from(rows.subarray(first, end), (row, i) => (
              <Row
                // By place: another order changes cells, and makes no new ones.
                key={first + i}
                id={`${id}-${first + i}`}
                row={row}
                position={first + i}
                columns={columns}
                selected={first + i === position}
                checked={checkable ? checked.has(row) : undefined}
              />
            ))}
          </div>
        )}
      </div>
      {headEnd === undefined ? null : <div className="data-table-head-end">{headEnd}</div>}
    </div>
  );
}

function HeadCell({
  column,
  sort,
  onSort,
  children,
}: {
  readonly column: TableColumn;
  readonly sort: TableSort | undefined;
  readonly onSort: ((sort: TableSort) => void) | undefined;
  readonly children: ReactNode;
}) {
  const sorted = sort?.column === column.id ? sort : undefined;
  const sortable = column.sortable === true && onSort !== undefined;
  const arrow =
    sorted === undefined ? null : <Icon name={sorted.descending ? "chevron-down" : "chevron-up"} size={12} />;
  const next = {
    column: column.id,
    descending: sorted === undefined ? column.highFirst === true : !sorted.descending,
  };
  return (
    <div
      role="columnheader"
      className={`data-table-cell${column.align === "end" ? " data-table-end" : ""}`}
      aria-sort={sorted === undefined ? undefined : sorted.descending ? "descending" : "ascending"}
    >
      {sortable ? (
        <button
          type="button"
          className="data-table-sort"
          aria-label={`${column.title}, sort`}
          title={column.titleHidden === true ? `Sort by ${column.title.toLowerCase()}` : undefined}
          onClick={() => onSort(next)}
        >
          {column.titleHidden === true ? null : <span>{column.title}</span>}
          {arrow ?? (column.titleHidden === true ? <Icon name="sort" size={12} /> : null)}
        </button>
      ) : column.titleHidden === true ? (
        <span className="visually-hidden">{column.title}</span>
      ) : (
        <span className="data-table-title">{column.title}</span>
      )}
      {children}
    </div>
  );
}
