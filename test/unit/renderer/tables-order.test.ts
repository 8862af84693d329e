import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { moveRow, orderRows, rankTexts } from "../../../renderer/parts/data-table-order.ts";

describe("rankTexts", () => {
  it("ranks names as people count them, case ignored", () => {
    const names = ["leaf-10", "leaf-9", "Leaf-1", "spine-2"];
    const ranks = rankTexts(names);
    expect([...names.keys()].sort((x, y) => (ranks[x] ?? 0) - (ranks[y] ?? 0)).map((i) => names[i])).toEqual([
      "Leaf-1",
      "leaf-9",
      "leaf-10",
      "spine-2",
    ]);
  });

  it("gives equal texts the same rank, so that ties keep their order", () => {
    const ranks = rankTexts(["b", "a", "b"]);
    expect(ranks[0]).toBe(ranks[2]);
    expect(ranks[1]).toBe(0);
  });
});

describe("orderRows", () => {
  const key = [3, NaN, 1, 3, 2];

  it("orders both ways and keeps what has no value last", () => {
    expect([...orderRows([0, 1, 2, 3, 4], key, false)]).toEqual([2, 4, 0, 3, 1]);
    expect([...orderRows([0, 1, 2, 3, 4], key, true)]).toEqual([0, 3, 4, 2, 1]);
  });

  it("keeps the order of equals and orders only the rows it was given", () => {
    expect([...orderRows([3, 2, 0], key, false)]).toEqual([2, 3, 0]);
  });

  it("orders any numbers as comparing them would, with zero once and with infinities", () => {
    const value = fc.oneof(
      fc.double(),
      fc.integer({ min: -3, max: 3 }),
      fc.constantFrom(0, -0, NaN, Infinity, -Infinity, 2 ** 40, Number.MIN_VALUE),
    );
    fc.assert(
      fc.property(fc.array(value, { maxLength: 60 }), fc.boolean(), (values, descending) => {
        const wanted = [...values.keys()].sort((x, y) => {
          const [a, b] = [values[x] ?? NaN, values[y] ?? NaN];
          if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
          // Infinity less Infinity is no number: equals.
          return (descending ? b - a : a - b) || 0;
        });
        expect([...orderRows([...values.keys()], values, descending)]).toEqual(wanted);
      }),
    );
  });

  it("leaves the rows as they come without a key, and never changes its input", () => {
    const rows = Uint32Array.from([2, 0, 1]);
    expect([...orderRows(rows, undefined, true)]).toEqual([2, 0, 1]);
    orderRows(rows, [0, 1, 2], false);
    expect([...rows]).toEqual([2, 0, 1]);
  });
});

describe("moveRow", () => {
  it("starts at the top going down and at the bottom going up", () => {
    expect(moveRow("ArrowDown", -1, 10, 4)).toBe(0);
    expect(moveRow("ArrowUp", -1, 10, 4)).toBe(9);
  });

  it("stays inside the table", () => {
    expect(moveRow("ArrowDown", 9, 10, 4)).toBe(9);
    expect(moveRow("PageDown", 8, 10, 4)).toBe(9);
    expect(moveRow("PageUp", 2, 10, 4)).toBe(0);
    expect(moveRow("End", 2, 10, 4)).toBe(9);
    expect(moveRow("Home", 2, 10, 4)).toBe(0);
  });

  it("moves nothing in an empty table or for another key", () => {
    expect(moveRow("ArrowDown", -1, 0, 4)).toBeUndefined();
    expect(moveRow("x", 3, 10, 4)).toBeUndefined();
  });
});
