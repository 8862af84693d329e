import { type ReactNode, useDeferredValue, useEffect, useState } from "react";

/**
 * Mounts what is in it in a render of its own, in which everything else has its turn. For the parts of a window that
 * appear together: all at once they would hold it up.
 */
export function Later({ children }: { readonly children: ReactNode }) {
  const here = useDeferredValue(true, false);
  return here ? children : null;
}

/**
 * How many of many equal parts stand already: a few at once, the rest a few a task, so that none holds the window up.
 *
 * @returns rises to `total`; at once there when `total` is at most `each`
 */
export function useInParts(total: number, each: number): number {
  const [shown, setShown] = useState(total <= each ? total : 0);
  useEffect(() => {
    if (shown >= total) return undefined;
    const timer = window.setTimeout(() => setShown(shown + each));
    return () => window.clearTimeout(timer);
  }, [shown, total, each]);
  return Math.min(shown, total);
}
