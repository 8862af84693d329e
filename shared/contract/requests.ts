/**
 * The one IPC contract: name → input and output. Inputs are checked by schema in the router; outputs that are
 * large plain data (a Fabric) are typed and not walked. Replies are `Result<output, AppError>`.
 */
import { z } from "zod";
import { topologyKinds } from "../analyse/results.ts";
import type { LinkId } from "../fabric/model.ts";
import type { Measurement, MeasurePlan } from "../measure/types.ts";
import { presets } from "../measure/types.ts";
import { markNames, settingsPatchSchema, type Settings } from "./settings.ts";
import { sourceSchema } from "./source.ts";
import type {
  FabricView,
  LinkMark,
  MeasurementSummary,
  OpensmLogView,
  RecentEntry,
  SampleInfo,
  SimulatedFabricInfo,
  SshTestStep,
  WatchStatus,
  WatchView,
} from "./views.ts";
import type { RequestName } from "./names.ts";

const id = z.string().min(1).max(100);
const path = z.string().min(1).max(4096);
const linkId = z.templateLiteral([
  "0x",
  z.string().regex(/^[0-9a-f]{16}$/),
  ":",
  z.number().int().min(0).max(254),
]) as unknown as z.ZodType<LinkId>;
const nothing = z.strictObject({});
const shapeSchema = z.enum(["automatic", ...topologyKinds]);

export const measureOptionsSchema = z.strictObject({
  preset: z.enum(presets),
  bytes: z
    .number()
    .int()
    .min(2)
    .max(8 * 1024 * 1024),
  queuePairs: z.number().int().min(1).max(256),
  seconds: z.number().int().min(2).max(300),
  bidirectional: z.boolean(),
  latencyIterations: z.number().int().min(5).max(1_000_000),
  gidIndex: z.number().int().min(0).max(64).optional(),
});

/** Answers to questions that main asks while it connects. */
export const promptAnswerSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("host-key"), decision: z.enum(["no", "once", "always"]) }),
  z.strictObject({ kind: z.literal("secret"), value: z.string().max(4096).nullable() }),
  z.strictObject({ kind: z.literal("secrets"), values: z.array(z.string().max(4096)).max(20).nullable() }),
]);
export type PromptAnswer = z.infer<typeof promptAnswerSchema>;

// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the output type is stated by the caller
function request<I extends z.ZodType, O>(input: I): { readonly input: I; readonly output: O } {
  // The output exists only as a type: replies come from our own code and are checked by the compiler.
  return { input, output: undefined as O };
}

