import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createHandlers } from "../../../electron/session/handlers.ts";
import { OpenFabrics } from "../../../electron/session/open-fabrics.ts";
import { CounterWatches } from "../../../electron/session/counter-watches.ts";
import { ManagerWatches } from "../../../electron/session/manager-watches.ts";
import { openMarks } from "../../../electron/session/marks.ts";
import { createPrompts } from "../../../electron/session/prompts.ts";
import { Sources } from "../../../electron/session/sources.ts";
import { openWatchTimes } from "../../../electron/session/watch-times.ts";
import { managerLog } from "../../../electron/watch/sm-log.ts";
import { SweepRuns } from "../../../electron/session/sweep-runs.ts";
import { openBaselines } from "../../../electron/store/baselines.ts";
import { openHistory } from "../../../electron/store/history.ts";
import { openRecent } from "../../../electron/store/recent.ts";
import { openSettings } from "../../../electron/store/settings.ts";
import { directEngine, type Engine } from "../../../electron/work/engine.ts";
import type { Handlers } from "../../../electron/ipc/router.ts";
import { dependencies, must } from "../../support/ssh-dependencies.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ibex-overrule-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const desktop = {
  info: { version: "", electron: "", platform: "", dataFolder: "", simulatedFabrics: [], samples: [] },
  initial: { open: "nothing" as const },
  choosePaths: () => Promise.resolve([]),
  chooseSavePath: () => Promise.resolve(undefined),
  copyText: () => undefined,
  ready: () => undefined,
  incidentReport: () => Promise.resolve(""),
};

const clock = { now: Date.now, monotonic: Date.now, sleep: () => Promise.resolve() };

async function session(engine: Engine = directEngine): Promise<{ handlers: Handlers; sources: Sources }> {
  const ssh = dependencies(folder);
  const sources = new Sources(ssh, () => undefined);
  const handlers = createHandlers({
    desktop,
    engine,
    fabrics: new OpenFabrics(),
    sources,
    ssh,
    prompts: createPrompts(
      () => undefined,
      () => undefined,
    ),
    settings: await openSettings(folder),
    recent: await openRecent(folder),
    history: must(await openHistory(join(folder, "measurements.jsonl"))),
    counterWatches: new CounterWatches({ sources, clock, emit: () => undefined }),
    watches: new ManagerWatches({
      sources,
      log: managerLog(join(folder, "managers.jsonl")),
      times: await openWatchTimes(folder),
      clock,
      emit: () => undefined,
      notify: () => undefined,
    }),
    marks: await openMarks(folder),
    sweeps: new SweepRuns({ now: Date.now, emit: () => undefined }),
    baselines: await openBaselines(folder),
    dataFolder: folder,
    now: Date.now,
  });
  return { handlers, sources };
}

const context = { signal: new AbortController().signal, progress: () => undefined };
const source = { kind: "simulated", name: "fat-tree-small" } as const;

describe("the user's word on the shape", () => {
  it("is taken, lasts over a collection of the same fabric, and is given up for Ibex's own", async () => {
    const { handlers, sources } = await session();
    const { fabricId } = must(await handlers["capture.collect"]({ source }, context));
    const found = must(await handlers["fabric.get"]({ fabricId }, context)).analysis.topology;
    expect(found).toMatchObject({ kind: "fat-tree", overruled: false });

    const chosen = must(await handlers["fabric.overrule"]({ fabricId, kind: "irregular" }, context));
    expect(chosen.analysis.topology).toMatchObject({ kind: "irregular", overruled: true });
    expect(must(await handlers["fabric.get"]({ fabricId }, context)).analysis.topology.kind).toBe("irregular");

    const again = must(await handlers["capture.collect"]({ source, replaces: fabricId }, context));
    expect(again.fabricId).toBe(fabricId);
    expect(must(await handlers["fabric.get"]({ fabricId }, context)).analysis.topology.kind).toBe("irregular");

    const back = must(await handlers["fabric.overrule"]({ fabricId, kind: "automatic" }, context));
    expect(back.analysis.topology).toMatchObject({ kind: "fat-tree", overruled: false });
    await sources.closeAll();
  });

  it("is about what stands now when the fabric was collected again meanwhile", async () => {
    let meanwhile = (): Promise<unknown> => Promise.resolve();
    const engine: Engine = {
      ...directEngine,
      understand: (...job) => directEngine.understand(...job),
      analyse: async (fabric, name, signal, kind) => {
        const work = meanwhile;
        meanwhile = () => Promise.resolve();
        await work();
        return directEngine.analyse(fabric, name, signal, kind);
      },
    };
    const { handlers, sources } = await session(engine);
    const { fabricId } = must(await handlers["capture.collect"]({ source }, context));
    meanwhile = async () => handlers["capture.collect"]({ source, replaces: fabricId }, context);
    const chosen = must(await handlers["fabric.overrule"]({ fabricId, kind: "dragonfly+" }, context));
    const now = must(await handlers["fabric.get"]({ fabricId }, context));
    expect(chosen.analysis.topology.kind).toBe("dragonfly+");
    expect(now.analysis.topology.kind).toBe("dragonfly+");
    expect(now.fabric).toBe(chosen.fabric);
    await sources.closeAll();
  });

  it("keeps the routes and what they say", async () => {
    const { handlers, sources } = await session();
    const { fabricId } = must(await handlers["capture.collect"]({ source, routes: true }, context));
    const before = must(await handlers["routes.get"]({ fabricId }, context));
    expect(before.tables).toBeGreaterThan(0);
    must(await handlers["fabric.overrule"]({ fabricId, kind: "irregular" }, context));
    const after = must(await handlers["routes.get"]({ fabricId }, context));
    expect([after.tables, after.pairs, after.hops]).toEqual([before.tables, before.pairs, before.hops]);
    const kept = ({ rule }: { readonly rule: string }): boolean => rule !== "unbalanced-routes";
    expect(after.findings.filter(kept)).toEqual(before.findings.filter(kept));
    await sources.closeAll();
  });

  it("refuses a fabric that is not open", async () => {
    const { handlers } = await session();
    expect(await handlers["fabric.overrule"]({ fabricId: "gone", kind: "irregular" }, context)).toMatchObject({
      ok: false,
      error: { kind: "unknown-id" },
    });
  });
});
