import { describe, expect, it } from "vitest";
import { assert } from "../../../shared/base/assert.ts";
import { measurementFileSchema } from "../../../shared/contract/measurement-file.ts";
import type { Measurement, MeasureOptions } from "../../../shared/measure/types.ts";
import type { Reply } from "../../support/scripted-runner.ts";
import { type Behaviour, devinfo, later, PairOfHosts, toolOf } from "./pair-of-hosts.ts";

async function measured(pair: PairOfHosts, options: Partial<MeasureOptions>): Promise<Measurement> {
  const result = await pair.run(options);
  assert(result.ok, JSON.stringify(result));
  expect(pair.leftovers).toEqual([]);
  return result.value;
}

async function refused(pair: PairOfHosts, options: Partial<MeasureOptions>) {
  const result = await pair.run(options);
  assert(!result.ok, JSON.stringify(result));
  expect(pair.leftovers).toEqual([]);
  return result.error;
}

const isRun = (argv: readonly string[], tool: string): boolean => argv[0] === "timeout" && toolOf(argv) === tool;
const runsOf = (lines: readonly string[]): readonly string[] => lines.filter((line) => line.startsWith("timeout"));
const portOf = (line: string): string | undefined => / -p (\d+) /.exec(line)?.[1];

/** All that has been begun by others goes on before this. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** A bandwidth client that goes on until the second latency test is over. */
function lastingLoad(end: (pair: PairOfHosts, argv: readonly string[]) => Reply | Promise<Reply>): Behaviour {
  const load = later<Reply>();
  let loadArgv: readonly string[] = [];
  let latencies = 0;
  return {
    client: (argv, pair) => {
      if (isRun(argv, "ib_write_bw")) {
        loadArgv = argv;
        return load.promise;
      }
      if (!isRun(argv, "ib_send_lat")) return undefined;
      latencies += 1;
      if (latencies === 2) void turns(50).then(async () => load.resolve(await end(pair, loadArgv)));
      return pair.usual("n018", argv);
    },
  };
}

describe("latency under load", () => {
  it("runs the bandwidth test beside it, on another port, and keeps both with one verdict", async () => {
    const pair = new PairOfHosts(lastingLoad((hosts, argv) => hosts.usual("n018", argv)));
    const measurement = await measured(pair, { preset: "loaded" });
    expect(measurement.runs.map(({ step, tool, error }) => [step?.id, tool, error])).toEqual([
      ["latency", "ib_send_lat", undefined],
      ["latency-loaded", "ib_send_lat", undefined],
      ["load", "ib_write_bw", undefined],
    ]);
    const clients = runsOf(pair.client.started);
    expect(new Set(clients.map(portOf)).size).toBe(3);
    // The load was there first.
    expect(clients.map((line) => line.split(" ")[4])).toEqual(["ib_send_lat", "ib_write_bw", "ib_send_lat"]);
    expect(measurement).toMatchObject({ latencyUs: 8220.24, loadedLatencyUs: 8220.24, bandwidthGbps: 0.14 });
    expect(measurement.verdict.sentence).toMatch(/Under load 8220\.24 µs/);
    expect(measurement.runs.every(({ client }) => client.stdout !== "")).toBe(true);
    expect(measurementFileSchema.parse(measurement)).toEqual(measurement);
  });

  it("does not count when the load was over before", async () => {
    const measurement = await measured(new PairOfHosts(), { preset: "loaded" });
    expect(measurement.verdict.level).toBe("failed");
    expect(measurement.latencyUs).toBe(8220.24);
    expect(measurement.loadedLatencyUs).toBeUndefined();
    expect(measurement.verdict.sentence).toMatch(/latency under load test gave no result.*load beside it had ended/);
  });

  it("names what the load met when it broke off, and keeps what was measured before", async () => {
    const pair = new PairOfHosts(
      lastingLoad(() => ({ stderr: " Failed status 12: wr_id 0 syndrom 0x81\n", exitCode: 1 })),
    );
    const measurement = await measured(pair, { preset: "loaded" });
    expect(measurement.runs.map(({ step, error }) => [step?.id, error?.kind])).toEqual([
      ["latency", undefined],
      ["load", "perftest"],
      ["latency-loaded", undefined],
    ]);
    expect(measurement.verdict.level).toBe("failed");
    expect(measurement.latencyUs).toBe(8220.24);
  });

  it("leaves nothing behind when it is cancelled while both run", async () => {
    const pair = new PairOfHosts({
      client: (argv, hosts) => {
        if (isRun(argv, "ib_write_bw")) return later<Reply>().promise;
        if (!isRun(argv, "ib_send_lat")) return undefined;
        if (runsOf(hosts.client.started).length < 3) return hosts.usual("n018", argv);
        hosts.controller.abort();
        return later<Reply>().promise;
      },
    });
    const measurement = await measured(pair, { preset: "loaded" });
    expect(measurement.verdict.level).toBe("cancelled");
    expect(measurement.latencyUs).toBe(8220.24);
  });
});

