import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import * as nodeFs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type History,
  type HistoryFile,
  type HistoryFileSystem,
  openHistory,
} from "../../../electron/store/history.ts";
import { measurementFileSchema } from "../../../shared/contract/measurement-file.ts";
import type { AppError } from "../../../shared/errors/kinds.ts";
import { assert } from "../../../shared/base/assert.ts";
import type { Measurement } from "../../../shared/measure/types.ts";
import { planFor } from "../measure/pair-of-hosts.ts";

function measurement(id: string, more: Partial<Measurement> = {}): Measurement {
  const { client, server, path, basis, options, link, linkName } = planFor();
  const side = { commandLine: "timeout -k 5 35 ib_write_bw", exitCode: 0, stdout: "0.14 Gb/s, µs, \n", stderr: "" };
  return {
    version: 1,
    id,
    at: "2026-03-02T08:57:00.000Z",
    source: { kind: "ssh", label: "root@mgmt-01", simulated: false },
    link,
    linkName,
    client,
    server,
    path,
    basis,
    options,
    runs: [
      {
        tool: "ib_write_bw",
        startedAt: "2026-03-02T08:57:01.000Z",
        durationMs: 12_345.5,
        server: { host: "n065", ...side },
        client: { host: "n018", ...side },
        bandwidth: [{ bytes: 65536, iterations: 500, averageGbps: 196.8, msgRateMpps: 0.37, line: 26 }],
        latency: [],
      },
    ],
    bandwidthGbps: 196.8,
    expectedGbps: 200,
    percent: 98.4,
    verdict: { level: "good", sentence: "196.8 Gb/s", next: [] },
    versions: { n018: "Version: 6.06", n065: "Version: 6.06" },
    ...more,
  };
}

let folder = "";
let path = "";

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "ibex-history-"));
  path = join(folder, "measurements.jsonl");
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function opened(fs?: HistoryFileSystem): Promise<History> {
  const history = await openHistory(path, fs);
  assert(history.ok, JSON.stringify(history));
  return history.value;
}

async function appended(history: History, ...ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const result = await history.append(measurement(id));
    assert(result.ok, JSON.stringify(result));
  }
}

const idsOf = (history: History): readonly string[] => history.list().measurements.map(({ id }) => id);

