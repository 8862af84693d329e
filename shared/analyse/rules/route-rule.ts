import type { CreditLoop } from "../routes/credit-loops.ts";
import type { LostPlace } from "../routes/lost-places.ts";
import type { RouteNetwork } from "../routes/network.ts";
import type { RouteSummary } from "../routes/summary.ts";
import type { Topology } from "../results.ts";
import type { Thresholds } from "../thresholds.ts";

/** What every rule about routes may look at. */
export interface RouteRuleInput {
  readonly network: RouteNetwork;
  readonly topology: Topology;
  readonly summary: RouteSummary;
  readonly places: readonly LostPlace[];
  readonly creditLoops: readonly CreditLoop[];
  readonly thresholds: Thresholds;
}
