import { useEffect, useImperativeHandle, useLayoutEffect, useMemo, useRef, useState, type Ref } from "react";
import type { Result } from "../../shared/base/result.ts";
import type { Camera } from "./camera.ts";
import type { Drawing } from "./drawing.ts";
import type { PictureFile, PictureKind } from "./export-client.ts";
import type { ExportNote } from "./export-frame.ts";
import type { Extent } from "./export-picture.ts";
import type { GraphModel } from "./graph-model.ts";
import type { Classes, Measured, OverlayName } from "./overlay.ts";
import { readPalette, watchTheme, type Palette } from "./palette.ts";
import { pillsOf } from "./pills.ts";
import { buildPicture, type Filters } from "./picture.ts";
import { GraphStage, type Hit, type Pointer, type Seen } from "./stage.ts";
import { emphasisOf, rectangleOf, targetOfLink, targetOfNode, type GraphPath, type Target } from "./target.ts";
import "./fabric-graph.css";

/** What the view can ask of the graph. */
export interface GraphHandle {
  readonly fit: () => void;
  readonly zoomBy: (factor: number) => void;
  /** Brings a target into the middle, near enough to be read. */
  readonly flyTo: (target: Target) => void;
  /** Brings a drawn node into the middle and fills the window with it. */
  readonly flyToNode: (node: number) => void;
  readonly focus: () => void;
  /** What is at a point of the page, px. */
  readonly at: (x: number, y: number) => Promise<{ readonly target: Target; readonly hit: Hit }>;
  /** The middle of a target on the page, px; undefined when it is not in sight. */
  readonly placeOf: (target: Target) => Pointer | undefined;
  /** What is seen, or all of it, as a file, or a sentence on why not; undefined when nothing is shown. */
  readonly export: (
    kind: PictureKind,
    extent: Extent,
    note: ExportNote,
  ) => Promise<Result<PictureFile, string> | undefined>;
}

/** Something under the pointer, for the hover card. */
export interface Hovered {
  readonly target: Target;
  /** Drawn node and link, -1 for none. */
  readonly hit: Hit;
  readonly pointer: Pointer;
  readonly camera: Camera;
}

export interface FabricGraphProps {
  /** Undefined while it is laid out. */
  readonly model: GraphModel | undefined;
  readonly overlay: OverlayName;
  readonly classes: Classes;
  readonly filters: Filters;
  readonly selection: Target;
  readonly path: GraphPath | undefined;
  readonly measured: Measured;
  readonly passPercent: number;
  /** Link that is being measured now. */
  readonly running: number | undefined;
  /** Class that the legend points at; -1 none. */
  readonly focus: number;
  readonly minimap: boolean;
  /** Where the camera was when this picture was left. */
  readonly start: Camera | undefined;
  /** The present, for ages on links. */
  readonly now: number;
  readonly label: string;
  readonly onSelect: (target: Target) => void;
  /** A double click: on a node, or on the ground. */
  readonly onOpen: (target: Target, hit: Hit) => void;
  readonly onHover: (hovered: Hovered | undefined) => void;
  /** The camera came to rest. */
  readonly onCamera: (seen: Seen) => void;
  /** The graph's window has a size; `fitted`: the picture is as "fit" left it. */
  readonly onSize: (width: number, height: number, fitted: boolean) => void;
  readonly onKeyDown: (event: React.KeyboardEvent) => void;
  readonly ref: Ref<GraphHandle>;
}

