import { Dialog } from "radix-ui";
import {
  type KeyboardEvent,
  useDeferredValue,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import type { Topology } from "../../../shared/analyse/results.ts";
import { groupDigits } from "../../../shared/base/text.ts";
import { linkId } from "../../../shared/fabric/access.ts";
import type { FabricView } from "../../../shared/contract/views.ts";
import { Icon, type IconName } from "../../parts/icons.tsx";
import { Kbd } from "../../parts/kbd.tsx";
import { inSlices } from "../../parts/slices.ts";
import { useRowWindow } from "../../parts/use-row-window.ts";
import { useFabric } from "../../state/fabric-store.ts";
import { useUi } from "../../state/ui-store.ts";
import { startMeasuring } from "../measure/start.ts";
import { type Command, commands } from "../shell/commands.ts";
import { flyTo } from "../shell/go-to.ts";
import {
  buildIndex,
  indexSteps,
  markParts,
  type PaletteEntry,
  type PaletteIndex,
  searchIndex,
} from "./palette-index.ts";
import "./palette.css";

const mostHits = 500;
/** px, of headings too. */
const rowHeight = 32;

const icons: Readonly<Record<PaletteEntry["kind"], IconName>> = {
  block: "nodes",
  director: "nodes",
  switch: "nodes",
  host: "laptop",
  adapter: "nodes",
  router: "nodes",
  aggregation: "nodes",
  link: "links",
};

/** By the shape of a fabric: findings that come later change nothing that is searched. */
const indices = new WeakMap<Topology, PaletteIndex>();
/** Those that are being made: a palette that is opened again waits for the same one. */
const making = new WeakMap<Topology, Promise<PaletteIndex>>();

/** Nodes and links whose index takes less than a frame. */
const indexedAtOnce = 4000;

/** The index of a fabric, made when the palette is first opened; undefined while that of a large one is made in slices. */
function useIndex(view: FabricView | undefined): PaletteIndex | undefined {
  const [, setMade] = useState<PaletteIndex | undefined>(undefined);
  useEffect(() => {
    if (view === undefined) return;
    const { topology } = view.analysis;
    if (indices.has(topology)) return;
    const made = making.get(topology) ?? inSlices(indexSteps(view));
    making.set(topology, made);
    // Also when the palette is closed meanwhile: the next time it is there.
    void made.then((index) => {
      indices.set(topology, index);
      setMade(index);
    });
  }, [view]);
  if (view === undefined) return undefined;
  const known = indices.get(view.analysis.topology);
  if (known !== undefined || view.fabric.nodes.count + view.fabric.links.count > indexedAtOnce) return known;
  const made = buildIndex(view);
  indices.set(view.analysis.topology, made);
  return made;
}

type Row =
  | { readonly kind: "heading"; readonly title: string }
  | { readonly kind: "entry"; readonly entry: PaletteEntry }
  | { readonly kind: "command"; readonly command: Command };

function commandRows(query: string): readonly Row[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return commands
    .filter((command) => command.keyOnly !== true && command.applies())
    .filter((command) => {
      const text = `${command.title} ${command.group}`.toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .map((command) => ({ kind: "command", command }));
}

interface Found {
  readonly rows: readonly Row[];
  readonly shown: number;
  readonly total: number;
}

function find(index: PaletteIndex | undefined, query: string): Found {
  const onlyCommands = query.startsWith(">");
  const rows: Row[] = [];
  let total = 0;
  let shown = 0;
  if (!onlyCommands && index !== undefined) {
    const found = searchIndex(index, query, mostHits);
    total = found.total;
    shown = found.hits.length;
    if (shown > 0) rows.push({ kind: "heading", title: "Nodes and links" });
    for (const hit of found.hits) {
      const entry = index.entries[hit];
      if (entry !== undefined) rows.push({ kind: "entry", entry });
    }
  }
  const matching = commandRows(onlyCommands ? query.slice(1) : query);
  if (matching.length > 0) rows.push({ kind: "heading", title: "Commands" }, ...matching);
  return { rows, shown, total };
}

function Title({ title, query }: { readonly title: string; readonly query: string }) {
  return markParts(title, query).map((part, index) =>
    part.marked ? <mark key={index}>{part.text}</mark> : <span key={index}>{part.text}</span>,
  );
}

function RowContent({ row, query }: { readonly row: Row; readonly query: string }) {
  if (row.kind === "heading") return row.title;
  if (row.kind === "command") {
    const [keys] = row.command.keys;
    return (
      <>
        <Icon name={row.command.icon} size={16} />
        <span className="palette-title">
          <Title title={row.command.title} query={query.replace(/^>/, "")} />
        </span>
        {keys === undefined ? null : <Kbd keys={keys} />}
      </>
    );
  }
  return (
    <>
      <Icon name={icons[row.entry.kind]} size={16} />
      <span className="palette-title">
        <Title title={row.entry.title} query={query} />
        {row.entry.note === "" ? null : <span className="palette-note">, {row.entry.note}</span>}
      </span>
      <span className="palette-verb">fly to</span>
    </>
  );
}

function step(rows: readonly Row[], from: number, by: number): number {
  for (let next = from + by; next >= 0 && next < rows.length; next += by) {
    if (rows[next]?.kind !== "heading") return next;
  }
  return from;
}

function PaletteBody({ onDone }: { readonly onDone: () => void }) {
  const view = useFabric((state) => state.view);
  const [query, setQuery] = useState("");
  const wanted = useDeferredValue(query);
  const index = useIndex(view);
  const { rows, shown, total } = useMemo(() => find(index, wanted), [index, wanted]);
  const [chosen, setChosen] = useState<{ readonly query: string; readonly row: number }>({ query: "", row: 1 });
  // A changed query starts at its best hit again.
  const active = chosen.query === wanted && rows[chosen.row] !== undefined ? chosen.row : step(rows, -1, 1);
  const list = useRef<HTMLDivElement>(null);
  const listId = useId();
  const { first, end, scrollTo } = useRowWindow(list, rows.length, rowHeight, 0, 0);
  useLayoutEffect(() => {
    if (list.current !== null) list.current.scrollTop = 0;
  }, [wanted]);
  const choose = (row: number): void => {
    setChosen({ query: wanted, row });
    scrollTo(row);
  };
  const open = (row: Row | undefined, measure: boolean): void => {
    if (row === undefined || row.kind === "heading") return;
    // What the words mean may be a node that is not known yet.
    if (view !== undefined && index === undefined && !query.startsWith(">")) return;
    onDone();
    if (row.kind === "command") {
      row.command.run();
      return;
    }
    flyTo(row.entry.selection);
    if (measure && view !== undefined && row.entry.selection.kind === "link") {
      void startMeasuring(view.fabricId, linkId(view.fabric, row.entry.selection.link));
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    switch (event.key) {
      case "ArrowDown":
        choose(step(rows, active, 1));
        break;
      case "ArrowUp":
        choose(step(rows, active, -1));
        break;
      case "PageDown":
        choose(step(rows, Math.min(active + 9, rows.length - 2), 1));
        break;
      case "PageUp":
        choose(step(rows, Math.max(active - 9, 0), 1));
        break;
      case "Enter":
        open(rows[active], event.ctrlKey || event.metaKey);
        break;
      default:
        return;
    }
    event.preventDefault();
  };
  return (
    <>
      <div className="palette-field">
        <Icon name="search" size={16} />
        <input
          role="combobox"
          aria-expanded={rows.length > 0}
          aria-controls={listId}
          aria-activedescendant={rows[active] === undefined ? undefined : `${listId}-${active}`}
          aria-label="Search nodes, GUIDs, LIDs, commands"
          placeholder={view === undefined ? "Search commands" : "Name, 0x GUID, #LID, or > for commands"}
          spellCheck={false}
          autoComplete="off"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <span aria-live="polite">
          {total === 0 ? "" : shown < total ? `${groupDigits(shown)} of ${groupDigits(total)}` : groupDigits(total)}
        </span>
      </div>
      {rows.length === 0 ? (
        <p className="palette-none" role="status">
          Nothing matches “{query}”. A LID is found by #, a GUID by 0x, a command by &gt;.
        </p>
      ) : null}
      <div
        className="palette-list"
        id={listId}
        role="listbox"
        aria-label="Hits"
        ref={list}
        tabIndex={-1}
        hidden={rows.length === 0}
      >
        <div style={{ height: rows.length * rowHeight, position: "relative" }}>
          {rows.slice(first, end).map((row, i) => {
            const position = first + i;
            const heading = row.kind === "heading";
            return (
              <div
                key={position}
                id={`${listId}-${position}`}
                role={heading ? "presentation" : "option"}
                aria-selected={heading ? undefined : position === active}
                className={heading ? "palette-heading" : "palette-row"}
                style={{ transform: `translateY(${position * rowHeight}px)` }}
                onPointerMove={() => {
                  if (!heading && position !== active) setChosen({ query: wanted, row: position });
                }}
                onClick={(event) => open(row, event.ctrlKey || event.metaKey)}
              >
                <RowContent row={row} query={wanted} />
              </div>
            );
          })}
        </div>
      </div>
    </>
  );
}

/**
 * Not modal for the library: that would let the whole window inherit a style anew at each opening and closing, 30 ms and
 * more beside a large matrix. The ground below takes clicks, and Tab has nowhere to go.
 */
function PaletteDialog({ onClose }: { readonly onClose: () => void }) {
  const [opener] = useState(() => document.activeElement);
  // What was chosen is in the picture or in a dialog: keys are meant for that, not for the field from which one came.
  const cancelled = useRef(false);
  return (
    <Dialog.Root modal={false} open onOpenChange={(open) => (open ? undefined : onClose())}>
      <Dialog.Portal>
        <div className="palette-ground" aria-hidden="true" onMouseDown={onClose} />
        <Dialog.Content
          className="palette"
          aria-describedby={undefined}
          aria-modal="true"
          onKeyDown={(event) => (event.key === "Tab" ? event.preventDefault() : undefined)}
          onEscapeKeyDown={() => {
            cancelled.current = true;
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (cancelled.current && opener instanceof HTMLElement) opener.focus();
          }}
        >
          <Dialog.Title className="visually-hidden">Search and commands</Dialog.Title>
          <PaletteBody onDone={onClose} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Search over everything in the fabric, and all commands. Enter selects and flies there, Ctrl Enter measures a link. */
export function Palette() {
  const open = useUi((state) => state.paletteOpen);
  const setOpen = useUi((state) => state.setPaletteOpen);
  return open ? <PaletteDialog onClose={() => setOpen(false)} /> : null;
}
