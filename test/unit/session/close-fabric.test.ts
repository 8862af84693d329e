import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sshSource } from "../../../shared/contract/source.ts";
import { linkId, linkKind } from "../../../shared/fabric/access.ts";
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
    // Nothing runs on it while the sweep is paused, and it is the sweep's all the same.
    must(await handlers["sweep.pause"]({ sweepId }, context));
    expect(must(await sources.get(source, context.signal))).toBe(before);
    must(await handlers["sweep.cancel"]({ sweepId }, context));
    // The sweep was the last that needed it.
    expect(must(await sources.get(source, context.signal))).not.toBe(before);
    await sources.closeAll();
  });

  it("leaves the connection to a fabric that was collected from it anew while a sweep went on", async () => {
    const { handlers, sources } = await openSession(folder);
    const { fabricId } = must(await handlers["capture.collect"]({ source }, context));
    const wish = { kind: "all-inter-switch" } as const;
    const plan = must(
      await handlers["sweep.plan"]({ fabricId, wish, options: presetOptions("bandwidth"), concurrency: 1 }, context),
    );
    const { id: sweepId } = must(await handlers["sweep.start"]({ planId: plan.planId }, context));
    const before = must(await sources.get(source, context.signal));
    must(await handlers["fabric.close"]({ fabricId }, context));
    must(await handlers["capture.collect"]({ source }, context));
    must(await handlers["sweep.cancel"]({ sweepId }, context));
    expect(must(await sources.get(source, context.signal))).toBe(before);
    await sources.closeAll();
  });

  it("ends a connection that was made after the closing, with what it was made for", async () => {
    const { sources } = await openSession(folder);
    await sources.close(source);
    const made = await sources.during(source, () => sources.get(source, context.signal));
    expect(must(await sources.get(source, context.signal))).not.toBe(must(made));
    await sources.closeAll();
  });

  it("leaves a measurement its connection until it has ended", async () => {
    const { handlers, sources } = await openSession(folder);
    const { fabricId } = must(await handlers["capture.collect"]({ source }, context));
    const { fabric } = must(await handlers["fabric.get"]({ fabricId }, context));
    const link = linkId(
      fabric,
      Array.from({ length: fabric.links.count }, (_, i) => i).find((i) => linkKind(fabric, i) === "host") ?? 0,
    );
    const plan = must(
      await handlers["measure.plan"](
        { fabricId, link, options: { ...presetOptions("bandwidth"), seconds: 2 } },
        context,
      ),
    );
    const before = must(await sources.get(source, context.signal));
    const running = handlers["measure.run"]({ planId: plan.id }, context);
    must(await handlers["fabric.close"]({ fabricId }, context));
    const measured = must(await running);
    expect(measured.bandwidthGbps).toBeGreaterThan(0);
    expect(must(await sources.get(source, context.signal))).not.toBe(before);
    await sources.closeAll();
  });

  it("makes an attempt of its own when who began the shared one gives up", async () => {
    const { sources } = await openSession(folder);
    const first = new AbortController();
    first.abort();
    // Nothing listens there, which is known at once.
    const closed = sshSource("127.0.0.1", { user: "root", port: 1 });
    const attempts = [sources.get(closed, first.signal), sources.get(closed, context.signal)];
    const kinds = (await Promise.all(attempts)).map((answer) => (answer.ok ? "open" : answer.error.kind));
    expect(kinds).toEqual(["cancelled", "unreachable"]);
    await sources.closeAll();
  });
});
