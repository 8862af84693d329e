import { describe, expect, it } from "vitest";
import { assert } from "../../../shared/base/assert.ts";
import { explain } from "../../../shared/errors/explain.ts";
import type { Measurement } from "../../../shared/measure/types.ts";
import { devinfo, later, PairOfHosts, procNetTcp, toolOf } from "./pair-of-hosts.ts";
import type { Reply } from "../../support/scripted-runner.ts";

async function measured(pair: PairOfHosts, options: Parameters<PairOfHosts["run"]>[0] = {}): Promise<Measurement> {
  const result = await pair.run(options);
  assert(result.ok, JSON.stringify(result));
  expect(pair.leftovers).toEqual([]);
  return result.value;
}

async function refused(pair: PairOfHosts) {
  const result = await pair.run();
  assert(!result.ok, JSON.stringify(result));
  expect(pair.leftovers).toEqual([]);
  return result.error;
}

const isRun = (argv: readonly string[], tool: string): boolean => argv[0] === "timeout" && toolOf(argv) === tool;
const tcpPortOf = (argv: readonly string[]): number => Number(argv[argv.indexOf("-p") + 1]);

describe("a run that goes well", () => {
  it("starts the server, then the client with its address, bandwidth before latency, each on its own port", async () => {
    const pair = new PairOfHosts();
    const measurement = await measured(pair);
    const runs = (lines: readonly string[]) => lines.filter((line) => line.startsWith("timeout"));
    expect(runs(pair.server.started)).toEqual([
      "timeout -k 5 35 ib_write_bw -d mlx5_3 -i 1 -p 18701 -q 4 -s 65536 -D 10 --report_gbits -F",
      "timeout -k 5 75 ib_send_lat -d mlx5_3 -i 1 -p 18702 -n 5000 -F",
    ]);
    expect(runs(pair.client.started)).toEqual([
      "timeout -k 5 35 ib_write_bw -d mlx5_3 -i 1 -p 18701 -q 4 -s 65536 -D 10 --report_gbits -F 10.0.0.2",
      "timeout -k 5 75 ib_send_lat -d mlx5_3 -i 1 -p 18702 -n 5000 -F 10.0.0.2",
    ]);
    expect(measurement).toMatchObject({
      version: 1,
      id: "measurement-1",
      bandwidthGbps: 0.14,
      latencyUs: 8220.24,
      expectedGbps: 0.14,
      percent: 100,
      versions: { n018: "Version: 6.06", n065: "Version: 6.06" },
      source: { kind: "ssh", simulated: false },
    });
    expect(measurement.runs.map(({ tool, error }) => ({ tool, error }))).toEqual([
      { tool: "ib_write_bw", error: undefined },
      { tool: "ib_send_lat", error: undefined },
    ]);
    expect(measurement.runs[0]?.client).toMatchObject({ host: "n018", exitCode: 0 });
    expect(measurement.runs[0]?.client.stdout).toContain("BW average[Gb/sec]");
  });

  it("runs only what the preset asks for", async () => {
    const bandwidth = await measured(new PairOfHosts(), { preset: "bandwidth" });
    expect(bandwidth.runs.map(({ tool }) => tool)).toEqual(["ib_write_bw"]);
    expect(bandwidth.latencyUs).toBeUndefined();
    const latency = await measured(new PairOfHosts(), { preset: "latency" });
    expect(latency.bandwidthGbps).toBeUndefined();
    expect(latency.percent).toBeUndefined();
  });

  it("waits until the server listens", async () => {
    let polls = 0;
    const pair: PairOfHosts = new PairOfHosts({
      server: (argv) => {
        if (argv[0] !== "cat") return undefined;
        polls += 1;
        return { stdout: procNetTcp(polls < 8 ? [22] : pair.listeningPorts()) };
      },
    });
    await measured(pair, { preset: "bandwidth" });
    expect(polls).toBe(8);
  });

  it("passes over ports that are taken on the server's host", async () => {
    let asked = false;
    const pair: PairOfHosts = new PairOfHosts({
      server: (argv) => {
        if (!argv.includes("/proc/net/tcp") || asked) return undefined;
        asked = true;
        return { stdout: procNetTcp([18701, 18702, 18703]) };
      },
    });
    const measurement = await measured(pair, { preset: "bandwidth" });
    expect(measurement.runs[0]?.server.commandLine).toContain("-p 18704 ");
  });

  it("takes another port, once, when the chosen one is taken in the meantime", async () => {
    let starts = 0;
    const taken: Reply = {
      stderr: "Couldn't listen to port 18701\nUnable to init the socket connection\n",
      exitCode: 1,
    };
    const once = new PairOfHosts({
      server: (argv) => {
        if (!isRun(argv, "ib_write_bw")) return undefined;
        starts += 1;
        return starts === 1 ? taken : undefined;
      },
    });
    expect((await measured(once, { preset: "bandwidth" })).bandwidthGbps).toBe(0.14);
    const always = new PairOfHosts({ server: (argv) => (isRun(argv, "ib_write_bw") ? taken : undefined) });
    const failed = await measured(always, { preset: "bandwidth" });
    expect(failed.runs[0]?.error).toMatchObject({ kind: "perftest", code: "port-taken" });
    expect(failed.runs[0]?.error).not.toHaveProperty("holder");
    expect(always.server.started.filter((line) => line.startsWith("timeout"))).toHaveLength(2);
  });

  it("names who holds the port when the second one is taken too", async () => {
    const pair = new PairOfHosts({
      server: (argv) => {
        if (argv[3] === "ibex-port-holder") return { stdout: "0A alice 4711 /usr/bin/ib_write_bw -p 18701 \n" };
        if (!isRun(argv, "ib_write_bw")) return undefined;
        return { stderr: "Couldn't listen to port 18701\n", exitCode: 1 };
      },
    });
    const { error } = (await measured(pair, { preset: "bandwidth" })).runs[0] ?? {};
    assert(error !== undefined, "it fails");
    expect(explain(error).sentence).toMatch(
      /found its TCP port in use, twice: ib_write_bw of alice, pid 4711 has it\.$/,
    );
  });

  it("goes on without the tables when the host has none", async () => {
    const pair = new PairOfHosts({
      server: (argv) => (argv[0] === "cat" ? { stderr: "No such file", exitCode: 1 } : undefined),
    });
    expect((await measured(pair, { preset: "bandwidth" })).bandwidthGbps).toBe(0.14);
  });

  it("ends a server that does not end with its client", async () => {
    const pair: PairOfHosts = new PairOfHosts({
      client: (argv) => {
        if (!isRun(argv, "ib_write_bw")) return undefined;
        // The client is served, the server's process stays.
        const reply = pair.usual("n018", argv);
        return reply;
      },
      server: (argv) => {
        if (!isRun(argv, "ib_write_bw")) return undefined;
        void pair.usual("n065", argv);
        return "hang";
      },
    });
    const measurement = await measured(pair, { preset: "bandwidth" });
    expect(measurement.bandwidthGbps).toBe(0.14);
    expect(measurement.runs[0]?.error).toBeUndefined();
    expect(pair.server.ended).toHaveLength(1);
  });
});

