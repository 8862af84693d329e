import { useState } from "react";
import { useSettings } from "../../state/settings-store.ts";

/** Height of the bottom panel: tabs 30, head 26, 7 rows of 26, the line above. */
export const standardPanelHeight = 239;

/** True when the user has set the size of a pane by hand. */
export function setByHand(panes: Readonly<Record<string, number>>, name: string, standard: number): boolean {
  const kept = panes[name];
  return kept !== undefined && kept !== standard;
}

/**
 * Size of a pane in px that the user may set by hand; kept under `name` in the settings. `byHand`: the user has set it,
 * so it does not give way by itself.
 */
export function usePane(
  name: string,
  standard: number,
): { readonly size: number; readonly byHand: boolean; readonly set: (size: number, done: boolean) => void } {
  const panes = useSettings((state) => state.settings.panes);
  const change = useSettings((state) => state.change);
  const [moving, setMoving] = useState<number | undefined>(undefined);
  const kept = panes[name];
  return {
    size: moving ?? kept ?? standard,
    byHand: setByHand(panes, name, standard),
    set: (size, done) => {
      if (!done) {
        setMoving(size);
        return;
      }
      setMoving(size);
      void change({ panes: { ...panes, [name]: size } }).then(() => setMoving(undefined));
    },
  };
}
