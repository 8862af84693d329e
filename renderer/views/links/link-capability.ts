import { type Capability, capabilityOf } from "../../../shared/analyse/capability.ts";
import type { Fabric } from "../../../shared/fabric/model.ts";

const known = new WeakMap<Fabric, Capability>();

/** Capability of every link, worked out once per fabric: selecting must not cost O(links). */
export function linkCapability(fabric: Fabric): Capability {
  const before = known.get(fabric);
  if (before !== undefined) return before;
  const capability = capabilityOf(fabric);
  known.set(fabric, capability);
  return capability;
}
