import { causeNames } from "../../../shared/measure/causes.ts";
import { type CauseCheck, causes, type Measurement } from "../../../shared/measure/types.ts";
import { HealthGlyph } from "../../parts/glyph.tsx";
import { Section } from "../../parts/section.tsx";
import "./checks.css";

const glyphs = { fine: "ok", fault: "error", unreadable: "unknown" } as const;
const words = { fine: "in order", fault: "fault", unreadable: "not readable" } as const;

function firstUpper(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

function Cell({ check }: { readonly check: CauseCheck | undefined }) {
  if (check === undefined) return <td>–</td>;
  const { state, detail } = check;
  return (
    <td title={detail}>
      <span className="check-state">
        <HealthGlyph health={glyphs[state]} size={12} />
        <span className={`check-${state}`}>
          <span className="visually-hidden">{words[state]}: </span>
          {state === "unreadable" && detail === "not readable there" ? "not readable" : detail}
        </span>
      </span>
    </td>
  );
}

/** The causes of low results that were looked for on both hosts, side by side. Null when none were. */
export function Checks({ id, record }: { readonly id: string; readonly record: Measurement }) {
  const { checks = [], client, server } = record;
  if (checks.length === 0) return null;
  const hosts = [client.host, server.host];
  const faults = checks.filter(({ state }) => state === "fault").length;
  const unread = checks.filter(({ state }) => state === "unreadable").length;
  const found = faults === 0 ? "no fault found" : faults === 1 ? "1 fault" : `${faults} faults`;
  return (
    <Section id={id} title="Causes looked for" aside={unread === 0 ? found : `${found}, ${unread} not readable`}>
      <table className="changes checks">
        <thead>
          <tr>
            <th>
              <span className="visually-hidden">Cause</span>
            </th>
            {hosts.map((host) => (
              <th key={host} scope="col">
                {host}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {causes
            .filter((what) => checks.some((check) => check.what === what))
            .map((what) => (
              <tr key={what}>
                <th scope="row">{firstUpper(causeNames[what])}</th>
                {hosts.map((host) => (
                  <Cell key={host} check={checks.find((check) => check.what === what && check.host === host)} />
                ))}
              </tr>
            ))}
        </tbody>
      </table>
    </Section>
  );
}
