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
  | { readonly kind: "director"; readonly director: number };

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
  /** Raised by one for each request to bring the selection into view. */
  readonly flyRequest: number;
  readonly select: (selection: Selection, options?: { readonly fly: boolean }) => void;
  readonly setOverlay: (overlay: Overlay) => void;
  readonly setOnlyDegraded: (only: boolean) => void;
  readonly setTiers: (tiers: readonly number[]) => void;
  readonly reset: () => void;
}

export const useSelection = create<SelectionState>((set) => ({
  selection: { kind: "nothing" },
  overlay: "health",
  onlyDegraded: false,
  tiers: [],
  flyRequest: 0,
  select: (selection, options) =>
    set((state) => ({ selection, flyRequest: options?.fly === true ? state.flyRequest + 1 : state.flyRequest })),
  setOverlay: (overlay) => set({ overlay }),
  setOnlyDegraded: (onlyDegraded) => set({ onlyDegraded }),
  setTiers: (tiers) => set({ tiers }),
  reset: () => set({ selection: { kind: "nothing" }, onlyDegraded: false, tiers: [], flyRequest: 0 }),
}));
