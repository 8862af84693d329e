/** The forwarding tables of a capture, ready to be followed: read when somebody asks for routes. */
import { withFindings } from "../../shared/analyse/analyse.ts";
import { type LimitChanges, thresholdsOf } from "../../shared/analyse/limits.ts";
import { analyseRoutes } from "../../shared/analyse/routes/analyse-routes.ts";
import { routeNetwork, type RouteNetwork } from "../../shared/analyse/routes/network.ts";
import { interpretRoutes, routeFiles, type InterpretedRoutes } from "../../shared/build/interpret-routes.ts";
import type { Capture } from "../store/capture.ts";
import type { Understood } from "../threads/interpret-job.ts";
import { tableTexts } from "../threads/table-texts.ts";
import { rawTextsOf } from "./load.ts";

export interface CaptureRoutes {
  readonly network: RouteNetwork;
  readonly routes: InterpretedRoutes;
}

/** Reads the tables of a capture; undefined when it has none. O(bytes of the tables). */
export function captureRoutes(
  capture: Capture,
  { fabric, files }: Pick<Understood, "fabric" | "files">,
): CaptureRoutes | undefined {
  const names = routeFiles(files);
  if (names.length === 0) return undefined;
  const routes = interpretRoutes(
    tableTexts(
      rawTextsOf(capture).filter(({ file }) => names.includes(file)),
      () => undefined,
    ),
    fabric,
    capture.name,
  );
  return routes === undefined ? undefined : { network: routeNetwork(fabric, routes.lfts), routes };
}

/** A capture as it is understood, with what its forwarding tables say among the findings when it has some. `limits`: those that the user set. */
export function withRouteFindings(capture: Capture, understood: Understood, limits: LimitChanges): Understood {
  const network = captureRoutes(capture, understood)?.network;
  if (network === undefined) return understood;
  const { findings } = analyseRoutes(network, understood.analysis.topology, thresholdsOf(limits));
  return { ...understood, analysis: withFindings(understood.analysis, findings) };
}
