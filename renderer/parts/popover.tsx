import type { ReactNode } from "react";
import { Popover as Radix } from "radix-ui";
import "./popover.css";

/** A small panel under its trigger (one focusable element). Esc and a click outside close it. */
export function Popover({
  trigger,
  label,
  children,
  align = "start",
  open,
  onOpenChange,
}: {
  readonly trigger: ReactNode;
  /** Name of the panel, read aloud. */
  readonly label: string;
  readonly children: ReactNode;
  readonly align?: "start" | "center" | "end";
  readonly open?: boolean;
  readonly onOpenChange?: (open: boolean) => void;
}) {
  return (
    <Radix.Root {...(open === undefined ? {} : { open })} {...(onOpenChange === undefined ? {} : { onOpenChange })}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className="popover" align={align} sideOffset={4} collisionPadding={8} aria-label={label}>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
