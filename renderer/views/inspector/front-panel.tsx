import { type KeyboardEvent, useMemo, useRef } from "react";
import type { FabricView } from "../../../shared/contract/views.ts";
import { useSelection } from "../../state/selection-store.ts";
import { frontPanel, type PanelPort } from "./node-facts.ts";

/** Columns in one row of sockets: two rows of 20 are a common 40-port front. */
const columnsInRow = 20;

function select(port: PanelPort): void {
  const { select: to } = useSelection.getState();
  if (port.link !== undefined) to({ kind: "link", link: port.link }, { fly: true });
  else if (port.missing !== undefined) to({ kind: "missing-link", missing: port.missing }, { fly: true });
}

function Socket({ port, first }: { readonly port: PanelPort; readonly first: boolean }) {
  const bad = port.health === "error" || port.health === "down" || port.health === "warning";
  return (
    <button
      type="button"
      className={`socket socket-${port.health}`}
      aria-disabled={port.link === undefined && port.missing === undefined}
      aria-label={port.title}
      title={port.title}
      tabIndex={first ? 0 : -1}
      onClick={() => select(port)}
    >
      {bad ? (port.health === "down" ? "✕" : "!") : null}
    </button>
  );
}

/** Ports as on the box: odd above even, state by fill and sign, a click selects the cable. Arrows move between sockets. */
export function FrontPanel({ view, node }: { readonly view: FabricView; readonly node: number }) {
  const { fabric, analysis } = view;
  const box = useRef<HTMLDivElement>(null);
  const columns = useMemo(() => frontPanel(fabric, analysis, node), [fabric, analysis, node]);
  const rows = Array.from({ length: Math.ceil(columns.length / columnsInRow) }, (_, i) =>
    columns.slice(i * columnsInRow, (i + 1) * columnsInRow),
  );
  const onKeyDown = (event: KeyboardEvent): void => {
    const steps: Readonly<Record<string, number>> = { ArrowLeft: -2, ArrowRight: 2, ArrowUp: -1, ArrowDown: 1 };
    const step = steps[event.key];
    const sockets = [...(box.current?.querySelectorAll("button") ?? [])];
    const from = sockets.findIndex((socket) => socket === document.activeElement);
    if (step === undefined || from < 0) return;
    event.preventDefault();
    event.stopPropagation();
    sockets[Math.max(0, Math.min(sockets.length - 1, from + step))]?.focus();
  };
  return (
    <div className="panel-box" ref={box} onKeyDown={onKeyDown} role="group" aria-label="Ports as on the box">
      {rows.map((row, i) => (
        <div className="panel-row" key={row[0]?.top.number ?? i}>
          {row.map((column, j) => (
            <div className="panel-column" key={column.top.number}>
              <span className="panel-number">{showsNumber(column.top.number) ? column.top.number : ""}</span>
              <Socket port={column.top} first={i === 0 && j === 0} />
              {column.bottom !== undefined ? (
                <Socket port={column.bottom} first={false} />
              ) : row.length > 1 ? (
                <span className="socket-none" />
              ) : null}
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

/** Numbers stand over every fifth column. */
function showsNumber(number: number): boolean {
  return number % 10 === 1;
}
