import { describe, expect, it } from "vitest";
import { fitCamera, margins, seesAll, zoomAt } from "../../../../renderer/graph/camera.ts";
import { quadratic, straight } from "../../../../renderer/graph/curve.ts";
import { NodeGrid } from "../../../../renderer/graph/node-grid.ts";
import { nearestLink, PickGrid } from "../../../../renderer/graph/pick-grid.ts";

const column = (...values: number[]): Float32Array => Float32Array.from(values);

describe("picking links", () => {
  const curves = {
    x1: column(0, 0, 200),
    y1: column(0, 100, 300),
    x2: column(1000, 1000, 400),
    y2: column(0, 900, 300),
    curve: Uint8Array.from([straight, straight, quadratic]),
    cx: column(0, 0, 300),
    cy: column(0, 0, 200),
  };
  const grid = new PickGrid(curves);
  const all = new Uint8Array(3);

  it("finds the nearest link within reach", () => {
    expect(grid.nearest(500, 3, 5, all)).toBe(0);
    expect(grid.nearest(500, 502, 5, all)).toBe(1);
    expect(grid.nearest(500, 200, 5, all)).toBe(-1);
  });

  it("follows the arc of a curved link", () => {
    expect(grid.nearest(300, 250, 4, all)).toBe(2);
    expect(grid.nearest(300, 300, 4, all)).toBe(-1);
    expect(nearestLink(curves, 300, 250, 4, all)).toBe(2);
    expect(nearestLink(curves, 300, 300, 4, all)).toBe(-1);
  });

  it("passes over filtered links, not over those drawn elsewhere", () => {
    expect(grid.nearest(500, 0, 5, Uint8Array.from([1, 0, 0]))).toBe(-1);
    expect(grid.nearest(500, 0, 5, Uint8Array.from([2, 0, 0]))).toBe(0);
  });

  it("agrees with measuring every link, anywhere", () => {
    let seed = 5;
    const random = (): number => (seed = (seed * 16807) % 2147483647) / 2147483647;
    const values = (): Float32Array => Float32Array.from({ length: 300 }, () => random() * 1000);
    const ends = { x1: values(), y1: values(), x2: values(), y2: values() };
    const segments = { ...ends, curve: new Uint8Array(300), cx: new Float32Array(300), cy: new Float32Array(300) };
    const many = new PickGrid(segments);
    const distance = (i: number, x: number, y: number): number => {
      const [ax, ay] = [segments.x1[i] ?? 0, segments.y1[i] ?? 0];
      const [dx, dy] = [(segments.x2[i] ?? 0) - ax, (segments.y2[i] ?? 0) - ay];
      const t = Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)));
      return Math.hypot(ax + t * dx - x, ay + t * dy - y);
    };
    for (let k = 0; k < 200; k++) {
      const [x, y] = [random() * 1000, random() * 1000];
      const near =
        Array.from({ length: 300 }, (_, i) => i).sort((a, b) => distance(a, x, y) - distance(b, x, y))[0] ?? -1;
      const found = many.nearest(x, y, 8, new Uint8Array(300));
      expect(found).toBe(distance(near, x, y) < 8 ? near : -1);
      // As small pictures do, without a grid.
      expect(nearestLink(segments, x, y, 8, new Uint8Array(300))).toBe(found);
    }
  });
});

describe("picking nodes", () => {
  const grid = new NodeGrid({
    x: column(0, 100, 106),
    y: column(0, 50, 50),
    width: column(60, 5, 5),
    height: column(20, 5, 5),
  });

  it("finds the box under a point, and the nearest of small neighbours", () => {
    const all = new Uint8Array(3);
    expect(grid.at(28, 9, 0, all)).toBe(0);
    expect(grid.at(28, 14, 0, all)).toBe(-1);
    expect(grid.at(28, 14, 5, all)).toBe(0);
    expect(grid.at(103.4, 50, 3, all)).toBe(2);
    expect(grid.at(102.8, 50, 3, all)).toBe(1);
  });

  it("does not find what is filtered out", () => {
    expect(grid.at(0, 0, 3, Uint8Array.from([1, 0, 0]))).toBe(-1);
  });
});

describe("camera", () => {
  const box = { left: 0, top: 0, right: 4000, bottom: 1000 };

  it("fits a picture inside the margins", () => {
    const camera = fitCamera(box, 1000, 600);
    expect(camera.x).toBeGreaterThanOrEqual(margins.left - 0.01);
    expect(camera.x + 4000 * camera.zoom).toBeLessThanOrEqual(1000 - margins.right + 0.01);
    expect(seesAll(camera, 1000, 600, box)).toBe(true);
  });

  it("does not enlarge a small picture", () => {
    expect(fitCamera({ left: 0, top: 0, right: 10, bottom: 10 }, 1000, 600).zoom).toBe(1);
  });

  it("keeps the point under the pointer when zooming", () => {
    const camera = fitCamera(box, 1000, 600);
    const next = zoomAt(camera, camera.zoom * 3, 400, 300);
    expect((400 - next.x) / next.zoom).toBeCloseTo((400 - camera.x) / camera.zoom, 6);
    expect(seesAll(next, 1000, 600, box)).toBe(false);
  });
});
