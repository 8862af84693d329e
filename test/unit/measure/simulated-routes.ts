import { printDumpFts } from "../../../electron/run/simulated/forwarding-text.ts";
import { createSimulatedFabric } from "../../../electron/run/simulated/catalogue.ts";
import type { SimulatedFabric } from "../../../electron/run/simulated/fabric.ts";
import { routeNetwork, type RouteNetwork } from "../../../shared/analyse/routes/network.ts";
import { assert } from "../../../shared/base/assert.ts";
import { interpretRoutes } from "../../../shared/build/interpret-routes.ts";
import { printed } from "./fabrics.ts";

/** A simulated fabric with its tables, as dump_fts tells them. */
export function simulatedRoutes(name: string): { readonly simulated: SimulatedFabric; readonly network: RouteNetwork } {
  const simulated = createSimulatedFabric(name);
  const origin = simulated?.origin.adapters[0];
  assert(simulated !== undefined && origin !== undefined, `there is a simulated fabric ${name}`);
  const fabric = printed(simulated.topology, origin);
  const text = printDumpFts(origin, simulated.routes, true);
  const routes = interpretRoutes([{ file: "dump_fts.txt", text, bytes: text.length }], fabric, "texts");
  assert(routes !== undefined, "there are tables");
  assert(routes.diagnostics.length === 0, JSON.stringify(routes.diagnostics));
  return { simulated, network: routeNetwork(fabric, routes.lfts) };
}
