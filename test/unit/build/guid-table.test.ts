import { describe, expect, it } from "vitest";
import { guidFromBigint } from "../../../shared/base/guid.ts";
import { GuidTable } from "../../../shared/base/guid-table.ts";

describe("a table of GUIDs", () => {
  it("gives each one number, also when somebody chose them to want the same place", () => {
    const table = new GuidTable();
    // Upper half = lower half × the table's own factor: all of these have the same hash.
    const chosen = Array.from({ length: 3_000 }, (_, low) => [Math.imul(low, 0x9e3779b1), low] as const);
    const numbers = chosen.map(([high, low]) => table.add(high, low));
    expect(numbers).toEqual(chosen.map((_, i) => i));
    const copy = table.copy();
    for (const [i, [high, low]] of chosen.entries()) {
      expect(table.add(high, low)).toBe(i);
      expect(copy.find(high, low)).toBe(i);
      expect(copy.findGuid(table.guidOf(i))).toBe(i);
    }
    expect(copy.add(1, 0)).toBe(3_000);
    expect(table.find(1, 0)).toBe(-1);
    expect(table.findGuid(guidFromBigint(0xffff_ffff_ffff_ffffn))).toBe(-1);
  });
});
