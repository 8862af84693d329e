import { describe, expect, it } from "vitest";
import type { RouteNetwork } from "../../../shared/analyse/routes/network.ts";
import { routePath } from "../../../shared/analyse/routes/path.ts";
import { assert } from "../../../shared/base/assert.ts";
import { at, linkId, linkIsActive, linkKind, portName } from "../../../shared/fabric/access.ts";
import { planMeasurement, type PlanInput } from "../../../shared/measure/plan.ts";
import { defaultMeasureOptions } from "../../../shared/measure/types.ts";
import { clockwiseRing, hostLid, routed, type RoutedShape, switchLid } from "../../support/routed-fabric.ts";
import { analysisOf, linkAt } from "./fabrics.ts";
import { simulatedRoutes } from "./simulated-routes.ts";

function planOf(network: RouteNetwork, link: number, more: Partial<PlanInput> = {}) {
  return planMeasurement(network.fabric, analysisOf(network.fabric), {
    link,
    fabricId: "fabric",
    planId: "plan",
    options: defaultMeasureOptions,
    simulated: true,
    routes: network,
    ...more,
  });
}

function refusal(network: RouteNetwork, link: number, more: Partial<PlanInput> = {}) {
  const plan = planOf(network, link, more);
  assert(!plan.ok && plan.error.kind === "no-path", JSON.stringify(plan));
  return plan.error;
}

