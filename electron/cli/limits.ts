/** Limits of the rules for the command line: a file that is named, or the window's settings. */
import type { LimitChanges } from "../../shared/analyse/limits.ts";
import { err, ok, type Result } from "../../shared/base/result.ts";
import { readLimitChanges } from "../../shared/contract/limits.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { readSmallText } from "../store/json-file.ts";
import { openSettings } from "../store/settings.ts";
import { directEngineWith, type Engine } from "../threads/engine.ts";
import { dataFolder } from "./environment.ts";
import type { Options } from "./options.ts";

/** `--thresholds FILE` is JSON: `{ "SymbolErrorCounter": { "warn": 1, "error": 20 } }`. */
export async function readLimits(options: Options): Promise<Result<LimitChanges, AppError>> {
  const path = options.text("thresholds");
  if (path === undefined) return ok((await openSettings(dataFolder())).get().limits);
  const text = await readSmallText(path);
  if (!text.ok) return text;
  const read = readLimitChanges(text.value);
  if (read.ok) return read;
  // The words around the detail end the sentence.
  return err({ kind: "bad-request", detail: `${path}: ${read.error.join(" ").replace(/\.$/, "")}` });
}

/** Understands captures by these limits; without `--thresholds` by those of the settings, as the window does. */
export async function readEngine(options: Options): Promise<Result<Engine, AppError>> {
  const limits = await readLimits(options);
  return limits.ok ? ok(directEngineWith(limits.value)) : limits;
}
