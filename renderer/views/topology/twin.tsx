import { useDeferredValue, useMemo } from "react";
import { count, visibleText } from "../../../shared/base/text.ts";
import { at } from "../../../shared/fabric/access.ts";
import type { GraphModel } from "../../graph/graph-model.ts";
import type { Measured } from "../../graph/overlay.ts";
import { drawnOf, targetOfNode, type Target } from "../../graph/target.ts";
import { membersOf } from "../../graph/view-types.ts";
import { isKnownBlock } from "../inspector/block-facts.ts";
import { describeDirector, describeDrawnLink, describeDrawnNode, spokenBlock, spokenLink } from "./describe.ts";

const mostNodes = 200;
const mostLinks = 64;

/** The picture as a list for those who do not see it: nodes row by row with their links, and what is selected. */
export function Twin({
  model: drawnModel,
  selection: chosen,
  measured,
  onSelect,
}: {
  readonly model: GraphModel;
  readonly selection: Target;
  readonly measured: Measured;
  readonly onSelect: (target: Target) => void;
}) {
  // After the picture: what is said of a large pod takes a while. Both together, a selection is of its model.
  const { model, selection } = useDeferredValue(
    useMemo(() => ({ model: drawnModel, selection: chosen }), [drawnModel, chosen]),
  );
  const drawn = drawnOf(model.fabric, model.graph, selection);
  const order = useMemo(() => nodesByRow(model), [model]);
  const shown = order.slice(0, mostNodes);
  return (
    <div className="visually-hidden">
      <p aria-live="polite">{announcement(model, selection, drawn, measured)}</p>
      <ul aria-label="Nodes of the picture">
        {shown.map((node) => (
          <li key={model.graph.nodes[node]?.id ?? node}>
            <button
              type="button"
              tabIndex={-1}
              aria-current={drawn.node === node}
              onClick={() => onSelect(targetOfNode(model.graph, node))}
            >
              {nodeText(model, node)}
            </button>
            {drawn.node === node ? <LinksOf model={model} node={node} measured={measured} onSelect={onSelect} /> : null}
          </li>
        ))}
        {order.length > shown.length ? (
          <li>{count(order.length - shown.length, "more node")}, see the Nodes view</li>
        ) : null}
      </ul>
    </div>
  );
}

function LinksOf({
  model,
  node,
  measured,
  onSelect,
}: {
  readonly model: GraphModel;
  readonly node: number;
  readonly measured: Measured;
  readonly onSelect: (target: Target) => void;
}) {
  const { incidence, graph } = model;
  const links = Array.from(incidence.link.subarray(at(incidence.start, node), at(incidence.start, node + 1))).flatMap(
    (drawn) => Array.from(membersOf(graph.links, drawn)),
  );
  return (
    <ul aria-label="Links">
      {links.slice(0, mostLinks).map((link) => (
        <li key={link}>
          <button type="button" tabIndex={-1} onClick={() => onSelect({ kind: "link", link })}>
            {visibleText(spokenLink(model, link, measured))}
          </button>
        </li>
      ))}
      {links.length > mostLinks ? <li>{count(links.length - mostLinks, "more link")}, see the Links view</li> : null}
    </ul>
  );
}

function nodesByRow({ graph, geometry }: GraphModel): readonly number[] {
  return graph.nodes
    .map((_, node) => node)
    .sort((a, b) => at(geometry.y, a) - at(geometry.y, b) || at(geometry.x, a) - at(geometry.x, b));
}

function nodeText(model: GraphModel, node: number): string {
  const text = describeDrawnNode(model, node);
  const parts = [text.title, ...text.facts, ...(text.health === "ok" ? [] : [text.health])];
  return visibleText(parts.join(", "));
}

function announcement(
  model: GraphModel,
  selection: Target,
  drawn: { readonly node: number; readonly link: number },
  measured: Measured,
): string {
  if (selection.kind === "nothing") return "";
  if (selection.kind === "link") return visibleText(`Selected: ${spokenLink(model, selection.link, measured)}`);
  if (drawn.link >= 0) return visibleText(`Selected: ${describeDrawnLink(model, drawn.link, measured).title}, down`);
  if (selection.kind === "director") {
    const { title, facts } = describeDirector(model, selection.director);
    return visibleText(`Selected: ${[title, ...facts, drawn.node < 0 ? "open" : "closed"].join(", ")}`);
  }
  if (selection.kind === "block" || selection.kind === "plane") {
    if (!isKnownBlock(model, selection)) return "";
    return visibleText(`Selected: ${spokenBlock(model, selection)}, ${drawn.node < 0 ? "open" : "closed"}`);
  }
  return drawn.node < 0 ? "" : `Selected: ${nodeText(model, drawn.node)}`;
}
