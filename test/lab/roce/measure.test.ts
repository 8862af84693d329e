import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { SshConnection } from "../../../electron/run/ssh/connection.ts";
import type { HostAccess } from "../../../electron/run/access.ts";
import type { Understood } from "../../../electron/threads/interpret-job.ts";
import { measurementFileSchema } from "../../../shared/contract/measurement-file.ts";
import type { MeasureOptions } from "../../../shared/measure/types.ts";
import { startLink } from "../../support/fake-sshd.ts";
import { must } from "../../support/ssh-dependencies.ts";
import { collectFabric, connectToLab, labSource } from "../collecting.ts";
import { eventually } from "../household.ts";
import type { IbLab } from "../ib-lab.ts";
import { guestAccess, measure, measureWell, planFor, shortOptions } from "./measuring.ts";
import { startGuestFabric } from "./guest-fabric.ts";
import type { GuestFabric } from "./guest-fabric.ts";
import { openGuestShell } from "./guest-shell.ts";
import { perftestCases } from "./perftest-cases.ts";
import type { GuestShell } from "./guest-shell.ts";
import { roceLabSkipped } from "./roce-lab.ts";
import type { RoceLab } from "./roce-lab.ts";

const run = promisify(execFile);
const command = join(import.meta.dirname, "..", "..", "..", "dist", "main", "cli.cjs");
const skipped = roceLabSkipped();

