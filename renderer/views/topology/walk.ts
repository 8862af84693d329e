/** Arrow keys on the picture: up and down along links to the next row, left and right to the sibling. Pure. */
import { at } from "../../../shared/fabric/access.ts";
import { drawnOfBlock } from "../../graph/block-frames.ts";
import type { GraphModel } from "../../graph/graph-model.ts";
import { drawnOf, drawnOfDirector, type Target } from "../../graph/target.ts";

export type Direction = "up" | "down" | "left" | "right";

/** Drawn node that a walk along the links starts from: of a link its end A, of an open director its first chip, of an open pod its first switch; -1 for nothing. */
export function standOf(model: GraphModel, selection: Target): number {
  if (selection.kind === "director") return drawnOfDirector(model, selection.director)[0] ?? -1;
  if (selection.kind === "block" || selection.kind === "plane") return drawnOfBlock(model, selection)[0] ?? -1;
  const drawn = drawnOf(model.fabric, model.graph, selection);
  return drawn.link >= 0 ? (model.graph.links.source[drawn.link] ?? -1) : drawn.node;
}

/** Drawn node reached from `from` (-1: nothing is selected yet); undefined when there is none that way. */
export function step(model: GraphModel, from: number, direction: Direction): number | undefined {
  const { geometry, graph } = model;
  if (from < 0) return topLeft(model);
  if (direction === "left" || direction === "right") {
    const row = graph.nodes
      .map((node, index) => ({ node, index }))
      .filter(({ node }) => node.level === graph.nodes[from]?.level)
      .sort(
        (a, b) =>
          at(geometry.x, a.index) - at(geometry.x, b.index) || at(geometry.y, a.index) - at(geometry.y, b.index),
      );
    const here = row.findIndex(({ index }) => index === from);
    return row[here + (direction === "right" ? 1 : -1)]?.index;
  }
  const up = direction === "up";
  let best: number | undefined;
  let bestDistance = Infinity;
  for (const other of neighbours(model, from)) {
    const rise = at(geometry.y, from) - at(geometry.y, other);
    if (up ? rise <= 1 : rise >= -1) continue;
    // The nearest row first, in it the node that stands straightest above or below.
    const distance = Math.abs(rise) * 1000 + Math.abs(at(geometry.x, other) - at(geometry.x, from));
    if (distance >= bestDistance) continue;
    best = other;
    bestDistance = distance;
  }
  return best;
}

function neighbours({ incidence, graph }: GraphModel, node: number): number[] {
  const found: number[] = [];
  for (let i = at(incidence.start, node); i < at(incidence.start, node + 1); i++) {
    const link = at(incidence.link, i);
    const source = at(graph.links.source, link);
    found.push(source === node ? at(graph.links.target, link) : source);
  }
  return found;
}

function topLeft({ geometry, graph }: GraphModel): number | undefined {
  let best: number | undefined;
  for (let node = 0; node < graph.nodes.length; node++) {
    if (best === undefined) best = node;
    const dy = at(geometry.y, node) - at(geometry.y, best);
    if (dy < -1 || (dy <= 1 && at(geometry.x, node) < at(geometry.x, best))) best = node;
  }
  return best;
}
