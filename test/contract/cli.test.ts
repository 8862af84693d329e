/** The built command line as a script would use it: exit codes, streams, JSON. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listSweeps } from "../../electron/measure/sweep-list.ts";
import { fixtures } from "../support/understand.ts";

const program = join(import.meta.dirname, "..", "..", "dist", "main", "cli.cjs");

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

let folder: string;

function ibex(...words: readonly string[]): Promise<Ran> {
  return ibexWith({ IBEX_DATA: join(folder, "data") }, ...words);
}

function ibexWith(environment: Readonly<Record<string, string>>, ...words: readonly string[]): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [program, ...words],
      { env: { ...process.env, HOME: folder, ...environment }, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
        resolve({ code, stdout, stderr });
      },
    );
  });
}

beforeAll(() => {
  if (!existsSync(program)) throw new Error("dist/main/cli.cjs is not built: npm test builds it first");
  folder = mkdtempSync(join(tmpdir(), "ibex-cli-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe("ibex inspect", () => {
  it("prints one JSON object with the agreed keys", async () => {
    const ran = await ibex("inspect", join(fixtures, "ib/sim/ft2-32"), "--json");
    expect(ran.code).toBe(0);
    const report = JSON.parse(ran.stdout) as Record<string, unknown>;
    expect(report).toMatchObject({
      counts: {
        switches: 12,
        hcas: 37,
        routers: 0,
        aggregationNodes: 12,
        hosts: 37,
        links: 115,
        linksActive: 115,
        linksDegraded: 0,
      },
      topology: {
        kind: "fat-tree",
        tiers: [
          { name: "leaf", switches: 8 },
          { name: "spine", switches: 4 },
        ],
      },
    });
    expect(report.subnetManagers).toMatchObject([
      { guid: "0x0c42a10300000201", lid: 1, state: "MASTER", priority: 14 },
    ]);
    expect(Array.isArray(report.findings)).toBe(true);
    expect(Array.isArray(report.diagnostics)).toBe(true);
  });

  it("prints a perftest output's numbers in decimal Gb/s whatever unit the tool used", async () => {
    const ran = await ibex("inspect", join(fixtures, "perftest/rxe/read_bw_n300.client.stdout.txt"), "--json");
    if (ran.code !== 0) throw new Error(ran.stderr);
    const { measurement } = JSON.parse(ran.stdout) as {
      measurement: { tool: string; rows: { bytes: number; bwAverageGbps: number }[] };
    };
    expect(measurement.tool).toBe("ib_read_bw");
    expect(measurement.rows[0]?.bytes).toBe(65536);
    expect(measurement.rows[0]?.bwAverageGbps).toBeGreaterThan(0);
  });

  it.each([
    ["a path that is not there", () => ["/no/such/path"]],
    ["a file of no tool", () => [write("notes.txt", "hello\n")]],
    ["an empty file", () => [write("empty.txt", "")]],
    ["a damaged capture", () => [write("x.fabric", "PK\u0003\u0004zzzz")]],
    ["no path", () => []],
    ["an option it does not take", () => ["--nonsense", "x"]],
  ])("ends with 2 and one sentence for %s", async (_what, words) => {
    const ran = await ibex("inspect", ...words());
    expect(ran.code).toBe(2);
    expect(ran.stdout).toBe("");
    expect(ran.stderr.trim().split("\n")).toHaveLength(1);
    expect(ran.stderr).toMatch(/^ibex: /);
    expect(ran.stderr).not.toMatch(/\bat .*\.(?:ts|cjs):\d+/);
  });

  function write(name: string, text: string): string {
    const path = join(folder, name);
    writeFileSync(path, text, "latin1");
    return path;
  }
});

describe("ibex collect and measure on the simulated fabric", () => {
  it("collects into a capture that opens again, and measures a link of it", async () => {
    const capture = join(folder, "small.fabric");
    const collected = await ibex("collect", "--simulated", "fat-tree-small", "--out", capture);
    expect(collected.code).toBe(0);
    expect(collected.stdout).toBe("");
    const inspected = await ibex("inspect", capture, "--json");
    const report = JSON.parse(inspected.stdout) as {
      capture: { simulated: boolean };
      findings: { rule: string; link?: string }[];
    };
    expect(report.capture.simulated).toBe(true);
    const narrow = report.findings.find(({ rule }) => rule === "width-below-capability");
    expect(narrow?.link).toMatch(/^0x[0-9a-f]{16}:\d+$/);
    const measured = await ibex(
      "measure",
      capture,
      "--link",
      narrow?.link ?? "",
      "--seconds",
      "2",
      "--preset",
      "bandwidth",
    );
    if (measured.code !== 0) throw new Error(measured.stderr);
    const record = JSON.parse(measured.stdout) as {
      bandwidthGbps: number;
      expectedGbps: number;
      source: { simulated: boolean };
    };
    expect(record.source.simulated).toBe(true);
    expect(record.expectedGbps).toBe(100);
    expect(record.bandwidthGbps).toBeGreaterThan(90);
  });

  it("says what is missing instead of a stack trace", async () => {
    for (const words of [
      ["collect"],
      ["collect", "--simulated", "nothing-like-it", "--out", join(folder, "x")],
      ["measure"],
      ["frobnicate"],
    ]) {
      const ran = await ibex(...words);
      expect(ran.code).toBe(2);
      expect(ran.stderr).not.toMatch(/\bat .*\.(?:ts|cjs):\d+/);
    }
  });
});

describe("what goes wrong around ibex", () => {
  it("a data folder that is a file is an error with its path, before anything is measured", async () => {
    const capture = join(folder, "around.fabric");
    expect((await ibex("collect", "--simulated", "fat-tree-small", "--out", capture)).code).toBe(0);
    const taken = join(folder, "taken");
    writeFileSync(taken, "");
    const words = ["sweep", capture, "--all-host-links", "--simulated", "fat-tree-small", "--yes"];
    const ran = await ibexWith({ IBEX_DATA: taken }, ...words);
    expect(ran).toMatchObject({ code: 1, stdout: "" });
    expect(ran.stderr).toMatch(/taken could not be written: something else has that name/);
  });

  it.runIf(existsSync("/proc/self"))(
    "a data folder that cannot be made is an error with its path as well",
    async () => {
      const words = [
        "sweep",
        join(folder, "around.fabric"),
        "--all-host-links",
        "--simulated",
        "fat-tree-small",
        "--yes",
      ];
      const ran = await ibexWith({ IBEX_DATA: "/proc/nope" }, ...words);
      expect(ran).toMatchObject({ code: 1, stdout: "" });
      expect(ran.stderr).toMatch(/\/proc\/nope could not be written: its folder is missing, or takes nothing new/);
      const watched = await ibexWith(
        { IBEX_DATA: "/proc/nope" },
        "collect",
        "--simulated",
        "no-sm",
        "--out",
        "/proc/nope/x",
      );
      expect(watched.code).toBe(1);
    },
  );

  it.each([
    ["a cancelled sweep says so in its journal", "SIGINT", 130, "cancelled"],
    ["a killed one leaves it open", "SIGKILL", null, "open"],
  ] as const)("%s, so that the list tells them apart", async (_, signal, exitCode, end) => {
    const data = join(folder, `journal ${end}`);
    const quick = ["--preset", "bandwidth", "--seconds", "2"];
    const capture = join(folder, "journal.fabric");
    await ibex("collect", "--simulated", "fat-tree-small", "--out", capture);
    const child = spawn(
      process.execPath,
      [
        program,
        "sweep",
        capture,
        "--all-host-links",
        "--simulated",
        "fat-tree-small",
        "--concurrency",
        "1",
        ...quick,
        "--yes",
      ],
      { env: { ...process.env, HOME: folder, IBEX_DATA: data }, stdio: ["ignore", "pipe", "pipe"] },
    );
    child.stdout.once("data", () => child.kill(signal));
    const [code] = (await once(child, "close")) as [number | null];
    expect(code).toBe(exitCode);
    expect(await listSweeps(data)).toMatchObject([{ end, runBy: undefined, title: "Host links" }]);
  });

  it("a reader that closes early cancels a sweep in order, and its end says how to go on", async () => {
    const capture = join(folder, "early.fabric");
    await ibex("collect", "--simulated", "fat-tree-small", "--out", capture);
    const child = spawn(
      process.execPath,
      [program, "sweep", capture, "--all-host-links", "--simulated", "fat-tree-small", "--yes"],
      { env: { ...process.env, HOME: folder, IBEX_DATA: join(folder, "early") }, stdio: ["ignore", "pipe", "pipe"] },
    );
    let said = "";
    child.stderr.on("data", (text: Buffer) => (said += text.toString()));
    child.stdout.once("data", () => child.stdout.destroy());
    const [code] = (await once(child, "close")) as [number];
    expect(code).toBe(0);
    expect(said).toMatch(/cancelled\. The same command with --resume goes on/);
  });
});
