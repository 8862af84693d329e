/** Where a hover card goes: near the pointer, inside the window, not over the hovered line. Pure; px. */

export interface Segment {
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

const gap = 16;
const edge = 6;

export function placeCard(
  pointer: { readonly x: number; readonly y: number },
  card: Size,
  room: Size,
  line: Segment | undefined,
): { readonly left: number; readonly top: number } {
  const lefts = [pointer.x + gap, pointer.x - gap - card.width];
  const tops = [pointer.y + gap, pointer.y - gap - card.height, pointer.y - card.height / 2];
  const places = tops.flatMap((top) => lefts.map((left) => ({ left, top })));
  const inside = places.filter(
    ({ left, top }) =>
      left >= edge && top >= edge && left + card.width <= room.width - edge && top + card.height <= room.height - edge,
  );
  const free = inside.find((place) => line === undefined || !meets(line, place, card));
  const best = free ?? inside[0] ?? places[0] ?? { left: edge, top: edge };
  return {
    left: Math.round(Math.max(edge, Math.min(best.left, room.width - card.width - edge))),
    top: Math.round(Math.max(edge, Math.min(best.top, room.height - card.height - edge))),
  };
}

/** True when a line passes through the card's rectangle (Liang–Barsky clipping). */
function meets(line: Segment, place: { readonly left: number; readonly top: number }, card: Size): boolean {
  const [dx, dy] = [line.x2 - line.x1, line.y2 - line.y1];
  let [from, to] = [0, 1];
  const sides = [
    [-dx, line.x1 - place.left],
    [dx, place.left + card.width - line.x1],
    [-dy, line.y1 - place.top],
    [dy, place.top + card.height - line.y1],
  ] as const;
  for (const [p, q] of sides) {
    if (p === 0) {
      if (q < 0) return false;
      continue;
    }
    const r = q / p;
    if (p < 0) from = Math.max(from, r);
    else to = Math.min(to, r);
    if (from > to) return false;
  }
  return true;
}
