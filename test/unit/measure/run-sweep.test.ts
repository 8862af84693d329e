import { getEventListeners } from "node:events";
import { appendFileSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sweepLine } from "../../../electron/cli/sweep-report.ts";
import { realSleep } from "../../../electron/measure/commands.ts";
import { MeasureLocks } from "../../../electron/measure/locks.ts";
import { runMeasurement } from "../../../electron/measure/run-measurement.ts";
import { runSweep, SweepControl, type SweepHooks, type SweepResult } from "../../../electron/measure/run-sweep.ts";
import { beginSweep, type SweepHead } from "../../../electron/measure/sweep-state.ts";
import { findUnfinished } from "../../../electron/measure/sweep-list.ts";
import { createSimulatedAccess } from "../../../electron/run/simulated/access.ts";
import { setLink } from "../../../electron/run/simulated/model.ts";
import { assert } from "../../../shared/base/assert.ts";
import { csvText } from "../../../shared/contract/results-export.ts";
import { err, ok } from "../../../shared/base/result.ts";
import { createGuide } from "../../../shared/measure/guide.ts";
import { selectLinks } from "../../../shared/measure/sweep-select.ts";
import { planSweep, type Sweep, type SweepItem, turnsTogether } from "../../../shared/measure/sweep.ts";
import { defaultMeasureOptions, type Measurement } from "../../../shared/measure/types.ts";
import { must } from "../../support/ssh-dependencies.ts";
import { analysisOf, nodeNamed } from "./fabrics.ts";
import { simulatedRoutes } from "./simulated-routes.ts";

let folder = "";
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "ibex-sweep-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const options = { ...defaultMeasureOptions, preset: "bandwidth" as const };

/** The links of leaf-03, planned by routes. */
function planned(): {
  readonly sweep: Sweep;
  readonly head: SweepHead;
  readonly world: ReturnType<typeof simulatedRoutes>;
} {
  const world = simulatedRoutes("healthy");
  const { fabric } = world.network;
  const links = selectLinks(fabric, analysisOf(fabric), { kind: "links-of", node: nodeNamed(fabric, "leaf-03") });
  const sweep = planSweep(fabric, analysisOf(fabric), {
    links,
    fabricId: "fabric",
    options,
    simulated: true,
    routes: world.network,
  });
  const head: SweepHead = {
    format: "ibex-sweep",
    version: 1,
    id: "sweep-1",
    startedAt: "2026-11-29T12:00:00.000Z",
    source: "healthy",
    options,
    links: sweep.rounds.flatMap((round) => round.map(({ link }) => link)),
  };
  return { sweep, head, world };
}

/** Measures on simulated hosts, 10 s in 10 ms. */
function measurer({ simulated, network }: ReturnType<typeof simulatedRoutes>) {
  const access = createSimulatedAccess(simulated, { timeScale: 0.001, latencyScale: 0.02 });
  const locks = new MeasureLocks();
  let port = 18_700;
  return (item: SweepItem, signal: AbortSignal) =>
    runMeasurement(
      item.plan(),
      {
        access,
        locks,
        now: Date.now,
        randomPort: () => (port += 1),
        passPercent: 95,
        sourceInfo: { kind: "simulated", label: "healthy", simulated: true },
        guide: createGuide(network.fabric, analysisOf(network.fabric), item.input()),
        sleep: (milliseconds, stop) => realSleep(milliseconds / 50, stop),
      },
      { signal, onProgress: () => undefined },
    );
}

function hooks(signal: AbortSignal, onResult: (result: SweepResult) => void = () => undefined): SweepHooks {
  return { signal, onProgress: () => undefined, onResult };
}

/** A measurement that is not run, for what does not depend on it. */
function made(item: SweepItem, gbps = 196): Measurement {
  const plan = item.plan();
  return {
    version: 1,
    id: `of ${item.link}`,
    at: "2026-11-29T12:00:00.000Z",
    source: { kind: "simulated", label: "healthy", simulated: true },
    link: item.link,
    linkName: item.linkName,
    client: plan.client,
    server: plan.server,
    path: plan.path,
    basis: plan.basis,
    options,
    runs: [],
    bandwidthGbps: gbps,
    expectedGbps: 200,
    percent: gbps / 2,
    verdict: { level: "good", sentence: 'As expected, "quoted".', next: [] },
    versions: {},
  };
}

