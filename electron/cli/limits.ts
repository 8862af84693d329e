/** Limits of the rules for the command line: a file that is named, or the window's settings. */
import { readFile } from "node:fs/promises";
import type { LimitChanges } from "../../shared/analyse/limits.ts";
import { err, ok, type Result } from "../../shared/base/result.ts";
import { readLimitChanges } from "../../shared/contract/limits.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { fileError } from "../store/file-error.ts";
import { openSettings } from "../store/settings.ts";
import { dataFolder } from "./environment.ts";
import type { Options } from "./options.ts";

/** `--thresholds FILE` is JSON: `{ "SymbolErrorCounter": { "warn": 1, "error": 20 } }`. */
export async function readLimits(options: Options): Promise<Result<LimitChanges, AppError>> {
  const path = options.text("thresholds");
  if (path === undefined) return ok((await openSettings(dataFolder())).get().limits);
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (cause) {
    return err(fileError(cause, path, "read"));
  }
  const read = readLimitChanges(text);
  if (read.ok) return read;
  // The words around the detail end the sentence.
  return err({ kind: "bad-request", detail: `${path}: ${read.error.join(" ").replace(/\.$/, "")}` });
}
