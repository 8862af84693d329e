import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { inspectCommand } from "../../../electron/cli/inspect.ts";
import { layoutOptions } from "../../../renderer/graph/graph-model.ts";
import { layoutFabric } from "../../../renderer/graph/layout.ts";
import { buildStructure } from "../../../renderer/graph/structure.ts";
import { buildViewGraph } from "../../../renderer/graph/view-graph.ts";
import { none } from "../../../shared/fabric/model.ts";
import { discoverText, type Drawn } from "../../support/discover-text.ts";
import { understandTexts } from "../../support/understand.ts";

interface Report {
  readonly capture: { readonly partial: boolean };
  readonly counts: Readonly<Record<string, number>>;
  readonly topology: {
    readonly kind: string;
    readonly islands: number;
    readonly tiers: readonly { readonly name: string; readonly switches: number }[];
    readonly evidence: readonly string[];
    readonly exceptions: readonly { readonly message: string }[];
  };
  readonly diagnostics: readonly { readonly code: string; readonly message: string }[];
}

let folder = "";
let out = "";
beforeEach(() => {
  out = "";
  folder = mkdtempSync(join(tmpdir(), "ibex-odd-"));
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    out += String(text);
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

/** What `ibex inspect --json` says; the fabric is also laid out, and every number of the picture must be one. */
async function inspect(drawn: Drawn): Promise<Report> {
  const text = discoverText(drawn);
  const path = join(folder, "ibnetdiscover.txt");
  writeFileSync(path, text);
  expect(await inspectCommand([path, "--json"])).toBe(0);
  const { fabric, analysis } = understandTexts({ "ibnetdiscover.txt": text });
  const structure = buildStructure(fabric, analysis);
  const layout = layoutFabric(structure, layoutOptions(fabric, structure, { width: 1300, height: 760 }, undefined));
  for (const numbers of [layout.boxX, layout.boxY, layout.hostX, layout.hostY]) {
    expect(Array.from(numbers).every((number) => Number.isFinite(number))).toBe(true);
  }
  const graph = buildViewGraph(fabric, analysis, structure, { unfolded: "all", bundles: true });
  expect(graph.links.member).toHaveLength(
    fabric.links.count - graph.insideOfFabricLink.filter((inside) => inside !== none).length,
  );
  return JSON.parse(out) as Report;
}

/** `count` switches, each with one host on port 1. */
function withHosts(count: number): {
  switches: string[];
  adapters: string[];
  cables: [number, number, number, number][];
} {
  const numbers = Array.from({ length: count }, (_, i) => i);
  return {
    switches: numbers.map((i) => `sw-${i + 1}`),
    adapters: numbers.map((i) => `node-${i + 1} mlx5_0`),
    cables: numbers.map((i) => [i, 1, count + i, 1]),
  };
}

describe("fabrics that nobody orders", () => {
  it("one switch alone", async () => {
    const report = await inspect({ switches: ["only"], cables: [] });
    expect(report.counts).toMatchObject({ switches: 1, hosts: 0, links: 0 });
    expect(report.topology).toMatchObject({ kind: "irregular", islands: 1 });
    expect(report.topology.evidence.join(" ")).toMatch(/no host link/);
  });

  it("one host alone", async () => {
    const report = await inspect({ switches: [], adapters: ["node-1 mlx5_0"], cables: [] });
    expect(report.counts).toMatchObject({ switches: 0, hosts: 1, links: 0 });
    expect(report.topology.evidence).toEqual(["There is no switch."]);
  });

  it("many nodes and no link", async () => {
    const report = await inspect({
      switches: ["a", "b", "c"],
      adapters: ["node-1 mlx5_0", "node-2 mlx5_0"],
      cables: [],
    });
    expect(report.counts).toMatchObject({ switches: 3, hosts: 2, links: 0 });
    expect(report.topology.kind).toBe("irregular");
    expect(report.topology.islands).toBe(5);
  });

  it("a host cabled to itself", async () => {
    const report = await inspect({ switches: [], adapters: ["node-1 mlx5_0"], cables: [[0, 1, 0, 2]] });
    expect(report.counts).toMatchObject({ hosts: 1, links: 1 });
    expect(report.topology.islands).toBe(1);
  });

  it("a port cabled to itself", async () => {
    const report = await inspect({ switches: ["a"], cables: [[0, 1, 0, 1]] });
    expect(report.counts).toMatchObject({ switches: 1, links: 0 });
    expect(report.diagnostics.map(({ message }) => message)).toEqual([
      "a, port 1 names itself as its peer: a loopback plug, or a fault of the device. No cable is drawn.",
    ]);
  });

  it("two switches with the same description are two switches, told apart by GUID", async () => {
    const { adapters, cables } = withHosts(2);
    const report = await inspect({ switches: ["leaf", "leaf"], adapters, cables: [...cables, [0, 2, 1, 2]] });
    expect(report.counts).toMatchObject({ switches: 2, hosts: 2, links: 3 });
    expect(report.topology.tiers).toEqual([{ name: "leaf", switches: 2 }]);
  });

  it("a ring of switches is irregular", async () => {
    const ring = withHosts(6);
    const report = await inspect({
      ...ring,
      cables: [
        ...ring.cables,
        ...ring.switches.map((_, i): [number, number, number, number] => [i, 2, (i + 1) % 6, 3]),
      ],
    });
    expect(report.topology.kind).toBe("irregular");
    expect(report.topology.evidence.join(" ")).toMatch(/6 of 6 cables between switches/);
  });

  it("a torus is irregular", async () => {
    const wide = 4;
    const torus = withHosts(wide * wide);
    const around = torus.switches.flatMap((_, i): [number, number, number, number][] => {
      const [row, column] = [Math.floor(i / wide), i % wide];
      return [
        [i, 2, row * wide + ((column + 1) % wide), 3],
        [i, 4, ((row + 1) % wide) * wide + column, 5],
      ];
    });
    const report = await inspect({ ...torus, cables: [...torus.cables, ...around] });
    expect(report.counts.links).toBe(3 * wide * wide);
    expect(report.topology.kind).toBe("irregular");
  });

  it("100 islands are counted, and each switch keeps its host", async () => {
    const report = await inspect(withHosts(100));
    expect(report.counts).toMatchObject({ switches: 100, hosts: 100, links: 100 });
    expect(report.topology.islands).toBe(100);
    expect(report.topology.evidence.join(" ")).toContain("100 parts that no cable joins");
  });

  it("40,000 links between two switches: those on real ports are there, the others are said to be left out", async () => {
    const two = withHosts(2);
    const cables = Array.from({ length: 40_000 }, (_, i): [number, number, number, number] => [0, i + 2, 1, i + 2]);
    const report = await inspect({ ...two, cables: [...two.cables, ...cables] });
    // Port numbers have 8 bits and 255 is no port: 2 … 254 remain.
    expect(report.counts).toMatchObject({ switches: 2, hosts: 2, links: 253 + 2 });
    expect(report.capture.partial).toBe(true);
    const told = report.diagnostics.filter(({ code }) => code === "malformed-port-line");
    expect(told[0]?.message).toBe(
      "A port has the number 255; the highest of InfiniBand is 254. The line was left out.",
    );
    // Every one of the 2 × 39,747 lines is listed or counted.
    const counted = /^(\d+) more of the same kind/.exec(told.at(-1)?.message ?? "")?.[1];
    expect(told.length - 1 + Number(counted)).toBe(2 * (40_000 - 253));
  });
});
