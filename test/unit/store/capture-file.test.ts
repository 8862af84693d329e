import { mkdtempSync, readdirSync, readFileSync, writeFileSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync, strToU8, zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import type { Capture } from "../../../electron/store/capture.ts";
import { packCapture, readCapture, unpackCapture, writeCapture } from "../../../electron/store/capture-file.ts";
import { openPaths } from "../../../electron/store/open-paths.ts";
import { fixtures } from "../../support/understand.ts";

function folder(): string {
  return mkdtempSync(join(tmpdir(), "ibex-capture-"));
}

const sample: Capture = {
  name: "root@mgmt-01",
  how: "simulated",
  simulated: true,
  collectedAt: "2026-11-29T03:14:08.000Z",
  source: { kind: "simulated", name: "fat-tree" },
  steps: [{ id: "ibnetdiscover", title: "Nodes and cables", state: "done", note: "61 nodes", ms: 120 }],
  outputs: [
    {
      name: "ibnetdiscover.txt",
      stdout: new Uint8Array([0, 255, 10, 65]),
      stderr: strToU8("ibwarn: x\n"),
      commandLine: "ibnetdiscover",
      exitCode: 0,
      startedAt: "2026-11-29T03:14:08.000Z",
      durationMs: 118,
    },
    { name: "sminfo.txt", stdout: new Uint8Array() },
  ],
};

describe("capture file", () => {
  it("opens again to what was saved, byte for byte", async () => {
    const path = join(folder(), "a.fabric");
    expect(await writeCapture(path, sample)).toEqual({ ok: true, value: undefined });
    expect(await readCapture(path)).toEqual({ ok: true, value: sample });
  });

  it("leaves the old file whole and no other behind when writing fails", async () => {
    const place = folder();
    const target = join(place, "taken.fabric");
    mkdirSync(target);
    const written = await writeCapture(target, sample);
    expect(written).toMatchObject({ ok: false, error: { kind: "file", operation: "write" } });
    expect(readdirSync(place)).toEqual(["taken.fabric"]);
  });

  it("refuses a file cut at any byte with a reason, and names what is whole", () => {
    const bytes = packCapture(sample);
    for (let end = 0; end < bytes.length; end += 7) {
      const cut = unpackCapture(bytes.slice(0, end), "a.fabric");
      expect(cut).toMatchObject({ ok: false, error: { kind: "capture-damaged", path: "a.fabric" } });
    }
    const late = unpackCapture(bytes.slice(0, bytes.length - 30), "a.fabric");
    expect(!late.ok && late.error.kind === "capture-damaged" && late.error.readable.length).toBeGreaterThan(0);
  });

  it("says when a capture is from a newer version, has no manifest, or lacks an output", () => {
    const manifest = { format: "ibex-capture", version: 99 };
    const zip = (entries: Record<string, string>): Uint8Array =>
      zipSync(Object.fromEntries(Object.entries(entries).map(([name, text]) => [name, strToU8(text)])));
    expect(unpackCapture(zip({ "manifest.json": JSON.stringify(manifest) }), "a")).toMatchObject({
      ok: false,
      error: { kind: "capture-newer", version: 99 },
    });
    expect(unpackCapture(zip({ "other.txt": "x" }), "a")).toMatchObject({
      ok: false,
      error: { kind: "capture-damaged", readable: ["other.txt"] },
    });
    expect(unpackCapture(zip({ "manifest.json": "{" }), "a")).toMatchObject({
      ok: false,
      error: { kind: "capture-damaged" },
    });
    const whole = packCapture(sample);
    expect(whole.length).toBeGreaterThan(0);
    const withoutOutput = zip({
      "manifest.json": JSON.stringify({
        format: "ibex-capture",
        version: 1,
        writtenBy: "Ibex",
        name: "n",
        how: "ssh",
        simulated: false,
        steps: [],
        outputs: [{ name: "gone.txt", bytes: 3 }],
      }),
    });
    expect(unpackCapture(withoutOutput, "a")).toMatchObject({
      ok: false,
      error: { kind: "capture-damaged", problem: "gone.txt is missing in it" },
    });
  });
});

describe("openPaths", () => {
  it("takes a folder, a zip of raw outputs and gzipped files, and pairs error outputs", async () => {
    const fromFolder = await openPaths([join(fixtures, "ib/sim/states")]);
    expect(
      fromFolder.ok && fromFolder.value.outputs.find((o) => o.name === "ibnetdiscover.txt")?.stderr?.length,
    ).toBeGreaterThan(0);
    const place = folder();
    const text = readFileSync(join(fixtures, "ib/sim/ft2-32/ibnetdiscover.txt"));
    writeFileSync(join(place, "x.zip"), zipSync({ "inner/ibnetdiscover.txt": new Uint8Array(text) }));
    writeFileSync(join(place, "x.txt.gz"), gzipSync(new Uint8Array(text)));
    for (const file of ["x.zip", "x.txt.gz"]) {
      const opened = await openPaths([join(place, file)]);
      expect(opened.ok && opened.value.outputs.map((o) => o.stdout.length)).toEqual([text.length]);
    }
  });

  it("says what is wrong with a path", async () => {
    const place = folder();
    writeFileSync(join(place, "no.fabric"), "hello");
    expect(await openPaths([join(place, "gone")])).toMatchObject({
      ok: false,
      error: { kind: "file", code: "ENOENT" },
    });
    expect(await openPaths(["/dev/zero"])).toMatchObject({ ok: false, error: { kind: "file", code: "ENOTSUP" } });
    expect(await openPaths([join(place, "no.fabric")])).toMatchObject({
      ok: false,
      error: { kind: "capture-damaged" },
    });
  });
});
