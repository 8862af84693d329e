import { describe, expect, it } from "vitest";
import { readLimitChanges } from "../../../shared/contract/limits.ts";

describe("names in a file of limits that every object has", () => {
  it.each(["__proto__", "constructor", "toString"])("%s is no limit, and is named", (name) => {
    const outside = readLimitChanges(`{"${name}": {"warn": 1}, "SymbolErrorCounter": {"warn": 1}}`);
    expect(outside).toEqual({ ok: false, error: [`There is no limit called "${name}".`] });
    const inside = readLimitChanges(`{"SymbolErrorCounter": {"${name}": 1}}`);
    expect(inside).toMatchObject({ ok: false, error: [expect.stringContaining(`"${name}"`)] });
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});
