/** Which level of detail the picture has: what is folded far away, opened near, by hand, or by what is looked at. */
import { useCallback, useEffect, useMemo, useState } from "react";
import type { HostGrouping, HostGroups } from "../../../shared/analyse/host-names.ts";
import type { FabricView } from "../../../shared/contract/views.ts";
import { fitCamera, type Camera } from "../../graph/camera.ts";
import type { FabricParts } from "../../graph/fabric-parts.ts";
import { type GraphModel, type OpenedBlocks, picturedOf, type Room } from "../../graph/graph-model.ts";
import { linkIndex } from "../../graph/pills.ts";
import type { Measured } from "../../graph/overlay.ts";
import type { GraphPath, Target } from "../../graph/target.ts";
import { useGraphModel, useLayout } from "../../graph/use-graph-model.ts";
import { useSelection } from "../../state/selection-store.ts";
import { pictureWorker } from "./prepare-picture.ts";
import {
  blocksNear,
  blocksNeeded,
  directorsNeeded,
  foldAbove,
  foldsKept,
  leavesNear,
  leavesNeeded,
  openedBy,
} from "./unfold.ts";

/** More cables than this: parallel ones between two switches are drawn as one line. */
const bundleAbove = 4000;
/** Slow links drawn on their own at most. */
const mostSlow = 200;

export interface DetailInput {
  readonly size: Room | undefined;
  readonly refreshed: boolean;
  readonly selection: Target;
  readonly path: GraphPath | undefined;
  readonly camera: Camera | undefined;
  /** How folded hosts are divided; undefined = by leaf. */
  readonly hostsBy: HostGrouping | undefined;
  readonly measured: Measured;
  readonly passPercent: number;
}

export interface Detail {
  readonly model: GraphModel | undefined;
  /** What can be shown alone or folded together; undefined until it is known. */
  readonly parts: FabricParts | undefined;
  /** How folded hosts are divided; undefined = by leaf. */
  readonly hostGroups: HostGroups | undefined;
  /** The model has all that is wanted unfolded. */
  readonly settled: boolean;
  /** Opens or closes one switch's hosts by hand. */
  readonly unfold: (node: number, open?: boolean) => void;
  /** Switches whose hosts were opened by hand. */
  readonly unfolded: ReadonlySet<number>;
  /** Directors drawn chip by chip. */
  readonly openDirectors: ReadonlySet<number>;
  readonly setDirectors: (open: ReadonlySet<number>) => void;
  /** Opens a closed director by hand, closes an open one. */
  readonly toggleDirector: (director: number) => void;
}

const noBlocks: OpenedBlocks = { clusters: new Set(), planes: new Set() };

