import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { Matrix } from "../../../renderer/views/inspector/group-matrix.tsx";
import {
  blockName,
  blocksText,
  cellText,
  groupMatrix,
  linksOfCell,
  ratioText,
  shapeRows,
} from "../../../renderer/views/inspector/shape-facts.ts";
import { analyse } from "../../../shared/analyse/analyse.ts";
import { assert } from "../../../shared/base/assert.ts";
import { at, linkKind } from "../../../shared/fabric/access.ts";
import type { Fabric } from "../../../shared/fabric/model.ts";
import { dragonflyPlus, fabricOf, type Plan, threeLevels, twoLevels } from "../../support/generated-fabric.ts";
import { openSample } from "../../support/samples.ts";

/** The plan without its nth cable between two blocks. */
function withoutGlobal(plan: Plan, n: number): Plan {
  const globals = plan.cables.filter(({ a, b }) => a.device.block !== b.device.block);
  return { devices: plan.devices, cables: plan.cables.filter((cable) => cable !== globals[n]) };
}

function cablesBetweenSwitches(fabric: Fabric): number {
  let cables = 0;
  for (let link = 0; link < fabric.links.count; link += 1) if (linkKind(fabric, link) === "inter-switch") cables += 1;
  return cables;
}

describe("the matrix of groups", () => {
  it("holds every cable between switches once, the same on both sides of the diagonal", () => {
    const fabric = fabricOf(dragonflyPlus(5, 4, 4, 4, 2));
    const matrix = groupMatrix(fabric, analyse(fabric));
    assert(matrix !== undefined, "a Dragonfly+ has one");
    const cell = (a: number, b: number) => matrix.cells[a * 5 + b];
    expect(matrix.usual).toBe(8);
    expect(cell(0, 0)?.links).toBe(16);
    let sum = 0;
    for (let a = 0; a < 5; a += 1)
      for (let b = a; b < 5; b += 1) {
        sum += cell(a, b)?.links ?? 0;
        expect(cell(a, b)?.links).toBe(cell(b, a)?.links);
      }
    expect(sum).toBe(cablesBetweenSwitches(fabric));
    expect(matrix.sums.every(({ links, deviates }) => links === 32 && !deviates)).toBe(true);
    expect(matrix.cells.every((each) => each.health === "ok" && !each.deviates)).toBe(true);
  });

  it("marks the pair that lacks a link, in both its cells and in the sums of its groups", () => {
    const fabric = fabricOf(withoutGlobal(dragonflyPlus(5, 4, 4, 4, 1), 0));
    const matrix = groupMatrix(fabric, analyse(fabric));
    assert(matrix !== undefined, "a Dragonfly+ has one");
    const odd = matrix.cells.filter((cell) => cell.deviates);
    expect(odd.map(({ a, b, links, health }) => [a, b, links, health])).toEqual([
      [0, 1, 3, "warning"],
      [1, 0, 3, "warning"],
    ]);
    expect(matrix.sums.map(({ links }) => links)).toEqual([15, 15, 16, 16, 16]);
    assert(odd[0] !== undefined, "there is one");
    expect(cellText(matrix, odd[0])).toBe("Group 1 to group 2: 3 links, most pairs have 4");
    expect(linksOfCell(fabric, analyse(fabric), 1, 0).links).toHaveLength(3);
  });

  it("shows the narrow link inside group 1 of the sample as an error, and the missing one as a lower number", async () => {
    const { understood } = await openSample("dragonfly-plus");
    const matrix = groupMatrix(understood.fabric, understood.analysis);
    assert(matrix !== undefined, "a Dragonfly+ has one");
    const inside = Array.from({ length: matrix.groups }, (_, group) => matrix.cells[group * matrix.groups + group]);
    expect(inside.map((cell) => [cell?.links, cell?.health])).toEqual([
      [15, "error"],
      [16, "ok"],
      [16, "ok"],
      [16, "ok"],
      [16, "ok"],
    ]);
    const { links } = linksOfCell(understood.fabric, understood.analysis, 0, 0);
    expect(links.filter((link) => at(understood.analysis.linkHealth, link) > 0)).toHaveLength(2);
  });

  it("is none for a fat tree", () => {
    const fabric = fabricOf(threeLevels(3, 4, 4, 4, 4));
    expect(groupMatrix(fabric, analyse(fabric))).toBeUndefined();
  });

  it("is an accessible table with a name for each field, at 3 groups and at 40", () => {
    for (const groups of [3, 40]) {
      const fabric = fabricOf(dragonflyPlus(groups, 2, 2, 2, 1));
      const analysis = analyse(fabric, undefined, "dragonfly+");
      expect(analysis.topology.groups).toHaveLength(groups);
      const matrix = groupMatrix(fabric, analysis);
      assert(matrix !== undefined, "a Dragonfly+ has one");
      const markup = renderToStaticMarkup(
        <Matrix matrix={matrix} rows={groups} chosen={undefined} onChoose={() => undefined} />,
      );
      expect(markup.match(/<td><button/g)).toHaveLength(groups * groups);
      expect(markup.match(/scope="row"/g)).toHaveLength(groups);
      expect(markup).toContain(`aria-label="Group ${groups} to group 1: 2 links"`);
      expect(markup.match(/tabindex="0"/g)).toHaveLength(1);
      expect(markup).toContain(groups === 40 ? "matrix-dense" : "matrix-spacious");
    }
  });
});

describe("facts of the shape", () => {
  it.each([
    [0, "none"],
    [1, "1:1, not oversubscribed"],
    [2, "2:1 oversubscribed"],
    [1.5, "1.5:1 oversubscribed"],
    [0.67, "1:1.5, more uplinks than hosts need"],
    [0.5, "1:2, more uplinks than hosts need"],
  ])("oversubscription of %d is %s", (ratio, text) => expect(ratioText(ratio)).toBe(text));

  it("say pods, groups and their usual size", () => {
    const tree = analyse(fabricOf(threeLevels(3, 4, 4, 4, 8))).topology;
    expect(Object.fromEntries(shapeRows(tree).map((row) => [row.label, row.value]))).toMatchObject({
      Pods: "3, each 4 leaves, 4 spines, 32 hosts",
      "Leaf uplinks": "2:1 oversubscribed",
    });
    const [first, ...rest] = tree.pods;
    assert(first !== undefined, "there are pods");
    expect(blocksText([{ ...first, hosts: 31 }, ...rest])).toBe("3, 2 of them 4 leaves, 4 spines, 32 hosts");
  });

  it("say the pod of a leaf and of a spine, none for a core or in a tree of two levels", () => {
    const fabric = fabricOf(threeLevels(3, 4, 4, 4, 4));
    const { topology } = analyse(fabric);
    const of = (level: number) => (topology.tiers[level]?.switches ?? []).map((node) => blockName(topology, node));
    expect(new Set(of(0))).toEqual(new Set(["Pod 1", "Pod 2", "Pod 3"]));
    expect(new Set(of(1))).toEqual(new Set(["Pod 1", "Pod 2", "Pod 3"]));
    expect(new Set(of(2))).toEqual(new Set([undefined]));
    const small = analyse(fabricOf(twoLevels(4, 2, 4, 1))).topology;
    expect(blockName(small, small.tiers[0]?.switches[0] ?? 0)).toBeUndefined();
  });
});
