import type { SourceSpec } from "../../../shared/contract/source.ts";
import type { AppError } from "../../../shared/errors/kinds.ts";
import type { Attempt } from "../../state/fabric-store.ts";

/** What the window itself can do about a failed attempt. `remedy`: position in the error's remedies that it belongs to. */
export interface FailureAction {
  readonly label: string;
  readonly remedy: number | undefined;
  readonly does:
    | { readonly kind: "attempt"; readonly attempt: Attempt }
    | { readonly kind: "change-connection" }
    | { readonly kind: "open-files" }
    | { readonly kind: "report"; readonly incident: string };
}

function withSudo(source: SourceSpec): SourceSpec | undefined {
  return source.kind === "simulated" ? undefined : { ...source, sudo: true };
}

/** Actions for a failed attempt, the best first. Pure. */
export function failureActions(attempt: Attempt, error: AppError): readonly FailureAction[] {
  const actions: FailureAction[] = [];
  if (error.kind === "no-permission" && !error.sudo && attempt.kind === "collect") {
    const source = withSudo(attempt.source);
    if (source !== undefined) {
      actions.push({
        label: "Use sudo and try again",
        remedy: 0,
        does: { kind: "attempt", attempt: { kind: "collect", source } },
      });
    }
  }
  if (error.kind === "internal") {
    actions.push({ label: "Copy report", remedy: undefined, does: { kind: "report", incident: error.incident } });
  }
  actions.push({
    label: actions.length === 0 ? "Try again" : "Try again as before",
    remedy: undefined,
    does: { kind: "attempt", attempt },
  });
  if (attempt.kind === "collect" && attempt.source.kind === "ssh") {
    actions.push({ label: "Change the connection", remedy: undefined, does: { kind: "change-connection" } });
  }
  if (attempt.kind === "open") {
    actions.push({ label: "Open other files", remedy: undefined, does: { kind: "open-files" } });
  }
  return actions;
}
