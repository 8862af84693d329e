import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { collect } from "../../../electron/collect/collect.ts";
import type { Handlers } from "../../../electron/ipc/router.ts";
import { cleanSweeps, listSweeps } from "../../../electron/measure/sweep-list.ts";
import { beginSweep, continueSweep, discardSweep, type SweepHead } from "../../../electron/measure/sweep-state.ts";
import { createSimulatedFabric } from "../../../electron/run/simulated/catalogue.ts";
import { createSimulatedRunner } from "../../../electron/run/simulated/runner.ts";
import { HeldFabrics } from "../../../electron/session/held-fabrics.ts";
import { understandCapture } from "../../../electron/session/load.ts";
import type { Measurer } from "../../../electron/session/measure-handlers.ts";
import { OpenFabrics } from "../../../electron/session/open-fabrics.ts";
import { resultsHandlers } from "../../../electron/session/results-handlers.ts";
import { Sources } from "../../../electron/session/sources.ts";
import { sweepHandlers } from "../../../electron/session/sweep-handlers.ts";
import { SweepRuns } from "../../../electron/session/sweep-runs.ts";
import { openBaselines } from "../../../electron/store/baselines.ts";
import { openHistory } from "../../../electron/store/history.ts";
import { directEngine } from "../../../electron/threads/engine.ts";
import { assert } from "../../../shared/base/assert.ts";
import { err, ok } from "../../../shared/base/result.ts";
import type { SweepEvent, SweepStatus } from "../../../shared/contract/sweeps.ts";
import { baselineFindings } from "../../../shared/measure/baseline-findings.ts";
import { presetOptions } from "../../../shared/measure/steps.ts";
import type { Measurement } from "../../../shared/measure/types.ts";
import { dependencies, must } from "../../support/ssh-dependencies.ts";

const source = { kind: "simulated", name: "fat-tree-small" } as const;
const context = { signal: new AbortController().signal, progress: () => undefined };
const options = presetOptions("bandwidth");

let folder = "";
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "ibex-sweeps-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Session {
  readonly handlers: Pick<Handlers, `sweep.${string}` & keyof Handlers> &
    Pick<Handlers, "measure.export" | "baseline.set" | "baseline.clear" | "baseline.list">;
  readonly sweeps: SweepRuns;
  readonly fabricId: string;
  readonly fabrics: OpenFabrics;
  /** Links in the order in which they were measured. */
  readonly measured: string[];
  /** Settles with the first word that fits. */
  readonly heard: (fits: (status: SweepStatus) => boolean) => Promise<SweepStatus>;
  readonly saved: { name: string; path: string };
}

