/** Long work on a thread that must stay responsive: generators that pause between slices. */

/** Time of a slice. Ms. */
const sliceMs = 8;

/** Does all the work at once. */
export function atOnce<T>(work: Generator<undefined, T>): T {
  let step = work.next();
  while (step.done !== true) step = work.next();
  return step.value;
}

/**
 * Does the work in slices of a few milliseconds, between which everything else has its turn. The first one has a task of its
 * own, too: who asks for it is mostly drawing something.
 */
export async function inSlices<T>(work: Generator<undefined, T>): Promise<T> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve));
    const until = performance.now() + sliceMs;
    do {
      const step = work.next();
      if (step.done === true) return step.value;
    } while (performance.now() < until);
  }
}
