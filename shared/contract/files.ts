/** Schemas of files that Ibex writes. A file format never reuses an internal type; each has its version. */
import { z } from "zod";
import { sourceSchema } from "./source.ts";

export const captureVersion = 1;

/** `manifest.json` of a .fabric file. Unknown keys are tolerated, so that later versions may add some. */
export const captureManifestSchema = z.object({
  format: z.literal("ibex-capture"),
  version: z.number().int().min(1),
  /** Program that wrote it. */
  writtenBy: z.string().max(200),
  name: z.string().max(400),
  how: z.enum(["ssh", "local", "simulated", "file"]),
  simulated: z.boolean(),
  collectedAt: z.string().max(40).optional(),
  source: sourceSchema.optional().catch(undefined),
  steps: z
    .array(
      z.object({
        id: z.string().max(100),
        title: z.string().max(200),
        state: z.enum(["waiting", "running", "done", "failed", "skipped", "cancelled"]),
        note: z.string().max(2000),
        ms: z.number().min(0),
      }),
    )
    .max(100),
  outputs: z
    .array(
      z.object({
        name: z.string().min(1).max(400),
        commandLine: z.string().max(20_000).optional(),
        exitCode: z.number().int().optional(),
        startedAt: z.string().max(40).optional(),
        durationMs: z.number().min(0).optional(),
        /** Entry of the error output in the zip. */
        stderr: z.string().max(400).optional(),
        bytes: z.number().int().min(0),
      }),
    )
    .max(10_000),
});
export type CaptureManifest = z.infer<typeof captureManifestSchema>;

const severityCounts = z.object({ note: z.number(), warning: z.number(), error: z.number() });

/** `recent.json`. */
export const recentFileSchema = z.object({
  version: z.literal(1),
  entries: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      detail: z.string(),
      source: sourceSchema.nullable().catch(null),
      path: z.string().nullable(),
      simulated: z.boolean(),
      switches: z.number(),
      hosts: z.number(),
      findings: severityCounts,
      openedAt: z.string(),
    }),
  ),
});
