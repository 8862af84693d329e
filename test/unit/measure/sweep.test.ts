import { describe, expect, it } from "vitest";
import { assert } from "../../../shared/base/assert.ts";
import { linkId, linkIsActive, linkKind, nodeGuid } from "../../../shared/fabric/access.ts";
import type { Fabric } from "../../../shared/fabric/model.ts";
import { planMeasurement } from "../../../shared/measure/plan.ts";
import { findNode, selectLinks } from "../../../shared/measure/sweep-select.ts";
import { planSweep, type Sweep, type SweepInput } from "../../../shared/measure/sweep.ts";
import { defaultMeasureOptions } from "../../../shared/measure/types.ts";
import { analysisOf, linkAt, nodeNamed } from "./fabrics.ts";
import { simulatedRoutes } from "./simulated-routes.ts";

function sweepOf(fabric: Fabric, links: readonly number[], more: Partial<SweepInput> = {}): Sweep {
  return planSweep(fabric, analysisOf(fabric), {
    links,
    fabricId: "fabric",
    options: defaultMeasureOptions,
    simulated: true,
    ...more,
  });
}

/** Fails when two measurements of a round share a host, an adapter or a cable, or a link is planned twice. */
function checkRounds(sweep: Sweep): void {
  const measured = new Set<string>();
  for (const round of sweep.rounds) {
    const used = new Set<string>();
    for (const item of round) {
      expect(measured.has(item.link)).toBe(false);
      measured.add(item.link);
      const plan = item.plan();
      expect(plan.path.map(({ link }) => link)).toContain(item.link);
      expect(plan.client.host).not.toBe(plan.server.host);
      expect([plan.client.host, plan.server.host]).toEqual([item.clientHost, item.serverHost]);
      for (const need of [
        `host ${plan.client.host}`,
        `host ${plan.server.host}`,
        ...plan.path.map(({ link }) => `link ${link}`),
      ]) {
        expect(used.has(need), `${item.linkName} shares ${need}`).toBe(false);
        used.add(need);
      }
    }
  }
  expect(sweep.rounds.length).toBeGreaterThanOrEqual(sweep.lowerBound);
}

