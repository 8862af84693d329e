/** Never two measurements over one adapter or one cable at a time: they would halve each other's result. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { err, ok, type Result } from "../../shared/base/result.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import type { MeasurePlan } from "../../shared/measure/types.ts";
import { takeLock } from "./lock-files.ts";

/** One thing that a measurement needs for itself; `name` is for people. */
export interface Claim {
  readonly id: string;
  readonly name: string;
  /** Other programs on the same data folder must not use it meanwhile. */
  readonly shared: boolean;
}

/** Ids hold what is no file name. */
function fileOf(id: string): string {
  return `${createHash("sha256").update(id).digest("hex").slice(0, 32)}.lock`;
}

/** What is in use right now. One for the whole process, so that all windows and sources share it. */
export class MeasureLocks {
  private readonly held = new Set<string>();
  private readonly folder: string | undefined;

  /** @param folder where other programs of this user see the locks; without it they hold in this process only */
  constructor(folder?: string) {
    this.folder = folder;
  }

  /**
   * Takes all claims or none.
   *
   * @param forMs how long they are needed at most
   * @returns a function that gives them back (once is enough), or `busy` with the name of the first that is taken, and by
   * whom when it is another program; `file` when the locks cannot be written.
   */
  async acquire(claims: readonly Claim[], forMs: number): Promise<Result<() => Promise<void>, AppError>> {
    const taken = claims.find(({ id }) => this.held.has(id));
    if (taken !== undefined) return err({ kind: "busy", what: taken.name });
    // A path may name a thing twice; it is one claim. Always in one order, so that two programs do not take a half each.
    const wanted = [...new Map(claims.map((claim) => [claim.id, claim])).values()].sort((a, b) =>
      a.id < b.id ? -1 : 1,
    );
    for (const { id } of wanted) this.held.add(id);
    const given: (() => Promise<void>)[] = [];
    let released = false;
    const release = async (): Promise<void> => {
      if (released) return;
      released = true;
      await Promise.all(given.map((give) => give()));
      for (const { id } of wanted) this.held.delete(id);
    };
    for (const { id, name, shared } of wanted) {
      if (!shared || this.folder === undefined) continue;
      const file = await takeLock(join(this.folder, fileOf(id)), name, forMs);
      if (!file.ok) {
        await release();
        return file;
      }
      given.push(file.value);
    }
    return ok(release);
  }
}

/** What a plan needs for itself: both adapters and every cable of its path. Simulated things are others than real ones. */
export function claimsOf(plan: MeasurePlan): readonly Claim[] {
  const world = plan.simulated ? "simulated" : "real";
  // A simulated fabric is each program's own.
  const shared = !plan.simulated;
  return [
    ...[plan.client, plan.server].map(({ nodeGuid, host }) => ({
      id: `${world} node ${nodeGuid}`,
      name: `The adapter of ${host}`,
      shared,
    })),
    ...plan.path.map((hop) => ({
      id: `${world} link ${hop.link}`,
      name: `${hop.fromName}:${hop.fromPort} to ${hop.toName}:${hop.toPort}`,
      shared,
    })),
  ];
}
