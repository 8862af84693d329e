/** Tables of benchmarks: one row a step, one column a size, and how much it grows. */

/** Prints a table with aligned columns. */
export function printTable(title: string, head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((cell, i) => Math.max(cell.length, ...rows.map((row) => (row[i] ?? "").length)));
  const line = (row: readonly string[]): string =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join("  ");
  process.stdout.write(`\n${title}\n${[line(head), ...rows.map(line)].join("\n")}\n`);
}

/** Factor in time per factor in size: 1.0 grows with the size, 2.0 with twice as much. */
export function growth(times: readonly number[], sizes: readonly number[]): string {
  const [from, to] = [times.at(-2) ?? 0, times.at(-1) ?? 0];
  const [small, large] = [sizes.at(-2) ?? 1, sizes.at(-1) ?? 1];
  return from <= 0 ? "" : (to / from / (large / small)).toFixed(2);
}

export function milliseconds(time: number): string {
  return time < 10 ? time.toFixed(1) : String(Math.round(time));
}
