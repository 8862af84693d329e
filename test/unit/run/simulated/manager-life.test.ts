import { describe, expect, it } from "vitest";
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
});
