import { describe, expect, it } from "vitest";
import { type LimitChanges, limitProblems, thresholdsOf } from "../../../shared/analyse/limits.ts";
import { analyseRoutes } from "../../../shared/analyse/routes/analyse-routes.ts";
import type { Finding } from "../../../shared/analyse/results.ts";
import { switchGraph } from "../../../shared/analyse/switch-graph.ts";
import { topologyOf } from "../../../shared/analyse/topology.ts";
import { clockwiseRing, hostLid, routed, type RoutedShape, switchLid } from "../../support/routed-fabric.ts";

/** Two leaves (0, 1), four spines (2 to 5), eight hosts on each leaf; `by`: the spine of a LID. */
function tree(by: (lid: number) => number): RoutedShape {
  return {
    switches: 6,
    cables: [0, 1].flatMap((leaf) => [2, 3, 4, 5].map((spine) => [leaf, 20 + spine, spine, leaf + 1] as const)),
    hosts: Array.from({ length: 16 }, (_, host) => [Math.floor(host / 8), (host % 8) + 1] as const),
    route(atSwitch, lid) {
      if (lid === switchLid(atSwitch)) return 0;
      if (lid <= 6) {
        if (atSwitch >= 2) return lid <= 2 ? lid : 1;
        return lid <= 2 ? 22 : 19 + lid;
      }
      const host = lid - 7;
      const leaf = Math.floor(host / 8);
      if (atSwitch >= 2) return leaf + 1;
      return atSwitch === leaf ? (host % 8) + 1 : 20 + by(lid);
    },
  };
}

const balanced = tree((lid) => 2 + (lid % 4));

/** The shape with other tables in some places. */
function but(shape: RoutedShape, change: (atSwitch: number, lid: number) => number | undefined | "same"): RoutedShape {
  return {
    ...shape,
    route(atSwitch, lid) {
      const changed = change(atSwitch, lid);
      return changed === "same" ? shape.route(atSwitch, lid) : changed;
    },
  };
}

function findingsOf(shape: RoutedShape, limits: LimitChanges = {}): readonly Finding[] {
  const { fabric, network } = routed(shape);
  return analyseRoutes(network, topologyOf(fabric, switchGraph(fabric)), thresholdsOf(limits)).findings;
}

const rules = (findings: readonly Finding[]): readonly string[] => findings.map(({ rule }) => rule);

describe("findings on routes", () => {
  it("are none where tables are whole, balanced and without circles", () => {
    expect(findingsOf(balanced)).toEqual([]);
  });

  it("name the port that the tables send to and that has no cable, with the pairs that it costs", () => {
    const lid = hostLid(balanced, 15);
    const [only, ...others] = findingsOf(but(balanced, (at, to) => (at === 0 && to === lid ? 30 : "same")));
    expect(others).toEqual([]);
    expect(only).toMatchObject({ rule: "stale-route", severity: "error", subject: { kind: "node", name: "sw 0" } });
    expect(only?.message).toMatch(/sends 1 destination out of sw 0:30, which has no cable .*: 8 pairs .*\(LID 22\)/);
    expect(only?.evidence).toBe("8 ordered pairs, 1 destination lost at sw 0:30");
  });

  it("name the switch that drops, and who cannot talk", () => {
    const found = findingsOf(but(balanced, (at, to) => (at === 3 && to >= hostLid(balanced, 8) ? undefined : "same")));
    expect(rules(found)).toEqual(["unreachable-pairs"]);
    // Spine 3 carries every fourth LID: two of the eight hosts behind leaf 1, from eight hosts.
    expect(found[0]?.evidence).toBe("16 ordered pairs, 2 destinations lost at sw 3");
    expect(found[0]).toMatchObject({ subject: { kind: "node", name: "sw 3" } });
  });

  it("name a table that takes another's LID for its own, and one that sends to the wrong host", () => {
    const lid = hostLid(balanced, 0);
    const own = findingsOf(but(balanced, (at, to) => (at === 0 && to === lid ? 0 : "same")));
    expect(own[0]?.message).toMatch(/^sw 0 takes 1 LID of others for its own: 15 pairs/);
    const wrong = findingsOf(but(balanced, (at, to) => (at === 0 && to === lid ? 2 : "same")));
    expect(wrong[0]?.message).toMatch(/out of port 2, behind which is another node/);
    expect(wrong[0]).toMatchObject({ subject: { kind: "port", name: "sw 0:2" } });
  });

  it("name a forwarding loop by its ports and the cable to fly to", () => {
    const lid = hostLid(balanced, 15);
    const found = findingsOf(but(balanced, (at, to) => (to !== lid ? "same" : at === 0 ? 22 : at === 2 ? 1 : "same")));
    expect(rules(found)).toEqual(["forwarding-loop"]);
    expect(found[0]?.message).toMatch(/LID 22 go round .*: sw 0:22, sw 2:1, and back/);
    expect(found[0]).toMatchObject({ severity: "error", subject: { kind: "link" } });
  });

  it("name a credit loop as possible, with a cable of it", () => {
    const found = findingsOf(clockwiseRing(5));
    expect(rules(found)).toEqual(["credit-loop"]);
    expect(found[0]).toMatchObject({ severity: "warning", subject: { kind: "link" } });
    expect(found[0]?.evidence).toMatch(/5 ports .* one virtual lane assumed/);
  });

  it("name the cable with many times its siblings' destinations", () => {
    // Six of the eight LIDs behind a leaf by spine 2, the other two by 3 and 4, none by 5.
    const found = findingsOf(tree((lid) => (lid % 8 < 6 ? 2 : lid % 8 === 6 ? 3 : 4)));
    expect(rules(found)).toEqual(["unbalanced-routes", "unbalanced-routes"]);
    expect(found[0]?.message).toMatch(/^6 destinations .* its 3 siblings \(uplinks of sw 0\) carry 1 each, 6.0 times/);
  });

  it("judge balance by the limits that the user set", () => {
    const shape = tree((lid) => (lid % 8 < 6 ? 2 : lid % 8 === 6 ? 3 : 4));
    for (const limits of [
      { "route-imbalance": { warn: 6 } },
      { "route-excess": { warn: 6 } },
      { "route-siblings": { warn: 5 } },
    ]) {
      expect(limitProblems(limits)).toEqual([]);
      expect(findingsOf(shape, limits).filter(({ severity }) => severity === "warning")).toEqual([]);
    }
    expect(limitProblems({ "route-siblings": { warn: 2.5 } })).toEqual(["route-siblings: warn is a whole number."]);
    expect(findingsOf(shape, { "route-imbalance": { warn: 5 } })).toHaveLength(2);
  });

  it("say that nothing uses a cable only when its siblings carry enough to tell", () => {
    const wide: RoutedShape = {
      ...balanced,
      hosts: Array.from({ length: 36 }, (_, host) => [Math.floor(host / 18), (host % 18) + 1] as const),
      route(atSwitch, lid) {
        if (lid <= 6) return balanced.route(atSwitch, lid);
        const host = lid - 7;
        const leaf = Math.floor(host / 18);
        if (atSwitch >= 2) return leaf + 1;
        return atSwitch === leaf ? (host % 18) + 1 : 22 + (lid % 3);
      },
    };
    const found = findingsOf(wide);
    expect(found.map(({ severity, title }) => `${severity}: ${title}`)).toEqual([
      "note: No route uses this cable",
      "note: No route uses this cable",
    ]);
    expect(found[0]).toMatchObject({ subject: { kind: "link", name: expect.stringContaining(":25") as string } });
  });
});
