/**
 * Measuring with real processes of this machine: real `timeout`, real /proc/net/tcp, real signals. The tools are
 * small programs that listen, connect and print as perftest does, so that no adapter is needed; where perftest itself is
 * installed its own errors are checked too.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MeasureLocks } from "../../electron/measure/locks.ts";
import { randomRendezvousPort } from "../../electron/measure/random-port.ts";
import { runMeasurement } from "../../electron/measure/run-measurement.ts";
import type { HostAccess } from "../../electron/run/access.ts";
import { createLocalRunner } from "../../electron/run/local.ts";
import type { CommandRunner } from "../../electron/run/runner.ts";
import { assert } from "../../shared/base/assert.ts";
import { ok, type Result } from "../../shared/base/result.ts";
import { defaultTools } from "../../shared/measure/steps.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import type { Measurement, MeasureOptions } from "../../shared/measure/types.ts";
import { processAlive } from "../support/processes.ts";
import { devinfo, planFor } from "../unit/measure/pair-of-hosts.ts";

const recordings = new URL("../fixtures/perftest/rxe/", import.meta.url).pathname;

/** The role, how it behaves (`FAKE_CLIENT`: `fast`, `hang`), and its pid for the test. */
const fakeTool = `#!${process.execPath}
const { appendFileSync, readFileSync } = require("node:fs");
const net = require("node:net");
const [tool, args] = [process.argv[1].split("/").pop(), process.argv.slice(2)];
if (args.includes("--version")) { console.log("Version: 6.06"); process.exit(1); }
const port = Number(args[args.indexOf("-p") + 1]);
const address = args.at(-1) === "127.0.0.1" ? args.at(-1) : undefined;
const role = address === undefined ? "server" : "client";
appendFileSync(process.env.FAKE_PIDS, role + " " + process.pid + "\\n");
const recording = tool === "ib_write_bw" ? "write_bw_default_gbits" : "send_lat_n100";
const finish = () => { process.stdout.write(readFileSync(process.env.FAKE_RECORDINGS + recording + "." + role + ".stdout.txt")); process.exit(0); };
const lost = () => { console.error("ethernet_read_keys: Couldn't read remote address"); process.exit(1); };
if (role === "server") {
  const server = net.createServer((socket) => {
    server.close();
    socket.on("data", finish);
    socket.on("close", lost);
    socket.on("error", lost);
  });
  server.listen(port, "0.0.0.0");
} else {
  const socket = net.connect(port, address);
  socket.on("error", () => { console.error("Couldn't connect to " + address + ":" + port); process.exit(1); });
  socket.on("close", lost);
  if (process.env.FAKE_CLIENT !== "hang") socket.on("connect", () => socket.write("done", finish));
}
`;

let folder = "";
let runners: CommandRunner[] = [];

function fakes(): readonly { readonly role: string; readonly pid: number }[] {
  const file = join(folder, "pids");
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => ({ role: line.split(" ")[0] ?? "", pid: Number(line.split(" ")[1]) }));
}

async function install(bin: string, name: string, text: string): Promise<void> {
  await mkdir(join(folder, bin), { recursive: true });
  await writeFile(join(folder, bin, name), text);
  await chmod(join(folder, bin, name), 0o755);
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "ibex-measure-"));
  runners = [];
  for (const tool of ["ib_write_bw", "ib_send_lat"]) await install("fake", tool, fakeTool);
  for (const host of ["n018", "n065"] as const) {
    await install(host, "ibv_devinfo", `#!/bin/sh\ncat <<'END'\n${devinfo(host)}\nEND\n`);
  }
});

afterEach(async () => {
  await Promise.all(runners.map((runner) => runner.close()));
  await rm(folder, { recursive: true, force: true });
});

/** Two hosts that are both this machine, each with its own ibv_devinfo. */
function access(perftest: "fake" | "real", client: "fast" | "hang" = "fast"): HostAccess & { hosts: CommandRunner[] } {
  const hosts = ["n018", "n065"].map((host) =>
    createLocalRunner({
      environment: {
        ...process.env,
        PATH: [join(folder, host), ...(perftest === "fake" ? [join(folder, "fake")] : []), process.env["PATH"]].join(
          delimiter,
        ),
        FAKE_PIDS: join(folder, "pids"),
        FAKE_RECORDINGS: recordings,
        FAKE_CLIENT: client,
      },
    }),
  );
  runners.push(...hosts);
  const [first, second] = hosts;
  assert(first !== undefined && second !== undefined, "two hosts");
  return {
    hosts,
    source: first,
    simulated: false,
    host: (name) => Promise.resolve(ok({ runner: name === "n018" ? first : second, address: "127.0.0.1" })),
    close: () => Promise.resolve(),
  };
}

