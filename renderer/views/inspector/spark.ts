/** Geometry of small charts. Pure; no React. */

export interface SparkPoint {
  readonly x: number;
  readonly y: number;
}

/** Range of a chart that always shows the pass line and starts near the lowest value, so that a fall is seen. */
export function sparkRange(values: readonly number[], pass: number): { readonly low: number; readonly high: number } {
  const low = Math.min(...values, pass);
  const high = Math.max(...values, pass, 100);
  return { low: Math.max(0, low - Math.max(2, (high - low) * 0.15)), high };
}

/** Evenly spaced points, oldest at the left; y grows downwards as in SVG. */
export function sparkPoints(
  values: readonly number[],
  range: { readonly low: number; readonly high: number },
  width: number,
  height: number,
): readonly SparkPoint[] {
  const span = range.high - range.low || 1;
  const step = values.length > 1 ? width / (values.length - 1) : 0;
  return values.map((value, i) => ({
    x: values.length > 1 ? i * step : width,
    y: height - ((value - range.low) / span) * height,
  }));
}

/** `M…L…` through points, two decimals. */
export function pathThrough(points: readonly SparkPoint[]): string {
  return points.map((point, i) => `${i === 0 ? "M" : "L"}${point.x.toFixed(2)} ${point.y.toFixed(2)}`).join("");
}
