import { type ReactNode, useDeferredValue } from "react";

/**
 * Mounts what is in it in a render of its own, in which everything else has its turn. For the parts of a window that
 * appear together: all at once they would hold it up.
 */
export function Later({ children }: { readonly children: ReactNode }) {
  const here = useDeferredValue(true, false);
  return here ? children : null;
}
