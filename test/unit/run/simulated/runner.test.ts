import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createSimulatedAccess } from "../../../../electron/run/simulated/access.ts";
import { createSimulatedFabric, simulatedFabrics } from "../../../../electron/run/simulated/catalogue.ts";
import type { SimulatedFabric } from "../../../../electron/run/simulated/fabric.ts";
import { generateFabricTexts } from "../../../../electron/run/simulated/texts.ts";
import { Bench } from "./bench.ts";
import { fixtures } from "../../../support/understand.ts";

function fabric(name: string): SimulatedFabric {
  const made = createSimulatedFabric(name);
  if (made === undefined) throw new Error(`no fabric ${name}`);
  return made;
}

describe("the catalogue of simulated fabrics", () => {
  it("starts with the fat tree and describes each fabric as it is", () => {
    expect(simulatedFabrics[0]?.name).toBe("fat-tree");
    for (const summary of simulatedFabrics) {
      const made = fabric(summary.name);
      expect(made.topology.nodes.filter((node) => node.kind === "switch")).toHaveLength(summary.switches);
      expect(made.machines.size).toBe(summary.hosts);
      expect(made.faults).toHaveLength(summary.faults);
    }
    expect(createSimulatedFabric("nothing")).toBeUndefined();
  });

  it("builds the default: 8 spines, 16 leaves, 128 hosts and two with subnet managers", () => {
    const { topology } = fabric("fat-tree");
    const names = topology.nodes.map((node) => node.description);
    expect(names).toContain("MF0;leaf-03:MQM8700/U1");
    expect(names).toContain("MF0;spine-6:MQM8700/U1");
    expect(names).toContain("n001 mlx5_0");
    expect(names).toContain("n128 mlx5_0");
    expect(topology.nodes.filter((node) => node.kind === "aggregation")).toHaveLength(8);
    expect(
      topology.managers.map((manager) => [manager.port.node.description, manager.priority, manager.state]),
    ).toEqual([
      ["mgmt-01 mlx5_0", 14, 3],
      ["mgmt-02 mlx5_0", 5, 2],
    ]);
  });

  it("gives no two fabrics a GUID in common, and no two ports a LID", () => {
    const guids = simulatedFabrics.flatMap(({ name }) => fabric(name).topology.nodes.map((node) => node.guid));
    expect(new Set(guids).size).toBe(guids.length);
    const lids = fabric("fat-tree").topology.nodes.flatMap((node) =>
      node.kind === "switch" ? [node.lid] : node.ports.map((port) => port?.lid ?? 0).slice(1),
    );
    expect(new Set(lids).size).toBe(lids.length);
  });

  it("routes every host to every other one that is active, spreading over the spines", () => {
    const made = fabric("fat-tree");
    const ports = [...made.machines.values()].map((machine) => machine.adapters[0]?.ports[1]);
    const spines = new Map<string, number>();
    for (const from of ports) {
      for (const to of ports) {
        if (from === undefined || to === undefined || from === to) continue;
        const path = made.routes.path(from, to);
        expect(path === undefined).toBe(from.state !== "Active" || to.state !== "Active");
        const top = path?.[2]?.node.description;
        if (top?.includes("spine") === true) spines.set(top, (spines.get(top) ?? 0) + 1);
      }
    }
    expect(spines.size).toBe(8);
    const loads = [...spines.values()];
    expect(Math.max(...loads) / Math.min(...loads)).toBeLessThan(1.5);
  });
});

