import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { presetOptions } from "../../../shared/measure/steps.ts";
import { openSession } from "../../support/session.ts";
import { must } from "../../support/ssh-dependencies.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ibex-close-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const context = { signal: new AbortController().signal, progress: () => undefined };
const source = { kind: "simulated", name: "fat-tree-small" } as const;

describe("closing a fabric", () => {
  it("ends its connection", async () => {
    const { handlers, sources } = await openSession(folder);
    const { fabricId } = must(await handlers["capture.collect"]({ source }, context));
    const before = must(await sources.get(source, context.signal));
    must(await handlers["fabric.close"]({ fabricId }, context));
    expect(must(await sources.get(source, context.signal))).not.toBe(before);
    await sources.closeAll();
  });

  it("leaves a sweep its connection, so that it goes on while another fabric is looked at", async () => {
    const { handlers, sources } = await openSession(folder);
    const { fabricId } = must(await handlers["capture.collect"]({ source }, context));
    const wish = { kind: "all-inter-switch" } as const;
    const plan = must(
      await handlers["sweep.plan"]({ fabricId, wish, options: presetOptions("bandwidth"), concurrency: 1 }, context),
    );
    const { id: sweepId } = must(await handlers["sweep.start"]({ planId: plan.planId }, context));
    const before = must(await sources.get(source, context.signal));
    must(await handlers["fabric.close"]({ fabricId }, context));
    expect(must(await sources.get(source, context.signal))).toBe(before);
    expect(must(await handlers["sweep.get"]({ sweepId }, context)).status.state).toBe("running");
    must(await handlers["sweep.cancel"]({ sweepId }, context));
    await sources.closeAll();
  });
});
