import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createApi } from "../../../renderer/api.ts";
import { provideApi } from "../../../renderer/state/api-context.ts";
import { useFabric } from "../../../renderer/state/fabric-store.ts";
import { useMeasure } from "../../../renderer/state/measure-store.ts";
import { SweepLines } from "../../../renderer/state/sweep-lines.ts";
import { useSweeps } from "../../../renderer/state/sweep-store.ts";
import { gridRows, stripRows, walkCells } from "../../../renderer/views/measure/sweep-walk.ts";
import { cellKey, sweepGrid, sweepStrips } from "../../../renderer/views/measure/sweep-words.ts";
import { generateFabricTexts } from "../../../electron/run/simulated/texts.ts";
import { analyse } from "../../../shared/analyse/analyse.ts";
import { assert } from "../../../shared/base/assert.ts";
import { ok, type Result } from "../../../shared/base/result.ts";
import { interpret } from "../../../shared/build/interpret.ts";
import type { SweepEvent, SweepLine, SweepStatus, SweepView } from "../../../shared/contract/sweeps.ts";
import type { MeasurementSummary } from "../../../shared/contract/views.ts";
import type { AppError } from "../../../shared/errors/kinds.ts";
import { linkId } from "../../../shared/fabric/access.ts";
import type { LinkId } from "../../../shared/fabric/model.ts";

const at = "2026-11-29T12:00:00.000Z";

function lineOf(link: LinkId, change: Partial<SweepLine> = {}): SweepLine {
  return {
    link,
    linkName: link,
    at,
    level: "good",
    measurement: null,
    bandwidthGbps: 190,
    expectedGbps: 200,
    percent: 95,
    latencyUs: null,
    slow: false,
    siblingsGbps: null,
    route: null,
    reason: "",
    ...change,
  };
}

function summaryOf(link: LinkId, id: string, simulated = true): MeasurementSummary {
  return {
    ...{ id, at, link, linkName: link, source: "lab", simulated, clientHost: "n1", serverHost: "n2" },
    ...{ bandwidthGbps: 190, latencyUs: null, expectedGbps: 200, percent: 95, level: "good", sentence: "" },
  };
}

const status: SweepStatus = {
  ...{ id: "s1", title: "All links", source: "lab", simulated: true, startedAt: at, lastAt: at, state: "running" },
  ...{ total: 3, done: 0, slow: 0, failed: 0, round: 1, rounds: 1, running: [], secondsLeft: 1, concurrency: 16 },
  error: null,
};

const [a, b, c] = ["0x0000000000000001:1", "0x0000000000000001:2", "0x0000000000000001:3"] as const;

describe("the lines of a sweep", () => {
  it("tell only the links that an event changes: their line, their start, their end", () => {
    const lines = new SweepLines([lineOf(a)], []);
    const told: LinkId[] = [];
    for (const link of [a, b, c]) lines.subscribe(link, () => told.push(link));
    lines.take([], [b]);
    lines.take([], [b]);
    expect(told).toEqual([b]);
    expect(lines.isRunning(b)).toBe(true);
    lines.take([lineOf(b)], [c]);
    expect(told).toEqual([b, b, c]);
    expect([lines.isRunning(b), lines.get(b)?.link, lines.get(c)]).toEqual([false, b, undefined]);
  });

  it("are told no more after the end of a subscription", () => {
    const lines = new SweepLines([], []);
    const told: string[] = [];
    const end = lines.subscribe(a, () => told.push("first"));
    lines.subscribe(a, () => told.push("second"));
    end();
    lines.take([lineOf(a)], []);
    expect(told).toEqual(["second"]);
  });

  it("keep slow ones, ones without a result and counts in step when a link is measured again", () => {
    const lines = new SweepLines([lineOf(a, { slow: true }), lineOf(b, { level: "failed" })], []);
    const kindOf = ({ level }: SweepLine): string => level;
    expect(Object.fromEntries(lines.countsBy(kindOf))).toEqual({ good: 1, failed: 1 });
    lines.take([lineOf(c, { slow: true }), lineOf(b), lineOf(a, { slow: true })], []);
    expect([...lines.slow.keys()]).toEqual([c, a]);
    expect([...lines.without.keys()]).toEqual([]);
    expect(Object.fromEntries(lines.countsBy(kindOf))).toEqual({ good: 3 });
  });
});

