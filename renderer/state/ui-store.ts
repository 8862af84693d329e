import { create } from "zustand";
import type { AppError } from "../../shared/errors/kinds.ts";
import type { SshSource } from "../../shared/contract/source.ts";

export const viewNames = ["topology", "links", "nodes", "findings", "managers", "measure"] as const;
export type ViewName = (typeof viewNames)[number];
export const panelTabs = ["findings", "links", "tasks", "output"] as const;
export type PanelTab = (typeof panelTabs)[number];
export const findingsTabs = ["suspects", "findings", "remarks"] as const;
export type FindingsTab = (typeof findingsTabs)[number];

/** One dialogue at a time. */
export type Dialog =
  | { readonly kind: "none" }
  | { readonly kind: "connect"; readonly source?: SshSource }
  /** `from`: host index that the path shall begin at. */
  | { readonly kind: "path"; readonly from?: number }
  | { readonly kind: "settings" }
  | { readonly kind: "shortcuts" };

/** A short word on the result of the user's own action. */
export interface Toast {
  readonly id: number;
  readonly kind: "done" | "error";
  readonly text: string;
  readonly error?: AppError;
}

interface UiState {
  readonly view: ViewName;
  readonly panelTab: PanelTab;
  readonly findingsTab: FindingsTab;
  readonly panelOpen: boolean;
  readonly inspectorOpen: boolean;
  readonly paletteOpen: boolean;
  readonly dialog: Dialog;
  readonly toasts: readonly Toast[];
  /** Raw output shown in the Output tab, with a line to bring into view. */
  readonly rawOutput: { readonly file: string; readonly line: number } | undefined;
  /** What the picture tells the status bar: zoom in per cent, and the level of detail in words. */
  readonly canvas: { readonly zoom: number; readonly details: string } | undefined;
  readonly show: (view: ViewName) => void;
  readonly setFindingsTab: (tab: FindingsTab) => void;
  readonly showPanel: (tab: PanelTab) => void;
  readonly setPanelOpen: (open: boolean) => void;
  readonly setInspectorOpen: (open: boolean) => void;
  readonly setPaletteOpen: (open: boolean) => void;
  readonly openDialog: (dialog: Dialog) => void;
  readonly toast: (toast: Omit<Toast, "id">) => void;
  readonly dropToast: (id: number) => void;
  readonly showRawOutput: (file: string, line: number) => void;
  readonly setCanvas: (canvas: { readonly zoom: number; readonly details: string } | undefined) => void;
}

let lastToast = 0;

export const useUi = create<UiState>((set) => ({
  view: "topology",
  panelTab: "findings",
  findingsTab: "suspects",
  panelOpen: true,
  inspectorOpen: true,
  paletteOpen: false,
  dialog: { kind: "none" },
  toasts: [],
  rawOutput: undefined,
  canvas: undefined,
  show: (view) => set({ view }),
  setFindingsTab: (findingsTab) => set({ findingsTab }),
  showPanel: (panelTab) => set({ panelTab, panelOpen: true }),
  setPanelOpen: (panelOpen) => set({ panelOpen }),
  setInspectorOpen: (inspectorOpen) => set({ inspectorOpen }),
  setPaletteOpen: (paletteOpen) => set({ paletteOpen }),
  openDialog: (dialog) => set({ dialog }),
  toast: (toast) => {
    lastToast += 1;
    const added = { ...toast, id: lastToast };
    set((state) => ({ toasts: [...state.toasts.slice(-3), added] }));
  },
  dropToast: (id) => set((state) => ({ toasts: state.toasts.filter((toast) => toast.id !== id) })),
  showRawOutput: (file, line) => set({ rawOutput: { file, line }, panelTab: "output", panelOpen: true }),
  setCanvas: (canvas) => set({ canvas }),
}));
