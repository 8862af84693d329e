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
  const groups = new Map<LinkKind, number[]>();
  let widest = 0;
  for (let link = 0; link < n; link += 1) {
    const kind = linkKind(fabric, link);
    const group = groups.get(kind);
    if (group === undefined) groups.set(kind, [link]);
    else group.push(link);
    widest = Math.max(widest, activeLanes(fabric, link));
  }
  for (const links of groups.values()) {
    fill(
      links,
      capability.lanes,
      (link) => activeLanes(fabric, link),
      (link) => hint(fabric.ports.couldBeLanes, fabric, link),
      (claim) => {
        capability.unusedClaims.set(`${claim}x`, (capability.unusedClaims.get(`${claim}x`) ?? 0) + 1);
      },
      (claim) => claim > 4 && widest <= 4,
    );
    fill(
      links,
      capability.speed,
      (link) => activeSpeed(fabric, link),
      (link) => hint(fabric.ports.couldBeSpeed, fabric, link),
      () => undefined,
      () => false,
    );
  }
  return capability;
}

/** Higher of the two ends' values of a hint column. */
function hint(column: Uint8Array, fabric: Fabric, link: number): number {
  return Math.max(at(column, at(fabric.links.a, link)), at(column, at(fabric.links.b, link)));
}

function activeLanes(fabric: Fabric, link: number): number {
  return lowerEnd(fabric.ports.lanes, fabric, link);
}

function activeSpeed(fabric: Fabric, link: number): number {
  return lowerEnd(fabric.ports.speed, fabric, link);
}

function lowerEnd(column: Uint8Array, fabric: Fabric, link: number): number {
  const a = at(column, at(fabric.links.a, link));
  const b = at(column, at(fabric.links.b, link));
  return lowerKnown(a, b);
}

function fill(
  links: readonly number[],
  into: Uint8Array,
  active: (link: number) => number,
  claimed: (link: number) => number,
  unused: (claim: number) => void,
  impossible: (claim: number) => boolean,
): void {
  const claimTimes = new Map<number, number>();
  for (const link of links) {
    const claim = claimed(link);
    if (claim > 0) claimTimes.set(claim, (claimTimes.get(claim) ?? 0) + 1);
  }
  const usual = mode(links.map(active)).value;
  for (const link of links) {
    const claim = claimed(link);
    if (claim === 0) continue;
    const common = links.length >= enoughLinks && (claimTimes.get(claim) ?? 0) * 2 >= links.length;
    if (common || impossible(claim)) {
      into[link] = Math.min(claim, usual);
      if (active(link) >= usual) unused(claim);
    } else {
      into[link] = claim;
    }
  }
}
