/** All commands of the window: one table for keys, palette, menu and the sheet of shortcuts. */
import { focusNextRegion } from "../../keyboard.ts";
import type { IconName } from "../../parts/icons.tsx";
import { useFabric } from "../../state/fabric-store.ts";
import { useMeasure } from "../../state/measure-store.ts";
import { overlayKeys, overlays, useSelection } from "../../state/selection-store.ts";
import { useRoutes } from "../../state/routes-store.ts";
import { useSettings } from "../../state/settings-store.ts";
import { useSweeps } from "../../state/sweep-store.ts";
import { useUi, type ViewName, viewNames } from "../../state/ui-store.ts";
import { sweepAll } from "../measure/start-sweep.ts";
import { chooseAndOpen, connect, saveCapture } from "./actions.ts";
import { flyTo, nextFinding } from "./go-to.ts";
import { selectedAction } from "./object-actions.ts";
import { panelFloats, presentRoom } from "./room.ts";
import { setByHand, standardPanelHeight } from "./use-pane.ts";

export interface Command {
  readonly id: string;
  /** A verb, sentence case, as palette and shortcut sheet show it. */
  readonly title: string;
  readonly group: "Fabric" | "Views" | "Selection" | "Window";
  readonly icon: IconName;
  readonly keys: readonly string[];
  /** False: makes no sense at the moment. */
  readonly applies: () => boolean;
  readonly run: () => void;
  /** Left out of the palette: only a key makes sense of it. */
  readonly keyOnly?: boolean;
}

const always = (): boolean => true;
const hasFabric = (): boolean => useFabric.getState().view !== undefined;

export const viewTitles: Readonly<Record<ViewName, string>> = {
  topology: "Topology",
  links: "Links",
  nodes: "Nodes",
  findings: "Findings",
  managers: "SMs",
  measure: "Measure",
};

/** True when something is selected with which this can be done now. */
function canDo(id: Parameters<typeof selectedAction>[0]): boolean {
  const action = selectedAction(id);
  return action !== undefined && action.reason === undefined;
}

function canSweep(): boolean {
  return useFabric.getState().view?.capture.source != null;
}

function walkFindings(step: 1 | -1): void {
  const view = useFabric.getState().view;
  const next = view === undefined ? undefined : nextFinding(view, useSelection.getState().selection, step);
  if (next !== undefined) flyTo(next);
}

function focusFilter(): void {
  // A filter that is not in use yet is a button which becomes the field.
  const filter = document.querySelector<HTMLElement>("[data-region='main'] [data-filter]");
  if (filter === null) useUi.getState().setPaletteOpen(true);
  else if (filter instanceof HTMLButtonElement) filter.click();
  else filter.focus();
}

/** Esc: from the top to the bottom; never ends a running measurement. */
function escape(): void {
  const ui = useUi.getState();
  const room = presentRoom();
  const byHand = setByHand(useSettings.getState().settings.panes, "panel", standardPanelHeight);
  if (useSweeps.getState().sheet !== undefined) useSweeps.getState().closeSheet();
  else if (useMeasure.getState().sheet !== undefined) useMeasure.getState().closeSheet();
  else if (ui.panelOpen && panelFloats(room, byHand)) ui.setPanelOpen(false);
  else if (ui.inspectorOpen && room.tight) ui.setInspectorOpen(false);
  else useSelection.getState().select({ kind: "nothing" });
}

const overlayTitles = {
  health: "health",
  rate: "rate",
  bandwidth: "bandwidth",
  latency: "latency",
  errors: "growth of errors",
  routes: "routes",
} as const;

