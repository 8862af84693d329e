/** Rows of the measurement history. Pure; no React. */
import type { MeasurementSummary } from "../../../shared/contract/views.ts";
import { rankTexts, type SortKey } from "../../parts/data-table-order.ts";
import { levelWord } from "./words.ts";

/** Positions of the results that contain every word, newest first as the history is. */
export function filterHistory(
  history: readonly MeasurementSummary[],
  text: string,
  sweepTitles: ReadonlyMap<string, string> = new Map(),
): Uint32Array {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  // With each result of a sweep all are gone through: without words no text is made.
  if (words.length === 0) return Uint32Array.from(history.keys());
  const hits: number[] = [];
  history.forEach((run, position) => {
    const sweep = run.sweep === undefined ? "" : `sweep ${sweepTitles.get(run.sweep) ?? ""} ${run.sweep}`;
    const all = `${run.linkName} ${run.clientHost} ${run.serverHost} ${run.source} ${run.level} ${levelWord(run.level)} ${run.simulated ? "simulated" : "real"} ${run.link} ${proofWord(run).text} ${sweep}`;
    const text = all.toLowerCase();
    if (words.every((word) => text.includes(word))) hits.push(position);
  });
  return Uint32Array.from(hits);
}

/** Words of the filter that stand as chips above the table. */
export const historyChips = [
  { word: "slow", title: "Slow" },
  { word: "failed", title: "Failed" },
  { word: "proven", title: "Proven" },
  { word: "elsewhere", title: "Crossed another link" },
  { word: "sweep", title: "From sweeps" },
  { word: "simulated", title: "Simulated" },
  { word: "real", title: "Real" },
] as const;

/** The filter with a word put in, or taken out when it is there. */
export function toggledWord(query: string, word: string): string {
  const words = query.split(/\s+/).filter((one) => one !== "");
  return (words.includes(word) ? words.filter((one) => one !== word) : [...words, word]).join(" ");
}

/** Why a result has no percentage of what the path can carry. */
export function notJudgedWords({
  bandwidthGbps,
  expectedGbps,
}: Pick<MeasurementSummary, "bandwidthGbps" | "expectedGbps">): string {
  if (bandwidthGbps === null) return "no bandwidth";
  return expectedGbps > 0 ? "too small to judge" : "rate not known";
}

/** What the counters said about the way, in a word. */
export function proofWord({ route, share }: Pick<MeasurementSummary, "route" | "share">): {
  readonly text: string;
  readonly title: string;
  readonly quiet: boolean;
} {
  const percent = share === undefined ? "" : `${Math.round(share * 1000) / 10}\u00a0% of the bytes crossed the link`;
  if (route === undefined) return { text: "–", title: "No counters were read", quiet: true };
  switch (route) {
    case "proven":
      return { text: "proven", title: percent, quiet: false };
    case "spread":
      return { text: "spread", title: percent, quiet: false };
    case "elsewhere":
      return { text: "elsewhere", title: "The bytes crossed another link", quiet: false };
    case "unknown":
      return { text: "cannot tell", title: "Others used the path, or its counters did not tell", quiet: true };
  }
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
    case "proof":
      return rankTexts(history.map((run) => proofWord(run).text));
    case "sweep":
      return rankTexts(history.map((run) => run.sweep ?? ""));
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
