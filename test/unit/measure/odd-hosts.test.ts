/** Fabrics and hosts that are not as the textbook has them, from the plan to the record. */
import { describe, expect, it } from "vitest";
import { PathCounters } from "../../../electron/measure/evidence.ts";
import { type SimulatedNode, SimulatedTopology, setLink } from "../../../electron/run/simulated/model.ts";
import { assert } from "../../../shared/base/assert.ts";
import { linkKind } from "../../../shared/fabric/access.ts";
import type { Fabric } from "../../../shared/fabric/model.ts";
import { speedCode } from "../../../shared/fabric/rates.ts";
import { planMeasurement, type PlanInput } from "../../../shared/measure/plan.ts";
import { planSweep } from "../../../shared/measure/sweep.ts";
import { defaultMeasureOptions, type MeasurePlan } from "../../../shared/measure/types.ts";
import type { Reply } from "../../support/scripted-runner.ts";
import { hostLid, routed, type RoutedShape, switchLid } from "../../support/routed-fabric.ts";
import { ScriptedHost } from "../../support/scripted-runner.ts";
import { analysisOf, collected, linkAt } from "./fabrics.ts";
import { PairOfHosts, planFor, toolOf } from "./pair-of-hosts.ts";

function planned(fabric: Fabric, link: number, more: Partial<PlanInput> = {}): MeasurePlan {
  const plan = planMeasurement(fabric, analysisOf(fabric), {
    ...{ link, fabricId: "f", planId: "p", options: defaultMeasureOptions, simulated: false },
    ...more,
  });
  assert(plan.ok, JSON.stringify(plan));
  return plan.value;
}

/** Cables two ports at a rate. */
function cable(
  topology: SimulatedTopology,
  ...[a, portA, b, portB, speed]: [SimulatedNode, number, SimulatedNode, number, "NDR" | "HDR" | "EDR"]
): void {
  topology.connect(a, portA, b, portB);
  const port = a.ports.find((one) => one?.number === portA);
  assert(port !== undefined, "the port is cabled");
  setLink(port, { speed: speedCode(speed) });
}

const rails = ["NDR", "NDR", "NDR", "NDR", "HDR", "HDR", "EDR", "EDR"] as const;

/** Hosts of eight adapters: each rail has a leaf of its own, all leaves one spine. Three rates. */
function railed(hosts: readonly string[]): Fabric {
  const topology = new SimulatedTopology();
  const spine = topology.addSwitch("spine");
  let origin: SimulatedNode | undefined;
  for (const [rail, speed] of rails.entries()) {
    const leaf = topology.addSwitch(`leaf-${String(rail)}`);
    cable(topology, leaf, 40, spine, rail + 1, "NDR");
    for (const [index, name] of hosts.entries()) {
      const adapter = topology.addAdapter(`${name} mlx5_${String(rail)}`);
      cable(topology, leaf, index + 1, adapter, 1, speed);
      origin ??= adapter;
    }
  }
  assert(origin !== undefined, "there is a host");
  return collected(topology, origin);
}

const hostLinks = (fabric: Fabric): readonly number[] =>
  Array.from({ length: fabric.links.count }, (_, link) => link).filter((link) => linkKind(fabric, link) === "host");

describe("a host with eight adapters of different rate", () => {
  const fabric = railed(["n001", "n002", "n003"]);

  it("is measured by the adapter that hangs on the cable, against that cable's rate", () => {
    for (const [rail, speed] of rails.entries()) {
      const plan = planned(fabric, linkAt(fabric, `leaf-${String(rail)}`, 1));
      for (const side of [plan.client, plan.server]) expect(side.deviceHint).toBe(`mlx5_${String(rail)}`);
      expect(plan.slowestGbps).toBe({ NDR: 400, HDR: 200, EDR: 100 }[speed]);
    }
  });

  it("is no partner by an adapter that is slower than the cable, though it is as near", () => {
    // n001's adapter of rail 7 moves to the leaf of the fast ones.
    const topology = new SimulatedTopology();
    const leaf = topology.addSwitch("leaf");
    const speeds = { "n001 mlx5_0": "NDR", "n002 mlx5_7": "EDR", "n002 mlx5_0": "NDR" } as const;
    const adapters = Object.entries(speeds).map(([name, speed], index) => {
      const adapter = topology.addAdapter(name);
      cable(topology, leaf, index + 1, adapter, 1, speed);
      return adapter;
    });
    assert(adapters[0] !== undefined, "there is an adapter");
    const mixed = collected(topology, adapters[0]);
    const fast = planned(mixed, linkAt(mixed, "leaf", 1));
    expect([fast.client.deviceHint, fast.server.deviceHint, fast.slowestGbps]).toEqual(["mlx5_0", "mlx5_0", 400]);
    const slow = planned(mixed, linkAt(mixed, "leaf", 2));
    expect([slow.client, slow.server].map(({ deviceHint }) => deviceHint)).toContain("mlx5_7");
    expect(slow.slowestGbps).toBe(100);
  });

  it("takes part in one measurement of a round only, whichever its adapter", () => {
    const links = hostLinks(fabric);
    const sweep = planSweep(fabric, analysisOf(fabric), {
      ...{ links, fabricId: "f", options: defaultMeasureOptions, simulated: false },
    });
    expect(sweep.refused).toEqual([]);
    expect(sweep.rounds.flat()).toHaveLength(links.length);
    for (const round of sweep.rounds) {
      const hosts = round.flatMap(({ clientHost, serverHost }) => [clientHost, serverHost]);
      expect(new Set(hosts).size).toBe(hosts.length);
      for (const item of round) expect(item.plan().slowestGbps).toBe(planned(fabric, item.linkIndex).slowestGbps);
    }
  });
});

