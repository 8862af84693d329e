import { describe, expect, it } from "vitest";
import { measurementText } from "../../../electron/cli/report.ts";
import { adapterUseText } from "../../../shared/errors/explain-measuring.ts";
import { formatGbps, formatMeasuredGbps } from "../../../shared/fabric/rates.ts";

describe("a rate in Gb/s", () => {
  it.each([
    [200, "200", "200.0"],
    [54.55, "54.6", "54.5"],
    [1, "1", "1.0"],
    [0.99, "0.99", "0.99"],
    [0.066, "0.066", "0.066"],
    [0.00142, "0.0014", "0.0014"],
    [0.00000012, "0", "0"],
    [0, "0", "0"],
  ])("%f is %s as a rate and %s as a measured one: two significant digits below 1", (gbps, rate, measured) => {
    expect([formatGbps(gbps), formatMeasuredGbps(gbps)]).toEqual([rate, measured]);
  });

  it("is not shown as 0 where little data moves, on the command line or in an error", () => {
    const row = { bytes: 2, iterations: 1000, msgRateMpps: 4, averageGbps: 0.066, peakGbps: 0.0712, line: 1 };
    const text = measurementText({
      tool: "ib_write_bw",
      bidirectional: false,
      info: {},
      bandwidth: [row],
      latency: [],
    });
    expect(text).toContain("2 bytes: 0.066 Gb/s average, 0.071 peak");
    const use = { what: "traffic", host: "n1", device: "mlx5_0", port: 1, gbps: 0.042, rateGbps: 2 } as const;
    expect(adapterUseText(use)).toContain("carries 0.042 Gb/s of 2 now");
  });
});
