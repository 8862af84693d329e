/** Which class of the overlay the links inside folded pods and groups have: colours of their matrix and of their hosts. Pure. */
import { at } from "../../shared/fabric/access.ts";
import { none } from "../../shared/fabric/model.ts";
import type { Drawing } from "./drawing.ts";
import type { Classes } from "./overlay.ts";
import type { ViewGraph } from "./view-types.ts";

export interface InnerClasses {
  /** Class of each cell, the loudest of its links; meaningless where there is no cable. */
  readonly cells: Uint8Array;
  /** Class that most cells have. */
  readonly usual: number;
  /** Class that most links to hosts have, -1 without any. */
  readonly hosts: number;
}

let last:
  | { readonly graph: ViewGraph; readonly classes: Classes; readonly inner: ReadonlyMap<number, InnerClasses> }
  | undefined;

/** What the overlay says of the links inside a block; undefined under health, which its cells have of their own. */
export function innerOf({ classes, graph }: Drawing, node: number): InnerClasses | undefined {
  return classes.title === "Health" ? undefined : innerClasses(graph, classes).get(node);
}

/** Colour of a class of links inside a block. */
export function tokenOfClass({ classes }: Drawing, look: number): string {
  if (classes.title === "Health") return "--ok-line";
  return classes.classes[look]?.token ?? "--unknown-line";
}

/** By drawn node that has a matrix. O(links), worked out once for a graph under an overlay. */
export function innerClasses(graph: ViewGraph, classes: Classes): ReadonlyMap<number, InnerClasses> {
  // Two pictures are never drawn in turn, so the newest one is enough.
  if (last?.graph === graph && last.classes === classes) return last.inner;
  const found = new Map<number, { cells: Uint8Array; counts: Uint32Array; hosts: Uint32Array }>();
  for (const [node, { health }] of graph.cells) {
    const size = Math.max(1, classes.classes.length);
    found.set(node, {
      cells: new Uint8Array(health.length),
      counts: new Uint32Array(size),
      hosts: new Uint32Array(size),
    });
  }
  const { insideOfFabricLink, cellOfFabricLink } = graph;
  for (let link = 0; found.size > 0 && link < insideOfFabricLink.length; link++) {
    const own = found.get(insideOfFabricLink[link] ?? none);
    if (own === undefined) continue;
    const look = classes.ofLink[link] ?? 0;
    const cell = cellOfFabricLink[link] ?? none;
    if (cell === none) own.hosts[look] = at(own.hosts, look) + 1;
    else {
      own.cells[cell] = Math.max(at(own.cells, cell), look);
      own.counts[look] = at(own.counts, look) + 1;
    }
  }
  const most = (counts: Uint32Array): number => counts.reduce((best, n, i) => (n > at(counts, best) ? i : best), 0);
  const inner = new Map(
    [...found].map(([node, { cells, counts, hosts }]) => {
      const host = most(hosts);
      return [node, { cells, usual: most(counts), hosts: at(hosts, host) === 0 ? -1 : host }];
    }),
  );
  last = { graph, classes, inner };
  return inner;
}