describe("the history of measurements", () => {
  it("is empty when there is no file yet, and makes folder and file with the first record", async () => {
    path = join(folder, "new", "deep", "measurements.jsonl");
    const history = await opened();
    expect(history.list()).toEqual({ measurements: [], damaged: 0 });
    await appended(history, "a");
    expect(idsOf(await opened())).toEqual(["a"]);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it("gives back what was put in, also after a restart", async () => {
    const full = measurement("a", {
      latencyUs: 1.71,
      latencyP99Us: 1.94,
      options: { ...planFor().options, gidIndex: 3 },
    });
    const history = await opened();
    expect(await history.append(full)).toEqual({ ok: true, value: undefined });
    expect(await history.get("a")).toEqual({ ok: true, value: full });
    expect(await (await opened()).get("a")).toEqual({ ok: true, value: full });
  });

  it("is not copied for each who looks: one list until the next result, which is found first without it", async () => {
    const history = await opened();
    for (const id of ["a", "b"]) await history.append(measurement(id));
    const { measurements } = history.list();
    expect(history.list().measurements).toBe(measurements);
    await history.append(measurement("c"));
    expect(measurements).toHaveLength(2);
    const [newest] = history.newestFirst();
    expect(newest?.id).toBe("c");
    expect([...history.newestFirst()]).toEqual(history.list().measurements);
    expect(history.list().measurements[1]).toBe(measurements[0]);
  });

  it("summarises newest first", async () => {
    const history = await opened();
    const at = (minute: number) => ({ at: `2026-03-02T08:0${String(minute)}:00.000Z` });
    await history.append(measurement("old", at(1)));
    await history.append(measurement("newest", at(5)));
    await history.append(measurement("middle", at(3)));
    await history.append(measurement("middle, later in the file", at(3)));
    expect(idsOf(history)).toEqual(["newest", "middle, later in the file", "middle", "old"]);
    expect(history.list().measurements[0]).toEqual({
      id: "newest",
      at: "2026-03-02T08:05:00.000Z",
      link: planFor().link,
      linkName: planFor().linkName,
      source: "root@mgmt-01",
      simulated: false,
      clientHost: "n018",
      serverHost: "n065",
      bandwidthGbps: 196.8,
      latencyUs: null,
      expectedGbps: 200,
      percent: 98.4,
      level: "good",
      sentence: "196.8 Gb/s",
      hops: 1,
      basis: "host-link",
    });
  });

  it("says that it has no record of an id", async () => {
    const history = await opened();
    await appended(history, "a");
    expect(await history.get("b")).toEqual({ ok: false, error: { kind: "unknown-id", what: "measurement", id: "b" } });
  });

  it("takes many records at once, one after the other", async () => {
    const history = await opened();
    const ids = Array.from({ length: 40 }, (_, index) => `m${String(index)}`);
    const results = await Promise.all(ids.map((id) => history.append(measurement(id))));
    expect(results.every(({ ok }) => ok)).toBe(true);
    expect(new Set(idsOf(history))).toEqual(new Set(ids));
    expect(idsOf(await opened())).toHaveLength(40);
    const read = await Promise.all(ids.map((id) => history.get(id)));
    expect(read.map((one) => one.ok && one.value.id)).toEqual(ids);
  });

  it("reads records that are longer than one piece of the file", async () => {
    const history = await opened();
    const long = measurement("long", { versions: { n018: "ü".repeat(400_000) } });
    await history.append(measurement("before"));
    await history.append(long);
    await history.append(measurement("after"));
    const again = await opened();
    expect(again.list().damaged).toBe(0);
    expect(await again.get("long")).toEqual({ ok: true, value: long });
    expect(await again.get("after")).toMatchObject({ ok: true });
  });
});

describe("two programs on one history", () => {
  it("see each other's records and lose none", async () => {
    const [one, two] = [await opened(), await opened()];
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? one : two).append(measurement(`m${String(index)}`))),
    );
    await one.refresh();
    await two.refresh();
    expect(idsOf(one)).toHaveLength(20);
    expect(new Set(idsOf(two))).toEqual(new Set(idsOf(one)));
    expect(two.list().damaged).toBe(0);
  });

  it("find a record of the other by its id without being told", async () => {
    const [one, two] = [await opened(), await opened()];
    await appended(one, "a");
    expect(await two.get("a")).toMatchObject({ ok: true, value: { id: "a" } });
  });
});

describe("a history that was cut", () => {
  it("at any byte keeps every whole record, says the torn one, and goes on on a line of its own", async () => {
    const history = await opened();
    await appended(history, "a", "b");
    const whole = await readFile(path);
    const second = whole.indexOf("\n", whole.indexOf("\n", 1) + 1);
    for (let cut = 0; cut <= whole.length; cut += cut > second && cut < second + 8 ? 1 : 13) {
      await writeFile(path, whole.subarray(0, cut));
      const after = await opened();
      const kept = idsOf(after);
      const expected = cut >= whole.length - 1 ? ["b", "a"] : cut >= second - 1 ? ["a"] : [];
      expect(kept, `cut at ${String(cut)}`).toEqual(expected);
      const torn = cut > 1 && cut < second - 1 ? 1 : cut > second + 1 && cut < whole.length - 1 ? 1 : 0;
      expect(after.list().damaged, `cut at ${String(cut)}`).toBe(torn);
      await appended(after, "c");
      const again = await opened();
      expect(new Set(idsOf(again)), `cut at ${String(cut)}`).toEqual(new Set([...expected, "c"]));
      expect(again.list().damaged).toBe(torn);
      expect(after.list()).toEqual(again.list());
      // What was there is still there, byte for byte.
      expect((await readFile(path)).subarray(0, cut).equals(whole.subarray(0, cut))).toBe(true);
    }
  });

  it("counts damaged lines and passes over them", async () => {
    const history = await opened();
    await appended(history, "a", "b", "c");
    const lines = (await readFile(path, "utf8")).split("\n").filter((line) => line !== "");
    const broken = (index: number, from: string, to: string) => lines[index]?.replace(from, to) ?? "";
    const records = [
      lines[0],
      "not JSON",
      '{"version":1}',
      broken(1, '"version":1', '"version":2'),
      broken(1, '"level":"good"', '"level":"splendid"'),
      broken(1, '"averageGbps":196.8', '"averageGbps":"196.8"'),
      "null",
      `"${"x".repeat(100)}"`,
      lines[2],
    ];
    await writeFile(path, `${records.join("\n")}\n`);
    const again = await opened();
    expect(new Set(idsOf(again))).toEqual(new Set(["a", "c"]));
    expect(again.list().damaged).toBe(7);
  });

  it("counts a line whose bytes are no UTF-8", async () => {
    await appended(await opened(), "a", "b");
    const bytes = await readFile(path);
    bytes[bytes.indexOf("µ")] = 0xff;
    await writeFile(path, bytes);
    const again = await opened();
    expect(idsOf(again)).toEqual(["b"]);
    expect(again.list().damaged).toBe(1);
  });

  it("keeps what a later version added to a record out of the way", async () => {
    await writeFile(path, `\n${JSON.stringify({ ...measurement("a"), later: { than: "this" } })}\n`);
    const history = await opened();
    expect(await history.get("a")).toEqual({ ok: true, value: measurement("a") });
  });

  it("does not choke on a line without end of many megabytes", async () => {
    await writeFile(path, `${"x".repeat(17 * 1024 * 1024)}\n\n${JSON.stringify(measurement("a"))}\n`);
    const history = await opened();
    expect(idsOf(history)).toEqual(["a"]);
    expect(history.list().damaged).toBe(1);
  });
});

