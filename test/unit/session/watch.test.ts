import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSimulatedAccess } from "../../../electron/run/simulated/access.ts";
import { ManagerWatches, type Notice } from "../../../electron/session/manager-watches.ts";
import { openMarks } from "../../../electron/session/marks.ts";
import type { OpenFabric } from "../../../electron/session/open-fabrics.ts";
import type { OpenSource } from "../../../electron/session/sources.ts";
import { openWatchTimes } from "../../../electron/session/watch-times.ts";
import { managerLog } from "../../../electron/watch/sm-log.ts";
import { err, ok, type Result } from "../../../shared/base/result.ts";
import type { EventPayload } from "../../../shared/contract/events.ts";
import type { AppError } from "../../../shared/errors/kinds.ts";
import { must } from "../../support/ssh-dependencies.ts";
import { simulatedView } from "../renderer/tables-fabric.ts";
import { Bench } from "../run/simulated/bench.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ibex-watch-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const source = { kind: "simulated", name: "failover" } as const;

function openFabric(): OpenFabric {
  const { fabric, analysis, diagnostics } = simulatedView("failover");
  return {
    id: "f",
    capture: { name: "failover", how: "simulated", simulated: true, source, outputs: [], steps: [] },
    understood: { fabric, analysis, diagnostics, files: [], partial: false },
    kind: undefined,
    path: undefined,
  };
}

interface Session {
  readonly bench: Bench;
  readonly watches: ManagerWatches;
  readonly events: EventPayload<"watch">[];
  readonly notices: Notice[];
  readonly stop: () => Promise<void>;
  readonly pass: (seconds: number) => Promise<void>;
}

async function session(more: { readonly firstErrors?: readonly AppError[] } = {}): Promise<Session> {
  const bench = new Bench("failover", { latencyScale: 0 });
  const access = createSimulatedAccess(bench.fabric, { clock: bench.clock, latencyScale: 0 });
  const events: EventPayload<"watch">[] = [];
  const notices: Notice[] = [];
  const errors = [...(more.firstErrors ?? [])];
  const watches = new ManagerWatches({
    sources: {
      during: (_, work) => work(),
      get: (): Promise<Result<OpenSource, AppError>> => {
        const error = errors.shift();
        return Promise.resolve(error === undefined ? ok({ access }) : err(error));
      },
    },
    log: managerLog(join(folder, "managers.jsonl")),
    times: await openWatchTimes(folder),
    clock: {
      now: () => bench.clock.now(),
      monotonic: () => bench.clock.now(),
      sleep: (milliseconds, signal) =>
        new Promise((resolve) => {
          const end = (): void => {
            signal.removeEventListener("abort", end);
            resolve();
          };
          signal.addEventListener("abort", end);
          void bench.clock.after(milliseconds, end);
        }),
    },
    emit: (event) => events.push(event),
    notify: (notice) => notices.push(notice),
  });
  const pass = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second += 1) await bench.clock.advance(1_000);
  };
  const stop = async (): Promise<void> => {
    const state = { ended: false };
    const stopping = watches.stopAll().then(() => {
      state.ended = true;
    });
    for (let second = 0; second < 20 && !state.ended; second += 1) await bench.clock.advance(1_000);
    await stopping;
  };
  return { bench, watches, events, notices, stop, pass };
}

describe("watching subnet managers from the window", () => {
  it("tells each change and round, and notifies loss, handover and return by name", async () => {
    const { watches, events, notices, stop, pass } = await session();
    await watches.start(openFabric(), source, 1);
    await pass(30);
    await stop();
    expect(events.flatMap(({ changes }) => changes.map(({ kind }) => kind))).toEqual([
      "seen",
      "seen",
      "lost",
      "handover",
      "returned",
    ]);
    expect(notices.map(({ title }) => title)).toEqual([
      "mgmt-01 stopped answering",
      "mgmt-02 took over, STANDBY to MASTER",
      "mgmt-01 answers again, STANDBY",
    ]);
    for (const { body } of notices) expect(body).toContain("simulated");
    expect(events.at(-1)?.status).toMatchObject({ running: false, trouble: null });
    const grown = events.find(({ status }) => (status.managers[0]?.growth?.count ?? 0) > 0);
    expect(grown).toBeDefined();
  });

  it("knows changes and times after a restart, of the same source only", async () => {
    const first = await session();
    await first.watches.start(openFabric(), source, 1);
    await first.pass(30);
    await first.stop();
    const second = await session();
    const view = await second.watches.view(openFabric());
    expect(view.changes.map(({ kind }) => kind)).toEqual(["seen", "seen", "lost", "handover", "returned"]);
    expect(view.times).toHaveLength(1);
    expect(Date.parse(view.times[0]?.to ?? "") - Date.parse(view.times[0]?.from ?? "")).toBeGreaterThan(20_000);
    const other = openFabric();
    const elsewhere = {
      ...other,
      capture: { ...other.capture, source: { kind: "simulated", name: "healthy" } as const },
    };
    expect(await second.watches.view(elsewhere)).toMatchObject({ changes: [], times: [] });
  });

  it("watches once when it is started twice in a row", async () => {
    const { watches, events, stop, pass } = await session();
    const starting = Promise.all([watches.start(openFabric(), source, 1), watches.start(openFabric(), source, 1)]);
    await pass(5);
    await starting;
    await pass(30);
    await stop();
    expect(events.flatMap(({ changes }) => changes.filter(({ kind }) => kind === "lost"))).toHaveLength(1);
    expect(events.at(-1)?.status.running).toBe(false);
  });

  it("connects again when the connection is lost, and ends with the reason when it may not ask", async () => {
    const lost: AppError = { kind: "connection-lost", host: "mgmt-01", during: "sminfo" };
    const passing = await session({ firstErrors: [lost] });
    await passing.watches.start(openFabric(), source, 1);
    for (let second = 0; second < 30 && (passing.events.at(-1)?.status.lastRound ?? null) === null; second += 1) {
      await passing.pass(1);
    }
    expect(passing.events.some(({ status }) => status.trouble?.kind === "connection-lost" && status.running)).toBe(
      true,
    );
    expect(passing.events.at(-1)?.status).toMatchObject({ running: true, trouble: null });
    await passing.stop();

    const refused: AppError = { kind: "auth", host: "mgmt-01", user: "root", tried: ["key"] };
    const ending = await session({ firstErrors: [refused] });
    await ending.watches.start(openFabric(), source, 1);
    await ending.pass(1);
    expect(ending.events.at(-1)?.status).toMatchObject({ running: false, trouble: { kind: "auth" } });
  });
});

describe("marks of suspect cables", () => {
  const link = "0x0c42a10300000001:3" as const;
  const mark = { mark: "known", at: "2026-11-29T10:00:00Z", note: "spare ordered" } as const;

  it("survive a restart and can be taken away", async () => {
    const marks = await openMarks(folder);
    await Promise.all([marks.set(link, mark), marks.set("0x0c42a10300000002:4", { ...mark, mark: "fixed" })]);
    const again = await openMarks(folder);
    expect(again.get()).toMatchObject({ [link]: mark, "0x0c42a10300000002:4": { mark: "fixed" } });
    expect(must(await again.set(link, undefined))).not.toHaveProperty(link);
    expect((await openMarks(folder)).get()).not.toHaveProperty(link);
  });

  it("begin anew when their file is damaged", async () => {
    writeFileSync(join(folder, "marks.json"), '{"version":1,"marks":{"x":{"mark":"gone"}');
    const marks = await openMarks(folder);
    expect(marks.get()).toEqual({});
    expect((await marks.set(link, mark)).ok).toBe(true);
  });
});
