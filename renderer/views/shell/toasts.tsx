import { useEffect, useState } from "react";
import type { AppError } from "../../../shared/errors/kinds.ts";
import { Button, IconButton } from "../../parts/button.tsx";
import { Modal } from "../../parts/dialog.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { HealthGlyph } from "../../parts/glyph.tsx";
import { type Toast, useUi } from "../../state/ui-store.ts";
import "./toasts.css";

const shownFor = 6000;

function ToastCard({ toast, onDetails }: { readonly toast: Toast; readonly onDetails: (error: AppError) => void }) {
  const drop = useUi((state) => state.dropToast);
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(() => drop(toast.id), shownFor);
    return () => clearTimeout(timer);
  }, [held, drop, toast.id]);
  const { error } = toast;
  return (
    <li
      className="toast"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <HealthGlyph health={toast.kind === "done" ? "ok" : "error"} size={15} />
      <span className="toast-text">{toast.text}</span>
      {error === undefined ? null : (
        <button type="button" className="toast-details" onClick={() => onDetails(error)}>
          Details
        </button>
      )}
      <IconButton icon="close" label="Close" size={14} onClick={() => drop(toast.id)} />
    </li>
  );
}

/** Short words on the result of the user's own actions; gone after 6 s unless the pointer rests on them. */
export function Toasts() {
  const toasts = useUi((state) => state.toasts);
  const [details, setDetails] = useState<AppError | undefined>(undefined);
  const close = (): void => setDetails(undefined);
  return (
    <>
      <ul className="toasts" aria-live="polite" aria-label="Results">
        {toasts.map((toast) => (
          <ToastCard key={toast.id} toast={toast} onDetails={setDetails} />
        ))}
      </ul>
      {details === undefined ? null : (
        <Modal
          title="What happened"
          width={560}
          onClose={close}
          footer={
            <Button kind="plain" onClick={close}>
              Close
            </Button>
          }
        >
          <div className="toast-error">
            <ErrorBox error={details} />
          </div>
        </Modal>
      )}
    </>
  );
}