/** A session over the data folder: as the program would be after each start. `hold`: what a measurement waits for. */
async function session(
  gbpsOf: (link: string) => number = () => 196,
  hold: (link: string, signal: AbortSignal) => Promise<void> = () => Promise.resolve(),
): Promise<Session> {
  const simulated = createSimulatedFabric(source.name);
  assert(simulated !== undefined, "the fabric is in the catalogue");
  const capture = must(
    await collect(createSimulatedRunner(simulated), {
      source,
      simulated: true,
      signal: context.signal,
      now: Date.now,
      onSteps: () => undefined,
    }),
  );
  const { understood } = must(await understandCapture(capture, directEngine, context.signal));
  const fabrics = new OpenFabrics();
  const open = fabrics.add(capture, understood, undefined);
  const history = must(await openHistory(join(folder, "measurements.jsonl")));
  const measured: string[] = [];
  const measurer: Measurer = async ({ plan, sweep }, { signal }) => {
    await hold(plan.link, signal);
    if (signal.aborted) return err({ kind: "cancelled", what: "The measurement" });
    measured.push(plan.link);
    const gbps = gbpsOf(plan.link);
    const measurement: Measurement = {
      version: 1,
      id: `${sweep ?? "single"} ${plan.link} ${measured.length}`,
      at: new Date().toISOString(),
      source: { kind: "simulated", label: source.name, simulated: true },
      link: plan.link,
      linkName: plan.linkName,
      client: plan.client,
      server: plan.server,
      path: plan.path,
      basis: plan.basis,
      options: plan.options,
      runs: [],
      bandwidthGbps: gbps,
      expectedGbps: 200,
      percent: gbps / 2,
      verdict: { level: gbps >= 190 ? "good" : "slow", sentence: "Said.", next: [] },
      versions: {},
      ...(sweep === undefined ? {} : { sweep }),
    };
    const kept = await history.append(measurement);
    return kept.ok ? ok(measurement) : kept;
  };
  const events: SweepEvent[] = [];
  const listeners = new Set<(event: SweepEvent) => void>();
  const sweeps = new SweepRuns({
    now: Date.now,
    emit: (event) => {
      events.push(event);
      for (const listener of listeners) listener(event);
    },
  });
  const saved = { name: "", path: "" };
  const parts = {
    fabrics,
    history,
    sweeps,
    sources: new Sources(dependencies(folder), () => undefined),
    baselines: await openBaselines(folder),
    dataFolder: folder,
    now: Date.now,
    desktop: {
      info: { version: "", electron: "", platform: "", dataFolder: "", simulatedFabrics: [], samples: [] },
      initial: { open: "nothing" as const },
      choosePaths: () => Promise.resolve([]),
      chooseSavePath: (name: string) => {
        saved.name = name;
        saved.path = join(folder, name);
        return Promise.resolve(saved.path);
      },
      copyText: () => undefined,
      ready: () => undefined,
      incidentReport: () => Promise.resolve(""),
    },
  };
  const handlers = {
    ...sweepHandlers(parts, measurer, new HeldFabrics(directEngine)),
    ...resultsHandlers(parts),
  };
  const heard: Session["heard"] = (fits) =>
    new Promise((resolve) => {
      const known = events.find(({ status }) => fits(status));
      if (known !== undefined) {
        resolve(known.status);
        return;
      }
      const listener = ({ status }: SweepEvent): void => {
        if (!fits(status)) return;
        listeners.delete(listener);
        resolve(status);
      };
      listeners.add(listener);
    });
  return { handlers, sweeps, fabricId: open.id, fabrics, measured, heard, saved };
}

async function planAndStart({ handlers, fabricId }: Session, concurrency = 2): Promise<SweepStatus> {
  const plan = must(
    await handlers["sweep.plan"]({ fabricId, wish: { kind: "all-inter-switch" }, options, concurrency }, context),
  );
  return must(await handlers["sweep.start"]({ planId: plan.planId }, context));
}

/** The simulated hosts wait until one is let go, or cancelled. */
function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  const wait = (_link: string, signal: AbortSignal): Promise<void> =>
    Promise.race([opened, new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()))]);
  return { open: () => open(), wait };
}

