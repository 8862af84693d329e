/** The results that links are held against, in `baselines.json`: one for each link of each source. */
import { join } from "node:path";
import { ok, type Result } from "../../shared/base/result.ts";
import { type Baseline, baselinesFileSchema } from "../../shared/contract/sweeps.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { readStored, writeJson } from "./json-file.ts";

export interface BaselineStore {
  list(): readonly Baseline[];
  /** Takes the place of the link's earlier one. What cannot be written is not taken. */
  set(baseline: Baseline): Promise<Result<readonly Baseline[], AppError>>;
  /** Takes away the baseline that is this measurement; nothing happens when none is. */
  clear(measurement: string): Promise<Result<readonly Baseline[], AppError>>;
}

function sameLink(a: Baseline, b: Baseline): boolean {
  return a.link === b.link && a.source === b.source && a.simulated === b.simulated;
}

/** `baselines.json` in `folder`; a file that is no such file counts as empty, and is kept aside. */
export async function openBaselines(folder: string): Promise<BaselineStore> {
  const path = join(folder, "baselines.json");
  let baselines: readonly Baseline[] = (await readStored(path, baselinesFileSchema))?.baselines ?? [];
  let queue: Promise<unknown> = Promise.resolve();
  const write = (
    change: (now: readonly Baseline[]) => readonly Baseline[],
  ): Promise<Result<readonly Baseline[], AppError>> => {
    const result = queue.then(async (): Promise<Result<readonly Baseline[], AppError>> => {
      const next = change(baselines);
      const written = await writeJson(path, { version: 1, baselines: next });
      if (!written.ok) return written;
      baselines = next;
      return ok(next);
    });
    queue = result.catch(() => undefined);
    return result;
  };
  return {
    list: () => baselines,
    set: (baseline) => write((now) => [...now.filter((one) => !sameLink(one, baseline)), baseline]),
    clear: (measurement) => write((now) => now.filter((one) => one.measurement !== measurement)),
  };
}