describe("machines that share a name", () => {
  it("never measure each other, and never in one round: who logs in reaches one of them", () => {
    const topology = new SimulatedTopology();
    const leaf = topology.addSwitch("leaf");
    const names = ["node HCA-1", "node HCA-1", "node HCA-1", "other HCA-1"];
    const adapters = names.map((name, index) => {
      const adapter = topology.addAdapter(name);
      topology.connect(leaf, index + 1, adapter, 1);
      return adapter;
    });
    assert(adapters[0] !== undefined, "there is an adapter");
    const fabric = collected(topology, adapters[0]);
    const links = hostLinks(fabric);
    expect(links).toHaveLength(4);
    for (const link of links) {
      const plan = planned(fabric, link);
      expect([plan.client.host, plan.server.host].sort()).toEqual(["node", "other"]);
    }
    const sweep = planSweep(fabric, analysisOf(fabric), {
      ...{ links, fabricId: "f", options: defaultMeasureOptions, simulated: false },
    });
    expect(sweep.rounds.every((round) => round.length === 1)).toBe(true);
  });

  it("are told apart before anything runs: the one that answers must have the adapter", async () => {
    const pair = new PairOfHosts({
      server: (argv, hosts) =>
        argv[0] === "ibv_devinfo"
          ? { stdout: "hca_id:\tmlx5_3\n\tnode_guid:\t\t\t0c42:a103:0000:7777\n\t\tport:\t1\n\t\t\tport_lid:\t\t99\n" }
          : argv[0] === "ibstat"
            ? { stdout: "" }
            : hosts.usual("n065", argv),
    });
    const result = await pair.run();
    expect(result).toMatchObject({ ok: false, error: { kind: "no-device", host: "n065" } });
    expect(pair.server.started.filter((line) => line.startsWith("timeout"))).toEqual([]);
  });
});

describe("a host with InfiniBand and RoCE", () => {
  const vpi = (guid: string): string =>
    [
      "hca_id:\tmlx5_0",
      "\tnode_guid:\t\t\t0c42:a103:00ff:0001",
      "\t\tport:\t1",
      "\t\t\tstate:\t\t\tPORT_ACTIVE (4)",
      "\t\t\tport_lid:\t\t0",
      "\t\t\tlink_layer:\t\tEthernet",
      "hca_id:\tmlx5_1",
      `\tnode_guid:\t\t\t${guid}`,
      "\t\tport:\t1",
      "\t\t\tstate:\t\t\tPORT_ACTIVE (4)",
      "\t\t\tport_lid:\t\t18",
      "\t\t\tlink_layer:\t\tInfiniBand",
      "\t\tport:\t2",
      "\t\t\tstate:\t\t\tPORT_ACTIVE (4)",
      "\t\t\tport_lid:\t\t0",
      "\t\t\tlink_layer:\t\tEthernet",
      "",
    ].join("\n");

  it("runs on the port of the cable, not on the Ethernet port of the same card or the first device", async () => {
    const pair = new PairOfHosts({
      client: (argv) => (argv[0] === "ibv_devinfo" ? { stdout: vpi("0c42:a103:0000:0018") } : undefined),
    });
    const result = await pair.run({ preset: "bandwidth" });
    assert(result.ok, JSON.stringify(result));
    expect(result.value.runs[0]?.client.commandLine).toContain("ib_write_bw -d mlx5_1 -i 1 ");
    expect(result.value.runs[0]?.client.commandLine).not.toContain(" -x ");
    expect(result.value.bandwidthGbps).toBe(0.14);
  });
});

