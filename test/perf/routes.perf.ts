/** Forwarding tables and routes of generated three-level trees, and our time beside that of ibdmchk where it is installed. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateFabricTexts } from "../../electron/run/simulated/texts.ts";
import { pairsAcross } from "../../shared/analyse/routes/across.ts";
import { findCreditLoops } from "../../shared/analyse/routes/credit-loops.ts";
import { routeNetwork, type RouteNetwork } from "../../shared/analyse/routes/network.ts";
import { summariseRoutes } from "../../shared/analyse/routes/summary.ts";
import { assert } from "../../shared/base/assert.ts";
import { buildFabric } from "../../shared/build/build-fabric.ts";
import { buildLfts } from "../../shared/build/build-lfts.ts";
import { at, linkKind, nodeGuid, nodeKind, peerPort, portGuid, portsOfNode } from "../../shared/fabric/access.ts";
import { lidOwners } from "../../shared/fabric/lid-owners.ts";
import { noRoute } from "../../shared/fabric/lfts.ts";
import { type Fabric, none } from "../../shared/fabric/model.ts";
import { parseIbnetdiscover } from "../../shared/parse/ibnetdiscover.ts";
import { LftReader, parseLfts } from "../../shared/parse/lft-reader.ts";
import type { LftTable } from "../../shared/parse/lft-tables.ts";
import { growth, milliseconds, printTable } from "./support.ts";

const sizes = [1_000, 4_000, 12_000] as const;
const besideSizes = [500, 2_000] as const;

interface Tree {
  readonly fabric: Fabric;
  readonly switches: readonly number[];
  readonly topLid: number;
  /** Output port of a switch by LID, by position in `switches`. */
  readonly tables: readonly Uint8Array[];
}

/** A tree with shortest routes (in a tree: up, then down), spread over the ports by LID. */
function tree(hosts: number): Tree {
  const { ibnetdiscover } = generateFabricTexts({ levels: 3, hosts });
  const { fabric } = buildFabric({
    discover: { file: "d", records: parseIbnetdiscover(ibnetdiscover, { file: "d" }).records },
    sminfo: [],
  });
  const switches: number[] = [];
  const rowOf = new Int32Array(fabric.nodes.count).fill(-1);
  for (let node = 0; node < fabric.nodes.count; node += 1) {
    if (nodeKind(fabric, node) !== "switch") continue;
    rowOf[node] = switches.length;
    switches.push(node);
  }
  const neighbours = switches.map((node) =>
    portsOfNode(fabric, node).flatMap((port) => {
      const peer = peerPort(fabric, port);
      const row = peer === undefined ? -1 : at(rowOf, at(fabric.ports.node, peer));
      return row < 0 ? [] : [{ row, number: at(fabric.ports.number, port) }];
    }),
  );
  const owners = lidOwners(fabric);
  const tables = switches.map(() => new Uint8Array(owners.topLid + 1).fill(noRoute));
  /** LIDs by the switch that they are at, with the port to them. */
  const lidsAt: { lid: number; number: number }[][] = switches.map(() => []);
  for (let lid = 1; lid <= owners.topLid; lid += 1) {
    const node = owners.nodeOf(lid);
    const port = owners.portOf(lid);
    if (node === undefined) continue;
    const peer = port === undefined ? undefined : peerPort(fabric, port);
    const home = port === undefined ? node : peer === undefined ? undefined : at(fabric.ports.node, peer);
    if (home !== undefined)
      lidsAt[at(rowOf, home)]?.push({ lid, number: peer === undefined ? 0 : at(fabric.ports.number, peer) });
  }
  const distance = new Int32Array(switches.length);
  lidsAt.forEach((lids, target) => {
    distance.fill(-1);
    distance[target] = 0;
    const queue = [target];
    for (const row of queue) {
      for (const { row: next } of neighbours[row] ?? []) {
        if (distance[next] !== -1) continue;
        distance[next] = at(distance, row) + 1;
        queue.push(next);
      }
    }
    tables.forEach((table, row) => {
      if (row === target) {
        for (const { lid, number } of lids) table[lid] = number;
        return;
      }
      const nearer = (neighbours[row] ?? []).filter((next) => distance[next.row] === at(distance, row) - 1);
      for (const { lid } of lids) table[lid] = nearer[lid % nearer.length]?.number ?? noRoute;
    });
  });
  return { fabric, switches, topLid: owners.topLid, tables };
}

function hex(value: number): string {
  return value.toString(16).padStart(4, "0");
}

