import type { Measurement } from "../../../shared/measure/types.ts";
import { Section } from "../../parts/section.tsx";
import { evidenceTable } from "../measure/proof-words.ts";
import "./evidence.css";

/** What both ends of the measured link counted during the run, or why that is not known. */
export function Evidence({ id, record }: { readonly id: string; readonly record: Measurement }) {
  const table = evidenceTable(record);
  if (table === undefined) return null;
  if (typeof table === "string") {
    return (
      <Section id={id} title="Evidence, during the run" aside="counters not read">
        <p className="quiet-words">{table}</p>
      </Section>
    );
  }
  return (
    <Section id={id} title="Evidence, during the run" aside="counter change">
      <table className="changes">
        <thead>
          <tr>
            <th>
              <span className="visually-hidden">Counter</span>
            </th>
            {table.ends.map((end) => (
              <th key={end} scope="col">
                {end}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map(({ label, cells }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {cells.map((cell, side) => (
                <td key={table.ends[side]} className={cell.tone === "error" ? "ends-error" : undefined}>
                  {cell.text}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {table.notes.map((note) => (
        <p key={note} className="proof-way">
          {note}
        </p>
      ))}
    </Section>
  );
}
