/** Small fabrics for planning, printed and parsed the way real ones arrive. */
import { printIbnetdiscover } from "../../../electron/run/simulated/discover-text.ts";
import { printIblinkinfo } from "../../../electron/run/simulated/linkinfo-text.ts";
import { printSminfo } from "../../../electron/run/simulated/manager-text.ts";
import type { SimulatedTopology } from "../../../electron/run/simulated/model.ts";
import { assignLids, type SimulatedNode } from "../../../electron/run/simulated/model.ts";
import { type Health, healths } from "../../../shared/analyse/results.ts";
import { assert } from "../../../shared/base/assert.ts";
import { buildFabric } from "../../../shared/build/build-fabric.ts";
import { findLink, nodeGuid, nodeName } from "../../../shared/fabric/access.ts";
import type { HealthColumns } from "../../../shared/measure/endpoints.ts";
import type { Fabric } from "../../../shared/fabric/model.ts";
import { parseIblinkinfo } from "../../../shared/parse/iblinkinfo.ts";
import { parseIbnetdiscover } from "../../../shared/parse/ibnetdiscover.ts";
import { parseSminfo } from "../../../shared/parse/sminfo.ts";

/** A topology as the tools would print it from `origin`, collected and built. */
export function collected(topology: SimulatedTopology, origin: SimulatedNode): Fabric {
  assignLids(origin);
  return printed(topology, origin);
}

/** As {@link collected}, with the LIDs that the topology already has. */
export function printed(topology: SimulatedTopology, origin: SimulatedNode): Fabric {
  const discover = parseIbnetdiscover(printIbnetdiscover(origin, 0), { file: "ibnetdiscover" });
  const linkinfo = parseIblinkinfo(printIblinkinfo(origin, false), { file: "iblinkinfo" });
  const managers = topology.managers.map((manager, index) => {
    const file = `sminfo-${String(index)}`;
    return { file, records: parseSminfo(printSminfo(manager, 0), { file }).records };
  });
  return buildFabric({
    discover: { file: "ibnetdiscover", records: discover.records },
    linkinfo: { file: "iblinkinfo", records: linkinfo.records },
    sminfo: managers,
  }).fabric;
}

/** What analysis says about the health of a fabric without findings, with the given healths put in. */
export function analysisOf(
  fabric: Fabric,
  bad: { readonly links?: ReadonlyMap<number, Health>; readonly nodes?: ReadonlyMap<number, Health> } = {},
): HealthColumns {
  const linkHealth = new Uint8Array(fabric.links.count);
  const nodeHealth = new Uint8Array(fabric.nodes.count);
  for (const [link, health] of bad.links ?? []) linkHealth[link] = healths.indexOf(health);
  for (const [node, health] of bad.nodes ?? []) nodeHealth[node] = healths.indexOf(health);
  return {
    linkHealth,
    nodeHealth,
  };
}

/** Node index by label. */
export function nodeNamed(fabric: Fabric, name: string): number {
  for (let node = 0; node < fabric.nodes.count; node += 1) if (nodeName(fabric, node) === name) return node;
  assert(false, `no node ${name}`);
}

/** Link index by node label and port number. */
export function linkAt(fabric: Fabric, name: string, port: number): number {
  const link = findLink(fabric, `${nodeGuid(fabric, nodeNamed(fabric, name))}:${String(port)}`);
  assert(link !== undefined, `no link at ${name}:${String(port)}`);
  return link;
}