describe("what is missing is found before anything starts", () => {
  const noRunStarted = (pair: PairOfHosts): void => {
    expect([...pair.client.started, ...pair.server.started].filter((line) => line.startsWith("timeout"))).toEqual([]);
  };

  it("names the tool that is not installed, and on which host", async () => {
    const pair = new PairOfHosts({
      client: (argv) =>
        argv.join(" ") === "ib_send_lat --version" ? { stderr: "ib_send_lat: not found\n", exitCode: 127 } : undefined,
    });
    expect(await refused(pair)).toMatchObject({ kind: "tool-missing", tool: "ib_send_lat", host: "n018" });
    noRunStarted(pair);
  });

  it("refuses a host whose adapters are others", async () => {
    const pair = new PairOfHosts({
      server: (argv) =>
        ["ibv_devinfo", "ibstat"].includes(argv[0] ?? "")
          ? { stdout: devinfo("n018").replaceAll("18", "77") }
          : undefined,
    });
    const error = await refused(pair);
    expect(error).toMatchObject({ kind: "no-device", host: "n065" });
    expect(JSON.stringify(error)).toContain("0x0c42a10300000065 port 1");
    noRunStarted(pair);
  });

  it.each([
    ["PORT_ARMED (3)", "Armed"],
    ["PORT_INIT (2)", "Initialize"],
    ["PORT_DOWN (1)", "Down"],
  ])("refuses a port that is %s", async (state, name) => {
    const pair = new PairOfHosts({
      server: (argv) => (argv[0] === "ibv_devinfo" ? { stdout: devinfo("n065", state) } : undefined),
    });
    expect(await refused(pair)).toEqual({ kind: "port-down", host: "n065", device: "mlx5_3", port: 1, state: name });
    noRunStarted(pair);
  });

  it("asks ibstat where ibv_devinfo is not installed", async () => {
    const ibstat = (guid: string) =>
      `CA 'mlx5_7'\n\tNode GUID: ${guid}\n\tPort 1:\n\t\tState: Active\n\t\tBase lid: 12\n\t\tLink layer: InfiniBand\n`;
    const answer = (guid: string) => (argv: readonly string[]) => {
      if (argv[0] === "ibv_devinfo") return { exitCode: 127, stderr: "not found" };
      return argv[0] === "ibstat" ? { stdout: ibstat(guid) } : undefined;
    };
    const pair = new PairOfHosts({ client: answer("0x0c42a10300000018"), server: answer("0x0c42a10300000065") });
    expect((await measured(pair, { preset: "bandwidth" })).runs[0]?.client.commandLine).toContain("-d mlx5_7 -i 1");
  });

  it("believes the description's hint only where no tool can tell", async () => {
    const none = (argv: readonly string[]): Reply | undefined =>
      ["ibv_devinfo", "ibstat"].includes(argv[0] ?? "") ? { exitCode: 127, stderr: "not found" } : undefined;
    const pair = new PairOfHosts({ client: none, server: none });
    expect((await measured(pair, { preset: "bandwidth" })).runs[0]?.client.commandLine).toContain("-d mlx5_0 -i 1");
  });

  it("does not measure between InfiniBand and Ethernet", async () => {
    const pair = new PairOfHosts({
      server: (argv) =>
        argv[0] === "ibv_devinfo" ? { stdout: devinfo("n065", "PORT_ACTIVE (4)", "Ethernet") } : undefined,
    });
    expect(await refused(pair)).toMatchObject({
      kind: "unsupported",
      detail: "n018 has InfiniBand, n065 has Ethernet",
    });
  });

  it("passes on what the way to a host says, and stops asking the other", async () => {
    const pair = new PairOfHosts({
      client: (argv) => (argv[0] === "ibv_devinfo" ? "hang" : undefined),
      server: (argv, { server }) => {
        if (argv[0] === "ibv_devinfo") server.lose();
        return undefined;
      },
    });
    expect(await refused(pair)).toMatchObject({ kind: "connection-lost", host: "n065" });
    expect(pair.client.ended).toEqual(["ibv_devinfo"]);
  });
});

