import type { ReactNode } from "react";
import { useRememberedOpen } from "./folded.ts";
import { Icon } from "./icons.tsx";
import "./section.css";

/** A foldable part of an inspector; whether it is folded is remembered per `id`. `aside` stands at the right of the head. */
export function Section({
  id,
  title,
  aside,
  children,
  defaultOpen = true,
}: {
  readonly id: string;
  readonly title: ReactNode;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
  readonly defaultOpen?: boolean;
}) {
  const [open, toggle] = useRememberedOpen(id, defaultOpen);
  return (
    <section className="section">
      <div className="section-head">
        <h3>
          <button
            type="button"
            className="section-title"
            aria-expanded={open}
            aria-controls={`section-${id}`}
            onClick={toggle}
          >
            {open ? null : <Icon name="chevron-right" size={12} />}
            <span>{title}</span>
          </button>
        </h3>
        {aside === undefined ? null : <div className="section-aside">{aside}</div>}
      </div>
      <div className="section-body" id={`section-${id}`} hidden={!open}>
        {open ? children : null}
      </div>
    </section>
  );
}
