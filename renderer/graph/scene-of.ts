/** Drawing → what the scene draws: everything that Cytoscape does not hold. */
import { healths } from "../../shared/analyse/results.ts";
import type { Drawing } from "./drawing.ts";
import type { ScenePaint, SceneShape } from "./scene-renderer.ts";

/** Colours of nodes in the scene, quiet first; the position is the class. */
const nodeTokens = ["--t3", "--ctl", "--t1", "--warn-line", "--error-line"] as const;
const warningCode = healths.indexOf("warning");

/** @param nodes,links drawn by Cytoscape */
export function sceneOf(
  drawing: Drawing,
  nodes: readonly number[],
  links: readonly number[],
): { readonly shape: SceneShape; readonly paint: ScenePaint } {
  const { geometry, graph, picture, classes, palette } = drawing;
  const linkHidden = picture.linkHidden.slice();
  // 2: drawn elsewhere, but the pointer finds it.
  for (const link of links) if (linkHidden[link] === 0) linkHidden[link] = 2;
  const nodeHidden = picture.nodeHidden.slice();
  for (const node of nodes) nodeHidden[node] = 1;
  return {
    shape: {
      x1: geometry.x1,
      y1: geometry.y1,
      x2: geometry.x2,
      y2: geometry.y2,
      curve: geometry.curve,
      cx: geometry.cx,
      cy: geometry.cy,
      nodeX: geometry.x,
      nodeY: geometry.y,
      nodeWidth: geometry.width,
      nodeHeight: geometry.height,
      nodeFramed: Uint8Array.from(graph.nodes, (node) => (node.kind === "host" ? 0 : 1)),
    },
    paint: {
      lines: classes.classes.map((look) => ({ colour: palette.colour(look.token), line: look.line, loud: look.loud })),
      linkClass: picture.linkClass,
      linkWidth: picture.linkWidth,
      linkHidden,
      nodeClass: Uint8Array.from(graph.nodes, (node) => {
        if (node.health > warningCode) return 4;
        if (node.health === warningCode) return 3;
        if (node.kind !== "host") return 1;
        return node.manager === undefined ? 0 : 2;
      }),
      nodeHidden,
      nodeColours: nodeTokens.map((token) => palette.colour(token)),
      ground: palette.colour("--raised"),
    },
  };
}
