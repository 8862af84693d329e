/** What every view graph must hold to: nothing lost, nothing twice, nothing over something else. */
import type { Geometry } from "../../renderer/graph/geometry.ts";
import { membersOf, missingOf, type ViewGraph } from "../../renderer/graph/view-types.ts";
import type { Analysis } from "../../shared/analyse/results.ts";
import { adaptersOfHost, at, nodeKind } from "../../shared/fabric/access.ts";
import { type Fabric, none } from "../../shared/fabric/model.ts";

/** Nodes that nothing shows, and drawn nodes whose number of hosts is not that of the hosts they show. */
export function nodesAstray(fabric: Fabric, graph: ViewGraph): readonly string[] {
  const astray: string[] = [];
  const held = new Uint32Array(graph.nodes.length);
  for (let node = 0; node < fabric.nodes.count; node += 1) {
    if (graph.nodes[at(graph.nodeOfFabricNode, node)] === undefined) astray.push(`node ${node} is not shown`);
  }
  for (let host = 0; host < fabric.hosts.count; host += 1) {
    const shown = new Set(adaptersOfHost(fabric, host).map((node) => at(graph.nodeOfFabricNode, node)));
    const [drawn] = shown;
    if (drawn === undefined || shown.size !== 1 || drawn >= held.length) astray.push(`host ${host}`);
    else held[drawn] = at(held, drawn) + 1;
  }
  graph.nodes.forEach((node, i) => {
    if (node.hosts !== at(held, i)) astray.push(`${node.kind} ${node.label} says ${node.hosts}, shows ${at(held, i)}`);
    if (node.part !== undefined && node.part.hosts.length !== node.hosts) astray.push(`part ${node.part.name}`);
  });
  if (new Set(graph.nodes.map(({ id }) => id)).size !== graph.nodes.length) astray.push("two nodes have one id");
  return astray;
}

/** Links and missing links that are not in exactly one drawn link or inside exactly one drawn node. */
export function linksAstray(fabric: Fabric, analysis: Analysis, graph: ViewGraph): readonly string[] {
  const astray: string[] = [];
  const times = new Uint8Array(fabric.links.count);
  const gaps = new Uint8Array(analysis.missingLinks.length);
  const nodeOfEnd = (port: number): number => at(graph.nodeOfFabricNode, at(fabric.ports.node, port));
  const cables = new Map<string, number>();
  for (let link = 0; link < graph.links.count; link += 1) {
    const ends = [at(graph.links.source, link), at(graph.links.target, link)].sort((x, y) => x - y);
    for (const member of membersOf(graph.links, link)) {
      times[member] = at(times, member) + 1;
      const own = [nodeOfEnd(at(fabric.links.a, member)), nodeOfEnd(at(fabric.links.b, member))].sort((x, y) => x - y);
      if (own.join() !== ends.join()) astray.push(`link ${member} joins other nodes`);
      if (at(graph.linkOfFabricLink, member) !== link) astray.push(`link ${member} is told to be elsewhere`);
    }
    for (const gap of missingOf(graph.links, link)) gaps[gap] = at(gaps, gap) + 1;
    cables.set(ends.join(), (cables.get(ends.join()) ?? 0) + membersOf(graph.links, link).length);
  }
  for (let link = 0; link < graph.links.count; link += 1) {
    const ends = [at(graph.links.source, link), at(graph.links.target, link)].sort((x, y) => x - y);
    const isHost = ends.some((end) => graph.nodes[end]?.kind === "host");
    if (!isHost && at(graph.links.present, link) !== cables.get(ends.join())) astray.push(`count of link ${link}`);
  }
  for (let link = 0; link < fabric.links.count; link += 1) {
    const inside = at(graph.insideOfFabricLink, link);
    if (inside !== none) {
      if (isShownAlone(fabric, graph, link, inside)) astray.push(`link ${link} of a node to itself is hidden in it`);
      times[link] = at(times, link) + 1;
      const ends = [nodeOfEnd(at(fabric.links.a, link)), nodeOfEnd(at(fabric.links.b, link))];
      if (ends.some((end) => end !== inside)) astray.push(`link ${link} is not inside its node`);
    }
    if (at(times, link) !== 1) astray.push(`link ${link} is drawn ${at(times, link)} times`);
  }
  gaps.forEach((n, gap) => {
    const inside = at(graph.insideOfMissing, gap) === none ? 0 : 1;
    if (n + inside !== 1) astray.push(`missing link ${gap} is drawn ${n + inside} times`);
  });
  return astray;
}

/** A cable from a node to itself is a link where the node is drawn alone; what sits inside a switch is not. */
function isShownAlone(fabric: Fabric, graph: ViewGraph, link: number, node: number): boolean {
  const kind = graph.nodes[node]?.kind ?? "fold";
  const ends = [at(fabric.links.a, link), at(fabric.links.b, link)].map((port) => at(fabric.ports.node, port));
  return (
    ["switch", "router", "adapter", "host"].includes(kind) &&
    ends.every((end) => nodeKind(fabric, end) !== "aggregation")
  );
}

/** Pairs of drawn nodes that share more than a hair of area. */
export function overlaps(graph: ViewGraph, geometry: Geometry): readonly string[] {
  const hair = 0.05;
  const left = (i: number): number => at(geometry.x, i) - at(geometry.width, i) / 2;
  const order = Array.from(geometry.x.keys()).sort((a, b) => left(a) - left(b));
  const words = (i: number): string =>
    `${graph.nodes[i]?.kind ?? ""} ${graph.nodes[i]?.label ?? ""} at ${at(geometry.x, i).toFixed(1)} ${at(geometry.y, i).toFixed(1)}, ${at(geometry.width, i).toFixed(1)} × ${at(geometry.height, i).toFixed(1)}`;
  const found: string[] = [];
  for (const [k, a] of order.entries()) {
    for (let next = k + 1; next < order.length; next += 1) {
      const b = order[next] ?? 0;
      if (left(b) + hair >= at(geometry.x, a) + at(geometry.width, a) / 2) break;
      const apart = Math.abs(at(geometry.y, a) - at(geometry.y, b));
      if (apart + hair < (at(geometry.height, a) + at(geometry.height, b)) / 2)
        found.push(`${words(a)} over ${words(b)}`);
    }
  }
  return found;
}
