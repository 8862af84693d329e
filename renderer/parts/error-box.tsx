import { type ReactNode, useId, useState } from "react";
import type { AppError } from "../../shared/errors/kinds.ts";
import { explain } from "../../shared/errors/explain.ts";
import { CopyButton } from "./copy.tsx";
import { HealthGlyph } from "./glyph.tsx";
import { Icon } from "./icons.tsx";
import "./error-box.css";

/** The raw text behind an error, folded at first, always copyable. Nothing when there is none. */
export function DetailFold({ detail, open: startsOpen = false }: { readonly detail: string; readonly open?: boolean }) {
  const [open, setOpen] = useState(startsOpen);
  const id = useId();
  if (detail.trim() === "") return null;
  return (
    <div className="error-box-detail">
      <div className="error-box-detail-head">
        <button type="button" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
          <Icon name={open ? "chevron-down" : "chevron-right"} size={14} />
          Details
        </button>
        <CopyButton text={detail} />
      </div>
      <pre id={id} className="error-box-text" hidden={!open} tabIndex={0}>
        {detail}
      </pre>
    </div>
  );
}

/** An error in place: title, sentence, numbered remedies, raw text behind a fold. */
export function ErrorBox({ error, actions }: { readonly error: AppError; readonly actions?: ReactNode }) {
  const words = explain(error);
  const cancelled = error.kind === "cancelled";
  return (
    <div className={`error-box${cancelled ? " error-box-quiet" : ""}`} role={cancelled ? "status" : "alert"}>
      <HealthGlyph health={cancelled ? "not-run" : "error"} size={15} />
      <div className="error-box-body">
        <strong>{words.title}</strong>
        <p>{words.sentence}</p>
        {words.remedy.length === 0 ? null : (
          <ol>
            {words.remedy.map((remedy, index) => (
              <li key={remedy}>
                {words.remedy.length > 1 ? <span className="error-box-number">{index + 1}</span> : null}
                <span>{remedy}</span>
              </li>
            ))}
          </ol>
        )}
        {actions === undefined ? null : <div className="error-box-actions">{actions}</div>}
        <DetailFold detail={words.detail} />
      </div>
    </div>
  );
}
