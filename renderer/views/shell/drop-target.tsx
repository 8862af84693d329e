import { useEffect, useState } from "react";
import { count } from "../../../shared/base/text.ts";
import { api } from "../../state/api-context.ts";
import { useUi } from "../../state/ui-store.ts";
import { openPaths } from "./actions.ts";
import "./drop-target.css";

function holdsFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes("Files") === true;
}

/** The whole window takes files and folders; while they hover it says what will happen. */
export function DropTarget() {
  const [hovering, setHovering] = useState<number | undefined>(undefined);
  useEffect(() => {
    // Children fire enter and leave too: the depth tells when the pointer is really gone.
    let depth = 0;
    const onEnter = (event: DragEvent): void => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      depth += 1;
      setHovering(event.dataTransfer?.items.length ?? 1);
    };
    const onOver = (event: DragEvent): void => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      if (event.dataTransfer !== null) event.dataTransfer.dropEffect = "copy";
    };
    const onLeave = (event: DragEvent): void => {
      if (!holdsFiles(event)) return;
      depth = Math.max(0, depth - 1);
      if (depth === 0) setHovering(undefined);
    };
    const onDrop = (event: DragEvent): void => {
      depth = 0;
      setHovering(undefined);
      if (!holdsFiles(event)) return;
      event.preventDefault();
      const paths = [...(event.dataTransfer?.files ?? [])]
        .map((file) => api().pathOf(file))
        .filter((path) => path !== "");
      if (paths.length > 0) void openPaths(paths);
      else useUi.getState().toast({ kind: "error", text: "What was dropped is no file on this machine." });
    };
    window.addEventListener("dragenter", onEnter);
    window.addEventListener("dragover", onOver);
    window.addEventListener("dragleave", onLeave);
    window.addEventListener("drop", onDrop);
    return () => {
      window.removeEventListener("dragenter", onEnter);
      window.removeEventListener("dragover", onOver);
      window.removeEventListener("dragleave", onLeave);
      window.removeEventListener("drop", onDrop);
    };
  }, []);
  if (hovering === undefined) return null;
  return (
    <div className="drop-target" role="status">
      <span>Open {hovering === 0 ? "what you drop" : count(hovering, "file")}</span>
    </div>
  );
}
