import { describe, expect, it } from "vitest";
import { at, nodeGuid, nodeName } from "../../../../shared/fabric/access.ts";
import { layoutOptions, orderByGuid } from "../../../../renderer/graph/graph-model.ts";
import { placeViewGraph } from "../../../../renderer/graph/geometry.ts";
import { layoutFabric } from "../../../../renderer/graph/layout.ts";
import type { Layout } from "../../../../renderer/graph/layout-types.ts";
import { adjacency, countCrossings, pods, reduceCrossings } from "../../../../renderer/graph/order.ts";
import { blockCount, hostsOfBlock, unplacedLevel } from "../../../../renderer/graph/structure.ts";
import { buildViewGraph } from "../../../../renderer/graph/view-graph.ts";
import {
  dragonflyPlus,
  faultyTree,
  laidOut,
  railTree,
  ring,
  threeLevelTree,
  twoHosts,
  type Sample,
  wideTree,
} from "./pictures.ts";

interface Box {
  readonly what: string;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

function boxesOf(sample: Sample, layout: Layout): Box[] {
  const box = (what: string, x: number, y: number, width: number, height: number): Box => ({
    what,
    left: x - width / 2,
    right: x + width / 2,
    top: y - height / 2,
    bottom: y + height / 2,
  });
  const boxes = Array.from(sample.structure.boxNode, (node, i) =>
    box(
      nodeName(sample.fabric, node),
      at(layout.boxX, i),
      at(layout.boxY, i),
      at(layout.boxWidth, i),
      at(layout.boxHeight, i),
    ),
  );
  const hosts = Array.from(layout.hostX, (x, i) =>
    box(`host ${String(i)}`, x, at(layout.hostY, i), at(layout.hostWidth, i), at(layout.hostHeight, i)),
  );
  return [...boxes, ...hosts];
}

/** Pairs that overlap, by a sweep from left to right. */
function overlaps(boxes: readonly Box[]): string[] {
  const sorted = [...boxes].sort((a, b) => a.left - b.left);
  const found: string[] = [];
  sorted.forEach((box, i) => {
    for (let k = i + 1; k < sorted.length; k++) {
      const other = sorted[k];
      if (other === undefined || other.left >= box.right - 1e-3) break;
      if (other.top < box.bottom - 1e-3 && box.top < other.bottom - 1e-3) found.push(`${box.what} and ${other.what}`);
    }
  });
  return found;
}

const samples: Readonly<Record<string, () => Sample>> = {
  "a two-level tree": faultyTree,
  "a wide two-level tree": wideTree,
  "a three-level tree": () => threeLevelTree(500),
  "many pods": () => threeLevelTree(2000),
  "hosts on several rails": railTree,
  "two hosts": twoHosts,
  "a ring": ring,
  "a Dragonfly+": () => dragonflyPlus(6),
};

function levelY(sample: Sample, layout: Layout, level: number): number[] {
  return Array.from(layout.boxY).filter((_, box) => at(sample.structure.boxLevel, box) === level);
}

describe("layout", () => {
  for (const [name, make] of Object.entries(samples)) {
    for (const size of [
      { width: 900, height: 480 },
      { width: 2100, height: 1200 },
    ]) {
      it(`lets no two boxes of ${name} overlap at ${String(size.width)} px`, () => {
        const sample = make();
        expect(overlaps(boxesOf(sample, laidOut(sample, size))).slice(0, 5)).toEqual([]);
      });
    }

    it(`is the same each time for ${name}`, () => {
      expect(laidOut(make())).toEqual(laidOut(make()));
    });

    it(`keeps everything of ${name} inside its bounds`, () => {
      const sample = make();
      const layout = laidOut(sample);
      for (const box of boxesOf(sample, layout)) {
        expect(box.left).toBeGreaterThanOrEqual(layout.left - 0.01);
        expect(box.right).toBeLessThanOrEqual(layout.right + 0.01);
        expect(box.top).toBeGreaterThanOrEqual(layout.top - 0.01);
        expect(box.bottom).toBeLessThanOrEqual(layout.bottom + 0.01);
      }
    });
  }

  it("stacks spines above leaves above hosts", () => {
    const sample = faultyTree();
    const layout = laidOut(sample);
    expect(Math.max(...levelY(sample, layout, 2))).toBeLessThan(Math.min(...levelY(sample, layout, 1)));
    expect(Math.max(...levelY(sample, layout, 1))).toBeLessThan(Math.min(...layout.hostY));
  });

  it("puts the core row above all pods and pods side by side", () => {
    const sample = threeLevelTree(500);
    const layout = laidOut(sample);
    expect(Math.max(...levelY(sample, layout, 3))).toBeLessThan(Math.min(...levelY(sample, layout, 2)));
    const graph = adjacency(sample.structure);
    const pod = pods(sample.structure, graph, sample.structure.boxRank);
    for (let box = 0; box < pod.length; box++) {
      if (at(sample.structure.boxLevel, box) > 2) continue;
      const frame = layout.frames[at(pod, box)];
      const x = at(layout.boxX, box);
      expect(x).toBeGreaterThan(frame?.x ?? Infinity);
      expect(x).toBeLessThan((frame?.x ?? 0) + (frame?.width ?? 0));
    }
  });

  it("counts rows as the fabric has them", () => {
    const sample = faultyTree();
    const bands = laidOut(sample).bands;
    expect(bands.map((band) => [band.level, band.boxes, band.hosts])).toEqual([
      [2, 4, 0],
      [1, 6, 0],
      [0, 0, 26],
    ]);
  });

  it("keeps switches in the order of their names when that costs no crossings", () => {
    const sample = faultyTree();
    const layout = laidOut(sample);
    const leaves = Array.from(sample.structure.boxNode.keys()).filter(
      (box) => at(sample.structure.boxLevel, box) === 1,
    );
    leaves.sort((a, b) => at(layout.boxX, a) - at(layout.boxX, b));
    const names = leaves.map((box) => nodeName(sample.fabric, at(sample.structure.boxNode, box)));
    expect(names).toEqual(["leaf-1", "leaf-2", "leaf-3", "leaf-4", "leaf-5", "leaf-6"]);
  });

  it("keeps the last order when the fabric is collected again, and lets new switches in", () => {
    const sample = faultyTree();
    const size = { width: 1000, height: 520 };
    const first = laidOut(sample, size);
    const order = new Map(orderByGuid(sample.fabric, sample.structure, first));
    // As the user saw it: the first leaf stood last.
    const firstLeaf =
      Array.from(sample.structure.boxNode).find((node) => nodeName(sample.fabric, node) === "leaf-1") ?? 0;
    const lost = Array.from(sample.structure.boxNode).find((node) => nodeName(sample.fabric, node) === "leaf-3") ?? 0;
    order.set(nodeGuid(sample.fabric, firstLeaf), 1000);
    order.delete(nodeGuid(sample.fabric, lost));
    const again = layoutFabric(sample.structure, layoutOptions(sample.fabric, sample.structure, size, order));
    const leaves = Array.from(sample.structure.boxNode.keys()).filter(
      (box) => at(sample.structure.boxLevel, box) === 1,
    );
    leaves.sort((a, b) => at(again.boxX, a) - at(again.boxX, b));
    const names = leaves.map((box) => nodeName(sample.fabric, at(sample.structure.boxNode, box)));
    expect(names).toEqual(["leaf-2", "leaf-3", "leaf-4", "leaf-5", "leaf-6", "leaf-1"]);
  });

  it("places switches without a tier below the others", () => {
    const sample = faultyTree();
    const lost = sample.structure.boxLevel.slice();
    const leaf = lost.indexOf(1);
    lost[leaf] = unplacedLevel;
    const structure = { ...sample.structure, boxLevel: lost };
    const layout = layoutFabric(
      structure,
      layoutOptions(sample.fabric, structure, { width: 1000, height: 520 }, undefined),
    );
    expect(at(layout.boxY, leaf)).toBe(Math.max(...layout.boxY));
    expect(overlaps(boxesOf(sample, layout))).toEqual([]);
  });

  it("places hosts under the middle of their leaves", () => {
    const sample = railTree();
    const layout = laidOut(sample);
    const leaves = levelX(sample, layout, 1);
    const middle = leaves.reduce((sum, x) => sum + x, 0) / leaves.length;
    expect(blockCount(sample.structure)).toBe(1);
    const hosts = Array.from(hostsOfBlock(sample.structure, 0), (host) => at(layout.hostX, host));
    expect(hosts.reduce((sum, x) => sum + x, 0) / hosts.length).toBeCloseTo(middle, 1);
  });

  it("attaches links in port order along the node's edge", () => {
    const sample = faultyTree();
    const graph = buildViewGraph(sample.fabric, sample.analysis, sample.structure, { unfolded: "all", bundles: false });
    const geometry = placeViewGraph(graph, laidOut(sample));
    const leaf = graph.nodes.findIndex((node) => node.label === "leaf-2");
    const ends: { port: number; x: number }[] = [];
    for (let link = 0; link < graph.links.count; link++) {
      const isA = graph.links.source[link] === leaf;
      if (!isA && graph.links.target[link] !== leaf) continue;
      const y = (isA ? geometry.y1[link] : geometry.y2[link]) ?? 0;
      if (y > (geometry.y[leaf] ?? 0)) continue;
      const port = (isA ? graph.links.sourcePort[link] : graph.links.targetPort[link]) ?? 0;
      ends.push({ port, x: (isA ? geometry.x1[link] : geometry.x2[link]) ?? 0 });
    }
    ends.sort((a, b) => a.port - b.port);
    expect(ends.map((end) => end.port)).toEqual([5, 6, 7, 8]);
    for (let i = 1; i < ends.length; i++) expect(ends[i]?.x).toBeGreaterThan(ends[i - 1]?.x ?? Infinity);
  });
});

function levelX(sample: Sample, layout: Layout, level: number): number[] {
  return Array.from(layout.boxX).filter((_, box) => at(sample.structure.boxLevel, box) === level);
}

describe("crossings", () => {
  it("are counted between neighbouring rows", () => {
    const graph = {
      start: Uint32Array.from([0, 1, 2, 3, 4]),
      neighbour: Uint32Array.from([3, 2, 1, 0]),
      cables: Uint32Array.from([1, 1, 1, 1]),
    };
    expect(
      countCrossings(
        [
          [0, 1],
          [2, 3],
        ],
        graph,
        4,
      ),
    ).toBe(1);
    expect(
      countCrossings(
        [
          [1, 0],
          [2, 3],
        ],
        graph,
        4,
      ),
    ).toBe(0);
  });

  it("are not more after the passes than in the given order, and fewer when that is possible", () => {
    const graph = {
      start: Uint32Array.from([0, 1, 2, 3, 4, 5, 6]),
      neighbour: Uint32Array.from([5, 4, 3, 2, 1, 0]),
      cables: new Uint32Array(6).fill(1),
    };
    const rows = [
      [0, 1, 2],
      [3, 4, 5],
    ];
    expect(countCrossings(rows, graph, 6)).toBe(3);
    reduceCrossings(rows, graph, 6);
    expect(countCrossings(rows, graph, 6)).toBe(0);
  });

  it("of a whole fabric are not above those of the given order", () => {
    for (const sample of [faultyTree(), dragonflyPlus(4)]) {
      const graph = adjacency(sample.structure);
      const boxes = Array.from(sample.structure.boxNode.keys());
      const rows = [1, 2].map((level) => boxes.filter((box) => at(sample.structure.boxLevel, box) === level));
      const before = countCrossings(rows, graph, boxes.length);
      reduceCrossings(rows, graph, boxes.length);
      expect(countCrossings(rows, graph, boxes.length)).toBeLessThanOrEqual(before);
    }
  });
});

describe("the order of names", () => {
  it("survives a lost cable between rows that are joined all with all", () => {
    const pairs = [0, 1, 2, 3].flatMap((low) => [4, 5, 6, 7].map((high): [number, number] => [low, high]));
    const kept = pairs.filter(([low, high]) => !(low === 3 && high === 7));
    const ends = Array.from({ length: 8 }, (_, box) =>
      kept.filter((pair) => pair.includes(box)).map(([low, high]) => (low === box ? high : low)),
    );
    const start = new Uint32Array(9);
    ends.forEach((own, box) => (start[box + 1] = at(start, box) + own.length));
    const neighbour = Uint32Array.from(ends.flat());
    const rows = [
      [0, 1, 2, 3],
      [4, 5, 6, 7],
    ];
    reduceCrossings(rows, { start, neighbour, cables: new Uint32Array(neighbour.length).fill(1) }, 8);
    expect(rows).toEqual([
      [0, 1, 2, 3],
      [4, 5, 6, 7],
    ]);
  });
});

describe("pods", () => {
  it("survive a cable into the wrong pod", () => {
    const sample = threeLevelTree(500);
    const graph = adjacency(sample.structure);
    const before = pods(sample.structure, graph, sample.structure.boxRank);
    const { boxLevel, pairA, pairB, pairCables } = sample.structure;
    const leaf = boxLevel.indexOf(1);
    const spine = Array.from(boxLevel.keys()).find(
      (box) => at(boxLevel, box) === 2 && at(before, box) !== at(before, leaf),
    );
    const structure = {
      ...sample.structure,
      pairA: Uint32Array.from([...pairA, Math.min(leaf, spine ?? 0)]),
      pairB: Uint32Array.from([...pairB, Math.max(leaf, spine ?? 0)]),
      pairCables: Uint32Array.from([...pairCables, 1]),
    };
    expect(pods(structure, adjacency(structure), structure.boxRank)).toEqual(before);
  });
});
