import { sourceLabel } from "../../../shared/contract/source.ts";
import type { RecentEntry, SimulatedFabricInfo } from "../../../shared/contract/views.ts";
import { HealthGlyph, type GlyphKind } from "../../parts/glyph.tsx";
import { Icon } from "../../parts/icons.tsx";
import { Menu, type MenuItem } from "../../parts/menu.tsx";
import { Tag } from "../../parts/tag.tsx";
import { type Attempt, useFabric } from "../../state/fabric-store.ts";
import { chooseAndOpen, collectFrom, collectHere, connect, openPaths, saveCapture } from "./actions.ts";
import { captureName, howText } from "./fabric-words.ts";

function recentItem(entry: RecentEntry): MenuItem {
  const { source, path } = entry;
  return {
    id: entry.id,
    label: entry.name,
    note: entry.simulated ? "simulated" : entry.detail,
    icon:
      source === null
        ? "file"
        : source.kind === "simulated"
          ? "flask"
          : source.kind === "local"
            ? "laptop"
            : "terminal",
    onSelect: () => {
      if (source !== null) void collectFrom(source);
      else if (path !== null) void openPaths([path]);
    },
  };
}

/** Name of what an attempt wants to open. */
export function attemptName(attempt: Attempt): string {
  if (attempt.kind === "collect") return sourceLabel(attempt.source);
  const [first = ""] = attempt.paths;
  return attempt.paths.length === 1 ? (first.split(/[\\/]/).at(-1) ?? first) : `${attempt.paths.length} files`;
}

/** What is open and how, with the ways to open something else. */
export function SourcePicker({ simulatedFabrics }: { readonly simulatedFabrics: readonly SimulatedFabricInfo[] }) {
  const capture = useFabric((state) => state.view?.capture);
  const connection = useFabric((state) => state.connection);
  const failure = useFabric((state) => state.failure);
  const loading = useFabric((state) => state.loading);
  const recent = useFabric((state) => state.recent);
  const close = useFabric((state) => state.close);

  const name =
    capture !== undefined
      ? captureName(capture, simulatedFabrics)
      : loading
        ? attemptName(loading)
        : failure
          ? attemptName(failure.attempt)
          : "No fabric";
  const how = capture === undefined ? "" : howText(capture);
  const glyph: GlyphKind | undefined =
    capture === undefined
      ? failure !== undefined
        ? "error"
        : loading !== undefined
          ? "running"
          : undefined
      : capture.simulated
        ? undefined
        : connection === "lost"
          ? "error"
          : connection === "connected"
            ? "ok"
            : undefined;
  const shownRecent = recent.filter((entry) => entry.name !== capture?.name).slice(0, 6);
  const items: MenuItem[] = [
    ...(shownRecent.length === 0 ? [] : [{ kind: "heading", id: "recent", label: "Recent" } as const]),
    ...shownRecent.map(recentItem),
    ...(shownRecent.length === 0 ? [] : [{ kind: "separator", id: "after-recent" } as const]),
    { id: "connect", label: "Connect over SSH", icon: "terminal", keys: "Ctrl N", onSelect: connect },
    { id: "local", label: "Collect on this machine", icon: "laptop", onSelect: () => void collectHere() },
    {
      id: "open",
      label: "Open a capture or raw outputs",
      icon: "file",
      keys: "Ctrl O",
      onSelect: () => void chooseAndOpen("files"),
    },
    { id: "folder", label: "Open a folder", icon: "folder", onSelect: () => void chooseAndOpen("folder") },
    { kind: "separator", id: "after-open" },
    { kind: "heading", id: "simulated", label: "Simulated fabrics" },
    ...simulatedFabrics.map((fabric): MenuItem => ({
      id: `simulated-${fabric.name}`,
      label: fabric.title,
      note: "simulated",
      icon: "flask",
      onSelect: () => void collectFrom({ kind: "simulated", name: fabric.name }),
    })),
    ...(capture === undefined
      ? []
      : ([
          { kind: "separator", id: "before-save" },
          { id: "save", label: "Save the capture", icon: "save", keys: "Ctrl S", onSelect: () => void saveCapture() },
          { id: "close", label: "Close the fabric", icon: "close", onSelect: close },
        ] satisfies MenuItem[])),
  ];
  return (
    <Menu
      items={items}
      trigger={
        <button type="button" className="source-picker" title={capture?.path ?? name}>
          {glyph === undefined ? null : <HealthGlyph health={glyph} size={12} />}
          <span className="visually-hidden">Source</span>
          <span className="source-picker-name">{name}</span>
          {how === "" ? null : <span className="source-picker-how">{how}</span>}
          {capture?.simulated === true ? <Tag tone="sim">SIMULATED</Tag> : null}
          <span className="source-picker-arrow">
            <Icon name="chevron-down" size={14} />
          </span>
        </button>
      }
    />
  );
}
