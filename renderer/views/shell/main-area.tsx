import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import type { FabricView } from "../../../shared/contract/views.ts";
import { Later } from "../../parts/later.tsx";
import { useFabric } from "../../state/fabric-store.ts";
import { useSelection } from "../../state/selection-store.ts";
import { useUi, type ViewName } from "../../state/ui-store.ts";
import { FindingsView } from "../findings/findings-view.tsx";
import { LinksView } from "../links/links-view.tsx";
import { ManagersView } from "../managers/managers-view.tsx";
import { MeasureSheet } from "../measure/measure-sheet.tsx";
import { MeasureView } from "../measure/measure-view.tsx";
import { SweepSheet } from "../measure/sweep-sheet.tsx";
import { NodesView } from "../nodes/nodes-view.tsx";
import { TopologyView } from "../topology/topology-view.tsx";
import { Banners } from "./banners.tsx";
import { viewTitles } from "./commands.ts";
import { BottomPanel } from "./bottom-panel.tsx";
import { InspectorFrame } from "./inspector-frame.tsx";
import type { Room } from "./room.ts";
import { ViewBoundary } from "./view-boundary.tsx";
import { Watermark } from "./watermark.tsx";

const leastCanvas = 280;
/** Tool bar 36, legend 30, tab strip's own line. */
const aroundCanvas = 67;

function Content({ name }: { readonly name: ViewName }): ReactNode {
  switch (name) {
    case "topology":
      return <TopologyView />;
    case "links":
      return <LinksView compact={false} />;
    case "nodes":
      return <NodesView />;
    case "findings":
      return <FindingsView compact={false} />;
    case "managers":
      return <ManagersView />;
    case "measure":
      return <MeasureView />;
  }
}

/** Height of an element, followed while it changes; 0 before it is laid out. */
function useHeight(): readonly [React.RefObject<HTMLDivElement | null>, number] {
  const ref = useRef<HTMLDivElement>(null);
  const [height, setHeight] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setHeight(element.clientHeight));
    observer.observe(element);
    setHeight(element.clientHeight);
    return () => observer.disconnect();
  }, []);
  return [ref, height];
}

/** The open fabric: banners, the view with its bottom panel, the inspector, the measurement sheet. */
export function MainArea({
  view,
  room,
  onShowFailure,
}: {
  readonly view: FabricView;
  readonly room: Room;
  readonly onShowFailure: () => void;
}) {
  const name = useUi((state) => state.view);
  const panelOpen = useUi((state) => state.panelOpen);
  const panelTab = useUi((state) => state.panelTab);
  const selected = useSelection((state) => state.selection.kind !== "nothing");
  const refreshed = useFabric((state) => state.refreshed);
  const [ref, height] = useHeight();
  const picture = name === "topology";
  // A table fills the centre by itself; under it only what is no table, and only when it was asked for.
  const panelHere = picture || (panelOpen && (panelTab === "output" || panelTab === "tasks"));
  // Beside a table the inspector would take its columns: it comes when there is something to inspect.
  const inspectorHere =
    name === "topology" || name === "findings" || ((name === "links" || name === "nodes") && selected);
  return (
    <>
      <Banners view={view} onShowFailure={onShowFailure} />
      <div className="shell-body">
        <main className="shell-centre" ref={ref} data-region="main" tabIndex={-1}>
          {name === "managers" ? null : <h1 className="visually-hidden">{viewTitles[name]}</h1>}
          <div className="shell-view">
            <ViewBoundary view={name} resetKey={`${name} ${view.fabricId} ${refreshed}`}>
              <Later key={name}>
                <Content name={name} />
              </Later>
            </ViewBoundary>
            {picture && view.capture.simulated ? <Watermark /> : null}
          </div>
          {panelHere ? (
            <BottomPanel
              view={view}
              room={room}
              {...(picture ? {} : { tabs: ["tasks", "output"] as const })}
              maxHeight={height - leastCanvas - aroundCanvas}
            />
          ) : null}
        </main>
        {inspectorHere ? <InspectorFrame view={view} room={room} /> : null}
        <ViewBoundary view="measure sheet" resetKey={view.fabricId}>
          <MeasureSheet />
          <SweepSheet />
        </ViewBoundary>
      </div>
    </>
  );
}