/** Draws a fabric: scene, Cytoscape and marks in one window with one camera. Knows no store. */
export function FabricGraph(props: FabricGraphProps) {
  const host = useRef<HTMLDivElement>(null);
  const stage = useRef<GraphStage | undefined>(undefined);
  const shown = useRef(false);
  const latest = useRef(props);
  useLayoutEffect(() => {
    latest.current = props;
  });
  const [palette, setPalette] = useState<Palette | undefined>(undefined);

  useLayoutEffect(() => {
    const element = host.current;
    if (element === null) return undefined;
    let end: (() => void) | undefined;
    // In a task of its own: with all else that a newly opened fabric shows it would block the window for too long.
    const timer = window.setTimeout(() => {
      const made = new GraphStage(
        element,
        {
          onTap: (hit) => latest.current.onSelect(targetOf(latest.current.model, hit)),
          onOpen: (hit) => latest.current.onOpen(targetOf(latest.current.model, hit), hit),
          onHover: (hit, pointer) => {
            const target = targetOf(latest.current.model, hit);
            const nothing = hit.node < 0 && hit.link < 0;
            latest.current.onHover(nothing ? undefined : { target, hit, pointer, camera: made.camera() });
          },
          onCamera: (seen) => latest.current.onCamera(seen),
        },
        latest.current.start,
      );
      made.showMinimap(latest.current.minimap);
      stage.current = made;
      setPalette(readPalette(element));
      const unwatch = watchTheme(() => setPalette(readPalette(element)));
      const report = (): void => latest.current.onSize(element.clientWidth, element.clientHeight, made.isFitted);
      const observer = new ResizeObserver(() => {
        made.resize();
        report();
      });
      observer.observe(element);
      report();
      end = () => {
        observer.disconnect();
        unwatch();
        made.destroy();
        stage.current = undefined;
      };
    });
    return () => {
      window.clearTimeout(timer);
      end?.();
    };
  }, []);

  const drawing = useDrawing(props, palette);
  useEffect(() => {
    if (drawing === undefined) return undefined;
    if (shown.current) {
      stage.current?.show(drawing);
      return undefined;
    }
    // The first picture in a task of its own: it comes right after a layout, and styles of all kinds are made for it.
    const timer = window.setTimeout(() => {
      shown.current = true;
      stage.current?.show(drawing);
    });
    return () => window.clearTimeout(timer);
  }, [drawing]);
  const { minimap } = props;
  useEffect(() => stage.current?.showMinimap(minimap), [minimap]);

  useImperativeHandle(
    props.ref,
    () => ({
      fit: () => stage.current?.fit(true),
      zoomBy: (factor) => stage.current?.zoomBy(factor),
      flyTo: (target) => {
        const { model } = latest.current;
        const box = model === undefined ? undefined : rectangleOf(model, target);
        if (box !== undefined) stage.current?.flyTo(box, nearEnough(target, box.right - box.left));
      },
      flyToNode: (node) => {
        const geometry = latest.current.model?.geometry;
        if (geometry === undefined) return;
        const [x, y] = [geometry.x[node] ?? 0, geometry.y[node] ?? 0];
        const [halfWidth, halfHeight] = [(geometry.width[node] ?? 0) / 2, (geometry.height[node] ?? 0) / 2];
        const box = { left: x - halfWidth, right: x + halfWidth, top: y - halfHeight, bottom: y + halfHeight };
        stage.current?.flyTo(box, 1.2);
      },
      focus: () => host.current?.focus(),
      at: async (x, y) => {
        const place = host.current?.getBoundingClientRect();
        const hit = (await stage.current?.hitAt({ x: x - (place?.left ?? 0), y: y - (place?.top ?? 0) })) ?? noHit;
        return { hit, target: targetOf(latest.current.model, hit) };
      },
      placeOf: (target) => {
        const { model } = latest.current;
        const [place, camera] = [host.current?.getBoundingClientRect(), stage.current?.camera()];
        const box = model === undefined ? undefined : rectangleOf(model, target);
        if (place === undefined || camera === undefined || box === undefined) return undefined;
        const x = ((box.left + box.right) / 2) * camera.zoom + camera.x;
        const y = ((box.top + box.bottom) / 2) * camera.zoom + camera.y;
        const inside = x >= 0 && y >= 0 && x <= place.width && y <= place.height;
        return inside ? { x: x + place.left, y: y + place.top } : undefined;
      },
      export: (kind, extent, note) => stage.current?.export(kind, extent, note) ?? Promise.resolve(undefined),
    }),
    [],
  );

  return (
    <div
      ref={host}
      className="graph"
      tabIndex={0}
      role="application"
      aria-label={props.label}
      aria-roledescription="topology"
      onKeyDown={props.onKeyDown}
    />
  );
}

const noHit: Hit = { node: -1, link: -1 };

/** A node is brought to a readable size, a link to as much as shows both its ends. */
function nearEnough(target: Target, width: number): number {
  if (target.kind === "link" || target.kind === "missing-link") return 1.6;
  return Math.max(1.2, Math.min(9, 70 / Math.max(1, width)));
}

function targetOf(model: GraphModel | undefined, hit: Hit): Target {
  if (model === undefined) return { kind: "nothing" };
  if (hit.node >= 0) return targetOfNode(model.graph, hit.node);
  if (hit.link >= 0) return targetOfLink(model, hit.link);
  const director = hit.director ?? -1;
  if (director >= 0) return { kind: "director", director };
  const block = hit.block ?? -1;
  return block < 0 ? { kind: "nothing" } : { kind: "block", block };
}

function useDrawing(props: FabricGraphProps, palette: Palette | undefined): Drawing | undefined {
  const { model, classes, filters, selection, path, measured, passPercent, overlay, running, focus, now } = props;
  const picture = useMemo(
    () => (model === undefined ? undefined : buildPicture(model.fabric, model.graph, classes, filters)),
    [model, classes, filters],
  );
  const emphasis = useMemo(
    () => (model === undefined ? undefined : emphasisOf(model, selection, path)),
    [model, selection, path],
  );
  const pills = useMemo(() => {
    if (model === undefined || emphasis === undefined) return undefined;
    const { fabric, graph } = model;
    const drawn = running === undefined ? undefined : graph.linkOfFabricLink[running];
    return pillsOf({
      ...{ fabric, graph, measured, passPercent, overlay, now },
      selected: emphasis.selectedLink,
      running: drawn ?? -1,
    });
  }, [model, emphasis, measured, passPercent, overlay, running, now]);
  return useMemo(() => {
    if (
      model === undefined ||
      palette === undefined ||
      picture === undefined ||
      emphasis === undefined ||
      pills === undefined
    ) {
      return undefined;
    }
    return { ...model, classes, picture, emphasis, pills, focus, palette };
  }, [model, palette, picture, emphasis, pills, classes, focus]);
}
