/**
 * What a sweep has done so far, on the disk: a line of JSON that says what it is, then one line for each link that is
 * finished. Only appended to, so that a crash costs at most the last line; a torn one is passed over.
 */
import { appendFile, mkdir, open, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { err, ok, type Result } from "../../shared/base/result.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import type { Measurement, MeasureOptions } from "../../shared/measure/types.ts";
import { fileError } from "../store/file-error.ts";

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
}

/** Keeps one sweep; each `add` is on the disk before it settles. */
export interface SweepJournal {
  readonly head: SweepHead;
  readonly done: ReadonlyMap<string, SweepDone>;
  add(done: SweepDone): Promise<Result<void, AppError>>;
}

const suffix = ".sweep.jsonl";

function folderOf(dataFolder: string): string {
  return join(dataFolder, "sweeps");
}

/** Begins a sweep's file. */
export async function beginSweep(dataFolder: string, head: SweepHead): Promise<Result<SweepJournal, AppError>> {
  const path = join(folderOf(dataFolder), `${head.id}${suffix}`);
  try {
    await mkdir(folderOf(dataFolder), { recursive: true });
    await appendFile(path, `${JSON.stringify(head)}\n`, { mode: 0o600 });
  } catch (cause) {
    return err(fileError(cause, path, "write"));
  }
  return ok(journal(path, head, new Map()));
}

function journal(path: string, head: SweepHead, done: Map<string, SweepDone>): SweepJournal {
  let queue: Promise<unknown> = Promise.resolve();
  return {
    head,
    done,
    add(entry) {
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
        done.set(entry.link, entry);
        return ok(undefined);
      });
      queue = written;
      return written;
    },
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

function isHead(value: unknown): value is SweepHead {
  return (
    isObject(value) &&
    value["format"] === "ibex-sweep" &&
    value["version"] === 1 &&
    typeof value["id"] === "string" &&
    typeof value["source"] === "string" &&
    typeof value["startedAt"] === "string" &&
    isObject(value["options"]) &&
    Array.isArray(value["links"]) &&
    value["links"].every((link) => typeof link === "string")
  );
}

function isDone(value: unknown): value is SweepDone {
  return (
    isObject(value) &&
    typeof value["link"] === "string" &&
    typeof value["level"] === "string" &&
    typeof value["at"] === "string" &&
    (value["bandwidthGbps"] === undefined || typeof value["bandwidthGbps"] === "number")
  );
}

/** What a file tells; undefined when it is no sweep. */
function readSweep(text: string): { readonly head: SweepHead; readonly done: Map<string, SweepDone> } | undefined {
  const [first, ...lines] = text.split("\n");
  const head = parseLine(first ?? "");
  if (!isHead(head)) return undefined;
  const done = new Map<string, SweepDone>();
  for (const line of lines) {
    const entry = line === "" ? undefined : parseLine(line);
    if (isDone(entry)) done.set(entry.link, entry);
  }
  return { head, done };
}

/** The newest sweep of this source, of these links and options, that is not finished; undefined when there is none. */
export async function findUnfinished(
  dataFolder: string,
  wanted: Pick<SweepHead, "source" | "options" | "links">,
): Promise<SweepJournal | undefined> {
  const folder = folderOf(dataFolder);
  const names = await readdir(folder).catch((): string[] => []);
  const key = keyOf(wanted);
  let newest: SweepJournal | undefined;
  for (const name of names.filter((file) => file.endsWith(suffix))) {
    const path = join(folder, name);
    const read = readSweep(await readFile(path, "utf8").catch(() => ""));
    if (read === undefined || keyOf(read.head) !== key) continue;
    if (read.head.links.every((link) => read.done.has(link))) continue;
    if (newest !== undefined && newest.head.startedAt >= read.head.startedAt) continue;
    newest = journal(path, read.head, read.done);
  }
  return newest;
}

function keyOf({ source, options, links }: Pick<SweepHead, "source" | "options" | "links">): string {
  const sorted = Object.entries(options).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([source, sorted, [...links].sort()]);
}
