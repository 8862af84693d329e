import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { pictureName, writePicture } from "../../../electron/session/save-picture.ts";
import { requests } from "../../../shared/contract/requests.ts";
import { explain } from "../../../shared/errors/explain.ts";
import type { Capture } from "../../../electron/store/capture.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ibex-picture-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const captureOf = (name: string, simulated: boolean): { readonly capture: Capture } => ({
  capture: { name, how: "ssh", simulated, collectedAt: "2026-02-12T03:14:08Z", outputs: [], steps: [] },
});

it("proposes fabric, overlay and day, and says when it is simulated", () => {
  const now = Date.parse("2026-03-01T00:00:00Z");
  expect(pictureName(captureOf("mgmt-01", false), "health", "svg", now)).toBe("mgmt-01-health-2026-02-12.svg");
  expect(pictureName(captureOf("training fabric", true), "rate", "png", now)).toBe(
    "training-fabric-rate-2026-02-12-simulated.png",
  );
  expect(pictureName(captureOf("../../etc/<x>", false), "health", "svg", now)).toBe("etc-x-health-2026-02-12.svg");
  expect(pictureName(captureOf("ibnetdiscover.txt", false), "health", "svg", now)).toBe(
    "ibnetdiscover-health-2026-02-12.svg",
  );
  expect(pictureName(captureOf("??", false), "health", "svg", now)).toBe("fabric-health-2026-02-12.svg");
});

it("writes the bytes that it is given, of a part of a larger buffer too", async () => {
  const bytes = new Uint8Array([1, 2, 3, 4, 5]).subarray(1, 4);
  const path = join(folder, "a.png");
  expect(await writePicture(path, bytes)).toEqual({ ok: true, value: undefined });
  expect([...readFileSync(path)]).toEqual([2, 3, 4]);
});

it("says why a file cannot be written, and leaves what was there", async () => {
  const missing = await writePicture(join(folder, "not-there", "a.svg"), new Uint8Array([1]));
  expect(missing.ok ? "" : explain(missing.error).sentence).toMatch(
    /a\.svg could not be written: its folder is missing/,
  );
  mkdirSync(join(folder, "b.svg"));
  writeFileSync(join(folder, "b.svg", "kept"), "kept");
  const taken = await writePicture(join(folder, "b.svg"), new Uint8Array([1]));
  expect(taken.ok).toBe(false);
  expect(readdirSync(folder)).toEqual(["b.svg"]);
});

it("takes bytes only, and no other overlay than a word", () => {
  const { input } = requests["picture.save"];
  const good = { fabricId: "f", overlay: "health", format: "svg", bytes: new Uint8Array([1]) };
  expect(input.safeParse(good).success).toBe(true);
  for (const bad of [{ bytes: "text" }, { bytes: new Uint8Array() }, { overlay: "../x" }, { format: "exe" }]) {
    expect(input.safeParse({ ...good, ...bad }).success).toBe(false);
  }
});
