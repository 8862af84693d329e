import type { ReactNode } from "react";
import { HealthGlyph, type GlyphKind } from "./glyph.tsx";
import { Icon, type IconName } from "./icons.tsx";
import "./empty.css";

/** What is missing, one sentence, the one thing to do. */
export function Empty({
  title,
  sentence,
  action,
  icon,
  glyph,
}: {
  readonly title: string;
  readonly sentence: ReactNode;
  readonly action?: ReactNode;
  readonly icon?: IconName;
  readonly glyph?: GlyphKind;
}) {
  return (
    <div className="empty">
      {icon === undefined ? null : <Icon name={icon} size={24} />}
      {glyph === undefined ? null : <HealthGlyph health={glyph} size={24} />}
      <strong>{title}</strong>
      <p>{sentence}</p>
      {action === undefined ? null : <div className="empty-action">{action}</div>}
    </div>
  );
}
