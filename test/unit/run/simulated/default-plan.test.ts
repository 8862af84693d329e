import { describe, expect, it } from "vitest";
import { assert } from "../../../../shared/base/assert.ts";
import { printIbnetdiscover } from "../../../../electron/run/simulated/discover-text.ts";
import type { SimulatedFabric } from "../../../../electron/run/simulated/fabric.ts";
import { createSimulatedFabric } from "../../../../electron/run/simulated/catalogue.ts";
import { printIblinkinfo } from "../../../../electron/run/simulated/linkinfo-text.ts";
import { printSminfo } from "../../../../electron/run/simulated/manager-text.ts";
import { analyse } from "../../../../shared/analyse/analyse.ts";
import { buildFabric } from "../../../../shared/build/build-fabric.ts";
import { findLink } from "../../../../shared/fabric/access.ts";
import { planMeasurement } from "../../../../shared/measure/plan.ts";
import { defaultMeasureOptions } from "../../../../shared/measure/types.ts";
import { parseIblinkinfo } from "../../../../shared/parse/iblinkinfo.ts";
import { parseIbnetdiscover } from "../../../../shared/parse/ibnetdiscover.ts";
import { parseSminfo } from "../../../../shared/parse/sminfo.ts";

/** Collects a simulated fabric as Ibex does, plans the measurement of each fault's link, and follows the true route. */
function crossedByDefault(simulated: SimulatedFabric): string[] {
  const origin = simulated.origin.adapters[0];
  const manager = simulated.topology.managers[0];
  assert(origin !== undefined && manager !== undefined, "the fabric has management");
  const { fabric } = buildFabric({
    discover: { file: "d", records: parseIbnetdiscover(printIbnetdiscover(origin, 0), { file: "d" }).records },
    linkinfo: { file: "l", records: parseIblinkinfo(printIblinkinfo(origin, true), { file: "l" }).records },
    sminfo: [{ file: "s", records: parseSminfo(printSminfo(manager, 0), { file: "s" }).records }],
  });
  const analysis = analyse(fabric);
  const input = { fabricId: "f", planId: "p", options: defaultMeasureOptions, simulated: true };
  const portOf = (host: string) => simulated.machines.get(host)?.adapters[0]?.ports[1];
  return simulated.faults.flatMap(({ kind, port }) => {
    const ends = [port, port?.cable].filter((end) => end !== undefined);
    const ids = ends.map((end) => findLink(fabric, `0x${end.node.guid}:${String(end.number)}`));
    const link = ids.find((index) => index !== undefined);
    if (link === undefined) return [];
    const plan = planMeasurement(fabric, analysis, { ...input, link });
    if (!plan.ok) return [];
    const client = portOf(plan.value.client.host);
    const server = portOf(plan.value.server.host);
    assert(client !== undefined && server !== undefined, "the plan names hosts of the fabric");
    const path = simulated.routes.path(client, server) ?? [];
    return path.some((hop) => ends.includes(hop)) ? [kind] : [];
  });
}

describe("the default measurement of a faulty link", () => {
  // Plans go by shortest paths and cannot know the routes. The faults are planted (catalogue.ts) where both agree, so
  // that who clicks on one sees it in the result; when plans choose other hosts, plant them anew.
  it.each(["fat-tree", "fat-tree-small"])("really crosses it: %s", (name) => {
    const simulated = createSimulatedFabric(name);
    assert(simulated !== undefined, "the catalogue has this fabric");
    expect(crossedByDefault(simulated)).toEqual(["narrow", "slow", "weak", "errors"]);
  });
});