describe("a run that fails", () => {
  it("says that the server never listened, and ends it", async () => {
    const pair: PairOfHosts = new PairOfHosts({
      server: (argv) => (isRun(argv, "ib_write_bw") ? "hang" : undefined),
    });
    const measurement = await measured(pair);
    expect(measurement.runs).toHaveLength(1);
    expect(measurement.runs[0]?.error).toMatchObject({ kind: "not-listening", host: "n065", port: 18701, seconds: 15 });
    expect(measurement.verdict.level).toBe("failed");
    expect(measurement.verdict.sentence).toContain("not tried");
    expect(pair.server.ended).toHaveLength(1);
    expect(pair.client.started.some((line) => line.startsWith("timeout"))).toBe(false);
  });

  it("says why the server ended before it listened, without starting the client", async () => {
    const pair = new PairOfHosts({
      server: (argv) =>
        isRun(argv, "ib_write_bw")
          ? { stderr: " Port number 1 state is Armed\n Couldn't set the link layer\n", exitCode: 1 }
          : undefined,
    });
    const measurement = await measured(pair);
    expect(measurement.runs[0]?.error).toMatchObject({ kind: "port-down", host: "n065", state: "Armed" });
    expect(pair.client.started.some((line) => line.startsWith("timeout"))).toBe(false);
  });

  it("ends the server when the client fails", async () => {
    const pair = new PairOfHosts({
      client: (argv) =>
        isRun(argv, "ib_write_bw") ? { stderr: "Couldn't connect to 10.0.0.2:18701\n", exitCode: 1 } : undefined,
    });
    const measurement = await measured(pair);
    expect(measurement.runs[0]?.error).toMatchObject({ kind: "peer-refused", host: "n065", port: 18701 });
    expect(pair.server.ended).toHaveLength(1);
  });

  it("tries latency when only the bandwidth test's own memory was the trouble", async () => {
    const pair: PairOfHosts = new PairOfHosts({
      client: (argv) => {
        if (!isRun(argv, "ib_write_bw")) return undefined;
        pair.endServer(tcpPortOf(argv), { stderr: "ethernet_read_keys: Couldn't read remote address\n", exitCode: 1 });
        return { stderr: "Couldn't allocate MR\nfailed to create mr\n", exitCode: 1 };
      },
    });
    const measurement = await measured(pair);
    expect(measurement.runs.map(({ error }) => error?.kind)).toEqual(["perftest", undefined]);
    expect(measurement).toMatchObject({ latencyUs: 8220.24, verdict: { level: "failed" } });
    expect(measurement.bandwidthGbps).toBeUndefined();
  });

  it("ends both sides when the server's connection is lost in the middle, and keeps the number before", async () => {
    const pair: PairOfHosts = new PairOfHosts({
      client: (argv) => {
        if (!isRun(argv, "ib_send_lat")) return undefined;
        pair.server.lose();
        return "hang";
      },
    });
    const measurement = await measured(pair);
    expect(measurement).toMatchObject({ bandwidthGbps: 0.14, verdict: { level: "failed" } });
    expect(measurement.runs[1]?.error).toEqual({
      kind: "connection-lost",
      host: "n065",
      during: "ib_send_lat (server)",
    });
    expect(pair.client.ended).toHaveLength(1);
  });

  it("ends the server when the client's connection is lost", async () => {
    const pair: PairOfHosts = new PairOfHosts({
      client: (argv) => {
        if (!isRun(argv, "ib_write_bw")) return undefined;
        pair.client.lose();
        return "hang";
      },
    });
    const measurement = await measured(pair);
    expect(measurement.runs[0]?.error).toEqual({
      kind: "connection-lost",
      host: "n018",
      during: "ib_write_bw (client)",
    });
    expect(pair.server.ended).toHaveLength(1);
  });

  it("ends a client whose server has gone and that hangs", async () => {
    const pair: PairOfHosts = new PairOfHosts({
      client: (argv) => {
        if (!isRun(argv, "ib_write_bw")) return undefined;
        pair.endServer(tcpPortOf(argv), { stderr: "Couldn't allocate MR\n", exitCode: 1 });
        return "hang";
      },
    });
    const measurement = await measured(pair, { preset: "bandwidth" });
    expect(measurement.runs[0]?.error).toMatchObject({ kind: "perftest", code: "memory-locked", host: "n065" });
    expect(pair.client.ended).toHaveLength(1);
  });

  it("reports a client that hangs until its time limit", async () => {
    const pair = new PairOfHosts({
      client: (argv) => (isRun(argv, "ib_write_bw") ? { exitCode: 124, durationMs: 35_000 } : undefined),
    });
    const measurement = await measured(pair);
    expect(measurement.runs[0]?.error).toEqual({ kind: "timed-out", what: "ib_write_bw", host: "n018", seconds: 35 });
    expect(measurement.runs).toHaveLength(1);
    expect(pair.server.ended).toHaveLength(1);
  });

  it("refuses a run with exit code 0 in which nothing got through", async () => {
    const pair: PairOfHosts = new PairOfHosts({
      client: (argv) => {
        if (!isRun(argv, "ib_write_bw")) return undefined;
        pair.endServer(tcpPortOf(argv), {});
        return {
          stdout:
            " #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]\n 65536      0                0.00               0.00   \t\t   0.000000\n",
        };
      },
    });
    const measurement = await measured(pair, { preset: "bandwidth" });
    expect(measurement.runs[0]?.error).toMatchObject({
      kind: "no-result",
      problem: "nothing got through: 0 iterations",
    });
    expect(measurement.bandwidthGbps).toBeUndefined();
    expect(measurement.verdict.level).toBe("failed");
  });
});

