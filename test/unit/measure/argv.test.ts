import { describe, expect, it } from "vitest";
import { expectedSeconds, limitSeconds, perftestTools, sideArgv, toolsOf } from "../../../shared/measure/argv.ts";
import { defaultMeasureOptions, type MeasureOptions, presets } from "../../../shared/measure/types.ts";

const options: MeasureOptions = {
  ...defaultMeasureOptions,
  bytes: 8388608,
  queuePairs: 16,
  seconds: 30,
  bidirectional: true,
  latencyIterations: 20000,
  gidIndex: 3,
};
const target = { device: "mlx5_2", ibPort: 2, tcpPort: 18777 };

describe("perftest command lines", () => {
  it("gives a bandwidth test all its options, once, and a time limit on the host itself", () => {
    expect(sideArgv(perftestTools.bandwidth, options, { ...target, address: "10.0.0.5" }).join(" ")).toBe(
      "timeout -k 5 55 ib_write_bw -d mlx5_2 -i 2 -p 18777 -q 16 -s 8388608 -D 30 --report_gbits -b -F -x 3 10.0.0.5",
    );
  });

  it("gives a latency test no option that it refuses (-q, -b)", () => {
    expect(sideArgv(perftestTools.latency, options, target).join(" ")).toBe(
      "timeout -k 5 225 ib_send_lat -d mlx5_2 -i 2 -p 18777 -n 20000 -F -x 3",
    );
  });

  it.each([perftestTools.bandwidth, perftestTools.latency])(
    "differs between the sides of %s in nothing but the address at the end",
    (tool) => {
      const server = sideArgv(tool, options, target);
      const client = sideArgv(tool, options, { ...target, address: "n065" });
      expect(client).toEqual([...server, "n065"]);
      const flags = server.filter((word, index) => word.startsWith("-") && index > 3);
      expect(new Set(flags).size).toBe(flags.length);
    },
  );

  it("leaves out what was not asked for", () => {
    const words = sideArgv(perftestTools.bandwidth, defaultMeasureOptions, target);
    expect(words).not.toContain("-b");
    expect(words).not.toContain("-x");
  });

  it("limits a side to longer than it is expected to take", () => {
    for (const tool of Object.values(perftestTools)) {
      for (const latencyIterations of [5, 5000, 1_000_000]) {
        const asked = { ...options, latencyIterations };
        expect(limitSeconds(tool, asked)).toBeGreaterThan(expectedSeconds(tool, asked));
      }
    }
    expect(limitSeconds(perftestTools.bandwidth, { ...options, seconds: 300 })).toBe(325);
  });

  it("runs bandwidth before latency", () => {
    expect(presets.map((preset) => toolsOf({ ...options, preset }))).toEqual([
      ["ib_write_bw", "ib_send_lat"],
      ["ib_write_bw"],
      ["ib_send_lat"],
    ]);
  });
});