export const commands: readonly Command[] = [
  {
    id: "connect",
    title: "Connect over SSH",
    group: "Fabric",
    icon: "terminal",
    keys: ["Ctrl N"],
    applies: always,
    run: connect,
  },
  {
    id: "open",
    title: "Open a capture or raw outputs",
    group: "Fabric",
    icon: "file",
    keys: ["Ctrl O"],
    applies: always,
    run: () => void chooseAndOpen("files"),
  },
  {
    id: "open-folder",
    title: "Open a folder of raw outputs",
    group: "Fabric",
    icon: "folder",
    keys: ["Ctrl Shift O"],
    applies: always,
    run: () => void chooseAndOpen("folder"),
  },
  {
    id: "save",
    title: "Save the capture",
    group: "Fabric",
    icon: "save",
    keys: ["Ctrl S"],
    applies: hasFabric,
    run: () => void saveCapture(),
  },
  {
    id: "collect-again",
    title: "Collect again",
    group: "Fabric",
    icon: "refresh",
    keys: ["Ctrl R"],
    applies: () => useFabric.getState().view?.capture.source != null && useFabric.getState().loading === undefined,
    run: () => void useFabric.getState().collectAgain(),
  },
  {
    id: "collect-routes",
    title: "Collect again with routes",
    group: "Fabric",
    icon: "refresh",
    keys: [],
    applies: () => useFabric.getState().view?.capture.source != null && useFabric.getState().loading === undefined,
    run: () => void useFabric.getState().collectAgain(true),
  },
  {
    id: "paths",
    title: "Show paths through the link",
    group: "Selection",
    icon: "topology",
    keys: ["P"],
    applies: () => canDo("paths"),
    run: () => selectedAction("paths")?.run(),
  },
  {
    id: "path-between",
    title: "Path from a host to another",
    group: "Fabric",
    icon: "topology",
    keys: [],
    applies: () => useRoutes.getState().state === "ready",
    run: () => useUi.getState().openDialog({ kind: "path" }),
  },
  {
    id: "close",
    title: "Close the fabric",
    group: "Fabric",
    icon: "close",
    keys: [],
    applies: hasFabric,
    run: () => useFabric.getState().close(),
  },
  ...viewNames.map((view, index): Command => ({
    id: `view-${view}`,
    title: `Show ${view === "managers" ? "subnet managers" : view === "measure" ? "measurements" : viewTitles[view].toLowerCase()}`,
    group: "Views",
    icon: view,
    keys: [`Ctrl ${index + 1}`],
    applies: hasFabric,
    run: () => useUi.getState().show(view),
  })),
  ...overlays.map((overlay): Command => ({
    id: `overlay-${overlay}`,
    title: `Colour by ${overlayTitles[overlay]}`,
    group: "Views",
    icon: "map",
    keys: [overlayKeys[overlay]],
    applies: hasFabric,
    run: () => {
      useUi.getState().show("topology");
      useSelection.getState().setOverlay(overlay);
    },
  })),
  {
    id: "inspector",
    title: "Show or hide the inspector",
    group: "Views",
    icon: "info",
    keys: ["Ctrl I"],
    applies: hasFabric,
    run: () => useUi.getState().setInspectorOpen(!useUi.getState().inspectorOpen),
  },
  {
    id: "panel",
    title: "Show or hide the bottom panel",
    group: "Views",
    icon: "terminal",
    keys: ["Ctrl J"],
    applies: hasFabric,
    run: () => useUi.getState().setPanelOpen(!useUi.getState().panelOpen),
  },
  {
    id: "measure",
    title: "Measure the selected link",
    group: "Selection",
    icon: "measure",
    keys: ["M"],
    // Also where it cannot be measured: the plan says why, and what else can be done.
    applies: () => selectedAction("measure") !== undefined,
    run: () => selectedAction("measure")?.run(),
  },
  ...(
    [
      ["all-inter-switch", "Measure all inter-switch links"],
      ["all-host-links", "Measure all host links"],
      ["degraded", "Measure the degraded links"],
    ] as const
  ).map(([kind, title]): Command => ({
    id: `sweep-${kind}`,
    title,
    group: "Fabric",
    icon: "measure",
    keys: [],
    applies: canSweep,
    run: () => sweepAll(kind),
  })),
  ...(
    [
      ["sweep-host-links-of", "Measure the host links of the selected switch"],
      ["sweep-links-of", "Measure all links of the selected switch, host or director"],
    ] as const
  ).map(([id, title]): Command => ({
    id,
    title,
    group: "Selection",
    icon: "measure",
    keys: [],
    applies: () => canDo(id),
    run: () => selectedAction(id)?.run(),
  })),
  ...(
    [
      ["fold", "Open or close the selected pod, group or plane", "sort"],
      ["alone", "Show only the selected pod or group, or all again", "filter"],
      ["list", "List the switches of the selected pod, group or plane", "nodes"],
      ["sweep-uplinks-of", "Measure the uplinks of the selected pod, group or plane", "measure"],
    ] as const
  ).map(([id, title, icon]): Command => ({
    ...{ id, title, group: "Selection", icon, keys: [] },
    applies: () => canDo(id),
    run: () => selectedAction(id)?.run(),
  })),
  {
    id: "next-finding",
    title: "Next finding",
    group: "Selection",
    icon: "findings",
    keys: ["G"],
    applies: () => (useFabric.getState().view?.analysis.findings.length ?? 0) > 0,
    run: () => walkFindings(1),
  },
  {
    id: "previous-finding",
    title: "Previous finding",
    group: "Selection",
    icon: "findings",
    keys: ["Shift G"],
    applies: () => (useFabric.getState().view?.analysis.findings.length ?? 0) > 0,
    run: () => walkFindings(-1),
  },
  {
    id: "copy",
    title: "Copy the selection as text",
    group: "Selection",
    icon: "copy",
    keys: ["Ctrl C"],
    // Text that is marked on the screen is what the user means.
    applies: () =>
      hasFabric() && useSelection.getState().selection.kind !== "nothing" && String(window.getSelection()) === "",
    run: () => selectedAction("copy")?.run(),
  },
  ...(
    [
      ["path-from", "Path from the selected host to another", "topology"],
      ["mark-known", "Mark the selected cable as known", "check"],
      ["mark-handed-over", "Mark the selected cable as handed over", "check"],
      ["mark-fixed", "Mark the selected cable as fixed, watching", "check"],
      ["mark-new", "Take the mark off the selected cable", "check"],
      ["copy-guid", "Copy the GUIDs of the selection", "copy"],
      ["raw", "Show the raw output of the selection", "terminal"],
      ["fly", "Fly to the selection", "fit"],
    ] as const
  ).map(([id, title, icon]): Command => ({
    id,
    title,
    group: "Selection",
    icon,
    keys: [],
    applies: () => canDo(id),
    run: () => selectedAction(id)?.run(),
  })),
  {
    id: "palette",
    title: "Search and commands",
    group: "Window",
    icon: "search",
    keys: ["Ctrl K"],
    applies: always,
    run: () => useUi.getState().setPaletteOpen(true),
    keyOnly: true,
  },
  {
    id: "filter",
    title: "Filter this view",
    group: "Window",
    icon: "filter",
    keys: ["/"],
    applies: hasFabric,
    run: focusFilter,
    keyOnly: true,
  },
  {
    id: "escape",
    title: "Close, then deselect",
    group: "Window",
    icon: "close",
    keys: ["Escape"],
    applies: hasFabric,
    run: escape,
    keyOnly: true,
  },
  {
    id: "next-region",
    title: "Next part of the window",
    group: "Window",
    icon: "chevron-right",
    keys: ["F6"],
    applies: always,
    run: () => focusNextRegion(1),
    keyOnly: true,
  },
  {
    id: "previous-region",
    title: "Previous part of the window",
    group: "Window",
    icon: "chevron-left",
    keys: ["Shift F6"],
    applies: always,
    run: () => focusNextRegion(-1),
    keyOnly: true,
  },
  {
    id: "settings",
    title: "Settings",
    group: "Window",
    icon: "settings",
    keys: ["Ctrl ,"],
    applies: always,
    run: () => useUi.getState().openDialog({ kind: "settings" }),
  },
  {
    id: "shortcuts",
    title: "Keyboard shortcuts",
    group: "Window",
    icon: "info",
    keys: ["?"],
    applies: always,
    run: () => useUi.getState().openDialog({ kind: "shortcuts" }),
  },
];

/** Runs a command by id when it applies; false otherwise. */
export function runCommand(id: string): boolean {
  const command = commands.find((candidate) => candidate.id === id);
  if (command === undefined || !command.applies()) return false;
  command.run();
  return true;
}