describe("planning a sweep", () => {
  it.each(["fat-tree-small", "fat-tree", "healthy"])("never uses a host or a cable twice in a round: %s", (name) => {
    const { network } = simulatedRoutes(name);
    const { fabric } = network;
    const all = Array.from({ length: fabric.links.count }, (_, link) => link).filter(
      (link) => linkIsActive(fabric, link) && ["host", "inter-switch"].includes(linkKind(fabric, link)),
    );
    for (const more of [{}, { routes: network }, { routes: network, concurrency: 3 }]) {
      const sweep = sweepOf(fabric, all, more);
      checkRounds(sweep);
      const links = sweep.rounds.reduce((sum, round) => sum + round.length, 0);
      expect(links + sweep.refused.length).toBe(all.length);
      if ("concurrency" in more) expect(Math.max(...sweep.rounds.map((round) => round.length))).toBe(3);
    }
  });

  it("needs no more rounds than must be for all cables between the switches of a healthy fat tree", () => {
    const { network } = simulatedRoutes("healthy");
    const links = selectLinks(network.fabric, analysisOf(network.fabric), { kind: "all-inter-switch" });
    const sweep = sweepOf(network.fabric, links, { routes: network });
    expect(links).toHaveLength(128);
    expect(sweep).toMatchObject({ lowerBound: 2, refused: [] });
    expect(sweep.rounds).toHaveLength(2);
    expect(sweep.seconds).toBe(2 * sweep.secondsPerRound);
  });

  it("plans by routes what the data really crosses, and leaves hosts of subnet managers in peace", () => {
    const { network, simulated } = simulatedRoutes("healthy");
    const { fabric } = network;
    const links = selectLinks(fabric, analysisOf(fabric), { kind: "links-of", node: nodeNamed(fabric, "leaf-03") });
    const sweep = sweepOf(fabric, links, { routes: network });
    const managers = simulated.topology.managers.map(({ port }) => port.node.description.split(" ")[0]);
    expect(managers.length).toBeGreaterThan(0);
    for (const item of sweep.rounds.flat()) {
      const plan = item.plan();
      const [from, to] = [plan.client, plan.server].map(({ lid }) => simulated.atLid(lid)?.port);
      assert(from !== undefined && to !== undefined, "both hosts are there");
      const real = simulated.routes.path(from, to) ?? [];
      expect(plan.path.map(({ fromPort }) => fromPort)).toEqual(real.map(({ number }) => number));
      expect(managers).not.toContain(item.clientHost);
      expect(managers).not.toContain(item.serverHost);
    }
  });

  it.each([true, false])("takes no way over a slower cable, which would hide a fault (routes: %s)", (routed) => {
    const { network } = simulatedRoutes("fat-tree");
    const { fabric } = network;
    const links = selectLinks(fabric, analysisOf(fabric), { kind: "all-inter-switch" });
    const sweep = sweepOf(fabric, links, routed ? { routes: network } : {});
    for (const item of sweep.rounds.flat()) {
      const { path, slowestGbps, linkIndex } = item.plan();
      expect(slowestGbps, item.linkName).toBe(path.find((hop) => hop.linkIndex === linkIndex)?.gbps);
    }
    // The same holds for one link at a time.
    const narrow = linkAt(fabric, "leaf-05", 10);
    const plan = planMeasurement(fabric, analysisOf(fabric), {
      link: narrow,
      fabricId: "fabric",
      planId: "plan",
      options: defaultMeasureOptions,
      simulated: true,
      ...(routed ? { routes: network } : {}),
    });
    assert(plan.ok, JSON.stringify(plan));
    expect(plan.value.path[plan.value.slowestHop]?.linkIndex).toBe(narrow);
  });

  it("says why a link cannot be measured and goes on with the others", () => {
    const { network } = simulatedRoutes("fat-tree-small");
    const { fabric } = network;
    const down = Array.from({ length: fabric.links.count }, (_, link) => link).find(
      (link) => !linkIsActive(fabric, link),
    );
    const good = linkAt(fabric, "leaf-4", 1);
    assert(down !== undefined, "a host stays in Initialize");
    const sweep = sweepOf(fabric, [down, good]);
    expect(sweep.rounds.flat().map(({ linkIndex }) => linkIndex)).toEqual([good]);
    expect(sweep.refused).toMatchObject([{ link: linkId(fabric, down) }]);
    expect(sweep.refused[0]?.reason).toContain("no data yet");
  });

  it("of nothing has no rounds", () => {
    const { network } = simulatedRoutes("fat-tree-small");
    expect(sweepOf(network.fabric, [])).toMatchObject({ rounds: [], lowerBound: 0, seconds: 0 });
  });
});

describe("choosing the links of a sweep", () => {
  const { network } = simulatedRoutes("fat-tree");
  const { fabric } = network;
  const leaf = nodeNamed(fabric, "leaf-03");

  it("takes what a node has", () => {
    const of = (kind: "host-links-of" | "links-of") => selectLinks(fabric, analysisOf(fabric), { kind, node: leaf });
    expect(of("host-links-of")).toHaveLength(8);
    expect(of("links-of")).toHaveLength(16);
  });

  it("takes links with findings, and those that could be faster", () => {
    const sick = linkAt(fabric, "leaf-03", 9);
    const bad = analysisOf(fabric, { links: new Map([[sick, "error"]]) });
    const links = selectLinks(fabric, bad, { kind: "degraded" });
    expect(links).toContain(sick);
    // The fabric has one narrow and one slow link of its own.
    expect(links.length).toBeGreaterThanOrEqual(3);
    expect(links.length).toBeLessThan(10);
  });

  it("finds a node by GUID or by a name that only one has", () => {
    expect(findNode(fabric, nodeGuid(fabric, leaf))).toBe(leaf);
    expect(findNode(fabric, "leaf-03")).toBe(leaf);
    expect(findNode(fabric, "leaf-99")).toBeUndefined();
  });
});