describe("the simulated dump_fts", () => {
  it("tells of every pair the way that ibtracert shows and perftest takes", () => {
    const { simulated, network } = simulatedRoutes("fat-tree-small");
    const { fabric, endpoints } = network;
    let compared = 0;
    for (const from of endpoints) {
      for (const to of endpoints) {
        const [source, target] = [from, to].map((port) => simulated.atLid(at(fabric.ports.lid, port))?.port);
        if (from === to || source === undefined || target === undefined) continue;
        const node = at(fabric.ports.node, from);
        const { hops, end } = routePath(network, { node, port: from }, target.lid);
        const real = simulated.routes.path(source, target);
        assert(real !== undefined && end.kind === "arrived", `${portName(fabric, from)} to ${portName(fabric, to)}`);
        expect(hops.map(({ out }) => at(fabric.ports.number, out))).toEqual(real.map(({ number }) => number));
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(50);
  });
});

describe("planning by forwarding tables", () => {
  it("finds for every cable between switches a pair whose data really crosses it, or there is none", () => {
    const { simulated, network } = simulatedRoutes("fat-tree");
    const { fabric } = network;
    let planned = 0;
    let refused = 0;
    for (let link = 0; link < fabric.links.count; link += 1) {
      if (linkKind(fabric, link) !== "inter-switch" || !linkIsActive(fabric, link)) continue;
      const plan = planOf(network, link);
      if (!plan.ok) {
        refused += 1;
        continue;
      }
      planned += 1;
      const [client, server] = [plan.value.client, plan.value.server].map(({ lid }) => simulated.atLid(lid)?.port);
      assert(client !== undefined && server !== undefined, "both ends are in the fabric");
      const real = (simulated.routes.path(client, server) ?? []).map(
        (port) => `0x${port.node.guid}:${String(port.number)}`,
      );
      expect(plan.value.basis).toBe("routes");
      expect(plan.value.path.map(({ fromGuid, fromPort }) => `${fromGuid ?? ""}:${String(fromPort)}`)).toEqual(real);
      expect(plan.value.path.map((hop) => hop.link)).toContain(linkId(fabric, link));
    }
    expect(planned).toBeGreaterThan(120);
    expect(refused).toBeLessThan(3);
  });

  it("takes the pair with the fewest other cables, and either way across unless one is asked for", () => {
    // A line of three switches: a host at each end, two at the middle.
    const line: RoutedShape = {
      switches: 3,
      cables: [
        [0, 2, 1, 2],
        [1, 3, 2, 2],
      ],
      hosts: [
        [0, 1],
        [1, 1],
        [2, 1],
      ],
      route(atSwitch, lid) {
        if (lid <= 3) return lid === switchLid(atSwitch) ? 0 : lid > switchLid(atSwitch) ? (atSwitch === 0 ? 2 : 3) : 2;
        const home = [0, 1, 2].find((host) => hostLid(this, host) === lid) ?? 0;
        if (home === atSwitch) return 1;
        return home > atSwitch ? (atSwitch === 0 ? 2 : 3) : 2;
      },
    };
    const { network, fabric } = routed(line);
    const link = linkAt(fabric, "sw 0", 2);
    const plan = planOf(network, link);
    assert(plan.ok, JSON.stringify(plan));
    expect(plan.value.path).toHaveLength(3);
    expect([plan.value.client.host, plan.value.server.host].sort()).toEqual(["h0", "h1"]);
    const back = planOf(network, link, { direction: "b-to-a" });
    const forth = planOf(network, link, { direction: "a-to-b" });
    assert(back.ok && forth.ok, "both ways are routed");
    expect(back.value.client.host).toBe(forth.value.server.host);
  });

  it("goes the way that the tables allow where the shortest path is another", () => {
    const { network, fabric } = routed(clockwiseRing(5));
    // By shortest path h1 would reach h0 over the cable in question; the tables send all clockwise from h0 on.
    const plan = planOf(network, linkAt(fabric, "sw 0", 2));
    assert(plan.ok, JSON.stringify(plan));
    expect(plan.value).toMatchObject({ basis: "routes", client: { host: "h0" }, server: { host: "h1" } });
    expect(refusal(network, linkAt(fabric, "sw 0", 2), { client: "h1", server: "h0" }).reason).toMatch(
      /Nothing from h1 to h0 crosses .*the data goes over/,
    );
  });

  it("says which ports carry the data when no route crosses the cable", () => {
    // Two parallel cables of which the tables use the first only.
    const shape: RoutedShape = {
      switches: 2,
      cables: [
        [0, 2, 1, 2],
        [0, 3, 1, 3],
      ],
      hosts: [
        [0, 1],
        [1, 1],
      ],
      route(atSwitch, lid) {
        if (lid <= 2) return lid === switchLid(atSwitch) ? 0 : 2;
        return lid === hostLid(this, atSwitch) ? 1 : 2;
      },
    };
    const { network, fabric } = routed(shape);
    const { reason, help } = refusal(network, linkAt(fabric, "sw 0", 3));
    expect(reason).toContain("No route crosses sw 0:3 to sw 1:3");
    expect(reason).toContain("sw 0 sends to other leaves by port 2 (1 adapter port); by port 3 to none");
    expect(help).toContain("route anew");
  });

  it("says so when only further LIDs of a port are routed over the cable, to which perftest does not send", () => {
    const shape: RoutedShape = {
      switches: 2,
      lmc: 1,
      cables: [
        [0, 2, 1, 2],
        [0, 3, 1, 3],
      ],
      hosts: [
        [0, 1],
        [1, 1],
      ],
      route(atSwitch, lid) {
        if (lid <= 2) return lid === switchLid(atSwitch) ? 0 : 2;
        const home = lid - hostLid(this, 0) < 2 ? 0 : 1;
        if (home === atSwitch) return 1;
        return lid % 2 === 0 ? 2 : 3;
      },
    };
    const { network, fabric } = routed(shape);
    expect(planOf(network, linkAt(fabric, "sw 0", 2)).ok).toBe(true);
    expect(refusal(network, linkAt(fabric, "sw 0", 3)).reason).toMatch(
      /Only routes to further LIDs \(LMC\) cross .* 2 pairs/,
    );
  });

  it("shows a host's own way as the tables have it", () => {
    const { network, fabric } = routed(clockwiseRing(5));
    const plan = planOf(network, linkAt(fabric, "sw 0", 1), { server: "h4" });
    assert(plan.ok, JSON.stringify(plan));
    // One cable back by shortest path; clockwise it takes all the others.
    expect(plan.value).toMatchObject({ basis: "host-link", hops: 5 });
    expect(plan.value.will).toContain("that of the forwarding tables");
  });
});
