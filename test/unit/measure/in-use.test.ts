import { describe, expect, it } from "vitest";
import { explain } from "../../../shared/errors/explain.ts";
import { assert } from "../../../shared/base/assert.ts";
import { isBusy } from "../../../shared/measure/busy.ts";
import { runMeasurement } from "../../../electron/measure/run-measurement.ts";
import { PairOfHosts, planFor } from "./pair-of-hosts.ts";

/** Answers of a host whose port moves `gbps` in one of two directions; the clock goes on by a second a look. */
function moving(gbps: number, direction: "sent" | "received") {
  let looks = 0;
  return (argv: readonly string[]) => {
    if (argv[0] !== "cat" || !argv.some((word) => word.endsWith("port_rcv_data"))) return undefined;
    looks += 1;
    const words = Math.round((looks * gbps * 1e9) / 32);
    const counters = direction === "sent" ? [words, 7] : [7, words];
    return { stdout: `${String(looks)}.00 5.00\n${counters.join("\n")}\n` };
  };
}

const started = (pair: PairOfHosts) =>
  [...pair.client.started, ...pair.server.started].filter((line) => line.startsWith("timeout"));

describe("hosts whose adapters others use", () => {
  it.each(["sent", "received"] as const)("are not loaded without asking: data that is %s", async (direction) => {
    const pair = new PairOfHosts({ server: moving(0.1, direction) });
    const result = await pair.run();
    assert(!result.ok && result.error.kind === "in-use", JSON.stringify(result));
    expect(result.error.uses).toMatchObject([
      { what: "traffic", host: "n065", device: "mlx5_3", port: 1, rateGbps: 0.14 },
    ]);
    const [use] = result.error.uses;
    expect(use?.what === "traffic" && Math.abs(use.gbps - 0.1) < 0.001).toBe(true);
    expect(explain(result.error).sentence).toBe(
      "n065 mlx5_3 port 1 carries 0.10 Gb/s of 0.14 now: somebody's job runs there. Nothing was started.",
    );
    expect(started(pair)).toEqual([]);
    expect(pair.leftovers).toEqual([]);
  });

  it("are measured when the user has said so", async () => {
    const pair = new PairOfHosts({ server: moving(0.1, "sent") });
    const result = await runMeasurement(
      planFor(),
      { ...pair.deps(), allowBusy: true },
      { signal: pair.controller.signal, onProgress: () => undefined },
    );
    assert(result.ok, JSON.stringify(result));
    expect(result.value.bandwidthGbps).toBe(0.14);
  });

  it("are free with the little that every host moves", async () => {
    const pair = new PairOfHosts({ client: moving(0.001, "received"), server: moving(0.001, "sent") });
    expect((await pair.run()).ok).toBe(true);
    expect([isBusy(3.9, 200), isBusy(4.1, 200), isBusy(0.9, 0), isBusy(1.1, 0)]).toEqual([false, true, false, true]);
  });

  it("are asked of the fabric where the host does not tell, as with perfquery -x", async () => {
    let looks = 0;
    const pair: PairOfHosts = new PairOfHosts({
      server: (argv) => (argv[0] === "cat" && argv.includes("/proc/uptime") ? { exitCode: 1 } : undefined),
      client: (argv) => {
        if (argv[0] !== "perfquery") return undefined;
        looks += 1;
        const words = looks * 10_000_000;
        return {
          stdout: `# Port extended counters: Lid 650 port 1 (CapMask: 0x5300)\nPortSelect:......................1\nCounterSelect:...................0x0000\nPortXmitData:....................${String(words)}\nPortRcvData:.....................5\n`,
        };
      },
    });
    const result = await pair.run();
    assert(!result.ok && result.error.kind === "in-use", JSON.stringify(result));
    expect(pair.client.started.filter((line) => line.startsWith("perfquery"))).toEqual([
      "perfquery -x 650 1",
      "perfquery -x 650 1",
    ]);
  });

  it("are named with the pid and the user whose perftest runs on the same adapter; other adapters are nobody's business", async () => {
    const list = [
      "4711 alice other ib_write_bw -d mlx5_3 -p 18515",
      "4712 bob other ib_read_lat -d mlx5_0",
      "4713 carol live /usr/bin/ib_send_lat --ib-dev=mlx5_3 -p 18700",
      "",
    ].join("\n");
    const pair = new PairOfHosts({ client: (argv) => (argv[0] === "/bin/sh" ? { stdout: list } : undefined) });
    const result = await pair.run();
    assert(!result.ok && result.error.kind === "in-use", JSON.stringify(result));
    expect(result.error.uses).toEqual([
      { what: "process", host: "n018", device: "mlx5_3", tool: "ib_write_bw", pid: 4711, user: "alice" },
      {
        what: "process",
        host: "n018",
        device: "mlx5_3",
        tool: "ib_send_lat",
        pid: 4713,
        user: "another Ibex as carol",
      },
    ]);
    expect(explain(result.error).sentence).toContain("On n018 ib_write_bw of alice (pid 4711) runs on mlx5_3");
    expect(started(pair)).toEqual([]);
  });

  it("goes on past what an earlier run has left, which is ended, and says so", async () => {
    const left = "815 root stale ib_write_bw -d mlx5_3 -p 18700\n";
    const pair = new PairOfHosts({ server: (argv) => (argv[0] === "/bin/sh" ? { stdout: left } : undefined) });
    expect((await pair.run()).ok).toBe(true);
    expect(pair.progress.at(-1)?.steps[0]?.note).toContain("ended ib_write_bw on n065, pid 815");
  });
});
