/** Sweeps and baselines as they cross to the window. Links are named by {@link LinkId}, nodes by GUID: no indices. */
import { z } from "zod";
import type { AppError } from "../errors/kinds.ts";
import type { LinkId } from "../fabric/model.ts";
import type { MeasurePlan, RouteProof, VerdictLevel } from "../measure/types.ts";
import type { MeasurementSummary } from "./views.ts";

const linkId = z.templateLiteral([
  "0x",
  z.string().regex(/^[0-9a-f]{16}$/),
  ":",
  z.number().int().min(0).max(254),
]) as unknown as z.ZodType<LinkId>;

const nodeGuid = z.string().regex(/^0x[0-9a-f]{16}$/);

/** Which links a sweep measures. */
export const sweepWishSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("all-inter-switch") }),
  z.strictObject({ kind: z.literal("all-host-links") }),
  z.strictObject({ kind: z.literal("degraded") }),
  z.strictObject({ kind: z.literal("host-links-of"), node: nodeGuid }),
  z.strictObject({ kind: z.literal("links-of"), node: nodeGuid }),
  /** `title`: what the user calls them, `Suspect links`. */
  z.strictObject({
    kind: z.literal("links"),
    links: z.array(linkId).min(1).max(500_000),
    title: z.string().max(100).optional(),
  }),
]);
export type SweepWish = z.infer<typeof sweepWishSchema>;

/** Measurements at a time: each holds three SSH sessions. */
export const sweepConcurrency = { least: 1, usual: 16, most: 256 } as const;

/** One link of a dry run. */
export interface SweepPlanItem {
  readonly link: LinkId;
  readonly linkName: string;
  /** From 1. */
  readonly round: number;
  readonly clientHost: string;
  readonly serverHost: string;
  readonly basis: MeasurePlan["basis"];
  /** Cables from the client to the server. */
  readonly cables: number;
}

/** What a sweep would do; nothing has run. */
export interface SweepPlanView {
  readonly planId: string;
  /** `Host links of leaf-03`. */
  readonly title: string;
  readonly items: readonly SweepPlanItem[];
  readonly refused: readonly { readonly link: LinkId; readonly linkName: string; readonly reason: string }[];
  readonly rounds: number;
  /** No order of these measurements has fewer rounds. */
  readonly lowerBound: number;
  /** Largest number of measurements at a time. */
  readonly atOnce: number;
  readonly concurrency: number;
  readonly secondsPerRound: number;
  /** Seconds of all rounds when every pair keeps its way. */
  readonly seconds: number;
  /** The same when pairs without a proven way are exchanged and take their turns after others. */
  readonly secondsMost: number;
  /** Hosts that are loaded, by name. */
  readonly hosts: readonly string[];
  /** The plan of the first link: its command lines stand for all. */
  readonly example: MeasurePlan | null;
  readonly simulated: boolean;
}

/**
 * `interrupted`: the program ended before the sweep did. `stopped`: by an error that every other link would meet as well.
 * `elsewhere`: another program runs it right now.
 */
export type SweepState = "running" | "paused" | "finished" | "cancelled" | "interrupted" | "stopped" | "elsewhere";

const tally = z.number().int().min(0);

/** What is known of every sweep, of one that runs and of one on the disk. Times are ISO 8601. */
const sweepFactsSchema = z.object({
  id: z.string(),
  title: z.string(),
  /** Label of the source. */
  source: z.string(),
  simulated: z.boolean(),
  startedAt: z.string(),
  /** Last sign of life. */
  lastAt: z.string(),
  total: tally,
  /** Links with an end: measured or not. */
  done: tally,
  slow: tally,
  /** Links without a result: they could not be measured, or their run failed. */
  failed: tally,
  /** Links at a time; 0 where the journal does not say. */
  concurrency: tally,
});

const sweepSummarySchema = sweepFactsSchema.extend({
  /** `open`: its last run has not said how it ended. */
  end: z.enum(["finished", "cancelled", "stopped", "open"]),
  /** The same for sweeps of one source, one set of links and the same options. */
  key: z.string(),
});
/** What a journal comes to. */
export type SweepSummary = Readonly<z.infer<typeof sweepSummarySchema>>;

export const sweepIndexVersion = 1;
/** `sweeps/index.json`: what each journal came to, by its file's name. */
export const sweepIndexSchema = z.object({
  version: z.literal(sweepIndexVersion),
  journals: z.record(z.string(), z.unknown()),
});
/** One of it: the file as it was then, and its summary; null: it is no sweep. */
export const sweepIndexEntrySchema = z.object({
  bytes: z.number(),
  changedMs: z.number(),
  summary: sweepSummarySchema.nullable(),
});
export type SweepIndexEntry = Readonly<z.infer<typeof sweepIndexEntrySchema>>;

/** How a sweep stands. */
export interface SweepStatus extends Readonly<z.infer<typeof sweepFactsSchema>> {
  readonly state: SweepState;
  /** Of the run of the program that shows it, from 1; 0 when it does not run here. */
  readonly round: number;
  readonly rounds: number;
  /** Links that are measured now. */
  readonly running: readonly LinkId[];
  /** Seconds to the end, by the rounds so far; null when it does not run. */
  readonly secondsLeft: number | null;
  readonly error: AppError | null;
}

/** How one link of a sweep came out. */
export interface SweepLine {
  readonly link: LinkId;
  readonly linkName: string;
  readonly at: string;
  readonly level: VerdictLevel | "not-measured";
  /** Id in the history. */
  readonly measurement: string | null;
  readonly bandwidthGbps: number | null;
  readonly expectedGbps: number | null;
  readonly percent: number | null;
  readonly latencyUs: number | null;
  /** Below the pass line, or below what its siblings reach in this sweep. */
  readonly slow: boolean;
  /** Median of its siblings when it was measured. */
  readonly siblingsGbps: number | null;
  readonly route: RouteProof["kind"] | null;
  /** Why it could not be measured. */
  readonly reason: string;
}

/** A sweep with all its links. */
export interface SweepView {
  readonly status: SweepStatus;
  readonly links: readonly { readonly link: LinkId; readonly linkName: string }[];
  readonly lines: readonly SweepLine[];
  /** Lines of its journal that could not be read. */
  readonly damaged: number;
}

/** A sweep goes on: its state, and what has come since the last word. */
export interface SweepEvent {
  readonly status: SweepStatus;
  readonly lines: readonly SweepLine[];
  /** The same results as the history has them. */
  readonly measurements: readonly MeasurementSummary[];
}

export const exportFormats = ["csv", "json"] as const;
export type ExportFormat = (typeof exportFormats)[number];

const baselineSchema = z.object({
  /** Id of the measurement in the history. */
  measurement: z.string().min(1).max(100),
  link: linkId,
  source: z.string().max(400),
  simulated: z.boolean(),
  /** When it was measured, and when it was made the baseline. */
  measuredAt: z.string().max(40),
  setAt: z.string().max(40),
  clientHost: z.string().max(255),
  serverHost: z.string().max(255),
  bandwidthGbps: z.number().min(0).nullable(),
  expectedGbps: z.number().min(0),
  latencyUs: z.number().min(0).nullable(),
});
/** The result that a link's later results are held against. */
export type Baseline = Readonly<z.infer<typeof baselineSchema>>;

/** `baselines.json`. */
export const baselinesFileSchema = z.object({ version: z.literal(1), baselines: z.array(baselineSchema) });