describe("the InfiniBand tools of the simulated fabric", () => {
  it("shows each planted fault in iblinkinfo as the real tool would", async () => {
    const bench = new Bench("fat-tree");
    const { stdout, exitCode } = await bench.run(undefined, ["iblinkinfo"]);
    expect(exitCode).toBe(0);
    expect(stdout.match(/ ==\( 2X {8}53\.125 Gbps Active\/ {2}LinkUp\)==>.*\(Could be 4X \)$/gm)).toHaveLength(2);
    expect(
      stdout.match(/ ==\( 4X {6}25\.78125 Gbps Active\/ {2}LinkUp\)==>.*\( Could be 53\.125 Gbps\)$/gm),
    ).toHaveLength(2);
    expect(stdout.match(/ Initialize\/ {2}LinkUp\)/g)).toHaveLength(2);
    const line = await bench.run(undefined, ["iblinkinfo", "--line"]);
    expect(line.stdout).toMatch(
      /^0x[0-9a-f]{16} " +MF0;leaf-11:MQM8700\/U1" +\d+ +15\[ {2}\] ==\( {16}Down\/ Polling\)==> {13}\[ {2}\] "" \( \)$/m,
    );
    expect(line.stdout).toMatch(
      /^0x[0-9a-f]{16} " +MF0;spine-7:MQM8700\/U1" +\d+ +11\[ {2}\] ==\( {16}Down\/ Polling\)/m,
    );
  });

  it("answers sminfo for the master, by LID and by GUID", async () => {
    const bench = new Bench("fat-tree");
    const master = await bench.run(undefined, ["sminfo"]);
    expect(master.stdout).toMatch(
      /^sminfo: sm lid 1 sm guid 0xc42a103\d+, activity count \d+ priority 14 state 3 SMINFO_MASTER\n$/,
    );
    const standby = bench.fabric.topology.managers[1]?.port;
    const byLid = await bench.run(undefined, ["sminfo", String(standby?.lid)]);
    expect(byLid.stdout).toContain("priority 5 state 2 SMINFO_STANDBY\n");
    const byGuid = await bench.run(undefined, ["sminfo", "-G", `0x${standby?.guid ?? ""}`]);
    expect(byGuid.stdout.replace(/count \d+/, "")).toBe(byLid.stdout.replace(/count \d+/, ""));
    const nobody = await bench.run(undefined, ["sminfo", "5"]);
    expect(nobody).toMatchObject({ exitCode: 255, stdout: "sminfo: iberror: failed: query\n" });
    expect(nobody.stderr).toMatch(/^ibwarn: \[\d+\] mad_rpc: _do_madrpc failed; dport \(Lid 5\)\n$/);
  });

  it("fails as the real tools do without a subnet manager, and still discovers", async () => {
    const bench = new Bench("no-sm");
    const sminfo = await bench.run(undefined, ["sminfo"]);
    expect(sminfo).toMatchObject({ exitCode: 255, stdout: "sminfo: iberror: failed: query\n" });
    expect(sminfo.stderr).toMatch(
      /^ibwarn: \[\d+\] mad_rpc: _do_madrpc failed; dport \(DR path slid 0; dlid 0; 0\)\n$/,
    );
    const saquery = await bench.run(undefined, ["saquery", "-s"]);
    expect(saquery.exitCode).toBe(255);
    expect(saquery.stderr).toContain("ibpanic: ");
    const discovered = await bench.run(undefined, ["ibnetdiscover"]);
    expect(discovered.stdout.match(/^Switch\t.* lid 0 lmc 0$/gm)).toHaveLength(6);
    const test = await bench.run("n001", ["ib_write_bw"]);
    expect(test.stderr).toMatch(/^ Port number 1 state is Init\n/);
  });

  it("reports the erring link in ibqueryerrors and perfquery", async () => {
    const bench = new Bench("fat-tree");
    const { stdout, exitCode } = await bench.run(undefined, ["ibqueryerrors"]);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(
      /^Errors for 0xb8cef603[0-9a-f]+ "MF0;leaf-14:MQM8700\/U1"\n {3}GUID 0x[0-9a-f]+ port ALL: \[SymbolErrorCounter == 4127\] \[PortRcvErrors == 318\]\n {3}GUID 0x[0-9a-f]+ port 11: /m,
    );
    expect(stdout).toMatch(
      /\n\n## Summary: 162 nodes checked, 2 bad nodes found\n## {10}1108 ports checked, 2 ports have errors beyond threshold\n## Thresholds: \n## Suppressed:\n$/,
    );
    const healthy = await new Bench("healthy").run(undefined, ["ibqueryerrors"]);
    expect(healthy.exitCode).toBe(0);
    const port = bench.fabric.faults.find((fault) => fault.kind === "errors")?.port;
    const counters = await bench.run(undefined, ["perfquery", "-x", String(port?.node.lid), String(port?.number)]);
    // One more every five seconds, and a minute lies between the two.
    const symbols = Number(/^SymbolErrorCounter:\.+(\d+)$/m.exec(counters.stdout)?.[1]);
    expect(symbols).toBeGreaterThan(4127);
    expect(symbols).toBeLessThanOrEqual(4127 + 12);
  });

  it("traces the route that measurements take", async () => {
    const bench = new Bench("fat-tree");
    const [from, to] = ["n065", "n001"].map((name) => bench.fabric.machines.get(name)?.adapters[0]?.ports[1]);
    if (from === undefined || to === undefined) throw new Error("the fabric has these hosts");
    const { stdout, exitCode } = await bench.run(undefined, ["ibtracert", String(from.lid), String(to.lid)]);
    expect(exitCode).toBe(0);
    expect(stdout.replace(/0x[0-9a-f]{16}/g, "GUID").replace(/lid \d+-\d+/g, "lid")).toBe(
      [
        'From ca {GUID} portnum 1 lid "n065 mlx5_0"',
        '[1] -> switch port {GUID}[1] lid "MF0;leaf-09:MQM8700/U1"',
        '[14] -> switch port {GUID}[9] lid "MF0;spine-6:MQM8700/U1"',
        '[1] -> switch port {GUID}[14] lid "MF0;leaf-01:MQM8700/U1"',
        '[1] -> ca port {GUID}[1] lid "n001 mlx5_0"',
        'To ca {GUID} portnum 1 lid "n001 mlx5_0"',
        "",
      ].join("\n"),
    );
    expect((await bench.run(undefined, ["ibtracert", "1", "9999"])).exitCode).toBe(255);
  });

  it("leaves the names out of forwarding tables with -n, and nothing else, as the real tools do", async () => {
    const nameless = (text: string): string => text.replace(/: \(.*\)$/gm, "");
    const real = (name: string) => readFileSync(join(fixtures, "ib/sim/ft2-32", name), "utf8");
    expect(nameless(real("ibroute.txt"))).toBe(real("ibroute-n.txt"));
    const bench = new Bench("fat-tree-small", { latencyScale: 0 });
    const leaf = bench.fabric.topology.nodes.find(({ kind }) => kind === "switch");
    const lid = String(leaf?.lid ?? 0);
    for (const [plain, short] of [
      [
        ["ibroute", lid],
        ["ibroute", "-n", lid],
      ],
      [["dump_fts"], ["dump_fts", "-n"]],
      [
        ["ibroute", lid],
        ["ibroute", "--no_dests", lid],
      ],
    ] as const) {
      const [named, numbers] = [await bench.run(undefined, plain), await bench.run(undefined, short)];
      expect(numbers.exitCode).toBe(0);
      expect(named.stdout).not.toBe(numbers.stdout);
      expect(numbers.stdout).toBe(nameless(named.stdout));
    }
  });

  it("tells versions on stderr and devices that it cannot open", async () => {
    const bench = new Bench("fat-tree-small");
    expect(await bench.run(undefined, ["ibnetdiscover", "-V"])).toMatchObject({
      exitCode: 0,
      stdout: "",
      stderr: "ibnetdiscover BUILD VERSION: 44.0\n",
    });
    const wrong = await bench.run(undefined, ["iblinkinfo", "-C", "nope"]);
    expect(wrong.exitCode).toBe(1);
    expect(wrong.stderr).toMatch(
      /^ibwarn: \[\d+\] mad_rpc_open_port: can't open UMAD port \(nope:0\)\nFailed to open nope port 0\n$/,
    );
    const right = await bench.run(undefined, ["iblinkinfo", "-C", "mlx5_0", "-P", "1", "--line"]);
    expect(right.exitCode).toBe(0);
  });

  it("shows the adapter of a host", async () => {
    const bench = new Bench("fat-tree-small");
    const ibstat = await bench.run("n003", ["ibstat", "mlx5_0"]);
    expect(ibstat.stdout).toContain("\t\tState: Active\n\t\tPhysical state: LinkUp\n\t\tRate: 100\n");
    const idle = await bench.run("n006", ["ibv_devinfo", "-d", "mlx5_0"]);
    expect(idle.stdout).toContain("\t\t\tstate:\t\t\tPORT_INIT (2)\n");
    expect((await bench.run("n006", ["ibstat", "mlx5_7"])).exitCode).toBe(255);
  });
});

