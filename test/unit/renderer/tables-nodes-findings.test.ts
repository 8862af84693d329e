import { describe, expect, it } from "vitest";
import { atOnce } from "../../../renderer/parts/slices.ts";
import { adaptersOfHost, at, nodeGuid } from "../../../shared/fabric/access.ts";
import type { Diagnostic } from "../../../shared/parse/diagnostic.ts";
import {
  bySeverity,
  findingAction,
  findingIndex,
  selectionOf,
} from "../../../renderer/views/findings/finding-index.ts";
import { filterFindings, filterRemarks, placeText } from "../../../renderer/views/findings/finding-rows.ts";
import { parseQuery } from "../../../renderer/views/links/query.ts";
import {
  filterNodes,
  nodeQueryKeys,
  nodeRows,
  nodesAsText,
  positionOfSelection,
  selectionOfNodeRow,
} from "../../../renderer/views/nodes/node-rows.ts";
import { findingTitled, simulatedView } from "./tables-fabric.ts";

const view = simulatedView();
const { fabric, analysis } = view;
const rows = atOnce(nodeRows(fabric, analysis));
const keys = nodeQueryKeys(rows);
const find = (query: string) => [...filterNodes(rows, parseQuery(query, keys))].map((position) => rows[position]);

describe("the nodes table", () => {
  it("has a row per switch, host and aggregation node, the top tier first", () => {
    const { switches, hosts, aggregationNodes } = analysis.counts;
    expect(rows).toHaveLength(switches + hosts + aggregationNodes);
    expect(rows.slice(0, 2).map((row) => row.name)).toEqual(["spine-1", "spine-2"]);
  });

  it("counts hosts below a leaf and none below a spine", () => {
    const leaf = rows.find((row) => row.name === "leaf-02");
    expect([leaf?.tier, leaf?.hosts]).toEqual(["Leaf", 8]);
    expect(rows[0]?.hosts).toBe(0);
  });

  it("finds a host by the GUID of its adapter and by LID", () => {
    const host = rows.find((row) => row.kind === "host");
    const guid = nodeGuid(fabric, adaptersOfHost(fabric, host?.index ?? 0)[0] ?? 0);
    expect(find(guid)).toEqual([host]);
    expect(find(String(host?.lid))).toContain(host);
  });

  it("filters by kind, tier, health and findings", () => {
    expect(find("kind:switch tier:leaf")).toHaveLength(16);
    expect(find("findings:yes").every((row) => (row?.findings ?? 0) > 0)).toBe(true);
    expect(find("health:degraded").map((row) => row?.name)).toContain("leaf-11");
  });

  it("knows the row of a selected adapter: its host's", () => {
    const position = rows.findIndex((row) => row.kind === "host");
    const host = rows[position];
    const node = adaptersOfHost(fabric, host?.index ?? 0)[0] ?? 0;
    expect(positionOfSelection(rows, fabric, { kind: "node", node })).toBe(position);
    expect(host === undefined ? undefined : selectionOfNodeRow(host)).toEqual({ kind: "host", host: host?.index });
  });

  it("copies with as many cells in every line", () => {
    const widths = nodesAsText(rows)
      .split("\n")
      .map((line) => line.split("\t").length);
    expect(new Set(widths).size).toBe(1);
  });
});

describe("findings", () => {
  it("stand under their link and under both nodes of it", () => {
    const { finding, link } = findingTitled(view, "Width below capability");
    const index = findingIndex(fabric, analysis);
    expect(index.byLink.get(link)).toContain(finding);
    for (const port of [at(fabric.links.a, link), at(fabric.links.b, link)]) {
      expect(index.byNode.get(at(fabric.ports.node, port))).toContain(finding);
    }
  });

  it("of a port without a cable select the missing link", () => {
    const down = analysis.findings.find((finding) => finding.subject.kind === "port");
    expect(down === undefined ? undefined : selectionOf(down.subject, fabric, analysis)).toEqual({
      kind: "missing-link",
      missing: 0,
    });
    expect(down === undefined ? undefined : findingAction(down, fabric, analysis)).toBe("show");
  });

  it("offer a measurement only where traffic can cross", () => {
    expect(findingAction(findingTitled(view, "Width below capability").finding, fabric, analysis)).toBe("measure");
    expect(findingAction(findingTitled(view, "Port in Initialize").finding, fabric, analysis)).toBe("show");
  });

  it("about subnet managers lead to their view, others about the whole fabric nowhere", () => {
    const { finding } = findingTitled(view, "Width below capability");
    const ofFabric = { ...finding, subject: { kind: "fabric", name: "fabric" } } as const;
    expect(findingAction({ ...ofFabric, rule: "no-subnet-manager" }, fabric, analysis)).toBe("managers");
    expect(findingAction(ofFabric, fabric, analysis)).toBe("none");
  });

  it("come worst first and are found by any of their words", () => {
    const list = [...analysis.findings].reverse();
    const shown = [...filterFindings(list, "")].map((row) => list[row]?.severity);
    expect(shown).toEqual(bySeverity(list).map((finding) => finding.severity));
    const { finding } = findingTitled(view, "Width below capability");
    expect([...filterFindings(list, `width ${finding.subject.name}`)].map((row) => list[row])).toEqual([finding]);
  });
});

describe("remarks on the capture", () => {
  const remark = (severity: Diagnostic["severity"], line: number): Diagnostic => ({
    severity,
    code: "unknown-line",
    file: "ibnetdiscover.txt",
    line,
    column: 0,
    message: "Expected a port line.",
  });

  it("name file and line, or the file alone", () => {
    expect([placeText(remark("note", 212)), placeText(remark("note", 0))]).toEqual([
      "ibnetdiscover.txt:212",
      "ibnetdiscover.txt",
    ]);
  });

  it("come worst first and are found by their place", () => {
    const list = [remark("note", 1), remark("error", 2), remark("warning", 3)];
    expect([...filterRemarks(list, "")]).toEqual([1, 2, 0]);
    expect([...filterRemarks(list, "txt:3")]).toEqual([2]);
  });
});
