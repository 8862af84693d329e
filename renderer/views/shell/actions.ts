/** What the user can start from menu, key, palette or button: one function each. */
import type { TopologyKind } from "../../../shared/analyse/results.ts";
import { defaultHostAccess, type SourceSpec } from "../../../shared/contract/source.ts";
import { explain } from "../../../shared/errors/explain.ts";
import type { AppError } from "../../../shared/errors/kinds.ts";
import { api } from "../../state/api-context.ts";
import { useFabric } from "../../state/fabric-store.ts";
import { useSettings } from "../../state/settings-store.ts";
import { useUi } from "../../state/ui-store.ts";

function say(error: AppError): void {
  if (error.kind === "cancelled") return;
  useUi.getState().toast({ kind: "error", text: explain(error).sentence, error });
}

/** Opens the connect dialogue, filled in when a source is given. */
export function connect(): void {
  useUi.getState().openDialog({ kind: "connect" });
}

export async function openPaths(paths: readonly string[]): Promise<void> {
  if (paths.length > 0) await useFabric.getState().attempt({ kind: "open", paths });
}

/** Asks for files or a folder and opens them. */
export async function chooseAndOpen(what: "files" | "folder"): Promise<void> {
  const chosen = await api().call("capture.choose", { what });
  if (chosen.ok) await openPaths(chosen.value.paths);
  else say(chosen.error);
}

export async function collectFrom(source: SourceSpec): Promise<void> {
  await useFabric.getState().attempt({ kind: "collect", source });
}

/** Collects with the InfiniBand devices of this machine. */
export async function collectHere(): Promise<void> {
  const { hosts } = useSettings.getState().settings;
  // "By way of the source" would be a hop through this machine itself: it connects directly.
  await collectFrom({
    kind: "local",
    sudo: false,
    hca: "",
    hcaPort: 0,
    hosts: { ...defaultHostAccess, ...hosts, via: "direct" },
  });
}

/** Takes the open fabric for another shape, or for what it looks like. */
export async function overruleShape(kind: TopologyKind | "automatic"): Promise<void> {
  const error = await useFabric.getState().overrule(kind);
  if (error !== undefined) say(error);
}

/** Saves the open fabric as a capture, at a place the user is asked for. */
export async function saveCapture(): Promise<void> {
  const view = useFabric.getState().view;
  if (view === undefined) return;
  const saved = await api().call("capture.save", { fabricId: view.fabricId });
  if (!saved.ok) say(saved.error);
  else if (saved.value.saved) useUi.getState().toast({ kind: "done", text: `Saved as ${saved.value.path}` });
}

/** Puts text on the clipboard; false when that did not work. */
export async function copyText(text: string): Promise<boolean> {
  const copied = await api().call("app.copy", { text });
  if (!copied.ok) say(copied.error);
  return copied.ok;
}
