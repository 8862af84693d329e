import { mkdtempSync, readdirSync, readFileSync, writeFileSync, mkdirSync, symlinkSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync, strToU8, unzipSync, zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import type { Capture } from "../../../electron/store/capture.ts";
import { packCapture, readCapture, unpackCapture, writeCapture } from "../../../electron/store/capture-file.ts";
import { openPaths } from "../../../electron/store/open-paths.ts";
import { understandCapture } from "../../../electron/session/load.ts";
import { directEngine } from "../../../electron/threads/engine.ts";
import { must } from "../../support/ssh-dependencies.ts";
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

  it("knows the folder of a simulated capture that somebody unpacked", async () => {
    const place = folder();
    const opened = async (): Promise<Capture> => must(await openPaths([place]));
    for (const [name, bytes] of Object.entries(unzipSync(packCapture(sample)))) {
      mkdirSync(join(place, name, ".."), { recursive: true });
      writeFileSync(join(place, name), bytes);
    }
    expect((await opened()).simulated).toBe(true);
    writeFileSync(join(place, "manifest.json"), '{"simulated": true}');
    expect((await opened()).simulated).toBe(false);
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

  it("reads what is whole of a gzip that is cut, all parts of one that was put together, and gzip inside of a zip", async () => {
    const place = folder();
    const text = new Uint8Array(readFileSync(join(fixtures, "ib/sim/ft2-32/ibnetdiscover.txt")));
    const packed = gzipSync(text);
    writeFileSync(join(place, "cut.gz"), packed.subarray(0, packed.length - 500));
    writeFileSync(
      join(place, "parts.gz"),
      Buffer.concat([gzipSync(text.subarray(0, 5000)), gzipSync(text.subarray(5000))]),
    );
    writeFileSync(join(place, "in.zip"), zipSync({ "ibnetdiscover.txt.gz": packed }));
    const lengths = [];
    for (const file of ["cut.gz", "parts.gz", "in.zip"]) {
      const opened = await openPaths([join(place, file)]);
      lengths.push(opened.ok ? opened.value.outputs[0]?.stdout.length : opened.error);
    }
    expect(lengths).toEqual([expect.any(Number), text.length, text.length]);
    expect(lengths[0]).toBeGreaterThan(5000);
    expect(lengths[0]).toBeLessThan(text.length);
  });

  it("takes a gzip of two or three bytes for what it is, a binary file", async () => {
    const place = folder();
    for (const bytes of [
      [0x1f, 0x8b],
      [0x1f, 0x8b, 8],
    ]) {
      writeFileSync(join(place, "stub.gz"), new Uint8Array(bytes));
      const opened = await openPaths([join(place, "stub.gz")]);
      expect(opened.ok && opened.value.outputs[0]?.stdout).toEqual(new Uint8Array(bytes));
    }
  });

  it("reads the rest of a folder with links, huge and unreadable files, and says which were not read", async () => {
    const place = folder();
    const inner = join(place, "inner");
    mkdirSync(inner);
    symlinkSync(join(fixtures, "ib/sim/ft2-32/ibnetdiscover.txt"), join(place, "linked.txt"));
    symlinkSync(join(place, "nowhere"), join(place, "dangling.txt"));
    symlinkSync("..", join(inner, "round"));
    writeFileSync(join(inner, "huge.txt"), "");
    truncateSync(join(inner, "huge.txt"), 300 * 1024 * 1024);
    const opened = must(await openPaths([place]));
    expect(opened.outputs.map(({ name }) => name)).toEqual(["inner/huge.txt", "linked.txt"]);
    const { understood } = must(await understandCapture(opened, directEngine, new AbortController().signal));
    expect(understood.analysis.counts.switches).toBe(12);
    expect(understood.diagnostics[0]?.message).toMatch(/has 300 MiB/);
    expect(understood.diagnostics).toMatchObject([{ severity: "error", code: "not-read", file: "inner/huge.txt" }]);
  });

  it("reads UTF-16 with a byte order mark, as PowerShell redirects it", async () => {
    const place = folder();
    const text = readFileSync(join(fixtures, "ib/sim/ft2-32/ibnetdiscover.txt"), "utf8");
    const little = Buffer.from(`\ufeff${text}`, "utf16le");
    for (const bytes of [little, Buffer.from(little).swap16()]) {
      writeFileSync(join(place, "wide.txt"), bytes);
      const capture = must(await openPaths([join(place, "wide.txt")]));
      const { understood } = must(await understandCapture(capture, directEngine, new AbortController().signal));
      expect(understood.analysis.counts.switches).toBe(12);
      expect(understood.diagnostics).toEqual([]);
    }
  });

  it("names the first path when none of several can be read", async () => {
    expect(await openPaths(["/nowhere/a", "/nowhere/b"])).toMatchObject({
      ok: false,
      error: { kind: "file", path: "/nowhere/a", code: "ENOENT" },
    });
  });
});