/** What `ibroute -n` prints of one switch. */
function ibroute({ fabric, switches, topLid, tables }: Tree, row: number): string {
  const node = switches[row] ?? 0;
  const lines = [
    `Unicast lids [0x0-0x${(topLid | 63).toString(16)}] of switch Lid ${at(fabric.nodes.lid, node)} guid ${nodeGuid(fabric, node)} (x):`,
    "  Lid  Out   Destination",
    "       Port     Info ",
  ];
  let valid = 0;
  tables[row]?.forEach((port, lid) => {
    if (port === noRoute) return;
    valid += 1;
    lines.push(`0x${hex(lid)} ${String(port).padStart(3, "0")} `);
  });
  lines.push(`${valid} valid lids dumped `, "");
  return lines.join("\n");
}

interface Measured {
  readonly switches: number;
  readonly lids: number;
  readonly textMiB: number;
  readonly tableMiB: number;
  readonly parse: number;
  readonly build: number;
  readonly prepare: number;
  readonly crossMedian: number;
  readonly crossSlowest: number;
  readonly summary: number;
  readonly creditLoops: number;
}

function time<T>(work: () => T): readonly [result: T, milliseconds: number] {
  const began = performance.now();
  const result = work();
  return [result, performance.now() - began];
}

/** Both directions of links spread through the fabric, hosts' and inter-switch ones. */
function crossings(network: RouteNetwork): number[] {
  const { fabric } = network;
  const times: number[] = [];
  for (const kind of ["host", "inter-switch"] as const) {
    const links = Array.from({ length: fabric.links.count }, (_, link) => link).filter(
      (link) => linkKind(fabric, link) === kind,
    );
    const stride = Math.max(1, Math.floor(links.length / 20));
    for (const link of links.filter((_, index) => index % stride === 0)) {
      for (const end of [fabric.links.a, fabric.links.b]) {
        const [across, took] = time(() => pairsAcross(network, at(end, link)));
        assert(kind === "inter-switch" || across.pairs > 0, "every host sends and receives");
        times.push(took);
      }
    }
  }
  return times.sort((a, b) => a - b);
}

function measure(hosts: number): Measured {
  const generated = tree(hosts);
  const { fabric, switches, topLid } = generated;
  const reader = new LftReader({ file: "tables" });
  let parse = 0;
  let textBytes = 0;
  switches.forEach((_, row) => {
    const text = ibroute(generated, row);
    textBytes += text.length;
    parse += time(() => reader.push(text))[1];
  });
  const { records } = reader.finish();
  assert(records.complete && records.tables.length === switches.length, "all tables are read");
  const [{ lfts }, build] = time(() => buildLfts(fabric, [{ file: "tables", records }], "tables"));
  const [network, prepare] = time(() => routeNetwork(fabric, lfts));
  const across = crossings(network);
  const [summary, summaryTime] = time(() => summariseRoutes(network));
  assert(summary.unreachable === 0 && summary.unknown === 0, "everybody reaches everybody");
  const [loops, creditLoops] = time(() => findCreditLoops(network));
  assert(loops.length === 0, "a tree has no credit loops");
  const tableBytes = records.tables.reduce((sum: number, { ports }: LftTable) => sum + ports.length, 0);
  return {
    switches: switches.length,
    lids: topLid,
    textMiB: textBytes / 2 ** 20,
    tableMiB: (tableBytes + lfts.ports.length) / 2 ** 20,
    parse,
    build,
    prepare,
    crossMedian: across[Math.floor(across.length / 2)] ?? 0,
    crossSlowest: across.at(-1) ?? 0,
    summary: summaryTime,
    creditLoops,
  };
}

