/** Drawing → what the scene draws: everything that Cytoscape does not hold. */
import { healths } from "../../shared/analyse/results.ts";
import { isLacking, type Drawing } from "./drawing.ts";
import { nodeClassBits, nodeShapes } from "./scene-nodes.ts";
import type { ScenePaint, SceneShape } from "./scene-renderer.ts";
import type { ViewGraph, ViewNode } from "./view-types.ts";

/** Colours of nodes in the scene, quiet first; the position is the class. */
const nodeTokens = ["--t3", "--edge", "--ctl", "--t1", "--warn-line", "--error-line"] as const;
const [quietHost, quietBlock, box, manager, warning, error] = nodeTokens.map((_, code) => code);
const warningCode = healths.indexOf("warning");

/** @param nodes,links drawn by Cytoscape */
export function sceneOf(
  drawing: Drawing,
  nodes: readonly number[],
  links: readonly number[],
): { readonly shape: SceneShape; readonly paint: ScenePaint } {
  const { geometry, graph, picture, palette } = drawing;
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
      nodeShape: shapesOf(graph),
      crowding: drawing.layout.hub?.crowding ?? 1,
    },
    paint: {
      ...linesOf(drawing),
      linkWidth: picture.linkWidth,
      linkHidden,
      nodeClass: nodeClasses(drawing),
      nodeHidden,
      nodeColours: nodeTokens.map((token) => palette.colour(token)),
      loudFrom: warning ?? 0,
      canvas: palette.colour("--canvas"),
      ground: palette.colour("--raised"),
      blockGround: palette.colour("--panel"),
    },
  };
}

/** Each class twice, the second for links with a finding: those stand out under every overlay. Last what lacks cables. */
function linesOf(drawing: Drawing): Pick<ScenePaint, "lines" | "linkClass"> {
  const { classes, picture, palette, graph } = drawing;
  const quiet = classes.classes.map((own, look) => ({
    ...{ look, line: own.line, loud: own.loud },
    colour: palette.colour(own.token),
  }));
  const loud = quiet.map((own) => ({ ...own, loud: true }));
  const lacking = { look: 0, line: "solid" as const, loud: true, colour: palette.colour("--warn-line") };
  const linkClass = picture.linkClass.map((own, link) => {
    if (graph.links.lacking[link] === 1 && isLacking(drawing, link)) return quiet.length * 2;
    return picture.linkGlyph[link] === 0 ? own : own + quiet.length;
  });
  return { lines: [...quiet, ...loud, lacking], linkClass };
}

/** What only depends on the graph is worked out once for it. */
const shapes = new WeakMap<ViewGraph, Uint8Array>();

function shapesOf(graph: ViewGraph): Uint8Array {
  let codes = shapes.get(graph);
  if (codes === undefined)
    shapes.set(graph, (codes = Uint8Array.from(graph.nodes, (node) => nodeShapes.indexOf(shapeOf(node)))));
  return codes;
}

/** Outline of a drawn node. */
function shapeOf(node: ViewNode): (typeof nodeShapes)[number] {
  switch (node.kind) {
    case "host":
    case "fold":
    case "router":
    case "plane":
      return node.kind;
    case "pod":
    case "group":
      return "block";
    case "aggregation":
      return "round";
    case "switch":
      return node.level === 2 ? "spine" : node.level >= 3 ? "core" : "leaf";
    case "adapter":
    case "director":
      return "leaf";
  }
}

function nodeClasses({ graph, picture, incidence }: Drawing): Uint8Array {
  return Uint8Array.from(graph.nodes, (node, i) => {
    const bits = (picture.nodeFaint[i] === 0 ? 0 : nodeClassBits.faint) | (node.reached ? 0 : nodeClassBits.unreached);
    let { health } = node;
    if (node.kind === "host") {
      for (let k = incidence.start[i] ?? 0; k < (incidence.start[i + 1] ?? 0); k++) {
        health = Math.max(health, picture.linkGlyph[incidence.link[k] ?? 0] ?? 0);
      }
    }
    return bits | (colourOf(node, health) ?? 0);
  });
}

function colourOf(node: ViewNode, health: number): number | undefined {
  if (health > warningCode) return error;
  if (health === warningCode) return warning;
  if (node.kind === "host") return node.manager === undefined ? quietHost : manager;
  return node.kind === "pod" || node.kind === "group" ? quietBlock : box;
}
