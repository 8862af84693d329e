import { describe, expect, it } from "vitest";
import { watchRate } from "../../../electron/measure/live-rate.ts";
import { type Reply, ScriptedHost } from "../../support/scripted-runner.ts";

/** Rates that are reported while the counters answer one reply after the other, a second apart. */
async function ratesOf(replies: readonly Reply[], bothDirections = false) {
  let clock = 0;
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
    {
      now: () => clock,
      sleep: (milliseconds) => {
        clock += milliseconds;
        return Promise.resolve();
      },
    },
    controller.signal,
    (gbps) => void rates.push(gbps),
  );
  return { rates, host };
}

const words = (...values: readonly number[]): Reply => ({ stdout: `${values.join("\n")}\n` });

describe("the live rate of a running test", () => {
  it("is what the port sent since the last look, from words of four bytes", async () => {
    // 6.25e9 words are 25e9 bytes, 200 Gb in one second.
    const { rates, host } = await ratesOf([words(1000), words(1000), words(6_250_001_000), words(9_375_001_000)]);
    expect(rates).toEqual([0, 200, 100]);
    expect(host.started[0]).toBe("cat /sys/class/infiniband/mlx5_3/ports/2/counters/port_xmit_data");
    expect(host.processes).toEqual([]);
  });

  it("counts what the port receives when both directions are measured", async () => {
    const { rates, host } = await ratesOf([words(0, 5), words(6_250_000_000, 6_250_000_005)], true);
    expect(rates).toEqual([400]);
    expect(host.started[0]).toContain("port_rcv_data");
  });

  it("keeps its digits where counters are above 2^53", async () => {
    const { rates } = await ratesOf([{ stdout: "18446744067459551615\n" }, { stdout: "18446744073709551615\n" }]);
    expect(rates).toEqual([200]);
  });

  it.each<[string, Reply]>([
    ["are not there", { stderr: "No such file or directory", exitCode: 1 }],
    ["are no numbers", { stdout: "N/A\n" }],
    ["have fallen", words(3)],
  ])("ends in silence when the counters %s", async (_, reply) => {
    const { rates, host } = await ratesOf([words(5), reply, words(10)]);
    expect(rates).toEqual([]);
    expect(host.started).toHaveLength(2);
  });
});