describe("cancelling", () => {
  it("leaves nothing behind, whichever command is running when it comes", async () => {
    const total = new PairOfHosts();
    await measured(total);
    const commands = total.client.started.length + total.server.started.length;
    expect(commands).toBeGreaterThan(12);
    for (let at = 1; at <= commands; at += 1) {
      const pair: PairOfHosts = new PairOfHosts({
        onStart: (count, { controller }) => {
          if (count === at) controller.abort();
        },
      });
      const result = await pair.run();
      expect(pair.leftovers, `cancelled at command ${String(at)}`).toEqual([]);
      const bandwidthDone = pair.client.started.some(
        (line) => line.startsWith("timeout") && line.includes("ib_write_bw"),
      );
      if (result.ok) {
        // Once both tests are through, only the search for causes is cancelled: the result stands.
        const { runs, verdict, checks } = result.value;
        const whole = runs.length === 2 && runs.every(({ error }) => error === undefined);
        expect(verdict.level, `at ${String(at)}`).toBe(whole ? "bad" : "cancelled");
        expect(checks).toBeUndefined();
        expect(result.value.bandwidthGbps, `at ${String(at)}`).toBe(0.14);
        expect(bandwidthDone).toBe(true);
      } else {
        expect(result.error, `at ${String(at)}`).toEqual({ kind: "cancelled", what: "The measurement" });
      }
      // The adapters are free again.
      expect((await new PairOfHostsWith(pair).run()).ok).toBe(true);
    }
  });

  it("keeps the bandwidth that was measured before", async () => {
    const pair: PairOfHosts = new PairOfHosts({
      client: (argv) => {
        if (!isRun(argv, "ib_send_lat")) return undefined;
        pair.controller.abort();
        return "hang";
      },
    });
    const measurement = await measured(pair);
    expect(measurement).toMatchObject({ bandwidthGbps: 0.14, percent: 100, verdict: { level: "cancelled", next: [] } });
    expect(measurement.runs[1]?.error).toEqual({ kind: "cancelled", what: "ib_send_lat" });
    expect(pair.client.ended).toHaveLength(1);
    expect(pair.server.ended).toHaveLength(1);
  });
});

