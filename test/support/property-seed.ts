/** Property tests run from one seed, so that a run can be repeated; `IBEX_SEED=random` (or a number) looks elsewhere. */
import fc from "fast-check";

const named = process.env.IBEX_SEED;
if (named !== "random") fc.configureGlobal({ seed: named === undefined ? 20_261_129 : Number(named) });
