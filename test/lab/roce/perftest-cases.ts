/** The kinds of measurement with several steps, and all the tools, on the guests that the file which calls has started. */
import { expect, it } from "vitest";
import type { HostAccess } from "../../../electron/run/access.ts";
import { measurementFileSchema } from "../../../shared/contract/measurement-file.ts";
import type { Measurement, MeasureOptions, MeasurePlan } from "../../../shared/measure/types.ts";
import type { GuestShell } from "./guest-shell.ts";
import { measureWell, shortOptions } from "./measuring.ts";

type PlanOf = (options: MeasureOptions) => MeasurePlan;

export interface PerftestCases {
  /** For the cable of hosta, which is the client; and for one between switches, with hostb as the client. */
  readonly hostLink: PlanOf;
  readonly uplink: PlanOf;
  readonly access: () => HostAccess;
  /** From this machine, not through the fabric's login host. */
  readonly direct: () => Promise<HostAccess>;
  /** Of hostb, the server of the host's cable. */
  readonly hostb: () => GuestShell;
}

function stepsOf({ runs }: Measurement): readonly unknown[] {
  return runs.map(({ step, tool, error }) => [step?.id, tool, error]);
}

/** Declares the cases inside a `describe`. */
export function perftestCases({ hostLink, uplink, access, direct, hostb }: PerftestCases): void {
  const run = async (planOf: PlanOf, options: Partial<MeasureOptions>, way = access()): Promise<Measurement> => {
    const measured = await measureWell(planOf, { ...shortOptions, ...options }, way);
    // What is kept in the history reads back as it was.
    expect(measurementFileSchema.parse(JSON.parse(JSON.stringify(measured)))).toEqual(measured);
    return measured;
  };

  it("acceptance of a cable between switches, the other way round: one direction, both, latency, here with reads and a write latency", async () => {
    const measured = await run(uplink, {
      preset: "acceptance",
      bandwidthTool: "ib_read_bw",
      latencyTool: "ib_write_lat",
    });
    expect(stepsOf(measured)).toEqual([
      ["bandwidth", "ib_read_bw", undefined],
      ["both-ways", "ib_read_bw", undefined],
      ["latency", "ib_write_lat", undefined],
    ]);
    expect(measured.path).toHaveLength(4);
    expect(measured.runs[0]?.client.commandLine).toMatch(/ib_read_bw -d rxe1 /);
    expect(measured.runs[1]?.client.stdout).toContain("RDMA_Read Bidirectional BW Test");
    expect(measured.bandwidthGbps).toBeGreaterThan(0);
    expect(measured.bothWaysGbps).toBeGreaterThan(0);
    expect(measured.latencyUs).toBeGreaterThan(0);
    expect(measured.expectedGbps).toBe(200);
  });

  it("deep: 1, 4 and 16 queue pairs, then both directions, here with sends", async () => {
    // What 16 queue pairs have in flight must get through within a second: checksums are slow without hardware.
    const measured = await run(hostLink, { preset: "deep", bandwidthTool: "ib_send_bw", bytes: 64 });
    expect(stepsOf(measured)).toEqual([
      ["qp-1", "ib_send_bw", undefined],
      ["qp-4", "ib_send_bw", undefined],
      ["qp-16", "ib_send_bw", undefined],
      ["both-ways", "ib_send_bw", undefined],
    ]);
    const queuePairs = measured.runs.map(({ client }) => / -q (\d+) /.exec(client.commandLine)?.[1]);
    expect(queuePairs).toEqual(["1", "4", "16", "16"]);
    expect(measured.runs.every(({ client }) => client.stdout.includes("Send "))).toBe(true);
  });

  it("latency under load: both at once on two rendezvous ports, the load to the end, here with reads", async () => {
    const measured = await run(hostLink, {
      preset: "loaded",
      latencyTool: "ib_read_lat",
      latencyIterations: 20,
      seconds: 8,
      mtu: 1024,
    });
    expect(stepsOf(measured)).toEqual([
      ["latency", "ib_read_lat", undefined],
      ["latency-loaded", "ib_read_lat", undefined],
      ["load", "ib_write_bw", undefined],
    ]);
    const [idle, loaded, load] = measured.runs;
    expect(measured.latencyUs).toBe(idle?.latency[0]?.avgUs);
    expect(measured.loadedLatencyUs).toBe(loaded?.latency[0]?.avgUs);
    expect(measured.bandwidthGbps).toBeGreaterThan(0);
    expect(load?.client.stdout).toMatch(/Mtu +: 1024\[B\]/);
    // The load had begun before the latency test did, and ended after it.
    const ended = (record: typeof load): number => Date.parse(record?.startedAt ?? "") + (record?.durationMs ?? 0);
    expect(Date.parse(load?.startedAt ?? "")).toBeLessThan(Date.parse(loaded?.startedAt ?? ""));
    expect(ended(load)).toBeGreaterThan(ended(loaded));
  });

  it("goes to the hosts directly as well, takes a GID index, and tells the versions of both ends when they differ", async () => {
    const [path, away] = ["/usr/bin/ib_read_lat", "/usr/bin/ib_read_lat.away"];
    await hostb().run("mv", path, away);
    // Both hosts have one file system: only the server's name tells it from the client.
    const older = `#!/bin/sh\n[ "$1 $(hostname)" = "--version hostb" ] && { echo "Version: 5.96"; exit 1; }\nexec ${away} "$@"\n`;
    await hostb().run("sh", "-c", `printf '%s' "$1" >${path} && chmod 755 ${path}`, "sh", older);
    const way = await direct();
    try {
      const measured = await run(hostLink, { preset: "latency", latencyTool: "ib_read_lat", gidIndex: 1 }, way);
      expect(measured.runs[0]?.error).toBeUndefined();
      expect(measured.latencyUs).toBeGreaterThan(0);
      expect(measured.runs[0]?.client.stdout).toMatch(/GID index +: 1/);
      expect(measured.versions["hosta"]).toMatch(/Version: \d+\.\d+/);
      expect(measured.versions["hostb"]).toBe("Version: 5.96");
    } finally {
      await way.close();
      await hostb().run("mv", away, path);
    }
  });
}
