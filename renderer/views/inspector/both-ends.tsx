import { Fragment } from "react";
import type { Finding } from "../../../shared/analyse/results.ts";
import { portName } from "../../../shared/fabric/access.ts";
import type { FabricView } from "../../../shared/contract/views.ts";
import { Section } from "../../parts/section.tsx";
import { openRaw } from "../output/open-raw.ts";
import { cableRows } from "./cable-facts.ts";
import { type EndCell, type EndsRow, endsRows } from "./link-facts.ts";

function Cell({ cell }: { readonly cell: EndCell }) {
  const { source } = cell;
  if (source !== undefined) {
    return (
      <span>
        <button type="button" className="text-link" onClick={() => openRaw(source.file, source.line)}>
          {cell.text}
        </button>
      </span>
    );
  }
  const classes = [cell.tone === undefined ? "" : `ends-${cell.tone}`, cell.mono === true ? "mono" : ""];
  return (
    <span className={classes.join(" ").trim() || undefined}>{cell.mono === true ? halves(cell.text) : cell.text}</span>
  );
}

/** A GUID that may break in its middle, where the column is too narrow for it in one line. */
function halves(guid: string) {
  return (
    <>
      {guid.slice(0, 10)}
      <wbr />
      {guid.slice(10)}
    </>
  );
}

/** Both ends of a cable side by side, with the lines of the raw outputs that say so. */
export function BothEnds({
  view,
  a,
  b,
  wanted,
  id = "link-ends",
  title = "Both ends",
}: {
  readonly view: FabricView;
  readonly a: number;
  readonly b: number;
  readonly wanted: { readonly lanes: number; readonly speed: number };
  readonly id?: string;
  readonly title?: string;
}) {
  const rows = endsRows(view.fabric, a, b, view.capture.files, wanted);
  return (
    <Section id={id} title={title}>
      <Ends view={view} a={a} b={b} rows={rows} />
    </Section>
  );
}

/** Modules and bit errors of both ends; nothing when no output told of them. */
export function Cable({
  view,
  a,
  b,
  findings,
}: {
  readonly view: FabricView;
  readonly a: number;
  readonly b: number;
  readonly findings: readonly Finding[];
}) {
  const rows = cableRows(view.fabric, a, b, findings);
  if (rows.length === 0) return null;
  return (
    <Section id="link-cable" title="Cable and bit errors">
      <Ends view={view} a={a} b={b} rows={rows} />
    </Section>
  );
}

function Ends({
  view,
  a,
  b,
  rows,
}: {
  readonly view: FabricView;
  readonly a: number;
  readonly b: number;
  readonly rows: readonly EndsRow[];
}) {
  return (
    <div className="ends">
      <span />
      <span className="ends-head">{portName(view.fabric, a)}</span>
      <span className="ends-head">{portName(view.fabric, b)}</span>
      {rows.map((row) => (
        <Fragment key={row.label}>
          <span>{row.label}</span>
          <Cell cell={row.a} />
          <Cell cell={row.b} />
        </Fragment>
      ))}
    </div>
  );
}
