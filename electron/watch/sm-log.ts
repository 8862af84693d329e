/**
 * The log of changes of subnet managers: one JSON object a line, only ever appended to, as the history of measurements
 * is. Each record is one write with a line end before it as well, so that one after a torn one begins on its own line.
 */
import { open } from "node:fs/promises";
import { dirname } from "node:path";
import { err, ok, type Result } from "../../shared/base/result.ts";
import { managerLogLineSchema, type ManagerLogLine } from "../../shared/contract/manager-log.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { fileError } from "../store/file-error.ts";
import { makeFolder } from "../store/make-folder.ts";

const ownerOnly = 0o600;
/** Read from the end of the file: weeks of changes. */
const bytesRead = 4 * 1024 * 1024;

export interface ManagerLog {
  /** Settles when the line is on the disk; several calls go one after the other. */
  append(line: ManagerLogLine): Promise<Result<void, AppError>>;
  /** The newest lines, oldest first, and how many lines of what was read are none. */
  read(): Promise<Result<{ readonly lines: readonly ManagerLogLine[]; readonly damaged: number }, AppError>>;
}

/** The log at `path`; the file and its folder are made by the first append. */
export function managerLog(path: string): ManagerLog {
  let queue: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(action: () => Promise<T>): Promise<T> => {
    const result = queue.then(action);
    queue = result.catch(() => undefined);
    return result;
  };
  return {
    append: (line) => inTurn(() => append(path, line)),
    read: () => inTurn(() => read(path)),
  };
}

async function append(path: string, line: ManagerLogLine): Promise<Result<void, AppError>> {
  const record = Buffer.from(`\n${JSON.stringify(line)}\n`);
  try {
    makeFolder(dirname(path));
    const file = await open(path, "a", ownerOnly);
    try {
      const { bytesWritten } = await file.write(record, 0, record.length);
      if (bytesWritten < record.length) return err({ kind: "file", path, operation: "write", code: "ENOSPC" });
      await file.sync();
    } finally {
      await file.close();
    }
    return ok(undefined);
  } catch (cause) {
    return err(fileError(cause, path, "write"));
  }
}

async function read(
  path: string,
): Promise<Result<{ readonly lines: readonly ManagerLogLine[]; readonly damaged: number }, AppError>> {
  try {
    const file = await open(path, "r");
    try {
      const { size } = await file.stat();
      const from = Math.max(0, size - bytesRead);
      const bytes = Buffer.alloc(size - from);
      const { bytesRead: got } = await file.read(bytes, 0, bytes.length, from);
      return ok(parse(bytes.subarray(0, got).toString("utf8"), from > 0));
    } finally {
      await file.close();
    }
  } catch (cause) {
    const error = fileError(cause, path, "read");
    return error.kind === "file" && error.code === "ENOENT" ? ok({ lines: [], damaged: 0 }) : err(error);
  }
}

function parse(text: string, startsInside: boolean): { lines: ManagerLogLine[]; damaged: number } {
  const lines: ManagerLogLine[] = [];
  let damaged = 0;
  for (const [i, line] of text.split("\n").entries()) {
    if (line === "" || (i === 0 && startsInside)) continue;
    const read = parseLine(line);
    if (read === undefined) damaged += 1;
    else lines.push(read);
  }
  return { lines, damaged };
}

function parseLine(line: string): ManagerLogLine | undefined {
  try {
    const parsed = managerLogLineSchema.safeParse(JSON.parse(line));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