type Failure = { readonly code: string } | { readonly writes: number };

/** The real file system, but what is written fails as told; the failure can be taken away. */
class FailingFileSystem implements HistoryFileSystem {
  failure: Failure | undefined;
  readonly calls: string[] = [];

  async open(filePath: string, flags: "r" | "a", mode: number): Promise<HistoryFile> {
    const file = await nodeFs.open(filePath, flags, mode);
    return {
      read: (buffer, offset, length, position) => file.read(buffer, offset, length, position),
      write: (buffer, offset, length) => {
        const { failure } = this;
        this.calls.push("write");
        if (failure === undefined) return file.write(buffer, offset, length);
        if ("writes" in failure) return file.write(buffer, offset, failure.writes);
        return Promise.reject(Object.assign(new Error(failure.code), { code: failure.code }));
      },
      sync: () => {
        this.calls.push("sync");
        return file.sync();
      },
      close: () => {
        this.calls.push("close");
        return file.close();
      },
    };
  }
}

describe("a disk that fails", () => {
  it.each(["ENOSPC", "EIO", "EROFS"])("says %s and keeps the history as it was", async (code) => {
    const fs = new FailingFileSystem();
    const history = await opened(fs);
    await appended(history, "a");
    fs.failure = { code };
    expect(await history.append(measurement("b"))).toEqual({
      ok: false,
      error: { kind: "file", path, operation: "write", code },
    });
    expect(history.list()).toMatchObject({ measurements: [{ id: "a" }], damaged: 0 });
    fs.failure = undefined;
    await appended(history, "c");
    expect(idsOf(await opened())).toHaveLength(2);
  });

  it("that gets full in the middle of a record leaves a torn line, and the next record whole", async () => {
    const fs = new FailingFileSystem();
    const history = await opened(fs);
    await appended(history, "a");
    fs.failure = { writes: 500 };
    expect(await history.append(measurement("b"))).toMatchObject({ ok: false, error: { code: "ENOSPC" } });
    fs.failure = undefined;
    await appended(history, "c");
    const again = await opened();
    expect(new Set(idsOf(again))).toEqual(new Set(["a", "c"]));
    expect(again.list().damaged).toBe(1);
  });

  it("is asked to flush each record, in one write, before the record counts", async () => {
    const fs = new FailingFileSystem();
    await appended(await opened(fs), "a");
    expect(fs.calls.filter((call) => call === "write")).toHaveLength(1);
    expect(fs.calls.indexOf("sync")).toBeGreaterThan(fs.calls.indexOf("write"));
  });

  it("and a file that may not be read is an error, not an empty history", async () => {
    const fs: HistoryFileSystem = {
      open: () => Promise.reject(Object.assign(new Error("denied"), { code: "EACCES" })),
    };
    expect(await openHistory(path, fs)).toEqual({
      ok: false,
      error: { kind: "file", path, operation: "read", code: "EACCES" },
    });
  });
});

