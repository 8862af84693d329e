import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { beginSweep } from "../../../electron/measure/sweep-state.ts";
import { SweepRuns } from "../../../electron/session/sweep-runs.ts";
import { err } from "../../../shared/base/result.ts";
import { selectLinks } from "../../../shared/measure/sweep-select.ts";
import { presetOptions } from "../../../shared/measure/steps.ts";
import { planSweep } from "../../../shared/measure/sweep.ts";
import { must } from "../../support/ssh-dependencies.ts";
import { simulatedView } from "../renderer/tables-fabric.ts";

let folder = "";
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "ibex-sweep-runs-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("a sweep that runs", () => {
  it("leaves a pause out of what it expects to take", async () => {
    const { fabric, analysis } = simulatedView("fat-tree-small");
    const options = presetOptions("bandwidth");
    const links = selectLinks(fabric, analysis, { kind: "all-inter-switch" }).slice(0, 3);
    const sweep = planSweep(fabric, analysis, { links, fabricId: "f", options, simulated: true, concurrency: 1 });
    expect(sweep.rounds).toHaveLength(3);
    const journal = must(
      await beginSweep(folder, {
        ...{ format: "ibex-sweep", version: 1, id: "a", startedAt: "2026-03-12T03:00:00Z", source: "x", options },
        links: sweep.rounds.flatMap((round) => round.map(({ link }) => link)),
      }),
    );
    let seconds = 0;
    const ends: (() => void)[] = [];
    const begun: (() => void)[] = [];
    const begins = [0, 1, 2].map((place) => new Promise<void>((resolve) => (begun[place] = resolve)));
    const sweeps = new SweepRuns({ now: () => seconds * 1000, emit: () => undefined });
    sweeps.begin({
      sweep,
      journal,
      concurrency: 1,
      measure: () =>
        new Promise((resolve) => {
          ends.push(() => resolve(err({ kind: "unsupported", what: "This", detail: "not here" })));
          begun[ends.length - 1]?.();
        }),
    });
    await begins[0];
    seconds = 10;
    ends[0]?.();
    await begins[1];
    sweeps.pause("a");
    seconds += 3600;
    expect(sweeps.all[0]?.secondsLeft).toBe(20);
    sweeps.resume("a");
    seconds += 6;
    expect(sweeps.all[0]?.secondsLeft).toBe(14);
    ends[1]?.();
    await begins[2];
    expect(sweeps.all[0]).toMatchObject({ round: 3, secondsLeft: 8 });
    const stopped = sweeps.stopAll();
    ends[2]?.();
    await stopped;
  });
});