function run(
  hosts: HostAccess,
  signal: AbortSignal = new AbortController().signal,
  onNote: (note: string) => void = () => undefined,
  options: Partial<MeasureOptions> = {},
): Promise<Result<Measurement, AppError>> {
  return runMeasurement(
    planFor(options),
    {
      access: hosts,
      locks: new MeasureLocks(),
      now: () => Date.now(),
      randomPort: randomRendezvousPort,
      passPercent: 95,
      sourceInfo: { kind: "local", label: "this machine", simulated: false },
    },
    { signal, onProgress: ({ note }) => onNote(note) },
  );
}

/** Calls `action` once, as soon as the client's process is there and the server has met it. */
function onceClientRuns(action: () => void): () => void {
  const timer = setInterval(() => {
    if (!fakes().some(({ role }) => role === "client")) return;
    clearInterval(timer);
    action();
  }, 20);
  return () => clearInterval(timer);
}

async function expectNothingLeft(): Promise<void> {
  const started = fakes();
  expect(started.length).toBeGreaterThan(0);
  for (const { role, pid } of started) expect(await processAlive(pid), `${role} ${String(pid)}`).toBe(false);
}

describe("measuring with real processes", () => {
  it("runs both tools to the end and leaves no process", async () => {
    const result = await run(access("fake"));
    expect(result).toMatchObject({
      ok: true,
      value: {
        bandwidthGbps: 0.14,
        latencyUs: 8220.24,
        runs: [{ server: { exitCode: 0 } }, { client: { exitCode: 0 } }],
      },
    });
    expect(fakes().map(({ role }) => role)).toEqual(["server", "client", "server", "client"]);
    await expectNothingLeft();
  });

  it("ends both sides by pid when it is cancelled in the middle", async () => {
    const controller = new AbortController();
    const stop = onceClientRuns(() => controller.abort());
    const result = await run(access("fake", "hang"), controller.signal);
    stop();
    expect(result).toEqual({ ok: false, error: { kind: "cancelled", what: "The measurement" } });
    await expectNothingLeft();
  });

  it.each([
    ["client", 0],
    ["server", 1],
  ] as const)("ends the other side when the %s's connection goes", async (_, index) => {
    const hosts = access("fake", "hang");
    const stop = onceClientRuns(() => void hosts.hosts[index]?.close());
    const result = await run(hosts, undefined, undefined, { preset: "bandwidth" });
    stop();
    assert(result.ok, JSON.stringify(result));
    expect(result.value.verdict.level).toBe("failed");
    expect(result.value.runs[0]?.error).toBeDefined();
    await expectNothingLeft();
  });

  it("says so when somebody kills the server in the middle", async () => {
    const stop = onceClientRuns(() => {
      const server = fakes().find(({ role }) => role === "server");
      if (server !== undefined) process.kill(server.pid, "SIGKILL");
    });
    const result = await run(access("fake", "hang"), undefined, undefined, { preset: "bandwidth" });
    stop();
    assert(result.ok, JSON.stringify(result));
    expect(result.value.runs[0]?.error).toMatchObject({
      kind: "no-result",
      host: "n065",
      problem: "it was ended by signal SIGKILL",
    });
    await expectNothingLeft();
  });
});

const installed = spawnSync(defaultTools.bandwidth, ["--version"]).error === undefined;
const adapters = existsSync("/sys/class/infiniband") && readdirSync("/sys/class/infiniband").length > 0;

describe.skipIf(!installed || adapters)("perftest itself, without an adapter", () => {
  it("is there although its version ends with 1, and its own words tell that there is no device", async () => {
    const result = await run(access("real"));
    assert(result.ok, JSON.stringify(result));
    expect(result.value.versions["n018"]).toMatch(/^Version: \d+\.\d+$/);
    expect(result.value.runs).toHaveLength(1);
    expect(result.value.runs[0]?.error).toMatchObject({ kind: "perftest", code: "no-device", host: "n065" });
    expect(result.value.runs[0]?.server).toMatchObject({ exitCode: 1 });
    const port = / -p (\d+) /.exec(result.value.runs[0]?.server.commandLine ?? "")?.[1] ?? "";
    expect(port).not.toBe("");
    expect(spawnSync("pgrep", ["-f", `^ib_write_bw .*-p ${port} `]).stdout.toString()).toBe("");
  });
});
