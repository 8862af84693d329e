/**
 * What a sweep has done so far, on the disk: a line of JSON that says what it is, then one line for each link that is
 * finished, and for each time that it ended early. Only appended to, so that a crash costs at most the last line; a torn
 * one is counted and passed over.
 */
import { appendFile, open, readdir, readFile, rm, unlink } from "node:fs/promises";
import { join } from "node:path";
import { err, ok, type Result } from "../../shared/base/result.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import type { Measurement, MeasureOptions, RouteProof } from "../../shared/measure/types.ts";
import { fileError } from "../store/file-error.ts";
import { takeLock } from "./lock-files.ts";

/** What a sweep is; a sweep of the same kind can go on where it stopped. */
export interface SweepHead {
  readonly format: "ibex-sweep";
  readonly version: 1;
  readonly id: string;
  readonly startedAt: string;
  /** Label of the source. */
  readonly source: string;
  readonly options: MeasureOptions;
  /** All links that it should measure. */
  readonly links: readonly string[];
  /** Their names, in the same order; absent in journals of older versions, as is all that follows. */
  readonly names?: readonly string[];
  /** `Host links of leaf-03`. */
  readonly title?: string;
  readonly simulated?: boolean;
  readonly concurrency?: number;
}

/** One link that is finished. */
export interface SweepDone {
  readonly link: string;
  readonly at: string;
  /** Id of the measurement in the history; absent when it could not be measured. */
  readonly measurement?: string;
  readonly level: Measurement["verdict"]["level"] | "not-measured";
  readonly bandwidthGbps?: number;
  readonly hops?: number;
  /** Why it could not be measured. */
  readonly reason?: string;
  readonly expectedGbps?: number;
  readonly percent?: number;
  readonly latencyUs?: number;
  readonly slow?: boolean;
  readonly siblingsGbps?: number;
  readonly route?: RouteProof["kind"];
}

/** How a run of it ended before the last link. */
interface SweepEnd {
  readonly ended: "cancelled" | "stopped";
  readonly at: string;
}

/** Keeps one sweep; each `add` is on the disk before it settles. */
export interface SweepJournal {
  readonly head: SweepHead;
  readonly done: ReadonlyMap<string, SweepDone>;
  /** Lines of an earlier run that could not be read. */
  readonly damaged: number;
  add(done: SweepDone): Promise<Result<void, AppError>>;
  /** Says why this run ends; the sweep can go on later. */
  end(how: SweepEnd["ended"], at: string): Promise<Result<void, AppError>>;
  /** Lets others run it. */
  close(): Promise<void>;
}

/** A journal as it was read. */
export interface SweepRecord {
  readonly head: SweepHead;
  readonly done: ReadonlyMap<string, SweepDone>;
  /** How its last run ended, when it said so and nothing came after. */
  readonly ended: SweepEnd["ended"] | undefined;
  /** Time of the last line. */
  readonly lastAt: string;
  /** Lines that could not be read. */
  readonly damaged: number;
}

/** A sweep that another computer runs is believed to have ended after this time: longer than any sweep takes. */
const longestMs = 7 * 86_400_000;

export const journalSuffix = ".sweep.jsonl";

/** Where the journals are. */
export function sweepFolder(dataFolder: string): string {
  return join(dataFolder, "sweeps");
}

function pathOf(dataFolder: string, id: string): string {
  return join(sweepFolder(dataFolder), `${id}${journalSuffix}`);
}

/** The lock of the journal at `path`. */
export function lockOf(path: string): string {
  return `${path}.lock`;
}

/** Below the pass line, or below its siblings; journals of older versions tell it by the verdict only. */
export function isSlow(done: SweepDone): boolean {
  return done.slow ?? (done.level === "slow" || done.level === "bad");
}

/** Links with an end, and of these the slow ones and those without a result; kept up line by line. */
export class SweepTally {
  done = 0;
  slow = 0;
  failed = 0;

  constructor(lines: Iterable<SweepDone>) {
    for (const line of lines) this.add(line);
  }

  /** Counts the line of a link that had no end before. */
  add(line: SweepDone): void {
    this.done += 1;
    if (isSlow(line)) this.slow += 1;
    if (line.level === "not-measured" || line.level === "failed") this.failed += 1;
  }
}

/** True when every link has its end. */
export function isFinished({ head, done }: Pick<SweepRecord, "head" | "done">): boolean {
  return head.links.every((link) => done.has(link));
}

/** Begins a sweep's file, and runs it from now on: nobody else can, from before its first line on. */
export async function beginSweep(dataFolder: string, head: SweepHead): Promise<Result<SweepJournal, AppError>> {
  const path = pathOf(dataFolder, head.id);
  const lock = await lockJournal(path);
  if (!lock.ok) return lock;
  try {
    await appendFile(path, `${JSON.stringify(head)}\n`, { mode: 0o600 });
  } catch (cause) {
    // One that never ran is no sweep to go on with: on a full disk its first line may be there, and no more.
    await rm(path, { force: true }).catch(() => undefined);
    await lock.value();
    return err(fileError(cause, path, "write"));
  }
  return ok(journal(path, head, new Map(), 0, lock.value));
}

function lockJournal(path: string): ReturnType<typeof takeLock> {
  return takeLock(lockOf(path), "This sweep", longestMs);
}

