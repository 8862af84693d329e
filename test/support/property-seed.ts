/**
 * Property tests run from one seed, so that a run can be repeated; `IBEX_SEED=random` (or a number) looks elsewhere, and
 * `IBEX_RUNS=10` ten times as long.
 */
import fc from "fast-check";

const named = process.env.IBEX_SEED;
if (named !== "random") fc.configureGlobal({ seed: named === undefined ? 20_261_129 : Number(named) });

const longer = Number(process.env.IBEX_RUNS ?? "1");

/** How many runs a property gets that usually has `usual`. */
export function runs(usual: number): number {
  return usual * longer;
}