describe("running a sweep", () => {
  it("measures every link once, in parallel, proves each, and flags the slow one", async () => {
    const { sweep, head, world } = planned();
    const weak = world.simulated.topology.nodes.find(({ description }) => description.includes("leaf-03"))?.ports[12];
    assert(weak !== undefined, "leaf-03 has that uplink");
    setLink(weak, { carries: 0.61 });
    const journal = must(await beginSweep(folder, head));
    const results: SweepResult[] = [];
    const measure = measurer(world);
    let running = 0;
    let most = 0;
    const outcome = await runSweep(
      sweep,
      {
        journal,
        now: Date.now,
        async measure(item, signal) {
          running += 1;
          most = Math.max(most, running);
          const result = await measure(item, signal);
          running -= 1;
          return result;
        },
      },
      hooks(new AbortController().signal, (result) => void results.push(result)),
    );
    expect(outcome).toEqual({ measured: 16, failed: 0, slow: 1, before: 0, cancelled: false });
    expect(most).toBeGreaterThan(3);
    expect(results.map(({ item }) => item.link).sort()).toEqual([...head.links].sort());
    const slow = results.filter((result) => result.slow);
    expect(slow.map(({ item }) => item.linkName)).toEqual([expect.stringContaining("leaf-03:12 ")]);
    const proofs = results.map(({ measurement }) => measurement?.runs[0]?.evidence?.route.kind);
    expect(proofs.filter((kind) => kind === "proven").length).toBeGreaterThanOrEqual(14);
    expect(must(await findUnfinished(folder, head))).toBeUndefined();
  }, 30_000);

  it("goes on after a cancel where it stopped, and measures nothing twice", async () => {
    const { sweep, head } = planned();
    const controller = new AbortController();
    const first: string[] = [];
    const journal = must(await beginSweep(folder, head));
    const stopped = await runSweep(
      sweep,
      {
        journal,
        now: Date.now,
        measure: async (item) => {
          // The third cancels; whatever was started then gives nothing.
          await Promise.resolve();
          if (first.length >= 3) controller.abort();
          if (controller.signal.aborted) return err({ kind: "cancelled", what: "The measurement" });
          first.push(item.link);
          return ok(made(item));
        },
      },
      hooks(controller.signal),
    );
    expect(stopped).toMatchObject({ cancelled: true, measured: 3 });
    // A crash in the middle of a write leaves half a line.
    const [file] = readdirSync(join(folder, "sweeps"));
    appendFileSync(join(folder, "sweeps", file ?? ""), '\n{"link":"0x00');
    await journal.close();
    const again = must(await findUnfinished(folder, head));
    assert(again !== undefined, "the sweep is not finished");
    expect([...again.done.keys()].sort()).toEqual([...first].sort());
    const second: string[] = [];
    const outcome = await runSweep(
      sweep,
      {
        journal: again,
        now: Date.now,
        measure: (item) => {
          second.push(item.link);
          return Promise.resolve(ok(made(item)));
        },
      },
      hooks(new AbortController().signal),
    );
    expect(outcome).toMatchObject({ before: 3, measured: 13, cancelled: false });
    expect([...first, ...second].sort()).toEqual([...head.links].sort());
    expect(must(await findUnfinished(folder, head))).toBeUndefined();
    expect(must(await findUnfinished(folder, { ...head, links: head.links.slice(1) }))).toBeUndefined();
  });

  it("starts nothing while it is paused, and lets what runs end", async () => {
    const { sweep, head } = planned();
    const control = new SweepControl();
    const started: string[] = [];
    let goOn: () => void = () => undefined;
    const paused = new Promise<void>((resolve) => (goOn = resolve));
    const running = runSweep(
      { ...sweep, rounds: sweep.rounds.flat().map((item) => [item]) },
      {
        journal: must(await beginSweep(folder, head)),
        now: Date.now,
        measure: (item) => {
          started.push(item.link);
          if (started.length === 2) {
            control.pause();
            setImmediate(goOn);
          }
          return Promise.resolve(ok(made(item)));
        },
      },
      { ...hooks(new AbortController().signal), control },
    );
    await paused;
    // Two results are on the disk at most; the third link waits.
    expect(started).toHaveLength(2);
    control.resume();
    expect(await running).toMatchObject({ measured: 16 });
  });

  it("flags what is below its siblings although it passes, and tries a busy pair once more", async () => {
    const { sweep, head } = planned();
    const results: SweepResult[] = [];
    const odd = sweep.rounds.flat().at(-1);
    const seen = new Set<string>();
    const outcome = await runSweep(
      { ...sweep, rounds: sweep.rounds.flat().map((item) => [item]) },
      {
        journal: must(await beginSweep(folder, head)),
        now: Date.now,
        measure: (item) => {
          const busy = sweep.rounds[0]?.[0] === item && !seen.has(item.link);
          seen.add(item.link);
          if (busy) return Promise.resolve(err({ kind: "busy", what: "The adapter of n017" }));
          return Promise.resolve(ok(made(item, item === odd ? 150 : 196)));
        },
      },
      hooks(new AbortController().signal, (result) => void results.push(result)),
    );
    expect(outcome).toMatchObject({ measured: 16, failed: 0, slow: 1 });
    expect(results.filter(({ slow }) => slow)).toMatchObject([{ item: { link: odd?.link }, siblingsGbps: 196 }]);
  });

  it("lets pairs that meet have their turns together, not one by one", async () => {
    const { sweep, head } = planned();
    const all = sweep.rounds.flat();
    // Exchanged pairs that want one adapter: four adapters, each wanted by four.
    const adapterOf = new Map(all.map((item, place) => [item.link, place % 4]));
    const held = new Set<number>();
    const places: string[] = [];
    const outcome = await runSweep(
      { ...sweep, rounds: [all] },
      {
        journal: must(await beginSweep(folder, head)),
        now: Date.now,
        async measure(item) {
          const adapter = adapterOf.get(item.link) ?? 0;
          if (held.has(adapter)) return err({ kind: "busy", what: "The adapter" });
          held.add(adapter);
          await new Promise((resolve) => setImmediate(resolve));
          held.delete(adapter);
          return ok(made(item));
        },
      },
      {
        ...hooks(new AbortController().signal),
        onProgress: ({ turn, waiting, running }) => {
          if (running.length > 0) places.push(`${turn}:${waiting}`);
        },
      },
    );
    expect(outcome).toMatchObject({ measured: 16, failed: 0 });
    expect(places.at(-1)).toBe("4:0");
    expect(places).toContain("1:12");
  });

  it("tries an adapter that others keep a few times and then says so, whatever else the round does", async () => {
    const { sweep, head } = planned();
    const all = sweep.rounds.flat();
    const tries = new Map<string, number>();
    const outcome = await runSweep(
      { ...sweep, rounds: [all] },
      {
        journal: must(await beginSweep(folder, head)),
        now: Date.now,
        measure: (item) => {
          tries.set(item.link, (tries.get(item.link) ?? 0) + 1);
          if (item === all[0]) return Promise.resolve(err({ kind: "busy", what: "The adapter of n017" }));
          if (item === all[1]) return Promise.resolve(err({ kind: "in-use", uses: [] }));
          return Promise.resolve(ok(made(item)));
        },
      },
      hooks(new AbortController().signal),
    );
    expect(outcome).toMatchObject({ measured: 14, failed: 2 });
    expect(tries.get(all[1]?.link ?? "")).toBe(2);
    expect(tries.get(all[0]?.link ?? "")).toBeLessThanOrEqual(turnsTogether + 1);
    expect(tries.get(all[2]?.link ?? "")).toBe(1);
  });

  it("stops when the source is lost or the disk is full, and says which", async () => {
    const { sweep, head } = planned();
    const lost = { kind: "connection-lost", host: "mgmt-01", during: "ibtracert" } as const;
    const journal = must(await beginSweep(folder, head));
    const full = { kind: "file", path: "x", operation: "write", code: "ENOSPC" } as const;
    const { signal } = new AbortController();
    const one = await runSweep(
      sweep,
      { journal, now: Date.now, measure: () => Promise.resolve(err(lost)) },
      hooks(signal),
    );
    expect(one).toMatchObject({ error: lost, measured: 0 });
    const broken = { ...journal, add: () => Promise.resolve(err(full)) };
    const two = await runSweep(
      sweep,
      { journal: broken, now: Date.now, measure: (item) => Promise.resolve(ok(made(item))) },
      hooks(signal),
    );
    expect(two.error).toEqual(full);
    expect(two.measured).toBe(sweep.rounds[0]?.length);
  });
});

describe("results of a sweep as a table", () => {
  it("quotes what needs quoting and lets no text become a formula", () => {
    const [item] = planned().sweep.rounds.flat();
    assert(item !== undefined, "there is a link");
    const line = sweepLine({ item: { ...item, linkName: "=cmd|'x'" }, measurement: made(item), slow: true });
    const [head, row] = csvText([line]).split("\r\n");
    expect(head).toMatch(/^link,linkName,client,server,level,bandwidthGbps,/);
    expect(row).toContain(",'=cmd|'x',");
    expect(row).toContain('"As expected, ""quoted""."');
    expect(row).toContain(",196,200,98,,true,");
  });
});

describe("the control of a sweep", () => {
  it("leaves nothing that listens for the cancel behind, however often it is paused", async () => {
    const control = new SweepControl();
    const { signal } = new AbortController();
    for (let times = 0; times < 20; times += 1) {
      control.pause();
      const ready = control.ready(signal);
      expect(getEventListeners(signal, "abort")).toHaveLength(1);
      control.resume();
      await ready;
    }
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});
