import { once } from "node:events";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { workerEngine } from "../../../electron/threads/engine.ts";
import { SpareThread } from "../../../electron/threads/spare-thread.ts";

let folder = "";
let starts = "";
let threads: SpareThread;
let taken: Worker[];

/** A thread that notes its start and answers; with a file of that name beside it, it dies at once. */
const script = (): string => `
const { parentPort } = require("node:worker_threads");
const { appendFileSync, existsSync } = require("node:fs");
appendFileSync(${JSON.stringify(starts)}, "x");
if (existsSync(${JSON.stringify(join(folder, "die"))})) throw new Error("died");
parentPort.on("message", (message) => parentPort.postMessage("heard " + message));
`;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ibex-spare-"));
  starts = join(folder, "starts");
  writeFileSync(starts, "");
  writeFileSync(join(folder, "thread.cjs"), script());
  threads = new SpareThread(join(folder, "thread.cjs"));
  taken = [];
});
afterEach(async () => {
  for (const worker of taken) await worker.terminate();
  rmSync(folder, { recursive: true, force: true });
});

async function ask(text: string): Promise<unknown> {
  const worker = threads.take();
  taken.push(worker);
  worker.postMessage(text);
  const [answer] = (await once(worker, "message")) as unknown[];
  return answer;
}

async function started(count: number): Promise<void> {
  while (readFileSync(starts, "utf8").length < count) await new Promise((done) => setTimeout(done, 5));
}

describe("threads that are started before they are needed", () => {
  it("starts none before it is told to", async () => {
    expect(readFileSync(starts, "utf8")).toBe("");
    expect(await ask("one")).toBe("heard one");
    expect(readFileSync(starts, "utf8")).toBe("x");
  });

  it("gives the one that waits, once, and a new one to the next", async () => {
    threads.keep();
    await started(1);
    expect(await ask("one")).toBe("heard one");
    expect(readFileSync(starts, "utf8")).toBe("x");
    expect(await ask("two")).toBe("heard two");
    expect(readFileSync(starts, "utf8")).toBe("xx");
    expect(new Set(taken).size).toBe(2);
  });

  it("goes on when the one that waits dies", async () => {
    appendFileSync(join(folder, "die"), "");
    threads.keep();
    while (threads.isReady) await new Promise((done) => setTimeout(done, 5));
    rmSync(join(folder, "die"));
    expect(await ask("one")).toBe("heard one");
  });
});

describe("a job in a thread", () => {
  it("fails when the thread ends without an answer", async () => {
    writeFileSync(join(folder, "silent.cjs"), `process.exit(7);`);
    const engine = workerEngine(join(folder, "silent.cjs"));
    await expect(engine.understand([], "x", new AbortController().signal)).rejects.toThrow("exit code 7");
  });
});