describe("the simulated runner", () => {
  it("answers what a probe asks", async () => {
    const bench = new Bench("fat-tree");
    expect((await bench.run("n007", ["hostname"])).stdout).toBe("n007\n");
    expect((await bench.run("n007", ["id", "-u"])).stdout).toBe("0\n");
    expect((await bench.run("n007", ["uname", "-a"])).stdout).toMatch(/^Linux n007 /);
    expect(await bench.run("n007", ["ib_write_bw", "--version"])).toMatchObject({
      stdout: "Version: 6.06\n",
      exitCode: 1,
    });
    expect(await bench.run("n007", ["which", "ibnetdiscover", "ib_send_lat", "mlxlink"])).toMatchObject({
      stdout: "/usr/sbin/ibnetdiscover\n/usr/bin/ib_send_lat\n",
      exitCode: 1,
    });
    expect((await bench.run("n007", ["ls", "/sys/class/infiniband_mad"])).stdout).toBe("abi_version\nissm0\numad0\n");
    expect(await bench.run("n007", ["cat", "/no/such/file"])).toMatchObject({
      stderr: "cat: /no/such/file: No such file or directory\n",
      exitCode: 1,
    });
    expect((await bench.run("n007", ["cat", "/sys/class/infiniband/mlx5_0/ports/1/rate"])).stdout).toBe(
      "200 Gb/sec (4X HDR)\n",
    );
    expect((await bench.run("n007", ["test", "-r", "/sys/class/infiniband/mlx5_1/node_guid"])).exitCode).toBe(1);
    expect((await bench.run("n007", ["sh", "-c", "command -v iblinkinfo sminfo"])).stdout).toBe(
      "/usr/sbin/iblinkinfo\n/usr/sbin/sminfo\n",
    );
  });

  it("ends an unknown program with 127 and the shell's words", async () => {
    const result = await new Bench("healthy").run(undefined, ["mlxlink", "-d", "mlx5_0"]);
    expect(result).toMatchObject({ exitCode: 127, stderr: "sh: 1: mlxlink: not found\n", error: undefined });
  });

  it("passes output on as it comes and cuts it at the limit", async () => {
    const bench = new Bench("fat-tree");
    let seen = 0;
    const result = await bench.run(undefined, ["ibnetdiscover"], {
      maxOutputBytes: 1000,
      onOutput: (_stream, piece) => {
        seen += piece.length;
      },
    });
    expect(result.error).toMatchObject({ kind: "output-truncated", limitBytes: 1000 });
    expect(result.stdout).toHaveLength(1000);
    expect(seen).toBe(1000);
  });

  it("ends a command at its time limit, at an abort, and when it is closed", async () => {
    const bench = new Bench("healthy");
    const limited = await bench.run("n001", ["sleep", "100"], { timeoutMs: 2000 });
    expect(limited.error).toMatchObject({ kind: "timed-out", seconds: 2 });
    expect(limited.durationMs).toBe(2000);
    const aborted = bench.start("n001", ["sleep", "100"]);
    aborted.abort();
    expect((await aborted.done).error?.kind).toBe("cancelled");
    const runner = bench.runner("n001");
    const running = runner.run(
      { argv: ["sleep", "100"], timeoutMs: 1e6, maxOutputBytes: 10 },
      new AbortController().signal,
    );
    await runner.close();
    expect(await running).toMatchObject({ ok: false, error: { kind: "cancelled" } });
    expect(
      await runner.run({ argv: ["true"], timeoutMs: 1e6, maxOutputBytes: 10 }, new AbortController().signal),
    ).toMatchObject({ ok: false });
    expect(bench.fabric.machines.get("n001")?.processes.size).toBe(0);
  });

  it("gives every process its own pid", () => {
    const bench = new Bench("healthy");
    const started = ["n001", "n002", undefined].flatMap((host) => [
      bench.start(host, ["sleep", "1"]),
      bench.start(host, ["sleep", "1"]),
    ]);
    expect(new Set(started.map((process) => process.pid)).size).toBe(6);
    for (const process of started) process.abort();
  });
});

