import { Dialog } from "radix-ui";
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { Button, IconButton } from "../../parts/button.tsx";
import { Icon } from "../../parts/icons.tsx";
import { Kbd, keysHere } from "../../parts/kbd.tsx";
import { Tag } from "../../parts/tag.tsx";
import "./measure-sheet.css";

/**
 * The sheet in which something is planned and started: from the right, so that the picture stays in sight. Focus begins on the
 * heading, never on the start; Ctrl Enter starts, and the focus goes back to where it came from.
 */
export function SheetFrame({
  title,
  simulated,
  kinds,
  busy,
  foot,
  start,
  onClose,
  children,
}: {
  readonly title: string;
  readonly simulated: boolean;
  /** Below the title: what can be chosen. */
  readonly kinds: ReactNode;
  readonly busy: boolean;
  /** Left of the buttons. */
  readonly foot: ReactNode;
  readonly start: {
    readonly label: string;
    readonly ready: boolean;
    readonly danger?: boolean;
    readonly run: () => void;
  };
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  // What had the focus before gets it back; there is no trigger that the dialogue itself would know.
  const [opener] = useState(() => document.activeElement);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.stopPropagation();
    start.run();
  };
  return (
    <Dialog.Root open onOpenChange={(open) => (open ? undefined : onClose())}>
      <div className="sheet-scrim" aria-hidden="true" onMouseDown={onClose} />
      <Dialog.Content
        className="sheet"
        aria-describedby={undefined}
        onKeyDown={onKeyDown}
        onOpenAutoFocus={(event) => event.preventDefault()}
        onCloseAutoFocus={(event) => {
          event.preventDefault();
          if (opener instanceof HTMLElement) opener.focus();
        }}
        onInteractOutside={(event) => event.preventDefault()}
      >
        <header className="sheet-head">
          <div className="sheet-title">
            <Icon name="measure" size={18} />
            <Dialog.Title ref={heading} tabIndex={-1}>
              {title}
            </Dialog.Title>
            {simulated ? <Tag tone="sim">SIMULATED</Tag> : null}
            <IconButton icon="close" label="Close" onClick={onClose} />
          </div>
          {kinds}
        </header>
        <div className="sheet-body" aria-busy={busy}>
          {children}
        </div>
        <footer className="sheet-foot">
          {foot}
          <Button kind="plain" onClick={onClose}>
            Cancel <Kbd keys="Esc" />
          </Button>
          <Button
            kind={start.danger === true ? "danger" : "primary"}
            icon="play"
            disabled={!start.ready}
            onClick={start.run}
          >
            {start.label}
            <span className="sheet-keys">{keysHere("Ctrl Enter")}</span>
          </Button>
        </footer>
      </Dialog.Content>
    </Dialog.Root>
  );
}
