/** Questions about the forwarding tables of a held fabric. */
import { thresholdsOf } from "../../shared/analyse/limits.ts";
import { pairsAcross, visitPairsAcross } from "../../shared/analyse/routes/across.ts";
import { analyseRoutes, type RouteAnalysis } from "../../shared/analyse/routes/analyse-routes.ts";
import type { RouteNetwork } from "../../shared/analyse/routes/network.ts";
import { routePath } from "../../shared/analyse/routes/path.ts";
import { median, siblingsOf } from "../../shared/analyse/routes/siblings.ts";
import { endSentence } from "../../shared/analyse/routes/words.ts";
import { err, ok, type Result } from "../../shared/base/result.ts";
import type { AcrossView, DirectionColumns, RoutedPair, RoutesView, RouteView } from "../../shared/contract/routes.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { at, findLink, findPort, hostName, hostOfNode, nodeKind, nodeName } from "../../shared/fabric/access.ts";
import { type Fabric, none } from "../../shared/fabric/model.ts";
import { stepsToHops } from "../../shared/measure/hops.ts";
import type { HeldFabric, HeldProgress, HeldRoutes } from "./held-fabric.ts";

function noTables(name: string): Result<never, AppError> {
  return err({
    kind: "unsupported",
    what: "Following routes",
    detail: `${name} has no forwarding tables. Collect again with routes, or add an output of dump_fts or ibroute, or opensm-lfts.dump or opensm.fdbs of the subnet manager.`,
  });
}

/** Kept with the tables: every question about numbers starts from it. */
function analysisOf(held: HeldFabric, progress: HeldProgress): (RouteAnalysis & HeldRoutes) | undefined {
  return held.derive(
    "analysis",
    (routes) => ({
      ...routes,
      ...analyseRoutes(routes.network, held.analysis.topology, thresholdsOf(held.limits)),
    }),
    progress,
  );
}

/** The tables as a whole: numbers by link, findings. */
export function routesOf(held: HeldFabric, _input: null, progress: HeldProgress): Result<RoutesView, AppError> {
  const known = analysisOf(held, progress);
  if (known === undefined) return noTables(held.name);
  const { network, routes, summary, creditLoops, findings } = known;
  const { links } = held.fabric;
  const columns = (ends: Uint32Array): DirectionColumns => ({
    destinations: Uint32Array.from(ends, (port) => at(summary.destinationsOfPort, port)),
    pairs: Uint32Array.from(ends, (port) => at(summary.pairsOfPort, port)),
  });
  return ok({
    files: routes.files,
    tables: network.lfts.told.reduce((sum, told) => sum + told, 0),
    switches: network.lfts.rows,
    pairs: summary.pairs,
    unreachable: summary.unreachable,
    unknown: summary.unknown,
    hops: summary.hops,
    creditLoops: creditLoops.length,
    loops: summary.loops.length,
    fromA: columns(links.a),
    fromB: columns(links.b),
    findings,
    diagnostics: routes.diagnostics,
  });
}

/** Pairs named of one direction. */
const pairsListed = 200;

export interface AcrossInput {
  /** `0x<node GUID>:<port>` of end A. */
  readonly link: string;
  /** Only pairs with this in the name of either host; empty for all. */
  readonly filter: string;
}

/** Who talks across a cable: first out of end A, then out of end B. */
export function across(
  held: HeldFabric,
  { link, filter }: AcrossInput,
  progress: HeldProgress,
): Result<readonly AcrossView[], AppError> {
  const known = analysisOf(held, progress);
  if (known === undefined) return noTables(held.name);
  const { fabric } = held;
  const index = findLink(fabric, link);
  if (index === undefined) return err({ kind: "unknown-id", what: "link", id: link });
  const fits = nameFilter(fabric, filter);
  return ok(
    [at(fabric.links.a, index), at(fabric.links.b, index)].map((port) => {
      const { pairs, destinations } = pairsAcross(known.network, port);
      return {
        port,
        known: isTold(known.network, port),
        pairs,
        destinations: destinations.length,
        siblings: siblingsView(held, known, port),
        ...listPairs(known.network, port, fits),
      };
    }),
  );
}

/** True when the node's table is there; an adapter needs none of its own, only its switch's. */
function isTold({ fabric, lfts }: RouteNetwork, port: number): boolean {
  const node = at(fabric.ports.node, port);
  if (nodeKind(fabric, node) !== "switch") return true;
  const row = at(lfts.rowOfNode, node);
  return row !== none && lfts.told[row] === 1;
}

function siblingsView(held: HeldFabric, known: RouteAnalysis & HeldRoutes, port: number): AcrossView["siblings"] {
  const group = siblingsOf(known.network, held.analysis.topology, port);
  if (group === undefined || group.ports.length < 2) return null;
  const others = group.ports
    .filter((other) => other !== port)
    .map((other) => at(known.summary.destinationsOfPort, other));
  return {
    words: group.words,
    count: others.length,
    median: median(others),
    least: Math.min(...others),
    most: Math.max(...others),
  };
}

/** 1 for each port whose host's or node's name has the text, by port; undefined when every port fits. */
function nameFilter(fabric: Fabric, filter: string): ((port: number) => boolean) | undefined {
  const wanted = filter.trim().toLowerCase();
  if (wanted === "") return undefined;
  const fits = new Map<number, boolean>();
  return (port) => {
    const node = at(fabric.ports.node, port);
    let known = fits.get(node);
    if (known === undefined) {
      const host = hostOfNode(fabric, node);
      const name = host === undefined ? nodeName(fabric, node) : `${hostName(fabric, host)} ${nodeName(fabric, node)}`;
      known = name.toLowerCase().includes(wanted);
      fits.set(node, known);
    }
    return known;
  };
}

function listPairs(
  network: RouteNetwork,
  port: number,
  fits: ((port: number) => boolean) | undefined,
): { readonly matching: number; readonly list: readonly RoutedPair[] } {
  const list: RoutedPair[] = [];
  let matching = 0;
  visitPairsAcross(network, port, (to, lid, sources) => {
    const all = fits === undefined || fits(to);
    if (all && list.length >= pairsListed) {
      matching += sources.length;
      return;
    }
    for (const from of sources) {
      if (!all && !fits(from)) continue;
      matching += 1;
      if (list.length < pairsListed) list.push({ from, to, lid });
    }
  });
  return { matching, list };
}

export interface WayInput {
  /** `0x<node GUID>:<port>` of adapter ports. */
  readonly from: string;
  readonly to: string;
}

/** The way of one pair of adapter ports, to the base LID of the second. */
export function way(held: HeldFabric, { from, to }: WayInput, progress: HeldProgress): Result<RouteView, AppError> {
  const routes = held.routes(progress);
  if (routes === undefined) return noTables(held.name);
  const { fabric } = held;
  const start = findPort(fabric, from);
  const end = findPort(fabric, to);
  if (start === undefined || end === undefined) {
    return err({ kind: "unknown-id", what: "node", id: start === undefined ? from : to });
  }
  const lid = at(fabric.ports.lid, end);
  const node = at(fabric.ports.node, start);
  const path = routePath(routes.network, { node, port: start }, lid);
  return ok({
    from: start,
    to: end,
    lid,
    arrives: path.end.kind === "arrived",
    end: endSentence(fabric, path),
    hops: stepsToHops(
      fabric,
      node,
      path.hops.map(({ out }) => at(fabric.ports.link, out)),
    ),
  });
}
