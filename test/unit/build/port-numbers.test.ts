/** Port numbers beyond one byte never become other ports; as many cables as two switches can have are drawn. */
import { describe, expect, it } from "vitest";
import { deriveGraph, layOut, prepare } from "../../../renderer/graph/graph-model.ts";
import { analyse } from "../../../shared/analyse/analyse.ts";
import { buildFabric } from "../../../shared/build/build-fabric.ts";
import { guidFromBigint } from "../../../shared/base/guid.ts";
import { type PlainNode, recordsOf } from "../../support/discover-records.ts";

/** Two switches with so many cables, port n to port n. */
function pair(cables: number) {
  const guids = [guidFromBigint(0x10n), guidFromBigint(0x20n)] as const;
  const nodes: PlainNode[] = guids.map((guid, own) => ({
    kind: "switch",
    guid,
    declaredPorts: 254,
    description: `sw${own}`,
    line: 1,
    ports: Array.from({ length: cables }, (_, i) => ({
      number: i + 1,
      peerKind: "switch",
      peerGuid: guids[own === 0 ? 1 : 0],
      peerPort: i + 1,
      peerDescription: "",
      peerLid: 1,
      lanes: 4,
      speed: 7,
      line: i + 2,
    })),
  }));
  return buildFabric({ discover: { file: "made", records: recordsOf(nodes) }, sminfo: [] });
}

describe("cables between two switches", () => {
  it("are kept up to port 254; of 40,000 the rest is left out and said, not wrapped to other ports", () => {
    const { fabric, diagnostics } = pair(40_000);
    expect(fabric.links.count).toBe(254);
    expect(fabric.ports.count).toBe(508);
    expect(new Set(fabric.ports.number).size).toBe(254);
    expect(diagnostics.map(({ code }) => code)).toContain("port-out-of-range");
    expect(diagnostics.length).toBeLessThan(200);
  });

  it("are all in one bundle, or all drawn, 254 of them", () => {
    const { fabric, diagnostics } = pair(254);
    expect(diagnostics).toEqual([]);
    const analysis = analyse(fabric);
    const laid = layOut(fabric, prepare(fabric, analysis), { width: 900, height: 600 }, undefined);
    const drawn = (bundles: boolean) =>
      deriveGraph(fabric, analysis, laid, { view: { unfolded: "all", bundles }, opened: "all" });
    const [bundled, single] = [drawn(true), drawn(false)];
    expect(bundled.graph.links.count).toBe(1);
    expect(bundled.graph.links.member).toHaveLength(254);
    expect(single.graph.links.count).toBe(254);
    expect([...single.geometry.x1, ...single.geometry.x2].every(Number.isFinite)).toBe(true);
  });
});
