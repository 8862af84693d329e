import { describe, expect, it } from "vitest";
import { bandwidthRow, latencyDurationRow, latencyRow } from "../../../../electron/run/simulated/perftest-text.ts";
import { Bench } from "./bench.ts";
import { averageOf, bandwidth, pair } from "./pairs.ts";

function typicalOf(stdout: string): number {
  return Number(/^ \d+ +\d+ +\S+ +\S+ +(\S+)/m.exec(stdout)?.[1] ?? Number.NaN);
}

describe("rows of the tables", () => {
  const gbps = (mebibytes: number): number => (mebibytes * 8 * 1_048_576) / 1e9;

  // The expected lines were printed by perftest 4.5-0.17 (over Soft-RoCE, hence the small numbers).
  it("prints bandwidth rows with perftest's own spacing", () => {
    expect(
      bandwidthRow({ bytes: 65536, iterations: 5000, peakGbps: gbps(25.95), averageGbps: gbps(12.23) }, false),
    ).toBe(" 65536      5000             25.95              12.23  \t\t   0.000196");
    expect(bandwidthRow({ bytes: 65536, iterations: 303, peakGbps: 0, averageGbps: 0.079176 }, true)).toBe(
      " 65536      303           0.000000            0.079176            0.000151",
    );
  });

  it("prints latency rows with perftest's own spacing", () => {
    const row = {
      bytes: 2,
      iterations: 1000,
      minimum: 838.28,
      maximum: 102412.84,
      typical: 24912.24,
      average: 26857.38,
      deviation: 6431.2,
      p99: 60802.27,
      p999: 102412.84,
    };
    expect(latencyRow(row)).toBe(
      " 2       1000          838.28         102412.84      24912.24  \t       26857.38     \t6431.20\t\t60802.27 \t\t102412.84",
    );
    expect(latencyDurationRow(2, 158, 6355.58, 78.67)).toBe(" 2             158            6355.58        78.67  ");
  });
});

