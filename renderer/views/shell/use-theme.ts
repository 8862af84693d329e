import { useEffect } from "react";
import { useSettings } from "../../state/settings-store.ts";

/** Puts `data-theme` on the document: as the settings say, or as the system is at the moment. */
export function useTheme(): void {
  const wanted = useSettings((state) => state.settings.theme);
  useEffect(() => {
    const system = window.matchMedia("(prefers-color-scheme: light)");
    const apply = (): void => {
      document.documentElement.dataset["theme"] = wanted === "system" ? (system.matches ? "light" : "dark") : wanted;
    };
    apply();
    system.addEventListener("change", apply);
    return () => system.removeEventListener("change", apply);
  }, [wanted]);
}