describe.skipIf(skipped !== undefined)(`real perftest over Soft-RoCE${skipped ? ` (${skipped})` : ""}`, () => {
  let lab: GuestFabric;
  let roce: RoceLab;
  let ib: IbLab;
  let connection: SshConnection;
  let understood: Understood;
  let access: HostAccess;
  /** The first sees the processes of both hosts, the second only its own. */
  let shells: readonly [GuestShell, GuestShell];
  beforeAll(async () => {
    lab = await startGuestFabric((text) => console.info(text));
    ({ ib, roce } = lab);
    connection = await connectToLab(ib);
    understood = await collectFabric(connection, labSource(ib));
    access = guestAccess(ib, roce, connection);
    shells = [await openGuestShell(roce.hosts[0]), await openGuestShell(roce.hosts[1])];
  });
  afterAll(async () => {
    for (const shell of shells) shell.close();
    await access.close();
    await connection.close();
    await lab.stop();
  });
  /** A measurement that is over leaves nothing: no tool, no time limit, no watch. */
  afterEach(async () => {
    await eventually("nothing of a measurement is left on the guests", 20_000, async () => {
      const left = await shells[0].measuring();
      return left.length === 0 ? left : undefined;
    });
  });

  const between = (client: "hosta" | "hostb") => ({ client, server: client === "hosta" ? "hostb" : "hosta" });
  const hostLink = (options = shortOptions) =>
    planFor(understood, { guid: roce.hosts[0].nodeGuid, port: 1 }, between("hosta"), options);
  /** The cable of the first leaf to the spine: its port after that of its only host. */
  const uplink = (options: MeasureOptions) => {
    const leaf = ib.net.nodes.find(({ description }) => description.includes("leaf-01"));
    if (leaf === undefined) throw new Error("no leaf");
    return planFor(understood, { guid: leaf.guid, port: 2 }, between("hostb"), options);
  };
  /** Settles when the client of the bandwidth test sends. */
  const clientRuns = () =>
    eventually("the client runs", 60_000, async () => {
      const running = await shells[1].measuring();
      return running.find(({ line }) => /^ib_write_bw -d /.test(line));
    });

  it("measures a host's cable: bandwidth, latency, verdict, outputs and versions", async () => {
    const measured = await measureWell(hostLink, { ...shortOptions, bytes: 65_536, seconds: 4 }, access);
    expect(measured.runs.map(({ tool, error }) => [tool, error])).toEqual([
      ["ib_write_bw", undefined],
      ["ib_send_lat", undefined],
    ]);
    expect(measured.bandwidthGbps).toBeGreaterThan(0);
    expect(measured.latencyUs).toBeGreaterThan(0);
    expect(measured.latencyP99Us).toBeGreaterThanOrEqual(measured.latencyUs ?? Number.NaN);
    // 200 Gb/s are planned; emulated adapters are far below, and the verdict says so.
    expect(measured.expectedGbps).toBe(200);
    expect(measured.percent).toBeLessThan(5);
    expect(measured.verdict.level).toBe("bad");
    expect(measured.basis).toBe("host-link");
    const [bandwidth] = measured.runs;
    expect(bandwidth?.client.commandLine).toMatch(/ib_write_bw -d rxe0 -i 1 /);
    expect(bandwidth?.server.commandLine).toMatch(/ib_write_bw -d rxe1 -i 1 /);
    expect(bandwidth?.client.stdout).toContain("RDMA_Write BW Test");
    expect(Object.keys(measured.versions).sort()).toEqual(["hosta", "hostb"]);
    expect(measured.versions["hosta"]).toMatch(/\d+\.\d+/);
  });

  perftestCases({
    hostLink,
    uplink,
    access: () => access,
    direct: async () => guestAccess(ib, roce, await connectToLab(ib), { via: "direct" }),
    hostb: () => shells[1],
  });

  it("leaves nothing behind when it is cancelled in the middle", async () => {
    const cancel = new AbortController();
    const plan = planFor(understood, { guid: roce.hosts[0].nodeGuid, port: 1 }, between("hostb"), {
      ...shortOptions,
      seconds: 60,
    });
    const measuring = measure(plan, access, { signal: cancel.signal });
    await clientRuns();
    cancel.abort();
    const result = await measuring;
    expect(result.ok ? result.value.verdict.level : result.error.kind).toBe("cancelled");
    // At once, not after a while: the promise is that nothing runs when it returns.
    expect(await shells[0].measuring()).toEqual([]);
  });

  it.each(["client", "server"] as const)("says that it failed when the %s is killed in the middle", async (role) => {
    const plan = planFor(understood, { guid: roce.hosts[0].nodeGuid, port: 1 }, between("hostb"), {
      ...shortOptions,
      preset: "bandwidth",
      seconds: 60,
    });
    const measuring = measure(plan, access);
    const client = await clientRuns();
    const shell = shells[role === "client" ? 1 : 0];
    const server = (await shells[0].measuring()).find(({ line }) => /^ib_write_bw -d rxe0 /.test(line));
    await shell.run("kill", "-KILL", String((role === "client" ? client : server)?.pid));
    const measured = must(await measuring);
    expect(measured.verdict.level).toBe("failed");
    expect(measured.bandwidthGbps).toBeUndefined();
    const [bandwidth] = measured.runs;
    const host = role === "client" ? "hostb" : "hosta";
    expect(bandwidth?.error).toMatchObject({ kind: "no-result", host, problem: "it was ended by signal SIGKILL" });
    // A server waits for its client's word and says that it did not come; a client may send on for a while and say nothing.
    if (role === "client") expect(bandwidth?.server.stderr).toContain("Unable to read");
  });

  it("ends both sides when the connection to the client is cut", async () => {
    const link = await startLink(roce.hosts[1].port);
    const ports = { hostb: link.port };
    const cuttable = guestAccess(ib, roce, await connectToLab(ib), { ports, via: "direct" });
    const plan = planFor(understood, { guid: roce.hosts[0].nodeGuid, port: 1 }, between("hostb"), {
      ...shortOptions,
      preset: "bandwidth",
      seconds: 60,
    });
    const measuring = measure(plan, cuttable);
    await clientRuns();
    link.cut();
    const measured = must(await measuring);
    expect(measured.runs[0]?.error).toMatchObject({ kind: "connection-lost" });
    expect(measured.verdict.level).toBe("failed");
    await eventually("both sides have ended", 20_000, async () => {
      const left = await shells[0].measuring();
      return left.length === 0 ? left : undefined;
    });
    await cuttable.close();
    await link.stop();
  });

  it("names the devices that are there when the planned one is not", async () => {
    const plan = hostLink();
    const strange = {
      ...plan,
      client: { ...plan.client, nodeGuid: "0x0002c90300000001", portGuid: "0x0002c90300000002" },
    };
    const result = await measure(strange, access);
    expect(result.ok ? "measured" : result.error).toMatchObject({ kind: "no-device", host: "hosta" });
    expect(result.ok ? "" : JSON.stringify(result.error)).toMatch(/rxe0 0x505400fffe770001, rxe1 0x505400fffe770002/);
  });

  it("says that a tool is missing on a host", async () => {
    await shells[1].run("mv", "/usr/bin/ib_send_lat", "/usr/bin/ib_send_lat.away");
    try {
      const result = await measure(hostLink(), access);
      expect(result.ok ? "measured" : result.error).toMatchObject({ kind: "tool-missing", tool: "ib_send_lat" });
    } finally {
      await shells[1].run("mv", "/usr/bin/ib_send_lat.away", "/usr/bin/ib_send_lat");
    }
  });

  it.skipIf(!existsSync(command))(
    "does it all from the command line: collect, then measure, here with all sizes",
    async () => {
      const home = join(ib.directory, "cli-home");
      await mkdir(home);
      const capture = join(home, "lab.fabric");
      const login = ["--ssh", `${ib.user}@${ib.host}:${ib.port}`, "--identity", ib.keyFile, "--accept-new-host-key"];
      const options = { env: { ...process.env, HOME: home, IBEX_DATA: join(home, "data"), SSH_AUTH_SOCK: "" } };
      await run(process.execPath, [command, "collect", ...login, "--out", capture], options);
      const way = [...login, "--host-map", lab.hostMapFile, "--client", "hosta", "--server", "hostb"];
      const words = ["--link", `${roce.hosts[0].nodeGuid}:1`, "--preset", "bandwidth", "--yes"];
      const little = ["--all-sizes", "--messages", "5", "--qps", "1"];
      const measured = await run(process.execPath, [command, "measure", capture, ...way, ...words, ...little], options);
      const record = measurementFileSchema.parse(JSON.parse(measured.stdout));
      expect(record).toMatchObject({ verdict: { level: "bad" }, expectedGbps: 200 });
      const rows = record.runs[0]?.bandwidth ?? [];
      expect(rows.map(({ bytes }) => bytes)).toEqual(Array.from({ length: 23 }, (_, power) => 2 ** (power + 1)));
      expect(record.bandwidthGbps).toBe(Math.max(...rows.map(({ averageGbps }) => averageGbps)));
      expect(measured.stderr).toMatch(/Gb\/s/);
    },
  );

  // Last: the guest's routes go with its cable, and both ends of it are down.
  it("says that a port is down", async () => {
    await shells[0].run("ip", "link", "set", "veth0", "down");
    const result = await measure(hostLink(), access);
    expect(result.ok ? "measured" : result.error).toMatchObject({ kind: "port-down", state: "Down" });
  });
});
