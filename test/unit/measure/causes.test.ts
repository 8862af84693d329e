import { describe, expect, it } from "vitest";
import { checkCauses } from "../../../electron/measure/causes.ts";
import type { PreparedSide } from "../../../electron/measure/prepare.ts";
import { type HostFacts, judgeCauses } from "../../../shared/measure/causes.ts";
import { ScriptedHost } from "../../support/scripted-runner.ts";

function devinfo(mtu: number, firmware = "20.43.2566", linkLayer = "InfiniBand"): string {
  return [
    "hca_id:\tmlx5_0",
    `\tfw_ver:\t\t\t\t${firmware}`,
    "\tvendor_part_id:\t\t\t4123",
    "\t\tport:\t1",
    "\t\t\tmax_mtu:\t\t4096 (5)",
    "\t\t\tactive_mtu:\t\t1024 (3)",
    "\t\tport:\t2",
    "\t\t\tmax_mtu:\t\t4096 (5)",
    `\t\t\tactive_mtu:\t\t${String(mtu)} (5)`,
    `\t\t\tlink_layer:\t\t${linkLayer}`,
    "",
  ].join("\n");
}

const well: HostFacts = {
  host: "n018",
  device: "mlx5_0",
  port: 2,
  numaNode: "0",
  numaOnline: "0",
  width: "16",
  maxWidth: "16",
  speed: "16.0 GT/s PCIe",
  maxSpeed: "16.0 GT/s PCIe",
  governor: "performance",
  limits:
    "Limit   Soft Limit   Hard Limit   Units\nMax locked memory         unlimited            unlimited            bytes",
  devinfo: devinfo(4096),
};
const other: HostFacts = { ...well, host: "n065" };

function faults(own: Partial<HostFacts>, partner: Partial<HostFacts> = {}) {
  return judgeCauses({ ...well, ...own }, { ...other, ...partner })
    .filter(({ state }) => state === "fault")
    .map(({ host, what, detail }) => `${host} ${what}: ${detail}`);
}

describe("causes of a low result", () => {
  it("ticks everything on two healthy hosts", () => {
    const checks = judgeCauses(well, other);
    expect(checks).toHaveLength(16);
    expect(checks.every(({ state }) => state === "fine")).toBe(true);
  });

  it.each<[Partial<HostFacts>, readonly string[]]>([
    [{ width: "8" }, ["n018 pcie-width: mlx5_0 runs at x8 of x16"]],
    [{ speed: "8.0 GT/s PCIe" }, ["n018 pcie-speed: mlx5_0 runs at 8.0 GT/s PCIe of 16.0 GT/s PCIe"]],
    [{ governor: "powersave" }, ["n018 governor: it is powersave"]],
    [
      { limits: "Max locked memory         65536                65536                bytes" },
      ["n018 memlock: the login may lock 64 KiB only"],
    ],
    [{ devinfo: devinfo(2048) }, ["n018 mtu: 2048 here and 4096 on n065"]],
    [
      { numaNode: "-1", numaOnline: "0-1" },
      ["n018 numa-node: the firmware does not tell on which NUMA node mlx5_0 is (nodes 0-1 are online)"],
    ],
    [
      { devinfo: devinfo(4096, "20.41.1000") },
      [
        "n018 firmware: 20.41.1000 here and 20.43.2566 on n065 mlx5_0",
        "n065 firmware: 20.43.2566 here and 20.41.1000 on n018 mlx5_0",
      ],
    ],
  ])("names the fault of %j", (own, expected) => {
    expect(faults(own)).toEqual(expected);
  });

  it("compares firmware with every adapter of the type on both hosts, and with no other", () => {
    const sibling = devinfo(4096, "20.41.1000").replace("mlx5_0", "mlx5_1");
    const newer = devinfo(4096, "28.41.1000").replace("mlx5_0", "mlx5_2").replace("4123", "4129");
    const eight = [devinfo(4096), sibling, newer].join("\n");
    expect(faults({ devinfo: eight })).toEqual([
      "n018 firmware: 20.43.2566 here and 20.41.1000 on mlx5_1",
      "n065 firmware: 20.43.2566 here and 20.41.1000 on n018 mlx5_1",
    ]);
    expect(faults({ devinfo: [devinfo(4096), newer].join("\n") })).toEqual([]);
  });

  it("sees a port that runs as Ethernet where the other runs InfiniBand", () => {
    expect(faults({ devinfo: devinfo(4096, undefined, "Ethernet") })).toEqual([
      "n018 link-layer: Ethernet here and InfiniBand on n065",
      "n065 link-layer: InfiniBand here and Ethernet on n018",
    ]);
  });

  it("finds an MTU that is low on both ends", () => {
    expect(faults({ devinfo: devinfo(2048) }, { devinfo: devinfo(2048) })).toEqual([
      "n018 mtu: 2048 of 4096",
      "n065 mtu: 2048 of 4096",
    ]);
  });

  it("says what could not be read instead of guessing", () => {
    const bare = { host: "n018", device: "mlx5_0", port: 2 };
    const own = judgeCauses(bare, other).filter(({ host }) => host === "n018");
    expect(own.map(({ state }) => state)).toEqual(Array.from({ length: 8 }, () => "unreadable"));
    const unbound = judgeCauses({ ...well, numaNode: "1", numaOnline: "0-1" }, other).find(
      ({ what }) => what === "numa-node",
    );
    expect(unbound).toMatchObject({
      state: "unreadable",
      detail: expect.stringContaining("--cpunodebind=1") as string,
    });
  });

  it("are read from the hosts' own files, and a host that does not answer leaves them unreadable", async () => {
    const files: Readonly<Record<string, string>> = {
      "/sys/class/infiniband/mlx5_3/device/current_link_width": "8\n",
      "/sys/class/infiniband/mlx5_3/device/max_link_width": "16\n",
    };
    const side = (host: ScriptedHost): PreparedSide => ({
      endpoint: { host: host.host, nodeGuid: "0x1", node: 1, port: 1, portGuid: "0x2", lid: 3 },
      runner: host,
      address: "10.0.0.1",
      device: "mlx5_3",
      ibPort: 1,
      linkLayer: "InfiniBand",
      versions: new Map(),
    });
    const client = new ScriptedHost("n018", ([tool, path = ""]) => {
      const text = tool === "cat" ? files[path] : undefined;
      return text === undefined ? { stderr: "No such file or directory", exitCode: 1 } : { stdout: text };
    });
    const server = new ScriptedHost("n065", () => ({ exitCode: 255 }));
    server.lose();
    const checks = await checkCauses(side(client), side(server), new AbortController().signal);
    expect(checks.filter(({ state }) => state !== "unreadable")).toEqual([
      { host: "n018", what: "pcie-width", state: "fault", detail: "mlx5_3 runs at x8 of x16" },
    ]);
    expect(client.processes).toEqual([]);
  });
});
