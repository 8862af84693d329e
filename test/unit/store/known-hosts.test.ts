import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { appendKnownHost, readKnownHosts } from "../../../electron/store/known-hosts.ts";

describe("Ibex's own known_hosts file", () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "ibex-known-"));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  it("is created for its owner alone", async () => {
    const file = join(directory, "new", "known_hosts");
    expect(await appendKnownHost(file, "a key")).toEqual({ ok: true, value: undefined });
    expect(await readFile(file, "utf8")).toBe("a key\n");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it("closes a torn line before it adds its own", async () => {
    const file = join(directory, "known_hosts");
    await writeFile(file, "whole\nto");
    await appendKnownHost(file, "next");
    expect(await readFile(file, "utf8")).toBe("whole\nto\nnext\n");
  });

  it("loses no line when many are added at once", async () => {
    const file = join(directory, "known_hosts");
    const lines = Array.from({ length: 50 }, (_, index) => `host-${String(index)} key`);
    await Promise.all(lines.map((line) => appendKnownHost(file, line)));
    expect((await readFile(file, "utf8")).split("\n").filter(Boolean).sort()).toEqual([...lines].sort());
  });

  it("says when it cannot be written, and goes on with the next", async () => {
    await writeFile(join(directory, "file"), "");
    const bad = join(directory, "file", "known_hosts");
    expect(await appendKnownHost(bad, "x")).toMatchObject({
      ok: false,
      error: { kind: "file", operation: "write", path: bad },
    });
    expect((await appendKnownHost(join(directory, "good"), "x")).ok).toBe(true);
  });
});

describe("readKnownHosts", () => {
  it("passes over files that do not exist, and says when one cannot be read", async () => {
    expect(await readKnownHosts(["/no/such/file"])).toEqual({ ok: true, value: [] });
    expect(await readKnownHosts(["/"])).toMatchObject({
      ok: false,
      error: { kind: "file", path: "/", code: "EISDIR" },
    });
  });
});