describe("sweeps of the window", () => {
  it("tell in a dry run what runs, on which hosts, how long, and what cannot be measured", async () => {
    const { handlers, fabricId, measured } = await session();
    const plan = must(
      await handlers["sweep.plan"]({ fabricId, wish: { kind: "all-host-links" }, options, concurrency: 4 }, context),
    );
    expect(plan.items.length).toBeGreaterThan(0);
    expect(plan.title).toBe("Host links");
    expect(plan.atOnce).toBeLessThanOrEqual(4);
    expect(plan.rounds).toBeGreaterThanOrEqual(plan.lowerBound);
    expect(plan.seconds).toBe(plan.rounds * plan.secondsPerRound);
    expect(plan.hosts).toEqual([...new Set(plan.items.flatMap((item) => [item.clientHost, item.serverHost]))].sort());
    for (let round = 1; round <= plan.rounds; round += 1) {
      const hosts = plan.items.filter((item) => item.round === round).flatMap((i) => [i.clientHost, i.serverHost]);
      expect(new Set(hosts).size).toBe(hosts.length);
    }
    expect(measured).toEqual([]);
  });

  it("run to the end, each link once, and are a table and JSON that say simulated", async () => {
    const world = await session((link) => (link.endsWith(":1") ? 121 : 196));
    const started = await planAndStart(world);
    const ended = await world.heard(({ state }) => state === "finished");
    expect(ended).toMatchObject({ id: started.id, done: started.total, failed: 0 });
    expect(new Set(world.measured).size).toBe(world.measured.length);
    expect(world.measured).toHaveLength(started.total);
    must(await world.handlers["sweep.export"]({ sweepId: started.id, format: "csv" }, context));
    expect(world.saved.name).toMatch(/^inter-switch-links-\d{4}-\d\d-\d\d-simulated\.csv$/);
    const [note, head, ...rows] = readFileSync(world.saved.path, "utf8").split("\r\n");
    expect(note).toMatch(/^# SIMULATED/);
    expect(head).toMatch(/^link,linkName,client,server,level,/);
    expect(rows.filter((row) => row !== "")).toHaveLength(started.total);
    must(await world.handlers["measure.export"]({ ids: null, format: "json" }, context));
    const file = JSON.parse(readFileSync(world.saved.path, "utf8")) as {
      watermark: string;
      results: { sweep: string }[];
    };
    expect(file.watermark).toMatch(/SIMULATED/);
    expect(file.results.every(({ sweep }) => sweep === started.id)).toBe(true);
  });

  it("are gone on with after the program ended, and measure nothing twice", async () => {
    let left = 3;
    const shut = gate();
    // Three links come to their end, the others hang until the program ends.
    const first = await session(undefined, (link, signal) => {
      left -= 1;
      return left >= 0 ? Promise.resolve() : shut.wait(link, signal);
    });
    const started = await planAndStart(first);
    await first.heard(({ done }) => done >= 3);
    await first.sweeps.stopAll();
    const done = [...first.measured];
    expect(done).toHaveLength(3);
    // The program was ended between history and journal: the journal's last line is torn.
    const [name] = readdirSync(join(folder, "sweeps")).filter((file) => file.endsWith(".jsonl"));
    const path = join(folder, "sweeps", name ?? "");
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.slice(0, text.trimEnd().lastIndexOf("\n") + 20));

    const second = await session();
    const [offered] = must(await second.handlers["sweep.list"]({}, context));
    expect(offered).toMatchObject({ id: started.id, state: "interrupted", done: 2, total: started.total });
    must(await second.handlers["sweep.resume"]({ sweepId: started.id, fabricId: second.fabricId }, context));
    await second.heard(({ state }) => state === "finished");
    const all = [...done, ...second.measured];
    expect(all).toHaveLength(started.total);
    expect(new Set(all).size).toBe(started.total);
    const view = must(await second.handlers["sweep.get"]({ sweepId: started.id }, context));
    expect(view).toMatchObject({ status: { state: "finished", done: started.total }, damaged: 1 });
  });

  it("start nothing while paused, and end at once when cancelled; cancelled ones can go on", async () => {
    const shut = gate();
    const world = await session(undefined, shut.wait);
    const { id, total } = await planAndStart(world);
    await world.heard(({ running }) => running.length === 2);
    must(await world.handlers["sweep.pause"]({ sweepId: id }, context));
    shut.open();
    // What ran ends; nothing new starts.
    await world.heard(({ state, done, running }) => state === "paused" && done === 2 && running.length === 0);
    expect(world.measured).toHaveLength(2);
    must(await world.handlers["sweep.cancel"]({ sweepId: id }, context));
    expect(must(await world.handlers["sweep.list"]({}, context))).toMatchObject([{ id, state: "cancelled", done: 2 }]);
    must(await world.handlers["sweep.resume"]({ sweepId: id, fabricId: world.fabricId }, context));
    await world.heard(({ state }) => state === "finished");
    expect(new Set(world.measured).size).toBe(total);
    expect(world.measured).toHaveLength(total);
  });

  it("start once from a plan, however often and fast it is asked for", async () => {
    const world = await session();
    const { handlers, fabricId } = world;
    const wish = { kind: "all-inter-switch" } as const;
    const { planId, title } = must(await handlers["sweep.plan"]({ fabricId, wish, options, concurrency: 2 }, context));
    const twice = [handlers["sweep.start"]({ planId }, context), handlers["sweep.start"]({ planId }, context)];
    const [first, second] = await Promise.all(twice.map((start) => Promise.resolve(start)));
    assert(first !== undefined && first.ok, "it starts");
    expect(second).toEqual({ ok: false, error: { kind: "already-started", what: title } });
    await world.heard(({ state }) => state === "finished");
    expect(await handlers["sweep.start"]({ planId }, context)).toEqual(second);
    expect(must(await handlers["sweep.list"]({}, context))).toHaveLength(1);
    expect(new Set(world.measured).size).toBe(world.measured.length);
  });

  it("can be started again from a plan whose start failed", async () => {
    const { handlers, fabricId, sweeps } = await session(undefined, () => new Promise(() => undefined));
    const wish = { kind: "all-inter-switch" } as const;
    const { planId } = must(await handlers["sweep.plan"]({ fabricId, wish, options, concurrency: 2 }, context));
    writeFileSync(join(folder, "sweeps"), "a file where the folder should be");
    expect(await handlers["sweep.start"]({ planId }, context)).toMatchObject({ ok: false, error: { kind: "file" } });
    rmSync(join(folder, "sweeps"));
    expect(must(await handlers["sweep.start"]({ planId }, context)).state).toBe("running");
    expect(sweeps.all).toHaveLength(1);
  });

  it("are not taken up while another living program runs them", async () => {
    const shut = gate();
    const one = await session(undefined, shut.wait);
    const { id } = await planAndStart(one);
    const other = await session();
    expect(must(await other.handlers["sweep.list"]({}, context))).toMatchObject([{ id, state: "elsewhere" }]);
    const refused = await other.handlers["sweep.resume"]({ sweepId: id, fabricId: other.fabricId }, context);
    expect(refused).toMatchObject({ ok: false, error: { kind: "busy" } });
    shut.open();
    await one.sweeps.stopAll();
  });
});

