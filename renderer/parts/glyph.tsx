import type { Health } from "../../shared/analyse/results.ts";
import type { Severity } from "../../shared/parse/diagnostic.ts";
import "./glyph.css";

export type GlyphKind = Health | Severity | "not-run" | "running";

const words: Readonly<Record<GlyphKind, string>> = {
  ok: "ok",
  note: "note",
  unknown: "unknown",
  "not-enough-data": "not enough data",
  warning: "warning",
  error: "error",
  down: "down",
  "not-run": "not run",
  running: "running",
};

function Drawing({ kind }: { readonly kind: GlyphKind }) {
  switch (kind) {
    case "error":
      return (
        <>
          <path d="M4.3 1h5.4L13 4.3v5.4L9.7 13H4.3L1 9.7V4.3z" fill="var(--error-line)" />
          <path d="M7 3.8v4M7 10v.3" stroke="var(--glyph-ink)" strokeWidth="1.7" />
        </>
      );
    case "warning":
      return (
        <>
          <path d="M7 1.2 13.4 12.6H.6z" fill="var(--warn-line)" stroke="var(--warn-line)" strokeLinejoin="round" />
          <path d="M7 5v3.6M7 10.6v.2" stroke="var(--glyph-ink)" strokeWidth="1.6" />
        </>
      );
    case "note":
      return (
        <>
          <circle cx="7" cy="7" r="5.8" stroke="var(--note)" strokeWidth="1.4" />
          <path d="M7 6.4v3.4M7 4.1v.2" stroke="var(--note)" strokeWidth="1.6" />
        </>
      );
    case "ok":
      return (
        <>
          <circle cx="7" cy="7" r="5.8" stroke="var(--ok)" strokeWidth="1.4" />
          <path d="m4.5 7.2 1.8 1.8 3.3-3.6" stroke="var(--ok)" strokeWidth="1.5" />
        </>
      );
    case "unknown":
      return (
        <>
          <circle cx="7" cy="7" r="5.8" stroke="var(--unknown)" strokeWidth="1.4" strokeDasharray="2.4 2.1" />
          <path d="M5.4 5.6a1.6 1.6 0 1 1 2.2 1.5c-.4.2-.6.4-.6.9M7 9.9v.1" stroke="var(--unknown)" strokeWidth="1.4" />
        </>
      );
    case "not-enough-data":
      return (
        <>
          <circle cx="7" cy="7" r="5.8" stroke="var(--unknown)" strokeWidth="1.4" />
          <path d="M7 7V1.2A5.8 5.8 0 0 1 12.8 7z" fill="var(--unknown)" />
        </>
      );
    case "down":
      return (
        <>
          <circle cx="7" cy="7" r="6" fill="var(--error-line)" />
          <path d="m4.6 4.6 4.8 4.8M9.4 4.6 4.6 9.4" stroke="var(--glyph-ink)" strokeWidth="1.7" />
        </>
      );
    case "not-run":
      return (
        <>
          <circle cx="7" cy="7" r="5.8" stroke="var(--unknown)" strokeWidth="1.2" />
          <path d="M4.4 7h5.2" stroke="var(--unknown)" strokeWidth="1.5" />
        </>
      );
    case "running":
      return (
        <>
          <circle cx="7" cy="7" r="5.6" stroke="var(--edge)" strokeWidth="1.8" />
          <path className="glyph-turn" d="M7 1.4A5.6 5.6 0 0 1 12.6 7" stroke="var(--accent)" strokeWidth="1.8" />
        </>
      );
  }
}

/** The sign of a state of health: the shape carries the meaning, the colour repeats it. `title` is read instead of the state's own word. */
export function HealthGlyph({
  health,
  size = 14,
  title,
}: {
  readonly health: GlyphKind;
  readonly size?: number;
  readonly title?: string;
}) {
  return (
    <svg
      className="glyph"
      width={size}
      height={size}
      viewBox="0 0 14 14"
      fill="none"
      strokeLinecap="round"
      role="img"
      aria-label={title ?? words[health]}
    >
      {title === undefined ? null : <title>{title}</title>}
      <Drawing kind={health} />
    </svg>
  );
}
