/** The overlay of routes: cables between switches by the number of destinations that are reached through them. */
import { groupDigits } from "../../shared/base/text.ts";
import type { RoutesView } from "../../shared/contract/routes.ts";
import { at } from "../../shared/fabric/access.ts";

/** A range of numbers of destinations; both ends belong to it. */
export interface AmountClass {
  readonly from: number;
  readonly to: number;
}

const classesMax = 5;

/** Numbers of the busier direction of a cable. */
export function busierWay(
  { fromA, fromB }: RoutesView,
  link: number,
): { readonly destinations: number; readonly pairs: number; readonly outOfA: boolean } {
  const [a, b] = [at(fromA.destinations, link), at(fromB.destinations, link)];
  const [pairsA, pairsB] = [at(fromA.pairs, link), at(fromB.pairs, link)];
  const outOfA = a > b || (a === b && pairsA >= pairsB);
  return outOfA ? { destinations: a, pairs: pairsA, outOfA } : { destinations: b, pairs: pairsB, outOfA };
}

/** Up to five classes with about as many cables in each (quantiles); one number is never in two classes. */
export function amountClasses(values: readonly number[]): readonly AmountClass[] {
  const sorted = values.filter((value) => value > 0).sort((a, b) => a - b);
  const distinct = [...new Set(sorted)];
  if (distinct.length <= classesMax) return distinct.map((value) => ({ from: value, to: value }));
  const classes: AmountClass[] = [];
  let start = 0;
  for (let step = 1; step <= classesMax && start < sorted.length; step += 1) {
    const border = sorted[Math.max(start, Math.ceil((sorted.length * step) / classesMax) - 1)] ?? 0;
    const from = sorted[start] ?? 0;
    let end = start;
    while (end < sorted.length && (sorted[end] ?? 0) <= border) end += 1;
    classes.push({ from, to: sorted[end - 1] ?? border });
    start = end;
  }
  return classes;
}

/** `12`, `12–18`, with digits in groups. */
export function amountLabel({ from, to }: AmountClass): string {
  return from === to ? groupDigits(from) : `${groupDigits(from)}–${groupDigits(to)}`;
}
