/**
 * One program at a time runs a sweep: a file beside its journal names the process. One that is gone does not count, so a
 * crash locks nobody out.
 */
import { open, readFile, unlink } from "node:fs/promises";
import { hostname } from "node:os";
import { err, ok, type Result } from "../../shared/base/result.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { fileError } from "../store/file-error.ts";

interface Owner {
  readonly host: string;
  readonly pid: number;
  /** Start of the process in clock ticks since boot, where /proc tells: another process may get the same pid later. */
  readonly started: string;
}

/** Field 22 of /proc/PID/stat, counted behind the name, which may hold spaces; empty where there is no /proc. */
async function startOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return (
    stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .at(19) ?? ""
  );
}

function readOwner(text: string): Owner | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null) return undefined;
    const { host, pid, started } = value as Record<string, unknown>;
    return typeof host === "string" && typeof pid === "number" && typeof started === "string"
      ? { host, pid, started }
      : undefined;
  } catch {
    return undefined;
  }
}

async function isAlive({ host, pid, started }: Owner): Promise<boolean> {
  // The data folder may lie on a share: nothing is known of processes of another machine.
  if (host !== hostname()) return true;
  try {
    process.kill(pid, 0);
  } catch (cause) {
    if (!(cause instanceof Error && "code" in cause && cause.code === "EPERM")) return false;
  }
  return started === "" || (await startOf(pid)) === started;
}

/** The process that runs the sweep of this lock, when there is one: `process 4711 on mgmt-01`. */
export async function lockedBy(path: string): Promise<string | undefined> {
  const owner = readOwner(await readFile(path, "utf8").catch(() => ""));
  return owner !== undefined && (await isAlive(owner)) ? `process ${owner.pid} on ${owner.host}` : undefined;
}

/**
 * Takes the lock.
 *
 * @returns the function that gives it back; `busy` when a living process holds it.
 */
export async function takeLock(path: string): Promise<Result<() => Promise<void>, AppError>> {
  const owner: Owner = { host: hostname(), pid: process.pid, started: await startOf(process.pid) };
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      const file = await open(path, "wx", 0o600);
      try {
        await file.writeFile(JSON.stringify(owner));
      } finally {
        await file.close();
      }
      return ok(() => unlink(path).catch(() => undefined));
    } catch (cause) {
      const error = fileError(cause, path, "write");
      if (error.kind !== "file" || error.code !== "EEXIST") return err(error);
    }
    const holder = await lockedBy(path);
    if (holder !== undefined) return err({ kind: "busy", what: "This sweep", by: holder });
    await unlink(path).catch(() => undefined);
  }
  return err({ kind: "busy", what: "This sweep" });
}
