/** The part of a watch that the timeline shows, as a brush over all of it: moved, stretched, drawn anew. Pure. */
import type { Span, Timeline } from "./timeline.ts";

/** Shorter parts show nothing that a watch can tell. Ms. */
export const leastShown = 10_000;
const week = 7 * 24 * 3_600_000;

/** A watch that has just begun has a strip of this length, as its timeline. Ms. */
const leastWhole = 30_000;

/** What the strip shows: all that was watched, at most a week of it, and what is shown above. */
export function wholeSpan(timeline: Timeline, shown: Span): Span {
  const last = Math.max(timeline.watched.at(-1)?.to ?? shown.to, shown.to);
  const first = Math.min(timeline.watched[0]?.from ?? shown.from, shown.from);
  const from = Math.max(first, last - week);
  return { from, to: Math.max(last, from + leastWhole) };
}

/** The same length, moved by so much, inside the whole. */
export function moved(span: Span, by: number, whole: Span): Span {
  const length = Math.min(span.to - span.from, whole.to - whole.from);
  const from = Math.max(whole.from, Math.min(span.from + by, whole.to - length));
  return { from, to: from + length };
}

/** One end elsewhere; the other stays, and some time is left between them. */
export function stretched(span: Span, end: "from" | "to", at: number, whole: Span): Span {
  return end === "from"
    ? { from: Math.max(whole.from, Math.min(at, span.to - leastShown)), to: span.to }
    : { from: span.from, to: Math.min(whole.to, Math.max(at, span.from + leastShown)) };
}

/** Between two points in any order, at least {@link leastShown} long. */
export function between(a: number, b: number, whole: Span): Span {
  const [from, to] = [Math.max(whole.from, Math.min(a, b)), Math.min(whole.to, Math.max(a, b))];
  if (to - from >= leastShown) return { from, to };
  return moved({ from, to: from + leastShown }, 0, whole);
}

/** `factor` times as long around the same middle. */
export function scaled(span: Span, factor: number, whole: Span): Span {
  const length = Math.max(leastShown, Math.min((span.to - span.from) * factor, whole.to - whole.from));
  const middle = (span.from + span.to) / 2;
  return moved({ from: middle - length / 2, to: middle + length / 2 }, 0, whole);
}
