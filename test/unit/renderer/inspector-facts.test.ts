import { describe, expect, it } from "vitest";
import { at, linkName, nodeName } from "../../../shared/fabric/access.ts";
import { assert } from "../../../shared/base/assert.ts";
import {
  cannotMeasure,
  endsRows,
  farEndNames,
  linkTags,
  siblingsMeasured,
  siblingsOf,
  walkText,
} from "../../../renderer/views/inspector/link-facts.ts";
import {
  cablingOf,
  findingsByRule,
  frontPanel,
  measuredOverall,
  portsUp,
  sharesByHealth,
  sharesByRate,
} from "../../../renderer/views/inspector/node-facts.ts";
import { fabricText, linkText, selectionText } from "../../../renderer/views/inspector/inspector-text.ts";
import { pathThrough, sparkPoints, sparkRange } from "../../../renderer/views/inspector/spark.ts";
import { findingTitled, linkNamed, result, simulatedView } from "./tables-fabric.ts";

const view = simulatedView();
const { fabric, analysis } = view;
const narrow = findingTitled(view, "Width below capability").link;
const initialise = findingTitled(view, "Port in Initialize").link;

function node(name: string): number {
  for (let n = 0; n < fabric.nodes.count; n += 1) if (nodeName(fabric, n) === name) return n;
  assert(false, `no node ${name}`);
}

describe("a link's inspector", () => {
  it("says kind, rate and state in tags", () => {
    expect(linkTags(fabric, linkNamed(fabric, "leaf-02:3 ")).map((tag) => tag.text)).toEqual([
      "Host link",
      "4x HDR, 200 Gb/s",
      "Active both ends",
    ]);
    expect(linkTags(fabric, initialise).at(-1)).toEqual({ text: "Initialize", tone: "warning" });
  });

  it("points to the lines of the raw outputs that state each end", () => {
    const rows = endsRows(fabric, at(fabric.links.a, narrow), at(fabric.links.b, narrow), view.capture.files, {
      lanes: 4,
      speed: 7,
    });
    const row = (label: string) => rows.find((entry) => entry.label === label);
    expect(row("ibnetdiscover")?.a.source?.file).toBe("ibnetdiscover.txt");
    expect(row("iblinkinfo")?.b.source?.line).toBe(at(fabric.ports.linkinfoLine, at(fabric.links.b, narrow)));
    expect(row("Width")?.a).toEqual({ text: "2x", tone: "error" });
    expect(row("Supports")?.a.text).toBe("at least 4x HDR");
    expect(row("Speed")?.a.tone).toBeUndefined();
  });

  it("compares with the links of the same kind at the same switch", () => {
    const siblings = siblingsOf(fabric, analysis, narrow);
    expect(siblings.others).toBe(7);
    expect(siblings.groups.map((group) => [group.rate, group.links.length, group.own])).toEqual([
      ["4x HDR", 7, false],
      ["2x HDR", 1, true],
    ]);
    const range = siblingsMeasured(siblings, narrow, (link) =>
      link === narrow
        ? result(view, link, 10)
        : link === siblings.groups[0]?.links[0]
          ? result(view, link, 97)
          : undefined,
    );
    expect(range).toEqual({ links: 1, low: 97, high: 97 });
  });

  it("says why nothing can be measured, and where to walk", () => {
    expect(cannotMeasure(fabric, narrow)).toBeUndefined();
    expect(cannotMeasure(fabric, initialise)).toContain("no subnet manager");
    const missing = analysis.missingLinks[0];
    assert(missing !== undefined, "a missing link");
    expect(walkText(fabric, missing.a, missing.b)).toMatch(/^Walk to leaf-\d+ port \d+ and spine-\d+ port \d+\./);
  });

  it("shortens long lists of far ends", () => {
    const leaf = at(fabric.ports.node, at(fabric.links.a, narrow));
    const { links } = siblingsOf(fabric, analysis, narrow);
    expect(farEndNames(fabric, leaf, links)).toBe("spine-1, spine-2 and 6 more");
    expect(farEndNames(fabric, leaf, links.slice(0, 2))).toBe("spine-1, spine-2");
  });
});

