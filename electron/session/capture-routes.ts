/** The forwarding tables of a capture, ready to be followed: read when somebody asks for routes. */
import { withFindings } from "../../shared/analyse/analyse.ts";
import { analyseRoutes } from "../../shared/analyse/routes/analyse-routes.ts";
import { routeNetwork, type RouteNetwork } from "../../shared/analyse/routes/network.ts";
import { interpretRoutes, routeFiles, type InterpretedRoutes } from "../../shared/build/interpret-routes.ts";
import type { InputText } from "../../shared/build/interpret.ts";
import type { Capture } from "../store/capture.ts";
import { decodeOutput } from "../work/decode.ts";
import type { Understood } from "../work/interpret-job.ts";

export interface CaptureRoutes {
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

/** Reads the tables of a capture; undefined when it has none. O(bytes of the tables). */
export function captureRoutes(
  capture: Capture,
  { fabric, files }: Pick<Understood, "fabric" | "files">,
): CaptureRoutes | undefined {
  const names = routeFiles(files);
  if (names.length === 0) return undefined;
  const routes = interpretRoutes(textsOf(capture, names), fabric, capture.name);
  return routes === undefined ? undefined : { network: routeNetwork(fabric, routes.lfts), routes };
}

/** A capture as it is understood, with what its forwarding tables say among the findings when it has some. */
export function withRouteFindings(capture: Capture, understood: Understood): Understood {
  const network = captureRoutes(capture, understood)?.network;
  if (network === undefined) return understood;
  const { findings } = analyseRoutes(network, understood.analysis.topology);
  return { ...understood, analysis: withFindings(understood.analysis, findings) };
}