describe("two versions of perftest", () => {
  const versioned = (client: string, server: string, more: (argv: readonly string[]) => Reply | undefined) =>
    new PairOfHosts({
      client: (argv) => (argv.includes("--version") ? { stdout: `Version: ${client}\n`, exitCode: 1 } : more(argv)),
      server: (argv) => (argv.includes("--version") ? { stdout: `Version: ${server}\n`, exitCode: 1 } : undefined),
    });

  it("that do not talk to each other are an error of its own, with both versions", async () => {
    const stderr = "Current implementation is not compatible with versions older than 5.70\n";
    const pair = versioned("6.28", "5.60", (argv) =>
      argv[0] === "timeout" && toolOf(argv) === "ib_write_bw" ? { stderr, exitCode: 1 } : undefined,
    );
    const result = await pair.run({ preset: "bandwidth" });
    assert(result.ok, JSON.stringify(result));
    expect(result.value.runs[0]?.error).toMatchObject({
      kind: "version-mismatch",
      client: "Version: 6.28",
      server: "Version: 5.60",
    });
    expect(result.value.verdict.level).toBe("failed");
    expect(pair.leftovers).toEqual([]);
  });

  it("that do are measured, and both stay in the record", async () => {
    const result = await versioned("6.28", "6.06", () => undefined).run();
    assert(result.ok, JSON.stringify(result));
    expect(result.value.versions).toEqual({ n018: "Version: 6.28", n065: "Version: 6.06" });
    expect(result.value.bandwidthGbps).toBe(0.14);
  });
});

describe("counters that cannot be read", () => {
  const plan = { ...planFor(), path: planFor().path.map((hop) => ({ ...hop, fromLid: 5, toLid: 6 })) };
  const { signal } = new AbortController();

  function counters(script: (argv: readonly string[]) => Reply): {
    readonly read: PathCounters;
    readonly host: ScriptedHost;
  } {
    const host = new ScriptedHost("mgmt", script);
    let now = 0;
    const read = new PathCounters(plan, true, {
      ...{ runner: host, tools: { sudo: false, options: [] }, now: () => now },
      sleep: (milliseconds) => {
        now += milliseconds;
        return Promise.resolve();
      },
    });
    return { read, host };
  }

  it("because the tool is missing are asked for once, and the reason is kept", async () => {
    const { read, host } = counters(() => ({ stderr: "perfquery: not found\n", exitCode: 127 }));
    await read.begin(signal);
    const ended = await read.end(signal);
    expect(ended).toMatchObject({ countersError: { kind: "tool-missing", tool: "perfquery" } });
    expect(ended).not.toHaveProperty("evidence");
    expect(host.roundTrips).toBe(1);
  });

  const answer = (argv: readonly string[], title: string, counters: string): Reply => {
    const [lid, port] = argv.slice(-2);
    return { stdout: `# ${title}: Lid ${lid ?? ""} port ${port ?? ""} (CapMask: 0x5B00)\n${counters}` };
  };
  const data = "PortXmitData:....................1\nPortRcvData:.....................5\n";
  const errors = "SymbolErrorCounter:..............0\n";

  it("are no case on a usual host: one round trip reads all ports", async () => {
    const { read, host } = counters((argv) => answer(argv, "Port extended counters", `${data}${errors}`));
    await read.begin(signal);
    expect((await read.end(signal)).evidence?.unread).toEqual([]);
    // A second before, right before, and after.
    expect(host.roundTrips).toBe(3);
    expect(host.started.every((line) => line.startsWith("perfquery -x "))).toBe(true);
  });

  it("in one attribute are read from two, still in one round trip once that is known", async () => {
    const { read, host } = counters((argv) =>
      argv.includes("-x") ? answer(argv, "Port extended counters", data) : answer(argv, "Port counters", errors),
    );
    await read.begin(signal);
    const { evidence } = await read.end(signal);
    expect(evidence?.unread).toEqual([]);
    expect(host.roundTrips).toBe(4);
  });

  it("because a connection is lost in the middle leave no evidence, but the reason", async () => {
    let asked = 0;
    const { read, host } = counters((argv) => {
      asked += 1;
      if (asked === 8) host.lose();
      const [lid, port] = argv.slice(-2);
      return {
        stdout: `# Port extended counters: Lid ${lid ?? ""} port ${port ?? ""} (CapMask: 0x5B00)\nPortXmitData:....................1\nPortRcvData:.....................5\nSymbolErrorCounter:..............0\n`,
      };
    });
    await read.begin(signal);
    expect(await read.end(signal)).toMatchObject({ countersError: { kind: "connection-lost", host: "mgmt" } });
  });

  it("of some ports only are said by port, and the others count", async () => {
    let round = 0;
    const { read } = counters((argv) => {
      const [lid, port] = argv.slice(-2);
      if (argv.includes("-x") && lid === "5" && port === "1") round += 1;
      if (lid === "6") return { stderr: "ibwarn: [1] mad_rpc: _do_madrpc failed; dport (Lid 6)\n", exitCode: 1 };
      return {
        stdout: `# Port extended counters: Lid ${lid ?? ""} port ${port ?? ""} (CapMask: 0x5B00)\nPortXmitData:....................${String(round * 250_000_000)}\nPortRcvData:.....................5\nSymbolErrorCounter:..............0\n`,
      };
    });
    await read.begin(signal);
    const { evidence } = await read.end(signal);
    expect(evidence?.unread.length).toBeGreaterThan(0);
    expect(evidence?.unread.every((line) => line.includes("could not be read"))).toBe(true);
    expect(evidence?.ports.some(({ sentBytes }) => sentBytes > 0)).toBe(true);
  });
});

