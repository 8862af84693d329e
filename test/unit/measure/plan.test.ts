import { describe, expect, it } from "vitest";
import { buildFatTree, buildThreeLevelFatTree } from "../../../electron/run/simulated/fat-tree.ts";
import { setLink, type SimulatedNode, SimulatedTopology, takeDown } from "../../../electron/run/simulated/model.ts";
import type { Health } from "../../../shared/analyse/results.ts";
import { assert } from "../../../shared/base/assert.ts";
import type { AppError } from "../../../shared/errors/kinds.ts";
import { nodeName } from "../../../shared/fabric/access.ts";
import { speedCode } from "../../../shared/fabric/rates.ts";
import type { Fabric } from "../../../shared/fabric/model.ts";
import type { HealthColumns } from "../../../shared/measure/endpoints.ts";
import { planMeasurement, type PlanInput } from "../../../shared/measure/plan.ts";
import { defaultMeasureOptions, type MeasurePlan } from "../../../shared/measure/types.ts";
import { analysisOf, collected, linkAt, nodeNamed, printed } from "./fabrics.ts";

function planOf(fabric: Fabric, link: number, more: Partial<PlanInput> & { analysis?: HealthColumns } = {}) {
  const { analysis = analysisOf(fabric), ...input } = more;
  return planMeasurement(fabric, analysis, {
    link,
    fabricId: "fabric-1",
    planId: "plan-1",
    options: defaultMeasureOptions,
    simulated: true,
    ...input,
  });
}

function planned(
  fabric: Fabric,
  link: number,
  more: Partial<PlanInput> & { analysis?: HealthColumns } = {},
): MeasurePlan {
  const plan = planOf(fabric, link, more);
  assert(plan.ok, JSON.stringify(plan));
  return plan.value;
}

function refused(fabric: Fabric, link: number, more: Partial<PlanInput> = {}): AppError & { kind: "no-path" } {
  const plan = planOf(fabric, link, more);
  assert(!plan.ok && plan.error.kind === "no-path", JSON.stringify(plan));
  return plan.error;
}

/** `n001 1>1 leaf-1 3>1 spine-1 …` */
function pathText(plan: MeasurePlan): string {
  const [first] = plan.path;
  return plan.path.reduce(
    (text, hop) => `${text} ${String(hop.fromPort)}>${String(hop.toPort)} ${hop.toName}`,
    first?.fromName ?? "",
  );
}

/** Two spines, four leaves of two hosts, a management host (SM) on the first and on the last leaf. */
function smallTree(change?: (tree: ReturnType<typeof buildFatTree>) => void): Fabric {
  const tree = buildFatTree({ spines: 2, leaves: 4, hosts: 8, hostsPerLeaf: 2, sharp: true, guidOffset: 0 });
  change?.(tree);
  const [origin] = tree.managementHosts;
  assert(origin !== undefined, "a tree has a management host");
  return printed(tree.topology, origin);
}

function healthOf(fabric: Fabric, node: string, health: Health): HealthColumns {
  return analysisOf(fabric, { nodes: new Map([[nodeNamed(fabric, node), health]]) });
}

