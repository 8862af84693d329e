/** Requests about the forwarding tables of an open fabric; a thread answers them. */
import { err, type Result } from "../../shared/base/result.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import type { CallContext, Handlers } from "../ipc/router.ts";
import type { QuestionInput, QuestionName, QuestionOutput } from "../threads/questions.ts";
import type { HeldFabrics } from "./held-fabrics.ts";
import type { OpenFabrics } from "./open-fabrics.ts";

/** Answers `routes.*`. */
export function routesHandlers(
  fabrics: OpenFabrics,
  held: HeldFabrics,
): Pick<Handlers, "routes.get" | "routes.across" | "routes.way"> {
  const ask = <N extends QuestionName>(
    fabricId: string,
    name: N,
    input: QuestionInput<N>,
    { signal, progress }: CallContext,
  ): Promise<Result<QuestionOutput<N>, AppError>> => {
    const open = fabrics.get(fabricId);
    if (open === undefined) return Promise.resolve(err({ kind: "unknown-id", what: "fabric", id: fabricId }));
    return held.of(open).ask(name, input, {
      what: "Following routes",
      signal,
      progress: (done, total, note) => progress({ step: "routes", done, total, note }),
    });
  };
  return {
    "routes.get": ({ fabricId }, context) => ask(fabricId, "routes", null, context),
    "routes.across": ({ fabricId, link, filter }, context) => ask(fabricId, "across", { link, filter }, context),
    "routes.way": ({ fabricId, from, to }, context) => ask(fabricId, "way", { from, to }, context),
  };
}
