/** The picture of the open fabric as a file at a place that the user is asked for. */
import { count, groupDigits, visibleText } from "../../../shared/base/text.ts";
import type { FabricView } from "../../../shared/contract/views.ts";
import { explain } from "../../../shared/errors/explain.ts";
import type { PictureKind } from "../../graph/export-client.ts";
import type { ExportNote } from "../../graph/export-frame.ts";
import type { Extent } from "../../graph/export-picture.ts";
import type { GraphHandle } from "../../graph/fabric-graph.tsx";
import { exactTime } from "../../parts/time.ts";
import { api } from "../../state/api-context.ts";
import { useUi } from "../../state/ui-store.ts";
import { howText, linksText, shapeText } from "../shell/fabric-words.ts";

/** Local time with its offset, and the day as the table of captures has it; says so when nobody knows. */
function timeText(collectedAt: string | null, simulated: boolean): string {
  if (collectedAt === null) return "time of capture not known";
  return `${simulated ? "generated" : "captured"} ${exactTime(collectedAt)}`;
}

/** What stands around the picture: the fabric, how and when it was captured, overlay, counts, shape. */
export function exportNote(
  { capture, analysis }: Pick<FabricView, "capture" | "analysis">,
  said: {
    readonly overlay: string;
    readonly extent: Extent;
    readonly shown: string;
    readonly remarks: readonly string[];
  },
): ExportNote {
  const { counts } = analysis;
  return {
    name: visibleText(capture.name),
    facts: [
      howText(capture),
      timeText(capture.collectedAt, capture.simulated),
      `overlay: ${said.overlay}`,
      count(counts.switches, "switch", "switches"),
      count(counts.hosts, "host"),
      linksText(analysis),
      shapeText(analysis),
      capture.partial ? "capture not complete" : "",
      said.extent === "seen" ? "" : "whole fabric",
    ].filter((fact) => fact !== ""),
    simulated: capture.simulated,
    shown: said.shown,
    remarks: said.remarks,
  };
}

/** Draws the file and saves it; says what became of it. Never throws. */
export async function savePicture(
  graph: GraphHandle | null,
  wish: {
    readonly fabricId: string;
    readonly overlay: string;
    readonly kind: PictureKind;
    readonly extent: Extent;
    readonly note: ExportNote;
  },
): Promise<void> {
  const { fabricId, overlay, kind, extent, note } = wish;
  const { toast } = useUi.getState();
  const file = await graph?.export(kind, extent, note);
  if (file === undefined) return;
  if (!file.ok) {
    toast({ kind: "error", text: file.error });
    return;
  }
  const { bytes, ratio, width, height } = file.value;
  const saved = await api().call("picture.save", { fabricId, overlay, format: kind, bytes });
  if (!saved.ok) toast({ kind: "error", text: explain(saved.error).sentence, error: saved.error });
  else if (saved.value.saved) {
    const smaller =
      kind === "png" && ratio < 2
        ? `, ${groupDigits(width)} × ${groupDigits(height)} px: the most that a PNG may have; an SVG has no such limit`
        : "";
    toast({ kind: "done", text: `Saved as ${saved.value.path}${smaller}` });
  }
}
