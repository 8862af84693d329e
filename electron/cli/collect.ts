import type { CollectStep } from "../../shared/contract/views.ts";
import { count } from "../../shared/base/text.ts";
import { collect } from "../collect/collect.ts";
import { understandCapture } from "../session/load.ts";
import { captureName, openSource } from "../session/sources.ts";
import { writeCapture } from "../store/capture-file.ts";
import { withRouteFindings } from "../session/capture-routes.ts";
import { directEngineWith } from "../threads/engine.ts";
import { readLimits } from "./limits.ts";
import { cancelBySignal, terminalSsh } from "./environment.ts";
import { readOptions, readSource, sourceOptions } from "./options.ts";
import { fail, say } from "./terminal.ts";

/** Says each step once when it ends. */
function stepPrinter(): (steps: readonly CollectStep[]) => void {
  const said = new Set<string>();
  return (steps) => {
    for (const step of steps) {
      if (step.state === "waiting" || step.state === "running" || said.has(step.id)) continue;
      said.add(step.id);
      say(
        `${step.state === "done" ? "  " : `${step.state}: `}${step.title}${step.note === "" ? "" : `, ${step.note}`}${step.state === "done" ? ` (${(step.ms / 1000).toFixed(1)} s)` : ""}`,
      );
    }
  };
}

/** `ibex collect (--ssh … | --local | --simulated NAME) --out FILE [--routes]`. */
export async function collectCommand(args: readonly string[]): Promise<number> {
  const options = readOptions(args, [...sourceOptions, "out", "routes"]);
  if (!options.ok) return fail(options.error, 2);
  const source = readSource(options.value);
  if (!source.ok) return fail(source.error, 2);
  const out = options.value.text("out");
  if (source.value === undefined)
    return fail(
      { kind: "bad-request", detail: "name a source: --ssh [user@]host[:port], --local or --simulated NAME" },
      2,
    );
  if (out === undefined) return fail({ kind: "bad-request", detail: "name the file to write: --out FILE.fabric" }, 2);
  const signal = cancelBySignal();
  const opened = await openSource(source.value, terminalSsh(options.value.flag("accept-new-host-key")), signal);
  if (!opened.ok) return fail(opened.error, opened.error.kind === "unknown-id" ? 2 : 1);
  const { access, connection } = opened.value;
  try {
    say(`Collecting from ${access.source.label}`);
    const capture = await collect(access.source, {
      source: source.value,
      simulated: access.simulated,
      routes: options.value.flag("routes"),
      signal,
      now: Date.now,
      onSteps: stepPrinter(),
    });
    if (!capture.ok) return fail(capture.error, capture.error.kind === "cancelled" ? 130 : 1);
    const named = { ...capture.value, name: captureName(source.value) };
    const written = await writeCapture(out, named);
    if (!written.ok) return fail(written.error, 1);
    const limits = await readLimits(options.value);
    if (!limits.ok) return fail(limits.error, 1);
    const loaded = await understandCapture(named, directEngineWith(limits.value), new AbortController().signal);
    if (!loaded.ok) return fail(loaded.error, 1);
    const { counts, findings } = withRouteFindings(named, loaded.value.understood, limits.value).analysis;
    say(
      `${out}: ${count(counts.switches, "switch", "switches")}, ${count(counts.hosts, "host")}, ${count(counts.links, "link")}, ${count(findings.length, "finding")}`,
    );
    return 0;
  } finally {
    await access.close();
    await connection?.close();
  }
}
