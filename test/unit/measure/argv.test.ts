import { describe, expect, it } from "vitest";
import { expectedSeconds, limitSeconds, sideArgv } from "../../../shared/measure/argv.ts";
import { defaultTools } from "../../../shared/measure/steps.ts";
import { defaultMeasureOptions, type MeasureOptions } from "../../../shared/measure/types.ts";

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
    expect(sideArgv(defaultTools.bandwidth, options, { ...target, address: "10.0.0.5" }).join(" ")).toBe(
      "timeout -k 5 55 ib_write_bw -d mlx5_2 -i 2 -p 18777 -q 16 -s 8388608 -D 30 --report_gbits -b -F -x 3 10.0.0.5",
    );
  });

  it("gives a latency test no option that it refuses (-q, -b)", () => {
    expect(sideArgv(defaultTools.latency, options, target).join(" ")).toBe(
      "timeout -k 5 225 ib_send_lat -d mlx5_2 -i 2 -p 18777 -n 20000 -F -x 3",
    );
  });

  it.each([defaultTools.bandwidth, defaultTools.latency])(
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
    const words = sideArgv(defaultTools.bandwidth, defaultMeasureOptions, target);
    expect(words).not.toContain("-b");
    expect(words).not.toContain("-x");
  });

  it("limits a side to longer than it is expected to take", () => {
    for (const tool of Object.values(defaultTools)) {
      for (const latencyIterations of [5, 5000, 1_000_000]) {
        const asked = { ...options, latencyIterations };
        expect(limitSeconds(tool, asked)).toBeGreaterThan(expectedSeconds(tool, asked));
      }
    }
    expect(limitSeconds(defaultTools.bandwidth, { ...options, seconds: 300 })).toBe(325);
  });

  it("measures all sizes by a number of messages, as no duration goes with them", () => {
    const swept = { ...options, sizeIterations: 1000 };
    const line = sideArgv("ib_write_bw", swept, target).join(" ");
    expect(line).toContain(" -a -n 1000 ");
    expect(line).not.toMatch(/ -[sD] /);
    expect(sideArgv("ib_read_lat", swept, target).join(" ")).toContain(
      "ib_read_lat -d mlx5_2 -i 2 -p 18777 -a -n 1000 ",
    );
    expect(limitSeconds("ib_write_bw", swept)).toBeGreaterThan(expectedSeconds("ib_write_bw", swept, 10));
    expect(expectedSeconds("ib_write_bw", swept, 400)).toBeLessThan(expectedSeconds("ib_write_bw", swept, 100));
  });

  it("names MTU, service level and GPU only where they are asked for", () => {
    const asked = { ...options, mtu: 2048, serviceLevel: 3, gpu: 1 } as const;
    expect(sideArgv("ib_send_bw", asked, target).join(" ")).toMatch(/ --use_cuda=1 -F -m 2048 -S 3/);
    expect(sideArgv("ib_send_lat", asked, target).join(" ")).toMatch(/ -F -m 2048 -S 3/);
    expect(sideArgv("ib_send_lat", asked, target).join(" ")).not.toContain("cuda");
    expect(sideArgv("ib_send_bw", defaultMeasureOptions, target).join(" ")).not.toMatch(/ -[mS] |cuda/);
  });

  it("gives raw Ethernet both hardware addresses, no rendezvous, and a receiver that outlasts the sender", () => {
    const raw = { own: "02:00:00:00:00:01", other: "02:00:00:00:00:02" };
    const client = sideArgv("raw_ethernet_bw", defaultMeasureOptions, {
      ...target,
      address: "n065",
      raw: { role: "client", ...raw },
    }).join(" ");
    const server = sideArgv("raw_ethernet_bw", defaultMeasureOptions, {
      ...target,
      raw: { role: "server", own: raw.other, other: raw.own },
    }).join(" ");
    const addresses = "-B 02:00:00:00:00:01 -E 02:00:00:00:00:02";
    expect(client).toContain(`-s 1518 --client ${addresses} -D 10 --report_gbits -F`);
    expect(server).toContain(`-s 1518 --server ${addresses} -D 14 -f 4 --report_gbits -F`);
    expect(client).not.toMatch(/ -p |n065/);
  });
});
