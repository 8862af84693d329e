/** The most frequent value and how often it stands; 0 times for no values. The first of equals wins. */
export function mode(values: Iterable<number>): { readonly value: number; readonly times: number } {
  const times = new Map<number, number>();
  for (const value of values) times.set(value, (times.get(value) ?? 0) + 1);
  let best = { value: 0, times: 0 };
  for (const [value, n] of times) if (n > best.times) best = { value, times: n };
  return best;
}

/** Upper median; 0 for no values. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}

/** The lower of two values of which 0 means "not known". */
export function lowerKnown(a: number, b: number): number {
  if (a === 0) return b;
  return b === 0 ? a : Math.min(a, b);
}
