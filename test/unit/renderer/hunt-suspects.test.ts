import { describe, expect, it } from "vitest";
import { huntOf, lookedAt, walkToText } from "../../../renderer/views/findings/suspects.ts";
import type { FabricView, LinkMark, MeasurementSummary } from "../../../shared/contract/views.ts";
import { at, linkId, linkKind } from "../../../shared/fabric/access.ts";
import type { CounterReading } from "../../../shared/fabric/counters.ts";
import type { LinkId } from "../../../shared/fabric/model.ts";
import { analyse } from "../../../shared/analyse/analyse.ts";
import { linkNamed, result, simulatedView } from "./tables-fabric.ts";

const none = new Map<LinkId, MeasurementSummary>();

/** Two readings an hour apart, in which counters of some ports have grown. */
function withCounters(view: FabricView, grown: readonly (readonly [string, number, number])[]): FabricView {
  const { count } = view.fabric.ports;
  const reading = (takenAt: number): CounterReading => ({ takenAt, told: new Uint8Array(count).fill(1), values: {} });
  const values: Record<string, Float64Array> = {};
  for (const [name, port, value] of grown) {
    const column = values[name] ?? new Float64Array(count);
    values[name] = column;
    column[port] = value;
  }
  const fabric = {
    ...view.fabric,
    counters: { earlier: reading(1_000_000), latest: { ...reading(4_600_000), values } },
  };
  return { ...view, fabric, analysis: analyse(fabric) };
}

