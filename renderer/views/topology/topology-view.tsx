import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { Analysis } from "../../../shared/analyse/results.ts";
import type { FabricView } from "../../../shared/contract/views.ts";
import { count } from "../../../shared/base/text.ts";
import { findLink, linkId } from "../../../shared/fabric/access.ts";
import { fitCamera, type Camera } from "../../graph/camera.ts";
import type { Seen } from "../../graph/stage.ts";
import { FabricGraph, type GraphHandle, type Hovered } from "../../graph/fabric-graph.tsx";
import type { GraphModel, OpenedBlocks } from "../../graph/graph-model.ts";
import { noFilters, wantedBy, type FabricFilters } from "../../graph/filter.ts";
import { classify } from "../../graph/overlay.ts";
import { drawnOf, targetOfNode, type GraphPath, type Target } from "../../graph/target.ts";
import { useGraphModel, useLayout } from "../../graph/use-graph-model.ts";
import type { ViewNode } from "../../graph/view-types.ts";
import { isBlock } from "../../graph/view-links.ts";
import { useNow } from "../../parts/time.ts";
import { useFabric } from "../../state/fabric-store.ts";
import { useMeasure } from "../../state/measure-store.ts";
import { useSelection } from "../../state/selection-store.ts";
import { useSettings } from "../../state/settings-store.ts";
import { useUi } from "../../state/ui-store.ts";
import { HoverCard } from "./hover-card.tsx";
import { LegendBar } from "./legend-bar.tsx";
import { pathIn } from "./path-shown.ts";
import { exportNote, fileName, save } from "./save-picture.ts";
import { TopologyToolbar, type PartChoice, type RowChoice } from "./toolbar.tsx";
import { Twin } from "./twin.tsx";
import { blocksNear, blocksNeeded, foldAbove, leavesNear, leavesNeeded } from "./unfold.ts";
import { step, type Direction } from "./walk.ts";
import "./topology.css";

/** The open fabric as a picture: tiers, health, rates, measured numbers. */
export function TopologyView() {
  const view = useFabric((state) => state.view);
  return view === undefined ? null : <Topology key={view.fabricId} view={view} />;
}

/** Requests to fly that were served, so that coming back to this view does not fly again. */
let servedFlight = 0;

/** How the picture was left, for coming back from another view. Positions only mean something with the room they were laid out for. */
let left: { readonly fabricId: string; readonly seen: Seen; readonly size: Room } | undefined;

interface Room {
  readonly width: number;
  readonly height: number;
}

const arrows: Readonly<Record<string, Direction>> = {
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowLeft: "left",
  ArrowRight: "right",
};

const noIds: readonly string[] = [];
/** More cables than this: parallel ones between two switches are drawn as one line. */
const bundleAbove = 4000;

