/** Rows of the measurement history. Pure; no React. */
import type { MeasurementSummary } from "../../../shared/contract/views.ts";
import { rankTexts, type SortKey } from "../../parts/data-table-order.ts";
import { levelWord } from "./words.ts";

/** Positions of the results that contain every word, newest first as the history is. */
export function filterHistory(history: readonly MeasurementSummary[], text: string): Uint32Array {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const positions = [...history.keys()].filter((position) => {
    const run = history[position];
    if (run === undefined) return false;
    const all = `${run.linkName} ${run.clientHost} ${run.serverHost} ${run.source} ${run.level} ${levelWord(run.level)} ${run.simulated ? "simulated" : "real"} ${run.link}`;
    return words.every((word) => all.toLowerCase().includes(word));
  });
  return Uint32Array.from(positions);
}

/** Sort key of a column of the history. */
export function historySortKey(history: readonly MeasurementSummary[], column: string): SortKey | undefined {
  switch (column) {
    case "when":
      return history.map((run) => Date.parse(run.at));
    case "link":
      return rankTexts(history.map((run) => run.linkName));
    case "hosts":
      return rankTexts(history.map((run) => `${run.clientHost} ${run.serverHost}`));
    case "gbps":
      return history.map((run) => run.bandwidthGbps ?? NaN);
    case "percent":
      return history.map((run) => run.percent ?? NaN);
    case "latency":
      return history.map((run) => run.latencyUs ?? NaN);
    case "verdict":
      return rankTexts(history.map((run) => levelWord(run.level)));
    case "source":
      return rankTexts(history.map((run) => run.source));
    default:
      return undefined;
  }
}

/** `1 record could not be read and is left out.` Empty when all could. */
export function damagedText(damaged: number): string {
  if (damaged === 0) return "";
  return damaged === 1
    ? "1 record of the history could not be read and is left out."
    : `${damaged} records of the history could not be read and are left out.`;
}

/** Result as one line for the clipboard. */
export function historyLine(run: MeasurementSummary): string {
  return [
    run.at,
    run.simulated ? "simulated" : "",
    run.source,
    run.linkName,
    `${run.clientHost} to ${run.serverHost}`,
    run.sentence,
  ].join("\t");
}
