/** Points on a drawn link. */
import type { Geometry } from "./geometry.ts";

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Point at t (0 = end A, 1 = end B) in world units. */
export function pointOn(geometry: Geometry, link: number, t: number): Point {
  const x1 = geometry.x1[link] ?? 0;
  const y1 = geometry.y1[link] ?? 0;
  const x2 = geometry.x2[link] ?? 0;
  const y2 = geometry.y2[link] ?? 0;
  const bend = geometry.bend[link] ?? 0;
  if (bend === 0) return { x: x1 + (x2 - x1) * t, y: y1 + (y2 - y1) * t };
  const u = 1 - t;
  const [cx, cy] = [(x1 + x2) / 2, (y1 + y2) / 2 - bend * 2];
  return { x: u * u * x1 + 2 * u * t * cx + t * t * x2, y: u * u * y1 + 2 * u * t * cy + t * t * y2 };
}

/** Point at `t` counted from the lower end. */
export function pointFromBelow(geometry: Geometry, link: number, t: number): Point {
  const aIsLower = (geometry.y1[link] ?? 0) > (geometry.y2[link] ?? 0);
  return pointOn(geometry, link, aIsLower ? t : 1 - t);
}
