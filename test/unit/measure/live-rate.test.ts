import { describe, expect, it } from "vitest";
import { watchRate } from "../../../electron/measure/live-rate.ts";
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
});
