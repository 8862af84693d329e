import { describe, expect, it } from "vitest";
import type { MeasurementSummary } from "../../../../shared/contract/views.ts";
import { linkId } from "../../../../shared/fabric/access.ts";
import type { LinkId } from "../../../../shared/fabric/model.ts";
import { classify, latencyClass, overlayNames, rateWidth } from "../../../../renderer/graph/overlay.ts";
import { buildPicture, commonPrefix } from "../../../../renderer/graph/picture.ts";
import { pillsOf } from "../../../../renderer/graph/pills.ts";
import { buildViewGraph } from "../../../../renderer/graph/view-graph.ts";
import { linkAt } from "../../measure/fabrics.ts";
import { faultyTree, type Sample } from "./pictures.ts";

const noFilter = { onlyDegraded: false, tiers: [], classes: [] };

function summary(sample: Sample, link: number, values: Partial<MeasurementSummary>): [LinkId, MeasurementSummary] {
  const id = linkId(sample.fabric, link);
  return [
    id,
    {
      id: `m${String(link)}`,
      at: "2026-01-05T09:30:00Z",
      link: id,
      linkName: "",
      source: "test",
      simulated: false,
      clientHost: "a",
      serverHost: "b",
      bandwidthGbps: 190,
      latencyUs: 1.5,
      expectedGbps: 200,
      percent: 95,
      level: "good",
      sentence: "",
      ...values,
    },
  ];
}

describe("overlays", () => {
  it("count every link once, missing ones as down", () => {
    const sample = faultyTree();
    for (const overlay of overlayNames) {
      const classes = classify(overlay, { ...sample, measured: new Map(), passPercent: 95 });
      const total = classes.classes.reduce((sum, entry) => sum + entry.count, 0);
      expect(total).toBe(sample.fabric.links.count + sample.analysis.missingLinks.length);
      expect(classes.classes[classes.ofMissing]?.line).toBe("dashed");
    }
  });

  it("list only rates that occur, by data rate", () => {
    const sample = faultyTree();
    const classes = classify("rate", { ...sample, measured: new Map(), passPercent: 95 });
    expect(classes.classes.map((entry) => entry.label)).toEqual(["4x HDR, 200 Gb/s", "2x HDR, 100 Gb/s", "down"]);
    expect(classes.classes[1]?.token).toBe("--r-edr");
  });

  it("tell entries of one data rate apart by their line, the more frequent one solid", () => {
    const rates = [...Array<readonly [number, number]>(3).fill([2, 7]), [4, 6], [4, 6], [4, 7]] as const;
    const sample = faultyTree();
    const { fabric } = sample;
    rates.forEach(([lanes, speed], link) => {
      for (const port of [fabric.links.a[link], fabric.links.b[link]]) {
        fabric.ports.lanes[port ?? 0] = lanes;
        fabric.ports.speed[port ?? 0] = speed;
      }
    });
    const { classes } = classify("rate", { ...sample, measured: new Map(), passPercent: 95 });
    const looks = classes.map(({ token, line }) => `${token} ${line}`);
    expect(new Set(looks).size).toBe(classes.length);
    const lineOf = (label: string): string | undefined => classes.find((entry) => entry.label === label)?.line;
    expect([lineOf("2x HDR, 100 Gb/s"), lineOf("4x EDR, 100 Gb/s")]).toEqual(["solid", "broken"]);
  });

  it("draw 2x HDR as thin as EDR and faster links thicker", () => {
    expect(rateWidth(100)).toBe(2);
    expect([8, 100, 200, 400, 800].map(rateWidth)).toEqual([1, 2, 2.75, 3.5, 4.5]);
    expect(rateWidth(0)).toBe(1);
  });

  it("move the classes of per cent with the pass line", () => {
    const sample = faultyTree();
    const link = linkAt(sample.fabric, "leaf-1", 5);
    const measured = new Map([summary(sample, link, { percent: 92 })]);
    const label = (passPercent: number): string => {
      const classes = classify("bandwidth", { ...sample, measured, passPercent });
      return classes.classes[classes.ofLink[link] ?? 0]?.label ?? "";
    };
    expect(label(95)).toBe("90–95");
    expect(label(90)).toBe("≥ 90");
  });

  it("compare a latency with the median of the same kind of link", () => {
    const sample = faultyTree();
    const links = [5, 6, 7].map((port) => linkAt(sample.fabric, "leaf-1", port));
    const measured = new Map(links.map((link, i) => summary(sample, link, { latencyUs: i === 2 ? 3 : 1 })));
    const classes = classify("latency", { ...sample, measured, passPercent: 95 });
    expect(links.map((link) => classes.classes[classes.ofLink[link] ?? 0]?.bars)).toEqual([5, 5, 1]);
    expect([1.1, 1.3, 1.6, 2.1, 2.2].map(latencyClass)).toEqual([5, 4, 3, 2, 1]);
  });
});

