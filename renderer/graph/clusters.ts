/** Which pods, groups and planes of the core are drawn as one block. Pure. */
import { at } from "../../shared/fabric/access.ts";
import type { Layout } from "./layout-types.ts";
import { boxesOfBlock, blockCount, type Structure } from "./structure.ts";

/** Blocks drawn whole, by position in `layout.frames` and `layout.planes`. */
export interface Folding {
  readonly clusters: ReadonlySet<number>;
  readonly planes: ReadonlySet<number>;
  readonly planeOfBox: Int32Array;
  readonly clusterNames: ReadonlyMap<number, string>;
  readonly planeNames: ReadonlyMap<number, string>;
}

/** Folds everything but what is opened; `undefined` when there are no blocks to fold. */
export function foldingOf(
  layout: Pick<Layout, "frames" | "planes" | "planeOfBox">,
  opened: ReadonlySet<number>,
  openPlanes: ReadonlySet<number>,
): Folding | undefined {
  const names = (frames: Layout["frames"]): ReadonlyMap<number, string> =>
    new Map(frames.filter((frame) => frame.cluster >= 0).map((frame) => [frame.cluster, frame.name]));
  const clusterNames = names(layout.frames);
  const planeNames = names(layout.planes);
  if (clusterNames.size < 2) return undefined;
  const clusters = new Set([...clusterNames.keys()].filter((cluster) => !opened.has(cluster)));
  const planes = new Set([...planeNames.keys()].filter((plane) => !openPlanes.has(plane)));
  return { clusters, planes, planeOfBox: layout.planeOfBox, clusterNames, planeNames };
}

/** Cluster of each block of hosts: that of its first switch, when that is folded and so are the others'. -1 else. */
export function clusterOfBlocks(structure: Structure, folding: Folding): Int32Array {
  const clusters = new Int32Array(blockCount(structure)).fill(-1);
  for (let block = 0; block < clusters.length; block++) {
    const boxes = boxesOfBlock(structure, block);
    const folded = boxes.length > 0 && boxes.every((box) => folding.clusters.has(at(structure.clusterOfBox, box)));
    if (folded) clusters[block] = at(structure.clusterOfBox, at(boxes, 0));
  }
  return clusters;
}
