import { useUi } from "../../state/ui-store.ts";

/** Shows a line of a raw output in the panel below. A remark on a whole file (line 0) shows its start. */
export function openRaw(file: string, line: number): void {
  useUi.getState().showRawOutput(file, Math.max(1, line));
}
