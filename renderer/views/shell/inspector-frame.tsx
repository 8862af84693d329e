import { useEffect, useLayoutEffect, useRef } from "react";
import type { FabricView } from "../../../shared/contract/views.ts";
import { Later } from "../../parts/later.tsx";
import { Splitter } from "../../parts/splitter.tsx";
import { useSelection } from "../../state/selection-store.ts";
import { useUi } from "../../state/ui-store.ts";
import { Inspector } from "../inspector/inspector.tsx";
import type { Room } from "./room.ts";
import { usePane } from "./use-pane.ts";
import { ViewBoundary } from "./view-boundary.tsx";
import "./inspector-frame.css";

const standardWidth = 376;
const narrowWidth = 344;
const least = 320;
const most = 560;
const leastCanvas = 480;

/** As a drawer the inspector starts closed, and opens when something is selected. */
function useDrawer(drawer: boolean): void {
  const setOpen = useUi((state) => state.setInspectorOpen);
  const selection = useSelection((state) => state.selection);
  const before = useRef<boolean | undefined>(undefined);
  useLayoutEffect(() => {
    if (before.current === drawer) return;
    const first = before.current === undefined;
    before.current = drawer;
    if (drawer) setOpen(useSelection.getState().selection.kind !== "nothing");
    else if (!first) setOpen(true);
  }, [drawer, setOpen]);
  useEffect(() => {
    if (drawer && selection.kind !== "nothing") setOpen(true);
  }, [drawer, selection, setOpen]);
}

/** The place of the one inspector: at the right of the view, or over it where there is little room. */
export function InspectorFrame({ view, room }: { readonly view: FabricView; readonly room: Room }) {
  const open = useUi((state) => state.inspectorOpen);
  const pane = usePane("inspector", standardWidth);
  const drawer = room.tight;
  useDrawer(drawer);
  if (!open) return null;
  const rail = room.tight ? 48 : 64;
  const max = Math.max(least, Math.min(most, room.width - rail - leastCanvas));
  const standard = room.narrow ? narrowWidth : standardWidth;
  const width = Math.min(pane.byHand ? pane.size : standard, drawer ? room.width - rail - 80 : max);
  return (
    <aside
      className={`inspector-frame${drawer ? " inspector-frame-drawer" : ""}`}
      aria-label="Inspector"
      data-region="inspector"
    >
      {drawer ? null : (
        <Splitter
          direction="vertical"
          side="after"
          label="Width of the inspector"
          size={width}
          min={least}
          max={max}
          standard={standard}
          onSize={pane.set}
        />
      )}
      <div className="inspector-frame-content" style={{ width }}>
        <ViewBoundary view="inspector" resetKey={view.fabricId}>
          <Later>
            <Inspector />
          </Later>
        </ViewBoundary>
      </div>
    </aside>
  );
}
