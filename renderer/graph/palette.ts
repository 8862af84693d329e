/** Colours and fonts of the current theme, read from the tokens; nothing in graph/ knows a colour value. */

const tokens = [
  ...["--canvas", "--panel", "--raised", "--hover", "--hair", "--edge", "--ctl", "--t1", "--t2", "--t3"],
  ...["--accent", "--accent-soft", "--glyph-ink", "--note", "--unknown", "--ok", "--sim"],
  ...["--ok-line", "--warn-line", "--error-line", "--unknown-line"],
  ...["--pct-1", "--pct-2", "--pct-3", "--pct-4", "--pct-5"],
  ...["--amt-1", "--amt-2", "--amt-3", "--amt-4", "--amt-5"],
  ...["--r-sdr", "--r-ddr", "--r-qdr", "--r-fdr10", "--r-fdr", "--r-edr", "--r-hdr", "--r-ndr", "--r-xdr"],
] as const;

export interface Palette {
  /** Value of a token; the text colour for one that is not there. */
  readonly colour: (token: string) => string;
  readonly font: string;
  /** Milliseconds of a camera flight; 0 with reduced motion. */
  readonly flyMs: number;
}

/** Reads the tokens as they are now on `element`. */
export function readPalette(element: Element): Palette {
  const style = getComputedStyle(element);
  const values = new Map(tokens.map((token) => [token as string, style.getPropertyValue(token).trim()]));
  const fallback = values.get("--t2") ?? style.color;
  const duration = style.getPropertyValue("--d-fly").trim();
  const seconds = duration.endsWith("ms") ? parseFloat(duration) / 1000 : parseFloat(duration);
  return {
    colour: (token) => {
      const value = values.get(token) ?? "";
      return value === "" ? fallback : value;
    },
    font: style.getPropertyValue("--font-ui").trim() || "sans-serif",
    flyMs: Number.isFinite(seconds) ? seconds * 1000 : 0,
  };
}

/** Calls `changed` when the document's theme or the system's colours change; returns the function that stops it. */
export function watchTheme(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme", "class"] });
  const queries = ["(prefers-color-scheme: light)", "(prefers-reduced-motion: reduce)", "(forced-colors: active)"].map(
    (query) => window.matchMedia(query),
  );
  for (const query of queries) query.addEventListener("change", changed);
  return () => {
    observer.disconnect();
    for (const query of queries) query.removeEventListener("change", changed);
  };
}