describe("picture", () => {
  it("keeps the sign of a finding in every overlay and through the filter", () => {
    const sample = faultyTree();
    const graph = buildViewGraph(sample.fabric, sample.analysis, sample.structure, { unfolded: "all", bundles: false });
    const narrow = graph.linkOfFabricLink[linkAt(sample.fabric, "leaf-2", 7)] ?? 0;
    for (const overlay of overlayNames) {
      const classes = classify(overlay, { ...sample, measured: new Map(), passPercent: 95 });
      const picture = buildPicture(sample.fabric, graph, classes, { ...noFilter, onlyDegraded: true });
      expect(picture.linkGlyph[narrow]).toBeGreaterThan(0);
      expect(picture.linkHidden[narrow]).toBe(0);
      expect([...picture.linkHidden].filter((hidden) => hidden === 0)).toHaveLength(2);
    }
  });

  it("hides rows that are not chosen, with their links", () => {
    const sample = faultyTree();
    const graph = buildViewGraph(sample.fabric, sample.analysis, sample.structure, { unfolded: "all", bundles: false });
    const classes = classify("health", { ...sample, measured: new Map(), passPercent: 95 });
    const picture = buildPicture(sample.fabric, graph, classes, { ...noFilter, tiers: [1, 2] });
    graph.nodes.forEach((node, i) => expect(picture.nodeHidden[i] === 1).toBe(node.level === 0));
    expect([...picture.linkHidden].filter((hidden) => hidden === 0)).toHaveLength(24);
  });

  it("shortens labels only where the rest tells them apart", () => {
    expect(commonPrefix(["leaf-01", "leaf-02"])).toBe("leaf-");
    expect(commonPrefix(["leaf-p1-01", "leaf-p1-02"])).toBe("leaf-p1-");
    expect(commonPrefix(["n001", "n002"])).toBe("");
    expect(commonPrefix(["leaf-", "leaf-1"])).toBe("");
    expect(commonPrefix(["leaf-1"])).toBe("");
  });
});

describe("pills", () => {
  it("stand on the selected link in full and on links below their pass line", () => {
    const sample = faultyTree();
    const graph = buildViewGraph(sample.fabric, sample.analysis, sample.structure, { unfolded: "all", bundles: false });
    const [good, slow] = [linkAt(sample.fabric, "leaf-1", 5), linkAt(sample.fabric, "leaf-1", 6)];
    const measured = new Map([
      summary(sample, good, { percent: 97.8, bandwidthGbps: 195.6 }),
      summary(sample, slow, { percent: 60.7, bandwidthGbps: 121.4 }),
    ]);
    const common = { fabric: sample.fabric, graph, measured, passPercent: 95, running: -1 };
    const now = Date.parse("2026-01-05T09:32:00Z");
    const all = pillsOf({ ...common, overlay: "bandwidth", selected: graph.linkOfFabricLink[good] ?? -1, now });
    expect([...all.values()].map((pill) => [pill.text, pill.more, pill.bars])).toEqual([
      ["97 %", "196 Gb/s, 2 min", 5],
      ["60 %", "", 2],
    ]);
    const health = pillsOf({ ...common, overlay: "health", selected: -1, now });
    expect(health.size).toBe(0);
  });
});
