import { describe, expect, it } from "vitest";
import type { HostAccess } from "../../../electron/run/access.ts";
import { createSimulatedAccess } from "../../../electron/run/simulated/access.ts";
import { createWatchMemory, watchManagers, type WatchMemory } from "../../../electron/watch/sm-watch.ts";
import { err, type Result } from "../../../shared/base/result.ts";
import type { ManagerChange } from "../../../shared/contract/manager-log.ts";
import { sshSource } from "../../../shared/contract/source.ts";
import type { AppError } from "../../../shared/errors/kinds.ts";
import { type Reply, ScriptedHost } from "../../support/scripted-runner.ts";
import { Bench } from "../run/simulated/bench.ts";

interface State {
  readonly state: 0 | 1 | 2 | 3;
  readonly priority: number;
  readonly activity: number;
}

const names = ["NOTACT", "DISCOVER", "STANDBY", "MASTER"];
const guids: Readonly<Record<number, string>> = { 1: "0xc42a10300000201", 12: "0xc42a10300000211" };
const silent: Reply = { stdout: "sminfo: iberror: failed: query\n", exitCode: 255 };

function answer(lid: number, { state, priority, activity }: State): Reply {
  const text = `sminfo: sm lid ${lid} sm guid ${guids[lid]}, activity count ${activity} priority ${priority} state ${state} SMINFO_${names[state]}\n`;
  return { stdout: text, exitCode: 0 };
}

const list =
  "IsSM ports\nPortInfoRecord dump:\n\t\tEndPortLid..............1\n\t\tPortNum.................1\n\t\tbase_lid................1\nPortInfoRecord dump:\n\t\tEndPortLid..............12\n\t\tPortNum.................1\n\t\tbase_lid................12\n\nIsSMdisabled ports\n";

/** What each manager says in a round; null: nothing; `hang`: for ever. */
type Script = readonly Readonly<Record<number, State | null | "hang">>[];

/** LIDs that are asked for their IsSM bit, and those that have it; `hang`: none ever answers. */
interface Bits {
  readonly asked: readonly number[];
  readonly set: readonly number[] | "hang";
}

/** Lets a watch go through scripted rounds, with a clock that only its own sleeping moves. */
async function watched(
  rounds: Script,
  more: {
    readonly jumpAfter?: number;
    readonly memory?: WatchMemory;
    readonly withoutSaquery?: boolean;
    readonly bits?: Bits;
  } = {},
): Promise<{ changes: readonly ManagerChange[]; result: Result<void, AppError>; host: ScriptedHost }> {
  const controller = new AbortController();
  let round = 0;
  let time = 0;
  let jump = 0;
  const host = new ScriptedHost("mgmt-01", (argv) => {
    const now = rounds[round] ?? {};
    if (argv[0] === "saquery") {
      if (more.withoutSaquery === true) return { stderr: "sh: saquery: not found\n", exitCode: 127 };
      const hasMaster = Object.values(now).some((one) => one !== null && one !== "hang" && one.state === 3);
      if (!hasMaster) return { stderr: "ibpanic: [1] main: Failed to bind to the SA: x\n", exitCode: 255 };
      return { stdout: argv.includes("-s") ? list : "", exitCode: 0 };
    }
    if (argv[0] === "smpquery") {
      const set = more.bits?.set ?? [];
      if (set === "hang") return "hang";
      return {
        stdout: `# Port info: Lid ${argv[2]} port 0\n${set.includes(Number(argv[2])) ? "\t\t\t\tIsSM\n" : ""}\t\t\t\tIsTrapSupported\n`,
      };
    }
    const lid = argv[1] === undefined ? undefined : Number(argv[1]);
    if (lid === undefined) {
      const master = Object.entries(now).find(([, one]) => one !== null && one !== "hang" && one.state === 3);
      const found = master?.[1];
      return master === undefined || found === null || found === undefined || found === "hang"
        ? silent
        : answer(Number(master[0]), found);
    }
    const one = now[lid];
    if (one === "hang") return "hang";
    return one === null || one === undefined ? silent : answer(lid, one);
  });
  const access: HostAccess = {
    source: {
      ...{ kind: host.kind, label: host.label, host: host.host },
      // A time limit that is over at once stands for one that hangs.
      run: (spec, signal) =>
        rounds[round]?.[Number(spec.argv[1])] === "hang"
          ? Promise.resolve(err({ kind: "timed-out", what: "sminfo", host: "mgmt-01", seconds: 5 }))
          : host.run(spec, signal),
      close: () => host.close(),
    },
    simulated: false,
    host: () => Promise.resolve(err({ kind: "unreachable", host: "x", port: 22, code: "ENOTFOUND" })),
    close: () => Promise.resolve(),
  };
  const changes: ManagerChange[] = [];
  const result = await watchManagers(
    access,
    {
      source: sshSource("mgmt-01"),
      intervalMs: 1000,
      clock: {
        now: () => Date.parse("2026-11-29T10:00:00Z") + time + jump,
        monotonic: () => time,
        sleep(milliseconds) {
          time += milliseconds;
          round += 1;
          if (round === more.jumpAfter) jump = 3_600_000;
          if (round >= rounds.length) controller.abort();
          return Promise.resolve();
        },
      },
      onChange: (change) => changes.push(change),
      ...(more.memory === undefined ? {} : { memory: more.memory }),
      ...(more.bits === undefined ? {} : { candidates: more.bits.asked }),
    },
    controller.signal,
  );
  return { changes, result, host };
}

