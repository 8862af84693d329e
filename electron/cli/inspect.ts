import { topologyKinds, type TopologyKind } from "../../shared/analyse/results.ts";
import { err, ok, type Result } from "../../shared/base/result.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { parseAny } from "../../shared/parse/parse-any.ts";
import { openPaths } from "../store/open-paths.ts";
import { decodeOutput } from "../threads/decode.ts";
import { directEngineWith } from "../threads/engine.ts";
import { withRouteFindings } from "../session/capture-routes.ts";
import { understandCapture } from "../session/load.ts";
import { readLimits } from "./limits.ts";
import { readOptions } from "./options.ts";
import { fabricReport, fabricText, measurementReport, measurementText } from "./report.ts";
import { fail, print, printJson } from "./terminal.ts";

/** `ibex inspect PATH [--json] [--shape KIND]`: a capture, a folder of raw outputs, or one raw output. */
export async function inspectCommand(args: readonly string[]): Promise<number> {
  const options = readOptions(args, ["json", "shape", "thresholds"]);
  if (!options.ok) return fail(options.error, 2);
  const { words } = options.value;
  if (words.length === 0)
    return fail(
      { kind: "bad-request", detail: "ibex inspect needs a capture, a folder or files: ibex inspect PATH" },
      2,
    );
  const shape = readShape(options.value.text("shape"));
  if (!shape.ok) return fail(shape.error, 2);
  const limits = await readLimits(options.value);
  if (!limits.ok) return fail(limits.error, 2);
  const capture = await openPaths(words);
  if (!capture.ok) return fail(capture.error, 2);
  const json = options.value.flag("json");
  const only = capture.value.outputs.length === 1 ? capture.value.outputs[0] : undefined;
  if (only !== undefined && capture.value.how === "file") {
    const parsed = parseAny(decodeOutput(only.stdout), { file: only.name });
    if (parsed.kind === "perftest") {
      const { records, diagnostics } = parsed.parsed;
      if (json) printJson(measurementReport(records, diagnostics));
      else print(measurementText(records));
      return 0;
    }
  }
  const engine = directEngineWith(limits.value);
  const loaded = await understandCapture(capture.value, engine, new AbortController().signal, shape.value);
  if (!loaded.ok) return fail(loaded.error, 2);
  const understood = withRouteFindings(capture.value, loaded.value.understood, limits.value);
  if (json) printJson(fabricReport(capture.value, understood));
  else print(fabricText(capture.value, understood));
  return 0;
}

function readShape(word: string | undefined): Result<TopologyKind | undefined, AppError> {
  if (word === undefined) return ok(undefined);
  const kind = topologyKinds.find((known) => known === word);
  return kind === undefined
    ? err({ kind: "bad-request", detail: `--shape is one of ${topologyKinds.join(", ")}` })
    : ok(kind);
}
