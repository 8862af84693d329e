import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { directEngine, type Engine } from "../../../electron/threads/engine.ts";
import { openSession } from "../../support/session.ts";
import { must } from "../../support/ssh-dependencies.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ibex-overrule-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const context = { signal: new AbortController().signal, progress: () => undefined };
const source = { kind: "simulated", name: "fat-tree-small" } as const;

describe("the user's word on the shape", () => {
  it("is taken, lasts over a collection of the same fabric, and is given up for Ibex's own", async () => {
    const { handlers, sources } = await openSession(folder);
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
    const { handlers, sources } = await openSession(folder, engine);
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
    const { handlers, sources } = await openSession(folder);
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
    const { handlers } = await openSession(folder);
    expect(await handlers["fabric.overrule"]({ fabricId: "gone", kind: "irregular" }, context)).toMatchObject({
      ok: false,
      error: { kind: "unknown-id" },
    });
  });
});
