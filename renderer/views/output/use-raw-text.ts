import { useCallback, useEffect, useRef, useState } from "react";
import type { AppError } from "../../../shared/errors/kinds.ts";
import { api } from "../../state/api-context.ts";
import { firstLineOf, pageLines, pagesOfRange } from "./pages.ts";

export interface RawText {
  /** 0 until the first page is there. */
  readonly totalLines: number;
  readonly error: AppError | undefined;
  /** A line from 1; undefined while its page is read. */
  readonly lineAt: (line: number) => string | undefined;
  /** Asks for the pages of a range that are not there yet. */
  readonly want: (first: number, last: number) => void;
}

interface Kept {
  readonly totalLines: number;
  readonly error: AppError | undefined;
  readonly pages: ReadonlyMap<number, readonly string[]>;
}

const nothing: Kept = { totalLines: 0, error: undefined, pages: new Map() };

/** One raw output, read in pages as they come into sight. `file` must not change: give the component a key. */
export function useRawText(fabricId: string, file: string, firstWanted: number): RawText {
  const [kept, setKept] = useState(nothing);
  const asked = useRef(new Set<number>());
  const alive = useRef(true);
  const want = useCallback(
    (first: number, last: number): void => {
      for (const page of pagesOfRange(first, last)) {
        if (asked.current.has(page)) continue;
        asked.current.add(page);
        void api()
          .call("capture.raw", { fabricId, file, line: firstLineOf(page), lines: pageLines })
          .then((reply) => {
            if (!alive.current) return;
            setKept((before) =>
              reply.ok
                ? {
                    ...before,
                    totalLines: reply.value.totalLines,
                    pages: new Map([...before.pages, [page, reply.value.lines] as const]),
                  }
                : { ...before, error: reply.error },
            );
          });
      }
    },
    [fabricId, file],
  );
  useEffect(() => {
    alive.current = true;
    // The first page tells how long the text is; the wanted line may lie far below it.
    want(1, 1);
    want(firstWanted, firstWanted);
    return () => {
      alive.current = false;
    };
  }, [want, firstWanted]);
  const lineAt = useCallback(
    (line: number) => {
      const page = Math.floor((line - 1) / pageLines);
      return kept.pages.get(page)?.[line - firstLineOf(page)];
    },
    [kept],
  );
  return { totalLines: kept.totalLines, error: kept.error, lineAt, want };
}
