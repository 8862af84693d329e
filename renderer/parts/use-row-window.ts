import { type RefObject, useLayoutEffect, useState } from "react";

/** Rows drawn beyond those in sight, so that scrolling meets no gap. */
const beyond = 8;

interface RowWindow {
  /** Rows first … end - 1 are drawn. */
  readonly first: number;
  readonly end: number;
  /** Brings a row into sight, as little as needed or into the middle. */
  readonly scrollTo: (position: number, where?: "nearest" | "middle") => void;
}

/**
 * Which of many rows of one height are drawn: those in sight of a scrolled element, and a few beyond. Costs nothing that
 * grows with the rows.
 *
 * @param rowHeight px
 * @param head px at the top of the element that lie over the rows
 * @param start scroll place of the first look, px
 */
export function useRowWindow(
  scroller: RefObject<HTMLElement | null>,
  count: number,
  rowHeight: number,
  head: number,
  start: number,
): RowWindow {
  const [sight, setSight] = useState({ first: Math.floor(start / rowHeight), rows: 0 });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    if (start > 0) element.scrollTop = start;
    const look = (): void => {
      const first = Math.floor(element.scrollTop / rowHeight);
      const rows = Math.ceil(element.clientHeight / rowHeight) + 1;
      // The same rows in sight: nothing is drawn anew.
      setSight((before) => (before.first === first && before.rows === rows ? before : { first, rows }));
    };
    look();
    element.addEventListener("scroll", look, { passive: true });
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => {
      element.removeEventListener("scroll", look);
      observer.disconnect();
    };
    // eslint-disable-next-line react-hooks/exhaustive-deps -- where the first look starts does not change later
  }, [scroller, rowHeight]);
  const first = Math.max(0, Math.min(sight.first, count) - beyond);
  return {
    first,
    end: Math.min(count, sight.first + sight.rows + beyond),
    scrollTo: (position, where = "nearest") => {
      const element = scroller.current;
      if (element === null) return;
      const top = position * rowHeight;
      const room = element.clientHeight - head;
      if (where === "middle") element.scrollTop = top - (room - rowHeight) / 2;
      else if (top < element.scrollTop) element.scrollTop = top;
      else if (top + rowHeight > element.scrollTop + room) element.scrollTop = top + rowHeight - room;
    },
  };
}
