import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readLimits } from "../../../electron/cli/limits.ts";
import { readOptions } from "../../../electron/cli/options.ts";
import { openSettings } from "../../../electron/store/settings.ts";
import { settingsPatchSchema } from "../../../shared/contract/settings.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ibex-limits-"));
  vi.stubEnv("IBEX_DATA", folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

async function limitsOf(text?: string): Promise<unknown> {
  const path = join(folder, "limits.json");
  if (text !== undefined) writeFileSync(path, text);
  const options = readOptions(text === undefined ? [] : ["--thresholds", path], ["thresholds"]);
  if (!options.ok) throw new Error("options");
  const limits = await readLimits(options.value);
  if (limits.ok) return limits.value;
  return limits.error.kind === "bad-request" ? limits.error.detail.replace(path, "FILE") : limits.error;
}

describe("limits of the command line", () => {
  it("are those of the window's settings, which are kept on disk", async () => {
    expect(await limitsOf()).toEqual({});
    const settings = await openSettings(folder);
    await settings.set({ limits: { "module-temperature": { warn: 60 } } });
    expect(await limitsOf()).toEqual({ "module-temperature": { warn: 60 } });
  });

  it("are those of a file that is named", async () => {
    expect(await limitsOf('{ "SymbolErrorCounter": { "warn": 1, "error": 20 } }')).toEqual({
      SymbolErrorCounter: { warn: 1, error: 20 },
    });
  });

  it("that cannot be used are refused with every reason", async () => {
    expect(await limitsOf('{ "SymbolErrorCounter": { "warn": 30 }, "x": {} }')).toBe(
      'FILE: SymbolErrorCounter: the warning 30 is above the error 10. There is no limit called "x"',
    );
    expect(await limitsOf("{")).toMatch(/^FILE: This is no JSON/);
    expect(await limitsOf('{ "SymbolErrorCounter": { "warning": 1 } }')).toMatch(/^FILE: Expected limits as .*warning/);
    const options = readOptions(["--thresholds", join(folder, "none.json")], ["thresholds"]);
    expect(options.ok ? await readLimits(options.value) : options).toMatchObject({
      ok: false,
      error: { kind: "file", code: "ENOENT" },
    });
  });

  it("that contradict are refused by the window, and a damaged settings file falls back to the defaults", async () => {
    expect(settingsPatchSchema.safeParse({ limits: { "module-temperature": { warn: 99 } } }).success).toBe(false);
    expect(settingsPatchSchema.safeParse({ limits: { "module-temperature": { warn: 65 } } }).success).toBe(true);
    writeFileSync(
      join(folder, "settings.json"),
      '{ "theme": "dark", "limits": { "module-temperature": { "warn": 99 } } }',
    );
    const settings = (await openSettings(folder)).get();
    expect(settings).toMatchObject({ theme: "dark", limits: {} });
  });
});