describe("errors in records", () => {
  const on = { tool: "ib_write_bw", host: "n018" };
  // One of each kind: a kind that the record's schema forgets does not come back.
  const everyKind: { readonly [K in AppError["kind"]]: Extract<AppError, { kind: K }> } = {
    unreachable: { kind: "unreachable", host: "n018", port: 22, code: "ETIMEDOUT" },
    auth: { kind: "auth", host: "n018", user: "root", tried: ["agent"], detail: "no" },
    "key-file": { kind: "key-file", path: "/k", problem: "passphrase" },
    "host-key-unknown": { kind: "host-key-unknown", host: "h", port: 22, keyType: "ed25519", fingerprint: "SHA256:x" },
    "host-key-changed": {
      kind: "host-key-changed",
      host: "h",
      port: 22,
      keyType: "ed25519",
      fingerprint: "SHA256:x",
      known: "SHA256:y",
      file: "/f",
      line: 3,
    },
    "connection-lost": { kind: "connection-lost", host: "n065", during: "ib_write_bw (server)" },
    "channel-refused": { kind: "channel-refused", host: "h", detail: "" },
    "tool-missing": { kind: "tool-missing", ...on, stderr: "" },
    "no-permission": { kind: "no-permission", ...on, sudo: false, stderr: "" },
    "sudo-refused": { kind: "sudo-refused", host: "h", stderr: "" },
    "no-device": { kind: "no-device", ...on, stderr: "" },
    "no-sm": { kind: "no-sm", host: "h", stderr: "" },
    "port-down": { kind: "port-down", host: "h", device: "mlx5_0", port: 1, state: "Armed" },
    "timed-out": { kind: "timed-out", what: "x", host: "h", seconds: 35 },
    cancelled: { kind: "cancelled", what: "x" },
    "output-truncated": { kind: "output-truncated", what: "x", host: "h", limitBytes: 1 },
    "command-failed": { kind: "command-failed", ...on, exitCode: 1, stderr: "" },
    parse: { kind: "parse", file: "f", line: 1, expected: "", excerpt: "" },
    "empty-output": { kind: "empty-output", what: "x" },
    "not-recognised": { kind: "not-recognised", path: "/p", hint: "binary" },
    "failed-output": { kind: "failed-output", path: "/p", tool: "x", line: 1, said: "" },
    "too-large": { kind: "too-large", path: "/p", bytes: 1, limitBytes: 1 },
    "several-fabrics": { kind: "several-fabrics", path: "/p", files: ["a"] },
    "no-topology": { kind: "no-topology", path: "/p", found: [] },
    file: { kind: "file", path: "/p", operation: "write", code: "ENOSPC" },
    "capture-damaged": { kind: "capture-damaged", path: "/p", problem: "", readable: [] },
    "capture-newer": { kind: "capture-newer", path: "/p", version: 2 },
    "no-path": { kind: "no-path", link: "l", reason: "r", help: "h" },
    busy: { kind: "busy", what: "x", by: "another Ibex" },
    "already-started": { kind: "already-started", what: "x" },
    "in-use": {
      kind: "in-use",
      uses: [
        { what: "traffic", host: "h", device: "mlx5_0", port: 1, gbps: 88.4, rateGbps: 200 },
        { what: "process", host: "h", device: "mlx5_0", tool: "ib_write_bw", pid: 7, user: "alice" },
      ],
    },
    "not-listening": { kind: "not-listening", ...on, port: 18700, seconds: 10, stderr: "" },
    "peer-refused": { kind: "peer-refused", host: "h", port: 18700, stderr: "" },
    "version-mismatch": { kind: "version-mismatch", client: "a", server: "b", detail: "" },
    perftest: { kind: "perftest", ...on, code: "retry-exceeded", text: "Failed status 12" },
    "no-result": { kind: "no-result", ...on, problem: "", output: "" },
    "unknown-id": { kind: "unknown-id", what: "plan", id: "x" },
    "bad-request": { kind: "bad-request", detail: "" },
    unsupported: { kind: "unsupported", what: "", detail: "" },
    internal: { kind: "internal", incident: "x" },
  };

  it.each(Object.values(everyKind).map((error) => [error.kind, error] as const))("%s comes back", (_, error) => {
    const record = measurement("a");
    const runs = record.runs.map((run) => ({ ...run, error }));
    const read = measurementFileSchema.safeParse(JSON.parse(JSON.stringify({ ...record, runs })));
    expect(read.success && read.data.runs[0]?.error).toEqual(error);
  });
});
