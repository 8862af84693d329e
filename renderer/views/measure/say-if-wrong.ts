import type { AppError } from "../../../shared/errors/kinds.ts";
import { explain } from "../../../shared/errors/explain.ts";
import { useUi } from "../../state/ui-store.ts";

/** Says what became of a wish, when it did not work. */
export function sayIfWrong(wish: Promise<AppError | undefined>): void {
  void wish.then((error) => {
    if (error === undefined || error.kind === "cancelled") return;
    useUi.getState().toast({ kind: "error", text: explain(error).sentence, error });
  });
}
