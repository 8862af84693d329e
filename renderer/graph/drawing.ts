/** Everything that one frame of the picture is drawn from. */
import type { Analysis } from "../../shared/analyse/results.ts";
import { at } from "../../shared/fabric/access.ts";
import type { Fabric } from "../../shared/fabric/model.ts";
import type { Camera } from "./camera.ts";
import type { Geometry } from "./geometry.ts";
import type { Layout } from "./layout-types.ts";
import type { Classes } from "./overlay.ts";
import type { Palette } from "./palette.ts";
import type { Incidence, Picture, ShortLabels } from "./picture.ts";
import type { Pill } from "./pills.ts";
import type { Structure } from "./structure.ts";
import { membersOf, type ViewGraph } from "./view-types.ts";

/** What stands out: drawn nodes and links by index, -1 for none. */
export interface Emphasis {
  readonly selectedNode: number;
  readonly selectedLink: number;
  /** Position in `structure.directors`: an open one has an outline, but no node. */
  readonly selectedDirector: number;
  /** Position of a pod or a group, and of a plane in `layout.planes`: an open one has an outline, but no node. */
  readonly selectedBlock: number;
  readonly selectedPlane: number;
  /** Drawn links of the path: 1 when it runs from end A to end B, -1 the other way. */
  readonly path: ReadonlyMap<number, 1 | -1>;
  readonly pathNodes: ReadonlySet<number>;
  /** The path is being measured now. */
  readonly running: boolean;
}

export interface Drawing {
  readonly fabric: Fabric;
  readonly analysis: Analysis;
  readonly structure: Structure;
  readonly layout: Layout;
  readonly graph: ViewGraph;
  readonly geometry: Geometry;
  readonly incidence: Incidence;
  readonly shortLabels: ShortLabels;
  readonly classes: Classes;
  readonly picture: Picture;
  readonly emphasis: Emphasis;
  readonly pills: ReadonlyMap<number, Pill>;
  /** Class that the legend points at; -1 none. */
  readonly focus: number;
  /** Name of each row: `Leaf`. */
  readonly rowNames: ReadonlyMap<number, string>;
  readonly palette: Palette;
}

/** One frame: the drawing, the camera, and the size of the canvas in px. */
export interface Frame {
  readonly drawing: Drawing;
  readonly camera: Camera;
  readonly width: number;
  readonly height: number;
}

export function hasSelection(emphasis: Emphasis): boolean {
  return emphasis.selectedNode >= 0 || emphasis.selectedLink >= 0 || emphasis.path.size > 0;
}

/**
 * True for healthy cables of two nodes that have fewer of them than their siblings, in a bundle or each alone. Under the
 * health overlay they have a warning's colour: the cables that are there are healthy, the bundle is not. Where what is missing is drawn beside it, that says enough.
 */
export function isLacking({ classes, graph, picture, incidence }: Drawing, link: number): boolean {
  const { links } = graph;
  if (links.lacking[link] !== 1 || classes.title !== "Health") return false;
  if (classes.classes[at(picture.linkClass, link)]?.loud === true) return false;
  const ends = [at(links.source, link), at(links.target, link)];
  const [source = 0] = ends;
  const own = incidence.link.subarray(at(incidence.start, source), at(incidence.start, source + 1));
  return !own.some(
    (other) =>
      other !== link &&
      membersOf(links, other).length === 0 &&
      ends.includes(at(links.source, other)) &&
      ends.includes(at(links.target, other)),
  );
}
