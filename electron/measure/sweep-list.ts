/**
 * The sweeps of the disk without reading their journals each time: what each came to stands in `index.json` beside them,
 * with the size and time of the journal that it was read from. A journal that has changed since is read again, and so are
 * all when the index is missing or damaged: the journals are the truth.
 */
import { createHash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { ok, type Result } from "../../shared/base/result.ts";
import {
  type SweepIndexEntry,
  sweepIndexEntrySchema,
  sweepIndexSchema,
  sweepIndexVersion,
  type SweepSummary,
} from "../../shared/contract/sweeps.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { writeJson } from "../store/json-file.ts";
import { lockHolder } from "./lock-files.ts";
import {
  continueSweep,
  discardSweep,
  isFinished,
  journalSuffix,
  lockOf,
  readSweep,
  sweepFolder,
  type SweepHead,
  type SweepJournal,
  type SweepRecord,
  SweepTally,
} from "./sweep-state.ts";

/** A summary with the living process that runs the sweep, when there is one. */
export interface ListedSweep extends SweepSummary {
  readonly runBy: string | undefined;
}

/** Journals are kept this long after their last line: of finished sweeps, and of those that could still go on. */
const sweepDaysKept = { finished: 30, unfinished: 90 } as const;

const indexName = "index.json";
const lockSuffix = lockOf("");

/** What the list says of a sweep. */
export function summariseSweep(record: SweepRecord): SweepSummary {
  const { head, done, ended, lastAt } = record;
  const { done: ends, slow, failed } = new SweepTally(done.values());
  return {
    id: head.id,
    title: head.title ?? `${head.links.length} links`,
    source: head.source,
    simulated: head.simulated === true,
    startedAt: head.startedAt,
    lastAt,
    end: isFinished(record) ? "finished" : (ended ?? "open"),
    total: head.links.length,
    ...{ done: ends, slow, failed },
    concurrency: head.concurrency ?? 0,
    key: keyOf(head),
  };
}

function keyOf({ source, options, links }: Pick<SweepHead, "source" | "options" | "links">): string {
  const sorted = Object.entries(options).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256")
    .update(JSON.stringify([source, sorted, [...links].sort()]))
    .digest("hex");
}

/** The id of a sweep is the name of its journal, whatever stands in it: somebody may have made a copy. */
function idOf(name: string): string {
  return name.slice(0, -journalSuffix.length);
}

/** By the journal's file name; what cannot be used is left out, and read anew. */
async function readIndex(folder: string): Promise<Map<string, SweepIndexEntry>> {
  const entries = new Map<string, SweepIndexEntry>();
  try {
    const index = sweepIndexSchema.safeParse(JSON.parse(await readFile(join(folder, indexName), "utf8")));
    // Damaged: the journals tell.
    if (!index.success) return entries;
    for (const [name, value] of Object.entries(index.data.journals)) {
      const { data: entry } = sweepIndexEntrySchema.safeParse(value);
      if (entry === undefined) continue;
      if (entry.summary === null || entry.summary.id === idOf(name)) entries.set(name, entry);
    }
  } catch {
    // Missing, or no JSON: the journals tell.
  }
  return entries;
}

/**
 * All sweeps of the disk, newest first.
 *
 * @param except ids of sweeps that are known already, as they run in this process; their journals grow all the time
 */
export async function listSweeps(
  dataFolder: string,
  except: ReadonlySet<string> = new Set(),
): Promise<readonly ListedSweep[]> {
  const folder = sweepFolder(dataFolder);
  const names = await readdir(folder).catch((): string[] => []);
  const present = new Set(names);
  const journals = names.filter((name) => name.endsWith(journalSuffix));
  const states = await Promise.all(journals.map((name) => stat(join(folder, name)).catch(() => undefined)));
  const index = await readIndex(folder);
  let changed = [...index.keys()].some((name) => !present.has(name));
  const next: Record<string, SweepIndexEntry> = {};
  const found: ListedSweep[] = [];
  for (const [place, name] of journals.entries()) {
    const known = index.get(name);
    const state = states[place];
    if (state === undefined) continue;
    if (except.has(idOf(name))) {
      if (known !== undefined) next[name] = known;
      continue;
    }
    const path = join(folder, name);
    let entry = known;
    if (entry?.bytes !== state.size || entry.changedMs !== state.mtimeMs) {
      // One after the other: a journal of a large fabric is many megabytes.
      const record = readSweep(await readFile(path, "utf8").catch(() => ""));
      const summary = record === undefined ? null : { ...summariseSweep(record), id: idOf(name) };
      entry = { bytes: state.size, changedMs: state.mtimeMs, summary };
      changed = true;
    }
    next[name] = entry;
    if (entry.summary === null) continue;
    const runBy = present.has(`${name}${lockSuffix}`) ? await lockHolder(lockOf(path)) : undefined;
    found.push({ ...entry.summary, runBy });
  }
  // Without it the next list takes longer, and that is all.
  if (changed) await writeJson(join(folder, indexName), { version: sweepIndexVersion, journals: next });
  return found.sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1));
}

/** The living process that runs this sweep; undefined when none does. */
export function sweepRunBy(dataFolder: string, id: string): Promise<string | undefined> {
  return lockHolder(lockOf(join(sweepFolder(dataFolder), `${id}${journalSuffix}`)));
}

/** Removes journals that are older than {@link sweepDaysKept}. The results stay in the history. Answers with how many. */
export async function cleanSweeps(dataFolder: string, now: number): Promise<number> {
  let removed = 0;
  for (const { id, end, lastAt, runBy } of await listSweeps(dataFolder)) {
    const days = end === "finished" ? sweepDaysKept.finished : sweepDaysKept.unfinished;
    const last = Date.parse(lastAt);
    if (runBy !== undefined || !Number.isFinite(last) || now - last < days * 86_400_000) continue;
    if ((await discardSweep(dataFolder, id)).ok) removed += 1;
  }
  return removed;
}

/**
 * The newest sweep of this source, of these links and options, that is not finished; undefined when there is none.
 *
 * @returns `busy` while another program runs it.
 */
export async function findUnfinished(
  dataFolder: string,
  wanted: Pick<SweepHead, "source" | "options" | "links">,
): Promise<Result<SweepJournal | undefined, AppError>> {
  const key = keyOf(wanted);
  const newest = (await listSweeps(dataFolder)).find((sweep) => sweep.key === key && sweep.end !== "finished");
  return newest === undefined ? ok(undefined) : continueSweep(dataFolder, newest.id);
}