describe("journals of sweeps", () => {
  const head: SweepHead = {
    format: "ibex-sweep",
    version: 1,
    id: "old",
    startedAt: "2026-01-01T00:00:00.000Z",
    source: "mgmt-01",
    options,
    links: ["0x0000000000000001:1"],
  };
  const day = 86_400_000;

  it("go 30 days after a finished sweep's end and 90 after an unfinished one's, not before", async () => {
    const at = Date.parse(head.startedAt);
    const finished = must(await beginSweep(folder, head));
    must(await finished.add({ link: "0x0000000000000001:1", at: head.startedAt, level: "good" }));
    await finished.close();
    await must(await beginSweep(folder, { ...head, id: "open" })).close();
    expect(await cleanSweeps(folder, at + 29 * day)).toBe(0);
    expect(await cleanSweeps(folder, at + 31 * day)).toBe(1);
    expect(readdirSync(join(folder, "sweeps")).sort()).toEqual(["index.json", "open.sweep.jsonl"]);
    expect(await cleanSweeps(folder, at + 91 * day)).toBe(1);
  });

  it("of a program that is gone lock nobody out", async () => {
    const journal = must(await beginSweep(folder, head));
    await journal.close();
    // A pid that no process has: the largest that Linux gives is 4194304.
    const lock = join(folder, "sweeps", "old.sweep.jsonl.lock");
    const since = "2026-01-01T00:00:00.000Z";
    const holder = { machine: hostname(), pid: 99_999_999, started: "1", since, until: "9999-01-01T00:00:00.000Z" };
    writeFileSync(lock, JSON.stringify({ ...holder, token: "x" }));
    expect(await listSweeps(folder)).toMatchObject([{ id: "old", runBy: undefined }]);
    expect(await cleanSweeps(folder, Date.parse(head.startedAt) + 91 * day)).toBe(1);
  });
});

