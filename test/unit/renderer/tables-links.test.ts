import { describe, expect, it } from "vitest";
import { atOnce } from "../../../renderer/parts/slices.ts";
import { healths } from "../../../shared/analyse/results.ts";
import { at, linkId, linkName, nodeGuid, nodeName, portGuid } from "../../../shared/fabric/access.ts";
import { filterLinks, linkOrder, linkQueryKeys, linkSortKey } from "../../../renderer/views/links/link-query.ts";
import {
  canMeasure,
  linkTable,
  measuredColumns,
  measuredHealth,
  stateText,
} from "../../../renderer/views/links/link-rows.ts";
import { linksAsText } from "../../../renderer/views/links/link-text.ts";
import { parseQuery } from "../../../renderer/views/links/query.ts";
import { orderRows } from "../../../renderer/parts/data-table-order.ts";
import { findingTitled, linkNamed, result, simulatedView } from "./tables-fabric.ts";

const view = simulatedView();
const { fabric, analysis } = view;
const table = atOnce(linkTable(fabric, analysis));
const order = linkOrder(table);
const slow = linkNamed(fabric, "leaf-02:3 ");
const passed = linkNamed(fabric, "leaf-01:1 ");
const measured = measuredColumns(
  table,
  new Map([
    [linkId(fabric, slow), result(view, slow, 61)],
    [linkId(fabric, passed), result(view, passed, 98)],
  ]),
  95,
);
const keys = linkQueryKeys(table, measured);

function find(query: string): readonly number[] {
  return [...filterLinks(table, measured, order, parseQuery(query, keys), 95)];
}
function ends(row: number): readonly string[] {
  return [table.a, table.b].map((ports) => nodeName(fabric, at(fabric.ports.node, at(ports, row))));
}

describe("the rows of the links table", () => {
  it("are all links and, after them, the missing ones", () => {
    expect(analysis.missingLinks.length).toBeGreaterThan(0);
    expect(table.count).toBe(fabric.links.count + analysis.missingLinks.length);
    expect(healths[at(table.health, fabric.links.count)]).toBe("down");
  });

  it("say Down / Polling for a missing link, and that nothing can be measured there", () => {
    expect(stateText(table, fabric.links.count)).toBe("Down / Polling");
    expect(canMeasure(table, fabric.links.count)).toBe(false);
    expect(at(table.gbps, fabric.links.count)).toBeNaN();
  });

  it("say what a narrow link could be", () => {
    const { link } = findingTitled(view, "Width below capability");
    expect([at(table.lanes, link), at(table.gbps, link)]).toEqual([2, 100]);
    expect([at(table.couldBeLanes, link), at(table.couldBeGbps, link)]).toEqual([4, 200]);
    expect(at(table.couldBeGbps, passed)).toBeNaN();
  });

  it("tell a port in Initialize from a down one", () => {
    const { link } = findingTitled(view, "Port in Initialize");
    expect(stateText(table, link)).toBe("Initialize");
    expect(canMeasure(table, link)).toBe(false);
  });

  it("lie between switches first, then to hosts, each by name and port", () => {
    const first = order[0];
    expect(first === undefined ? "" : linkName(fabric, first)).toBe("leaf-01:9 to spine-1:1");
    const kinds = [...order].map((row) => at(table.kind, row));
    const firstHost = kinds.indexOf(0);
    expect(kinds.slice(0, firstHost).every((kind) => kind === 1)).toBe(true);
  });
});