function brief(changes: readonly ManagerChange[]): readonly string[] {
  return changes.map(({ time, kind, lid, from, to }) => `${time.slice(17, 19)} ${kind} ${lid} ${from}>${to}`);
}

const master = (activity: number): State => ({ state: 3, priority: 14, activity });
const standby = (activity: number): State => ({ state: 2, priority: 5, activity });

describe("watching subnet managers", () => {
  it("tells the first answers and then nothing while nothing changes", async () => {
    const { changes, result } = await watched([
      { 1: master(1), 12: standby(1) },
      { 1: master(2), 12: standby(2) },
      { 1: master(3), 12: standby(3) },
    ]);
    expect(result.ok).toBe(true);
    expect(brief(changes)).toEqual(["00 seen 12 unknown>STANDBY", "00 seen 1 unknown>MASTER"]);
    expect(changes[0]).toMatchObject({ guid: "0x0c42a10300000211", priority: 5, activity: 1 });
  });

  it("tells loss, handover and return, in that order and once", async () => {
    const { changes } = await watched([
      { 1: master(1), 12: standby(1) },
      { 1: null, 12: standby(2) },
      { 1: null, 12: standby(3) },
      { 1: null, 12: { ...standby(4), state: 3 } },
      { 1: { state: 2, priority: 2, activity: 1 }, 12: { ...standby(5), state: 3 } },
    ]);
    expect(brief(changes).slice(2)).toEqual([
      "01 lost 1 MASTER>NO-ANSWER",
      "03 handover 12 STANDBY>MASTER",
      "04 returned 1 NO-ANSWER>STANDBY",
    ]);
    expect(changes[3]?.before).toBe("0x0c42a10300000201");
  });

  it("says that a master stands still, and when it moves again", async () => {
    const { changes } = await watched([
      ...[1, 2, 2, 2, 2, 2, 3].map((activity, i) => ({ 1: master(activity), 12: standby(i) })),
    ]);
    expect(brief(changes).slice(2)).toEqual(["04 stands-still 1 MASTER>MASTER", "06 moves-again 1 MASTER>MASTER"]);
  });

  it("goes on when one question hangs", async () => {
    const { changes, result } = await watched([
      { 1: master(1), 12: standby(1) },
      { 1: master(2), 12: "hang" },
      { 1: master(3), 12: standby(3) },
    ]);
    expect(result.ok).toBe(true);
    expect(brief(changes).slice(2)).toEqual(["01 lost 12 STANDBY>NO-ANSWER", "02 returned 12 NO-ANSWER>STANDBY"]);
  });

  it("tells a jump of the clock instead of mixing times", async () => {
    const { changes } = await watched(
      [1, 2, 3].map((activity) => ({ 1: master(activity), 12: standby(activity) })),
      { jumpAfter: 2 },
    );
    expect(changes.at(-1)).toMatchObject({ kind: "clock", jumpMs: 3_600_000 });
  });

  it("follows the master also where nobody can list managers", async () => {
    const { changes } = await watched([{ 1: master(1) }, { 12: { ...standby(2), state: 3 } }], {
      withoutSaquery: true,
    });
    expect(brief(changes)).toEqual([
      "00 seen 1 unknown>MASTER",
      "01 lost 1 MASTER>NO-ANSWER",
      "01 handover 12 unknown>MASTER",
    ]);
  });

  it("finds standbys by their IsSM bits without saquery, once, beside the rounds", async () => {
    const rounds = [1, 2, 3, 4].map((n) => ({ 1: master(n), 12: standby(n) }));
    const bits = { asked: [12, 3, 4, 1], set: [1, 12] };
    const { changes, host } = await watched(rounds, { withoutSaquery: true, bits });
    expect(changes.map(({ kind, lid, to }) => `${kind} ${lid} ${to}`).sort()).toEqual([
      "seen 1 MASTER",
      "seen 12 STANDBY",
    ]);
    const asked = host.started.filter((line) => line.startsWith("smpquery"));
    expect(asked.map((line) => Number(line.split(" ")[2]))).toEqual(bits.asked);
    expect(host.started.some((line) => line.startsWith("ibnetdiscover"))).toBe(false);
  });

  it("does not wait for a search by bits that hangs, and ends it with the watch", async () => {
    const rounds = [1, 2, 3, 4].map((n) => ({ 1: master(n), 12: null }));
    const { changes, result } = await watched(rounds, { withoutSaquery: true, bits: { asked: [12, 3], set: "hang" } });
    expect(result.ok).toBe(true);
    expect(brief(changes)).toEqual(["00 seen 1 unknown>MASTER"]);
  });

  it("ends with the error when the connection is lost, and goes on with what it knew", async () => {
    const memory = createWatchMemory();
    await watched([{ 1: master(1), 12: standby(1) }], { memory });
    const host = new ScriptedHost("mgmt-01", () => "hang");
    host.lose();
    const access: HostAccess = {
      source: host,
      simulated: false,
      host: () => Promise.resolve(err({ kind: "unreachable", host: "x", port: 22, code: "ENOTFOUND" })),
      close: () => Promise.resolve(),
    };
    const clock = { now: () => 0, monotonic: () => 0, sleep: () => Promise.resolve() };
    const changes: ManagerChange[] = [];
    const ended = await watchManagers(
      access,
      { source: sshSource("mgmt-01"), intervalMs: 1000, clock, memory, onChange: (change) => changes.push(change) },
      new AbortController().signal,
    );
    expect(ended).toMatchObject({ ok: false, error: { kind: "connection-lost" } });
    // A lost connection says nothing of the managers.
    expect(changes).toEqual([]);
    const again = await watched([{ 1: master(9), 12: standby(9) }], { memory });
    expect(again.changes).toEqual([]);
  });

  it("asks nothing but what reads", async () => {
    const { host } = await watched([{ 1: master(1), 12: standby(1) }]);
    for (const line of host.started) expect(line).toMatch(/^(?:sminfo(?: \d+)?|saquery (?:-s|SMInfoRecord))$/);
  });

  it("sees the planted failure of a simulated fabric", async () => {
    const bench = new Bench("failover", { latencyScale: 0 });
    const access = createSimulatedAccess(bench.fabric, { clock: bench.clock, latencyScale: 0 });
    const controller = new AbortController();
    const changes: ManagerChange[] = [];
    const done = { ended: false };
    const watch = watchManagers(
      access,
      {
        source: { kind: "simulated", name: "failover" },
        intervalMs: 1000,
        clock: {
          now: () => bench.clock.now(),
          monotonic: () => bench.clock.now(),
          sleep: (milliseconds) => new Promise((resolve) => void bench.clock.after(milliseconds, () => resolve())),
        },
        onChange: (change) => changes.push(change),
      },
      controller.signal,
    ).then(() => {
      done.ended = true;
    });
    for (let second = 0; second < 40 && !done.ended; second += 1) await bench.clock.advance(1_000);
    controller.abort();
    for (let second = 0; second < 5 && !done.ended; second += 1) await bench.clock.advance(1_000);
    await watch;
    expect(changes.map(({ kind }) => kind)).toEqual(["seen", "seen", "lost", "handover", "returned"]);
  });
});