describe("suspect links", () => {
  const view = simulatedView("fat-tree");
  const { fabric } = view;

  it("are one row per cable, errors before warnings, each finding in its column", () => {
    const { suspects } = huntOf(view, none, {}, 95);
    expect(new Set(suspects.map(({ id }) => id)).size).toBe(suspects.length);
    const rank = { error: 0, warning: 1, note: 2, ok: 3 };
    const levels = suspects.map(({ level }) => rank[level]);
    expect(levels).toEqual([...levels].sort((a, b) => a - b));
    const narrow = suspects.find(({ findings }) => findings.some(({ rule }) => rule === "width-below-capability"));
    expect(narrow?.cells.rate).toMatchObject({ level: "error" });
    expect(narrow?.cells.rate).toMatchObject({ text: "2x HDR", detail: "100 of 200 Gb/s" });
    expect(narrow?.cells.structure.level).toBe("quiet");
    const gone = suspects.find(({ link }) => link === undefined);
    expect(gone?.cells.rate).toMatchObject({ text: "Down", detail: "Polling" });
  });

  it("add up evidence: errors that grow and a bad measurement outweigh one of both", () => {
    const healthy = simulatedView("healthy");
    const inter = [...Array(healthy.fabric.links.count).keys()].filter(
      (link) => linkKind(healthy.fabric, link) === "inter-switch",
    );
    const [both = 0, measured = 0, errors = 0] = inter;
    const port = (link: number): number => healthy.fabric.links.a[link] ?? 0;
    const sick = withCounters(healthy, [
      ["SymbolErrorCounter", port(both), 5_000],
      ["SymbolErrorCounter", port(errors), 5_000],
    ]);
    const latest = new Map(
      [both, measured].map((link) => [linkId(healthy.fabric, link), result(healthy, link, 61)] as const),
    );
    const { suspects } = huntOf(sick, latest, {}, 95);
    expect(suspects.map(({ link }) => link)).toHaveLength(3);
    expect(suspects[0]?.link).toBe(both);
    expect(suspects[0]?.cells.errors).toMatchObject({
      level: "error",
      text: "5,000 per hour",
      detail: "SymbolErrorCounter",
    });
    expect(suspects[0]?.cells.measured).toMatchObject({ level: "error" });
    expect(suspects[0]?.cells.measured.text).toMatch(/^61 % of/);
  });

  it("come from a measurement alone, by the line that the user has set", () => {
    const healthy = simulatedView("healthy");
    const latest = new Map([[linkId(healthy.fabric, 3), result(healthy, 3, 93)]]);
    expect(huntOf(healthy, latest, {}, 95).suspects.map(({ level }) => level)).toEqual(["warning"]);
    expect(huntOf(healthy, latest, {}, 90).suspects).toEqual([]);
  });

  it("say not known where nobody counted, and not that nothing went down", () => {
    const [first] = huntOf(view, none, {}, 95).suspects;
    expect(first?.cells.errors).toEqual({ level: "unknown", text: "no counters", detail: "" });
    expect(first?.cells.down.level).toBe("unknown");
    expect(first?.cells.measured).toMatchObject({ level: "unknown", text: "not measured" });
  });

  it("do not blame a cable for damage from upstream, congestion, or subnet managers", () => {
    const healthy = simulatedView("healthy");
    const port = healthy.fabric.links.a[0] ?? 0;
    const sick = withCounters(healthy, [
      ["PortRcvRemotePhysicalErrors", port, 9_000],
      ["PortXmitDiscards", port, 60_000],
    ]);
    const { suspects, notCables } = huntOf(sick, none, {}, 95);
    expect(suspects).toEqual([]);
    expect(notCables.map(({ rule }) => rule)).toEqual(
      expect.arrayContaining(["consequence-PortRcvRemotePhysicalErrors", "consequence-PortXmitDiscards"]),
    );
    const asleep = huntOf(simulatedView("no-sm"), none, {}, 95);
    expect(asleep.suspects).toEqual([]);
    expect(asleep.notCables.map(({ title }) => title)).toContain("Links not Active");
  });

  it("keep a cable that is marked fixed in sight, as one that shows nothing any more", () => {
    const healthy = simulatedView("healthy");
    const marked = (mark: LinkMark["mark"]): Readonly<Record<string, LinkMark>> => ({
      [linkId(healthy.fabric, 5)]: { mark, at: "2026-03-12T03:14:08Z", note: "" },
    });
    const { suspects } = huntOf(healthy, none, marked("fixed"), 95);
    expect(suspects.map(({ link, level }) => [link, level])).toEqual([[5, "ok"]]);
    expect(huntOf(healthy, none, marked("known"), 95).suspects).toEqual([]);
  });

  it("tell where to walk, with both ends' descriptions and GUIDs", () => {
    const link = linkNamed(fabric, "leaf-05:10");
    const [a = 0, b = 0] = [fabric.links.a[link], fabric.links.b[link]];
    const lines = walkToText(fabric, { a, b }).split("\n");
    expect(lines[0]).toBe("leaf-05 port 10 to spine-2 port 5");
    expect(lines[1]).toMatch(/^leaf-05 port 10: ".*leaf-05.*", node GUID 0x[0-9a-f]{16}/);
    expect(lines[2]).toMatch(/^spine-2 port 5: /);
  });

  it("say what was looked at and what was not", () => {
    expect(lookedAt(fabric, none)).toMatchObject({ over: "no counters were collected" });
    const counted = lookedAt(withCounters(view, []).fabric, none);
    expect(counted.over).toBe("two readings, 60 min apart");
    expect(counted.checked).toContain(`of ${fabric.links.count} links`);
  });

  it("that only a watch of counters saw are in the list, with their growth", () => {
    const clean = withCounters(simulatedView("healthy"), []);
    const port = at(clean.fabric.links.a, 2);
    const growth = { port, counter: "SymbolErrorCounter", counted: 40, perHour: 80, pieces: [], times: [] } as const;
    expect(huntOf(clean, none, {}, 95).suspects).toEqual([]);
    const [suspect, ...others] = huntOf(clean, none, {}, 95, [growth]).suspects;
    expect(others).toEqual([]);
    expect(suspect).toMatchObject({ link: 2, level: "error" });
    expect(suspect?.cells.errors).toEqual({
      level: "error",
      text: "80 per hour",
      detail: "SymbolErrorCounter, watched",
    });
    // Errors that other places make are no evidence against this cable.
    expect(huntOf(clean, none, {}, 95, [{ ...growth, counter: "VL15Dropped" }]).suspects).toEqual([]);
  });
});
