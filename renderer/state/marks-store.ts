import { create } from "zustand";
import type { LinkMark } from "../../shared/contract/views.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import type { LinkId } from "../../shared/fabric/model.ts";
import { api } from "./api-context.ts";

interface MarksState {
  /** By link id; no entry means new. */
  readonly marks: Readonly<Record<string, LinkMark>>;
  /** Why the last mark was not kept. */
  readonly error: AppError | undefined;
  readonly load: () => Promise<void>;
  /** `null` takes the mark away. Kept on disk. */
  readonly mark: (link: LinkId, mark: LinkMark["mark"] | null, note: string) => Promise<void>;
}

export const useMarks = create<MarksState>((set) => ({
  marks: {},
  error: undefined,
  load: async () => {
    const marks = await api().call("marks.get", {});
    if (marks.ok) set({ marks: marks.value, error: undefined });
    else set({ error: marks.error });
  },
  mark: async (link, mark, note) => {
    const marks = await api().call("marks.set", { link, mark, note });
    if (marks.ok) set({ marks: marks.value, error: undefined });
    else set({ error: marks.error });
  },
}));
