import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import type { HostGrouping } from "../../../shared/analyse/host-names.ts";
import type { FabricView } from "../../../shared/contract/views.ts";
import { count } from "../../../shared/base/text.ts";
import { findLink, linkId } from "../../../shared/fabric/access.ts";
import { planeOf } from "../../graph/block-frames.ts";
import type { PictureKind } from "../../graph/export-client.ts";
import type { Extent } from "../../graph/export-picture.ts";
import type { Seen } from "../../graph/stage.ts";
import { FabricGraph, type GraphHandle, type Hovered } from "../../graph/fabric-graph.tsx";
import type { GraphModel, Room } from "../../graph/graph-model.ts";
import { noFilters, shownBy, wantedBy, type FabricFilters } from "../../graph/filter.ts";
import { classify } from "../../graph/overlay.ts";
import { targetOfNode, type GraphPath, type Target } from "../../graph/target.ts";
import { isBlock } from "../../graph/view-links.ts";
import { useNow } from "../../parts/time.ts";
import { useFabric } from "../../state/fabric-store.ts";
import { useMeasure } from "../../state/measure-store.ts";
import { useRoutes } from "../../state/routes-store.ts";
import { useSelection } from "../../state/selection-store.ts";
import { useSettings } from "../../state/settings-store.ts";
import { useUi } from "../../state/ui-store.ts";
import { foldBlock } from "../shell/go-to.ts";
import { useCanvasMenu } from "./canvas-menu.tsx";
import { choicesOf, filterWords, groupChoices, noParts, rowChoices } from "./choices.ts";
import { lackingRemark } from "./describe.ts";
import { exportItems } from "./export-items.ts";
import { HoverCard } from "./hover-card.tsx";
import { LegendBar } from "./legend-bar.tsx";
import { useLiveBadges } from "./live-badges.ts";
import { pathIn } from "./path-shown.ts";
import { asDrawn, shownRoute, useRouteNumbers } from "./route-shown.ts";
import { GrowthMissing, useErrorGrowth } from "./error-growth.tsx";
import { RoutesMissing } from "./routes-missing.tsx";
import { exportNote, savePicture } from "./save-picture.ts";
import { TopologyToolbar } from "./toolbar.tsx";
import { Twin } from "./twin.tsx";
import { directorOfSelection, drawnOpen } from "./unfold.ts";
import { useDetail, type Detail } from "./use-detail.ts";
import { standOf, step, type Direction } from "./walk.ts";
import "./topology.css";

/** The open fabric as a picture: tiers, health, rates, measured numbers. */
export function TopologyView() {
  const view = useFabric((state) => state.view);
  // A new fabric's picture comes right after the rest of the window: all at once would block it for too long.
  const shown = useDeferredValue(view?.fabricId ?? "", "");
  return view === undefined || view.fabricId !== shown ? null : <Topology key={view.fabricId} view={asDrawn(view)} />;
}

/** Requests to fly that were served, so that coming back to this view does not fly again. */
let servedFlight = 0;

/** How the picture was left, for coming back from another view. Positions only mean something with the room they were laid out for. */
let left: { readonly fabricId: string; readonly seen: Seen; readonly size: Room } | undefined;

const arrows: Readonly<Record<string, Direction>> = {
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowLeft: "left",
  ArrowRight: "right",
};

const noIds: readonly string[] = [];

