/** Never two measurements over one adapter or one cable at a time: they would halve each other's result. */
import { err, ok, type Result } from "../../shared/base/result.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import type { MeasurePlan } from "../../shared/measure/types.ts";

/** One thing that a measurement needs for itself; `name` is for people. */
export interface Claim {
  readonly id: string;
  readonly name: string;
}

/** What is in use right now. One for the whole process, so that all windows and sources share it. */
export class MeasureLocks {
  private readonly held = new Set<string>();

  /**
   * Takes all claims or none.
   *
   * @returns a function that gives them back (once is enough), or `busy` with the name of the first that is taken.
   */
  acquire(claims: readonly Claim[]): Result<() => void, AppError> {
    const taken = claims.find(({ id }) => this.held.has(id));
    if (taken !== undefined) return err({ kind: "busy", what: taken.name });
    // A path may name a thing twice; it is one claim.
    const ids = new Set(claims.map(({ id }) => id));
    for (const id of ids) this.held.add(id);
    let released = false;
    return ok(() => {
      if (released) return;
      released = true;
      for (const id of ids) this.held.delete(id);
    });
  }
}

/** What a plan needs for itself: both adapters and every cable of its path. Simulated things are others than real ones. */
export function claimsOf(plan: MeasurePlan): readonly Claim[] {
  const world = plan.simulated ? "simulated" : "real";
  return [
    ...[plan.client, plan.server].map(({ nodeGuid, host }) => ({
      id: `${world} node ${nodeGuid}`,
      name: `The adapter of ${host}`,
    })),
    ...plan.path.map((hop) => ({
      id: `${world} link ${hop.link}`,
      name: `${hop.fromName}:${hop.fromPort} to ${hop.toName}:${hop.toPort}`,
    })),
  ];
}
