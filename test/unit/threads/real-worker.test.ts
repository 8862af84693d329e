import { rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generateFabricTexts } from "../../../electron/run/simulated/texts.ts";
import { workerEngine } from "../../../electron/threads/engine.ts";
import type { HeldContent } from "../../../electron/threads/held-fabric.ts";
import type { QuestionInput } from "../../../electron/threads/questions.ts";
import { assert } from "../../../shared/base/assert.ts";
import { explain } from "../../../shared/errors/explain.ts";
import { planSweep, sweepFromDraft } from "../../../shared/measure/sweep.ts";
import { selectLinks } from "../../../shared/measure/sweep-select.ts";
import { defaultMeasureOptions } from "../../../shared/measure/types.ts";
import { buildWorker } from "../../support/built-worker.ts";

const encoder = new TextEncoder();
let built = { folder: "", script: "" };
let content: Omit<HeldContent, "limits">;

beforeAll(async () => {
  built = await buildWorker();
  const { ibnetdiscover, iblinkinfo, sminfo } = generateFabricTexts({ levels: 3, hosts: 1_000 });
  const files = [ibnetdiscover, iblinkinfo, sminfo].map((text, index) => ({
    file: `output-${String(index)}.txt`,
    bytes: encoder.encode(text),
  }));
  const understood = await workerEngine(built.script).understand(files, "tree", new AbortController().signal);
  assert(understood.ok, "the texts of the generator are understood");
  const { fabric, analysis } = understood.value;
  content = { name: "tree", fabric, analysis, tables: [] };
}, 120_000);
afterAll(() => rmSync(built.folder, { recursive: true, force: true }));

const sweep: QuestionInput<"planSweep"> = {
  selection: { kind: "all-inter-switch" },
  fabricId: "f",
  options: defaultMeasureOptions,
  simulated: false,
};

describe("planning a full sweep in the real thread", () => {
  it("is given up in the middle, and the next question has a thread of its own", async () => {
    const held = workerEngine(built.script).hold(() => content);
    const controller = new AbortController();
    const seen: number[] = [];
    let total = 0;
    const cut = await held.ask("planSweep", sweep, {
      what: "Planning all links",
      signal: controller.signal,
      progress: (done, all) => {
        seen.push(done);
        total = all;
        if (done > 0) controller.abort();
      },
    });
    assert(!cut.ok, "it was given up");
    expect(explain(cut.error).sentence).toContain("Planning all links");
    expect(cut.error.kind).toBe("cancelled");
    expect(Math.max(...seen)).toBeLessThan(total);
    expect(held.isBusy).toBe(false);

    const { fabric, analysis } = content;
    const again = await held.ask("planSweep", sweep, { what: "Planning", signal: new AbortController().signal });
    held.end();
    assert(again.ok, "the second is answered");
    const ready = sweepFromDraft(fabric, sweep, again.value);
    const here = planSweep(fabric, analysis, { ...sweep, links: selectLinks(fabric, analysis, sweep.selection) });
    const shown = (rounds: typeof here.rounds): unknown =>
      rounds.map((round) =>
        round.map(({ link, clientHost, serverHost, cables }) => [link, clientHost, serverHost, cables]),
      );
    expect(shown(ready.rounds)).toEqual(shown(here.rounds));
    expect(ready.rounds[0]?.[0]?.plan()).toEqual(here.rounds[0]?.[0]?.plan());
    expect([ready.lowerBound, ready.refused]).toEqual([here.lowerBound, here.refused]);
  }, 120_000);
});
