import { describe, expect, it } from "vitest";
import { collect } from "../../../electron/collect/collect.ts";
import { createSimulatedRunner } from "../../../electron/run/simulated/runner.ts";
import { createSimulatedFabric } from "../../../electron/run/simulated/catalogue.ts";
import { understandCapture } from "../../../electron/session/load.ts";
import { HeldFabrics } from "../../../electron/session/held-fabrics.ts";
import { createMeasurer, measureHandlers } from "../../../electron/session/measure-handlers.ts";
import { OpenFabrics } from "../../../electron/session/open-fabrics.ts";
import { Sources } from "../../../electron/session/sources.ts";
import type { History } from "../../../electron/store/history.ts";
import { directEngine } from "../../../electron/threads/engine.ts";
import { assert } from "../../../shared/base/assert.ts";
import { err } from "../../../shared/base/result.ts";
import { defaultSettings } from "../../../shared/contract/settings.ts";
import { linkId, linkKind } from "../../../shared/fabric/access.ts";
import { defaultMeasureOptions } from "../../../shared/measure/types.ts";
import { dependencies, must } from "../../support/ssh-dependencies.ts";

const source = { kind: "simulated", name: "fat-tree-small" } as const;

/** A history on a disk that is full. */
const fullDisk: History = {
  append: () =>
    Promise.resolve(err({ kind: "file", path: "/data/measurements.jsonl", operation: "write", code: "ENOSPC" })),
  list: () => ({ measurements: [], damaged: 0 }),
  newestFirst: () => [],
  get: (id) => Promise.resolve(err({ kind: "unknown-id", what: "measurement", id })),
  refresh: () => Promise.resolve({ ok: true, value: undefined }),
};

/** The handlers over the small simulated tree, and a plan of one host's cable. */
async function session() {
  const simulated = createSimulatedFabric(source.name);
  assert(simulated !== undefined, "the fabric is in the catalogue");
  const { signal } = new AbortController();
  const runner = createSimulatedRunner(simulated);
  const capture = must(
    await collect(runner, { source, simulated: true, signal, now: Date.now, onSteps: () => undefined }),
  );
  const { understood } = must(await understandCapture(capture, directEngine, signal));
  const fabrics = new OpenFabrics();
  const open = fabrics.add(capture, understood, undefined);
  const sources = new Sources(dependencies("/nowhere"), () => undefined);
  const parts = {
    fabrics,
    sources,
    settings: {
      get: () => defaultSettings,
      set: () => Promise.resolve({ ok: true as const, value: defaultSettings }),
    },
    history: fullDisk,
    now: Date.now,
  };
  const handlers = measureHandlers(parts, createMeasurer(parts), new HeldFabrics(directEngine));
  const { fabric } = understood;
  const link = Array.from({ length: fabric.links.count }, (_, index) => index).find(
    (index) => linkKind(fabric, index) === "host",
  );
  assert(link !== undefined, "there is a host's cable");
  const context = { signal, progress: () => undefined };
  const options = { ...defaultMeasureOptions, preset: "latency" as const, latencyIterations: 100 };
  const plan = must(
    await handlers["measure.plan"]({ fabricId: open.id, link: linkId(fabric, link), options }, context),
  );
  return { handlers, plan, context, sources };
}

describe("measuring from the window", () => {
  it("gives the result even when the history cannot be written, and says so first", async () => {
    const { handlers, plan, context, sources } = await session();
    const measured = must(await handlers["measure.run"]({ planId: plan.id }, context));
    await sources.closeAll();
    expect(measured.latencyUs).toBeGreaterThan(0);
    expect(measured.verdict.next[0]).toMatch(/not in the history: .*the disk is full/);
  });

  it("says of both hosts of a plan whether they have GPU memory, and why not", async () => {
    const { handlers, plan, context, sources } = await session();
    const { hosts } = must(await handlers["measure.gpus"]({ planId: plan.id }, context));
    expect(hosts.map(({ host }) => host)).toEqual([plan.client.host, plan.server.host]);
    // No simulated host has a GPU.
    for (const { gpus, reason } of hosts) expect(gpus.length === 0 && reason !== "").toBe(true);
    expect(await handlers["measure.gpus"]({ planId: "another" }, context)).toMatchObject({
      ok: false,
      error: { kind: "unknown-id", what: "plan" },
    });
    const aborted = { ...context, signal: AbortSignal.abort() };
    expect(await handlers["measure.gpus"]({ planId: plan.id }, aborted)).toMatchObject({
      ok: false,
      error: { kind: "cancelled" },
    });
    await sources.closeAll();
  });
});
