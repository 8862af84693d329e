import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { collect, countersOf } from "../../../electron/collect/collect.ts";
import { understandCapture } from "../../../electron/session/load.ts";
import type { Capture } from "../../../electron/store/capture.ts";
import { directEngine } from "../../../electron/threads/engine.ts";
import type { Understood } from "../../../electron/threads/interpret-job.ts";
import { sshSource } from "../../../shared/contract/source.ts";
import { type Reply, ScriptedHost } from "../../support/scripted-runner.ts";
import { fixtures } from "../../support/understand.ts";

function text(name: string): string {
  return readFileSync(join(fixtures, "ib/sim", name), "utf8");
}

const managers: Readonly<Record<string, string>> = {
  "1": "sminfo: sm lid 1 sm guid 0xc42a10300000201, activity count 3713 priority 14 state 3 SMINFO_MASTER\n",
  "12": "sminfo: sm lid 12 sm guid 0xc42a10300000211, activity count 1050 priority 5 state 2 SMINFO_STANDBY\n",
};

/** A management host with all tools; `other` answers some commands in their place. */
function host(other: (argv: readonly string[]) => Reply | undefined = () => undefined): ScriptedHost {
  return new ScriptedHost("mgmt-01", (argv) => {
    const answer = other(argv);
    if (answer !== undefined) return answer;
    const [tool = "", first = ""] = argv;
    if (tool === "ibnetdiscover" && first !== "-V") return { stdout: text("ft2-32/ibnetdiscover.txt") };
    if (tool === "iblinkinfo") return { stdout: text("ft2-32/iblinkinfo-l.txt") };
    if (tool === "sminfo") return { stdout: managers[first === "" ? "1" : first] ?? "", exitCode: 0 };
    if (tool === "saquery")
      return { stdout: text(`ft2-32-counters/saquery-${first === "-s" ? "s" : "SMInfoRecord"}.txt`) };
    if (tool === "ibqueryerrors") return { stdout: text("ft2-32-counters/ibqueryerrors.txt"), exitCode: 1 };
    return { stderr: "ibnetdiscover BUILD VERSION: 44.0\n" };
  });
}

async function capture(runner: ScriptedHost, earlier?: Capture): Promise<Capture> {
  const earlierCounters = earlier === undefined ? undefined : countersOf(earlier);
  const collected = await collect(runner, {
    source: sshSource("mgmt-01"),
    simulated: false,
    signal: new AbortController().signal,
    now: Date.now,
    onSteps: () => undefined,
    ...(earlierCounters === undefined ? {} : { earlierCounters }),
  });
  if (!collected.ok) throw new Error(JSON.stringify(collected.error));
  return collected.value;
}

async function understood(of: Capture): Promise<Understood> {
  const loaded = await understandCapture(of, directEngine, new AbortController().signal);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
  return loaded.value.understood;
}

function step(of: Capture, id: string): string {
  const found = of.steps.find((one) => one.id === id);
  return `${found?.state ?? ""}: ${found?.note ?? ""}`;
}

describe("collecting subnet managers", () => {
  it("asks each one that the SA lists, and nothing that sets", async () => {
    const runner = host();
    const collected = await capture(runner);
    expect(step(collected, "managers")).toBe("done: 2 answer");
    expect(runner.started).toEqual(
      expect.arrayContaining(["saquery -s", "saquery SMInfoRecord", "sminfo 1", "sminfo 12"]),
    );
    for (const line of runner.started) expect(line).not.toMatch(/ -[kK]\b|sminfo .*-[sp]\b|perfquery/);
    const { fabric } = await understood(collected);
    expect(fabric.subnetManagers.map(({ state, answers }) => [state, answers])).toEqual([
      ["MASTER", "yes"],
      ["STANDBY", "yes"],
    ]);
  });

  it("goes without saquery, and says what could not be asked", async () => {
    const collected = await capture(
      host(([tool]) => (tool === "saquery" ? { stderr: "sh: saquery: not found\n", exitCode: 127 } : undefined)),
    );
    expect(step(collected, "managers")).toBe(
      "skipped: saquery is not installed there: standbys could not be asked for",
    );
    const { fabric, analysis } = await understood(collected);
    expect(fabric.subnetManagers.map(({ state }) => state)).toEqual(["MASTER"]);
    expect(fabric.smUnasked).toHaveLength(1);
    expect(analysis.findings.map(({ rule }) => rule)).not.toContain("no-standby");
  });

  it("knows who was asked and kept silent", async () => {
    const silent = { stdout: "sminfo: iberror: failed: query\n", exitCode: 255 };
    const { fabric, analysis } = await understood(
      await capture(host(([tool, lid]) => (tool === "sminfo" && lid === "12" ? silent : undefined))),
    );
    expect(fabric.subnetManagers[1]).toMatchObject({ lid: 12, answers: "no", state: "STANDBY" });
    expect(analysis.findings.map(({ rule }) => rule)).toContain("manager-silent");
  });

  it("says that no SA answers", async () => {
    const collected = await capture(
      host(([tool]) =>
        tool === "saquery"
          ? { stderr: "ibpanic: [7] main: Failed to bind to the SA: No such file or directory\n", exitCode: 255 }
          : undefined,
      ),
    );
    expect(step(collected, "managers")).toMatch(/^failed: .*subnet manager/i);
    expect((await understood(collected)).fabric.smUnasked[0]).toContain("the SA did not answer");
  });
});

describe("collecting error counters", () => {
  it("takes the exit code 1 for what it is: errors were found", async () => {
    const collected = await capture(host());
    expect(step(collected, "counters")).toBe("done: 11 ports have counted errors");
    expect((await understood(collected)).fabric.counters?.latest.takenAt).toBe(0);
  });

  it("asks older versions without the options that they do not know", async () => {
    const runner = host(([tool, ...options]) =>
      tool === "ibqueryerrors" && options.length > 0
        ? { stderr: "ibqueryerrors: unrecognized option '--threshold-file'\n", exitCode: 2 }
        : undefined,
    );
    expect(step(await capture(runner), "counters")).toMatch(/^done/);
    expect(runner.started).toContain("ibqueryerrors");
  });

  it("does not take silence for a clean fabric", async () => {
    const collected = await capture(host(([tool]) => (tool === "ibqueryerrors" ? { stdout: "" } : undefined)));
    expect(step(collected, "counters")).toMatch(/^failed/);
  });

  it("is passed over where the tool is missing, and the managers are still asked", async () => {
    const collected = await capture(
      host(([tool]) => (tool === "ibqueryerrors" ? { stderr: "sh: not found\n", exitCode: 127 } : undefined)),
    );
    expect(step(collected, "counters")).toMatch(/^skipped/);
    expect(step(collected, "managers")).toMatch(/^done/);
  });

  it("keeps the counters of the collection before beside the new ones", async () => {
    const first = await capture(host());
    const second = await capture(host(), first);
    expect(second.outputs.map(({ name }) => name)).toContain("ibqueryerrors-earlier.txt");
    expect(countersOf(second)?.name).toBe("ibqueryerrors.txt");
  });
});
