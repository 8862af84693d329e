import { describe, expect, it } from "vitest";
import { ok } from "../../../shared/base/result.ts";
import type { ProgressEvent } from "../../../shared/contract/events.ts";
import { requestNames } from "../../../shared/contract/names.ts";
import { requests } from "../../../shared/contract/requests.ts";
import { createRouter, type Handlers } from "../../../electron/ipc/router.ts";
import type { Logger } from "../../../electron/log/logger.ts";

interface LoggedLines extends Logger {
  readonly lines: string[];
}

function memoryLogger(): LoggedLines {
  const lines: string[] = [];
  return { lines, info: (t) => void lines.push(t), warn: (t) => void lines.push(t), error: (t) => void lines.push(t) };
}

/** A router of which only `some` handlers do anything; the others fail the test when they are called. */
function routerWith(
  some: Partial<Handlers>,
  emit: (event: ProgressEvent) => void = () => undefined,
  log = memoryLogger(),
) {
  const all = Object.fromEntries(
    requestNames.map((name) => [
      name,
      () => {
        throw new Error(`${name} was called`);
      },
    ]),
  ) as unknown as Handlers;
  return createRouter({ ...all, ...some }, emit, log);
}

describe("router", () => {
  it("has a schema for every name of the contract", () => {
    expect(Object.keys(requests).sort()).toEqual([...requestNames].sort());
  });

  it.each([
    ["an unknown name", "no.such", "c1", {}],
    ["a name that is no text", 7, "c1", {}],
    ["a call id that is no text", "recent.list", 1, {}],
    ["an input of the wrong shape", "fabric.get", "c1", { fabricId: 7 }],
    ["an input with more keys than agreed", "fabric.get", "c1", { fabricId: "a", more: 1 }],
    ["no input", "fabric.get", "c1", undefined],
    ["a link that is no link", "measure.plan", "c1", { fabricId: "a", link: "<b>", options: {} }],
  ])("refuses %s before any handler runs", async (_what, name, callId, input) => {
    expect(await routerWith({}).call(name, callId, input)).toMatchObject({ ok: false, error: { kind: "bad-request" } });
  });

  it("turns a bug in a handler into an incident and logs it under the same id", async () => {
    const log = memoryLogger();
    const router = routerWith(
      {
        "recent.list": () => {
          throw new Error("boom");
        },
      },
      undefined,
      log,
    );
    const reply = await router.call("recent.list", "c1", {});
    expect(reply).toMatchObject({ ok: false, error: { kind: "internal" } });
    const incident = !reply.ok && reply.error.kind === "internal" ? reply.error.incident : "none";
    expect(log.lines.join("\n")).toContain(incident);
    expect(log.lines.join("\n")).toContain("boom");
  });

  it("aborts the running call that is cancelled, and no other", async () => {
    const aborted: string[] = [];
    const router = routerWith({
      "capture.open": (input, context) =>
        new Promise((resolve) => {
          context.signal.addEventListener("abort", () => {
            aborted.push(input.paths[0] ?? "");
            resolve(ok({ fabricId: "x" }));
          });
        }),
    });
    const one = router.call("capture.open", "c1", { paths: ["one"] });
    void router.call("capture.open", "c2", { paths: ["two"] });
    router.cancel("c1");
    await one;
    expect(aborted).toEqual(["one"]);
    router.cancelAll();
    expect(aborted).toEqual(["one", "two"]);
  });

  it("starts a call aborted when its cancel came first", async () => {
    const router = routerWith({ "recent.list": (_input, { signal }) => ok(signal.aborted ? [] : [never()]) });
    router.cancel("c9");
    expect(await router.call("recent.list", "c9", {})).toEqual({ ok: true, value: [] });
  });

  it("sends few of many progress reports, and the last one before the reply", async () => {
    const events: ProgressEvent[] = [];
    const router = routerWith(
      {
        "recent.list": (_input, { progress }) => {
          for (let done = 1; done <= 1000; done += 1) progress({ step: "s", done, total: 1000, note: "" });
          return ok([]);
        },
      },
      (event) => events.push(event),
    );
    await router.call("recent.list", "c1", {});
    expect(events.length).toBeLessThan(10);
    expect(events.at(-1)).toMatchObject({ callId: "c1", done: 1000 });
    expect(events.map((event) => event.seq)).toEqual(events.map((_event, i) => i + 1));
  });
});

function never(): never {
  throw new Error("the call was not aborted");
}
