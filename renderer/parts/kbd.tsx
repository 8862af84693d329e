import { Fragment } from "react";
import "./kbd.css";

const apple = typeof navigator !== "undefined" && /mac/i.test(navigator.platform);

/** Keys as the user's keyboard names them: `Ctrl K` is `⌘ K` on macOS. */
export function keysHere(keys: string): string {
  return apple ? keys.replaceAll("Ctrl", "⌘") : keys;
}

/** Keys to press, for instance `Ctrl K`. */
export function Kbd({ keys }: { readonly keys: string }) {
  return (
    <Fragment>
      <kbd className="kbd">{keysHere(keys)}</kbd>
    </Fragment>
  );
}
