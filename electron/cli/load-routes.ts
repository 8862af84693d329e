/** A capture with its topology and its forwarding tables, for the commands that follow routes. */
import { err, ok, type Result } from "../../shared/base/result.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { captureRoutes, type CaptureRoutes } from "../session/capture-routes.ts";
import { understandCapture } from "../session/load.ts";
import type { Capture } from "../store/capture.ts";
import { openPaths } from "../store/open-paths.ts";
import { directEngine } from "../threads/engine.ts";

export interface LoadedRoutes extends CaptureRoutes {
  readonly capture: Capture;
}

/** Opens paths and reads what routes need. */
export async function loadRoutes(paths: readonly string[]): Promise<Result<LoadedRoutes, AppError>> {
  const capture = await openPaths(paths);
  if (!capture.ok) return capture;
  const loaded = await understandCapture(capture.value, directEngine, new AbortController().signal);
  if (!loaded.ok) return loaded;
  const read = captureRoutes(capture.value, loaded.value.understood);
  if (read === undefined) {
    return err({
      kind: "unsupported",
      what: "Following routes",
      detail: `${capture.value.name} has no forwarding tables. Collect it with --routes, or add an output of dump_fts or ibroute, or opensm-lfts.dump or opensm.fdbs of the subnet manager.`,
    });
  }
  return ok({ capture: capture.value, ...read });
}
