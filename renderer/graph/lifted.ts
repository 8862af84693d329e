/** What Cytoscape holds: the few things that the user touches. Pure. */
import { at } from "../../shared/fabric/access.ts";
import type { Drawing } from "./drawing.ts";
import { isLoop } from "./view-types.ts";

/** Each costs Cytoscape a third of a millisecond whenever looks change; the scene draws the rest in the same shapes. */
const mostOwnLinks = 80;

/** Nodes for Cytoscape: the ends of lifted links, what is selected, and the path. */
export function liftedNodes({ graph, emphasis }: Drawing, links: readonly number[]): readonly number[] {
  const needed = new Set<number>(emphasis.pathNodes);
  for (const link of links) {
    needed.add(at(graph.links.source, link));
    needed.add(at(graph.links.target, link));
  }
  if (emphasis.selectedNode >= 0) needed.add(emphasis.selectedNode);
  return [...needed].sort((a, b) => a - b);
}

/** Links of the path, the selected one, the selected node's own. */
export function liftedLinks({ graph, picture, emphasis, incidence }: Drawing): readonly number[] {
  const lifted = new Set<number>(emphasis.path.keys());
  if (emphasis.selectedLink >= 0) lifted.add(emphasis.selectedLink);
  if (emphasis.selectedNode >= 0) {
    const own = incidence.link.subarray(
      at(incidence.start, emphasis.selectedNode),
      at(incidence.start, emphasis.selectedNode + 1),
    );
    // Of more, evenly: a part of a bundle of hundreds must not stand out from the rest.
    const step = Math.max(1, own.length / mostOwnLinks);
    for (let i = 0; i < own.length; i += step) {
      const link = at(own, Math.floor(i));
      if (picture.linkHidden[link] === 0) lifted.add(link);
    }
  }
  // Cytoscape draws these in a shape of its own: the marks bring them out instead.
  return [...lifted].filter((link) => !isLoop(graph.links, link)).sort((a, b) => a - b);
}
