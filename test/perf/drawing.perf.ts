/** Time from a Fabric to everything that drawing needs: structure, layout, view graph, positions, overlay. */
import { performance } from "node:perf_hooks";
import { generateFabricTexts } from "../../electron/run/simulated/texts.ts";
import { analyse } from "../../shared/analyse/analyse.ts";
import { buildFabric } from "../../shared/build/build-fabric.ts";
import { parseIbnetdiscover } from "../../shared/parse/ibnetdiscover.ts";
import { placeViewGraph } from "../../renderer/graph/geometry.ts";
import { layoutOptions } from "../../renderer/graph/graph-model.ts";
import { layoutFabric } from "../../renderer/graph/layout.ts";
import { classify } from "../../renderer/graph/overlay.ts";
import { PickGrid } from "../../renderer/graph/pick-grid.ts";
import { buildPicture } from "../../renderer/graph/picture.ts";
import { buildStructure } from "../../renderer/graph/structure.ts";
import { buildViewGraph } from "../../renderer/graph/view-graph.ts";

const sizes = [
  { levels: 2, hosts: 100 },
  { levels: 3, hosts: 1000 },
  { levels: 3, hosts: 10_000 },
] as const;
const steps = ["structure", "layout", "view graph", "positions", "overlay", "pick grid"] as const;
const rounds = 5;

type Times = Record<(typeof steps)[number], number>;

/** Best of some rounds in milliseconds: the rest is the machine's other work. */
function measure(levels: 2 | 3, hosts: number): { readonly times: Times; readonly links: number } {
  const texts = generateFabricTexts({ levels, hosts });
  const { records } = parseIbnetdiscover(texts.ibnetdiscover, { file: "ibnetdiscover" });
  const { fabric } = buildFabric({ discover: { file: "ibnetdiscover", records }, sminfo: [] });
  const analysis = analyse(fabric);
  const times: Times = {
    structure: Infinity,
    layout: Infinity,
    "view graph": Infinity,
    positions: Infinity,
    overlay: Infinity,
    "pick grid": Infinity,
  };
  const timed = <T>(step: keyof Times, work: () => T): T => {
    const begin = performance.now();
    const result = work();
    times[step] = Math.min(times[step], performance.now() - begin);
    return result;
  };
  const view = { unfolded: hosts > 1500 ? new Set<number>() : ("all" as const), bundles: hosts > 1500 };
  for (let round = 0; round < rounds; round++) {
    const structure = timed("structure", () => buildStructure(fabric, analysis));
    const options = layoutOptions(fabric, structure, { width: 1300, height: 760 }, undefined);
    const layout = timed("layout", () => layoutFabric(structure, options));
    const graph = timed("view graph", () => buildViewGraph(fabric, analysis, structure, view));
    const geometry = timed("positions", () => placeViewGraph(graph, layout));
    timed("overlay", () => {
      const classes = classify("rate", { fabric, analysis, measured: new Map(), passPercent: 95 });
      return buildPicture(fabric, graph, classes, { onlyDegraded: false, tiers: [], classes: [] });
    });
    timed("pick grid", () => new PickGrid(geometry));
  }
  return { times, links: fabric.links.count };
}

function row(cells: readonly string[]): string {
  return cells.map((cell, i) => (i === 0 ? cell.padEnd(14) : cell.padStart(12))).join("");
}

/** Prints a table of milliseconds with the growth from 1,000 to 10,000 hosts. Asserts nothing. */
export function run(): void {
  const results = sizes.map(({ levels, hosts }) => measure(levels, hosts));
  const names = sizes.map(({ hosts }) => `${String(hosts)} hosts`);
  console.log(row(["drawing, ms", ...names, "growth"]));
  console.log(row(["links", ...results.map(({ links }) => String(links)), ""]));
  for (const step of steps) {
    const values = results.map(({ times }) => times[step]);
    const growth = (values[2] ?? 0) / Math.max(0.01, values[1] ?? 0);
    console.log(row([step, ...values.map((value) => value.toFixed(1)), `${growth.toFixed(1)} x`]));
  }
}