describe("forwarding tables that are older than the topology", () => {
  /** Two leaves and two spines; the tables know only spine 2, as the cables to spine 3 came later. */
  const shape: RoutedShape = {
    switches: 4,
    cables: [0, 1].flatMap((leaf) => [2, 3].map((spine) => [leaf, 20 + spine, spine, leaf + 1] as const)),
    hosts: Array.from({ length: 4 }, (_, host) => [Math.floor(host / 2), (host % 2) + 1] as const),
    route(atSwitch, lid) {
      if (lid === switchLid(atSwitch)) return 0;
      const host = lid - 5;
      const leaf = host >= 0 ? Math.floor(host / 2) : lid - 1;
      if (atSwitch >= 2) return leaf + 1;
      return host >= 0 && leaf === atSwitch ? (host % 2) + 1 : 22;
    },
  };

  it("plan the cables that they know, and say of a newer one what carries the data and what to do", () => {
    const { fabric, network } = routed(shape);
    expect(planned(fabric, linkAt(fabric, "sw 0", 22), { routes: network }).basis).toBe("routes");
    const plan = planMeasurement(fabric, analysisOf(fabric), {
      ...{ link: linkAt(fabric, "sw 0", 23), fabricId: "f", planId: "p", options: defaultMeasureOptions },
      ...{ simulated: false, routes: network },
    });
    assert(!plan.ok && plan.error.kind === "no-path", JSON.stringify(plan));
    expect(plan.error.reason).toContain("sw 0 sends to other leaves by port 22 (2 adapter ports); by port 23 to none");
    expect(plan.error.help).toMatch(/collect again with routes|heavy sweep/i);
  });

  it("that send a LID into a port without a cable take no pair over it", () => {
    const lost = hostLid(shape, 2);
    const stale: RoutedShape = {
      ...shape,
      route: (atSwitch, lid) => (atSwitch === 0 && lid === lost ? 30 : shape.route(atSwitch, lid)),
    };
    const { fabric, network } = routed(stale);
    const uplink = linkAt(fabric, "sw 0", 22);
    const chosen = planMeasurement(fabric, analysisOf(fabric), {
      ...{ link: uplink, fabricId: "f", planId: "p", options: defaultMeasureOptions },
      ...{ simulated: false, routes: network, client: "h0", server: "h2" },
    });
    assert(!chosen.ok && chosen.error.kind === "no-path", JSON.stringify(chosen));
    expect(chosen.error.reason).toContain("by the forwarding tables nothing that it sends there arrives");
    expect(chosen.error.help).not.toMatch(/h[01] as client and h2 as server/);
    const free = planned(fabric, uplink, { routes: network });
    expect(`${free.client.host} to ${free.server.host}`).not.toMatch(/h[01] to h2/);
    // The host's own cable: nothing sent to it from the other leaf arrives, so that the pair is one that works.
    const own = planned(fabric, linkAt(fabric, "sw 1", 1), { routes: network });
    expect(own.path.length).toBe(2);
    expect(own.hops).toBe(1);
  });
});