describe("planning a host's cable", () => {
  it("takes a partner on the same leaf, so that only two cables are on the way", () => {
    const fabric = smallTree();
    const plan = planned(fabric, linkAt(fabric, "leaf-2", 1));
    expect(pathText(plan)).toBe("n003 1>1 leaf-2 2>1 n004");
    expect(plan).toMatchObject({
      basis: "host-link",
      hops: 1,
      slowestGbps: 200,
      linkName: "leaf-2:1 to n003:1",
      client: { host: "n003", port: 1, deviceHint: "mlx5_0" },
      server: { host: "n004" },
    });
    expect(plan.will).toContain("Both hosts are on leaf-2");
  });

  it("rather crosses the fabric than loads the host of a subnet manager", () => {
    const fabric = smallTree(({ leaves, topology }) => {
      // n002 goes dark: beside n001 only mgmt-01 is left on the first leaf.
      const [leaf] = leaves;
      assert(leaf !== undefined, "a tree has leaves");
      takeDown(topology.port(leaf, 2));
    });
    const plan = planned(fabric, linkAt(fabric, "leaf-1", 1));
    expect(plan.client.host).toBe("n001");
    expect(plan.server.host).toBe("n003");
    expect(plan.hops).toBe(3);
    expect(plan.will).toContain("leaf-1 and leaf-2 is the shortest path, not proven");
  });

  it("takes the host of a subnet manager when there is no other", () => {
    const topology = new SimulatedTopology();
    const leaf = topology.addSwitch("leaf-1");
    const [host, manager] = [topology.addAdapter("n001 mlx5_0"), topology.addAdapter("mgmt-01 mlx5_0")];
    topology.connect(leaf, 1, host, 1);
    topology.connect(leaf, 2, manager, 1);
    topology.managers.push({ port: topology.port(manager, 1), priority: 1, state: 3, activity: 1 });
    const fabric = collected(topology, manager);
    expect(planned(fabric, linkAt(fabric, "leaf-1", 1)).server.host).toBe("mgmt-01");
  });

  it("passes over partners that would cap or colour the result", () => {
    const fabric = smallTree(({ leaves, topology }) => {
      const [, leaf] = leaves;
      assert(leaf !== undefined, "a tree has leaves");
      setLink(topology.port(leaf, 2), { speed: speedCode("EDR") });
    });
    // n004 beside it has only EDR.
    expect(planned(fabric, linkAt(fabric, "leaf-2", 1)).server.host).not.toBe("n004");
    const sick = smallTree();
    const link = linkAt(sick, "leaf-2", 1);
    expect(planned(sick, link, { analysis: healthOf(sick, "n004", "error") }).server.host).not.toBe("n004");
    // A mere warning does not send the data over the fabric.
    expect(planned(sick, link, { analysis: healthOf(sick, "n004", "warning") }).server.host).toBe("n004");
  });

  it("names the slowest cable when the measured one is not it", () => {
    const fabric = smallTree(({ leaves, topology }) => {
      for (const leaf of leaves) for (const port of [1, 2]) setLink(topology.port(leaf, port), { lanes: 2 });
      const [, leaf] = leaves;
      assert(leaf !== undefined, "a tree has leaves");
      setLink(topology.port(leaf, 1), { lanes: 4 });
    });
    const plan = planned(fabric, linkAt(fabric, "leaf-2", 1));
    expect(plan).toMatchObject({ slowestGbps: 100, slowestHop: 1, server: { host: "n004" } });
  });

  it("keeps to the user's partner, in either role", () => {
    const fabric = smallTree();
    const link = linkAt(fabric, "leaf-2", 1);
    expect(pathText(planned(fabric, link, { server: "n001" }))).toMatch(/^n003 .* leaf-1 1>1 n001$/);
    expect(pathText(planned(fabric, link, { client: "n001" }))).toMatch(/^n001 .* leaf-2 1>1 n003$/);
    expect(planned(fabric, link, { server: "n003" })).toMatchObject({ client: { host: "n004" } });
    expect(planned(fabric, link, { client: "n003", server: "n005" })).toMatchObject({ server: { host: "n005" } });
    expect(planned(fabric, link, { client: "n005", server: "n003" })).toMatchObject({ client: { host: "n005" } });
  });

  it("says why a chosen partner will not do", () => {
    const fabric = smallTree();
    const link = linkAt(fabric, "leaf-2", 1);
    expect(refused(fabric, link, { client: "n001", server: "n002" }).reason).toContain("Neither n001 nor n002 is n003");
    expect(refused(fabric, link, { server: "n999" }).reason).toContain("no such host");
    expect(refused(fabric, link, { server: "n999" }).help).toContain("n004");
    expect(refused(fabric, link, { client: "n003", server: "n003" }).reason).toContain("client and server at once");
  });

  it("never pairs a host with itself, nor with another that has the same name", () => {
    const topology = new SimulatedTopology();
    const leaf = topology.addSwitch("leaf-1");
    const rails = [topology.addAdapter("n001 mlx5_0"), topology.addAdapter("n001 mlx5_1")];
    rails.forEach((adapter, index) => topology.connect(leaf, index + 1, adapter, 1));
    const [origin] = rails;
    assert(origin !== undefined, "two adapters");
    const fabric = collected(topology, origin);
    const { reason, help } = refused(fabric, linkAt(fabric, "leaf-1", 1));
    expect(reason).toBe(
      "There is no second host that n001 can reach: a test needs a partner with an Active port and a LID.",
    );
    expect(help).toContain("Bring another host");
  });

  it("lists at most 50 other partners, the nearest first", () => {
    const tree = buildFatTree({ spines: 2, leaves: 10, hosts: 80, hostsPerLeaf: 8, sharp: false, guidOffset: 0 });
    const [origin] = tree.managementHosts;
    assert(origin !== undefined, "a tree has a management host");
    const fabric = printed(tree.topology, origin);
    const plan = planned(fabric, linkAt(fabric, "leaf-02", 1));
    expect(plan.otherServers).toHaveLength(50);
    expect(plan.otherServers.slice(0, 6)).toEqual(["n011", "n012", "n013", "n014", "n015", "n016"]);
    expect(plan.otherServers).not.toContain(plan.client.host);
    expect(plan.otherServers).not.toContain(plan.server.host);
  });

  it("measures two adapters that are cabled to each other", () => {
    const topology = new SimulatedTopology();
    const [first, second] = [topology.addAdapter("n001 mlx5_0"), topology.addAdapter("n002 mlx5_0")];
    topology.connect(first, 1, second, 1);
    const fabric = collected(topology, first);
    const plan = planned(fabric, 0);
    expect(plan).toMatchObject({ basis: "host-link", hops: 0, slowestGbps: 200 });
    expect(plan.path).toHaveLength(1);
    expect(planned(fabric, 0, { client: plan.server.host }).client.host).toBe(plan.server.host);
    expect(refused(fabric, 0, { server: "n009" }).reason).toContain("n009 is not at an end");
  });
});

