import type { Measurement, RunRecord, SideRecord } from "../../../shared/measure/types.ts";
import { CopyButton } from "../../parts/copy.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { duration } from "../../parts/time.ts";
import { visibleText } from "../../../shared/base/text.ts";
import "./run-records.css";

/** Raw output as shown: control characters visible, lines kept. */
function shownText(text: string): string {
  return text
    .split("\n")
    .map((line) => visibleText(line.replaceAll("\t", "    ")))
    .join("\n");
}

function Side({ side, role }: { readonly side: SideRecord; readonly role: string }) {
  const output = [side.stdout, side.stderr].filter((text) => text.trim() !== "").join("\n");
  return (
    <div className="run-side">
      <div className="run-side-head">
        <span>
          <strong>{side.host}</strong> {role}
          {side.exitCode === undefined ? ", no exit code" : `, exit ${side.exitCode}`}
        </span>
        <CopyButton text={`${side.commandLine}\n${output}`} />
      </div>
      <pre className="code" tabIndex={0}>
        <span className="code-command">{side.commandLine}</span>
        {output === "" ? "\n(no output)" : `\n${shownText(output)}`}
      </pre>
    </div>
  );
}

function Run({ run }: { readonly run: RunRecord }) {
  return (
    <section className="run">
      <h4>
        {run.step === undefined ? run.tool : `${run.tool}, ${run.step.title}`}
        <span>{duration(run.durationMs)}</span>
      </h4>
      {run.error === undefined ? null : <ErrorBox error={run.error} />}
      <Side side={run.client} role="client" />
      <Side side={run.server} role="server" />
    </section>
  );
}

/** Command lines and raw output of both sides, tool by tool, all copyable. */
export function RunRecords({ record }: { readonly record: Measurement }) {
  return (
    <div className="runs">
      {record.runs.map((run) => (
        <Run key={`${run.tool} ${run.startedAt}`} run={run} />
      ))}
    </div>
  );
}
