/** What Cytoscape holds: the few things that the user touches or that carry something. Pure. */
import { at } from "../../shared/fabric/access.ts";
import type { Drawing } from "./drawing.ts";

/** Each costs Cytoscape a third of a millisecond whenever looks change; the scene draws the rest in the same shapes. */
const mostLinks = 80;
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

/** Links that carry something: path, selection and the selected node's own first, then findings and slow ones, worst first. */
export function liftedLinks(drawing: Drawing): readonly number[] {
  const { picture, classes, emphasis, graph, incidence } = drawing;
  const lifted = new Set<number>(emphasis.path.keys());
  if (emphasis.selectedLink >= 0) lifted.add(emphasis.selectedLink);
  if (emphasis.selectedNode >= 0) {
    const own = incidence.link.subarray(
      at(incidence.start, emphasis.selectedNode),
      at(incidence.start, emphasis.selectedNode + 1),
    );
    for (const link of own.subarray(0, mostOwnLinks)) if (picture.linkHidden[link] === 0) lifted.add(link);
  }
  const loud: { link: number; rank: number }[] = [];
  for (let link = 0; link < graph.links.count; link++) {
    if (picture.linkHidden[link] !== 0) continue;
    const look = at(picture.linkClass, link);
    const glyph = at(picture.linkGlyph, link);
    if (glyph > 0 || classes.classes[look]?.loud === true) loud.push({ link, rank: glyph * 64 + look });
  }
  loud.sort((a, b) => b.rank - a.rank || a.link - b.link);
  for (const { link } of loud) {
    if (lifted.size >= mostLinks) break;
    lifted.add(link);
  }
  return [...lifted].sort((a, b) => a - b);
}
