/**
 * What a link could run at. iblinkinfo's "Could be" tells the highest width and speed that both ends claim; some
 * devices (and simulators) claim widths that nothing in the fabric uses, so a hint that most links of a kind carry
 * is the devices' claim and no fault of one cable.
 */
import { lowerKnown } from "../base/statistics.ts";
import { type Fabric, nodeKinds } from "../fabric/model.ts";
import { type LinkTable, linkTable } from "./link-table.ts";

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
export function capabilityOf(fabric: Fabric, { kind }: LinkTable = linkTable(fabric)): Capability {
  const n = fabric.links.count;
  const capability = { lanes: new Uint8Array(n), speed: new Uint8Array(n), unusedClaims: new Map<string, number>() };
  const { ports } = fabric;
  if (highest(ports.couldBeLanes) > 0) {
    const lanes = sidesOf(fabric, ports.lanes, ports.couldBeLanes);
    const widest = highest(lanes.active);
    const unused = fill(kind, capability.lanes, lanes, (claim) => claim > 4 && widest <= 4);
    unused.forEach((times, claim) => {
      if (times > 0) capability.unusedClaims.set(`${claim}x`, times);
    });
  }
  if (highest(ports.couldBeSpeed) > 0)
    fill(kind, capability.speed, sidesOf(fabric, ports.speed, ports.couldBeSpeed), () => false);
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
    const a = links.a[link] ?? 0;
    const b = links.b[link] ?? 0;
    sides.active[link] = lowerKnown(active[a] ?? 0, active[b] ?? 0);
    sides.claimed[link] = Math.max(hints[a] ?? 0, hints[b] ?? 0);
  }
  return sides;
}

function highest(column: Uint8Array): number {
  let most = 0;
  for (let i = 0; i < column.length; i += 1) most = Math.max(most, column[i] ?? 0);
  return most;
}

/** How often each value stands among the links of one kind. */
interface Tally {
  links: number;
  readonly claimed: Uint32Array;
  readonly active: Uint32Array;
}

/** Fills in what is believed; returns how many links of each claim were not, though they run as their siblings do. */
function fill(
  kind: Uint8Array,
  into: Uint8Array,
  { active, claimed }: Sides,
  impossible: (claim: number) => boolean,
): Uint32Array {
  const tallies = nodeKinds.map((): Tally => ({
    links: 0,
    claimed: new Uint32Array(256),
    active: new Uint32Array(256),
  }));
  for (let link = 0; link < kind.length; link += 1) {
    const tally = tallies[kind[link] ?? 0];
    if (tally === undefined) continue;
    const claim = claimed[link] ?? 0;
    const now = active[link] ?? 0;
    tally.links += 1;
    tally.claimed[claim] = (tally.claimed[claim] ?? 0) + 1;
    tally.active[now] = (tally.active[now] ?? 0) + 1;
  }
  const usualOf = tallies.map((tally) => tally.active.indexOf(tally.active.reduce((most, n) => Math.max(most, n), 0)));
  const unused = new Uint32Array(256);
  for (let link = 0; link < kind.length; link += 1) {
    const claim = claimed[link] ?? 0;
    const tally = tallies[kind[link] ?? 0];
    if (claim === 0 || tally === undefined) continue;
    const usual = usualOf[kind[link] ?? 0] ?? 0;
    const common = tally.links >= enoughLinks && (tally.claimed[claim] ?? 0) * 2 >= tally.links;
    if (common || impossible(claim)) {
      into[link] = Math.min(claim, usual);
      if ((active[link] ?? 0) >= usual) unused[claim] = (unused[claim] ?? 0) + 1;
    } else {
      into[link] = claim;
    }
  }
  return unused;
}
