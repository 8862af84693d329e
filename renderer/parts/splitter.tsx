import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import "./splitter.css";

/**
 * The line between two panes, 1 px to see and 7 px to hit. Sizes one pane, in px: the one after it (`side` "after",
 * at the right or below) or before it. Arrows move it by 8 px, Home and End to the limits, a double click to the default.
 */
export function Splitter({
  direction,
  side,
  size,
  min,
  max,
  standard,
  label,
  onSize,
}: {
  /** `vertical`: a vertical line that sets a width. */
  readonly direction: "vertical" | "horizontal";
  readonly side: "before" | "after";
  readonly size: number;
  readonly min: number;
  readonly max: number;
  readonly standard: number;
  readonly label: string;
  /** `done`: the move has ended and is worth keeping. */
  readonly onSize: (size: number, done: boolean) => void;
}) {
  const drag = useRef<{ readonly from: number; readonly size: number } | undefined>(undefined);
  const clamp = (value: number): number => Math.round(Math.min(Math.max(value, min), Math.max(min, max)));
  const place = (event: PointerEvent): number => (direction === "vertical" ? event.clientX : event.clientY);
  const sign = side === "before" ? 1 : -1;
  const sizeAt = (event: PointerEvent): number =>
    drag.current === undefined ? size : clamp(drag.current.size + sign * (place(event) - drag.current.from));
  const onKeyDown = (event: KeyboardEvent): void => {
    const [less, more] = direction === "vertical" ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"];
    const next =
      event.key === less
        ? size - sign * 8
        : event.key === more
          ? size + sign * 8
          : event.key === "Home"
            ? min
            : event.key === "End"
              ? max
              : undefined;
    if (next === undefined) return;
    event.preventDefault();
    onSize(clamp(next), true);
  };
  return (
    <div
      className={`splitter splitter-${direction}`}
      role="separator"
      tabIndex={0}
      aria-orientation={direction}
      aria-label={label}
      aria-valuenow={size}
      aria-valuemin={min}
      aria-valuemax={Math.max(min, max)}
      onKeyDown={onKeyDown}
      onDoubleClick={() => onSize(clamp(standard), true)}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        drag.current = { from: place(event), size };
      }}
      onPointerMove={(event) => {
        if (drag.current !== undefined) onSize(sizeAt(event), false);
      }}
      onPointerUp={(event) => {
        if (drag.current === undefined) return;
        const end = sizeAt(event);
        drag.current = undefined;
        onSize(end, true);
      }}
      onPointerCancel={() => {
        drag.current = undefined;
      }}
    />
  );
}