/** A healthy pair that shares the locks of another. */
class PairOfHostsWith extends PairOfHosts {
  private readonly other: PairOfHosts;

  constructor(other: PairOfHosts) {
    super();
    this.other = other;
  }

  override deps() {
    return { ...super.deps(), locks: this.other.locks };
  }
}

describe("losing a connection", () => {
  it.each(["client", "server"] as const)("of the %s at any command leaves nothing on the other side", async (side) => {
    const total = new PairOfHosts();
    await measured(total);
    const commands = total.client.started.length + total.server.started.length;
    for (let at = 1; at <= commands; at += 1) {
      const pair: PairOfHosts = new PairOfHosts({
        onStart: (count, hosts) => {
          if (count === at) hosts[side].lose();
        },
      });
      const result = await pair.run();
      expect(pair.leftovers, `lost at command ${String(at)}`).toEqual([]);
      if (result.ok && result.value.verdict.level !== "failed") {
        // The last commands may have been answered already.
        expect(result.value.runs.every(({ error }) => error === undefined)).toBe(true);
      } else if (result.ok) {
        expect(result.value.runs.at(-1)?.error).toMatchObject({ kind: "connection-lost", host: pair[side].host });
      } else {
        expect(result.error).toMatchObject({ kind: "connection-lost", host: pair[side].host });
      }
    }
  });
});

