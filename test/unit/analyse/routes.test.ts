import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { traceText } from "../../../electron/cli/path.ts";
import { pairsAcross, sourcesAcross } from "../../../shared/analyse/routes/across.ts";
import { findCreditLoops } from "../../../shared/analyse/routes/credit-loops.ts";
import { type RouteEndpoint, routePath } from "../../../shared/analyse/routes/path.ts";
import { summariseRoutes } from "../../../shared/analyse/routes/summary.ts";
import { routeFiles } from "../../../shared/build/interpret-routes.ts";
import { guidToBigint } from "../../../shared/base/guid.ts";
import { nodeName, portByNumber, portName } from "../../../shared/fabric/access.ts";
import { outPort } from "../../../shared/fabric/lfts.ts";
import { parseIbtracert, type TraceEnd } from "../../../shared/parse/ibtracert.ts";
import {
  clockwiseRing,
  hostLid,
  readRouted,
  routed,
  type Routed,
  type RoutedShape,
  routedTexts,
  switchLid,
} from "../../support/routed-fabric.ts";
import { fixtures, understandFolder } from "../../support/understand.ts";

function fixture(name: string): string {
  return readFileSync(join(fixtures, "ib/sim", name), "utf8");
}

function folder(name: string, tables: readonly string[]): Routed {
  const texts = Object.fromEntries(tables.map((file) => [file, fixture(`${name}/${file}`)]));
  return readRouted(fixture(`${name}/ibnetdiscover.txt`), texts);
}

function hostPort({ fabric, network }: Routed, shape: RoutedShape, host: number): number {
  const port = network.owners.portOf(hostLid(shape, host));
  if (port === undefined) throw new Error(`no host ${host} in ${fabric.nodes.count} nodes`);
  return port;
}

function fromHost(fabric: Routed, shape: RoutedShape, host: number): RouteEndpoint {
  const port = hostPort(fabric, shape, host);
  return { node: fabric.fabric.ports.node[port] ?? -1, port };
}

/** Two leaves (0, 1) and two spines (2, 3); hosts 0 and 1 on leaf 0, hosts 2 and 3 on leaf 1. Even LIDs go by spine 2. */
const tree: RoutedShape = {
  switches: 4,
  cables: [
    [0, 3, 2, 1],
    [0, 4, 3, 1],
    [1, 3, 2, 2],
    [1, 4, 3, 2],
  ],
  hosts: [
    [0, 1],
    [0, 2],
    [1, 1],
    [1, 2],
  ],
  route(atSwitch, lid) {
    const leaf = lid <= 4 ? lid - 1 : lid <= 6 ? 0 : 1;
    if (lid === switchLid(atSwitch)) return 0;
    if (atSwitch >= 2) return leaf >= 2 ? undefined : leaf + 1;
    if (leaf >= 2) return leaf + 1;
    if (leaf === atSwitch && lid > 4) return ((lid - 5) % 2) + 1;
    return lid % 2 === 0 ? 3 : 4;
  },
};

/** The tree with another answer of some switches. */
function treeBut(change: (atSwitch: number, lid: number) => number | undefined | "same"): RoutedShape {
  return {
    ...tree,
    route(atSwitch, lid) {
      const changed = change(atSwitch, lid);
      return changed === "same" ? tree.route(atSwitch, lid) : changed;
    },
  };
}

