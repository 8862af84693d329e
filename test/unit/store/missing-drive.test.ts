import { expect, it, vi } from "vitest";
import { makeFolder } from "../../../electron/store/make-folder.ts";

/** A system where nothing is there, not even the root, as on a drive that was pulled out. */
const asked = vi.hoisted(() => ({ times: 0 }));
vi.mock("node:fs", () => {
  const nothing = (): never => {
    asked.times += 1;
    throw Object.assign(new Error("nothing there"), { code: asked.times > 1000 ? "EASKEDFOREVER" : "ENOENT" });
  };
  return { statSync: nothing, mkdirSync: nothing };
});

it("says that a folder cannot be made on a drive that is not there", () => {
  expect(() => makeFolder("/data/ibex")).toThrow(expect.objectContaining({ code: "ENOENT" }) as Error);
  expect(asked.times).toBeLessThan(10);
});