describe("a switch's inspector", () => {
  const leaf = at(fabric.ports.node, at(fabric.links.a, narrow));

  it("shows every declared port, odd above even", () => {
    const columns = frontPanel(fabric, analysis, leaf);
    expect(columns).toHaveLength(at(fabric.nodes.declaredPorts, leaf) / 2);
    expect(
      columns.every((column) => column.top.number % 2 === 1 && column.bottom?.number === column.top.number + 1),
    ).toBe(true);
    const sockets = columns.flatMap((column) => [column.top, ...(column.bottom === undefined ? [] : [column.bottom])]);
    expect(sockets.filter((socket) => socket.health === "error").map((socket) => socket.link)).toEqual([narrow]);
    expect(sockets.filter((socket) => socket.link !== undefined)).toHaveLength(portsUp(fabric, leaf).up);
  });

  it("marks the port where a cable is missing", () => {
    const missing = analysis.missingLinks[0];
    assert(missing !== undefined, "a missing link");
    const columns = frontPanel(fabric, analysis, at(fabric.ports.node, missing.a));
    const down = columns.flatMap(({ top, bottom }) => [top, bottom]).filter((socket) => socket?.health === "down");
    expect(down.map((socket) => [socket?.port, socket?.missing])).toEqual([[missing.a, 0]]);
  });

  it("sums its cables by where they go", () => {
    expect(cablingOf(fabric, analysis, node("leaf-02"))).toMatchObject([
      { label: "Up to spine", links: 8, gbps: 1600 },
      { label: "Hosts", links: 8, gbps: 1600 },
    ]);
    expect(cablingOf(fabric, analysis, leaf)[0]?.gbps).toBe(1500);
  });
});

describe("the fabric's inspector", () => {
  it("counts every link once by health and once by rate", () => {
    const sum = (shares: readonly { readonly value: number }[]) => shares.reduce((all, share) => all + share.value, 0);
    expect(sum(sharesByHealth(analysis))).toBe(fabric.links.count + analysis.missingLinks.length);
    expect(sum(sharesByRate(fabric))).toBe(fabric.links.count);
    expect(sharesByRate(fabric)[0]?.label).toBe("4x HDR");
  });

  it("groups findings by rule, worst first, and loses none", () => {
    const groups = findingsByRule(analysis.findings);
    expect(groups.reduce((all, group) => all + group.times, 0)).toBe(analysis.findings.length);
    expect(groups[0]?.severity).toBe("error");
  });

  it("sums up what was measured, and says nothing when nothing was", () => {
    expect(measuredOverall([], 95)).toBeUndefined();
    expect(
      measuredOverall(
        [98, 61, 97].map((percent) => result(view, 0, percent)),
        95,
      ),
    ).toEqual({
      links: 3,
      median: 97,
      low: 61,
      high: 98,
      below: 1,
    });
  });
});

describe("the inspector as text", () => {
  it("says simulated, both ends, findings and results", () => {
    const text = linkText(view, narrow, [result(view, narrow, 61)]);
    expect(text.split("\n")[0]).toBe(linkName(fabric, narrow));
    for (const part of ["SIMULATED", "Width: 2x | 2x", "Width below capability", "measured 2026-03-12T03:16:00Z"]) {
      expect(text).toContain(part);
    }
  });

  it("has one for every selection", () => {
    expect(selectionText(view, { kind: "nothing" }, [])).toBe(fabricText(view));
    expect(selectionText(view, { kind: "missing-link", missing: 0 }, [])).toContain("is missing");
    expect(selectionText(view, { kind: "node", node: node("spine-1") }, [])).toContain("spine-1, spine");
    expect(selectionText(view, { kind: "host", host: 0 }, [])).toContain("1 HCA");
  });
});

describe("small charts", () => {
  it("always show the pass line and put more higher", () => {
    const range = sparkRange([97, 98], 95);
    expect(range.low).toBeLessThan(95);
    const [low, high] = sparkPoints([61, 98], sparkRange([61, 98], 95), 100, 30);
    assert(low !== undefined && high !== undefined, "two points");
    expect(low.y).toBeGreaterThan(high.y);
    expect([low.x, high.x]).toEqual([0, 100]);
  });

  it("draw a line through points", () => {
    expect(
      pathThrough([
        { x: 0, y: 1 },
        { x: 2, y: 3 },
      ]),
    ).toBe("M0.00 1.00L2.00 3.00");
  });
});
