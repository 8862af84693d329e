import { describe, expect, it } from "vitest";
import { watchRate } from "../../../electron/measure/live-rate.ts";
import { createSimulatedFabric } from "../../../electron/run/simulated/catalogue.ts";
import { createSimulatedRunner } from "../../../electron/run/simulated/runner.ts";
import { assert } from "../../../shared/base/assert.ts";
import { type Reply, ScriptedHost } from "../../support/scripted-runner.ts";

/** Rates that are reported while the counters answer one reply after the other. */
async function ratesOf(replies: readonly Reply[], bothDirections = false) {
  const rates: number[] = [];
  const controller = new AbortController();
  const left = [...replies];
  const host = new ScriptedHost("n018", () => {
    const reply = left.shift();
    if (reply === undefined) controller.abort();
    return reply ?? "hang";
  });
  await watchRate(
    { runner: host, device: "mlx5_3", ibPort: 2, bothDirections },
    () => Promise.resolve(),
    controller.signal,
    (gbps) => void rates.push(gbps),
  );
  return { rates, host };
}

const at = (uptime: string, ...words: readonly (number | string)[]): Reply => ({
  stdout: `${uptime} 12345.67\n${words.join("\n")}\n`,
});

describe("the live rate of a running test", () => {
  it("is what the port sent since the last look, from words of four bytes and by the host's own clock", async () => {
    // 6.25e9 words are 25e9 bytes, 200 Gb.
    const replies = [at("7.00", 1000), at("8.00", 1000), at("9.00", 6_250_001_000), at("11.00", 12_500_001_000)];
    const { rates, host } = await ratesOf(replies);
    expect(rates).toEqual([0, 200, 100]);
    expect(host.started[0]).toBe("cat /proc/uptime /sys/class/infiniband/mlx5_3/ports/2/counters/port_xmit_data");
    expect(host.processes).toEqual([]);
  });

  it("counts what the port receives when both directions are measured", async () => {
    const { rates, host } = await ratesOf([at("1.00", 0, 5), at("2.00", 6_250_000_000, 6_250_000_005)], true);
    expect(rates).toEqual([400]);
    expect(host.started[0]).toContain("port_rcv_data");
  });

  it("keeps its digits where counters are above 2^53", async () => {
    const { rates } = await ratesOf([at("1.00", "18446744067459551615"), at("2.00", "18446744073709551615")]);
    expect(rates).toEqual([200]);
  });

  it.each<[string, Reply]>([
    ["are not there", { stdout: "2.00 5.00\n", stderr: "No such file or directory", exitCode: 1 }],
    ["are no numbers", at("2.00", "N/A")],
    ["have fallen", at("2.00", 3)],
    ["come without a clock", { stdout: "5000\n" }],
  ])("ends in silence when the counters %s", async (_, reply) => {
    const { rates, host } = await ratesOf([at("1.00", 5), reply, at("3.00", 10)]);
    expect(rates).toEqual([]);
    expect(host.started).toHaveLength(2);
  });

  it("is that of the link on simulated hosts, whose seconds are shorter than ours", async () => {
    const fabric = createSimulatedFabric("healthy");
    assert(fabric !== undefined, "the fabric is in the catalogue");
    const [server, client] = ["n001", "n002"].map((host) => createSimulatedRunner(fabric, host, { timeScale: 0.02 }));
    assert(server !== undefined && client !== undefined, "both hosts are there");
    const { signal } = new AbortController();
    const limits = { timeoutMs: 30_000, maxOutputBytes: 100_000 };
    const tool = ["ib_write_bw", "-d", "mlx5_0", "-p", "18600", "-q", "4", "-D", "20", "--report_gbits"] as const;
    const watching = new AbortController();
    const rates: number[] = [];
    const serving = server.run({ argv: tool, ...limits }, signal);
    // The server listens after 27 ms; this wait is the client's own start.
    await new Promise((resolve) => setTimeout(resolve, 60));
    const running = client.run({ argv: [...tool, "n001"], ...limits }, signal);
    const watched = watchRate(
      { runner: client, device: "mlx5_0", ibPort: 1, bothDirections: false },
      () => new Promise((resolve) => setTimeout(resolve, 20)),
      watching.signal,
      (gbps) => void rates.push(gbps),
    );
    await Promise.all([serving, running]);
    watching.abort();
    await watched;
    const busy = rates.filter((gbps) => gbps > 100);
    expect(busy.length).toBeGreaterThan(3);
    expect(Math.max(...rates)).toBeLessThan(240);
  });
});
