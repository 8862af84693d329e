import { describe, expect, it } from "vitest";
import { createSimulatedFabric } from "../../../../electron/run/simulated/catalogue.ts";
import { createSimulatedRunner } from "../../../../electron/run/simulated/runner.ts";
import { assert } from "../../../../shared/base/assert.ts";
import { ManualClock } from "./manual-clock.ts";

describe("the job that runs in a simulated fabric", () => {
  it.each([1, 0.3, 0.01])("sends at its rate by the hosts' own clocks, at a time scale of %d", (timeScale) => {
    const fabric = createSimulatedFabric("suspects");
    assert(fabric !== undefined, "the fabric is in the catalogue");
    const port = fabric.faults.find(({ kind }) => kind === "job")?.port;
    assert(port !== undefined, "a job runs there");
    const clock = new ManualClock();
    createSimulatedRunner(fabric, undefined, { clock, timeScale });
    // A second runner on the same fabric is no second job.
    createSimulatedRunner(fabric, undefined, { clock, timeScale });
    const begin = clock.now();
    const secondMs = 1000 * timeScale;
    const sentAt = (now: number): number => {
      fabric.settleCounters(now);
      return port.counters?.transmittedBytes ?? 0;
    };
    const up = (now: number): number => fabric.hostUptimeSeconds(now, secondMs);
    const [from, to] = [begin + 10, begin + 10 + 20 * secondMs];
    const [uptime, sent] = [up(from), sentAt(from)];
    const gbps = ((sentAt(to) - sent) * 8) / 1e9 / (up(to) - uptime);
    expect(gbps).toBeGreaterThan(73);
    expect(gbps).toBeLessThan(76);
  });
});
