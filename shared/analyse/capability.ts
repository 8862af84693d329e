/**
 * What a link could run at. iblinkinfo's "Could be" tells the highest width and speed that both ends claim; some
 * devices (and simulators) claim widths that nothing in the fabric uses, so a hint that most links of a kind carry
 * is the devices' claim and no fault of one cable.
 */
import { lowerKnown, mode } from "../base/statistics.ts";
import type { Fabric } from "../fabric/model.ts";
import { at, type LinkKind, linkKind } from "../fabric/access.ts";

export interface Capability {
  /** Lanes both ends support, 0 when nothing tells more than the active width. */
  readonly lanes: Uint8Array;
  /** Speed code both ends support, 0 likewise. */
  readonly speed: Uint8Array;
  /** Hints that were not taken as a fault, by text: `12x` → links. */
  readonly unusedClaims: ReadonlyMap<string, number>;
}

/** At least this many links of one kind before their majority outweighs a hint. */
const enoughLinks = 4;

/** Capability of every link. O(links). */
export function capabilityOf(fabric: Fabric): Capability {
  const n = fabric.links.count;
  const capability = { lanes: new Uint8Array(n), speed: new Uint8Array(n), unusedClaims: new Map<string, number>() };
  const lanes = sidesOf(fabric, fabric.ports.lanes, fabric.ports.couldBeLanes);
  const speed = sidesOf(fabric, fabric.ports.speed, fabric.ports.couldBeSpeed);
  if (![lanes, speed].some(({ claimed }) => claimed.some((claim) => claim > 0))) return capability;
  const groups = new Map<LinkKind, number[]>();
  for (let link = 0; link < n; link += 1) {
    const kind = linkKind(fabric, link);
    const group = groups.get(kind);
    if (group === undefined) groups.set(kind, [link]);
    else group.push(link);
  }
  const widest = lanes.active.reduce((most, own) => Math.max(most, own), 0);
  for (const links of groups.values()) {
    fill(
      links,
      capability.lanes,
      lanes,
      (claim) => {
        capability.unusedClaims.set(`${claim}x`, (capability.unusedClaims.get(`${claim}x`) ?? 0) + 1);
      },
      (claim) => claim > 4 && widest <= 4,
    );
    fill(
      links,
      capability.speed,
      speed,
      () => undefined,
      () => false,
    );
  }
  return capability;
}

/** Of each link what is active, as far as known the lower of its ends, and the higher of their hints. */
interface Sides {
  readonly active: Uint8Array;
  readonly claimed: Uint8Array;
}

function sidesOf({ links }: Fabric, active: Uint8Array, hints: Uint8Array): Sides {
  const sides = { active: new Uint8Array(links.count), claimed: new Uint8Array(links.count) };
  for (let link = 0; link < links.count; link += 1) {
    const a = at(links.a, link);
    const b = at(links.b, link);
    sides.active[link] = lowerKnown(at(active, a), at(active, b));
    sides.claimed[link] = Math.max(at(hints, a), at(hints, b));
  }
  return sides;
}

function fill(
  links: readonly number[],
  into: Uint8Array,
  { active, claimed }: Sides,
  unused: (claim: number) => void,
  impossible: (claim: number) => boolean,
): void {
  const claimTimes = new Map<number, number>();
  for (const link of links) {
    const claim = at(claimed, link);
    if (claim > 0) claimTimes.set(claim, (claimTimes.get(claim) ?? 0) + 1);
  }
  if (claimTimes.size === 0) return;
  const usual = mode(links.map((link) => at(active, link))).value;
  for (const link of links) {
    const claim = at(claimed, link);
    if (claim === 0) continue;
    const common = links.length >= enoughLinks && (claimTimes.get(claim) ?? 0) * 2 >= links.length;
    if (common || impossible(claim)) {
      into[link] = Math.min(claim, usual);
      if (at(active, link) >= usual) unused(claim);
    } else {
      into[link] = claim;
    }
  }
}
