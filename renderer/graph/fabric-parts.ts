/** What of a fabric can be shown alone or folded together: rails, racks, names. Pure; worked out beside the layout. */
import { groupHosts, type HostGrouping, type HostGroups } from "../../shared/analyse/host-names.ts";
import type { Topology } from "../../shared/analyse/results.ts";
import { hostName } from "../../shared/fabric/access.ts";
import type { Fabric } from "../../shared/fabric/model.ts";
import { shownByRail, type Shown } from "./filter.ts";

export interface FabricParts {
  /** What each rail alone holds. */
  readonly rails: readonly Pick<Shown, "leaves" | "hosts">[];
  /** Hosts by rack and by name, where their names tell. */
  readonly groupings: Readonly<Record<HostGrouping, HostGroups | undefined>>;
}

/** O(links × rails + hosts). */
export function partsOfFabric(fabric: Fabric, topology: Topology): FabricParts {
  const names = Array.from({ length: fabric.hosts.count }, (_, host) => hostName(fabric, host));
  return {
    rails: shownByRail(fabric, topology),
    groupings: { rack: groupHosts(names, "rack"), name: groupHosts(names, "name") },
  };
}
