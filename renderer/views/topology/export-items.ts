import type { PictureKind } from "../../graph/export-client.ts";
import type { Extent } from "../../graph/export-picture.ts";
import type { MenuItem } from "../../parts/menu.tsx";

/** What can be saved of the picture, as entries of a menu. */
export function exportItems(onExport: (kind: PictureKind, extent: Extent) => void, exporting: boolean): MenuItem[] {
  const entry = (label: string, kind: PictureKind, extent: Extent): MenuItem => ({
    ...{ id: `${extent}-${kind}`, label, disabled: exporting },
    onSelect: () => onExport(kind, extent),
  });
  return [
    { kind: "heading", id: "seen", label: "What is seen" },
    entry("PNG picture", "png", "seen"),
    entry("SVG drawing", "svg", "seen"),
    { kind: "heading", id: "whole", label: "Whole fabric at this zoom" },
    entry("PNG of all", "png", "whole"),
    entry("SVG of all", "svg", "whole"),
  ];
}