function Topology({ view }: { readonly view: FabricView }) {
  const { fabric, analysis } = view;
  const refreshed = useFabric((state) => state.refreshed);
  // What looks at every link follows a moment after the button: together they would hold the window up.
  const overlay = useDeferredValue(useSelection((state) => state.overlay));
  const selection = useSelection((state) => state.selection);
  const onlyDegraded = useDeferredValue(useSelection((state) => state.onlyDegraded));
  const tiers = useDeferredValue(useSelection((state) => state.tiers));
  const flyRequest = useSelection((state) => state.flyRequest);
  const measured = useMeasure((state) => state.latest);
  const running = useMeasure((state) => state.running);
  const passPercent = useSettings((state) => state.settings.passPercent);
  const now = useNow(30_000);
  const graph = useRef<GraphHandle>(null);
  const [back] = useState(() => (left?.fabricId === view.fabricId && !left.seen.fitted ? left : undefined));
  const [size, setSize] = useState<Room | undefined>(back?.size);
  const [seen, setSeen] = useState<Seen | undefined>(undefined);
  const [hovered, setHovered] = useState<Hovered | undefined>(undefined);
  const [minimap, setMinimap] = useState(true);
  const [exporting, setExporting] = useState(false);
  const [focus, setFocus] = useState(-1);
  const [legend, setLegend] = useState<{ readonly overlay: string; readonly ids: readonly string[] }>({
    overlay,
    ids: noIds,
  });
  const path = usePath(view);
  const routes = useRouteNumbers(view);
  const errors = useErrorGrowth(view, overlay === "errors");
  const [hostsBy, setHostsBy] = useState<HostGrouping | undefined>(undefined);
  const detail = useDetail(view, {
    ...{ size, refreshed, selection, path, hostsBy, measured, passPercent },
    camera: seen?.camera,
  });
  const { settled, hostGroups, unfold } = detail;
  const { drawn: model, told } = useLiveBadges(view, detail.model);
  // The list for those who do not see the picture comes right after it.
  const spoken = useDeferredValue(told);
  const choices = useMemo(() => choicesOf(analysis.topology, detail.parts), [analysis.topology, detail.parts]);
  const classes = useMemo(
    () => classify(overlay, { fabric, analysis, measured, passPercent, routes, errors }),
    [overlay, fabric, analysis, measured, passPercent, routes, errors],
  );
  const chosen = legend.overlay === overlay ? legend.ids : noIds;
  const [otherParts, setParts] = useState<FabricFilters>(noParts);
  const clusters = useSelection((state) => state.clusters);
  const chosenParts = useMemo(() => ({ ...otherParts, clusters }), [otherParts, clusters]);
  const parts = useDeferredValue(chosenParts);
  const wanted = useMemo(
    () => (noFilters(parts) ? undefined : wantedBy(fabric, analysis, parts, hostGroups?.ofHost)),
    [fabric, analysis, parts, hostGroups],
  );
  const groups = useMemo(() => groupChoices(hostGroups), [hostGroups]);
  const shown = useMemo(
    () =>
      wanted === undefined
        ? ""
        : filterWords(parts, choices, groups, shownBy(fabric, analysis.topology, wanted, parts)),
    [fabric, analysis, parts, choices, groups, wanted],
  );
  const filters = useMemo(
    () => ({ onlyDegraded, tiers, classes: chosen, wanted }),
    [onlyDegraded, tiers, chosen, wanted],
  );
  const rows = useMemo(() => rowChoices(model), [model]);

  const select = useCallback((target: Target) => useSelection.getState().select(target), []);
  const onSize = useCallback((width: number, height: number, fitted: boolean) => {
    // While the user looks at a part, a resize must not move anything: the picture is laid out anew only when it was fitted.
    if (width > 0 && height > 0) {
      setSize((before) => (before === undefined || fitted ? roomFor(before, width, height) : before));
    }
  }, []);
  useEffect(() => {
    if (seen !== undefined && size !== undefined) left = { fabricId: view.fabricId, seen, size };
  }, [view.fabricId, seen, size]);

  useEffect(() => {
    // What is flown to may still be inside a fold of the picture that is shown.
    if (!settled || flyRequest === servedFlight) return;
    servedFlight = flyRequest;
    if (flyRequest > 0) graph.current?.flyTo(useSelection.getState().selection);
  }, [model, settled, flyRequest]);
  useStatus(seen, model);
  useBlocks(model, selection);

  const remarks = [classes.remark, model === undefined ? "" : lackingRemark(model), shapeRemark(analysis)];
  const onExport = (kind: PictureKind, extent: Extent): void => {
    const note = exportNote(view, { overlay: classes.title, extent, shown, remarks });
    setExporting(true);
    void savePicture(graph.current, { fabricId: view.fabricId, overlay, kind, extent, note }).finally(() =>
      setExporting(false),
    );
  };
  const { menu, onContextMenu, onMenuKey } = useCanvasMenu(view, model, graph, detail, [
    { id: "fit", label: "Show everything", icon: "fit", keys: "0", onSelect: () => graph.current?.fit() },
    {
      ...{ id: "nothing", label: "Select nothing", icon: "close", keys: "Escape" },
      disabled: selection.kind === "nothing",
      onSelect: () => select({ kind: "nothing" }),
    },
    ...exportItems(onExport, exporting),
  ]);
  const onKeyDown = (event: React.KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || model === undefined) return;
    if (onMenuKey(event) || canvasKey(event, model, selection, graph.current, detail)) {
      event.preventDefault();
      event.stopPropagation();
    }
  };
  const counts = analysis.counts;
  return (
    <div className="topology">
      <TopologyToolbar
        rows={rows}
        {...{ choices, groups, hostsBy }}
        onHostsBy={(by) => {
          setHostsBy(by);
          setParts((before) => ({ ...before, hostGroups: [] }));
        }}
        openDirectors={detail.openDirectors}
        onDirectors={(open) => {
          // What is selected inside would keep it open.
          if (selection.kind !== "director") select({ kind: "nothing" });
          detail.setDirectors(open);
        }}
        filters={chosenParts}
        onFilters={(filters) => {
          setParts(filters);
          useSelection.getState().setClusters(filters.clusters);
        }}
        exporting={exporting}
        onExport={onExport}
        minimap={minimap}
        onMinimap={setMinimap}
        onFit={() => graph.current?.fit()}
      />
      <div className="topology-canvas" onContextMenu={onContextMenu}>
        <FabricGraph
          ref={graph}
          {...{ model, overlay, classes, filters, selection, path, measured, passPercent, focus, minimap, now }}
          running={running === undefined ? undefined : findLink(fabric, running.plan.link)}
          label={`${count(counts.switches, "switch", "switches")}, ${count(counts.hosts, "host")}, ${count(counts.links, "link")}. Arrow keys walk along links`}
          onSelect={select}
          onOpen={(target, hit) => {
            // What is opened fills the window.
            if (target.kind === "director" || target.kind === "block" || target.kind === "plane") {
              if (hit.node >= 0) graph.current?.flyToNode(hit.node);
              if (target.kind === "director") detail.toggleDirector(target.director);
              else foldBlock(target);
            } else if (target.kind === "nothing") graph.current?.fit();
            else {
              if (target.kind === "node") unfold(target.node, true);
              graph.current?.flyTo(target);
            }
          }}
          onHover={setHovered}
          onCamera={setSeen}
          start={back?.seen.camera}
          onSize={onSize}
          onKeyDown={onKeyDown}
        />
        {told !== undefined && hovered !== undefined && menu === null ? (
          <HoverCard {...{ hovered, measured, passPercent, now }} model={told} />
        ) : null}
        {menu}
        {/* A picture that is there stays until the next one can take its place. */}
        {model === undefined && seen === undefined ? (
          <p className="topology-wait" data-placing="">
            Placing {count(counts.switches, "switch", "switches")} and {count(counts.hosts, "host")}
          </p>
        ) : null}
        {counts.switches + counts.hosts === 0 ? (
          <p className="topology-wait">Nothing to draw: no node was found</p>
        ) : null}
      </div>
      <LegendBar
        classes={classes}
        chosen={chosen}
        onChoose={(ids) => setLegend({ overlay, ids })}
        onPoint={setFocus}
        onPath={path !== undefined}
        shown={shown}
        remarks={remarks}
        end={
          overlay === "routes" ? (
            <RoutesMissing view={view} />
          ) : overlay === "errors" ? (
            <GrowthMissing view={view} />
          ) : null
        }
      />
      {spoken?.fabric.nodes !== fabric.nodes ? null : (
        <Twin model={spoken} {...{ selection, measured }} onSelect={select} />
      )}
    </div>
  );
}

