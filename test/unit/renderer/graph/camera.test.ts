/** What is flown to is not below the row names, the minimap or the edges. */
import { describe, expect, it } from "vitest";
import { fitCamera } from "../../../../renderer/graph/camera.ts";

const minimap = { width: 198, height: 110 };
const rowNames = 62;

describe("a flight", () => {
  it.each([
    [680, 530],
    [960, 540],
    [2100, 1200],
  ])("keeps its target free of minimap and row names in %d × %d", (width, height) => {
    for (const box of [
      { left: 5000, right: 5060, top: 900, bottom: 920 },
      { left: -20_000, right: 20_000, top: 0, bottom: 9000 },
      { left: 0, right: 30, top: 0, bottom: 9000 },
    ]) {
      const { zoom, x, y } = fitCamera(box, width, height, 9, true);
      expect(box.left * zoom + x).toBeGreaterThanOrEqual(rowNames - 0.5);
      expect(box.right * zoom + x).toBeLessThanOrEqual(width);
      expect(box.top * zoom + y).toBeGreaterThanOrEqual(0);
      expect(box.bottom * zoom + y).toBeLessThanOrEqual(height - minimap.height);
    }
  });
});
