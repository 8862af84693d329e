/** Camera arithmetic: what zoom and pan show a rectangle. Pure. */

export interface Camera {
  readonly zoom: number;
  readonly x: number;
  readonly y: number;
}

export interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Room kept free around the picture: tier labels at the left, badges below the hosts. Px. */
export const margins = { left: 62, right: 18, top: 42, bottom: 46 } as const;
/** With the minimap in the corner, what is flown to stays above it. Px. */
const minimapBottom = 122;
export const zoomLimits = { least: 0.01, most: 24 } as const;

/** Shows a rectangle inside the margins, at most `most` times its size; `minimap`: and above the minimap, where there is room. */
export function fitCamera(box: Rectangle, width: number, height: number, most = 1, minimap = false): Camera {
  const roomX = Math.max(40, width - margins.left - margins.right);
  const roomY = Math.max(
    40,
    height - margins.top - (minimap && height > 3 * minimapBottom ? minimapBottom : margins.bottom),
  );
  const fit = Math.min(roomX / Math.max(1, box.right - box.left), roomY / Math.max(1, box.bottom - box.top));
  const zoom = Math.max(zoomLimits.least, Math.min(fit, most));
  return {
    zoom,
    x: margins.left + roomX / 2 - ((box.left + box.right) / 2) * zoom,
    y: margins.top + roomY / 2 - ((box.top + box.bottom) / 2) * zoom,
  };
}

/** Same place, other zoom: the point (x, y) of the window stays. */
export function zoomAt(camera: Camera, zoom: number, x: number, y: number): Camera {
  const next = Math.max(zoomLimits.least, Math.min(zoomLimits.most, zoom));
  const ratio = next / camera.zoom;
  return { zoom: next, x: x - (x - camera.x) * ratio, y: y - (y - camera.y) * ratio };
}

/** World rectangle that is seen. */
export function seenBy(camera: Camera, width: number, height: number): Rectangle {
  return {
    left: -camera.x / camera.zoom,
    top: -camera.y / camera.zoom,
    right: (width - camera.x) / camera.zoom,
    bottom: (height - camera.y) / camera.zoom,
  };
}

/** True when the rectangle is wholly seen, give or take a px. */
export function seesAll(camera: Camera, width: number, height: number, box: Rectangle): boolean {
  const seen = seenBy(camera, width, height);
  const slack = 2 / camera.zoom;
  return (
    box.left >= seen.left - slack &&
    box.right <= seen.right + slack &&
    box.top >= seen.top - slack &&
    box.bottom <= seen.bottom + slack
  );
}
