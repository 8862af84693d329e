import { describe, expect, it } from "vitest";
import { analyse } from "../../../../shared/analyse/analyse.ts";
import { guidFromBigint } from "../../../../shared/base/guid.ts";
import { at } from "../../../../shared/fabric/access.ts";
import { none, type Fabric } from "../../../../shared/fabric/model.ts";
import { foldingOf } from "../../../../renderer/graph/clusters.ts";
import { placeViewGraph } from "../../../../renderer/graph/geometry.ts";
import { buildStructure } from "../../../../renderer/graph/structure.ts";
import { buildViewGraph } from "../../../../renderer/graph/view-graph.ts";
import { dragonflyPlus, fabricOf, threeLevels, type Cable, type Plan } from "../../../support/generated-fabric.ts";
import { laidOut, ring, twoHosts, type Sample } from "./pictures.ts";

function sampleOf(fabric: Fabric): Sample {
  const analysis = analyse(fabric);
  return { fabric, analysis, structure: buildStructure(fabric, analysis) };
}

/** Switches and hosts cabled by hand: pairs of positions in the list of devices. */
function byHand(switches: number, hosts: number, pairs: readonly (readonly [number, number])[]): Sample {
  const devices: Plan["devices"] = Array.from({ length: switches + hosts }, (_, i) => ({
    kind: i < switches ? ("switch" as const) : ("ca" as const),
    guid: guidFromBigint(0x1000n + BigInt(i) * 16n),
    tier: 0,
    block: -1,
    nextPort: 1,
  }));
  const cables: Cable[] = [];
  for (const [a, b] of pairs) {
    const [first, second] = [devices[a], devices[b]];
    if (first === undefined || second === undefined) continue;
    const port = first.nextPort++;
    cables.push({ a: { device: first, port }, b: { device: second, port: second.nextPort++ } });
  }
  return sampleOf(fabricOf({ devices, cables }));
}

function torus(side: number): Sample {
  const pairs: [number, number][] = [];
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column++) {
      const own = row * side + column;
      pairs.push([own, row * side + ((column + 1) % side)], [own, ((row + 1) % side) * side + column]);
      pairs.push([own, side * side + own]);
    }
  }
  return byHand(side * side, side * side, pairs);
}

function islands(count: number): Sample {
  const pairs: [number, number][] = [];
  for (let island = 0; island < count; island++) {
    for (let i = 0; i < 3; i++) {
      pairs.push([island * 3 + i, island * 3 + ((i + 1) % 3)], [island * 3 + i, count * 3 + island * 3 + i]);
    }
  }
  return byHand(count * 3, count * 3, pairs);
}

/** Pairs of boxes or hosts that overlap, by a sweep from left to right. */
function overlaps(sample: Sample): number {
  const layout = laidOut(sample);
  const boxes = [
    ...Array.from(layout.boxX, (x, i) => [x, at(layout.boxY, i), at(layout.boxWidth, i), at(layout.boxHeight, i)]),
    ...Array.from(layout.hostX, (x, i) => [x, at(layout.hostY, i), at(layout.hostWidth, i), at(layout.hostHeight, i)]),
  ]
    .map(([x = 0, y = 0, w = 0, h = 0]) => ({ left: x - w / 2, right: x + w / 2, top: y - h / 2, bottom: y + h / 2 }))
    .sort((a, b) => a.left - b.left);
  let found = 0;
  boxes.forEach((box, i) => {
    for (let k = i + 1; k < boxes.length; k++) {
      const other = boxes[k];
      if (other === undefined || other.left >= box.right - 1e-2) break;
      if (other.top < box.bottom - 1e-2 && box.top < other.bottom - 1e-2) found += 1;
    }
  });
  return found;
}

const samples: Readonly<Record<string, () => Sample>> = {
  "five groups": () => sampleOf(fabricOf(dragonflyPlus(5, 4, 4, 8, 1))),
  "eight groups": () => sampleOf(fabricOf(dragonflyPlus(8, 4, 4, 4, 1))),
  "twelve groups": () => sampleOf(fabricOf(dragonflyPlus(12, 3, 3, 5, 1))),
  "forty groups": () => sampleOf(fabricOf(dragonflyPlus(40, 2, 2, 2, 1))),
  "more groups than a ring holds": () => sampleOf(fabricOf(dragonflyPlus(50, 2, 2, 2, 1))),
  "a ring": ring,
  "a torus": () => torus(6),
  "a hundred islands": () => islands(100),
  "two hosts": twoHosts,
  "many cables between two switches": () =>
    byHand(
      2,
      0,
      Array.from({ length: 200 }, () => [0, 1] as const),
    ),
  "a host cabled to itself": () =>
    byHand(1, 2, [
      [0, 1],
      [2, 2],
    ]),
};

