/** View graph + layout → flat arrays: where every drawn node and link end is. Ends attach in port order along the node's edge. */
import { at } from "../../shared/fabric/access.ts";
import type { Layout } from "./layout-types.ts";
import type { ViewGraph } from "./view-graph.ts";

export interface Geometry {
  /** Centre and size of each drawn node. */
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly width: Float32Array;
  readonly height: Float32Array;
  /** Ends of each drawn link. */
  readonly x1: Float32Array;
  readonly y1: Float32Array;
  readonly x2: Float32Array;
  readonly y2: Float32Array;
  /** Height of the arc of a link within a row, 0 for a straight one. */
  readonly bend: Float32Array;
}

export function placeViewGraph(graph: ViewGraph, layout: Layout): Geometry {
  const count = graph.nodes.length;
  const x = new Float32Array(count);
  const y = new Float32Array(count);
  const width = new Float32Array(count);
  const height = new Float32Array(count);
  graph.nodes.forEach((node, i) => {
    const [from, index] =
      node.kind === "host"
        ? ([layout.hostX, node.host] as const)
        : node.kind === "fold"
          ? ([layout.foldX, node.block] as const)
          : ([layout.boxX, node.box] as const);
    x[i] = at(from, index);
    if (node.kind === "host") {
      y[i] = at(layout.hostY, index);
      width[i] = at(layout.hostWidth, index);
      height[i] = at(layout.hostHeight, index);
    } else if (node.kind === "fold") {
      y[i] = at(layout.foldY, index);
      width[i] = at(layout.foldWidth, index);
      height[i] = at(layout.foldHeight, index);
    } else {
      y[i] = at(layout.boxY, index);
      width[i] = at(layout.boxWidth, index);
      height[i] = at(layout.boxHeight, index);
    }
  });
  return { x, y, width, height, ...attach(graph, { x, y, width, height }) };
}

/** One end of a link at a node, for sorting along the node's edge. */
interface End {
  readonly link: number;
  /** 0 = end A, 1 = end B. */
  readonly side: 0 | 1;
  readonly port: number;
  readonly otherX: number;
}

function attach(
  graph: ViewGraph,
  place: Pick<Geometry, "x" | "y" | "width" | "height">,
): Pick<Geometry, "x1" | "y1" | "x2" | "y2" | "bend"> {
  const { links } = graph;
  const tops: End[][] = Array.from({ length: graph.nodes.length }, () => []);
  const bottoms: End[][] = Array.from({ length: graph.nodes.length }, () => []);
  const x1 = new Float32Array(links.count);
  const y1 = new Float32Array(links.count);
  const x2 = new Float32Array(links.count);
  const y2 = new Float32Array(links.count);
  const bend = new Float32Array(links.count);
  const isHost = graph.nodes.map((node) => node.kind === "host" || node.kind === "fold");
  for (let link = 0; link < links.count; link++) {
    const a = at(links.source, link);
    const b = at(links.target, link);
    const level = Math.abs(at(place.y, a) - at(place.y, b)) < 1;
    // Hosts hang with their top edge: two of them, or anything in the same row, are joined by an arc.
    const aTop = level || isHost[a] === true || at(place.y, a) > at(place.y, b);
    const bTop = level || isHost[b] === true || at(place.y, b) > at(place.y, a);
    (aTop ? tops : bottoms)[a]?.push({ link, side: 0, port: at(links.sourcePort, link), otherX: at(place.x, b) });
    (bTop ? tops : bottoms)[b]?.push({ link, side: 1, port: at(links.targetPort, link), otherX: at(place.x, a) });
    if (level) bend[link] = Math.min(70, 14 + Math.abs(at(place.x, a) - at(place.x, b)) * 0.16);
  }
  const settle = (ends: End[], node: number, edge: -1 | 1): void => {
    ends.sort((p, q) => p.port - q.port || p.otherX - q.otherX || p.link - q.link);
    const room = at(place.width, node) - Math.min(10, at(place.width, node) * 0.3);
    const y = at(place.y, node) + (edge * at(place.height, node)) / 2;
    ends.forEach((end, i) => {
      const x = at(place.x, node) + ((i + 0.5) / ends.length - 0.5) * room;
      if (end.side === 0) {
        x1[end.link] = x;
        y1[end.link] = y;
      } else {
        x2[end.link] = x;
        y2[end.link] = y;
      }
    });
  };
  tops.forEach((ends, node) => settle(ends, node, -1));
  bottoms.forEach((ends, node) => settle(ends, node, 1));
  return { x1, y1, x2, y2, bend };
}
