import { create } from "zustand";

/** What is selected, everywhere at once. Indices belong to the open fabric. */
export type Selection =
  | { readonly kind: "nothing" }
  | { readonly kind: "node"; readonly node: number }
  /** A host with all its adapters. */
  | { readonly kind: "host"; readonly host: number }
  | { readonly kind: "link"; readonly link: number }
  /** Position in analysis.missingLinks. */
  | { readonly kind: "missing-link"; readonly missing: number }
  /** A box of several switches: position in analysis.topology.chassis. */
  | { readonly kind: "director"; readonly director: number }
  /** A pod or a group: position in analysis.topology.pods or groups. */
  | { readonly kind: "block"; readonly block: number }
  /** A plane of the core: what the picture calls it, its position there, its switches (nodes). The analysis knows no planes. */
  | { readonly kind: "plane"; readonly plane: number; readonly name: string; readonly switches: readonly number[] };

/** A pod, a group or a plane. */
export type BlockSelection = Extract<Selection, { readonly kind: "block" | "plane" }>;

/** Key of a pod, a group or a plane among those that are open. */
export function foldKey(target: BlockSelection): string {
  return target.kind === "block" ? `block ${target.block}` : `plane ${target.plane}`;
}

export const overlays = ["health", "rate", "bandwidth", "latency", "errors", "routes"] as const;
export type Overlay = (typeof overlays)[number];

/** Key of each overlay. */
export const overlayKeys: Readonly<Record<Overlay, string>> = {
  health: "1",
  rate: "2",
  bandwidth: "3",
  latency: "4",
  errors: "5",
  routes: "6",
};

interface SelectionState {
  readonly selection: Selection;
  readonly overlay: Overlay;
  readonly onlyDegraded: boolean;
  /** Tier levels shown; empty = all. */
  readonly tiers: readonly number[];
  /** Pods or groups shown, by position; empty = all. */
  readonly clusters: readonly number[];
  /** Pods, groups and planes that were opened (true) or closed by hand, by {@link foldKey}. */
  readonly folds: ReadonlyMap<string, boolean>;
  /** Those that the picture draws open now, by hand or because the camera is near; undefined while no picture is shown. */
  readonly drawnOpen: ReadonlySet<string> | undefined;
  /** Raised by one for each request to bring the selection into view. */
  readonly flyRequest: number;
  readonly select: (selection: Selection, options?: { readonly fly: boolean }) => void;
  readonly setOverlay: (overlay: Overlay) => void;
  readonly setOnlyDegraded: (only: boolean) => void;
  readonly setTiers: (tiers: readonly number[]) => void;
  readonly setClusters: (clusters: readonly number[]) => void;
  readonly setFolds: (folds: ReadonlyMap<string, boolean>) => void;
  readonly setDrawnOpen: (open: ReadonlySet<string> | undefined) => void;
  readonly reset: () => void;
}

const noFolds: ReadonlyMap<string, boolean> = new Map();

export const useSelection = create<SelectionState>((set) => ({
  selection: { kind: "nothing" },
  overlay: "health",
  onlyDegraded: false,
  tiers: [],
  clusters: [],
  folds: noFolds,
  drawnOpen: undefined,
  flyRequest: 0,
  select: (selection, options) =>
    set((state) => ({ selection, flyRequest: options?.fly === true ? state.flyRequest + 1 : state.flyRequest })),
  setOverlay: (overlay) => set({ overlay }),
  setOnlyDegraded: (onlyDegraded) => set({ onlyDegraded }),
  setTiers: (tiers) => set({ tiers }),
  setClusters: (clusters) => set({ clusters }),
  setFolds: (folds) => set({ folds }),
  setDrawnOpen: (drawnOpen) => set({ drawnOpen }),
  reset: () =>
    set({
      ...{ selection: { kind: "nothing" }, onlyDegraded: false, tiers: [], clusters: [], folds: noFolds },
      flyRequest: 0,
    }),
}));