/** The model with hosts, pods, groups and directors folded where the camera is far. */
export function useDetail(view: FabricView, input: DetailInput): Detail {
  const { fabric } = view;
  const analysis = picturedOf(view.analysis);
  const { camera, size, selection, path, hostsBy } = input;
  const laid = useLayout({ fabric, analysis, size, keepOrder: input.refreshed, worker: pictureWorker });
  const parts = laid?.parts;
  const hostGroups = hostsBy === undefined ? undefined : parts?.groupings[hostsBy];
  const grouped = hostGroups !== undefined;
  const large = grouped || fabric.hosts.count > foldAbove || analysis.topology.kind === "dragonfly+";
  const structure = laid?.structure;
  const layout = laid?.layout;
  const [byHand, setByHand] = useState<ReadonlySet<number>>(new Set());
  const folds = useSelection((state) => state.folds);
  const near = useMemo(() => {
    if (structure === undefined || layout === undefined || size === undefined) return "//";
    const [width, height] = [size.width + 80, size.height + 88];
    const at = camera ?? fitCamera(layout, width, height);
    const blocks = structure.clusters > 1 ? blocksNear(layout, at, width, height) : noBlocks;
    const leaves = large ? leavesNear(structure, layout, at, width, height, grouped) : [];
    return [leaves, [...blocks.clusters], [...blocks.planes]].map((list) => list.join()).join("/");
  }, [large, grouped, structure, layout, camera, size]);
  // By its text: a camera that moved but sees the same blocks derives nothing anew.
  const seen = useMemo(() => {
    const [leaves = [], clusters = [], planes = []] = near
      .split("/")
      .map((list) => list.split(",").filter(Boolean).map(Number));
    return { leaves, blocks: { clusters: new Set(clusters), planes: new Set(planes) } };
  }, [near]);
  const needed = useMemo(() => {
    if (structure === undefined || layout === undefined) return { leaves: [], blocks: noBlocks, directors: [] };
    return {
      directors: directorsNeeded({ fabric, analysis }, structure, selection, path),
      leaves: large ? leavesNeeded(fabric, structure, selection, path) : [],
      blocks:
        structure.clusters > 1 ? blocksNeeded({ fabric, analysis }, structure, layout, selection, path) : noBlocks,
    };
  }, [large, structure, layout, fabric, analysis, selection, path]);
  const { leaves: leavesSeen, blocks: blocksSeen } = seen;
  const [directorsByHand, setDirectors] = useState<ReadonlySet<number>>(new Set());
  const openDirectors = useMemo(() => new Set([...directorsByHand, ...needed.directors]), [directorsByHand, needed]);
  const apart = useApart(view, input);
  const options = useMemo(
    () => ({
      unfolded: large ? new Set([...byHand, ...leavesSeen, ...needed.leaves]) : ("all" as const),
      bundles: fabric.links.count > bundleAbove,
      ...{ apart, openDirectors, hostGroups },
    }),
    [large, byHand, leavesSeen, needed, fabric, apart, openDirectors, hostGroups],
  );
  const opened = useMemo(() => {
    if (structure === undefined || structure.clusters < 2) return "all" as const;
    return openedBy(folds, blocksSeen, needed.blocks);
  }, [structure, blocksSeen, needed, folds]);
  useEffect(() => {
    const kept = foldsKept(folds, blocksSeen);
    if (kept !== folds) useSelection.getState().setFolds(kept);
  }, [folds, blocksSeen]);
  const { model: pictured, settled } = useGraphModel(laid, { view: options, opened });
  // What is said of nodes and links under the pointer needs their findings.
  const model = useMemo(
    () => (pictured === undefined ? undefined : { ...pictured, analysis: view.analysis }),
    [pictured, view.analysis],
  );
  const unfold = useCallback((node: number, open?: boolean) => {
    setByHand((before) => {
      const next = new Set(before);
      if (open ?? !next.has(node)) next.add(node);
      else next.delete(node);
      return next;
    });
  }, []);
  const toggleDirector = useCallback((director: number) => {
    setDirectors((before) => {
      const next = new Set(before);
      if (!next.delete(director)) next.add(director);
      return next;
    });
  }, []);
  return {
    ...{ model, parts, hostGroups, settled, unfold, unfolded: byHand },
    ...{ openDirectors, setDirectors, toggleDirector },
  };
}

/** Links that no bundle swallows: selected, on the path, measured and slow. By its text, so that it is the same when nothing changed. */
function useApart(view: FabricView, input: DetailInput): ReadonlySet<number> {
  const { selection, path, measured, passPercent } = input;
  const { fabric } = view;
  const slow = useMemo(() => {
    const byId = measured.size === 0 ? undefined : linkIndex(fabric);
    const links: number[] = [];
    for (const [id, { percent }] of measured) {
      const link = percent !== null && percent < passPercent ? byId?.get(id) : undefined;
      if (link !== undefined && links.length < mostSlow) links.push(link);
    }
    return links;
  }, [fabric, measured, passPercent]);
  const text = [
    ...slow,
    ...(selection.kind === "link" ? [selection.link] : []),
    ...(path?.hops ?? []).map((hop) => hop.link),
  ].join();
  return useMemo(() => new Set(text.split(",").filter(Boolean).map(Number)), [text]);
}
