/** View graph + layout → flat arrays: where every drawn node and link end is. */
import { at } from "../../shared/fabric/access.ts";
import { attach } from "./attach.ts";
import type { Curves } from "./curve.ts";
import { placeDirector, placeFold, type Place } from "./fold-places.ts";
import type { Frame, Layout } from "./layout-types.ts";
import type { ViewGraph } from "./view-types.ts";

export interface Geometry extends Curves {
  /** Centre and size of each drawn node. */
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly width: Float32Array;
  readonly height: Float32Array;
}

export function placeViewGraph(graph: ViewGraph, layout: Layout): Geometry {
  const count = graph.nodes.length;
  const x = new Float32Array(count);
  const y = new Float32Array(count);
  const width = new Float32Array(count);
  const height = new Float32Array(count);
  const looks = new Uint8Array(count);
  const frames = new Map<number, Frame>(layout.frames.map((frame) => [frame.cluster, frame]));
  const planes = new Map<number, Frame>(layout.planes.map((frame) => [frame.cluster, frame]));
  const put = (i: number, place: Place): void => {
    x[i] = place.x;
    y[i] = place.y;
    width[i] = place.width;
    height[i] = place.height;
    looks[i] = place.looks;
  };
  graph.nodes.forEach((node, i) => {
    switch (node.kind) {
      case "host":
        x[i] = at(layout.hostX, node.host);
        y[i] = at(layout.hostY, node.host);
        width[i] = at(layout.hostWidth, node.host);
        height[i] = at(layout.hostHeight, node.host);
        looks[i] = at(layout.blockFacing, node.block);
        break;
      case "fold":
        put(i, placeFold(layout, node));
        break;
      case "director":
        put(i, placeDirector(layout, node.boxes ?? new Uint32Array(0)));
        break;
      case "pod":
      case "group":
      case "plane": {
        const frame = (node.kind === "plane" ? planes : frames).get(node.cluster);
        if (frame === undefined) break;
        x[i] = frame.x + frame.width / 2;
        y[i] = frame.y + frame.height / 2;
        width[i] = frame.width;
        height[i] = frame.height;
        looks[i] = frame.facing;
        break;
      }
      case "switch":
      case "router":
      case "aggregation":
      case "adapter":
        x[i] = at(layout.boxX, node.box);
        y[i] = at(layout.boxY, node.box);
        width[i] = at(layout.boxWidth, node.box);
        height[i] = at(layout.boxHeight, node.box);
        looks[i] = at(layout.boxFacing, node.box);
    }
  });
  const places = { x, y, width, height, looks };
  return { x, y, width, height, ...attach(graph, places, layout.hub) };
}
