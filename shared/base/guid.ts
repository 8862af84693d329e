/**
 * A 64-bit GUID as 16 lower-case hex digits without prefix. Never a number: 64 bits do not fit.
 * Tools print GUIDs with and without `0x`, padded and not; this is the one normal form.
 */
export type Guid = string & { readonly __brand: "Guid" };

const guidText = /^(?:0x)?([0-9a-f]{1,16})$/i;

/** Reads a GUID in any of the tools' spellings; undefined when the text is none. */
export function parseGuid(text: string): Guid | undefined {
  const hit = guidText.exec(text);
  const digits = hit?.[1];
  if (digits === undefined) return undefined;
  return digits.toLowerCase().padStart(16, "0") as Guid;
}

/** A GUID for people and for JSON: `0x` and 16 digits. */
export function formatGuid(guid: Guid): string {
  return `0x${guid}`;
}

/** The GUID as an unsigned 64-bit value, for `BigUint64Array` columns. */
export function guidToBigint(guid: Guid): bigint {
  return BigInt(`0x${guid}`);
}

/** Upper 32 bits, unsigned. */
export function guidHigh(guid: Guid): number {
  return hexWord(guid, 0);
}

/** Lower 32 bits, unsigned. */
export function guidLow(guid: Guid): number {
  return hexWord(guid, 8);
}

function hexWord(guid: Guid, start: number): number {
  let value = 0;
  for (let at = start; at < start + 8; at += 1) {
    const code = guid.charCodeAt(at);
    value = (value << 4) | (code < 58 ? code - 48 : code - 87);
  }
  return value >>> 0;
}

/** Where the lower half of a 64-bit number lies in memory: first on every machine that Electron runs on. */
const lowHalf = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1 ? 0 : 1;

/** Fills `BigUint64Array` columns with GUIDs; a bigint for each of them would cost more than all else of a column. */
export class GuidColumn {
  readonly values: BigUint64Array;
  private readonly halves: Uint32Array;

  constructor(length: number) {
    this.values = new BigUint64Array(length);
    this.halves = new Uint32Array(this.values.buffer);
  }

  set(index: number, high: number, low: number): void {
    this.halves[2 * index + lowHalf] = low;
    this.halves[2 * index + 1 - lowHalf] = high;
  }

  /** Upper 32 bits, as a signed number. */
  high(index: number): number {
    return (this.halves[2 * index + 1 - lowHalf] ?? 0) | 0;
  }

  /** Lower 32 bits, likewise. */
  low(index: number): number {
    return (this.halves[2 * index + lowHalf] ?? 0) | 0;
  }
}

/** The GUID of two halves, signed or not. */
export function guidFromHalves(high: number, low: number): Guid {
  return `${hexDigits(high)}${hexDigits(low)}` as Guid;
}

function hexDigits(word: number): string {
  return (word >>> 0).toString(16).padStart(8, "0");
}

/** The GUID of an unsigned 64-bit value. */
export function guidFromBigint(value: bigint): Guid {
  return BigInt.asUintN(64, value).toString(16).padStart(16, "0") as Guid;
}
