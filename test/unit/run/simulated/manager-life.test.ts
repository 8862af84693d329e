import { describe, expect, it } from "vitest";
import { createSimulatedAccess } from "../../../../electron/run/simulated/access.ts";
import { systemClock } from "../../../../electron/run/simulated/clock.ts";
import { hostName } from "../../../../electron/run/simulated/machine.ts";
import { readManagersFiles } from "../../../../electron/watch/opensm-files.ts";
import { assert } from "../../../../shared/base/assert.ts";
import { logTime, parseOpensmLog } from "../../../../shared/parse/opensm-log.ts";
import { Bench } from "./bench.ts";

describe("simulated subnet managers", () => {
  it("let the standby take over after the master dies, and the old one come back as a standby", async () => {
    const bench = new Bench("failover");
    const [master, standby] = bench.fabric.topology.managers;
    if (master === undefined || standby === undefined) throw new Error("two managers");
    bench.fabric.managers.kill(master, bench.clock.now());
    const silent = bench.start(undefined, ["sminfo"]);
    await bench.clock.advance(1_000);
    expect((await silent.done).exitCode).toBe(255);
    await bench.clock.advance(3_000);
    expect(await bench.run(undefined, ["sminfo"])).toMatchObject({ exitCode: 0 });
    expect(standby.state).toBe(3);
    bench.fabric.managers.start(master, 1, bench.clock.now());
    const asked = await bench.run(undefined, ["sminfo", String(master.port.lid)]);
    expect(asked.stdout).toContain("priority 1 state 2 SMINFO_STANDBY");
  });

  it("fail over by themselves where that is planted", async () => {
    const bench = new Bench("failover");
    const answers: string[] = [];
    for (let poll = 0; poll < 30; poll += 1) {
      const asked = bench.start(undefined, ["sminfo"]);
      await bench.clock.advance(1_000);
      const { stdout } = await asked.done;
      answers.push(/sm lid (\d+)/.exec(stdout)?.[1] ?? "none");
    }
    const changes = answers.filter((answer, i) => answer !== answers[i - 1]);
    const lids = bench.fabric.topology.managers.map(({ port }) => String(port.lid));
    expect(changes).toEqual([lids[0], "none", lids[1]]);
  });

  it("write what happens to them into the log of their host, as a real opensm does", async () => {
    const bench = new Bench("failover", { latencyScale: 0 });
    const [master, standby] = bench.fabric.topology.managers;
    assert(master !== undefined && standby !== undefined, "two managers");
    const begun = bench.clock.now();
    expect(await bench.run(undefined, ["sminfo"])).toMatchObject({ exitCode: 0 });
    await bench.clock.advance(2_000);
    const killed = (bench.clock.now() - begun) / 1000;
    bench.fabric.managers.kill(master, bench.clock.now());
    await bench.clock.advance(5_000);
    bench.fabric.managers.start(master, 1, bench.clock.now());
    const log = async (port: typeof master.port) => {
      const host = hostName(port.node);
      const { stdout, exitCode } = await bench.run(host, ["tail", "-c", "4194304", "/var/log/opensm.log"]);
      expect(exitCode).toBe(0);
      const { records, diagnostics } = parseOpensmLog(stdout, { file: "opensm.log" });
      expect(diagnostics).toEqual([]);
      const clock = { now: bench.clock.now(), offsetMinutes: 0 };
      const events = records.events
        .filter(({ kind }) => ["started", "state", "subnet-up"].includes(kind))
        .map(({ stamp, kind, value }) => [(logTime(stamp, clock) - begun) / 1000, kind === "state" ? value : kind]);
      return { events, errors: records.errors.map(({ code, count }) => [code, count]), boundTo: records.boundTo };
    };
    const old = await log(master.port);
    expect(old.events).toEqual([
      ...["started", "DISCOVERING", "MASTER", "subnet-up"].map((what) => [0, what]),
      ...["started", "DISCOVERING", "STANDBY"].map((what) => [killed + 5, what]),
    ]);
    expect(old.boundTo).toBe(master.port.guid);
    const next = await log(standby.port);
    expect(next.events.slice(-3)).toEqual(["DISCOVERING", "MASTER", "subnet-up"].map((what) => [killed + 3, what]));
    expect(next.errors).toContainEqual(["ERR 5411", 2]);
    expect(next.errors).toContainEqual(["ERR 3120", 2]);
  });

  it("are found with their logs by what the window and the command line ask, and not on other hosts", async () => {
    const bench = new Bench("failover", { latencyScale: 0, clock: systemClock });
    const access = createSimulatedAccess(bench.fabric, { latencyScale: 0 });
    const managers = bench.fabric.topology.managers.map(({ port }) => ({
      guid: `0x${port.guid}`,
      host: hostName(port.node),
    }));
    const source = { kind: "simulated", name: "failover" } as const;
    const files = await readManagersFiles(access, source, managers, new AbortController().signal);
    assert(files.ok, "the source answers");
    expect(files.value.logs.map(({ host, path }) => [host, path])).toEqual(
      managers.map(({ host }) => [host, "/var/log/opensm.log"]),
    );
    expect(files.value.logs[0]?.clock.offsetMinutes).toBe(0);
    expect(files.value.logs[0]?.records.boundTo).toBe(bench.fabric.topology.managers[0]?.port.guid);
    const other = [...bench.fabric.machines.keys()].find((name) => managers.every(({ host }) => host !== name));
    const none = await bench.start(other, ["tail", "-c", "100", "/var/log/opensm.log"]).done;
    expect(none).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("No such file or directory") as string });
  });
});
