/** The drawn node under a point: buckets of nodes by their cell. Nodes do not overlap, so the first hit is the one. */

export class NodeGrid {
  private readonly buckets = new Map<number, number[]>();
  private readonly x: Float32Array;
  private readonly y: Float32Array;
  private readonly width: Float32Array;
  private readonly height: Float32Array;
  private readonly cell: number;

  constructor(place: {
    readonly x: Float32Array;
    readonly y: Float32Array;
    readonly width: Float32Array;
    readonly height: Float32Array;
  }) {
    this.x = place.x;
    this.y = place.y;
    this.width = place.width;
    this.height = place.height;
    this.cell = Math.max(8, ...place.width.slice(0, 4000), ...place.height.slice(0, 4000));
    place.x.forEach((x, node) => {
      const key = this.key(Math.floor(x / this.cell), Math.floor((place.y[node] ?? 0) / this.cell));
      const bucket = this.buckets.get(key);
      if (bucket === undefined) this.buckets.set(key, [node]);
      else bucket.push(node);
    });
  }

  private key(column: number, row: number): number {
    return (column + 50_000) * 100_003 + row + 50_000;
  }

  /** The node whose box, grown by `reach`, holds the point; the nearest of several; -1 for none. */
  at(x: number, y: number, reach: number, hidden: Uint8Array): number {
    let best = -1;
    let bestDistance = Infinity;
    const around = Math.ceil((this.cell / 2 + reach) / this.cell);
    const column = Math.floor(x / this.cell);
    const row = Math.floor(y / this.cell);
    for (let c = column - around; c <= column + around; c++) {
      for (let r = row - around; r <= row + around; r++) {
        for (const node of this.buckets.get(this.key(c, r)) ?? []) {
          if (hidden[node] !== 0) continue;
          const dx = Math.max(0, Math.abs((this.x[node] ?? 0) - x) - (this.width[node] ?? 0) / 2);
          const dy = Math.max(0, Math.abs((this.y[node] ?? 0) - y) - (this.height[node] ?? 0) / 2);
          const distance = Math.max(dx, dy);
          if (distance > reach || distance >= bestDistance) continue;
          best = node;
          bestDistance = distance;
        }
      }
    }
    return best;
  }

  /** Nodes whose box meets a rectangle, by rising index. */
  within(left: number, top: number, right: number, bottom: number): number[] {
    const found: number[] = [];
    for (let node = 0; node < this.x.length; node++) {
      const [x, y] = [this.x[node] ?? 0, this.y[node] ?? 0];
      const [w, h] = [(this.width[node] ?? 0) / 2, (this.height[node] ?? 0) / 2];
      if (x + w >= left && x - w <= right && y + h >= top && y - h <= bottom) found.push(node);
    }
    return found;
  }
}