describe("the routes of a fabric", () => {
  it.each([
    [
      "ft2-32",
      ["opensm.fdbs", "opensm-lfts.dump", "dump_fts.txt"],
      { 2: 248, 3: 376, 4: 1926 },
      { 2: 12, 3: 36, 4: 13, 5: 31, 6: 30, 7: 6 },
    ],
    ["ft2-32-lmc2", ["opensm.fdbs"], { 2: 248, 3: 376, 4: 1926 }, { 2: 12, 3: 36, 4: 13, 5: 31, 6: 30, 7: 6 }],
    ["odd", ["dump_fts.txt"], { 2: 1058, 3: 132 }, { 0: 2, 1: 2, 16: 1, 17: 1 }],
  ])("of %s have the numbers that ibdmchk prints", (name, files, hops, destinationsPerPort) => {
    for (const file of files) {
      const { network, routes } = folder(name, [file]);
      const summary = summariseRoutes(network);
      const counts = (list: readonly number[]): object =>
        Object.fromEntries([...list.entries()].filter(([, n]) => n > 0));
      expect(counts(summary.hops)).toEqual(hops);
      expect(counts(summary.destinationsPerPort)).toEqual(destinationsPerPort);
      expect([summary.unreachable, summary.unknown, summary.loops.length]).toEqual([0, 0, 0]);
      expect(findCreditLoops(network)).toEqual([]);
      expect(routes.diagnostics).toEqual([]);
    }
  });

  it("with LMC have a circle over the other LIDs that the base LIDs have not", () => {
    const { fabric, network } = folder("ft2-32-lmc2", ["opensm.fdbs"]);
    const [circle, ...others] = findCreditLoops(network, "all");
    expect(others).toEqual([]);
    expect(circle?.map((port) => portName(fabric, port))).toEqual([
      "spine-01:5",
      "leaf-03:10",
      "spine-03:7",
      "leaf-04:6",
    ]);
  });

  it("in a ring that is routed one way round hold each other: a credit loop of all its ports", () => {
    const ring = routed(clockwiseRing(4));
    const loops = findCreditLoops(ring.network);
    expect(loops.map((ports) => ports.map((port) => ring.fabric.ports.number[port]))).toEqual([[2, 2, 2, 2]]);
    expect(new Set(loops[0]?.map((port) => ring.fabric.ports.node[port])).size).toBe(4);
    expect(summariseRoutes(ring.network)).toMatchObject({ pairs: 12, unreachable: 0, hops: [0, 0, 0, 4, 4, 4] });
  });

  it("count pairs and destinations of every port", () => {
    const { fabric, network } = routed(tree);
    const { pairsOfPort, destinationsOfPort } = summariseRoutes(network);
    const leaf = network.lfts.nodeOfRow.find((node) => nodeName(fabric, node).includes("0")) ?? 0;
    const uplink = portByNumber(fabric, leaf, 3) ?? -1;
    // Host 3 (LID 8) is behind it, hosts 0 and 1 send to it.
    expect([pairsOfPort[uplink], destinationsOfPort[uplink]]).toEqual([2, 1]);
  });

  it("that are lost are named with their reason, and circles once", () => {
    const shape = treeBut((atSwitch, lid) =>
      lid === 8 && atSwitch < 2
        ? 3
        : lid === 8 && atSwitch === 2
          ? 1
          : lid === 5 && atSwitch === 3
            ? undefined
            : "same",
    );
    const all = routed(shape);
    const summary = summariseRoutes(all.network);
    expect(summary.unreachable).toBe(5);
    expect(summary.lostPairs.map(({ lid, why }) => [lid, why])).toEqual([
      [5, "lost"],
      [5, "lost"],
      [8, "loop"],
      [8, "loop"],
      [8, "loop"],
    ]);
    expect(summary.loops).toHaveLength(1);
    expect(summary.loops[0]).toMatchObject({ lid: 8, lids: 1 });
    expect(summary.loops[0]?.ports).toHaveLength(2);
  });
});

