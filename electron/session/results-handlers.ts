/** Results of the history for other programs, and the results that links are held against. */
import writeFileAtomic from "write-file-atomic";
import { err, ok, type Result } from "../../shared/base/result.ts";
import { exportName, exportText, type ResultRow, resultRow } from "../../shared/contract/results-export.ts";
import type { ExportFormat } from "../../shared/contract/sweeps.ts";
import type { MeasurementSummary } from "../../shared/contract/views.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import type { Handlers } from "../ipc/router.ts";
import { readSweepRecord } from "../measure/sweep-state.ts";
import { fileError } from "../store/file-error.ts";
import type { SessionParts } from "./parts.ts";
import { lineOf } from "./sweep-words.ts";

type Parts = Pick<SessionParts, "desktop" | "history" | "baselines" | "sweeps" | "dataFolder" | "now">;

type Names = "measure.export" | "sweep.export" | "baseline.list" | "baseline.set" | "baseline.clear";

/** A link of a sweep that could not be measured, as a row. */
function emptyRow(
  line: ReturnType<typeof lineOf>[number],
  sweep: string,
  source: string,
  simulated: boolean,
): ResultRow {
  return {
    link: line.link,
    linkName: line.linkName,
    client: null,
    server: null,
    level: line.level,
    bandwidthGbps: line.bandwidthGbps,
    expectedGbps: line.expectedGbps,
    percent: line.percent,
    latencyUs: line.latencyUs,
    slow: line.slow,
    siblingsGbps: line.siblingsGbps,
    route: line.route,
    share: null,
    newErrors: null,
    basis: null,
    measurement: line.measurement,
    at: line.at,
    sentence: line.reason,
    latencyP99Us: null,
    source,
    simulated,
    sweep,
  };
}

/** Handlers of exports and baselines. */
export function resultsHandlers(parts: Parts): Pick<Handlers, Names> {
  const { desktop, history, baselines, dataFolder } = parts;

  const save = async (
    format: ExportFormat,
    rows: readonly ResultRow[],
    title: string,
  ): Promise<Result<{ saved: boolean; path: string }, AppError>> => {
    const head = { title, exportedAt: new Date(parts.now()).toISOString() };
    const target = await desktop.chooseSavePath(exportName(format, rows, head));
    if (target === undefined) return ok({ saved: false, path: "" });
    try {
      await writeFileAtomic(target, exportText(format, rows, head));
    } catch (cause) {
      return err(fileError(cause, target, "write"));
    }
    return ok({ saved: true, path: target });
  };

  const byId = (): ReadonlyMap<string, MeasurementSummary> =>
    new Map(history.list().measurements.map((run) => [run.id, run]));

  return {
    "measure.export": async ({ ids, format }) => {
      const all = history.list().measurements;
      const wanted = ids === null ? undefined : new Set(ids);
      const rows = all.filter(({ id }) => wanted?.has(id) ?? true).map((run) => resultRow(run));
      return save(format, rows, "Measurements");
    },
    "sweep.export": async ({ sweepId, format }) => {
      const record = await readSweepRecord(dataFolder, sweepId);
      if (record === undefined) return err({ kind: "unknown-id", what: "sweep", id: sweepId });
      const { head, done } = record;
      const known = byId();
      const rows = lineOf(head, [...done.values()]).map((line) => {
        const run = line.measurement === null ? undefined : known.get(line.measurement);
        return run === undefined ? emptyRow(line, head.id, head.source, head.simulated === true) : resultRow(run, line);
      });
      return save(format, rows, head.title ?? "Sweep");
    },
    "baseline.list": () => ok(baselines.list()),
    "baseline.set": async ({ measurement }) => {
      const run = byId().get(measurement);
      if (run === undefined) return err({ kind: "unknown-id", what: "measurement", id: measurement });
      if (run.bandwidthGbps === null && run.latencyUs === null) {
        return err({ kind: "bad-request", detail: "a run without a number cannot be a baseline" });
      }
      return baselines.set({
        measurement,
        link: run.link,
        source: run.source,
        simulated: run.simulated,
        measuredAt: run.at,
        setAt: new Date(parts.now()).toISOString(),
        clientHost: run.clientHost,
        serverHost: run.serverHost,
        bandwidthGbps: run.bandwidthGbps,
        expectedGbps: run.expectedGbps,
        latencyUs: run.latencyUs,
      });
    },
    "baseline.clear": ({ measurement }) => baselines.clear(measurement),
  };
}
