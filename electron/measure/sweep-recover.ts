/** Results that are in the history while the journal of their sweep does not know them: the program ended in between. */
import { ok, type Result } from "../../shared/base/result.ts";
import type { MeasurementSummary } from "../../shared/contract/views.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import type { SweepDone, SweepJournal } from "./sweep-state.ts";

/** A line of a journal out of a result of the history. */
function doneOf(run: MeasurementSummary): SweepDone {
  return {
    link: run.link,
    at: run.at,
    measurement: run.id,
    level: run.level,
    expectedGbps: run.expectedGbps,
    slow: run.level === "slow" || run.level === "bad",
    ...(run.hops === undefined ? {} : { hops: run.hops }),
    ...(run.bandwidthGbps === null ? {} : { bandwidthGbps: run.bandwidthGbps }),
    ...(run.percent === null ? {} : { percent: run.percent }),
    ...(run.latencyUs === null ? {} : { latencyUs: run.latencyUs }),
    ...(run.route === undefined ? {} : { route: run.route }),
  };
}

/** Puts such results into the journal, so that no link is measured twice. Answers with how many there were. */
export async function recoverDone(
  journal: SweepJournal,
  history: readonly MeasurementSummary[],
): Promise<Result<number, AppError>> {
  const links = new Set(journal.head.links);
  let recovered = 0;
  for (const run of history) {
    // A run that was cancelled says nothing of its link.
    if (run.sweep !== journal.head.id || run.level === "cancelled") continue;
    if (!links.has(run.link) || journal.done.has(run.link)) continue;
    const added = await journal.add(doneOf(run));
    if (!added.ok) return added;
    recovered += 1;
  }
  return ok(recovered);
}
