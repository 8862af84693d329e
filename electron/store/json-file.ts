import { readFile } from "node:fs/promises";
import writeFileAtomic from "write-file-atomic";
import { err, ok, type Result } from "../../shared/base/result.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { fileError } from "./file-error.ts";

/** Content of a JSON file; undefined when it does not exist or is no JSON (then it is kept aside by the next write). */
export async function readJson(path: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch {
    return undefined;
  }
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
