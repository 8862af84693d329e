/** What a user can say of a suspect cable, in words. */
import type { LinkMark } from "../../../shared/contract/views.ts";

export const markWords: Readonly<Record<LinkMark["mark"] | "new", string>> = {
  new: "New",
  known: "Known",
  "handed-over": "Handed over",
  fixed: "Fixed, watching",
};
/** In the order of a cable's way; "new" takes a mark away. */
export const markChoices = ["new", "known", "handed-over", "fixed"] as const;