describe("shapes", () => {
  for (const [name, make] of Object.entries(samples)) {
    it(`lets nothing of ${name} overlap`, () => {
      expect(overlaps(make())).toBe(0);
    });

    it(`places ${name} the same way each time`, () => {
      expect(laidOut(make())).toEqual(laidOut(make()));
    });
  }

  it("puts the spines of a ring's groups nearer to its middle than their leaves", () => {
    const sample = samples["five groups"]?.();
    if (sample === undefined) return;
    const layout = laidOut(sample);
    expect(layout.frames.map((frame) => frame.name)).toEqual(["Group 1", "Group 2", "Group 3", "Group 4", "Group 5"]);
    const { hub } = layout;
    expect(hub).toBeDefined();
    const mean = (cluster: number, level: number): number => {
      const own = Array.from(sample.structure.boxNode.keys()).filter(
        (box) => at(sample.structure.clusterOfBox, box) === cluster && at(sample.structure.boxLevel, box) === level,
      );
      const x = own.reduce((sum, box) => sum + at(layout.boxX, box), 0) / own.length - (hub?.x ?? 0);
      const y = own.reduce((sum, box) => sum + at(layout.boxY, box), 0) / own.length - (hub?.y ?? 0);
      return Math.hypot(x, y);
    };
    for (let cluster = 0; cluster < 5; cluster++) expect(mean(cluster, 2)).toBeLessThan(mean(cluster, 1));
  });
});

describe("groups", () => {
  it.each([4, 9, 20])(
    "of %i have the numbers of the analysis, and stand in their order around the middle",
    (groups) => {
      const sample = sampleOf(fabricOf(dragonflyPlus(groups, 3, 3, 3, 1)));
      const layout = laidOut(sample);
      const { analysis, structure, fabric } = sample;
      expect(layout.frames.map(({ name }) => name)).toEqual(analysis.topology.groups.map((_, i) => `Group ${i + 1}`));
      const graph = buildViewGraph(fabric, analysis, structure, {
        unfolded: "all",
        bundles: true,
        folding: foldingOf(layout, new Set(), new Set()),
      });
      analysis.topology.groups.forEach((group, i) => {
        for (const node of [...group.leaves, ...group.spines]) {
          expect(graph.nodes[at(graph.nodeOfFabricNode, node)]?.label).toBe(`Group ${i + 1}`);
        }
      });
      const { hub } = layout;
      const angles = layout.frames.map(({ x, y, width, height }) =>
        Math.atan2(y + height / 2 - (hub?.y ?? 0), x + width / 2 - (hub?.x ?? 0)),
      );
      const turns = angles.map(
        (angle, i) => (at(angles, (i + 1) % angles.length) - angle + 2 * Math.PI) % (2 * Math.PI),
      );
      expect(turns.reduce((sum, turn) => sum + turn, 0)).toBeCloseTo(2 * Math.PI, 5);
    },
  );
});

describe("blocks", () => {
  it("hold every link of the fabric once, and name the bundle that lacks a cable", () => {
    const plan = threeLevels(6, 4, 4, 4, 4);
    const spineToCore = plan.cables.findIndex(({ a, b }) => a.device.tier === 2 && b.device.tier === 3);
    plan.cables.splice(spineToCore, 1);
    const sample = sampleOf(fabricOf(plan));
    const layout = laidOut(sample);
    const folding = foldingOf(layout, new Set(), new Set());
    const graph = buildViewGraph(sample.fabric, sample.analysis, sample.structure, {
      unfolded: "all",
      bundles: true,
      folding,
    });
    expect(graph.nodes.map((node) => node.kind).sort()).toEqual([
      ...Array.from({ length: 4 }, () => "plane"),
      ...Array.from({ length: 6 }, () => "pod"),
    ]);
    for (let link = 0; link < sample.fabric.links.count; link++) {
      const drawn = at(graph.linkOfFabricLink, link) === none ? 0 : 1;
      const inside = at(graph.insideOfFabricLink, link) === none ? 0 : 1;
      expect(drawn + inside).toBe(1);
    }
    const lacking = Array.from({ length: graph.links.count }, (_, link) => link).filter(
      (link) => at(graph.links.memberStart, link + 1) - at(graph.links.memberStart, link) < at(graph.links.usual, link),
    );
    expect(lacking.length).toBe(1);
    expect(at(graph.links.usual, lacking[0] ?? 0)).toBe(4);
    const geometry = placeViewGraph(graph, layout);
    expect(geometry.x.every(Number.isFinite)).toBe(true);
  });
});