describe("simulated ib_write_bw", () => {
  it("prints the client's report as perftest does", async () => {
    const { client } = await pair(new Bench("healthy"), ["n001", "n020"], bandwidth);
    expect(client.exitCode).toBe(0);
    expect(client.stderr).toBe("");
    const shape = client.stdout
      .replace(/QPN 0x[0-9a-f]{4} PSN 0x[0-9a-f]+ RKey 0x[0-9a-f]{6} VAddr 0x00[0-9a-f]{12}$/gm, "QPN PSN RKEY VADDR")
      .replace(/^ 65536 .*$/m, "ROW");
    const rule = "-".repeat(87);
    expect(shape).toBe(
      [
        rule,
        "                    RDMA_Write BW Test",
        " Dual-port       : OFF\t\tDevice         : mlx5_0",
        " Number of qps   : 4\t\tTransport type : IB",
        " Connection type : RC\t\tUsing SRQ      : OFF",
        " PCIe relax order: ON",
        " ibv_wr* API     : ON",
        " TX depth        : 128",
        " CQ Moderation   : 1",
        " Mtu             : 4096[B]",
        " Link type       : IB",
        " Max inline data : 0[B]",
        " rdma_cm QPs\t : OFF",
        " Data ex. method : Ethernet",
        rule,
        ...Array.from({ length: 4 }, () => " local address: LID 0x35 QPN PSN RKEY VADDR"),
        ...Array.from({ length: 4 }, () => " remote address: LID 0x03 QPN PSN RKEY VADDR"),
        rule,
        " #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]",
        "ROW",
        rule,
        "",
      ].join("\n"),
    );
  });

  it("reaches 97 to 98.5 % of HDR on a healthy path and counts only the middle of the run", async () => {
    const { client } = await pair(new Bench("healthy"), ["n001", "n020"], bandwidth);
    const average = averageOf(client.stdout);
    expect(average).toBeGreaterThan(194);
    expect(average).toBeLessThan(197.1);
    const iterations = Number(/^ 65536 +(\d+)/m.exec(client.stdout)?.[1]);
    expect(iterations).toBeCloseTo((average * 1e9 * 6) / 8 / 65_536, -4);
    expect(client.stdout).toMatch(/^ 65536 +\d+ +0\.00 /m);
  });

  it("gives the same numbers for the same series of runs, and others for the next run", async () => {
    const first = new Bench("healthy");
    const second = new Bench("healthy");
    const one = await pair(first, ["n001", "n020"], bandwidth);
    const same = await pair(second, ["n001", "n020"], bandwidth);
    const next = await pair(second, ["n001", "n020"], bandwidth);
    expect(same.client.stdout).toBe(one.client.stdout);
    expect(next.client.stdout).not.toBe(one.client.stdout);
  });

  it("prints the server's copy of the client's numbers behind the waiting banner", async () => {
    const { client, server } = await pair(new Bench("healthy"), ["n001", "n020"], bandwidth);
    expect(server.exitCode).toBe(0);
    expect(server.stdout).toMatch(/^\n\*{36}\n\* Waiting for client to connect\.\.\. \*\n\*{36}\n-{87}\n/);
    expect(server.stdout).not.toContain("TX depth");
    expect(averageOf(server.stdout)).toBe(averageOf(client.stdout));
  });

  it("lasts as long as it says, times the time scale", async () => {
    const real = await pair(new Bench("healthy"), ["n001", "n020"], bandwidth);
    expect(real.client.durationMs).toBeGreaterThan(10_900);
    expect(real.client.durationMs).toBeLessThan(11_200);
    const quick = await pair(new Bench("healthy", { timeScale: 0.3 }), ["n001", "n020"], bandwidth);
    expect(quick.client.durationMs).toBeLessThan(3500);
    expect(averageOf(quick.client.stdout)).toBe(averageOf(real.client.stdout));
  });

  it("measures the peak with iterations, and MiB/s under MB/sec without --report_gbits", async () => {
    const { client } = await pair(new Bench("healthy"), ["n001", "n020"], ["ib_write_bw", "-d", "mlx5_0"]);
    expect(client.stdout).toContain(
      " #bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]   MsgRate[Mpps]\n",
    );
    const [, peak, average] = /^ 65536 {6}5000 +(\d+\.\d+) +(\d+\.\d+)\s/m.exec(client.stdout) ?? [];
    expect(Number(average)).toBeGreaterThan(23_000);
    expect(Number(average)).toBeLessThan(23_500);
    expect(Number(peak)).toBeGreaterThanOrEqual(Number(average));
  });

  it("sums both directions with -b", async () => {
    const { client, server } = await pair(new Bench("healthy"), ["n001", "n020"], [...bandwidth, "-b"]);
    expect(client.stdout).toContain("RDMA_Write Bidirectional BW Test");
    expect(server.stdout).toContain("TX depth");
    expect(averageOf(client.stdout)).toBeGreaterThan(388);
    expect(averageOf(client.stdout)).toBeLessThan(394.2);
  });

  it("runs the 23 sizes of -a; the server sees the last one", async () => {
    const { client, server } = await pair(
      new Bench("healthy"),
      ["n001", "n020"],
      ["ib_write_bw", "-a", "-n", "100", "--report_gbits"],
    );
    const rows = [...client.stdout.matchAll(/^ (\d+) +100 +\S+ +(\S+)/gm)].map((row) => [
      Number(row[1]),
      Number(row[2]),
    ]);
    expect(rows.map(([bytes]) => bytes)).toEqual(Array.from({ length: 23 }, (_, power) => 2 ** (power + 1)));
    const rates = rows.map(([, rate]) => rate ?? 0);
    expect(rates[0]).toBeLessThan(0.1);
    expect(rates[22]).toBeGreaterThan(190);
    expect(server.stdout.match(/^ \d+ +100 /gm)).toEqual([" 8388608    100 "]);
  });
});

