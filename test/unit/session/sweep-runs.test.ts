import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { beginSweep, type SweepDone, SweepTally } from "../../../electron/measure/sweep-state.ts";
import { SweepRuns } from "../../../electron/session/sweep-runs.ts";
import { err } from "../../../shared/base/result.ts";
import type { SweepStatus } from "../../../shared/contract/sweeps.ts";
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

  it("tells how it stands at one cost, however much is done", async () => {
    const { fabric, analysis } = simulatedView("fat-tree-small");
    const options = presetOptions("bandwidth");
    const links = selectLinks(fabric, analysis, { kind: "all-inter-switch" }).slice(0, 3);
    const sweep = planSweep(fabric, analysis, { links, fabricId: "f", options, simulated: true, concurrency: 1 });
    const before = { link: "0x0000000000000009:1", at: "2026-03-12T02:59:00Z", level: "bad" } as const;
    const opened = must(
      await beginSweep(folder, {
        ...{ format: "ibex-sweep", version: 1, id: "a", startedAt: "2026-03-12T03:00:00Z", source: "x", options },
        links: [before.link, ...sweep.rounds.flatMap((round) => round.map(({ link }) => link))],
      }),
    );
    must(await opened.add(before));
    /** Counts who goes through all that is done. */
    let walks = 0;
    class Watched extends Map<string, SweepDone> {
      override values(): MapIterator<SweepDone> {
        walks += 1;
        return super.values();
      }
    }
    const done = new Watched([[before.link, before]]);
    const journal = {
      ...opened,
      done,
      async add(line: SweepDone) {
        const written = await opened.add(line);
        done.set(line.link, line);
        return written;
      },
    };
    const sweeps = new SweepRuns({ now: () => 0, emit: () => undefined });
    const { finished } = sweeps.begin({
      sweep,
      journal,
      concurrency: 1,
      measure: () => Promise.resolve(err({ kind: "unsupported", what: "This", detail: "not here" })),
    });
    const atStart = walks;
    expect(sweeps.all[0]).toMatchObject({ done: 1, slow: 1, failed: 0, lastAt: before.at });
    const states: SweepStatus[] = [];
    for (let asked = 0; asked < 100; asked += 1) states.push(...sweeps.all);
    await finished;
    expect(walks).toBe(atStart);
    expect(states).toHaveLength(100);
  });

  it("counts each result as its journal does", async () => {
    const { fabric, analysis } = simulatedView("fat-tree-small");
    const options = presetOptions("bandwidth");
    const links = selectLinks(fabric, analysis, { kind: "all-inter-switch" }).slice(0, 3);
    const sweep = planSweep(fabric, analysis, { links, fabricId: "f", options, simulated: true, concurrency: 3 });
    const journal = must(
      await beginSweep(folder, {
        ...{ format: "ibex-sweep", version: 1, id: "a", startedAt: "2026-03-12T03:00:00Z", source: "x", options },
        links: sweep.rounds.flatMap((round) => round.map(({ link }) => link)),
      }),
    );
    const told: SweepStatus[] = [];
    const sweeps = new SweepRuns({ now: () => 0, emit: ({ status }) => told.push(status) });
    await sweeps.begin({
      sweep,
      journal,
      concurrency: 3,
      measure: () => Promise.resolve(err({ kind: "unsupported", what: "This", detail: "not here" })),
    }).finished;
    const tally = new SweepTally(journal.done.values());
    expect(told.at(-1)).toMatchObject({ state: "finished", done: tally.done, slow: tally.slow, failed: tally.failed });
    expect(tally.failed).toBe(3);
  });
});
