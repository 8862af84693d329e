import type { DataSummary } from "../../../shared/contract/requests.ts";
import { CopyButton } from "../../parts/copy.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { Facts } from "../../parts/facts.tsx";
import { api } from "../../state/api-context.ts";
import { fileSizeText } from "../measure/words.ts";
import { useApi } from "./use-api.ts";

const partTitles: Readonly<Record<string, string>> = {
  "measurements.jsonl": "Measurements",
  "managers.jsonl": "Watched subnet managers",
  sweeps: "Sweeps",
  logs: "Logs",
};

/** Where Ibex keeps its files, and how much it is. */
export function Data() {
  const data = useApi<DataSummary>(() => api().call("data.summary", {}));
  if (data === undefined) return null;
  return data.ok ? <Kept {...data.value} /> : <ErrorBox error={data.error} />;
}

function Kept({ folder, parts }: DataSummary) {
  const separator = folder.includes("\\") ? "\\" : "/";
  return (
    <>
      <section className="setting">
        <div className="setting-head">
          <h3>Data folder</h3>
          <CopyButton text={folder} label="Copy path" kind="ghost" />
        </div>
        <p>
          Everything that Ibex keeps on this machine. Start it with IBEX_DATA set to another folder to use that one.
        </p>
        <code className="setting-path">{folder}</code>
      </section>
      <section className="setting">
        <div className="setting-head">
          <h3>What is kept</h3>
        </div>
        <p>
          Measurements stay until you delete their file. Sweeps go 30 days after they finished, 90 when they did not.
          Passwords and passphrases are never written to disk; logs and reports of errors leave them out.
        </p>
        <table className="setting-table">
          <thead>
            <tr>
              <th scope="col">What</th>
              <th scope="col">Where</th>
              <th scope="col">Size</th>
            </tr>
          </thead>
          <tbody>
            {parts.map(({ name, bytes }) => (
              <tr key={name}>
                <th scope="row">{partTitles[name] ?? name}</th>
                <td className="mono">{`${name}${name.includes(".") ? "" : separator}`}</td>
                <td>{bytes === 0 ? "none yet" : fileSizeText(bytes)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}

/** Versions, licence, and all of it as text for a report. */
export function About() {
  const info = useApi(() => api().call("app.info", {}));
  if (info === undefined) return null;
  if (!info.ok) return <ErrorBox error={info.error} />;
  const { version, electron, platform } = info.value;
  const chromium = /Chrome\/([\d.]+)/.exec(navigator.userAgent)?.[1] ?? "";
  const rows = [
    { label: "Ibex", value: version },
    { label: "Electron", value: electron },
    { label: "Chromium", value: chromium },
    { label: "System", value: platform },
  ];
  return (
    <>
      <section className="setting">
        <div className="setting-head">
          <h3>Versions</h3>
          <CopyButton
            text={rows.map(({ label, value }) => `${label} ${value}`).join("\n")}
            label="Copy versions"
            kind="ghost"
          />
        </div>
        <p>For a report of an error.</p>
        <Facts rows={rows} />
      </section>
      <section className="setting">
        <div className="setting-head">
          <h3>Licence</h3>
        </div>
        <p>
          Apache License, version 2.0. Ibex comes as it is, without warranty; the packages in it keep their own
          licences.
        </p>
      </section>
    </>
  );
}
