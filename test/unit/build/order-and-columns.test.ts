/** Written for speed, so that each is held against the plain way to say the same. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GuidColumn, guidFromBigint, guidHigh, guidLow, guidToBigint } from "../../../shared/base/guid.ts";
import { compareNatural } from "../../../shared/build/group-hosts.ts";

/** Number by number and text by text, as `compareNatural` is meant. */
function byParts(a: string, b: string): number {
  const parts = (text: string): readonly string[] => text.match(/\d+|\D+/g) ?? [];
  const [left, right] = [parts(a), parts(b)];
  for (const [i, x] of left.entries()) {
    const y = right[i];
    if (y === undefined) return 1;
    if (x === y) continue;
    const numbers = /^\d/.test(x) && /^\d/.test(y);
    if (numbers && Number(x) !== Number(y)) return Number(x) - Number(y);
    return x < y ? -1 : 1;
  }
  return left.length - right.length;
}

describe("the natural order of names", () => {
  it("counts", () => {
    const names = ["n10", "n2", "n-1", "n1", "n01", "n1a", "", "2", "10 b", "10"];
    expect([...names].sort(compareNatural)).toEqual(["", "2", "10", "10 b", "n01", "n1", "n1a", "n2", "n10", "n-1"]);
  });

  it("is that of their parts, whatever the names are", () => {
    const part = fc.constantFrom("0", "1", "2", "9", "a", "n", "-", " ", "x", "é", "9".repeat(400));
    const name = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(name, name, (a, b) => {
        expect(Math.sign(compareNatural(a, b))).toBe(Math.sign(byParts(a, b)));
      }),
      { numRuns: 5_000 },
    );
  });
});

describe("a column of GUIDs", () => {
  it("holds what the GUIDs are as numbers, and sorts by halves as they do", () => {
    const value = fc.bigInt({ min: 0n, max: 0xffff_ffff_ffff_ffffn });
    fc.assert(
      fc.property(fc.array(value), (values) => {
        const guids = values.map(guidFromBigint);
        const column = new GuidColumn(guids.length);
        for (const [i, guid] of guids.entries()) column.set(i, guidHigh(guid), guidLow(guid));
        expect([...column.values]).toEqual(guids.map(guidToBigint));
        const byHalves = [...guids].sort((a, b) => guidHigh(a) - guidHigh(b) || guidLow(a) - guidLow(b));
        expect(byHalves).toEqual([...guids].sort());
      }),
    );
  });
});
