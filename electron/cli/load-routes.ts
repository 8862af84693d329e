/** A capture with its topology and its forwarding tables, for the commands that follow routes. */
import { routeNetwork, type RouteNetwork } from "../../shared/analyse/routes/network.ts";
import { err, ok, type Result } from "../../shared/base/result.ts";
import { interpretRoutes, routeFiles, type InterpretedRoutes } from "../../shared/build/interpret-routes.ts";
import type { InputText } from "../../shared/build/interpret.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { understandCapture } from "../session/load.ts";
import type { Capture } from "../store/capture.ts";
import { openPaths } from "../store/open-paths.ts";
import { decodeOutput } from "../work/decode.ts";
import { directEngine } from "../work/engine.ts";

export interface LoadedRoutes {
  readonly capture: Capture;
  readonly network: RouteNetwork;
  readonly routes: InterpretedRoutes;
}

/** Decodes the outputs one by one, so that only one text is held at a time. */
function* textsOf(capture: Capture, names: readonly string[]): Generator<InputText> {
  const wanted = new Set(names);
  for (const { name, stdout } of capture.outputs) {
    if (wanted.has(name)) yield { file: name, text: decodeOutput(stdout), bytes: stdout.length };
  }
}

/** Opens paths and reads what routes need. */
export async function loadRoutes(paths: readonly string[]): Promise<Result<LoadedRoutes, AppError>> {
  const capture = await openPaths(paths);
  if (!capture.ok) return capture;
  const loaded = await understandCapture(capture.value, directEngine, new AbortController().signal);
  if (!loaded.ok) return loaded;
  const { fabric, files } = loaded.value.understood;
  const routes = interpretRoutes(textsOf(capture.value, routeFiles(files)), fabric, capture.value.name);
  if (routes === undefined) {
    return err({
      kind: "unsupported",
      what: "Following routes",
      detail: `${capture.value.name} has no forwarding tables. Add an output of dump_fts or ibroute, or opensm-lfts.dump or opensm.fdbs of the subnet manager.`,
    });
  }
  return ok({ capture: capture.value, network: routeNetwork(fabric, routes.lfts), routes });
}
