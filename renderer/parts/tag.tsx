import type { ReactNode } from "react";
import "./tag.css";

export type TagTone = "plain" | "ok" | "note" | "warning" | "error" | "sim" | "accent";

/** A few words on a soft ground. Words carry the meaning; the tone repeats it. */
export function Tag({
  tone,
  children,
  title,
}: {
  readonly tone: TagTone;
  readonly children: ReactNode;
  readonly title?: string;
}) {
  return (
    <span className={`tag tag-${tone}`} title={title}>
      {children}
    </span>
  );
}
