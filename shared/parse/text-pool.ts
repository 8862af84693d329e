import { parseGuid, type Guid } from "../base/guid.ts";
import { LineCursor } from "./line-cursor.ts";

/** Largest number of distinct texts kept; beyond it (hostile input) nothing more is shared, nothing breaks. */
const poolSize = 1_000_000;
/** Places looked at for a GUID. Chosen GUIDs can all want the same place: such are not shared, and cost no more than that. */
const mostProbes = 64;

/** Shares equal strings and remembers read GUIDs: fabrics repeat each of them for every port. */
export class TextPool {
  private readonly texts = new Map<string, string>();
  private readonly guids: Guid[] = [];
  /** The description that was last seen with a GUID, by the GUID's number. */
  private readonly names: string[] = [];
  /** Upper and lower half of each GUID, by number: high, low, high, low … */
  private halves = new Int32Array(2 * 1024);
  /** Number + 1 of the GUID at a place of the hash table, 0 for a free one. At most half of them are taken. */
  private places = new Int32Array(2 * 1024);
  private readonly cursor = new LineCursor();

  share(text: string): string {
    const known = this.texts.get(text);
    if (known !== undefined) return known;
    if (this.texts.size < poolSize) this.texts.set(text, text);
    return text;
  }

  /** Reads a GUID as {@link parseGuid} does. */
  guid(text: string): Guid | undefined {
    const { cursor } = this;
    cursor.begin(text, text.startsWith("0x") ? 2 : 0);
    const digits = cursor.hex();
    const number = digits > 0 && digits <= 16 && cursor.isAtEnd() ? this.guidNumber(cursor) : -1;
    return number < 0 ? parseGuid(text) : this.guidOf(number);
  }

  /** Number of the GUID whose 1 to 16 digits a cursor has just read; -1 when no more are kept. */
  guidNumber(cursor: LineCursor): number {
    const { high, low } = cursor;
    const mask = this.places.length - 1;
    let place = hash(high, low) & mask;
    for (let probe = 0; probe < mostProbes; probe += 1) {
      const number = (this.places[place] ?? 0) - 1;
      if (number < 0) return this.add(cursor, place);
      if (this.halves[2 * number] === high && this.halves[2 * number + 1] === low) return number;
      place = (place + 1) & mask;
    }
    return -1;
  }

  /** The GUID of a number that {@link guidNumber} gave. */
  guidOf(number: number): Guid | undefined {
    return this.guids[number];
  }

  /** The part of a line that describes a GUID's node. Every port repeats it, so that mostly it is the last one again. */
  nameOf(number: number, line: string, start: number, end: number): string {
    const last = this.names[number];
    if (last !== undefined && last.length === end - start && line.startsWith(last, start)) return last;
    const name = this.share(line.slice(start, end));
    this.names[number] = name;
    return name;
  }

  private add(cursor: LineCursor, place: number): number {
    const number = this.guids.length;
    if (number >= poolSize) return -1;
    this.guids.push(cursor.line.slice(cursor.hexStart, cursor.at).padStart(16, "0") as Guid);
    this.names.push("");
    this.places[place] = number + 1;
    this.halves[2 * number] = cursor.high;
    this.halves[2 * number + 1] = cursor.low;
    if (2 * this.guids.length >= this.places.length) this.grow();
    return number;
  }

  private grow(): void {
    const halves = new Int32Array(2 * this.halves.length);
    halves.set(this.halves);
    this.halves = halves;
    this.places = new Int32Array(2 * this.places.length);
    const mask = this.places.length - 1;
    for (let number = 0; number < this.guids.length; number += 1) {
      let place = hash(halves[2 * number] ?? 0, halves[2 * number + 1] ?? 0) & mask;
      let probe = 0;
      while (this.places[place] !== 0 && probe < mostProbes) {
        place = (place + 1) & mask;
        probe += 1;
      }
      // What finds no place is kept under its number, and read anew when it comes again.
      if (this.places[place] === 0) this.places[place] = number + 1;
    }
  }
}

function hash(high: number, low: number): number {
  const mixed = Math.imul(high ^ Math.imul(low, 0x9e3779b1), 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}
