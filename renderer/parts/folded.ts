import { useCallback, useState } from "react";

const prefix = "ibex.section.";

function read(id: string): boolean | undefined {
  const kept = globalThis.localStorage.getItem(prefix + id);
  return kept === null ? undefined : kept === "open";
}

/** Open or folded, remembered under `id` over restarts of the window. */
export function useRememberedOpen(id: string, defaultOpen: boolean): readonly [boolean, () => void] {
  const [open, setOpen] = useState(() => read(id) ?? defaultOpen);
  const toggle = useCallback(() => {
    setOpen((before) => {
      globalThis.localStorage.setItem(prefix + id, before ? "folded" : "open");
      return !before;
    });
  }, [id]);
  return [open, toggle];
}