describe("a sweep of all links of 10,000 hosts", () => {
  const text = generateFabricTexts({ levels: 3, hosts: 10_000 }).ibnetdiscover;
  const understood = interpret([{ file: "ibnetdiscover.txt", text, bytes: text.length }], "generated");
  assert(understood.ok, "it can be read");
  const { fabric } = understood.value;
  const links = Array.from({ length: fabric.links.count }, (_, index) => ({ link: linkId(fabric, index), index }));
  const perEvent = 16;

  it("costs per event what the event brings, however many lines there are", () => {
    expect(links.length).toBeGreaterThan(15_000);
    const lines = new SweepLines([], []);
    let classed = 0;
    const kindOf = ({ level }: SweepLine): string => {
      classed += 1;
      return level;
    };
    let drawn = 0;
    for (const { link } of links) lines.subscribe(link, () => (drawn += 1));
    lines.countsBy(kindOf);
    for (let from = 0; from < links.length; from += perEvent) {
      const now = links.slice(from, from + perEvent).map(({ link }) => lineOf(link));
      const next = links.slice(from + perEvent, from + 2 * perEvent).map(({ link }) => link);
      const before = { classed, drawn };
      lines.take(now, next);
      lines.countsBy(kindOf);
      expect(classed - before.classed).toBe(now.length);
      expect(drawn - before.drawn).toBe(now.length + next.length);
    }
    expect(lines.countsBy(kindOf).get("good")).toBe(links.length);
  });

  it("has each link in one cell that can be walked to", () => {
    const strips = sweepStrips(sweepGrid(fabric, analyse(fabric).topology.tierOfNode, links));
    const rows = stripRows(strips);
    const walked = new Set<LinkId | undefined>();
    let here = { row: 0, place: 0 };
    for (;;) {
      for (const link of rows[here.row]?.links ?? []) walked.add(link);
      const next = walkCells(rows, here, "ArrowDown", false);
      if (next === undefined || next.row === here.row) break;
      here = next;
    }
    expect(walked.size).toBe(links.length);
  });
});

describe("walking the cells of a sweep", () => {
  const rows = gridRows({
    rows: ["spine-1", "spine-2"],
    columns: ["leaf-1", "leaf-2", "leaf-3"],
    cells: new Map([
      [cellKey("spine-1", "leaf-1"), [a]],
      [cellKey("spine-1", "leaf-3"), [b]],
      [cellKey("spine-2", "leaf-1"), [c, c]],
      [cellKey("spine-2", "leaf-2"), [c]],
    ]),
  });

  it("goes right past empty places, and down to the nearest column", () => {
    expect(walkCells(rows, { row: 0, place: 0 }, "ArrowRight", false)).toEqual({ row: 0, place: 1 });
    expect(walkCells(rows, { row: 0, place: 1 }, "ArrowDown", false)).toEqual({ row: 1, place: 2 });
    expect(walkCells(rows, { row: 1, place: 1 }, "ArrowUp", false)).toEqual({ row: 0, place: 0 });
  });

  it("stays at the edges, and reaches the ends by Home and End", () => {
    expect(walkCells(rows, { row: 0, place: 1 }, "ArrowRight", false)).toEqual({ row: 0, place: 1 });
    expect(walkCells(rows, { row: 1, place: 2 }, "PageDown", false)).toEqual({ row: 1, place: 2 });
    expect(walkCells(rows, { row: 0, place: 1 }, "Home", false)).toEqual({ row: 0, place: 0 });
    expect(walkCells(rows, { row: 0, place: 0 }, "End", true)).toEqual({ row: 1, place: 2 });
  });

  it("leaves other keys alone", () => {
    expect(walkCells(rows, { row: 0, place: 0 }, "m", false)).toBeUndefined();
  });
});