/** Tells the lists of actions what is open, and keeps a selected plane what the picture calls so now. */
function useBlocks(model: GraphModel | undefined, selection: Target): void {
  useEffect(() => {
    useSelection.getState().setDrawnOpen(model === undefined ? undefined : drawnOpen(model));
  }, [model]);
  useEffect(() => () => useSelection.getState().setDrawnOpen(undefined), []);
  useEffect(() => {
    if (model === undefined || selection.kind !== "plane") return;
    const now = planeOf(model, selection.switches);
    if (now !== undefined && JSON.stringify(now) !== JSON.stringify(selection)) useSelection.getState().select(now);
  }, [model, selection]);
}

/** Why the picture has no rows or groups. */
function shapeRemark({ topology }: FabricView["analysis"]): string {
  if (topology.kind !== "irregular") return "";
  return topology.overruled ? "Irregular: chosen by you" : "Irregular: fits no known shape";
}

/** Room for the picture in steps of 8 px: dragging a splitter does not lay out at every px. */
function roomFor(before: Room | undefined, width: number, height: number): Room {
  const room = { width: Math.max(160, width - 80), height: Math.max(120, height - 88) };
  const same =
    before !== undefined && Math.abs(before.width - room.width) < 8 && Math.abs(before.height - room.height) < 8;
  return same ? before : room;
}

