/** Subnet managers in the picture as a watch hears them: nothing is laid out or derived anew for them. */
import { useMemo, useState } from "react";
import type { FabricView } from "../../../shared/contract/views.ts";
import { type Fabric, none } from "../../../shared/fabric/model.ts";
import type { GraphModel } from "../../graph/graph-model.ts";
import { better, managersByNode } from "../../graph/view-graph.ts";
import type { ViewGraph, ViewNode } from "../../graph/view-types.ts";
import { useWatchedFabric } from "../managers/use-watched-fabric.ts";

/** The view graph with the badges of a fabric's managers; the same graph when none of them differs. O(nodes). */
export function withBadges(graph: ViewGraph, fabric: Fabric): ViewGraph {
  const wanted = new Map<number, ViewNode["manager"]>();
  for (const [node, manager] of managersByNode(fabric)) {
    const drawn = graph.nodeOfFabricNode[node] ?? none;
    if (drawn !== none) wanted.set(drawn, better(wanted.get(drawn), manager));
  }
  if (graph.nodes.every((node, drawn) => node.manager === wanted.get(drawn))) return graph;
  const nodes = graph.nodes.map((node, drawn) => {
    const manager = wanted.get(drawn);
    return node.manager === manager ? node : { ...node, manager };
  });
  return { ...graph, nodes };
}

/** What the picture tells of managers, as text: activity counts move with each round and are not drawn. */
function statesOf({ subnetManagers }: Fabric): string {
  return subnetManagers.map(({ node, state, priority }) => `${node ?? ""} ${state} ${priority}`).join("/");
}

/** The watched fabric, the same one while no manager's state has changed. */
function useManagersOfNow(view: FabricView): Fabric {
  const now = useWatchedFabric(view) ?? view.fabric;
  const states = statesOf(now);
  const [kept, keep] = useState({ fabric: now, states });
  if (kept.states === states && kept.fabric.nodes === now.nodes) return kept.fabric;
  keep({ fabric: now, states });
  return now;
}

/**
 * A model with the managers of now: `drawn` for the picture, with the fabric's own object, by which much is remembered;
 * `told` for words about its nodes.
 */
export function useLiveBadges(
  view: FabricView,
  model: GraphModel | undefined,
): { readonly drawn: GraphModel | undefined; readonly told: GraphModel | undefined } {
  const fabric = useManagersOfNow(view);
  return useMemo(() => {
    if (model === undefined) return { drawn: undefined, told: undefined };
    const graph = withBadges(model.graph, fabric);
    const drawn = graph === model.graph ? model : { ...model, graph };
    return { drawn, told: fabric === model.fabric ? drawn : { ...drawn, fabric } };
  }, [model, fabric]);
}