describe("several steps", () => {
  it("each keep their number and output, and the steps are shown one by one", async () => {
    const both = " RDMA_Write Bidirectional BW Test";
    const pair = new PairOfHosts({
      client: async (argv, hosts) => {
        const reply = await hosts.usual("n018", argv);
        if (reply === "hang" || !argv.includes("-b")) return reply;
        return { ...reply, stdout: (reply.stdout ?? "").replace(/ +RDMA_Write BW Test/, both) };
      },
    });
    const measurement = await measured(pair, { preset: "deep" });
    expect(measurement.runs.map(({ step, bandwidth }) => [step?.id, step?.queuePairs, bandwidth.length])).toEqual([
      ["qp-1", 1, 1],
      ["qp-4", 4, 1],
      ["qp-16", 16, 1],
      ["both-ways", 16, 1],
    ]);
    expect(runsOf(pair.client.started).map((line) => / -q (\d+)/.exec(line)?.[1])).toEqual(["1", "4", "16", "16"]);
    expect(pair.progress.at(-1)?.steps.map(({ id, state }) => [id, state])).toEqual([
      ["prepare", "done"],
      ["qp-1", "done"],
      ["qp-4", "done"],
      ["qp-16", "done"],
      ["both-ways", "done"],
    ]);
    expect(measurementFileSchema.parse(measurement)).toEqual(measurement);
  });
});

describe("options that a host cannot follow", () => {
  it("raw Ethernet on InfiniBand is refused before anything runs, with what to take instead", async () => {
    const error = await refused(new PairOfHosts(versionsOfAll), {
      preset: "bandwidth",
      bandwidthTool: "raw_ethernet_bw",
    });
    assert(error.kind === "unsupported", JSON.stringify(error));
    expect(error.detail).toMatch(/mlx5_3 port 1 is InfiniBand.*RoCE ports only.*ib_write_bw/);
  });

  it("raw Ethernet on RoCE sends between the hardware addresses, and what arrived counts", async () => {
    const raw = (name: "n018" | "n065", arrived: string) => (argv: readonly string[]) => {
      if (argv[0] === "ibv_devinfo") return { stdout: devinfo(name, "PORT_ACTIVE (4)", "Ethernet") };
      if (argv[1]?.endsWith("/mlx5_3/ports/1/gid_attrs/ndevs/0") === true) return { stdout: "ens1f0np0\n" };
      if (argv[1] === "/sys/class/net/ens1f0np0/address") return { stdout: `02:00:00:00:00:${name.slice(2)}\n` };
      if (isRun(argv, "raw_ethernet_bw")) return { stdout: rawOutput(arrived) };
      return versionsOf(argv);
    };
    const received = later<Reply>();
    const pair = new PairOfHosts({
      client: (argv) => {
        if (isRun(argv, "raw_ethernet_bw")) received.resolve({ stdout: rawOutput("0.09") });
        return raw("n018", "0.14")(argv);
      },
      server: (argv) => (isRun(argv, "raw_ethernet_bw") ? received.promise : raw("n065", "")(argv)),
    });
    const measurement = await measured(pair, { preset: "bandwidth", bandwidthTool: "raw_ethernet_bw" });
    expect(runsOf(pair.client.started)[0]).toContain("--client -B 02:00:00:00:00:18 -E 02:00:00:00:00:65");
    expect(runsOf(pair.server.started)[0]).toContain("--server -B 02:00:00:00:00:18 -E 02:00:00:00:00:65");
    expect(measurement.bandwidthGbps).toBe(0.09);
    expect(measurement.percent).toBeUndefined();
  });

  it("GPU memory where perftest has no CUDA, or no such GPU is there, is refused with the reason", async () => {
    const cuda = (help: string, list: Reply): Behaviour => ({
      server: (argv) =>
        argv.includes("--help") ? { stdout: help, exitCode: 1 } : argv[0] === "nvidia-smi" ? list : undefined,
      client: (argv) =>
        argv.includes("--help")
          ? { stdout: "  --use_cuda=<cuda device id>", exitCode: 1 }
          : argv[0] === "nvidia-smi"
            ? { stdout: "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-1)\nGPU 1: NVIDIA H100 80GB HBM3 (UUID: GPU-2)\n" }
            : undefined,
    });
    const options = { preset: "bandwidth", gpu: 1 } as const;
    const one = { stdout: "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-3)\n" };
    const without = await refused(new PairOfHosts(cuda("Usage: -a, --all", one)), options);
    expect(without).toMatchObject({ kind: "unsupported", what: "The memory of GPU 1 on n065" });
    expect(JSON.stringify(without)).toContain("built without CUDA");
    const few = await refused(new PairOfHosts(cuda("--use_cuda=<id>", one)), options);
    expect(JSON.stringify(few)).toContain("GPU 0 to 0 only");
    const none = await refused(
      new PairOfHosts(cuda("--use_cuda=<id>", { stderr: "not found", exitCode: 127 })),
      options,
    );
    expect(JSON.stringify(none)).toContain("nvidia-smi is not installed");
    const two = { stdout: `${one.stdout}GPU 1: NVIDIA H100 80GB HBM3 (UUID: GPU-4)\n` };
    const pair = new PairOfHosts(cuda("--use_cuda=<id>", two));
    await measured(pair, options);
    expect(runsOf(pair.client.started)[0]).toContain("--use_cuda=1");
    expect(runsOf(pair.server.started)[0]).toContain("--use_cuda=1");
  });
});

function versionsOf(argv: readonly string[]): Reply | undefined {
  return argv.includes("--version") ? { stdout: "Version: 6.06\n", exitCode: 1 } : undefined;
}

const versionsOfAll: Behaviour = { client: versionsOf, server: versionsOf };

function rawOutput(gbps: string): string {
  const rule = "-".repeat(87);
  return [
    rule,
    "                    Send BW Test",
    " Dual-port       : OFF\t\tDevice         : mlx5_3",
    " Connection type : RawEth\t\tUsing SRQ      : OFF",
    rule,
    " #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]",
    ` 1518       4000             0.00               ${gbps}                0.011528`,
    rule,
    "",
  ].join("\n");
}