describe("filters of the links table", () => {
  it("give all rows without a query", () => {
    expect(find("")).toHaveLength(table.count);
  });

  it("find a link by its written name, from either end", () => {
    expect(find(linkName(fabric, slow))).toEqual([slow]);
    expect(find("spine-3:4")).toHaveLength(1);
  });

  it("find links by node GUID, port GUID and LID", () => {
    const port = at(table.b, slow);
    const node = at(fabric.ports.node, port);
    expect(find(nodeGuid(fabric, node))).toEqual([slow]);
    expect(find(portGuid(fabric, port))).toEqual([slow]);
    const lid = at(fabric.ports.lid, port);
    expect(find(String(lid))).toContain(slow);
  });

  it("need every word and every filter", () => {
    const rows = find("kind:inter-switch leaf:leaf-03 spine-1");
    expect(rows.map(ends)).toEqual([["leaf-03", "spine-1"]]);
  });

  it("count measured links below the pass line as degraded", () => {
    const degraded = find("health:degraded");
    expect(degraded).toContain(slow);
    expect(degraded).not.toContain(passed);
    expect(degraded).toContain(fabric.links.count);
  });

  it("tell measured, passed, slow and unmeasured links apart", () => {
    expect(find("measured:slow")).toEqual([slow]);
    expect(find("measured:passed")).toEqual([passed]);
    expect(find("measured:no")).toHaveLength(table.count - 2);
    expect(find("-measured:no")).toHaveLength(2);
  });

  it("take speed and width as written", () => {
    const { link } = findingTitled(view, "Speed below capability");
    expect(find("speed:EDR")).toEqual([link]);
    expect(find("width:2x").every((row) => at(table.lanes, row) === 2)).toBe(true);
    expect(find("width:2x").length).toBeGreaterThan(0);
    expect(find("state:down")).toEqual(analysis.missingLinks.map((_, m) => fabric.links.count + m));
  });

  it("count the rows of each value they offer", () => {
    const kind = keys.find((key) => key.key === "kind");
    for (const { value, rows } of kind?.values ?? []) expect(find(`kind:${value}`)).toHaveLength(rows ?? -1);
  });
});

describe("sorting the links table", () => {
  it("puts the worst first by health, and among equals the slower measured one", () => {
    const rows = orderRows(order, linkSortKey(table, measured, "health"), true);
    expect(rows[0]).toBe(fabric.links.count);
    expect([...rows].indexOf(slow)).toBeLessThan([...rows].indexOf(passed));
  });

  it("sorts by every column that can be sorted, without losing a row", () => {
    for (const column of ["a", "aPort", "b", "bPort", "kind", "state", "width", "speed", "gbps", "couldBe", "age"]) {
      const rows = orderRows(order, linkSortKey(table, measured, column), false);
      expect(new Set(rows).size, column).toBe(table.count);
    }
  });
});

describe("measured columns", () => {
  it("leave out results of links that this fabric has not", () => {
    const stranger = { ...result(view, slow, 50), link: "0x00000000deadbeef:1" as const };
    expect(measuredColumns(table, new Map([[stranger.link, stranger]]), 95).summary.size).toBe(0);
  });

  it("move with the pass line", () => {
    const slowOf = (percent: number | null) => ({ percent, level: "slow", latencyUs: 1.4, hops: 1 }) as const;
    const healthAt = (percent: number | null, pass: number) => measuredHealth(slowOf(percent), pass);
    expect([healthAt(94, 95), healthAt(89, 95), healthAt(89, 85), healthAt(null, 95)]).toEqual([
      "warning",
      "error",
      "ok",
      "ok",
    ]);
  });

  it("are not healthy when only the latency is bad", () => {
    const late = { percent: 98, latencyUs: 41, hops: 3 };
    expect(measuredHealth({ ...late, level: "bad" }, 95)).toBe("error");
    expect(measuredHealth({ ...late, level: "fair", latencyUs: 8 }, 95)).toBe("warning");
    expect(measuredHealth({ ...late, level: "good", latencyUs: 2.2 }, 95)).toBe("ok");
  });
});

describe("links as text", () => {
  it("are one line each with a head, times in ISO 8601 and the simulated mark", () => {
    const lines = linksAsText(table, measured, [slow]).split("\n");
    expect(lines).toHaveLength(2);
    const cells = (line = ""): readonly string[] => line.split("\t");
    expect(cells(lines[0])).toHaveLength(cells(lines[1]).length);
    expect(lines[1]).toContain("2026-03-12T03:16:00Z");
    expect(lines[1]).toContain("simulated");
  });
});
