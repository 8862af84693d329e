import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readLimits } from "../../../electron/cli/limits.ts";
import { readOptions } from "../../../electron/cli/options.ts";
import { openMarks } from "../../../electron/session/marks.ts";
import { openWatchTimes } from "../../../electron/session/watch-times.ts";
import { openBaselines } from "../../../electron/store/baselines.ts";
import { readSmallText } from "../../../electron/store/json-file.ts";
import { openRecent } from "../../../electron/store/recent.ts";
import { openSettings } from "../../../electron/store/settings.ts";
import { must } from "../../support/ssh-dependencies.ts";

function folder(): string {
  return mkdtempSync(join(tmpdir(), "ibex-json-"));
}

const note = { mark: "known", at: "2026-11-29T03:14:08.000Z", note: "ordered" } as const;
const watched = { from: "2026-11-29T03:00:00.000Z", to: "2026-11-29T04:00:00.000Z", intervalSeconds: 5 };

describe("files of the data folder that are damaged", () => {
  it.each([
    ["torn", `{ "version": 1, "marks": { "0x0002c90000000001:1": { "mark": "known`],
    ["of a later version", `{ "version": 2, "marks": [] }`],
    ["empty", ""],
    ["binary", "\0\x01\x02"],
  ])("marks that are %s are kept aside before the next mark takes their place", async (_, text) => {
    const place = folder();
    const path = join(place, "marks.json");
    writeFileSync(path, text);
    const marks = await openMarks(place);
    expect(marks.get()).toEqual({});
    must(await marks.set("0x0002c90000000002:1", note));
    expect((await openMarks(place)).get()).toEqual({ "0x0002c90000000002:1": note });
    expect(readFileSync(`${path}.damaged`, "utf8")).toBe(text);
  });

  it("all stores begin empty on a damaged file, write again, and keep it aside", async () => {
    const place = folder();
    const names = ["settings.json", "recent.json", "baselines.json", "watched.json"];
    for (const name of names) writeFileSync(join(place, name), `damaged ${name}`);
    must(await (await openSettings(place)).set({ theme: "dark" }));
    await (await openRecent(place)).remove("x");
    must(await (await openBaselines(place)).clear("x"));
    must(await (await openWatchTimes(place)).keep("mgmt", watched));
    for (const name of names) {
      expect(readFileSync(join(place, `${name}.damaged`), "utf8")).toBe(`damaged ${name}`);
      expect(() => JSON.parse(readFileSync(join(place, name), "utf8")) as unknown).not.toThrow();
    }
    expect((await openSettings(place)).get().theme).toBe("dark");
  });

  it("nothing is kept aside where nothing is damaged, or there is no file", async () => {
    const place = folder();
    must(await (await openMarks(place)).set("0x0002c90000000002:1", note));
    await openMarks(place);
    await openSettings(place);
    expect(existsSync(join(place, "marks.json.damaged"))).toBe(false);
    expect(existsSync(join(place, "settings.json.damaged"))).toBe(false);
  });

  it("a folder in the place of the file is an error of the write", async () => {
    const place = folder();
    mkdirSync(join(place, "marks.json"));
    const marks = await openMarks(place);
    expect(await marks.set("0x0002c90000000002:1", note)).toMatchObject({ ok: false, error: { kind: "file" } });
    expect(marks.get()).toEqual({});
  });
});

describe("small texts", () => {
  it("of a device that never ends no more than the limit is read", async () => {
    expect(await readSmallText("/dev/zero")).toMatchObject({ ok: false, error: { kind: "too-large" } });
  });

  it("thresholds with the byte order mark of an editor are read", async () => {
    const path = join(folder(), "limits.json");
    writeFileSync(path, `\ufeff{ "SymbolErrorCounter": { "warn": 2 } }`);
    const options = must(readOptions(["--thresholds", path], ["thresholds"]));
    expect(must(await readLimits(options))).toEqual({ SymbolErrorCounter: { warn: 2 } });
  });

  it("an option without its value is refused in one sentence", () => {
    const read = readOptions(["--thresholds", "-1"], ["thresholds"]);
    expect(!read.ok && read.error.kind === "bad-request" && read.error.detail).toBe(
      "--thresholds needs a value: --thresholds FILE",
    );
  });
});
