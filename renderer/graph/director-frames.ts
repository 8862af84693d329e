/** Outlines of directors around their chips, as they stand when a director is open. World units. Pure. */
import { at } from "../../shared/fabric/access.ts";
import { outlinesOf } from "./fold-places.ts";
import type { Layout } from "./layout-types.ts";
import type { Structure } from "./structure.ts";
import type { ViewGraph } from "./view-types.ts";

export interface DirectorFrame {
  /** Position in `structure.directors`. */
  readonly director: number;
  readonly name: string;
  readonly boxes: readonly number[];
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

interface Placed {
  readonly structure: Structure;
  readonly layout: Layout;
}

/** Found once for each layout. */
const known = new WeakMap<Layout, readonly DirectorFrame[]>();

function framesOf({ structure, layout }: Placed): readonly DirectorFrame[] {
  let frames = known.get(layout);
  if (frames === undefined) {
    const chips: number[][] = structure.directors.map(() => []);
    structure.directorOfBox.forEach((director, box) => chips[director]?.push(box));
    frames = structure.directors.flatMap((name, director) => {
      const own = chips[director] ?? [];
      if (own.length === 0) return [];
      return outlinesOf(layout, Uint32Array.from(own)).map((boxes) => frameOf(layout, boxes, director, name));
    });
    known.set(layout, frames);
  }
  return frames;
}

/** Outlines of the directors whose chips are drawn one by one: one around all of a box, or one for each run of its chips. */
export function openDirectorFrames(picture: Placed & { readonly graph: ViewGraph }): readonly DirectorFrame[] {
  if (picture.structure.directors.length === 0) return [];
  const shut = new Set(picture.graph.nodes.flatMap(({ director }) => director ?? []));
  const drawn = new Set(picture.graph.nodes.map(({ box }) => box));
  return framesOf(picture).filter(({ director, boxes }) => !shut.has(director) && boxes.every((box) => drawn.has(box)));
}

/** The open director in whose outline, or in whose name above it, a point is; -1 for none. @param px one px in world units */
export function openDirectorAt(
  picture: Placed & { readonly graph: ViewGraph },
  x: number,
  y: number,
  px: number,
): number {
  const side = 8 * px;
  const above = 24 * px;
  const hit = openDirectorFrames(picture).find(
    ({ left, right, top, bottom }) => x >= left - side && x <= right + side && y >= top - above && y <= bottom + side,
  );
  return hit?.director ?? -1;
}

function frameOf(layout: Layout, boxes: readonly number[], director: number, name: string): DirectorFrame {
  const { boxX, boxY, boxWidth, boxHeight } = layout;
  return {
    ...{ director, name, boxes },
    left: Math.min(...boxes.map((box) => at(boxX, box) - at(boxWidth, box) / 2)),
    top: Math.min(...boxes.map((box) => at(boxY, box) - at(boxHeight, box) / 2)),
    right: Math.max(...boxes.map((box) => at(boxX, box) + at(boxWidth, box) / 2)),
    bottom: Math.max(...boxes.map((box) => at(boxY, box) + at(boxHeight, box) / 2)),
  };
}
