import { describe, expect, it } from "vitest";
import { simulatedFabrics } from "../../../../electron/run/simulated/catalogue.ts";
import { generateFabricTexts } from "../../../../electron/run/simulated/texts.ts";
import { parseIblinkinfo } from "../../../../shared/parse/iblinkinfo.ts";
import { parseIbnetdiscover } from "../../../../shared/parse/ibnetdiscover.ts";
import { parsePerftest } from "../../../../shared/parse/perftest.ts";
import { parseSminfo } from "../../../../shared/parse/sminfo.ts";
import { recognise } from "../../../../shared/parse/recognise.ts";
import { Bench } from "./bench.ts";

describe("what the simulated fabric prints, read by the parsers", () => {
  it.each(simulatedFabrics.map(({ name }) => name))("is read without a remark: %s", async (name) => {
    const bench = new Bench(name);
    const discovered = await bench.run(undefined, ["ibnetdiscover"]);
    const discover = parseIbnetdiscover(discovered.stdout, { file: "ibnetdiscover" });
    expect(discover.diagnostics).toEqual([]);
    expect(discover.records.complete).toBe(true);
    expect(discover.records.nodes).toHaveLength(bench.fabric.topology.nodes.length);
    const ends = discover.records.nodes.reduce((sum, node) => sum + node.endPort - node.firstPort, 0);
    const cabled = bench.fabric.topology.nodes
      .flatMap((node) => node.ports)
      .filter((port) => port?.physical === "LinkUp");
    expect(ends).toBe(cabled.length);

    for (const argv of [["iblinkinfo"], ["iblinkinfo", "--line"]]) {
      const printed = await bench.run(undefined, argv);
      const linkinfo = parseIblinkinfo(printed.stdout, { file: "iblinkinfo" });
      expect(linkinfo.diagnostics).toEqual([]);
      expect(linkinfo.records.ports.filter((port) => port.peer !== undefined)).toHaveLength(cabled.length);
    }

    const managers = await Promise.all(
      bench.fabric.topology.managers.map(({ port }) => bench.run(undefined, ["sminfo", String(port.lid)])),
    );
    for (const [index, printed] of managers.entries()) {
      const { records, diagnostics } = parseSminfo(printed.stdout, { file: "sminfo" });
      expect(diagnostics).toEqual([]);
      expect(records.managers[0]?.priority).toBe(bench.fabric.topology.managers[index]?.priority);
    }
  });

  it("is recognised as what it is", async () => {
    const bench = new Bench("fat-tree-small");
    for (const [argv, tool] of [
      [["ibnetdiscover"], "ibnetdiscover"],
      [["iblinkinfo"], "iblinkinfo"],
      [["iblinkinfo", "--line"], "iblinkinfo-line"],
      [["sminfo"], "sminfo"],
      [["ibqueryerrors"], "ibqueryerrors"],
      [["perfquery", "-x", "1", "1"], "perfquery"],
      [["saquery", "-s"], "saquery"],
      [["ibstat"], "ibstat"],
      [["ibv_devinfo"], "ibv_devinfo"],
    ] as const) {
      expect(recognise((await bench.run(undefined, argv)).stdout)?.tool).toBe(tool);
    }
  });

  it("holds for generated fabrics of two and three levels", () => {
    for (const options of [
      { levels: 2, hosts: 100 },
      { levels: 3, hosts: 1000 },
    ] as const) {
      const texts = generateFabricTexts(options);
      const discover = parseIbnetdiscover(texts.ibnetdiscover, { file: "ibnetdiscover" });
      expect(discover.diagnostics).toEqual([]);
      expect(discover.records.nodes).toHaveLength(texts.hosts + texts.switches);
      expect(parseIblinkinfo(texts.iblinkinfo, { file: "iblinkinfo" }).diagnostics).toEqual([]);
      expect(parseIblinkinfo(texts.iblinkinfoLine, { file: "iblinkinfo" }).diagnostics).toEqual([]);
    }
  });
});

describe("what simulated perftest prints, read by the parser", () => {
  const run = async (argv: readonly string[]): Promise<string[]> => {
    const bench = new Bench("healthy");
    const server = bench.start("n001", argv);
    await bench.clock.advance(100);
    const client = bench.start("n020", [...argv, "n001"]);
    await bench.clock.advance(60_000);
    return [(await client.done).stdout, (await server.done).stdout];
  };

  it.each([
    ["ib_write_bw", ["-q", "4", "-D", "10", "--report_gbits", "-F"], 1],
    ["ib_write_bw", ["-a", "-n", "100"], 23],
    ["ib_write_bw", ["-b", "-s", "1M"], 1],
    ["ib_read_bw", ["-x", "0"], 1],
    ["ib_send_bw", ["-D", "4"], 1],
  ] as const)("reads bandwidth of %s %j", async (tool, options, rows) => {
    const [client = "", server = ""] = await run([tool, ...options]);
    const { records, diagnostics } = parsePerftest(client, { file: "client" });
    expect(diagnostics).toEqual([]);
    expect(records.bandwidth).toHaveLength(rows);
    expect(records.bandwidth.at(-1)?.averageGbps).toBeGreaterThan(180);
    const remarks = parsePerftest(server, { file: "server" }).diagnostics.map(({ code }) => code);
    expect(remarks).toEqual(["server-side"]);
  });

  it.each([
    ["ib_send_lat", ["-n", "5000", "-F"], 1],
    ["ib_write_lat", ["-a", "-n", "50"], 23],
    ["ib_read_lat", ["-D", "4"], 1],
  ] as const)("reads latency of %s %j", async (tool, options, rows) => {
    const [client = ""] = await run([tool, ...options]);
    const { records, diagnostics } = parsePerftest(client, { file: "client" });
    expect(diagnostics).toEqual([]);
    expect(records.latency).toHaveLength(rows);
    expect(records.latency[0]?.avgUs).toBeGreaterThan(1);
    expect(records.latency[0]?.avgUs).toBeLessThan(3);
  });

  it("reads why a test did not run", async () => {
    const bench = new Bench("fat-tree-small");
    const idle = await bench.run("n006", ["ib_write_bw"]);
    expect(parsePerftest(idle.stderr, { file: "stderr" }).records.failure?.code).toBe("port-not-active");
    const alone = await bench.run("n001", ["ib_send_lat", "n002"]);
    expect(parsePerftest(alone.stderr, { file: "stderr" }).records.failure?.code).toBe("could-not-connect");
    const wrong = await bench.run("n001", ["ib_send_lat", "-d", "mlx5_9"]);
    expect(parsePerftest(wrong.stderr, { file: "stderr" }).records.failure?.code).toBe("device-not-found");
  });
});
