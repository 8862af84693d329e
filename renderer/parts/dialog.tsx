import type { ReactNode } from "react";
import { Dialog } from "radix-ui";
import { IconButton } from "./button.tsx";
import "./dialog.css";

/**
 * A dialogue over the window: focus is trapped and given back, Esc closes it. `width` in px.
 * A click beside it does nothing: what was typed is not lost by a slip.
 */
export function Modal({
  title,
  icon,
  width,
  onClose,
  children,
  footer,
  tone,
  description,
  initialFocus,
  reading = false,
}: {
  readonly title: string;
  readonly icon?: ReactNode;
  readonly width: number;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly footer?: ReactNode;
  readonly tone?: "error";
  /** Read aloud after the title. */
  readonly description?: string;
  /** Selector of what gets the focus first; without it the first field or button. */
  readonly initialFocus?: string;
  /** Text without anything to press in it: the keyboard scrolls the text itself. */
  readonly reading?: boolean;
}) {
  // Radix' own overlay is left out: it locks scrolling through an injected <style>, which the window's CSP refuses.
  return (
    <Dialog.Root open onOpenChange={(open) => (open ? undefined : onClose())}>
      <Dialog.Portal>
        <div className="dialog-scrim">
          <Dialog.Content
            className={`dialog${tone === "error" ? " dialog-error" : ""}`}
            style={{ width }}
            onInteractOutside={(event) => event.preventDefault()}
            onOpenAutoFocus={(event) => {
              if (initialFocus === undefined || !(event.target instanceof HTMLElement)) return;
              const target = event.target.querySelector(initialFocus);
              if (!(target instanceof HTMLElement)) return;
              event.preventDefault();
              target.focus();
            }}
            {...(description === undefined ? { "aria-describedby": undefined } : {})}
          >
            <header className="dialog-head">
              {icon}
              <Dialog.Title className="dialog-title">{title}</Dialog.Title>
              <IconButton icon="close" label="Close" onClick={onClose} />
            </header>
            {description === undefined ? null : (
              <Dialog.Description className="visually-hidden">{description}</Dialog.Description>
            )}
            <div className="dialog-body" {...(reading ? { tabIndex: 0, role: "region", "aria-label": title } : {})}>
              {children}
            </div>
            {footer === undefined ? null : <footer className="dialog-foot">{footer}</footer>}
          </Dialog.Content>
        </div>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
