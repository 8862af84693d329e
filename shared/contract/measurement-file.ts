/**
 * The shape of one record of the measurement history and of exported measurements, version 1. A format of its own:
 * what is read from a disk is checked here before anything believes it.
 */
import { z } from "zod";
import type { AppError } from "../errors/kinds.ts";
import { blames, causes, type Measurement, triangleOutcomes, triangleRoles } from "../measure/types.ts";
import { recordedOptionsSchema } from "./measure-options.ts";

const text = z.string();
const texts = z.array(text);
const whole = z.number().int();
const count = whole.min(0);
const rate = z.number().min(0);
const linkId = z.templateLiteral(["0x", z.string().regex(/^[0-9a-f]{16}$/), ":", z.number().int().min(0).max(254)]);
const instant = z.iso.datetime({ offset: true });

/** Fields of each kind of error; a kind that this version does not know makes the record unreadable. */
const errorSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("unreachable"), host: text, port: whole, code: text }),
  z.object({ kind: z.literal("auth"), host: text, user: text, tried: texts, detail: text.exactOptional() }),
  z.object({
    kind: z.literal("key-file"),
    path: text,
    problem: z.enum(["missing", "unreadable", "not-a-key", "passphrase"]),
  }),
  z.object({ kind: z.literal("host-key-unknown"), host: text, port: whole, keyType: text, fingerprint: text }),
  z.object({
    kind: z.literal("host-key-changed"),
    host: text,
    port: whole,
    keyType: text,
    fingerprint: text,
    known: text,
    file: text,
    line: whole,
  }),
  z.object({ kind: z.literal("connection-lost"), host: text, during: text }),
  z.object({ kind: z.literal("channel-refused"), host: text, detail: text }),
  z.object({ kind: z.literal("tool-missing"), tool: text, host: text, stderr: text }),
  z.object({ kind: z.literal("no-permission"), tool: text, host: text, sudo: z.boolean(), stderr: text }),
  z.object({ kind: z.literal("sudo-refused"), host: text, stderr: text }),
  z.object({ kind: z.literal("no-device"), tool: text, host: text, stderr: text }),
  z.object({ kind: z.literal("no-sm"), host: text, stderr: text }),
  z.object({ kind: z.literal("port-down"), host: text, device: text, port: whole, state: text }),
  z.object({ kind: z.literal("timed-out"), what: text, host: text, seconds: z.number() }),
  z.object({ kind: z.literal("cancelled"), what: text }),
  z.object({ kind: z.literal("output-truncated"), what: text, host: text, limitBytes: whole }),
  z.object({ kind: z.literal("command-failed"), tool: text, host: text, exitCode: whole, stderr: text }),
  z.object({ kind: z.literal("parse"), file: text, line: whole, expected: text, excerpt: text }),
  z.object({ kind: z.literal("empty-output"), what: text }),
  z.object({
    kind: z.literal("not-recognised"),
    path: text,
    hint: z.enum(["binary", "text", "image", "archive", "directory"]),
  }),
  z.object({ kind: z.literal("failed-output"), path: text, tool: text, line: whole, said: text }),
  z.object({ kind: z.literal("too-large"), path: text, bytes: z.number(), limitBytes: z.number() }),
  z.object({ kind: z.literal("several-fabrics"), path: text, files: texts }),
  z.object({ kind: z.literal("no-topology"), path: text, found: texts }),
  z.object({ kind: z.literal("file"), path: text, operation: z.enum(["read", "write", "list"]), code: text }),
  z.object({ kind: z.literal("capture-damaged"), path: text, problem: text, readable: texts }),
  z.object({ kind: z.literal("capture-newer"), path: text, version: z.number() }),
  z.object({ kind: z.literal("no-path"), link: text, reason: text, help: text }),
  z.object({ kind: z.literal("busy"), what: text, by: text.exactOptional() }),
  z.object({ kind: z.literal("already-started"), what: text }),
  z.object({
    kind: z.literal("in-use"),
    uses: z.array(
      z.discriminatedUnion("what", [
        z.object({
          what: z.literal("traffic"),
          host: text,
          device: text,
          port: whole,
          gbps: z.number(),
          rateGbps: z.number(),
        }),
        z.object({ what: z.literal("process"), host: text, device: text, tool: text, pid: whole, user: text }),
      ]),
    ),
  }),
  z.object({
    kind: z.literal("not-listening"),
    tool: text,
    host: text,
    port: whole,
    seconds: z.number(),
    stderr: text,
  }),
  z.object({ kind: z.literal("peer-refused"), host: text, port: whole, stderr: text }),
  z.object({ kind: z.literal("version-mismatch"), client: text, server: text, detail: text }),
  z.object({
    kind: z.literal("perftest"),
    tool: text,
    host: text,
    code: text,
    text,
    cause: text.exactOptional(),
    holder: text.exactOptional(),
  }),
  z.object({ kind: z.literal("no-result"), tool: text, host: text, problem: text, output: text }),
  z.object({
    kind: z.literal("unknown-id"),
    what: z.enum(["fabric", "plan", "link", "measurement", "node", "sweep"]),
    id: text,
  }),
  z.object({ kind: z.literal("bad-request"), detail: text }),
  z.object({ kind: z.literal("unsupported"), what: text, detail: text }),
  z.object({ kind: z.literal("internal"), incident: text }),
]) satisfies z.ZodType<AppError>;

