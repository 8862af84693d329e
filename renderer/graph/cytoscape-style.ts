/** Cytoscape's stylesheet: shapes by class, sizes by data, colours from the palette. Strokes keep their px at every zoom. */
import type { EdgeSingular, NodeSingular, StylesheetJson } from "cytoscape";
import { dashesOf } from "./overlay.ts";
import type { Palette } from "./palette.ts";

/** World units of one px at the present zoom; read by the style functions when styles are updated. */
export interface Unit {
  value: number;
}

function numberOf(element: NodeSingular | EdgeSingular, name: string): number {
  const value: unknown = element.data(name);
  return typeof value === "number" ? value : 0;
}

function numbersOf(element: EdgeSingular, name: string): number[] {
  const value: unknown = element.data(name);
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "number") : [];
}

function textOf(element: NodeSingular | EdgeSingular, name: string): string {
  const value: unknown = element.data(name);
  return typeof value === "string" ? value : "";
}

/** The stylesheet for a palette. `unit` may change afterwards: update the style then. */
export function stylesheet(palette: Palette, unit: Unit): StylesheetJson {
  const { colour } = palette;
  const px = (width: number) => (): number => width * unit.value;
  const frame = (token: string, width: number, ground: string) => ({
    "border-color": colour(token),
    "border-width": px(width),
    "background-color": colour(ground),
  });
  return [
    {
      selector: "node",
      style: {
        width: (node: NodeSingular) => numberOf(node, "width"),
        height: (node: NodeSingular) => numberOf(node, "height"),
        shape: "round-rectangle",
        "corner-radius": "4",
        ...frame("--ctl", 1, "--raised"),
        "background-opacity": 1,
        "overlay-opacity": 0,
        "underlay-opacity": 0,
      },
    },
    { selector: "node.spine", style: { shape: "cut-rectangle", "corner-radius": "4.5" } },
    { selector: "node.core", style: { shape: "cut-rectangle", "corner-radius": "8" } },
    { selector: "node.router", style: { shape: "diamond" } },
    { selector: "node.aggregation", style: { shape: "ellipse" } },
    { selector: "node.fold", style: { shape: "round-rectangle", "corner-radius": "8" } },
    {
      selector: "node.block",
      style: {
        shape: "round-rectangle",
        "corner-radius": (node: NodeSingular) => String(Math.min(5 * unit.value, numberOf(node, "height") / 4)),
        ...frame("--edge", 1, "--panel"),
      },
    },
    {
      selector: "node.block.plane",
      style: {
        shape: "cut-rectangle",
        "corner-radius": (node: NodeSingular) => String(Math.min(8 * unit.value, numberOf(node, "height") / 3)),
        ...frame("--ctl", 1, "--raised"),
      },
    },
    { selector: "node.block.warning", style: frame("--warn-line", 1.5, "--panel") },
    { selector: "node.block.error", style: frame("--error-line", 1.5, "--panel") },
    { selector: "node.host", style: { "corner-radius": "1" } },
    {
      selector: "node.square",
      style: { ...frame("--t3", 0, "--t3"), "background-opacity": 0.8 },
    },
    { selector: "node.square.manager", style: { "background-color": colour("--t1"), "background-opacity": 1 } },
    { selector: "node.unreached", style: { "border-style": "dotted" } },
    { selector: "node.note", style: frame("--ctl", 1, "--raised") },
    { selector: "node.warning", style: frame("--warn-line", 1.5, "--raised") },
    { selector: "node.error", style: frame("--error-line", 1.5, "--raised") },
    {
      selector: "node.square.warning",
      style: { "background-color": colour("--warn-line"), "background-opacity": 1, "border-width": 0 },
    },
    {
      selector: "node.square.error",
      style: { "background-color": colour("--error-line"), "background-opacity": 1, "border-width": 0 },
    },
    { selector: "node.tiny", style: { "background-color": colour("--ctl"), "border-width": 0 } },
    { selector: "node.tiny.warning", style: { "background-color": colour("--warn-line") } },
    { selector: "node.tiny.error", style: { "background-color": colour("--error-line") } },
    { selector: "node.faint", style: { opacity: 0.35 } },
    { selector: "node.hover", style: { "background-color": colour("--hover"), "border-color": colour("--t2") } },
    { selector: "node.path", style: frame("--accent", 1.5, "--accent-soft") },
    {
      selector: "node.selected",
      style: {
        ...frame("--accent", 2, "--accent-soft"),
        "underlay-color": colour("--accent"),
        "underlay-opacity": 0.35,
        "underlay-padding": px(3.5),
        "underlay-shape": "round-rectangle",
      },
    },
    {
      selector: "node.square.path, node.square.selected",
      style: { "background-color": colour("--accent"), "background-opacity": 1, "border-width": px(2) },
    },
    {
      selector: "edge",
      style: {
        "curve-style": "straight",
        "source-endpoint": (edge: EdgeSingular) => textOf(edge, "from"),
        "target-endpoint": (edge: EdgeSingular) => textOf(edge, "to"),
        width: (edge: EdgeSingular) => numberOf(edge, "px") * unit.value,
        "line-color": (edge: EdgeSingular) => colour(textOf(edge, "token")),
        "line-opacity": (edge: EdgeSingular) => numberOf(edge, "strength"),
        "line-cap": "butt",
        "overlay-opacity": 0,
        "underlay-opacity": 0,
        "z-index": (edge: EdgeSingular) => numberOf(edge, "order"),
      },
    },
    {
      selector: "edge.arc",
      style: {
        "curve-style": "unbundled-bezier",
        "control-point-distances": (edge: EdgeSingular) => numbersOf(edge, "distances"),
        "control-point-weights": (edge: EdgeSingular) => numbersOf(edge, "weights"),
        "edge-distances": "endpoints",
      },
    },
    ...(["dashed", "dotted", "broken", "dash-dot"] as const).map((line) => ({
      selector: `edge.${line}`,
      style: { "line-style": "dashed", "line-dash-pattern": dashesOf(line) },
    })),
    {
      selector: "edge.hover",
      style: {
        "underlay-color": colour("--t2"),
        "underlay-opacity": 0.25,
        "underlay-padding": px(2.5),
      },
    },
    {
      selector: "edge.path",
      style: {
        "underlay-color": colour("--accent"),
        "underlay-opacity": 0.5,
        "underlay-padding": px(1.6),
      },
    },
    {
      selector: "edge.selected",
      style: {
        "underlay-color": colour("--accent"),
        "underlay-opacity": 0.42,
        "underlay-padding": px(3),
      },
    },
  ] as StylesheetJson;
}
