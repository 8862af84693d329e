import type { ReactNode } from "react";
import { HealthGlyph } from "./glyph.tsx";
import "./callout.css";

/** A remark in place: what is so, and what can be done about it. */
export function Callout({
  tone,
  title,
  children,
  actions,
}: {
  readonly tone: "ok" | "note" | "warning" | "error";
  readonly title?: string;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
}) {
  return (
    <div className={`callout callout-${tone}`}>
      <HealthGlyph health={tone} size={14} />
      <div className="callout-body">
        {title === undefined ? null : <strong>{title}</strong>}
        {children === undefined ? null : <div>{children}</div>}
        {actions === undefined ? null : <div className="callout-actions">{actions}</div>}
      </div>
    </div>
  );
}
