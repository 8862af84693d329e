import { createReadStream } from "node:fs";
import { copyFile } from "node:fs/promises";
import writeFileAtomic from "write-file-atomic";
import { err, ok, type Result } from "../../shared/base/result.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { fileError } from "./file-error.ts";

/** Largest file of the data folder or of options that is read, in bytes; those of Ibex stay far below. */
const largestBytes = 32 * 1024 * 1024;

/**
 * A small text that somebody wrote by hand, or Ibex itself; a byte order mark is dropped.
 *
 * @returns `file` or `too-large` when it cannot be read; also of a device or pipe no more than the limit is read.
 */
export async function readSmallText(path: string): Promise<Result<string, AppError>> {
  try {
    const pieces: Buffer[] = [];
    let bytes = 0;
    for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > largestBytes) return err({ kind: "too-large", path, bytes, limitBytes: largestBytes });
      pieces.push(piece);
    }
    return ok(
      Buffer.concat(pieces)
        .toString("utf8")
        .replace(/^\ufeff/, ""),
    );
  } catch (cause) {
    return err(fileError(cause, path, "read"));
  }
}

/**
 * What a file of the data folder holds, as `read` understands it; undefined when there is none. One that is damaged, or
 * of another version, is undefined too, and copied to `<path>.damaged`: the next write takes its place, and what a
 * person put into it is not lost.
 */
export async function readStored<T>(
  path: string,
  schema: { safeParse(value: unknown): { readonly success: true; readonly data: T } | { readonly success: false } },
): Promise<T | undefined> {
  const text = await readSmallText(path);
  if (!text.ok && text.error.kind === "file" && text.error.code === "ENOENT") return undefined;
  if (text.ok) {
    const read = schema.safeParse(parsed(text.value));
    if (read.success) return read.data;
  }
  // Where no copy can be made, on a full disk or in the place of a folder, nothing can be written over it either.
  await copyFile(path, `${path}.damaged`).catch(() => undefined);
  return undefined;
}

/** Undefined, which no schema takes, for what is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Writes a JSON file atomically: the old one stays whole until the new one is. */
export async function writeJson(path: string, value: unknown): Promise<Result<void, AppError>> {
  try {
    await writeFileAtomic(path, `${JSON.stringify(value, undefined, 2)}\n`, { fsync: true });
    return ok(undefined);
  } catch (cause) {
    return err(fileError(cause, path, "write"));
  }
}