describe("planning a cable between switches", () => {
  it("finds the pair with the shortest path over it and says that it is not proven", () => {
    const fabric = smallTree();
    const link = linkAt(fabric, "leaf-2", 3);
    const plan = planned(fabric, link);
    expect(pathText(plan)).toBe("n003 1>1 leaf-2 3>2 spine-1 1>3 leaf-1 1>1 n001");
    expect(plan).toMatchObject({ basis: "shortest-path", hops: 3, linkIndex: link });
    expect(plan.cannot).toBe(
      "By shortest path, not proven: there are 2 equally short ways between n003 and n001 (other switches, parallel cables), and 1 of them crosses leaf-2:3 to spine-1:2. The subnet manager may have chosen another.",
    );
    expect(plan.otherClients).toEqual(["n004"]);
    expect(plan.otherServers).toEqual(["n002", "n005", "n006", "n007", "n008", "mgmt-01", "mgmt-02"]);
  });

  it("counts parallel cables as ways of their own", () => {
    const topology = new SimulatedTopology();
    const [left, right] = [topology.addSwitch("leaf-1"), topology.addSwitch("leaf-2")];
    const hosts = [topology.addAdapter("n001 mlx5_0"), topology.addAdapter("n002 mlx5_0")];
    for (const port of [10, 11, 12]) topology.connect(left, port, right, port);
    hosts.forEach((host, index) => topology.connect(index === 0 ? left : right, 1, host, 1));
    const [origin] = hosts;
    assert(origin !== undefined, "two hosts");
    const fabric = collected(topology, origin);
    const plan = planned(fabric, linkAt(fabric, "leaf-1", 11));
    expect(pathText(plan)).toBe("n001 1>1 leaf-1 11>11 leaf-2 1>1 n002");
    expect(plan.cannot).toContain("3 equally short ways");
  });

  it("says so when the way over it is the only shortest one", () => {
    const topology = new SimulatedTopology();
    const [left, right] = [topology.addSwitch("leaf-1"), topology.addSwitch("leaf-2")];
    const [a, b] = [topology.addAdapter("n001 mlx5_0"), topology.addAdapter("n002 mlx5_0")];
    topology.connect(left, 10, right, 10);
    topology.connect(left, 1, a, 1);
    topology.connect(right, 1, b, 1);
    const fabric = collected(topology, a);
    expect(planned(fabric, linkAt(fabric, "leaf-1", 10)).cannot).toContain("the only shortest way between");
  });

  it("crosses a core of three levels by six cables", () => {
    const tree = buildThreeLevelFatTree(60);
    const [origin] = tree.managementHosts;
    assert(origin !== undefined, "a tree has a management host");
    const fabric = printed(tree.topology, origin);
    const core = tree.spines.find(({ description }) => description.includes("core"));
    assert(core !== undefined, "a tree of three levels has cores");
    const plan = planned(fabric, linkAt(fabric, core.description.split(/[;:]/)[1] ?? "", 1));
    expect(plan.path).toHaveLength(6);
    expect(plan.path[2]?.linkIndex === plan.linkIndex || plan.path[3]?.linkIndex === plan.linkIndex).toBe(true);
  });

  it("does not route through an adapter with two ports", () => {
    const topology = new SimulatedTopology();
    const [left, right] = [topology.addSwitch("leaf-1"), topology.addSwitch("leaf-2")];
    const bridge = topology.addAdapter("n001 mlx5_0", 2);
    const [a, b] = [topology.addAdapter("n002 mlx5_0"), topology.addAdapter("n003 mlx5_0")];
    const far = topology.addSwitch("far");
    topology.connect(left, 1, bridge, 1);
    topology.connect(right, 1, bridge, 2);
    topology.connect(left, 2, a, 1);
    topology.connect(right, 2, b, 1);
    topology.connect(left, 10, far, 1);
    topology.connect(far, 2, right, 10);
    const fabric = collected(topology, bridge);
    // n002 to n003 is five cables over `far`, not two over the adapter's ports.
    expect(planned(fabric, linkAt(fabric, "leaf-1", 10), { client: "n002", server: "n003" }).hops).toBe(3);
  });

  it("keeps to the user's hosts, from either side", () => {
    const fabric = smallTree();
    const link = linkAt(fabric, "leaf-2", 3);
    expect(pathText(planned(fabric, link, { client: "n004", server: "n008" }))).toBe(
      "n004 1>2 leaf-2 3>2 spine-1 4>3 leaf-4 2>1 n008",
    );
    expect(pathText(planned(fabric, link, { client: "n008" }))).toMatch(/^n008 .* spine-1 2>3 leaf-2 \d>1 n00[34]$/);
    expect(planned(fabric, link, { server: "mgmt-01" }).server.host).toBe("mgmt-01");
  });

  it("says which way the chosen hosts take instead", () => {
    const fabric = smallTree();
    const link = linkAt(fabric, "leaf-2", 3);
    const other = refused(fabric, link, { client: "n001", server: "n007" });
    expect(other.reason).toBe(
      "Nothing between n001 and n007 crosses leaf-2:3 to spine-1:2: their shortest path has 4 cables and goes another way.",
    );
    expect(other.help).toBe("Choose for instance n003 and n001.");
    expect(refused(fabric, link, { client: "nobody" }).reason).toContain("nobody cannot take part");
    expect(refused(fabric, link, { client: "n003", server: "n003" }).reason).toContain("client and server at once");
    expect(refused(fabric, link, { client: "n003", server: "n004" }).reason).toContain("has 2 cables");
  });

  it("says when every pair has a shorter way", () => {
    const topology = new SimulatedTopology();
    const leaf = topology.addSwitch("leaf-1");
    const spines = [topology.addSwitch("spine-1"), topology.addSwitch("spine-2")];
    const hosts = [1, 2].map((index) => topology.addAdapter(`n00${String(index)} mlx5_0`));
    hosts.forEach((host, index) => topology.connect(leaf, index + 1, host, 1));
    spines.forEach((spine, index) => topology.connect(leaf, index + 10, spine, 1));
    const [one, two] = spines;
    const [origin] = hosts;
    assert(one !== undefined && two !== undefined && origin !== undefined, "made above");
    topology.connect(one, 20, two, 20);
    const fabric = collected(topology, origin);
    expect(refused(fabric, linkAt(fabric, "spine-1", 20)).reason).toContain("a shorter way that avoids");
  });
});

