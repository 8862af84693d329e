import { describe, expect, it } from "vitest";
import { Bench } from "./bench.ts";
import { averageOf, bandwidth, pair } from "./pairs.ts";

describe("rendezvous", () => {
  it("shows a waiting server as a listening socket, and no longer once a client came or it ended", async () => {
    const bench = new Bench("healthy");
    const tables = async (): Promise<string> => {
      const read = bench.start("n001", ["cat", "/proc/net/tcp", "/proc/net/tcp6"]);
      await bench.clock.advance(10);
      return (await read.done).stdout;
    };
    const listens = / 00000000:4935 00000000:0000 0A /;
    expect(await tables()).not.toMatch(listens);
    const server = bench.start("n001", bandwidth);
    await bench.clock.advance(100);
    expect(await tables()).toMatch(listens);
    const client = bench.start("n020", [...bandwidth, "n001"]);
    await bench.clock.advance(100);
    expect(await tables()).not.toMatch(listens);
    const second = bench.start("n021", [...bandwidth, "n001"]);
    await bench.clock.advance(100);
    const refused = await second.done;
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toBe(
      "Couldn't connect to n001:18741\nUnable to open file descriptor for socket connection Unable to init the socket connection\n",
    );
    await bench.clock.advance(20_000);
    expect((await client.done).exitCode).toBe(0);
    expect((await server.done).exitCode).toBe(0);
    expect(bench.fabric.machines.get("n001")?.processes.size).toBe(0);
  });

  it("ends a server without a client by abort and frees its port", async () => {
    const bench = new Bench("healthy");
    const server = bench.start("n001", ["timeout", "-k", "5", "40", ...bandwidth]);
    await bench.clock.advance(100);
    expect(server.result).toBeUndefined();
    server.abort();
    const ended = await server.done;
    expect(ended.error?.kind).toBe("cancelled");
    expect(ended.signal).toBe("SIGTERM");
    expect(bench.fabric.machines.get("n001")?.listeners.size).toBe(0);
    const again = bench.start("n001", bandwidth);
    await bench.clock.advance(100);
    expect(again.result).toBeUndefined();
    again.abort();
    await again.done;
  });

  it("ends a forgotten server after the time that `timeout` grants", async () => {
    const bench = new Bench("healthy");
    const ended = await bench.run("n001", ["timeout", "-k", "5", "40", ...bandwidth]);
    expect(ended.exitCode).toBe(124);
    expect(bench.fabric.machines.get("n001")?.listeners.size).toBe(0);
  });

  it("tells the client when the server is killed by its pid, and the server when the client is", async () => {
    for (const victim of ["server", "client"] as const) {
      const bench = new Bench("healthy");
      const server = bench.start("n001", bandwidth);
      await bench.clock.advance(100);
      const client = bench.start("n020", [...bandwidth, "n001"]);
      await bench.clock.advance(5000);
      const [dead, left] = victim === "server" ? [server, client] : [client, server];
      const kill = bench.start(victim === "server" ? "n001" : "n020", ["kill", "-TERM", String(dead.pid)]);
      await bench.clock.advance(100);
      expect((await kill.done).exitCode).toBe(0);
      expect((await dead.done).signal).toBe("SIGTERM");
      const survivor = await left.done;
      expect(survivor.exitCode).toBe(1);
      expect(survivor.stderr).toContain("ethernet_read_keys: Couldn't read remote address\n");
      const gone = await bench.run(victim === "server" ? "n001" : "n020", ["kill", "-0", String(dead.pid)]);
      expect(gone.exitCode).toBe(1);
    }
  });

  it("refuses a port in use", async () => {
    const bench = new Bench("healthy");
    const first = bench.start("n001", bandwidth);
    await bench.clock.advance(100);
    const second = bench.start("n001", bandwidth);
    await bench.clock.advance(100);
    const refused = await second.done;
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toMatch(/^Couldn't listen to port 18741\nUnable to open file descriptor/);
    expect(first.result).toBeUndefined();
    first.abort();
    await first.done;
  });

  it("says what is wrong with the device, the port and the address", async () => {
    const bench = new Bench("healthy", { unreachable: new Set(["n003"]) });
    const stderr = async (argv: readonly string[]): Promise<string> => (await bench.run("n001", argv)).stderr;
    expect(await stderr(["ib_write_bw", "-d", "mlx5_9"])).toBe(
      "IB device mlx5_9 not found\n Unable to find the Infiniband/RoCE device\n",
    );
    expect(await stderr(["ib_write_bw", "-i", "2"])).toBe(
      " Unable to query port 2 attributes\n Couldn't set the link layer\n Couldn't get context for the device\n",
    );
    expect(await stderr(["ib_write_bw", "nowhere"])).toMatch(/^Name or service not known for nowhere:18515\n/);
    expect(await stderr(["ib_write_bw", "n002"])).toMatch(/^Couldn't connect to n002:18515\n/);
    expect(await stderr(["ib_write_bw", "n003"])).toMatch(/^Couldn't connect to n003:18515\n/);
    expect(await stderr(["ib_write_bw", "-n", "1", "n002"])).toBe(
      " Iteration num should be between 5 and 100000000\n Parser function exited with Error\n",
    );
    expect(await stderr(["ib_write_bw", "--no-such-option"])).toMatch(
      /^ib_write_bw: unrecognized option '--no-such-option'\n Invalid Command or flag\.\n/,
    );
  });

  it("breaks as this version does when the two sides have different options", async () => {
    const base = ["ib_write_bw", "-n", "200"];
    const sizes = await pair(
      new Bench("healthy"),
      ["n001", "n020"],
      [...base, "-s", "4096"],
      [...base, "-s", "1048576"],
    );
    expect(sizes.client.exitCode).toBe(1);
    expect(sizes.client.stderr).toContain(" Completion with error at client\n Failed status 10: wr_id 0 syndrom ");
    expect(sizes.server.exitCode).toBe(1);
    const tests = await pair(new Bench("healthy"), ["n001", "n020"], ["ib_read_bw"], base);
    expect(tests.client.stderr).toContain("Failed status 9:");
    const queues = await pair(new Bench("healthy"), ["n001", "n020"], base, [...base, "-q", "4"]);
    expect(queues.client.stderr).toMatch(/^ethernet_read_keys/);
    const oneSided = await pair(new Bench("healthy"), ["n001", "n020"], base, [...base, "-b", "--report_gbits"]);
    expect(oneSided.client.stdout).toContain("Bidirectional");
    expect(averageOf(oneSided.client.stdout)).toBeLessThan(200);
    expect(oneSided.server.stdout).toContain("MB/sec");
    expect(averageOf(oneSided.server.stdout)).toBe(averageOf(oneSided.client.stdout));
  });
});
