/** What a worker can be asked for. Plain data that survives structured cloning. */
import { analyse } from "../../shared/analyse/analyse.ts";
import { type LimitChanges, thresholdsOf } from "../../shared/analyse/limits.ts";
import type { Analysis, TopologyKind } from "../../shared/analyse/results.ts";
import { ok, type Result } from "../../shared/base/result.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import type { Fabric } from "../../shared/fabric/model.ts";
import { type RawText, understand, type Understood } from "./interpret-job.ts";

export interface UnderstandJob {
  readonly job: "understand";
  readonly files: readonly RawText[];
  readonly path: string;
  /** The user's word on the shape. */
  readonly kind: TopologyKind | undefined;
  /** Limits that the user set. */
  readonly limits: LimitChanges;
}

/** A fabric that stands already, looked at with another shape in mind. */
export interface AnalyseJob {
  readonly job: "analyse";
  readonly fabric: Fabric;
  readonly kind: TopologyKind | undefined;
  readonly limits: LimitChanges;
}

/** Result of each job by its name. */
export interface JobResults {
  readonly understand: Result<Understood, AppError>;
  readonly analyse: Result<Analysis, AppError>;
}

export function runJob(job: UnderstandJob): JobResults["understand"];
export function runJob(job: AnalyseJob): JobResults["analyse"];
export function runJob(job: UnderstandJob | AnalyseJob): JobResults["understand" | "analyse"];
export function runJob(job: UnderstandJob | AnalyseJob): JobResults["understand" | "analyse"] {
  return job.job === "understand"
    ? understand(job.files, job.path, job.kind, job.limits)
    : ok(analyse(job.fabric, thresholdsOf(job.limits), job.kind));
}
