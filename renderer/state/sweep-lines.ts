import type { SweepLine } from "../../shared/contract/sweeps.ts";
import type { LinkId } from "../../shared/fabric/model.ts";

/** How the picture of a sweep classes a finished line. */
export type LineKind = (line: SweepLine) => string;

/** True for a link that has an end but no result. */
export function withoutResult({ level }: SweepLine): boolean {
  return level === "not-measured" || level === "failed";
}

/**
 * The finished and the running links of one sweep. It lives as long as the sweep is looked at and changes in place: what an
 * event costs grows with what the event brings, never with the links of the sweep. Whoever shows a link subscribes to it
 * alone; whoever shows sums reads them when the sweep's status changes.
 */
export class SweepLines {
  private readonly lines = new Map<LinkId, SweepLine>();
  private readonly slowLines = new Map<LinkId, SweepLine>();
  private readonly linesWithout = new Map<LinkId, SweepLine>();
  private readonly listeners = new Map<LinkId, Set<() => void>>();
  private running: ReadonlySet<LinkId> = new Set();
  private counted: { readonly kindOf: LineKind; readonly counts: Map<string, number> } | undefined;

  constructor(lines: readonly SweepLine[], running: readonly LinkId[]) {
    this.take(lines, running);
  }

  /** Takes lines that have come, the newest of a link last, and which links run now. */
  take(lines: readonly SweepLine[], running: readonly LinkId[]): void {
    const before = this.running;
    this.running = new Set(running);
    const changed = new Set<LinkId>();
    for (const line of lines) {
      this.keep(line);
      changed.add(line.link);
    }
    for (const link of before) if (!this.running.has(link)) changed.add(link);
    for (const link of running) if (!before.has(link)) changed.add(link);
    for (const link of changed) this.listeners.get(link)?.forEach((listener) => listener());
  }

  /** How the link came out; undefined while it has not. */
  get(link: LinkId): SweepLine | undefined {
    return this.lines.get(link);
  }

  /** True while the link is measured. */
  isRunning(link: LinkId): boolean {
    return this.running.has(link);
  }

  /** Lines below what they should reach, in the order in which they came. */
  get slow(): ReadonlyMap<LinkId, SweepLine> {
    return this.slowLines;
  }

  /** Lines of links that could not be measured or whose run failed, in the order in which they came. */
  get without(): ReadonlyMap<LinkId, SweepLine> {
    return this.linesWithout;
  }

  /** How many lines there are of each kind; counted once for a function, then kept in step with what comes. */
  countsBy(kindOf: LineKind): ReadonlyMap<string, number> {
    if (this.counted?.kindOf === kindOf) return this.counted.counts;
    const counts = new Map<string, number>();
    for (const line of this.lines.values()) addTo(counts, kindOf(line), 1);
    this.counted = { kindOf, counts };
    return counts;
  }

  /** Tells when the link's line or whether it runs has changed. Returns the function that ends it. */
  subscribe(link: LinkId, listener: () => void): () => void {
    const own = this.listeners.get(link) ?? new Set();
    own.add(listener);
    this.listeners.set(link, own);
    return () => {
      own.delete(listener);
      if (own.size === 0) this.listeners.delete(link);
    };
  }

  private keep(line: SweepLine): void {
    const { link } = line;
    const before = this.lines.get(link);
    if (this.counted !== undefined) {
      const { kindOf, counts } = this.counted;
      if (before !== undefined) addTo(counts, kindOf(before), -1);
      addTo(counts, kindOf(line), 1);
    }
    this.lines.set(link, line);
    // Taken out first: a link that is measured again goes to the end.
    this.slowLines.delete(link);
    this.linesWithout.delete(link);
    if (line.slow) this.slowLines.set(link, line);
    if (withoutResult(line)) this.linesWithout.set(link, line);
  }
}

function addTo(counts: Map<string, number>, kind: string, by: 1 | -1): void {
  const now = (counts.get(kind) ?? 0) + by;
  if (now === 0) counts.delete(kind);
  else counts.set(kind, now);
}