describe("events of a sweep", () => {
  let tell: (event: SweepEvent) => void = () => undefined;
  let answers: Partial<Record<string, Promise<Result<unknown, AppError>>>> = {};

  beforeEach(() => {
    vi.useFakeTimers();
    answers = {};
    provideApi(
      createApi({
        call: (name) => answers[name] ?? Promise.resolve(ok([])),
        cancel: () => undefined,
        subscribe: (_name, listener) => {
          tell = listener;
          return () => undefined;
        },
        pathOf: () => "",
      }),
    );
    useFabric.setState({ view: undefined });
    useMeasure.setState({ history: [], latest: new Map(), baselines: [] });
    useSweeps.setState({ sweeps: [], views: new Map(), shown: undefined });
  });

  afterEach(() => {
    vi.runAllTimers();
    vi.useRealTimers();
  });

  it("change the shown sweep in place, before the status is told", async () => {
    const view: SweepView = { status, links: [{ link: a, linkName: "a" }], lines: [], damaged: 0 };
    answers = { "sweep.get": Promise.resolve(ok(view)) };
    useSweeps.getState().follow();
    await useSweeps.getState().look("s1");
    const shown = useSweeps.getState().views.get("s1");
    const seen: (LinkId | undefined)[] = [];
    const end = useSweeps.subscribe((now) => seen.push(now.views.get("s1")?.lines.get(a)?.link));
    tell({ status: { ...status, done: 1 }, lines: [lineOf(a)], measurements: [] });
    end();
    expect(seen).toEqual([a]);
    expect(useSweeps.getState().views.get("s1")).toBe(shown);
  });

  it("change the history once a second, and no result is lost", () => {
    let changes = 0;
    const end = useMeasure.subscribe(() => (changes += 1));
    for (let i = 0; i < 50; i += 1) {
      useMeasure.getState().addResults([summaryOf(a, `m${i}`)], true);
      vi.advanceTimersByTime(200);
    }
    vi.advanceTimersByTime(1000);
    end();
    expect(changes).toBeLessThanOrEqual(11);
    expect(useMeasure.getState().history.map(({ id }) => id)).toEqual(
      Array.from({ length: 50 }, (_, i) => `m${49 - i}`),
    );
    expect(useMeasure.getState().latest.get(a)?.id).toBe("m49");
  });

  it("are judged by the fabric that is open when they are added, not by that at their coming", async () => {
    answers = { "measure.list": Promise.resolve(ok({ measurements: [], damaged: 0 })) };
    useMeasure.getState().addResults([summaryOf(a, "first")], true);
    useMeasure.getState().addResults([summaryOf(b, "second")], true);
    await useMeasure.getState().loadHistory(false);
    vi.advanceTimersByTime(1000);
    expect(useMeasure.getState().history.map(({ id }) => id)).toContain("second");
    expect(useMeasure.getState().latest.size).toBe(0);
  });

  it("are kept when the history that is read meanwhile does not have them yet", async () => {
    let answer: (reply: Result<unknown, AppError>) => void = () => undefined;
    answers = { "measure.list": new Promise((resolve) => (answer = resolve)) };
    useMeasure.setState({ history: [summaryOf(a, "old")] });
    const loaded = useMeasure.getState().loadHistory(true);
    useMeasure.getState().addResults([summaryOf(b, "new")], true);
    answer(ok({ measurements: [summaryOf(a, "old")], damaged: 0 }));
    await loaded;
    expect(useMeasure.getState().history.map(({ id }) => id)).toEqual(["new", "old"]);
    expect(useMeasure.getState().latest.get(b)?.id).toBe("new");
  });
});