describe("refusing what nothing can measure", () => {
  it.each([
    ["Down", { state: "Down", physical: "LinkUp" }, /The link is down, nothing can cross it: .* is Down/, "reseat"],
    ["Initialize", { state: "Initialize" }, /up but carries no data yet: .* is Initialize/, "no subnet manager"],
    ["Armed", { state: "Armed" }, /up but carries no data yet: .* is Armed/, "has not finished"],
  ] as const)("names the state of both ends of a link that is %s", (_, change, reason, help) => {
    const fabric = smallTree(({ leaves, topology }) => {
      const [, leaf] = leaves;
      assert(leaf !== undefined, "a tree has leaves");
      setLink(topology.port(leaf, 3), change);
    });
    const refusal = refused(fabric, linkAt(fabric, "leaf-2", 3));
    expect(refusal.reason).toMatch(reason);
    expect(refusal.help).toContain(help);
  });

  it("knows that aggregation nodes run no programs", () => {
    const fabric = smallTree();
    expect(refused(fabric, linkAt(fabric, "spine-1", 41)).reason).toContain("aggregation node (SHARP)");
  });

  it("tells what is on the side where no host is", () => {
    const topology = new SimulatedTopology();
    const [leaf, spine] = [topology.addSwitch("leaf-1"), topology.addSwitch("spine-1", "MQM8700", true)];
    const hosts = [1, 2].map((index) => topology.addAdapter(`n00${String(index)} mlx5_0`));
    hosts.forEach((host, index) => topology.connect(leaf, index + 1, host, 1));
    topology.connect(leaf, 10, spine, 1);
    const bare = topology.addSwitch("spine-2");
    topology.connect(leaf, 11, bare, 1);
    const dark = topology.addSwitch("spine-3");
    topology.connect(leaf, 12, dark, 1);
    const idle = topology.addAdapter("n003 mlx5_0");
    topology.connect(dark, 2, idle, 1);
    setLink(topology.port(dark, 2), { state: "Initialize" });
    const [origin] = hosts;
    assert(origin !== undefined, "two hosts");
    const fabric = collected(topology, origin);
    expect(refused(fabric, linkAt(fabric, "leaf-1", 10)).reason).toContain(
      "At spine-1 there are only aggregation nodes",
    );
    expect(refused(fabric, linkAt(fabric, "leaf-1", 11)).reason).toContain("At spine-2 there is no host");
    expect(refused(fabric, linkAt(fabric, "leaf-1", 12)).reason).toBe(
      "At spine-3 no host can take part: 1 adapter port not Active.",
    );
    expect(refused(fabric, linkAt(fabric, "spine-3", 2)).reason).toContain("Initialize");
  });

  it("knows that a loop on one switch carries nothing", () => {
    const fabric = withLoop();
    expect(refused(fabric, linkAt(fabric, "leaf-1", 20)).reason).toContain("Both ends of the cable are on leaf-1");
  });

  it("refuses a link that the fabric has not", () => {
    const fabric = smallTree();
    for (const link of [-1, fabric.links.count, 0.5]) {
      expect(planOf(fabric, link)).toEqual({
        ok: false,
        error: { kind: "unknown-id", what: "link", id: String(link) },
      });
    }
  });

  it("has a reason and a remedy for every link, or a path that crosses it", () => {
    const fabric = smallTree(({ leaves, topology }) => {
      const [, leaf] = leaves;
      assert(leaf !== undefined, "a tree has leaves");
      setLink(topology.port(leaf, 3), { state: "Armed" });
    });
    for (let link = 0; link < fabric.links.count; link += 1) {
      const plan = planOf(fabric, link);
      if (!plan.ok) {
        assert(plan.error.kind === "no-path", plan.error.kind);
        expect(plan.error.reason).not.toBe("");
        expect(plan.error.help).not.toBe("");
        continue;
      }
      const { path, client, server } = plan.value;
      expect(path.map((hop) => hop.linkIndex)).toContain(link);
      expect(path[0]?.fromNode).toBe(client.node);
      expect(path.at(-1)?.toNode).toBe(server.node);
      path.slice(1).forEach((hop, index) => expect(hop.fromNode).toBe(path[index]?.toNode));
      expect(client.host).not.toBe(server.host);
      for (const { node, host } of [client, server]) expect(nodeName(fabric, node)).toContain(host);
    }
  });
});