describe("the simulated access", () => {
  it("reaches the hosts of the fabric by name and no others", async () => {
    const access = createSimulatedAccess(fabric("fat-tree-small"), { unreachable: ["n002"] });
    const { signal } = new AbortController();
    expect(access.simulated).toBe(true);
    expect(access.source.host).toBe("mgmt-01");
    expect(access.source.label).toContain("simulated");
    const host = await access.host("n001", signal);
    expect(host).toMatchObject({ ok: true, value: { address: "n001", runner: { kind: "simulated", host: "n001" } } });
    expect(await access.host("n001", signal)).toEqual(host);
    expect(await access.host("n002", signal)).toMatchObject({
      ok: false,
      error: { kind: "unreachable", code: "ECONNREFUSED" },
    });
    expect(await access.host("n999", signal)).toMatchObject({
      ok: false,
      error: { kind: "unreachable", code: "ENOTFOUND" },
    });
    await access.close();
  });
});

describe("texts for benchmarks", () => {
  it("makes fabrics of the size asked for, the same each time", () => {
    for (const options of [
      { levels: 2, hosts: 100 },
      { levels: 3, hosts: 1000 },
    ] as const) {
      const texts = generateFabricTexts(options);
      expect(texts.hosts).toBe(options.hosts + 2);
      expect(texts.ibnetdiscover.match(/^Ca\t/gm)).toHaveLength(texts.hosts);
      expect(texts.ibnetdiscover.match(/^Switch\t/gm)).toHaveLength(texts.switches);
      expect(texts.ibnetdiscover.match(/^\[/gm)).toHaveLength(2 * texts.links);
      expect(texts.iblinkinfo.match(/==>.*/g)).toHaveLength(texts.iblinkinfoLine.match(/\n/g)?.length ?? 0);
      expect(generateFabricTexts(options)).toEqual(texts);
    }
  });
});