describe("simulated faults under measurement", () => {
  it("finds the narrow, the slow and the weak link by their rates", async () => {
    const bench = new Bench("fat-tree-small");
    const rate = async (server: string, client: string): Promise<number> =>
      averageOf((await pair(bench, [server, client], bandwidth)).client.stdout);
    const ends = (kind: string): string | undefined => bench.fabric.faults.find((fault) => fault.kind === kind)?.text;
    expect(ends("slow")).toContain("n003");
    expect(await rate("n004", "n003")).toBeCloseTo(98, -1);
    expect(await rate("n004", "n003")).toBeLessThan(100);

    const between = async (kind: "narrow" | "weak"): Promise<number> => {
      const port = bench.fabric.faults.find((fault) => fault.kind === kind)?.port;
      const machines = [...bench.fabric.machines.values()];
      for (const client of machines) {
        for (const server of machines) {
          const [from, to] = [client.adapters[0]?.ports[1], server.adapters[0]?.ports[1]];
          if (port === undefined || from === undefined || to === undefined || client === server) continue;
          const path = bench.fabric.routes.path(from, to);
          const others = path?.filter((hop) => hop !== port && hop !== port.cable) ?? [];
          if (path === undefined || path.length === others.length) continue;
          if (others.every((hop) => hop.carries === 1 && hop.lanes === 4 && hop.speed === 7))
            return rate(server.name, client.name);
        }
      }
      throw new Error(`no pair crosses the ${kind} link alone`);
    };
    const narrow = await between("narrow");
    expect(narrow).toBeGreaterThan(96);
    expect(narrow).toBeLessThan(99);
    const weak = await between("weak");
    expect(weak / 200).toBeGreaterThan(0.58);
    expect(weak / 200).toBeLessThan(0.61);
  });

  it("refuses a port that is not active, with the real words", async () => {
    const bench = new Bench("fat-tree-small");
    const idle = await bench.run("n006", bandwidth);
    expect(idle.exitCode).toBe(1);
    expect(idle.stderr).toBe(
      " Port number 1 state is Init\n Couldn't set the link layer\n Couldn't get context for the device\n",
    );
    expect(idle.stdout).toBe("");
  });
});

describe("simulated latency tests", () => {
  it("prints the full table on both sides", async () => {
    const { client, server } = await pair(
      new Bench("healthy"),
      ["n001", "n002"],
      ["ib_send_lat", "-d", "mlx5_0", "-n", "5000", "-F"],
    );
    for (const side of [client, server]) {
      expect(side.exitCode).toBe(0);
      expect(side.stdout).toContain("                    Send Latency Test\n");
      expect(side.stdout).toMatch(
        /^ 2 {7}5000 {10}1\.\d\d {11}\d+\.\d\d +1\.\d\d {5}\t {7}1\.\d\d {8}\t0\.\d\d {3}\t\t1\.\d\d {4}\t\t\d+\.\d\d *$/m,
      );
    }
    expect(client.stdout).not.toContain("RKey");
    expect(server.stdout).toContain(" RX depth        : 512\n");
  });

  it("grows with the number of switches on the way", async () => {
    const bench = new Bench("healthy");
    const test = ["ib_send_lat", "-n", "5000"];
    const near = typicalOf((await pair(bench, ["n001", "n002"], test)).client.stdout);
    const far = typicalOf((await pair(bench, ["n001", "n100"], test)).client.stdout);
    expect(near).toBeGreaterThan(1.1);
    expect(near).toBeLessThan(1.2);
    expect(far - near).toBeGreaterThan(0.2);
    expect(far - near).toBeLessThan(0.32);
  });

  it("prints averages only for a given duration, and no table on the server of a read", async () => {
    const timed = await pair(new Bench("healthy"), ["n001", "n002"], ["ib_write_lat", "-D", "4"]);
    expect(timed.client.stdout).toContain(" #bytes        #iterations       t_avg[usec]    tps average\n");
    expect(timed.client.stdout).toMatch(/^ 2 {13}\d+ {12}1\.\d\d {11}\d+\.\d\d *$/m);
    const read = await pair(new Bench("healthy"), ["n001", "n002"], ["ib_read_lat"]);
    expect(read.client.stdout).toMatch(/^ 2 {7}1000 /m);
    expect(read.client.stdout).toMatch(/PSN 0x[0-9a-f]+ OUT 0x10 RKey/);
    expect(read.server.stdout).not.toContain("#bytes");
  });
});

