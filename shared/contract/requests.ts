/**
 * The one IPC contract: name → input and output. Inputs are checked by schema in the router; outputs that are
 * large plain data (a Fabric) are typed and not walked. Replies are `Result<output, AppError>`.
 */
import { z } from "zod";
import { topologyKinds } from "../analyse/results.ts";
import type { LinkId } from "../fabric/model.ts";
import type { GpuMemory } from "../measure/gpu.ts";
import type { Measurement, MeasurePlan, TriangleRole, Triangulation } from "../measure/types.ts";
import { measureOptionsSchema } from "./measure-options.ts";
import type { CounterWatchStatus, CounterWatchView } from "./counter-watch.ts";
import type { AcrossView, RoutesView, RouteView } from "./routes.ts";
import { markNames, settingsPatchSchema, type Settings } from "./settings.ts";
import { sourceSchema } from "./source.ts";
import {
  type Baseline,
  exportFormats,
  sweepConcurrency,
  type SweepPlanView,
  type SweepStatus,
  type SweepView,
  sweepWishSchema,
} from "./sweeps.ts";
import type {
  FabricView,
  LinkMark,
  MeasurementSummary,
  OpensmLogView,
  OpensmSettingsView,
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
const exportFormat = z.enum(exportFormats);
const pictureFormat = z.enum(["svg", "png"]);
/** Of a picture that is saved: an SVG of 10,000 hosts drawn one by one has some 20 MB. */
const pictureBytes = 512 * 1024 * 1024;
const shapeSchema = z.enum(["automatic", ...topologyKinds]);

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
  /** Machines whose key the user has trusted in Ibex; the user's own known_hosts is not listed. */
  "hosts.known": request<typeof nothing, readonly KnownHost[]>(nothing),
  /** Takes one line away: its host is asked about again. Answers with those that are left. */
  "hosts.forget": request<z.ZodObject<{ line: z.ZodString }>, readonly KnownHost[]>(
    z.strictObject({
      line: z
        .string()
        .min(1)
        .max(16 * 1024),
    }),
  ),
  /** What Ibex keeps on this machine, and how much it is. */
  "data.summary": request<typeof nothing, DataSummary>(nothing),
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
  /** Saves a picture of the fabric at a place that the user is asked for. `saved: false`: the user closed the dialog. */
  "picture.save": request<
    z.ZodObject<{
      fabricId: typeof id;
      overlay: z.ZodString;
      format: typeof pictureFormat;
      bytes: z.ZodCustom<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>;
    }>,
    { saved: boolean; path: string }
  >(
    z.strictObject({
      fabricId: id,
      overlay: z.string().regex(/^[a-z]{1,20}$/),
      format: pictureFormat,
      bytes: z.instanceof(Uint8Array).refine((bytes) => bytes.length > 0 && bytes.length <= pictureBytes),
    }),
  ),
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
  /** The forwarding tables of an open fabric as a whole; `unsupported` when it has none. Read at the first request. */
  "routes.get": request<z.ZodObject<{ fabricId: typeof id }>, RoutesView>(z.strictObject({ fabricId: id })),
  /** Who talks across a cable, out of end A and out of end B; `filter`: a part of the name of either host. */
  "routes.across": request<
    z.ZodObject<{ fabricId: typeof id; link: typeof linkId; filter: z.ZodString }>,
    readonly AcrossView[]
  >(z.strictObject({ fabricId: id, link: linkId, filter: z.string().max(255) })),
  /** The way between two adapter ports, named as `0x<node GUID>:<port>`. */
  "routes.way": request<z.ZodObject<{ fabricId: typeof id; from: typeof linkId; to: typeof linkId }>, RouteView>(
    z.strictObject({ fabricId: id, from: linkId, to: linkId }),
  ),
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
  /** Whether bandwidth tests can use the GPU memory of both hosts of a plan; asks them, runs nothing. */
  "measure.gpus": request<z.ZodObject<{ planId: typeof id }>, { hosts: readonly GpuMemory[] }>(
    z.strictObject({ planId: id }),
  ),
  /**
   * Runs a plan. When others use an adapter, nothing is started (`in-use`) unless `allowBusy` says so. A failed or cancelled run is a Measurement too, when anything of it is worth keeping. */
  "measure.run": request<z.ZodObject<{ planId: typeof id; allowBusy: z.ZodOptional<z.ZodBoolean> }>, Measurement>(
    z.strictObject({ planId: id, allowBusy: z.boolean().optional() }),
  ),
  /** Which other pairs would tell where a low result comes from: node, link or route. Runs nothing. */
  "triangulation.plan": request<z.ZodObject<{ fabricId: typeof id; measurement: typeof id }>, TriangulationView>(
    z.strictObject({ fabricId: id, measurement: id }),
  ),
  /** Runs these pairs in turn, each kept in the history. Pairs that others use are left out unless `allowBusy` says so. */
  "triangulation.run": request<
    z.ZodObject<{ planId: typeof id; allowBusy: z.ZodOptional<z.ZodBoolean> }>,
    { triangulation: Triangulation; measurement?: Measurement }
  >(z.strictObject({ planId: id, allowBusy: z.boolean().optional() })),
  /** Newest first; of all fabrics, matched to links by LinkId in the window. `damaged`: records that could not be read. */
  "measure.list": request<typeof nothing, { measurements: readonly MeasurementSummary[]; damaged: number }>(nothing),
  "measure.get": request<z.ZodObject<{ id: typeof id }>, Measurement>(z.strictObject({ id })),
  /** Asks for a place and writes these results, or all when `ids` is null. `saved: false`: the user closed the dialog. */
  "measure.export": request<
    z.ZodObject<{ ids: z.ZodNullable<z.ZodArray<typeof id>>; format: typeof exportFormat }>,
    { saved: boolean; path: string }
  >(z.strictObject({ ids: z.array(id).max(1_000_000).nullable(), format: exportFormat })),
  /** Plans many links in rounds; nothing runs. */
  "sweep.plan": request<
    z.ZodObject<{
      fabricId: typeof id;
      wish: typeof sweepWishSchema;
      options: typeof measureOptionsSchema;
      concurrency: z.ZodNumber;
    }>,
    SweepPlanView
  >(
    z.strictObject({
      fabricId: id,
      wish: sweepWishSchema,
      options: measureOptionsSchema,
      concurrency: z.number().int().min(sweepConcurrency.least).max(sweepConcurrency.most),
    }),
  ),
  /** Starts a planned sweep; it goes on by itself and tells by events. */
  "sweep.start": request<z.ZodObject<{ planId: typeof id }>, SweepStatus>(z.strictObject({ planId: id })),
  /** What runs goes on to its end, nothing new is started. */
  "sweep.pause": request<z.ZodObject<{ sweepId: typeof id }>, SweepStatus>(z.strictObject({ sweepId: id })),
  /** Goes on with a paused sweep; or with one that ended early, on the open fabric of the same source. */
  "sweep.resume": request<z.ZodObject<{ sweepId: typeof id; fabricId: typeof id }>, SweepStatus>(
    z.strictObject({ sweepId: id, fabricId: id }),
  ),
  "sweep.cancel": request<z.ZodObject<{ sweepId: typeof id }>, SweepStatus>(z.strictObject({ sweepId: id })),
  /** Forgets a sweep that does not run; its results stay in the history. */
  "sweep.discard": request<z.ZodObject<{ sweepId: typeof id }>, null>(z.strictObject({ sweepId: id })),
  /** Newest first, also those of earlier runs of the program. */
  "sweep.list": request<typeof nothing, readonly SweepStatus[]>(nothing),
  "sweep.get": request<z.ZodObject<{ sweepId: typeof id }>, SweepView>(z.strictObject({ sweepId: id })),
  "sweep.export": request<
    z.ZodObject<{ sweepId: typeof id; format: typeof exportFormat }>,
    { saved: boolean; path: string }
  >(z.strictObject({ sweepId: id, format: exportFormat })),
  "baseline.list": request<typeof nothing, readonly Baseline[]>(nothing),
  /** Makes a result of the history the baseline of its link. Answers with all baselines. */
  "baseline.set": request<z.ZodObject<{ measurement: typeof id }>, readonly Baseline[]>(
    z.strictObject({ measurement: id }),
  ),
  "baseline.clear": request<z.ZodObject<{ measurement: typeof id }>, readonly Baseline[]>(
    z.strictObject({ measurement: id }),
  ),
  /** Asks each subnet manager again and again; a running watch of the same fabric takes the new interval. Ends with the fabric. */
  "watch.start": request<z.ZodObject<{ fabricId: typeof id; intervalSeconds: z.ZodNumber }>, WatchStatus>(
    z.strictObject({ fabricId: id, intervalSeconds: z.number().min(1).max(3600) }),
  ),
  "watch.stop": request<z.ZodObject<{ fabricId: typeof id }>, WatchStatus>(z.strictObject({ fabricId: id })),
  "watch.state": request<z.ZodObject<{ fabricId: typeof id }>, WatchView>(z.strictObject({ fabricId: id })),
  /** Ends of the opensm.log files, and opensm.conf, where the tools run and on the managers' own hosts. `unread`: sentences on what may not be read. */
  "watch.logs": request<
    z.ZodObject<{ fabricId: typeof id }>,
    { logs: readonly OpensmLogView[]; settings: readonly OpensmSettingsView[]; unread: readonly string[] }
  >(z.strictObject({ fabricId: id })),
  /** Reads the error counters of all ports again and again; a running watch of the same fabric takes the new interval. */
  "counters.start": request<z.ZodObject<{ fabricId: typeof id; intervalSeconds: z.ZodNumber }>, CounterWatchStatus>(
    z.strictObject({ fabricId: id, intervalSeconds: z.number().min(5).max(3600) }),
  ),
  "counters.stop": request<z.ZodObject<{ fabricId: typeof id }>, CounterWatchStatus>(z.strictObject({ fabricId: id })),
  /** All that the watch of a fabric has kept. */
  "counters.state": request<z.ZodObject<{ fabricId: typeof id }>, CounterWatchView>(z.strictObject({ fabricId: id })),
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

/** A triangulation before it runs: what is loaded, and for how long. */
export interface TriangulationView {
  readonly id: string;
  readonly tests: readonly {
    readonly role: TriangleRole;
    /** `n010 to n011: is it n010?` */
    readonly text: string;
    readonly clientHost: string;
    readonly serverHost: string;
    readonly seconds: number;
  }[];
  /** What cannot be tried, in sentences. */
  readonly missing: readonly string[];
  readonly seconds: number;
}

export interface AppInfo {
  readonly version: string;
  readonly electron: string;
  readonly platform: string;
  readonly dataFolder: string;
  readonly simulatedFabrics: readonly SimulatedFabricInfo[];
  readonly samples: readonly SampleInfo[];
}

/** One line of Ibex's own known_hosts. */
export interface KnownHost {
  /** The line as it stands. */
  readonly line: string;
  /** `mgmt-01`, `[mgmt-01]:2222`. */
  readonly host: string;
  /** `ssh-ed25519`. */
  readonly keyType: string;
  /** `SHA256:…` as OpenSSH prints it. */
  readonly fingerprint: string;
}

export interface DataSummary {
  readonly folder: string;
  /** What is there, in this order: the name within the folder, and its bytes. */
  readonly parts: readonly { readonly name: string; readonly bytes: number }[];
}

export type Requests = typeof requests;
export type RequestInput<N extends RequestName> = z.infer<Requests[N]["input"]>;
export type RequestOutput<N extends RequestName> = Requests[N]["output"];