const endpointSchema = z.object({
  host: text,
  nodeGuid: text,
  node: count,
  port: count,
  portGuid: text,
  lid: count,
  deviceHint: text.exactOptional(),
});

const hopSchema = z.object({
  link: linkId,
  linkIndex: count,
  fromNode: count,
  fromName: text,
  fromPort: count,
  toNode: count,
  toName: text,
  toPort: count,
  gbps: rate,
  fromGuid: text.exactOptional(),
  toGuid: text.exactOptional(),
  fromLid: count.exactOptional(),
  toLid: count.exactOptional(),
  below: z
    .object({ couldGbps: rate, finding: z.enum(["Width below capability", "Speed below capability"]) })
    .exactOptional(),
});

const sideSchema = z.object({
  host: text,
  commandLine: text,
  exitCode: whole.exactOptional(),
  stdout: text,
  stderr: text,
});

const bandwidthRowSchema = z.object({
  bytes: count,
  iterations: count,
  peakGbps: rate.exactOptional(),
  averageGbps: rate,
  msgRateMpps: rate,
  line: count,
});

const us = z.number();
const latencyRowSchema = z.object({
  bytes: count,
  iterations: count,
  minUs: us.exactOptional(),
  maxUs: us.exactOptional(),
  typicalUs: us.exactOptional(),
  avgUs: us,
  stdevUs: us.exactOptional(),
  p99Us: us.exactOptional(),
  p999Us: us.exactOptional(),
  line: count,
});

const shareSchema = z.object({ link: linkId, name: text, share: z.number() });

const evidenceSchema = z.object({
  route: z.object({
    kind: z.enum(["proven", "spread", "elsewhere", "unknown"]),
    share: z.number().exactOptional(),
    others: z.array(shareSchema),
    sentence: text,
  }),
  ports: z.array(
    z.object({
      name: text,
      sentBytes: rate,
      receivedBytes: rate,
      ambientSent: rate,
      ambientReceived: rate,
      errorsRead: z.boolean().exactOptional(),
    }),
  ),
  newErrors: z.array(
    z.object({
      link: linkId,
      port: text,
      counter: text,
      growth: rate,
      atLeast: z.boolean(),
      measured: z.boolean(),
    }),
  ),
  unread: texts,
});

const tracedSchema = z.object({
  commandLine: text,
  crosses: z.boolean().exactOptional(),
  othersTraced: count,
  problem: text.exactOptional(),
});

const runSchema = z.object({
  tool: text,
  step: z.object({ id: text, title: text, queuePairs: count, bidirectional: z.boolean() }).exactOptional(),
  startedAt: instant,
  durationMs: z.number(),
  server: sideSchema,
  client: sideSchema,
  bandwidth: z.array(bandwidthRowSchema),
  latency: z.array(latencyRowSchema),
  error: errorSchema.exactOptional(),
  evidence: evidenceSchema.exactOptional(),
  countersError: errorSchema.exactOptional(),
});

const triangulationSchema = z.object({
  of: text,
  blames: z.array(z.enum(blames)),
  sentence: text,
  why: texts,
  next: texts,
  tests: z.array(
    z.object({
      role: z.enum(triangleRoles),
      clientHost: text,
      serverHost: text,
      outcome: z.enum(triangleOutcomes),
      gbps: rate.exactOptional(),
      percent: rate.exactOptional(),
      measurement: text.exactOptional(),
      reason: text.exactOptional(),
    }),
  ),
});

/** One measurement as it stands in a file. Fields of later versions are dropped; a later `version` is refused. */
export const measurementFileSchema = z.object({
  version: z.literal(1),
  id: z.string().min(1).max(100),
  at: instant,
  source: z.object({ kind: z.enum(["ssh", "local", "simulated"]), label: text, simulated: z.boolean() }),
  link: linkId,
  linkName: text,
  client: endpointSchema,
  server: endpointSchema,
  path: z.array(hopSchema),
  basis: z.enum(["host-link", "routes", "shortest-path"]),
  traced: tracedSchema.exactOptional(),
  options: recordedOptionsSchema,
  runs: z.array(runSchema),
  bandwidthGbps: rate.exactOptional(),
  latencyUs: us.exactOptional(),
  latencyP99Us: us.exactOptional(),
  loadedLatencyUs: us.exactOptional(),
  loadedLatencyP99Us: us.exactOptional(),
  bothWaysGbps: rate.exactOptional(),
  expectedGbps: rate,
  percent: rate.exactOptional(),
  verdict: z.object({
    level: z.enum(["good", "fair", "slow", "bad", "failed", "cancelled"]),
    sentence: text,
    next: texts,
  }),
  baselineGbps: rate.exactOptional(),
  siblingsGbps: rate.exactOptional(),
  checks: z
    .array(
      z.object({
        host: text,
        what: z.enum(causes),
        state: z.enum(["fine", "fault", "unreadable"]),
        detail: text,
      }),
    )
    .exactOptional(),
  sweep: z.string().max(100).exactOptional(),
  triangulation: triangulationSchema.exactOptional(),
  versions: z.record(z.string(), text),
}) satisfies z.ZodType<Measurement>;
