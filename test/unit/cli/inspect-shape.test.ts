import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { inspectCommand } from "../../../electron/cli/inspect.ts";
import { samplesFolder } from "../../support/samples.ts";

let out = "";
let said = "";
beforeEach(() => {
  out = "";
  said = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    out += String(text);
    return true;
  });
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    said += String(text);
    return true;
  });
});
afterEach(() => vi.restoreAllMocks());

const dragonfly = join(samplesFolder, "dragonfly-plus.fabric");

interface Report {
  readonly topology: { readonly kind: string; readonly overruled: boolean; readonly groups: readonly unknown[] };
}

describe("ibex inspect --shape", () => {
  it.each([
    [[], "dragonfly+", false, 5],
    [["--shape", "dragonfly+"], "dragonfly+", true, 5],
    [["--shape", "fat-tree"], "fat-tree", true, 0],
    [["--shape", "irregular"], "irregular", true, 0],
  ] as const)("%j", async (words, kind, overruled, groups) => {
    expect(await inspectCommand([dragonfly, "--json", ...words])).toBe(0);
    const { topology } = JSON.parse(out) as Report;
    expect(topology).toMatchObject({ kind, overruled });
    expect(topology.groups).toHaveLength(groups);
  });

  it("says in text that the shape is the user's word", async () => {
    expect(await inspectCommand([dragonfly, "--shape", "irregular"])).toBe(0);
    expect(out).toContain("irregular (as you say): ");
  });

  it("refuses a shape that it does not know", async () => {
    expect(await inspectCommand([dragonfly, "--shape", "torus"])).toBe(2);
    expect(said).toContain("--shape is one of fat-tree, dragonfly+, irregular");
    expect(out).toBe("");
  });
});
