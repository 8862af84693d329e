import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeFolder } from "../../../electron/store/make-folder.ts";

let folder = "";
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "ibex-folder-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("making a folder", () => {
  it("makes those above it too, with the mode that is asked for, and is content with one that is there", () => {
    const deep = join(folder, "a", "b", "c");
    makeFolder(deep, 0o700);
    makeFolder(deep);
    expect(statSync(deep).isDirectory()).toBe(true);
    expect(statSync(join(folder, "a")).mode & 0o777).toBe(0o700);
  });

  it.each([
    ["EEXIST", "a file", () => writeFileSync(join(folder, "x"), ""), "x"],
    ["ENOTDIR", "a folder under a file", () => writeFileSync(join(folder, "x"), ""), join("x", "y")],
    ["EEXIST", "a link that leads nowhere", () => symlinkSync(join(folder, "gone"), join(folder, "x")), "x"],
  ])("says %s for %s", (code, _, prepare, name) => {
    prepare();
    expect(() => makeFolder(join(folder, name))).toThrow(expect.objectContaining({ code }) as Error);
  });

  // Node's own recursive mkdir does not come back from this.
  it.runIf(existsSync("/proc/self"))("says what the system says where a folder takes no other", () => {
    expect(() => makeFolder("/proc/nope/data")).toThrow(expect.objectContaining({ code: "ENOENT" }) as Error);
  });
});
