/** Hands an exported picture to the user as a file. */
import { visibleText } from "../../../shared/base/text.ts";
import type { FabricView } from "../../../shared/contract/views.ts";
import type { ExportNote } from "../../graph/export-picture.ts";

/** What stands in the picture's heading. */
export function exportNote({ capture }: Pick<FabricView, "capture">): ExportNote {
  const { collectedAt } = capture;
  return {
    name: visibleText(capture.name),
    time: collectedAt === null ? "" : new Date(collectedAt).toISOString().slice(0, 19).replace("T", " ") + " UTC",
    simulated: capture.simulated,
  };
}

/** `training-fabric-simulated.svg`: no sign that a file system minds. */
export function fileName({ capture }: Pick<FabricView, "capture">, kind: "png" | "svg"): string {
  const plain = capture.name
    .normalize("NFKD")
    .replace(/[^\p{L}\p{N}._-]+/gu, "-")
    .replace(/^[-.]+|[-.]+$/g, "")
    .slice(0, 80);
  return `${plain === "" ? "fabric" : plain}${capture.simulated ? "-simulated" : ""}.${kind}`;
}

/** Saves through the browser's own download; the program asks where to. */
export function save(blob: Blob | undefined, name: string): void {
  if (blob === undefined) return;
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The download has read the blob's first bytes long before.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
