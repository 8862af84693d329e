/** Everything that Ibex says about the forwarding tables of a fabric. Pure. */
import { creditLoopFindings, forwardingLoops } from "../rules/route-loops.ts";
import { lostPackets } from "../rules/lost-packets.ts";
import { unbalancedRoutes } from "../rules/unbalanced-routes.ts";
import type { Finding, Topology } from "../results.ts";
import type { Thresholds } from "../thresholds.ts";
import { type CreditLoop, findCreditLoops } from "./credit-loops.ts";
import { lostPlaces } from "./lost-places.ts";
import { betweenAdapters, type RouteNetwork } from "./network.ts";
import { type RouteSummary, summariseRoutes } from "./summary.ts";

export interface RouteAnalysis {
  readonly summary: RouteSummary;
  /** Over the base LIDs, by what adapters send to adapters. */
  readonly creditLoops: readonly CreditLoop[];
  /** Worst first. */
  readonly findings: readonly Finding[];
}

/** O(LIDs × switches + ports). */
export function analyseRoutes(network: RouteNetwork, topology: Topology, thresholds: Thresholds): RouteAnalysis {
  const summary = summariseRoutes(network);
  const adapters = betweenAdapters(network);
  const creditLoops = findCreditLoops(adapters);
  const places = summary.unreachable > 0 ? lostPlaces(adapters) : [];
  const input = { network, topology, summary, creditLoops, places, thresholds };
  return {
    summary,
    creditLoops,
    findings: [
      ...lostPackets(input),
      ...forwardingLoops(input),
      ...creditLoopFindings(input),
      ...unbalancedRoutes(input),
    ],
  };
}
