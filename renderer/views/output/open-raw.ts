import { useUi } from "../../state/ui-store.ts";

/** Shows a line of a raw output. The panel that shows it belongs to the topology, so that view comes up too. */
export function openRaw(file: string, line: number): void {
  const ui = useUi.getState();
  if (ui.view !== "topology") ui.show("topology");
  ui.showRawOutput(file, Math.max(1, line));
}