export const requests = {
  "app.info": request<typeof nothing, AppInfo>(nothing),
  /** What the command line asked to open. */
  "app.initial": request<
    typeof nothing,
    { open: "nothing" } | { open: "simulated"; name: string } | { open: "paths"; paths: string[] }
  >(nothing),
  /** The window has drawn what it was asked to open; the screenshot mode waits for it. */
  "app.ready": request<z.ZodObject<{ summary: z.ZodString }>, null>(z.strictObject({ summary: z.string().max(1000) })),
  "app.copy": request<z.ZodObject<{ text: z.ZodString }>, null>(z.strictObject({ text: z.string().max(1_000_000) })),
  /** Redacted text about an incident, for a bug report. */
  "app.report": request<z.ZodObject<{ incident: z.ZodString }>, { text: string }>(
    z.strictObject({ incident: z.string().max(100) }),
  ),
  "settings.get": request<typeof nothing, Settings>(nothing),
  "settings.set": request<typeof settingsPatchSchema, Settings>(settingsPatchSchema),
  "recent.list": request<typeof nothing, readonly RecentEntry[]>(nothing),
  "recent.remove": request<z.ZodObject<{ id: typeof id }>, null>(z.strictObject({ id })),
  /** InfiniBand devices of this machine, or why there are none. */
  "local.probe": request<typeof nothing, { devices: readonly string[]; reason: string }>(nothing),
  /** Host names of ~/.ssh/config that name one host. */
  "ssh.names": request<typeof nothing, { names: readonly string[] }>(nothing),
  /** Tests a connection step by step; each step also comes as a progress event. `upTo` "host-key" asks nothing of the user. */
  "ssh.test": request<
    z.ZodObject<{ source: typeof sourceSchema; upTo: z.ZodEnum<{ "host-key": "host-key"; all: "all" }> }>,
    { steps: readonly SshTestStep[] }
  >(z.strictObject({ source: sourceSchema, upTo: z.enum(["host-key", "all"]) })),
  "prompt.answer": request<z.ZodObject<{ promptId: typeof id; answer: typeof promptAnswerSchema }>, null>(
    z.strictObject({ promptId: id, answer: promptAnswerSchema }),
  ),
  /** Shows the system's open dialog. */
  "capture.choose": request<
    z.ZodObject<{ what: z.ZodEnum<{ files: "files"; folder: "folder"; key: "key"; map: "map" }> }>,
    { paths: string[] }
  >(z.strictObject({ what: z.enum(["files", "folder", "key", "map"]) })),
  "capture.open": request<z.ZodObject<{ paths: z.ZodArray<typeof path> }>, { fabricId: string }>(
    z.strictObject({ paths: z.array(path).min(1).max(1000) }),
  ),
  /**
   * Collects from a source. `replaces`: the open fabric that this refreshes. `routes`: the forwarding tables too. A
   * partial result is a result.
   */
  "capture.collect": request<
    z.ZodObject<{
      source: typeof sourceSchema;
      replaces: z.ZodOptional<typeof id>;
      routes: z.ZodOptional<z.ZodBoolean>;
    }>,
    { fabricId: string }
  >(z.strictObject({ source: sourceSchema, replaces: id.optional(), routes: z.boolean().optional() })),
  /** Saves to `path`, or asks for a place. `saved: false`: the user closed the dialog. */
  "capture.save": request<
    z.ZodObject<{ fabricId: typeof id; path: z.ZodOptional<typeof path> }>,
    { saved: boolean; path: string }
  >(z.strictObject({ fabricId: id, path: path.optional() })),
  /** Lines of a raw output; `line` from 1. */
  "capture.raw": request<
    z.ZodObject<{ fabricId: typeof id; file: z.ZodString; line: z.ZodNumber; lines: z.ZodNumber }>,
    { firstLine: number; totalLines: number; lines: readonly string[] }
  >(
    z.strictObject({
      fabricId: id,
      file: z.string().max(4096),
      line: z.number().int().min(1),
      lines: z.number().int().min(1).max(2000),
    }),
  ),
  "fabric.get": request<z.ZodObject<{ fabricId: typeof id }>, FabricView>(z.strictObject({ fabricId: id })),
  /** The user's word on the shape, or "automatic" for Ibex's own; answers with the fabric as it is understood then. */
  "fabric.overrule": request<z.ZodObject<{ fabricId: typeof id; kind: typeof shapeSchema }>, FabricView>(
    z.strictObject({ fabricId: id, kind: shapeSchema }),
  ),
  "fabric.close": request<z.ZodObject<{ fabricId: typeof id }>, null>(z.strictObject({ fabricId: id })),
  /** `client`, `server`: host names that the user chose instead of the planner. */
  "measure.plan": request<
    z.ZodObject<{
      fabricId: typeof id;
      link: typeof linkId;
      options: typeof measureOptionsSchema;
      client: z.ZodOptional<z.ZodString>;
      server: z.ZodOptional<z.ZodString>;
    }>,
    MeasurePlan
  >(
    z.strictObject({
      fabricId: id,
      link: linkId,
      options: measureOptionsSchema,
      client: z.string().max(255).optional(),
      server: z.string().max(255).optional(),
    }),
  ),
  /** Runs a plan. A failed or cancelled run is a Measurement too, when anything of it is worth keeping. */
  "measure.run": request<z.ZodObject<{ planId: typeof id }>, Measurement>(z.strictObject({ planId: id })),
  /** Newest first; of all fabrics, matched to links by LinkId in the window. `damaged`: records that could not be read. */
  "measure.list": request<typeof nothing, { measurements: readonly MeasurementSummary[]; damaged: number }>(nothing),
  "measure.get": request<z.ZodObject<{ id: typeof id }>, Measurement>(z.strictObject({ id })),
  /** Asks each subnet manager again and again; a running watch of the same fabric takes the new interval. Ends with the fabric. */
  "watch.start": request<z.ZodObject<{ fabricId: typeof id; intervalSeconds: z.ZodNumber }>, WatchStatus>(
    z.strictObject({ fabricId: id, intervalSeconds: z.number().min(1).max(3600) }),
  ),
  "watch.stop": request<z.ZodObject<{ fabricId: typeof id }>, WatchStatus>(z.strictObject({ fabricId: id })),
  "watch.state": request<z.ZodObject<{ fabricId: typeof id }>, WatchView>(z.strictObject({ fabricId: id })),
  /** Ends of the opensm.log files where the tools run. `unread`: sentences on what may not be read. */
  "watch.logs": request<
    z.ZodObject<{ fabricId: typeof id }>,
    { logs: readonly OpensmLogView[]; unread: readonly string[] }
  >(z.strictObject({ fabricId: id })),
  "marks.get": request<typeof nothing, Readonly<Record<string, LinkMark>>>(nothing),
  /** `mark: null` takes a mark away. Answers with all marks. */
  "marks.set": request<
    z.ZodObject<{
      link: typeof linkId;
      mark: z.ZodNullable<z.ZodEnum<{ [N in LinkMark["mark"]]: N }>>;
      note: z.ZodString;
    }>,
    Readonly<Record<string, LinkMark>>
  >(z.strictObject({ link: linkId, mark: z.enum(markNames).nullable(), note: z.string().max(2000) })),
} as const satisfies Record<RequestName, { readonly input: z.ZodType; readonly output: unknown }>;

export interface AppInfo {
  readonly version: string;
  readonly electron: string;
  readonly platform: string;
  readonly dataFolder: string;
  readonly simulatedFabrics: readonly SimulatedFabricInfo[];
  readonly samples: readonly SampleInfo[];
}

export type Requests = typeof requests;
export type RequestInput<N extends RequestName> = z.infer<Requests[N]["input"]>;
export type RequestOutput<N extends RequestName> = Requests[N]["output"];
