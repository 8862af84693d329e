/** Planning the measurement of every kind of cable in fat trees of three levels. */
import { rmSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { generateFabricTexts } from "../../electron/run/simulated/texts.ts";
import { workerEngine } from "../../electron/threads/engine.ts";
import { analyse } from "../../shared/analyse/analyse.ts";
import { assert } from "../../shared/base/assert.ts";
import { buildFabric } from "../../shared/build/build-fabric.ts";
import { type RouteNetwork, routeNetwork } from "../../shared/analyse/routes/network.ts";
import { at, linkKind, linkName, nodeKind, peerPort, portsOfNode } from "../../shared/fabric/access.ts";
import { type Lfts, noRoute } from "../../shared/fabric/lfts.ts";
import { none } from "../../shared/fabric/model.ts";
import type { Fabric } from "../../shared/fabric/model.ts";
import { planMeasurement } from "../../shared/measure/plan.ts";
import { buildSwitchGraph, distancesFrom } from "../../shared/measure/paths.ts";
import { planSweep, sweepFromDraft } from "../../shared/measure/sweep.ts";
import { selectLinks } from "../../shared/measure/sweep-select.ts";
import { defaultMeasureOptions } from "../../shared/measure/types.ts";
import { parseIblinkinfo } from "../../shared/parse/iblinkinfo.ts";
import { parseIbnetdiscover } from "../../shared/parse/ibnetdiscover.ts";
import { parseSminfo } from "../../shared/parse/sminfo.ts";
import { buildWorker } from "../support/built-worker.ts";
import { printTable } from "./support.ts";

function fabricOf(hosts: number): Fabric {
  const texts = generateFabricTexts({ levels: 3, hosts });
  const file = (name: string) => ({ file: name });
  return buildFabric({
    discover: { file: "d", records: parseIbnetdiscover(texts.ibnetdiscover, file("d")).records },
    linkinfo: { file: "l", records: parseIblinkinfo(texts.iblinkinfo, file("l")).records },
    sminfo: [{ file: "s", records: parseSminfo(texts.sminfo, file("s")).records }],
  }).fabric;
}

const plansPerKind = 40;

/** Milliseconds of the median and of the slowest plan over links spread through the fabric. */
function time(fabric: Fabric, links: readonly number[]): { readonly median: number; readonly slowest: number } {
  const health = {
    linkHealth: new Uint8Array(fabric.links.count),
    nodeHealth: new Uint8Array(fabric.nodes.count),
  };
  const stride = Math.max(1, Math.floor(links.length / plansPerKind));
  const times = links
    .filter((_, index) => index % stride === 0)
    .map((link) => {
      const began = performance.now();
      const plan = planMeasurement(fabric, health, {
        link,
        fabricId: "f",
        planId: "p",
        options: defaultMeasureOptions,
        simulated: true,
      });
      assert(plan.ok, `${linkName(fabric, link)} can be planned: ${JSON.stringify(plan)}`);
      return performance.now() - began;
    })
    .sort((a, b) => a - b);
  return { median: times[Math.floor(times.length / 2)] ?? 0, slowest: times.at(-1) ?? 0 };
}

/** Tables as minhop sets them: each switch spreads the LIDs over the ports on a shortest path. */
function minhop(fabric: Fabric): RouteNetwork {
  const switches: number[] = [];
  const rowOfNode = new Uint32Array(fabric.nodes.count).fill(none);
  let topLid = 0;
  for (let node = 0; node < fabric.nodes.count; node += 1) {
    if (nodeKind(fabric, node) !== "switch") continue;
    rowOfNode[node] = switches.length;
    switches.push(node);
    topLid = Math.max(topLid, at(fabric.nodes.lid, node));
  }
  topLid = fabric.ports.lid.reduce((top, lid) => Math.max(top, lid), topLid);
  const rows = switches.length;
  const ports = new Uint8Array((topLid + 1) * rows).fill(noRoute);
  const graph = buildSwitchGraph(fabric);
  const neighbours = switches.map((node) =>
    portsOfNode(fabric, node).flatMap((port) => {
      const peer = peerPort(fabric, port);
      const next = peer === undefined ? none : at(fabric.ports.node, peer);
      return next === none || rowOfNode[next] === none ? [] : [{ number: at(fabric.ports.number, port), next }];
    }),
  );
  for (const target of switches) {
    const { hops } = distancesFrom(graph, target);
    const lids: { lid: number; port: number }[] = [{ lid: at(fabric.nodes.lid, target), port: 0 }];
    for (const port of portsOfNode(fabric, target)) {
      const peer = peerPort(fabric, port);
      const lid = peer === undefined ? 0 : at(fabric.ports.lid, peer);
      if (lid > 0) lids.push({ lid, port: at(fabric.ports.number, port) });
    }
    for (const [row, from] of switches.entries()) {
      const ways = (neighbours[row] ?? []).filter(({ next }) => at(hops, next) === at(hops, from) - 1);
      for (const { lid, port } of lids) {
        const way = ways[(lid + at(fabric.nodes.lid, from)) % Math.max(1, ways.length)];
        ports[lid * rows + row] = from === target ? port : (way?.number ?? noRoute);
      }
    }
  }
  const lfts: Lfts = {
    topLid,
    rows,
    rowOfNode,
    nodeOfRow: Uint32Array.from(switches),
    told: new Uint8Array(rows).fill(1),
    ports,
    above: new Uint8Array(rows).fill(noRoute),
  };
  return routeNetwork(fabric, lfts);
}

/** A full sweep planned in the thread of the window, and given up in the middle; how long this thread is held up by either. */
async function inThread(): Promise<void> {
  const { folder, script } = await buildWorker();
  // A thread that is asked does not keep the process alive.
  const alive = setInterval(() => undefined, 60_000);
  const rows: string[][] = [];
  for (const hosts of [1_000, 10_000]) {
    const fabric = fabricOf(hosts);
    const analysis = analyse(fabric);
    const held = workerEngine(script).hold(() => ({ name: "tree", fabric, analysis, tables: [] }));
    for (const kind of ["all-inter-switch", "all-host-links"] as const) {
      const wish = { selection: { kind }, fabricId: "f", options: defaultMeasureOptions, simulated: true };
      const began = performance.now();
      const delay = monitorEventLoopDelay({ resolution: 1 });
      delay.enable();
      const planned = await held.ask("planSweep", wish, { what: "Planning", signal: new AbortController().signal });
      assert(planned.ok, "it is planned");
      const asked = performance.now() - began;
      const wrapped = performance.now();
      const sweep = sweepFromDraft(fabric, wish, planned.value);
      const wrapping = performance.now() - wrapped;
      await new Promise((resolve) => setImmediate(resolve));
      delay.disable();
      const items = sweep.rounds.flat().length;

      const controller = new AbortController();
      let abortedAt = 0;
      let reached = 0;
      await held.ask("planSweep", wish, {
        what: "Planning",
        signal: controller.signal,
        progress: (done, total) => {
          if (done * 2 < total || controller.signal.aborted) return;
          reached = done;
          abortedAt = performance.now();
          controller.abort();
        },
      });
      const giving = performance.now() - abortedAt;
      rows.push([
        String(hosts),
        kind === "all-inter-switch" ? "between switches" : "of hosts",
        String(items),
        `${(asked / 1000).toFixed(2)} s`,
        `${wrapping.toFixed(1)} ms`,
        `${(delay.max / 1e6).toFixed(0)} ms`,
        String(reached),
        `${giving.toFixed(1)} ms`,
      ]);
    }
    held.end();
  }
  clearInterval(alive);
  rmSync(folder, { recursive: true, force: true });
  printTable(
    "Planning a full sweep in the thread of the fabric, without tables",
    ["hosts", "links", "planned", "in all", "made ready", "this thread held up", "given up after", "free again in"],
    rows,
  );
}

/** Planning of sweeps over all cables between switches, and over all cables of hosts. */
function sweeps(): void {
  const rows: string[][] = [];
  for (const hosts of [100, 1_000, 10_000]) {
    const fabric = fabricOf(hosts);
    const health = { linkHealth: new Uint8Array(fabric.links.count), nodeHealth: new Uint8Array(fabric.nodes.count) };
    const network = minhop(fabric);
    const between = selectLinks(fabric, health, { kind: "all-inter-switch" });
    const ofHosts = Array.from({ length: fabric.links.count }, (_, link) => link).filter(
      (link) => linkKind(fabric, link) === "host",
    );
    for (const [what, links, routes] of [
      ["between switches, by routes", between, network],
      ["between switches, by shortest path", between, undefined],
      ["of hosts, by routes", ofHosts, network],
    ] as const) {
      const began = performance.now();
      const sweep = planSweep(fabric, health, {
        links,
        fabricId: "f",
        options: defaultMeasureOptions,
        simulated: true,
        ...(routes === undefined ? {} : { routes }),
      });
      const seconds = (performance.now() - began) / 1000;
      const planned = sweep.rounds.reduce((sum, round) => sum + round.length, 0);
      assert(planned + sweep.refused.length === links.length, "every link is planned or refused");
      rows.push([
        String(hosts),
        what,
        String(planned),
        String(sweep.refused.length),
        String(sweep.rounds.length),
        String(sweep.lowerBound),
        `${seconds.toFixed(2)} s`,
        `${((seconds * 1e6) / Math.max(1, links.length)).toFixed(0)} µs`,
      ]);
    }
  }
  printTable(
    "Planning a full sweep",
    ["hosts", "links", "planned", "refused", "rounds", "at least", "time", "per link"],
    rows,
  );
}

/** Prints a table: hosts, links, and milliseconds a plan takes for host links and for links between switches. */
export async function run(): Promise<void> {
  console.log("Planning a measurement, milliseconds (median, slowest)");
  console.log("hosts      links     host link       between switches   growth");
  let before = 0;
  for (const hosts of [100, 1_000, 10_000]) {
    const fabric = fabricOf(hosts);
    const all = Array.from({ length: fabric.links.count }, (_, link) => link);
    const host = time(
      fabric,
      all.filter((link) => linkKind(fabric, link) === "host"),
    );
    const between = time(
      fabric,
      all.filter((link) => linkKind(fabric, link) === "inter-switch"),
    );
    const cell = ({ median, slowest }: typeof host): string =>
      `${median.toFixed(1).padStart(6)} ${slowest.toFixed(1).padStart(7)}`;
    const growth = before === 0 ? "" : `x ${(between.median / before).toFixed(1)}`;
    before = between.median;
    console.log(
      `${String(hosts).padEnd(8)} ${String(fabric.links.count).padStart(7)} ${cell(host)} ${cell(between).padStart(20)}   ${growth.padStart(8)}`,
    );
  }
  sweeps();
  await inThread();
}
