/** Journals of sweeps → what the window sees. Pure. */
import type { SweepLine, SweepStatus, SweepView } from "../../shared/contract/sweeps.ts";
import type { LinkId } from "../../shared/fabric/model.ts";
import type { ListedSweep } from "../measure/sweep-list.ts";
import { isSlow, type SweepDone, type SweepHead } from "../measure/sweep-state.ts";

/** All links of a sweep with their names. */
export function linksOf({ links, names }: Pick<SweepHead, "links" | "names">): SweepView["links"] {
  // A journal names links as LinkIds: `beginSweep` is only given such.
  return links.map((link, position) => ({ link: link as LinkId, linkName: names?.[position] ?? link }));
}

/** Names of the last head that was asked for: a running sweep asks with each result. */
let namesOfHead: { readonly head: SweepHead; readonly names: ReadonlyMap<string, string> } | undefined;

function nameIn(head: SweepHead, link: string): string {
  if (namesOfHead?.head !== head) {
    namesOfHead = { head, names: new Map(linksOf(head).map((one) => [one.link, one.linkName])) };
  }
  return namesOfHead.names.get(link) ?? link;
}

/** Lines of a journal as the window has them. */
export function lineOf(head: SweepHead, lines: readonly SweepDone[]): readonly SweepLine[] {
  return lines.map((done) => ({
    link: done.link as LinkId,
    linkName: nameIn(head, done.link),
    at: done.at,
    level: done.level,
    measurement: done.measurement ?? null,
    bandwidthGbps: done.bandwidthGbps ?? null,
    expectedGbps: done.expectedGbps ?? null,
    percent: done.percent ?? null,
    latencyUs: done.latencyUs ?? null,
    slow: isSlow(done),
    siblingsGbps: done.siblingsGbps ?? null,
    route: done.route ?? null,
    reason: done.reason ?? "",
  }));
}

/** A sweep of the disk that does not run in this process. */
export function statusOf(listed: ListedSweep): SweepStatus {
  const { id, title, source, simulated, startedAt, lastAt, total, done, slow, failed, concurrency } = listed;
  const state = listed.runBy !== undefined ? "elsewhere" : listed.end === "open" ? "interrupted" : listed.end;
  return {
    ...{ id, title, source, simulated, startedAt, lastAt, state, total, done, slow, failed, concurrency },
    ...{ round: 0, rounds: 0, running: [], secondsLeft: null, error: null },
  };
}
