import { type Guid, guidFromHalves, guidHigh, guidLow } from "./guid.ts";

/** Places looked at for a GUID. Chosen GUIDs can all want the same place: such are kept by name, and cost no more than that. */
const mostProbes = 64;

/**
 * GUIDs by small numbers, 0, 1, 2 … in the order in which they are first met. What is read and merged by the hundred
 * thousand refers to them by number: columns can hold that, comparing costs nothing, and most GUIDs are never needed as text.
 */
export class GuidTable {
  /** How many there are. */
  count = 0;
  /** Upper and lower 32 bits of each, as signed numbers: high, low, high, low … */
  private halves = new Int32Array(2 * 1024);
  /** Number + 1 of the GUID at a place of the hash table, 0 for a free one. At most half of them are taken. */
  private places = new Int32Array(2 * 1024);
  /** Those that found no place. */
  private readonly placeless = new Map<Guid, number>();
  private readonly texts: Guid[] = [];

  /** The number of a GUID, a new one when it is not known yet. */
  add(high: number, low: number): number {
    const mask = this.places.length - 1;
    let place = hash(high, low) & mask;
    for (let probe = 0; probe < mostProbes; probe += 1) {
      const number = (this.places[place] ?? 0) - 1;
      if (number < 0) {
        this.places[place] = this.count + 1;
        return this.append(high, low);
      }
      if (this.halves[2 * number] === high && this.halves[2 * number + 1] === low) return number;
      place = (place + 1) & mask;
    }
    const guid = guidFromHalves(high, low);
    const known = this.placeless.get(guid);
    if (known !== undefined) return known;
    this.placeless.set(guid, this.count);
    return this.append(high, low);
  }

  /** The number of a GUID, -1 when it is not known. */
  find(high: number, low: number): number {
    const mask = this.places.length - 1;
    let place = hash(high, low) & mask;
    for (let probe = 0; probe < mostProbes; probe += 1) {
      const number = (this.places[place] ?? 0) - 1;
      if (number < 0) return -1;
      if (this.halves[2 * number] === high && this.halves[2 * number + 1] === low) return number;
      place = (place + 1) & mask;
    }
    return this.placeless.get(guidFromHalves(high, low)) ?? -1;
  }

  addGuid(guid: Guid): number {
    return this.add(guidHigh(guid) | 0, guidLow(guid) | 0);
  }

  findGuid(guid: Guid): number {
    return this.find(guidHigh(guid) | 0, guidLow(guid) | 0);
  }

  /** The GUID of a number that this table gave. */
  guidOf(number: number): Guid {
    return (this.texts[number] ??= guidFromHalves(this.high(number), this.low(number)));
  }

  /** Upper 32 bits of a GUID by its number, as a signed number. */
  high(number: number): number {
    return this.halves[2 * number] ?? 0;
  }

  /** Lower 32 bits, likewise. */
  low(number: number): number {
    return this.halves[2 * number + 1] ?? 0;
  }

  /** A table with the same numbers, to go on with. */
  copy(): GuidTable {
    const copy = new GuidTable();
    copy.count = this.count;
    copy.halves = this.halves.slice();
    copy.places = this.places.slice();
    for (const [guid, number] of this.placeless) copy.placeless.set(guid, number);
    return copy;
  }

  private append(high: number, low: number): number {
    const number = this.count;
    this.count += 1;
    this.halves[2 * number] = high;
    this.halves[2 * number + 1] = low;
    if (2 * this.count >= this.places.length) this.grow();
    return number;
  }

  private grow(): void {
    const halves = new Int32Array(2 * this.halves.length);
    halves.set(this.halves);
    this.halves = halves;
    this.places = new Int32Array(2 * this.places.length);
    this.placeless.clear();
    const mask = this.places.length - 1;
    for (let number = 0; number < this.count; number += 1) {
      let place = hash(halves[2 * number] ?? 0, halves[2 * number + 1] ?? 0) & mask;
      let probe = 0;
      while (this.places[place] !== 0 && probe < mostProbes) {
        place = (place + 1) & mask;
        probe += 1;
      }
      if (probe < mostProbes) this.places[place] = number + 1;
      else this.placeless.set(this.guidOf(number), number);
    }
  }
}

function hash(high: number, low: number): number {
  const mixed = Math.imul(high ^ Math.imul(low, 0x9e3779b1), 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}
