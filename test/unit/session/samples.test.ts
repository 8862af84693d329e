import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { HeldFabrics } from "../../../electron/session/held-fabrics.ts";
import { createMeasurer, measureHandlers } from "../../../electron/session/measure-handlers.ts";
import { OpenFabrics } from "../../../electron/session/open-fabrics.ts";
import { readSamples } from "../../../electron/session/samples.ts";
import { Sources } from "../../../electron/session/sources.ts";
import { openHistory } from "../../../electron/store/history.ts";
import { defaultSettings } from "../../../shared/contract/settings.ts";
import { linkId } from "../../../shared/fabric/access.ts";
import { defaultMeasureOptions } from "../../../shared/measure/types.ts";
import { openSample, openSamples, samplesFolder } from "../../support/samples.ts";
import { directEngine } from "../../../electron/threads/engine.ts";
import { dependencies, must } from "../../support/ssh-dependencies.ts";

const samples = await openSamples();

describe("sample captures", () => {
  it("are a fat tree of three levels and a Dragonfly+", () => {
    expect(samples.map(({ understood }) => understood.analysis.topology.kind).sort()).toEqual([
      "dragonfly+",
      "fat-tree",
    ]);
    const tree = samples.find(({ understood }) => understood.analysis.topology.kind === "fat-tree");
    expect(tree?.understood.analysis.topology.tiers).toHaveLength(3);
  });

  it.each(samples)("$info.title: is called simulated, holds what its entry says, and has faults to find", (sample) => {
    const { info, capture, understood } = sample;
    expect(capture).toMatchObject({ simulated: true, name: info.title });
    expect(capture.steps.map((step) => step.note)).toEqual(
      capture.outputs.map(() => "the real tool, on a fabric simulated by ibsim"),
    );
    expect(understood.analysis.counts).toMatchObject({ switches: info.switches, hosts: info.hosts });
    const rules = new Set(understood.analysis.findings.map((finding) => finding.rule));
    expect([...rules]).toEqual(expect.arrayContaining(["width-below-capability", "speed-below-capability"]));
    expect(understood.partial).toBe(false);
  });

  it("stay small enough for the repository", () => {
    for (const { info } of samples) expect(readFileSync(info.path).length).toBeLessThan(300_000);
  });

  it("are packed with the program", () => {
    const builder = readFileSync(join(samplesFolder, "..", "..", "electron-builder.yml"), "utf8");
    expect(builder).toMatch(/^ {2}- resources\/samples\/\*\*$/m);
  });

  it("are none where their folder is missing", async () => {
    expect(await readSamples("/nowhere")).toEqual([]);
  });

  it("cannot be measured, and the reason is said", async () => {
    const { capture, understood } = await openSample("dragonfly-plus");
    const fabrics = new OpenFabrics();
    const open = fabrics.add(capture, understood, undefined);
    const parts = {
      fabrics,
      sources: new Sources(dependencies("/nowhere"), () => undefined),
      settings: {
        get: () => defaultSettings,
        set: () => Promise.resolve({ ok: true as const, value: defaultSettings }),
      },
      history: must(await openHistory("/nowhere/measurements.jsonl")),
      now: Date.now,
    };
    const handlers = measureHandlers(parts, createMeasurer(parts), new HeldFabrics(directEngine));
    const plan = await handlers["measure.plan"](
      { fabricId: open.id, link: linkId(understood.fabric, 0), options: defaultMeasureOptions },
      { signal: new AbortController().signal, progress: () => undefined },
    );
    expect(plan).toMatchObject({ ok: false, error: { kind: "unsupported" } });
    if (!plan.ok && plan.error.kind === "unsupported") expect(plan.error.detail).toMatch(/no cluster behind it/);
  });
});