describe("two measurements at once", () => {
  it("are refused over one adapter or one cable, and allowed again afterwards", async () => {
    const gate = later<undefined>();
    const first: PairOfHosts = new PairOfHosts({
      client: (argv) => (argv[0] === "ibv_devinfo" ? gate.promise.then(() => first.usual("n018", argv)) : undefined),
    });
    const running = first.run();
    const second = await new PairOfHostsWith(first).run();
    expect(second).toEqual({ ok: false, error: { kind: "busy", what: "The adapter of n018" } });
    gate.resolve(undefined);
    expect((await running).ok).toBe(true);
    expect((await new PairOfHostsWith(first).run()).ok).toBe(true);
  });
});

describe("progress", () => {
  it("rises to the planned total, names each step and ends with the last word", async () => {
    const pair = new PairOfHosts();
    await measured(pair);
    const { progress } = pair;
    expect(new Set(progress.map(({ step }) => step))).toEqual(new Set(["prepare", "bandwidth", "latency"]));
    progress.slice(1).forEach(({ done }, index) => expect(done).toBeGreaterThanOrEqual(progress[index]?.done ?? 0));
    const last = progress.at(-1);
    expect(last?.done).toBe(last?.total);
    expect(last?.steps.map(({ state }) => state)).toEqual(["done", "done", "done"]);
    expect(last?.steps.map(({ note }) => note)).toEqual([
      "n018 mlx5_3 port 1; n065 mlx5_3 port 1",
      "0.14 Gb/s",
      "8220.24 µs",
    ]);
  });

  it("carries the rate that the client's port counts while the bandwidth test runs", async () => {
    let reads = 0;
    const pair: PairOfHosts = new PairOfHosts({
      client: (argv) => {
        if (
          argv.join(" ").startsWith("cat /proc/uptime /sys/class/infiniband/mlx5_3/ports/1/counters/port_xmit_data")
        ) {
          reads += 1;
          return { stdout: `${String(reads)}.00 9.00\n${String(reads * 6_250_000_000)}\n` };
        }
        if (!isRun(argv, "ib_write_bw")) return undefined;
        return new Promise((resolve) => {
          const look = (): void => {
            if (pair.progress.some(({ gbps }) => gbps !== undefined)) resolve(pair.usual("n018", argv));
            else setImmediate(look);
          };
          look();
        });
      },
    });
    await measured(pair, { preset: "bandwidth" });
    const live = pair.progress.filter(({ gbps }) => gbps !== undefined);
    expect(live.map(({ step }) => step)).toContain("bandwidth");
    expect(live[0]?.gbps).toBe(200);
  });

  it("tells the failed step and the one that was not tried", async () => {
    const pair = new PairOfHosts({ server: (argv) => (isRun(argv, "ib_write_bw") ? "hang" : undefined) });
    await measured(pair);
    expect(pair.progress.at(-1)?.steps.map(({ state }) => state)).toEqual(["done", "failed", "skipped"]);
  });
});

it("does not run a simulated plan on real hosts", async () => {
  const pair = new PairOfHosts();
  const deps = pair.deps();
  const { runMeasurement } = await import("../../../electron/measure/run-measurement.ts");
  const { planFor } = await import("./pair-of-hosts.ts");
  const result = await runMeasurement({ ...planFor(), simulated: true }, deps, {
    signal: pair.controller.signal,
    onProgress: () => undefined,
  });
  expect(result).toMatchObject({ ok: false, error: { kind: "bad-request" } });
});