describe("the list of sweeps", () => {
  const links = ["0x0000000000000001:1", "0x0000000000000002:1"] as const;
  const head: SweepHead = {
    ...{ format: "ibex-sweep", version: 1, id: "one", startedAt: "2026-01-01T00:00:00.000Z" },
    ...{ source: "mgmt-01", options, links, title: "Two links" },
  };
  const journalPath = () => join(folder, "sweeps", "one.sweep.jsonl");
  const indexPath = () => join(folder, "sweeps", "index.json");

  beforeEach(async () => {
    const journal = must(await beginSweep(folder, head));
    must(await journal.add({ link: links[0], at: "2026-01-01T00:01:00.000Z", level: "slow" }));
    must(await journal.end("cancelled", "2026-01-01T00:02:00.000Z"));
    await journal.close();
  });

  const told = { id: "one", title: "Two links", end: "cancelled", total: 2, done: 1, slow: 1, failed: 0 };

  it("reads a journal again only when it has changed", async () => {
    const time = new Date("2026-01-02T00:00:00.000Z");
    utimesSync(journalPath(), time, time);
    expect(await listSweeps(folder)).toMatchObject([{ ...told, lastAt: "2026-01-01T00:02:00.000Z" }]);
    // As long as before, and of the same time: whoever read it would see another sweep.
    writeFileSync(journalPath(), readFileSync(journalPath(), "utf8").replace("Two links", "Too links"));
    utimesSync(journalPath(), time, time);
    expect(await listSweeps(folder)).toMatchObject([told]);
    const journal = must(await continueSweep(folder, "one"));
    expect(await listSweeps(folder)).toMatchObject([{ runBy: expect.stringContaining(String(process.pid)) as string }]);
    must(await journal.add({ link: links[1], at: "2026-01-03T00:00:00.000Z", level: "failed" }));
    await journal.close();
    const now = { title: "Too links", end: "finished", done: 2, slow: 1, failed: 1, runBy: undefined };
    expect(await listSweeps(folder)).toMatchObject([now]);
  });

  it.each([
    ["missing", () => rmSync(indexPath())],
    ["torn", () => writeFileSync(indexPath(), readFileSync(indexPath(), "utf8").slice(0, 200))],
    ["of another version", () => writeFileSync(indexPath(), '{"version":99,"journals":{}}')],
    [
      "of another shape",
      () => writeFileSync(indexPath(), '{"version":1,"journals":{"one.sweep.jsonl":{"bytes":"x"}}}'),
    ],
  ])("is made anew from the journals when its index is %s", async (_, damage) => {
    const before = await listSweeps(folder);
    const index = readFileSync(indexPath(), "utf8");
    damage();
    expect(await listSweeps(folder)).toEqual(before);
    expect(readFileSync(indexPath(), "utf8")).toBe(index);
  });

  it("knows a journal by its file's name: cleaning an old copy of it, or under a mixed-up index, keeps the sweep itself", async () => {
    const now = Date.parse("2026-06-01T00:00:00.000Z");
    copyFileSync(journalPath(), join(folder, "sweeps", "one-before.sweep.jsonl"));
    const journal = must(await continueSweep(folder, "one"));
    must(await journal.add({ link: links[1], at: new Date(now).toISOString(), level: "good" }));
    await journal.close();
    expect((await listSweeps(folder)).map(({ id }) => id).sort()).toEqual(["one", "one-before"]);
    expect(must(await continueSweep(folder, "one-before")).head.id).toBe("one-before");
    writeFileSync(indexPath(), readFileSync(indexPath(), "utf8").replaceAll('"id": "one-before"', '"id": "one"'));
    rmSync(join(folder, "sweeps", "one-before.sweep.jsonl.lock"));
    expect(await cleanSweeps(folder, now)).toBe(1);
    expect((await listSweeps(folder)).map(({ id }) => id)).toEqual(["one"]);
  });

  it("has no sweep that could not begin, as on a full disk", async () => {
    mkdirSync(join(folder, "sweeps", "two.sweep.jsonl.lock"));
    expect(await beginSweep(folder, { ...head, id: "two" })).toMatchObject({ ok: false, error: { kind: "file" } });
    expect((await listSweeps(folder)).map(({ id }) => id)).toEqual(["one"]);
    // The lock is there before the first line: without that line it is given back.
    mkdirSync(join(folder, "sweeps", "three.sweep.jsonl"));
    expect(await beginSweep(folder, { ...head, id: "three" })).toMatchObject({ ok: false, error: { kind: "file" } });
    expect(readdirSync(join(folder, "sweeps"))).not.toContain("three.sweep.jsonl.lock");
  });

  it("is not begun twice: nothing is written into what another runs", async () => {
    const running = must(await beginSweep(folder, { ...head, id: "two" }));
    const before = readFileSync(join(folder, "sweeps", "two.sweep.jsonl"), "utf8");
    expect(await beginSweep(folder, { ...head, id: "two", title: "Other" })).toMatchObject({
      ok: false,
      error: { kind: "busy" },
    });
    expect(readFileSync(join(folder, "sweeps", "two.sweep.jsonl"), "utf8")).toBe(before);
    await running.close();
  });

  it("reads a journal anew whose summary in the index is no summary", async () => {
    await listSweeps(folder);
    const index = readFileSync(indexPath(), "utf8");
    for (const [good, bad] of [
      ['"done": 1', '"done": "1"'],
      ['"end": "', '"end": "over'],
      ['"simulated": false', '"simulated": 0'],
    ] as const) {
      const damaged = index.replace(good, bad);
      if (damaged === index) continue;
      writeFileSync(indexPath(), damaged);
      expect((await listSweeps(folder)).find(({ id }) => id === "one")).toMatchObject(told);
    }
  });

  it("is whole when no index can be written, and forgets journals that are gone", async () => {
    mkdirSync(indexPath());
    expect(await listSweeps(folder)).toMatchObject([told]);
    rmSync(indexPath(), { recursive: true });
    await listSweeps(folder);
    must(await discardSweep(folder, "one"));
    expect(await listSweeps(folder)).toEqual([]);
    expect(JSON.parse(readFileSync(indexPath(), "utf8"))).toMatchObject({ journals: {} });
  });
});