function journal(
  path: string,
  head: SweepHead,
  done: Map<string, SweepDone>,
  damaged: number,
  close: () => Promise<void>,
): SweepJournal {
  let queue: Promise<unknown> = Promise.resolve();
  const append = (entry: SweepDone | SweepEnd): Promise<Result<void, AppError>> => {
    const written = queue.then(async (): Promise<Result<void, AppError>> => {
      try {
        const file = await open(path, "a");
        try {
          // A line end before it too: a line after a torn one begins on its own.
          await file.appendFile(`\n${JSON.stringify(entry)}\n`);
          await file.sync();
        } finally {
          await file.close();
        }
      } catch (cause) {
        return err(fileError(cause, path, "write"));
      }
      return ok(undefined);
    });
    queue = written;
    return written;
  };
  return {
    head,
    done,
    damaged,
    async add(entry) {
      const written = await append(entry);
      if (written.ok) done.set(entry.link, entry);
      return written;
    },
    end: (ended, at) => append({ ended, at }),
    close,
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}

function areTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((text) => typeof text === "string");
}

function isHead(value: unknown): value is SweepHead {
  return (
    isObject(value) &&
    value["format"] === "ibex-sweep" &&
    value["version"] === 1 &&
    typeof value["id"] === "string" &&
    typeof value["source"] === "string" &&
    typeof value["startedAt"] === "string" &&
    isObject(value["options"]) &&
    areTexts(value["links"]) &&
    (value["names"] === undefined || areTexts(value["names"])) &&
    (value["title"] === undefined || typeof value["title"] === "string") &&
    (value["simulated"] === undefined || typeof value["simulated"] === "boolean") &&
    (value["concurrency"] === undefined || typeof value["concurrency"] === "number")
  );
}

const numbersOfDone = ["bandwidthGbps", "expectedGbps", "percent", "latencyUs", "siblingsGbps"] as const;

function isDone(value: unknown): value is SweepDone {
  return (
    isObject(value) &&
    typeof value["link"] === "string" &&
    typeof value["level"] === "string" &&
    typeof value["at"] === "string" &&
    numbersOfDone.every((name) => value[name] === undefined || typeof value[name] === "number")
  );
}

function isEnd(value: unknown): value is SweepEnd {
  return isObject(value) && (value["ended"] === "cancelled" || value["ended"] === "stopped");
}

/** What a journal tells; undefined when it is no sweep. */
export function readSweep(text: string): (SweepRecord & { readonly done: Map<string, SweepDone> }) | undefined {
  const [first, ...lines] = text.split("\n");
  const head = parseLine(first ?? "");
  if (!isHead(head)) return undefined;
  const done = new Map<string, SweepDone>();
  let ended: SweepEnd["ended"] | undefined;
  let lastAt = head.startedAt;
  let damaged = 0;
  for (const line of lines) {
    if (line === "") continue;
    const entry = parseLine(line);
    if (isDone(entry)) {
      done.set(entry.link, entry);
      ended = undefined;
      lastAt = entry.at;
    } else if (isEnd(entry)) {
      ended = entry.ended;
      lastAt = entry.at;
    } else damaged += 1;
  }
  return { head, done, ended, lastAt, damaged };
}

async function exists(dataFolder: string, id: string): Promise<boolean> {
  // The id comes from the window: it names a file of this folder only when it is one that is there.
  const names = await readdir(sweepFolder(dataFolder)).catch((): string[] => []);
  return names.includes(`${id}${journalSuffix}`);
}

/** The journal under the name of `id`. That is its id: what stands in a copy that somebody has made is the other one's. */
async function readJournal(dataFolder: string, id: string): Promise<ReturnType<typeof readSweep>> {
  const read = readSweep(await readFile(pathOf(dataFolder, id), "utf8").catch(() => ""));
  return read === undefined ? undefined : { ...read, head: { ...read.head, id } };
}

/** One sweep of the disk; undefined when there is none of that id. */
export async function readSweepRecord(dataFolder: string, id: string): Promise<SweepRecord | undefined> {
  return (await exists(dataFolder, id)) ? readJournal(dataFolder, id) : undefined;
}

/** Takes up a sweep of the disk again. `unknown-id` when there is none, `busy` while another program runs it. */
export async function continueSweep(dataFolder: string, id: string): Promise<Result<SweepJournal, AppError>> {
  const unknown = err({ kind: "unknown-id", what: "sweep", id } as const);
  if (!(await exists(dataFolder, id))) return unknown;
  const path = pathOf(dataFolder, id);
  const lock = await lockJournal(path);
  if (!lock.ok) return lock;
  // Read under the lock: somebody may have gone on with it, or removed it, just before.
  const read = await readJournal(dataFolder, id);
  if (read !== undefined) return ok(journal(path, read.head, new Map(read.done), read.damaged, lock.value));
  await lock.value();
  return unknown;
}

/** Removes a sweep that nobody runs; its measurements stay in the history. */
export async function discardSweep(dataFolder: string, id: string): Promise<Result<void, AppError>> {
  if (!(await exists(dataFolder, id))) return err({ kind: "unknown-id", what: "sweep", id });
  const path = pathOf(dataFolder, id);
  const lock = await lockJournal(path);
  if (!lock.ok) return lock;
  try {
    await unlink(path);
    return ok(undefined);
  } catch (cause) {
    return err(fileError(cause, path, "write"));
  } finally {
    await lock.value();
  }
}
