import type { ReactNode } from "react";
import { Tooltip as Radix } from "radix-ui";
import "./tooltip.css";

/** A word on what a control does, after a moment of resting on it or at once on focus. Wraps one element. */
export function Tooltip({
  text,
  children,
  side = "bottom",
}: {
  readonly text: ReactNode;
  readonly children: ReactNode;
  readonly side?: "top" | "right" | "bottom" | "left";
}) {
  return (
    <Radix.Provider delayDuration={400} skipDelayDuration={200}>
      <Radix.Root>
        <Radix.Trigger asChild>{children}</Radix.Trigger>
        <Radix.Portal>
          <Radix.Content className="tooltip" side={side} sideOffset={6} collisionPadding={8}>
            {text}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </Radix.Provider>
  );
}