function withLoop(): Fabric {
  const topology = new SimulatedTopology();
  const leaf = topology.addSwitch("leaf-1");
  const hosts: SimulatedNode[] = [1, 2].map((index) => topology.addAdapter(`n00${String(index)} mlx5_0`));
  hosts.forEach((host, index) => topology.connect(leaf, index + 1, host, 1));
  topology.connect(leaf, 20, leaf, 21);
  const [origin] = hosts;
  assert(origin !== undefined, "two hosts");
  return collected(topology, origin);
}

describe("what a plan shows before it runs", () => {
  it("has the command lines of both sides with placeholders for what the run finds", () => {
    const fabric = smallTree();
    const { steps, seconds } = planned(fabric, linkAt(fabric, "leaf-2", 1));
    expect(steps.map(({ title }) => title)).toEqual(["Bandwidth n003 to n004", "Latency n003 to n004"]);
    expect(steps.flatMap(({ commands }) => commands.map(({ role, argv }) => `${role}: ${argv.join(" ")}`))).toEqual([
      "server: timeout -k 5 35 ib_write_bw -d mlx5_0 -i 1 -p TCP_PORT -q 4 -s 65536 -D 10 --report_gbits -F",
      "client: timeout -k 5 35 ib_write_bw -d mlx5_0 -i 1 -p TCP_PORT -q 4 -s 65536 -D 10 --report_gbits -F n004",
      "server: timeout -k 5 75 ib_send_lat -d mlx5_0 -i 1 -p TCP_PORT -n 5000 -F",
      "client: timeout -k 5 75 ib_send_lat -d mlx5_0 -i 1 -p TCP_PORT -n 5000 -F n004",
    ]);
    expect(seconds).toBe(3 + steps.reduce((sum, step) => sum + step.seconds, 0));
  });
});
