/**
 * Locks that programs on one data folder see of each other: one small file a thing, with who holds it. A file whose
 * process is gone is stale and taken over; a computer that shares the folder over the network is believed until the time
 * that it has promised.
 */
import { randomUUID } from "node:crypto";
import { link, readFile, rm, stat, unlink, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { err, ok, type Result } from "../../shared/base/result.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { makeFolder } from "../store/make-folder.ts";

/** What stands in a lock file. */
interface Holder {
  readonly machine: string;
  readonly pid: number;
  /** Start of the process as the kernel counts it, empty where it does not tell: a pid alone is given out again. */
  readonly started: string;
  readonly since: string;
  /** ISO time by which it has surely ended. */
  readonly until: string;
  /** Names the taking, so that only it is given back. */
  readonly token: string;
}

/** Longer than any look into a file and its removal take. */
const breakingMs = 10_000;
const tries = 5;

function isHolder(value: unknown): value is Holder {
  if (typeof value !== "object" || value === null) return false;
  const texts = ["machine", "started", "since", "until", "token"].every(
    (key) => typeof Reflect.get(value, key) === "string",
  );
  const pid: unknown = Reflect.get(value, "pid");
  // 0 and less would name groups of processes, and such are always there.
  return texts && typeof pid === "number" && Number.isSafeInteger(pid) && pid > 0;
}

function codeOf(cause: unknown): string {
  const code: unknown = typeof cause === "object" && cause !== null ? Reflect.get(cause, "code") : undefined;
  return typeof code === "string" ? code : String(cause);
}

/** Field 22 of /proc/PID/stat: when the process was started, in ticks since boot. Empty without /proc; undefined when it is gone. */
async function startOf(pid: number): Promise<string | undefined> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, "utf8");
    const [state = "", ...rest] = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return state === "Z" || state === "X" ? undefined : (rest[18] ?? "");
  } catch {
    try {
      process.kill(pid, 0);
      return "";
    } catch (cause) {
      // Not ours, but there.
      return codeOf(cause) === "EPERM" ? "" : undefined;
    }
  }
}

async function isStale(holder: Holder): Promise<boolean> {
  // What is no time promises nothing.
  if (holder.machine !== hostname()) return !(Date.now() <= Date.parse(holder.until));
  const started = await startOf(holder.pid);
  return started === undefined || (started !== "" && holder.started !== "" && started !== holder.started);
}

function describe({ machine, pid, since }: Holder): string {
  const here = machine === hostname();
  const who = here && pid === process.pid ? "this Ibex" : `another Ibex${here ? "" : ` on ${machine}`}`;
  return `${who}, process ${pid}, since ${since.slice(11, 16)} UTC`;
}

/**
 * Takes the lock file at `path`; its folder is made when there is none.
 *
 * @param name the thing, for people
 * @param forMs after this the lock is void even for those who cannot look at our process
 * @returns how to give it back; `busy` with who holds it; `file` when it cannot be written
 */
export async function takeLock(
  path: string,
  name: string,
  forMs: number,
): Promise<Result<() => Promise<void>, AppError>> {
  const token = randomUUID();
  const draft = `${path}.${token}`;
  const now = Date.now();
  const holder: Holder = {
    machine: hostname(),
    pid: process.pid,
    started: (await startOf(process.pid)) ?? "",
    since: new Date(now).toISOString(),
    until: new Date(now + forMs).toISOString(),
    token,
  };
  try {
    makeFolder(dirname(path));
    await writeFile(draft, `${JSON.stringify({ ...holder, what: name })}\n`, { mode: 0o600 });
    for (let attempt = 1; attempt <= tries; attempt += 1) {
      if (await place(draft, path)) return ok(() => give(path, token));
      const other = await read(path);
      if (other === "gone") continue;
      if (other !== undefined && !(await isStale(other))) return err({ kind: "busy", what: name, by: describe(other) });
      await breakLock(path);
    }
    return err({ kind: "busy", what: name, by: "another Ibex that starts right now" });
  } catch (cause) {
    return err({ kind: "file", path, operation: "write", code: codeOf(cause) });
  } finally {
    await rm(draft, { force: true }).catch(() => undefined);
  }
}

/** Who holds the lock file at `path`; undefined when nobody does, or only one that is gone. */
export async function lockHolder(path: string): Promise<string | undefined> {
  const holder = await read(path).catch(() => undefined);
  return holder === undefined || holder === "gone" || (await isStale(holder)) ? undefined : describe(holder);
}

/** A link comes into being whole or not at all; file systems without links get the file itself. */
async function place(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path);
    return true;
  } catch (cause) {
    if (codeOf(cause) === "EEXIST") return false;
  }
  try {
    await writeFile(path, await readFile(draft), { flag: "wx", mode: 0o600 });
    return true;
  } catch (cause) {
    if (codeOf(cause) === "EEXIST") return false;
    throw cause;
  }
}

/** Undefined: nobody can be read from it. */
async function read(path: string): Promise<Holder | "gone" | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (cause) {
    if (codeOf(cause) === "ENOENT") return "gone";
    throw cause;
  }
  try {
    const value: unknown = JSON.parse(text);
    return isHolder(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Removes a stale file; one program at a time looks once more and removes, lest it takes the file of a new holder. */
async function breakLock(path: string): Promise<void> {
  const guard = `${path}.breaking`;
  try {
    await writeFile(guard, "", { flag: "wx" });
  } catch (cause) {
    if (codeOf(cause) !== "EEXIST") throw cause;
    const age = await stat(guard).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    // Left by one that died over it; one of the future, before the clock was set back.
    if (Math.abs(age) > breakingMs) await rm(guard, { force: true });
    return;
  }
  try {
    const holder = await read(path);
    if (holder !== "gone" && (holder === undefined || (await isStale(holder)))) await unlink(path);
  } finally {
    await rm(guard, { force: true });
  }
}

async function give(path: string, token: string): Promise<void> {
  try {
    const holder = await read(path);
    if (holder !== "gone" && holder?.token === token) await unlink(path);
  } catch {
    // It is stale as soon as this process ends.
  }
}