function Topology({ view }: { readonly view: FabricView }) {
  const { fabric, analysis } = view;
  const refreshed = useFabric((state) => state.refreshed);
  const overlay = useSelection((state) => state.overlay);
  const selection = useSelection((state) => state.selection);
  const onlyDegraded = useSelection((state) => state.onlyDegraded);
  const tiers = useSelection((state) => state.tiers);
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
  const [focus, setFocus] = useState(-1);
  const [legend, setLegend] = useState<{ readonly overlay: string; readonly ids: readonly string[] }>({
    overlay,
    ids: noIds,
  });
  const path = usePath(view);
  const { model, settled, unfold, openBlock } = useModel(view, {
    size,
    refreshed,
    selection,
    path,
    camera: seen?.camera,
  });
  const classes = useMemo(
    () => classify(overlay, { fabric, analysis, measured, passPercent }),
    [overlay, fabric, analysis, measured, passPercent],
  );
  const chosen = legend.overlay === overlay ? legend.ids : noIds;
  const [parts, setParts] = useState<FabricFilters>(noParts);
  const wanted = useMemo(
    () => (noFilters(parts) ? undefined : wantedBy(fabric, analysis.topology, parts)),
    [fabric, analysis, parts],
  );
  const filters = useMemo(
    () => ({ onlyDegraded, tiers, classes: chosen, wanted }),
    [onlyDegraded, tiers, chosen, wanted],
  );
  const choices = useMemo(() => partChoices(analysis), [analysis]);
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

  const onKeyDown = (event: React.KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || model === undefined) return;
    if (canvasKey(event, model, selection, graph.current, unfold)) {
      event.preventDefault();
      event.stopPropagation();
    }
  };
  const counts = analysis.counts;
  return (
    <div className="topology">
      <TopologyToolbar
        rows={rows}
        {...choices}
        filters={parts}
        onFilters={setParts}
        onExport={(kind) =>
          void graph.current?.export(kind, exportNote(view)).then((blob) => save(blob, fileName(view, kind)))
        }
        minimap={minimap}
        onMinimap={setMinimap}
        onFit={() => graph.current?.fit()}
      />
      <div className="topology-canvas">
        <FabricGraph
          ref={graph}
          {...{ model, overlay, classes, filters, selection, path, measured, passPercent, focus, minimap, now }}
          running={running === undefined ? undefined : findLink(fabric, running.plan.link)}
          label={`${count(counts.switches, "switch", "switches")}, ${count(counts.hosts, "host")}, ${count(counts.links, "link")}. Arrow keys walk along links`}
          onSelect={select}
          onOpen={(target, hit) => {
            const block = model?.graph.nodes[hit.node];
            if (block !== undefined && isBlock(block)) {
              graph.current?.flyToNode(hit.node);
              openBlock(block);
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
        {model !== undefined && hovered !== undefined ? (
          <HoverCard {...{ hovered, model, measured, passPercent, now }} />
        ) : null}
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
        remarks={[classes.remark, analysis.topology.kind === "irregular" ? "Irregular: fits no known shape" : ""]}
      />
      {model === undefined ? null : <Twin {...{ model, selection, measured }} onSelect={select} />}
    </div>
  );
}

const noParts: FabricFilters = { rails: [], clusters: [], text: "" };

/** Pods or groups and rails to choose from. */
function partChoices({ topology }: Analysis): {
  readonly clusters: readonly PartChoice[];
  readonly clusterWord: string;
  readonly rails: readonly PartChoice[];
} {
  const clusterWord = topology.groups.length > 0 ? "Group" : "Pod";
  const blocks = topology.groups.length > 0 ? topology.groups : topology.pods;
  return {
    clusterWord,
    clusters: blocks.map((block, index) => ({
      index,
      name: `${clusterWord} ${index + 1}`,
      note: count(block.hosts, "host"),
    })),
    rails: Array.from({ length: topology.rails }, (_, index) => ({ index, name: `Rail ${index + 1}`, note: "" })),
  };
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
  const selection = useSelection((state) => state.selection);
  const { fabric } = view;
  const selected = selection.kind === "link" ? selection.link : undefined;
  return useMemo(() => {
    if (sheet?.plan !== undefined) return pathIn(fabric, sheet.plan.path, false);
    if (running !== undefined) return pathIn(fabric, running.plan.path, true);
    if (selected === undefined || last?.measurement === undefined) return undefined;
    return last.link === linkId(fabric, selected) ? pathIn(fabric, last.measurement.path, false) : undefined;
  }, [fabric, sheet, running, last, selected]);
}

interface ModelInput {
  readonly size: Room | undefined;
  readonly refreshed: boolean;
  readonly selection: Target;
  readonly path: GraphPath | undefined;
  readonly camera: Camera | undefined;
}

const noBlocks: OpenedBlocks = { clusters: new Set(), planes: new Set() };

/**
 * The model with hosts, pods and groups folded where the camera is far; `unfold` opens or closes one switch's hosts by
 * hand, `openBlock` a pod, a group or a plane.
 */
function useModel(
  view: FabricView,
  input: ModelInput,
): {
  readonly model: GraphModel | undefined;
  /** The model has all that is wanted unfolded. */
  readonly settled: boolean;
  readonly unfold: (node: number, open?: boolean) => void;
  readonly openBlock: (node: ViewNode) => void;
} {
  const { fabric, analysis } = view;
  const { camera, size, selection, path } = input;
  const large = fabric.hosts.count > foldAbove || analysis.topology.kind === "dragonfly+";
  const laid = useLayout({ fabric, analysis, size, keepOrder: input.refreshed });
  const structure = laid?.structure;
  const layout = laid?.layout;
  const [byHand, setByHand] = useState<ReadonlySet<number>>(new Set());
  const [openByHand, setOpenByHand] = useState(noBlocks);
  const near = useMemo(() => {
    if (structure === undefined || layout === undefined || size === undefined) return "//";
    const [width, height] = [size.width + 80, size.height + 88];
    const at = camera ?? fitCamera(layout, width, height);
    const blocks = structure.clusters > 1 ? blocksNear(layout, at, width, height) : noBlocks;
    const leaves = large ? leavesNear(structure, layout, at, width, height) : [];
    return [leaves, [...blocks.clusters], [...blocks.planes]].map((list) => list.join()).join("/");
  }, [large, structure, layout, camera, size]);
  // By its text: a camera that moved but sees the same blocks derives nothing anew.
  const seen = useMemo(() => {
    const [leaves = [], clusters = [], planes = []] = near
      .split("/")
      .map((list) => list.split(",").filter(Boolean).map(Number));
    return { leaves, blocks: { clusters: new Set(clusters), planes: new Set(planes) } };
  }, [near]);
  const needed = useMemo(() => {
    if (structure === undefined || layout === undefined) return { leaves: [], blocks: noBlocks };
    return {
      leaves: large ? leavesNeeded(fabric, structure, selection, path) : [],
      blocks:
        structure.clusters > 1 ? blocksNeeded({ fabric, analysis }, structure, layout, selection, path) : noBlocks,
    };
  }, [large, structure, layout, fabric, analysis, selection, path]);
  const { leaves: leavesSeen, blocks: blocksSeen } = seen;
  const options = useMemo(
    () => ({
      unfolded: large ? new Set([...byHand, ...leavesSeen, ...needed.leaves]) : ("all" as const),
      bundles: fabric.links.count > bundleAbove,
    }),
    [large, byHand, leavesSeen, needed, fabric],
  );
  const opened = useMemo(() => {
    if (structure === undefined || structure.clusters < 2) return "all" as const;
    return {
      clusters: new Set([...blocksSeen.clusters, ...needed.blocks.clusters, ...openByHand.clusters]),
      planes: new Set([...blocksSeen.planes, ...needed.blocks.planes, ...openByHand.planes]),
    };
  }, [structure, blocksSeen, needed, openByHand]);
  const { model, settled } = useGraphModel(laid, { view: options, opened });
  const unfold = useCallback((node: number, open?: boolean) => {
    setByHand((before) => {
      const next = new Set(before);
      if (open ?? !next.has(node)) next.add(node);
      else next.delete(node);
      return next;
    });
  }, []);
  const openBlock = useCallback((node: ViewNode) => {
    setOpenByHand((before) =>
      node.kind === "plane"
        ? { ...before, planes: new Set([...before.planes, node.cluster]) }
        : { ...before, clusters: new Set([...before.clusters, node.cluster]) },
    );
  }, []);
  return { model, settled, unfold, openBlock };
}

/** Rows of the picture with how much stands in them, from the top. */
function rowChoices(model: GraphModel | undefined): readonly RowChoice[] {
  if (model === undefined) return [];
  const totals = new Map<number, number>();
  const { boxLevel, blockHost } = model.structure;
  for (const level of boxLevel) totals.set(level, (totals.get(level) ?? 0) + 1);
  if (blockHost.length > 0) totals.set(0, blockHost.length);
  return [...totals]
    .sort(([a], [b]) => b - a)
    .map(([level, total]) => ({ level, name: model.rowNames.get(level) ?? `Tier ${level}`, count: total }));
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
  unfold: (node: number) => void,
): boolean {
  const { select } = useSelection.getState();
  const direction = arrows[event.key];
  if (direction !== undefined) {
    const drawn = drawnOf(model.fabric, model.graph, selection);
    const from = drawn.link >= 0 ? (model.graph.links.source[drawn.link] ?? -1) : drawn.node;
    const next = step(model, from, direction);
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
    case " ":
      if (selection.kind !== "node") return false;
      unfold(selection.node);
      return true;
    default:
      return false;
  }
}
