import { startTransition, useEffect, useState } from "react";
import { atOnce, inSlices } from "../../parts/slices.ts";

/** Work on a thing that grows with it. */
export interface SlicedWork<Thing extends object, Result> {
  /** True when all of it takes less than a frame. */
  readonly isSmall: (thing: Thing) => boolean;
  readonly work: (thing: Thing) => Generator<undefined, Result>;
  /** Keeps what came out as long as the thing lives: a view that is opened again has it at once. */
  readonly known: WeakMap<Thing, Result>;
  /** True when what came out of `before` may be shown until the work on `now` is done. */
  readonly stands: (before: Thing, now: Thing) => boolean;
}

/**
 * What comes out of work on a thing: at once when it is small or was done before, else in slices, between which the window
 * answers; until then what stands, or `undefined`.
 */
export function useSliced<Thing extends object, Result>(
  { isSmall, work, known, stands }: SlicedWork<Thing, Result>,
  thing: Thing,
): Result | undefined {
  const [last, setLast] = useState<{ readonly thing: Thing; readonly result: Result }>();
  let result = known.get(thing);
  if (result === undefined && isSmall(thing)) {
    result = atOnce(work(thing));
    known.set(thing, result);
  }
  const missing = result === undefined;
  useEffect(() => {
    if (!missing) return;
    let wanted = true;
    inSlices(work(thing)).then(
      (made) => {
        known.set(thing, made);
        // What is drawn with it is drawn in slices as well.
        if (wanted) startTransition(() => setLast({ thing, result: made }));
      },
      (error: unknown) => {
        if (!wanted) return;
        // As if it were thrown while drawing: the view's own net says so.
        setLast(() => {
          throw error;
        });
      },
    );
    return () => {
      wanted = false;
    };
  }, [missing, thing, work, known]);
  if (result !== undefined) return result;
  return last !== undefined && stands(last.thing, thing) ? last.result : undefined;
}