/** The path of the open plan, of the running measurement, or of the result shown for the selected link. */
function usePath(view: FabricView): GraphPath | undefined {
  const sheet = useMeasure((state) => state.sheet);
  const running = useMeasure((state) => state.running);
  const last = useMeasure((state) => state.last);
  const asked = useRoutes((state) => state.shown);
  const selection = useSelection((state) => state.selection);
  const { fabric } = view;
  const selected = selection.kind === "link" ? selection.link : undefined;
  return useMemo(() => {
    if (sheet?.plan !== undefined) return pathIn(fabric, sheet.plan.path, false);
    if (running !== undefined) return pathIn(fabric, running.plan.path, true);
    const route = shownRoute(view, asked);
    if (route !== undefined) return route;
    if (selected === undefined || last?.measurement === undefined) return undefined;
    return last.link === linkId(fabric, selected) ? pathIn(fabric, last.measurement.path, false) : undefined;
  }, [view, fabric, sheet, running, asked, last, selected]);
}

/** Tells the status bar how the picture is seen. */
function useStatus(seen: Seen | undefined, model: GraphModel | undefined): void {
  const zoom = seen?.camera.zoom;
  const folded = model?.graph.nodes.some((node) => node.kind === "fold") ?? false;
  const block = model?.graph.nodes.find(isBlock)?.kind;
  useEffect(() => {
    if (zoom === undefined) return;
    const near = zoom > 2.2 ? "auto, ports shown" : "auto";
    const far =
      block === undefined ? "auto, hosts folded" : block === "group" ? "auto, groups folded" : "auto, pods folded";
    useUi
      .getState()
      .setCanvas({ zoom: zoom * 100, details: (folded || block !== undefined) && zoom <= 2.2 ? far : near });
  }, [zoom, folded, block]);
  useEffect(() => () => useUi.getState().setCanvas(undefined), []);
}

/** Keys that work while the picture has the focus; true when one did something. */
function canvasKey(
  event: React.KeyboardEvent,
  model: GraphModel,
  selection: Target,
  graph: GraphHandle | null,
  detail: Pick<Detail, "unfold" | "openDirectors" | "toggleDirector">,
): boolean {
  const { select } = useSelection.getState();
  const direction = arrows[event.key];
  if (direction !== undefined) {
    const next = step(model, standOf(model, selection), direction);
    if (next !== undefined) select(targetOfNode(model.graph, next));
    return true;
  }
  // By its place: with Shift the key is another sign on every keyboard layout.
  if (event.code === "Digit0" || event.code === "Numpad0") {
    if (event.shiftKey && selection.kind !== "nothing") graph?.flyTo(selection);
    else graph?.fit();
    return true;
  }
  switch (event.key) {
    case "+":
    case "=":
      graph?.zoomBy(1.25);
      return true;
    case "-":
      graph?.zoomBy(0.8);
      return true;
    case "Enter":
      if (selection.kind === "nothing") return false;
      useUi.getState().setInspectorOpen(true);
      document.querySelector<HTMLElement>("[data-region='inspector'] button")?.focus();
      return true;
    case " ": {
      if (selection.kind === "block" || selection.kind === "plane") {
        foldBlock(selection);
        return true;
      }
      const director = directorOfSelection(model.structure, selection, detail.openDirectors);
      if (director !== undefined) {
        // What is selected inside would keep it open.
        select({ kind: "director", director });
        detail.toggleDirector(director);
        return true;
      }
      if (selection.kind !== "node") return false;
      detail.unfold(selection.node);
      return true;
    }
    default:
      return false;
  }
}
