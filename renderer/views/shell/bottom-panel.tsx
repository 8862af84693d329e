import { type ReactNode, useLayoutEffect, useRef } from "react";
import type { FabricView } from "../../../shared/contract/views.ts";
import { groupDigits } from "../../../shared/base/text.ts";
import { IconButton } from "../../parts/button.tsx";
import { Later } from "../../parts/later.tsx";
import { Splitter } from "../../parts/splitter.tsx";
import { useTasks } from "../../state/task-store.ts";
import { type PanelTab, panelTabs, useUi } from "../../state/ui-store.ts";
import { FindingsView } from "../findings/findings-view.tsx";
import { LinksView } from "../links/links-view.tsx";
import { OutputPanel } from "../output/output-panel.tsx";
import { TaskList } from "../tasks/task-list.tsx";
import { panelFloats, type Room } from "./room.ts";
import { standardPanelHeight, usePane } from "./use-pane.ts";
import { ViewBoundary } from "./view-boundary.tsx";
import "./bottom-panel.css";

const titles: Readonly<Record<PanelTab, string>> = {
  findings: "Findings",
  links: "Links",
  tasks: "Tasks",
  output: "Output",
};

function Content({ tab }: { readonly tab: PanelTab }): ReactNode {
  switch (tab) {
    case "findings":
      return <FindingsView compact />;
    case "links":
      return <LinksView compact />;
    case "tasks":
      return (
        <div className="panel-scroll">
          <TaskList />
        </div>
      );
    case "output":
      return <OutputPanel />;
  }
}

/** In small windows the panel starts as its tab strip; it comes back when there is room again. */
function usePanelFolding(folds: boolean): void {
  const setPanelOpen = useUi((state) => state.setPanelOpen);
  const before = useRef<boolean | undefined>(undefined);
  const wasOpen = useRef(true);
  useLayoutEffect(() => {
    if (before.current === folds) return;
    const first = before.current === undefined;
    before.current = folds;
    if (folds) {
      wasOpen.current = useUi.getState().panelOpen;
      setPanelOpen(false);
    } else if (!first && wasOpen.current) setPanelOpen(true);
  }, [folds, setPanelOpen]);
}

/**
 * The panel under the picture. Where there is little room it is its tab strip, and opens over the picture.
 * `tabs`: what it offers here; the tables' views offer only what is not a table.
 */
export function BottomPanel({
  view,
  room,
  tabs = panelTabs,
  maxHeight,
}: {
  readonly view: FabricView;
  readonly room: Room;
  readonly tabs?: readonly PanelTab[];
  /** px that leave the canvas its least height. */
  readonly maxHeight: number;
}) {
  const open = useUi((state) => state.panelOpen);
  const wanted = useUi((state) => state.panelTab);
  const showPanel = useUi((state) => state.showPanel);
  const setOpen = useUi((state) => state.setPanelOpen);
  const tasks = useTasks((state) => state.tasks.length);
  const pane = usePane("panel", standardPanelHeight);
  const floats = panelFloats(room, pane.byHand);
  usePanelFolding(floats);
  const tab = tabs.includes(wanted) ? wanted : (tabs[0] ?? "findings");
  const height = Math.min(pane.size, Math.max(maxHeight, 120));
  const counts: Readonly<Partial<Record<PanelTab, number>>> = {
    findings: view.analysis.findings.length,
    links: view.fabric.links.count + view.analysis.missingLinks.length,
    tasks,
  };
  return (
    <>
      {open && !floats ? (
        <Splitter
          direction="horizontal"
          side="after"
          label="Height of the bottom panel"
          size={height}
          min={120}
          max={Math.max(maxHeight, 120)}
          standard={standardPanelHeight}
          onSize={pane.set}
        />
      ) : null}
      <section
        className={`panel${open && floats ? " panel-floats" : ""}`}
        style={open ? { height } : {}}
        aria-label="Bottom panel"
        data-region="panel"
      >
        <div className="panel-tabs">
          <div role="tablist" aria-label="Bottom panel">
            {tabs.map((name) => (
              <button
                key={name}
                type="button"
                role="tab"
                id={`panel-tab-${name}`}
                aria-selected={open && name === tab}
                aria-controls="panel-content"
                className="panel-tab"
                data-here={name === tab}
                onClick={() => (open && name === tab ? setOpen(false) : showPanel(name))}
              >
                {titles[name]}
                {counts[name] === undefined || (name === "tasks" && tasks === 0) ? null : (
                  <span className="panel-count">{groupDigits(counts[name])}</span>
                )}
              </button>
            ))}
          </div>
          <IconButton
            icon={open ? "chevron-down" : "chevron-up"}
            label={open ? "Fold the panel" : "Unfold the panel"}
            size={14}
            onClick={() => setOpen(!open)}
          />
        </div>
        {open ? (
          <div className="panel-content" id="panel-content" role="tabpanel" aria-labelledby={`panel-tab-${tab}`}>
            <ViewBoundary view={`panel ${tab}`} resetKey={`${tab} ${view.fabricId}`}>
              <Later>
                <Content tab={tab} />
              </Later>
            </ViewBoundary>
          </div>
        ) : null}
      </section>
    </>
  );
}
