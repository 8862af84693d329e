import type { Measurement } from "../../../shared/measure/types.ts";
import { Section } from "../../parts/section.tsx";
import { sizeTables, stepRows, type SizeTable, type StepRow } from "./step-rows.ts";
import { bytesText, latencyNumber, percentText, rateNumber } from "./words.ts";
import "./step-results.css";

function Step({ row, pass, latencies }: { readonly row: StepRow; readonly pass: number; readonly latencies: boolean }) {
  const { title, gbps, percent, us, p99Us, failed } = row;
  const tone = percent === undefined || percent >= pass ? "" : percent >= pass - 5 ? "cell-warning" : "cell-error";
  return (
    <tr>
      <th scope="row">{title}</th>
      {failed && gbps === undefined && us === undefined ? (
        <td className="cell-error" colSpan={latencies ? 4 : 2}>
          no result
        </td>
      ) : (
        <>
          <td>{gbps === undefined ? "" : rateNumber(gbps)}</td>
          <td className={tone}>{percent === undefined ? "" : percentText(percent)}</td>
          {latencies ? <td>{us === undefined ? "" : latencyNumber(us)}</td> : null}
          {latencies ? <td>{p99Us === undefined ? "" : latencyNumber(p99Us)}</td> : null}
        </>
      )}
    </tr>
  );
}

function Sizes({ table }: { readonly table: SizeTable }) {
  const number = table.unit === "µs" ? latencyNumber : rateNumber;
  return (
    <table className="steps-sizes">
      <thead>
        <tr>
          <th scope="col">Size</th>
          <th scope="col" aria-hidden="true" />
          <th scope="col">{table.unit}</th>
        </tr>
      </thead>
      <tbody>
        {table.rows.map((row) => (
          <tr key={row.bytes}>
            <th scope="row">{bytesText(row.bytes)}</th>
            <td>
              <i style={{ width: `${Math.max(0.5, row.share * 100)}%` }} />
            </td>
            <td>{number(row.value)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Every step of a measurement that has more than a bandwidth and a latency, and every size where all were measured. */
export function StepResults({ record, pass }: { readonly record: Measurement; readonly pass: number }) {
  const rows = stepRows(record);
  const tables = sizeTables(record);
  const latencies = rows.some(({ us }) => us !== undefined);
  return (
    <>
      {rows.length === 0 ? null : (
        <Section id="measured-steps" title="Steps">
          <table className="steps-table">
            <thead>
              <tr>
                <th scope="col">Step</th>
                <th scope="col">Gb/s</th>
                <th scope="col">%</th>
                {latencies ? <th scope="col">µs</th> : null}
                {latencies ? <th scope="col">p99</th> : null}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <Step key={row.id} row={row} pass={pass} latencies={latencies} />
              ))}
            </tbody>
          </table>
        </Section>
      )}
      {tables.map((table) => (
        <Section key={table.unit} id={`measured-sizes-${table.unit}`} title="All sizes">
          <Sizes table={table} />
        </Section>
      ))}
    </>
  );
}