describe("a route", () => {
  it.each(["ft2-32", "ft2-32-lmc2", "odd"])("of %s is what ibtracert prints, line by line", (name) => {
    const table = name === "odd" ? "dump_fts.txt" : "opensm.fdbs";
    const { fabric, network } = folder(name, [table]);
    const text = fixture(`${name}/ibtracert.txt`);
    const place = ({ guid, port }: TraceEnd): RouteEndpoint => {
      const node = fabric.nodes.guid.indexOf(guidToBigint(guid));
      const index = port === 0 ? undefined : portByNumber(fabric, node, port);
      return { node, ...(index === undefined ? {} : { port: index }) };
    };
    const { traces } = parseIbtracert(text, { file: "trace" }).records;
    const printed = traces.map(({ from, to }) => traceText(fabric, routePath(network, place(from), to?.lid ?? 0)));
    expect(`${printed.join("\n")}\n`).toBe(text);
  });

  it("follows the LID of an LMC path, not only the base LID", () => {
    const { fabric, network } = folder("ft2-32-lmc2", ["opensm.fdbs"]);
    const trace = parseIbtracert(fixture("ft2-32-lmc2/ibtracert.txt"), { file: "trace" }).records.traces[0];
    if (trace === undefined) throw new Error("no trace in the fixture");
    const node = fabric.nodes.guid.indexOf(guidToBigint(trace.from.guid));
    const port = portByNumber(fabric, node, 1) ?? -1;
    const ways = [12, 13, 14, 15].map((lid) => {
      const path = routePath(network, { node, port }, lid);
      expect(path.end).toEqual({ kind: "arrived" });
      return path.hops.map(({ out }) => out).join();
    });
    expect(new Set(ways).size).toBeGreaterThan(1);
  });

  it("to oneself has no hop", () => {
    const all = routed(tree);
    expect(routePath(all.network, fromHost(all, tree, 0), hostLid(tree, 0))).toMatchObject({
      hops: [],
      end: { kind: "arrived" },
    });
  });

  it.each([
    ["no-route", 2, treeBut((atSwitch, lid) => (atSwitch === 2 && lid === 8 ? undefined : "same"))],
    ["no-cable", 1, treeBut((atSwitch, lid) => (atSwitch === 0 && lid === 8 ? 9 : "same"))],
    ["ends-in-switch", 2, treeBut((atSwitch, lid) => (atSwitch === 2 && lid === 8 ? 0 : "same"))],
    ["wrong-end", 4, treeBut((atSwitch, lid) => (atSwitch === 1 && lid === 8 ? 1 : "same"))],
    ["loop", 3, treeBut((atSwitch, lid) => (atSwitch === 2 && lid === 8 ? 1 : "same"))],
  ] as const)("says why it ends: %s after %i cables", (kind, hops, shape) => {
    const all = routed(shape);
    const path = routePath(all.network, fromHost(all, shape, 0), hostLid(shape, 3));
    expect(path.end.kind).toBe(kind);
    expect(path.hops).toHaveLength(hops);
  });

  it("ends where a table is missing or does not tell, and such pairs are not called unreachable", () => {
    const { discover, lfts } = routedTexts(tree);
    const tables = lfts.split(/(?=Unicast)/);
    const without = readRouted(discover, { one: tables.filter((_, index) => index !== 2).join("") });
    expect(routePath(without.network, fromHost(without, tree, 0), 8).end.kind).toBe("table-missing");
    expect(summariseRoutes(without.network)).toMatchObject({ unreachable: 0, unknown: 4 });
    expect(without.routes.diagnostics.map(({ code }) => code)).toEqual(["table-missing"]);
    const cut = readRouted(discover, {
      one: tables.map((text, index) => (index === 2 ? text.replace(/0x0008.*\n.*dumped\n/, "") : text)).join(""),
    });
    expect(routePath(cut.network, fromHost(cut, tree, 0), 8).end.kind).toBe("not-told");
    expect(summariseRoutes(cut.network)).toMatchObject({ unreachable: 0, unknown: 2 });
  });
});