describe("simulated read and send bandwidth", () => {
  it("lets reads pull the data from the server", async () => {
    const bench = new Bench("healthy");
    const { client } = await pair(bench, ["n001", "n020"], ["ib_read_bw", "-D", "10", "--report_gbits"]);
    expect(averageOf(client.stdout)).toBeGreaterThan(185);
    const port = bench.fabric.machines.get("n001")?.adapters[0]?.ports[1];
    expect(port?.counters?.transmittedBytes).toBeGreaterThan(2e11);
    expect(port?.counters?.receivedBytes).toBe(0);
  });

  it("shows the receive side of a send without a peak", async () => {
    const { client, server } = await pair(new Bench("healthy"), ["n001", "n020"], ["ib_send_bw", "-n", "1000"]);
    expect(client.stdout).toMatch(/^ 65536 {6}1000 +2\d{4}\.\d\d +2\d{4}\.\d\d/m);
    expect(server.stdout).toMatch(/^ 65536 {6}1000 +0\.00 +2\d{4}\.\d\d/m);
    expect(server.stdout).toContain(" RX depth        : 512\n");
  });
});

describe("traffic on the fabric", () => {
  it("grows the counters of every port on the way by what was sent", async () => {
    const bench = new Bench("healthy");
    const from = bench.fabric.machines.get("n020")?.adapters[0]?.ports[1];
    const to = bench.fabric.machines.get("n001")?.adapters[0]?.ports[1];
    if (from === undefined || to === undefined) throw new Error("the hosts have ports");
    const path = bench.fabric.routes.path(from, to) ?? [];
    expect(path).toHaveLength(4);
    await pair(bench, ["n001", "n020"], ["ib_write_bw", "-n", "5000", "-s", "65536"]);
    const payload = 5000 * 65_536;
    for (const port of path) {
      const lid = port.node.kind === "switch" ? port.node.lid : port.lid;
      const read = await bench.run(undefined, ["perfquery", "-x", String(lid), String(port.number)]);
      const words = Number(/^PortXmitData:\.+(\d+)$/m.exec(read.stdout)?.[1]);
      expect(words * 4).toBeGreaterThanOrEqual(payload);
      expect(words * 4).toBeLessThan(payload * 1.01);
      expect(read.stdout).toMatch(/^PortXmitPkts:\.+80000$/m);
      expect(port.cable?.counters?.receivedBytes).toBe(port.counters?.transmittedBytes);
    }
  });

  it("shares a link between tests that run at the same time", async () => {
    const bench = new Bench("healthy");
    const argv = (port: number): string[] => ["ib_write_bw", "-p", String(port), "-D", "10", "--report_gbits"];
    const servers = [bench.start("n001", argv(20_001)), bench.start("n001", argv(20_002))];
    await bench.clock.advance(100);
    const first = bench.start("n002", [...argv(20_001), "n001"]);
    await bench.clock.advance(3000);
    const second = bench.start("n003", [...argv(20_002), "n001"]);
    await bench.clock.advance(20_000);
    expect(averageOf((await first.done).stdout)).toBeGreaterThan(190);
    expect(averageOf((await second.done).stdout)).toBeLessThan(100);
    await Promise.all(servers.map((server) => server.done));
  });
});