describe("baselines", () => {
  it("make a later lower run of the link a finding with both numbers; a good one takes it away", async () => {
    let gbps = 196.8;
    const world = await session(() => gbps);
    const { handlers, fabricId, fabrics, heard } = world;
    const open = fabrics.get(fabricId);
    assert(open !== undefined, "it is open");
    const { fabric } = open.understood;
    const history = must(await openHistory(join(folder, "measurements.jsonl")));
    const once = async (): Promise<string> => {
      const { id } = await planAndStart(world, 256);
      await heard((status) => status.id === id && status.state === "finished");
      must(await history.refresh());
      return history.list().measurements.find(({ sweep, linkName }) => sweep === id && linkName !== "")?.id ?? "";
    };
    const first = await once();
    const baselines = must(await handlers["baseline.set"]({ measurement: first }, context));
    const link = baselines[0]?.link;
    expect(baselines).toMatchObject([{ measurement: first, bandwidthGbps: 196.8, simulated: true }]);
    const found = () => baselineFindings(fabric, history.list().measurements, baselines);
    expect(found()).toEqual([]);
    gbps = 121.4;
    await once();
    expect(found()).toMatchObject([{ rule: "below-baseline", severity: "error", subject: { kind: "link", link } }]);
    expect(found()[0]?.evidence).toMatch(/^121\.4 Gb\/s on .*, baseline 196\.8 Gb\/s of .*: 62\u00a0% of it/);
    gbps = 195;
    await once();
    expect(found()).toEqual([]);
    expect(must(await handlers["baseline.clear"]({ measurement: first }, context))).toEqual([]);
  });
});