describe("the pairs across a cable", () => {
  it("are those whose route takes it, in that direction", () => {
    const all = routed(tree);
    const spine = all.fabric.nodes.lid.indexOf(switchLid(2));
    const leaf = all.fabric.nodes.lid.indexOf(switchLid(0));
    const up = portByNumber(all.fabric, leaf, 3) ?? -1;
    const down = portByNumber(all.fabric, spine, 1) ?? -1;
    expect(pairsAcross(all.network, up)).toMatchObject({
      pairs: 2,
      destinations: [{ port: hostPort(all, tree, 3), lid: 8, sources: 2, hops: 4 }],
    });
    expect(Array.from(sourcesAcross(all.network, up, 8))).toEqual(
      [hostPort(all, tree, 0), hostPort(all, tree, 1)].sort((a, b) => a - b),
    );
    expect(pairsAcross(all.network, down)).toMatchObject({ pairs: 2, destinations: [{ lid: 6 }] });
  });

  it("of a host's cable are all that the host sends, or receives", () => {
    const all = routed(tree);
    const own = hostPort(all, tree, 0);
    expect(pairsAcross(all.network, own).destinations.map(({ lid, hops }) => [lid, hops])).toEqual([
      [6, 2],
      [7, 4],
      [8, 4],
    ]);
    const leaf = all.fabric.nodes.lid.indexOf(switchLid(0));
    expect(pairsAcross(all.network, portByNumber(all.fabric, leaf, 1) ?? -1)).toMatchObject({
      pairs: 3,
      destinations: [{ port: own, sources: 3, hops: 2 }],
    });
  });
});

describe("tables that do not fit the topology", () => {
  it("of switches that are not there are left out and named", () => {
    const { discover, fdbs } = routedTexts(tree);
    const { routes } = readRouted(discover, { fdbs: fdbs.replaceAll("b8cef60300000080", "b8cef60300000dad") });
    expect(routes.diagnostics.map(({ code }) => code)).toEqual(["table-of-unknown-switch", "table-missing"]);
    expect(routes.diagnostics[0]?.message).toContain("0xb8cef60300000dad");
  });

  it("with LIDs that nobody has, or others have now, are said to be of another time", () => {
    const fewer: RoutedShape = { ...tree, hosts: tree.hosts.slice(0, 3) };
    const { routes } = readRouted(routedTexts(fewer).discover, { fdbs: routedTexts(tree).fdbs });
    expect(routes.diagnostics).toMatchObject([{ code: "lid-without-owner", severity: "warning" }]);
    const moved = readRouted(fixture("ft2-32/ibnetdiscover.txt"), {
      dump: fixture("ft2-32/dump_fts.txt").replaceAll("portguid 0x0c42a10300000201", "portguid 0x0c42a10300000999"),
    });
    expect(moved.routes.diagnostics).toMatchObject([{ code: "lid-moved" }]);
    expect(moved.routes.diagnostics[0]?.message).toContain("LID 1 was port 0x0c42a10300000999");
  });

  it("that differ from each other are said to, and what the switch itself told is used", () => {
    const { fabric, routes } = readRouted(fixture("ft2-32/ibnetdiscover.txt"), {
      "opensm.fdbs": fixture("ft2-32/opensm.fdbs"),
      "ibroute.txt": fixture("ft2-32/ibroute.txt").replace("0x0001 012", "0x0001 011"),
    });
    expect(routes.diagnostics).toMatchObject([{ code: "tables-differ" }]);
    const leaf = fabric.nodes.guid.indexOf(0xb8ce_f603_0000_02c0n);
    expect(outPort(routes.lfts, leaf, 1)).toBe(11);
  });

  it("fill each other's gaps", () => {
    const { fabric, routes } = readRouted(fixture("ft2-32/ibnetdiscover.txt"), {
      "ibroute.txt": fixture("ft2-32/ibroute.txt").split("\n").slice(0, 20).join("\n"),
      "opensm.fdbs": fixture("ft2-32/opensm.fdbs"),
    });
    expect(routes.diagnostics.map(({ code }) => code)).toEqual(["cut-table"]);
    const leaf = fabric.nodes.guid.indexOf(0xb8ce_f603_0000_02c0n);
    expect(outPort(routes.lfts, leaf, 0x36)).toBe(1);
  });
});

describe("opening a capture", () => {
  it("names the files with tables and leaves them unread", () => {
    const { files } = understandFolder("ib/sim/ft2-32");
    expect([...routeFiles(files)].sort()).toEqual([
      "dump_fts.txt",
      "ibroute-M.txt",
      "ibroute-n.txt",
      "ibroute.txt",
      "opensm-lfts.dump",
      "opensm.fdbs",
    ]);
  });
});
