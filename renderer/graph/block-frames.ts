/** Outlines of pods, groups and planes that are drawn switch by switch: where they are, and which one a point is on. Pure. */
import { at } from "../../shared/fabric/access.ts";
import type { Rectangle } from "./camera.ts";
import type { GraphModel } from "./graph-model.ts";
import { facing, freeEnds, type Frame } from "./layout-types.ts";
import type { ViewGraph } from "./view-types.ts";

/** Px around an outline that the pointer finds it in. */
const reach = 4;
/** Px of the name of a pod, above its outline. */
const title = { width: 58, height: 16 };
/** Px of the strip in a group's outline that its name stands in, and the height from which on it is there. */
const strip = { height: 24, from: 60 };

/** A plane of the core: position in `layout.planes`, name there, core switches as fabric nodes. */
export interface PlaneTarget {
  readonly kind: "plane";
  readonly plane: number;
  readonly name: string;
  readonly switches: readonly number[];
}

/** A pod or a group by position in the analysis' list, or a plane. */
export type BlockTarget = { readonly kind: "block"; readonly block: number } | PlaneTarget;

type Pictured = Pick<GraphModel, "graph" | "layout" | "structure">;

/** Pods or groups (by position) and planes that are drawn as one. */
export function foldedBlocks(graph: ViewGraph): {
  readonly clusters: ReadonlySet<number>;
  readonly planes: ReadonlySet<number>;
} {
  const clusters = new Set<number>();
  const planes = new Set<number>();
  for (const { kind, cluster } of graph.nodes) {
    if (kind === "plane") planes.add(cluster);
    else if (kind === "pod" || kind === "group") clusters.add(cluster);
  }
  return { clusters, planes };
}

/** Outlines of pods and groups, without those that are drawn as one and what stands apart. */
function openFrames({ graph, layout, structure }: Pictured): readonly Frame[] {
  // A single one has no outline; where analysis knows none the picture's own are only an order.
  if (layout.frames.length < 2) return [];
  const { clusters } = foldedBlocks(graph);
  return layout.frames.filter(({ cluster }) => cluster >= 0 && cluster < structure.clusters && !clusters.has(cluster));
}

/** The pod or the group whose outline or name a point is on, -1 for none; its inside is ground. @param px one px in world units */
export function openFrameAt(picture: Pictured, x: number, y: number, px: number): number {
  const near = reach * px;
  const inHub = picture.layout.hub !== undefined;
  const hit = openFrames(picture).find((frame) => {
    const [right, bottom] = [frame.x + frame.width, frame.y + frame.height];
    const around = x >= frame.x - near && x <= right + near && y >= frame.y - near && y <= bottom + near;
    const within = x > frame.x + near && x < right - near && y > frame.y + near && y < bottom - near;
    if (around && !within) return true;
    if (!inHub) return y < frame.y && y > frame.y - title.height * px && x > frame.x && x < frame.x + title.width * px;
    if (!within || frame.height < strip.from * px) return false;
    const below = frame.facing % freeEnds === facing.up;
    return below ? y > bottom - strip.height * px : y < frame.y + strip.height * px;
  });
  return hit?.cluster ?? -1;
}

/** Outline of a pod or a group whether it is open or not; undefined when the picture has none. */
export function frameOfBlock({ layout }: Pick<GraphModel, "layout">, block: number): Rectangle | undefined {
  const frame = layout.frames.find(({ cluster }) => cluster === block);
  return frame === undefined ? undefined : rectangle(frame);
}

function rectangle({ x, y, width, height }: Frame): Rectangle {
  return { left: x, top: y, right: x + width, bottom: y + height };
}

/** The plane that holds the first of some switches, as the picture knows it now; undefined when it has none. */
export function planeOf(
  { layout, structure }: Pick<GraphModel, "layout" | "structure">,
  switches: readonly number[],
): PlaneTarget | undefined {
  for (const node of switches) {
    const box = structure.boxOfNode[node];
    const plane = box === undefined ? -1 : (layout.planeOfBox[box] ?? -1);
    const frame = layout.planes.find(({ cluster }) => cluster === plane);
    if (frame === undefined) continue;
    const own: number[] = [];
    layout.planeOfBox.forEach((of, other) => {
      if (of === plane) own.push(at(structure.boxNode, other));
    });
    return { kind: "plane", plane, name: frame.name, switches: own };
  }
  return undefined;
}

/** Drawn nodes of a pod, a group or a plane: its own node while it is closed, else its switches and hosts. */
export function drawnOfBlock(
  { graph, layout }: Pick<GraphModel, "graph" | "layout">,
  target: BlockTarget,
): readonly number[] {
  const drawn: number[] = [];
  graph.nodes.forEach((node, i) => {
    const own =
      target.kind === "block"
        ? node.kind !== "plane" && node.cluster === target.block
        : (node.kind === "plane" && node.cluster === target.plane) ||
          (node.box < layout.planeOfBox.length && layout.planeOfBox[node.box] === target.plane);
    if (own) drawn.push(i);
  });
  return drawn;
}
