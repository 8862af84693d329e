import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HeldContent } from "../../../electron/threads/held-fabric.ts";
import { HeldThread } from "../../../electron/threads/held-thread.ts";
import type { QuestionInput } from "../../../electron/threads/questions.ts";

/** A thread of the same protocol that answers with what it was asked and how often it was, or never. */
const script = `
const { parentPort } = require("node:worker_threads");
parentPort.once("message", ({ content }) => {
  let asked = 0;
  parentPort.on("message", ({ input }) => {
    asked += 1;
    parentPort.postMessage({ progress: [1, 2, "half of " + input.planId] });
    if (input.planId === "never") return;
    if (input.planId === "bug") throw new Error("a bug");
    parentPort.postMessage({ answer: { ok: true, value: { id: input.planId, asked, name: content.name } } });
  });
});
`;

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "ibex-held-"));
  writeFileSync(join(folder, "thread.cjs"), script);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function thread(): { readonly held: HeldThread; readonly starts: () => number } {
  let starts = 0;
  const content = (): HeldContent => {
    starts += 1;
    // The thread of this test looks at the name alone.
    return { name: `start ${starts}` } as HeldContent;
  };
  return { held: new HeldThread(() => new Worker(join(folder, "thread.cjs")), content), starts: () => starts };
}

const question = (planId: string): QuestionInput<"plan"> => ({ planId }) as QuestionInput<"plan">;
const idle = (): AbortSignal => new AbortController().signal;

describe("a thread that holds a fabric", () => {
  it("starts with the first question and answers all with one start, in their order", async () => {
    const { held, starts } = thread();
    expect(starts()).toBe(0);
    const notes: string[] = [];
    const progress = (_done: number, _total: number, note: string): void => void notes.push(note);
    const answers = await Promise.all(
      ["a", "b", "c"].map((id) => held.ask("plan", question(id), { what: "Planning", signal: idle(), progress })),
    );
    held.end();
    expect(answers).toEqual(
      ["a", "b", "c"].map((id, index) => ({ ok: true, value: { id, asked: index + 1, name: "start 1" } })),
    );
    expect(notes).toEqual(["half of a", "half of b", "half of c"]);
    expect(starts()).toBe(1);
  });

  it("ends with the question that is aborted while it runs; what waits is answered by a new one", async () => {
    const { held, starts } = thread();
    const controller = new AbortController();
    const stuck = held.ask("plan", question("never"), {
      what: "Planning",
      signal: controller.signal,
      progress: () => controller.abort(),
    });
    const waiting = held.ask("plan", question("b"), { what: "Planning", signal: idle() });
    expect(await stuck).toEqual({ ok: false, error: { kind: "cancelled", what: "Planning" } });
    expect(await waiting).toMatchObject({ ok: true, value: { id: "b", asked: 1, name: "start 2" } });
    held.end();
    expect(starts()).toBe(2);
  });

  it("drops a waiting question that is aborted and leaves the running one alone", async () => {
    const { held, starts } = thread();
    const controller = new AbortController();
    const first = held.ask("plan", question("a"), { what: "Planning", signal: idle() });
    const waiting = held.ask("plan", question("b"), { what: "Reading", signal: controller.signal });
    controller.abort();
    expect(await waiting).toMatchObject({ ok: false, error: { kind: "cancelled", what: "Reading" } });
    expect(await first).toMatchObject({ ok: true, value: { asked: 1 } });
    held.end();
    expect(starts()).toBe(1);
  });

  it("cancels what is open when the fabric is closed", async () => {
    const { held } = thread();
    const open = ["never", "b"].map((id) => held.ask("plan", question(id), { what: "Planning", signal: idle() }));
    expect(held.isBusy).toBe(true);
    held.end();
    for (const answer of await Promise.all(open)) expect(answer).toMatchObject({ error: { kind: "cancelled" } });
    expect(held.isBusy).toBe(false);
  });

  it("hands a bug on and goes on with the next question", async () => {
    const { held } = thread();
    const bug = held.ask("plan", question("bug"), { what: "Planning", signal: idle() });
    const next = held.ask("plan", question("b"), { what: "Planning", signal: idle() });
    await expect(bug).rejects.toThrow("a bug");
    expect(await next).toMatchObject({ ok: true, value: { id: "b" } });
    held.end();
  });
});
