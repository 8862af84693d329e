/** Links that run below what both of their ends support. */
import { type Capability, capabilityOf } from "../analyse/capability.ts";
import { lowerKnown } from "../base/statistics.ts";
import { at } from "../fabric/access.ts";
import type { Fabric } from "../fabric/model.ts";
import { dataRateGbps } from "../fabric/rates.ts";

/** What a link could run at, and the finding (analyse/rules/below-capability.ts) that says so. */
export interface BelowCapability {
  readonly couldGbps: number;
  readonly finding: "Width below capability" | "Speed below capability";
}

const known = new WeakMap<Fabric, Capability>();

/** Undefined for a link that runs at what its ends support, as far as known. The first of a fabric costs O(links). */
export function belowCapabilityOf(fabric: Fabric, link: number): BelowCapability | undefined {
  const capability = known.get(fabric) ?? capabilityOf(fabric);
  known.set(fabric, capability);
  const [a, b] = [at(fabric.links.a, link), at(fabric.links.b, link)];
  const lanes = lowerKnown(at(fabric.ports.lanes, a), at(fabric.ports.lanes, b));
  const speed = lowerKnown(at(fabric.ports.speed, a), at(fabric.ports.speed, b));
  if (lanes === 0 || speed === 0) return undefined;
  const canLanes = Math.max(lanes, at(capability.lanes, link));
  const canSpeed = Math.max(speed, at(capability.speed, link));
  if (canLanes === lanes && canSpeed === speed) return undefined;
  return {
    couldGbps: dataRateGbps(canLanes, canSpeed),
    finding: canLanes > lanes ? "Width below capability" : "Speed below capability",
  };
}
