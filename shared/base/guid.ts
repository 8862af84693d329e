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

/** The GUID of an unsigned 64-bit value. */
export function guidFromBigint(value: bigint): Guid {
  return BigInt.asUintN(64, value).toString(16).padStart(16, "0") as Guid;
}