/** The tree as opensm writes it down: opensm-subnet.lst and opensm.fdbs. */
function dumps({ fabric, switches, tables }: Tree): { readonly subnet: string; readonly fdbs: string } {
  const end = (port: number): string => {
    const node = at(fabric.ports.node, port);
    const isSwitch = nodeKind(fabric, node) === "switch";
    const guid = nodeGuid(fabric, node).slice(2);
    const lid = isSwitch ? at(fabric.nodes.lid, node) : at(fabric.ports.lid, port);
    const own = isSwitch ? guid : portGuid(fabric, port).slice(2);
    return `{ ${isSwitch ? "SW" : "CA"} Ports:29 SystemGUID:${guid} NodeGUID:${guid} PortGUID:${own} VenID:0002C9 DevID:D2F0 Rev:000000A1 {x} LID:${hex(lid)} PN:${at(fabric.ports.number, port).toString(16)} }`;
  };
  const subnet: string[] = [];
  for (let port = 0; port < fabric.ports.count; port += 1) {
    const peer = at(fabric.ports.link, port) === none ? undefined : peerPort(fabric, port);
    if (peer !== undefined) subnet.push(`${end(port)} ${end(peer)} PHY=4x LOG=ACT SPD=50`);
  }
  const fdbs = switches.map((node, row) => {
    const lines = [`dump_ucast_routes: Switch ${nodeGuid(fabric, node)}`, "LID    : Port : Hops : Optimal"];
    tables[row]?.forEach((port, lid) => {
      if (lid === 0) return;
      lines.push(
        `0x${hex(lid).toUpperCase()} : ${port === noRoute ? "UNREACHABLE" : `${String(port).padStart(3, "0")}  : 02   : yes`}`,
      );
    });
    return lines.join("\n");
  });
  return { subnet: `${subnet.join("\n")}\n`, fdbs: `${fdbs.join("\n\n")}\n` };
}

/** Same files, same numbers; ours from the text on, ibdmchk from its start on. */
function besideIbdmchk(hosts: number): readonly string[] {
  const generated = tree(hosts);
  const { subnet, fdbs } = dumps(generated);
  const folder = mkdtempSync(join(tmpdir(), "ibex-perf-"));
  try {
    const [subnetFile, fdbsFile, empty] = ["subnet", "fdbs", "empty"].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    writeFileSync(subnetFile, subnet);
    writeFileSync(fdbsFile, fdbs);
    writeFileSync(empty, "");
    const [theirs, theirTime] = time(() =>
      spawnSync("ibdmchk", ["-s", subnetFile, "-f", fdbsFile, "-m", empty], { encoding: "utf8", maxBuffer: 2 ** 30 }),
    );
    const [ours, ourTime] = time(() => {
      const { records } = parseLfts(fdbs, { file: "fdbs" });
      const { lfts } = buildLfts(generated.fabric, [{ file: "fdbs", records }], "fdbs");
      const network = routeNetwork(generated.fabric, lfts);
      return { summary: summariseRoutes(network), loops: findCreditLoops(network) };
    });
    const scanned = Number(/-I- Scanned:(\d+) CA to CA paths/.exec(theirs.stdout)?.[1]);
    assert(scanned === ours.summary.pairs, `ibdmchk followed ${scanned} routes, Ibex ${ours.summary.pairs}`);
    assert(theirs.stdout.includes("no credit loops found") && ours.loops.length === 0, "neither finds a credit loop");
    return [
      String(hosts),
      String(scanned),
      milliseconds(ourTime),
      milliseconds(theirTime),
      (theirTime / ourTime).toFixed(1),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Prints what tables and routes cost at three sizes, how that grows, and ibdmchk beside it. */
export function run(): void {
  const all = sizes.map(measure);
  const switches = all.map((one) => one.switches);
  const work = all.map((one) => one.switches * one.lids);
  const row = (name: string, pick: (one: Measured) => number, by: readonly number[], digits?: number): string[] => [
    name,
    ...all.map((one) => (digits === undefined ? milliseconds(pick(one)) : pick(one).toFixed(digits))),
    growth(all.map(pick), by),
  ];
  printTable(
    "Forwarding tables and routes, three-level trees (ms; growth per factor in switches × LIDs)",
    ["", ...sizes.map((hosts) => `${hosts} hosts`), "growth"],
    [
      ["switches", ...switches.map(String), ""],
      ["LIDs", ...all.map((one) => String(one.lids)), ""],
      row("text of ibroute -n, MiB", (one) => one.textMiB, work, 0),
      row("tables held, MiB", (one) => one.tableMiB, work, 1),
      row("parse", (one) => one.parse, work),
      row("put together", (one) => one.build, work),
      row("prepare", (one) => one.prepare, work),
      row("pairs across a link, median", (one) => one.crossMedian, work),
      row("pairs across a link, slowest", (one) => one.crossSlowest, work),
      row("all pairs, balance, loops", (one) => one.summary, work),
      row("credit loops", (one) => one.creditLoops, work),
    ],
  );
  if (spawnSync("ibdmchk", ["-h"]).error !== undefined) {
    process.stdout.write("\nibdmchk is not installed (Debian package ibutils): no comparison.\n");
    return;
  }
  printTable(
    "Routes of all pairs and credit loops beside ibdmchk, same opensm.fdbs (ms)",
    ["hosts", "routes", "Ibex", "ibdmchk", "times"],
    besideSizes.map(besideIbdmchk),
  );
}
