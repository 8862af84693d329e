/** Options of a measurement as they come from the window, from settings and from the history. */
import { z } from "zod";
import { bandwidthTools, latencyTools, type MeasureOptions, pathMtus, presets } from "../measure/types.ts";

const whole = z.number().int();

/** What a request may ask for, each number in its bounds. */
export const measureOptionsSchema = z.strictObject({
  preset: z.enum(presets),
  bytes: whole.min(2).max(8 * 1024 * 1024),
  queuePairs: whole.min(1).max(256),
  seconds: whole.min(2).max(300),
  bidirectional: z.boolean(),
  latencyIterations: whole.min(5).max(1_000_000),
  gidIndex: whole.min(0).max(64).exactOptional(),
  bandwidthTool: z.enum(bandwidthTools).exactOptional(),
  latencyTool: z.enum(latencyTools).exactOptional(),
  sizeIterations: whole.min(5).max(20_000).exactOptional(),
  mtu: z.literal(pathMtus).exactOptional(),
  serviceLevel: whole.min(0).max(15).exactOptional(),
  gpu: whole.min(0).max(63).exactOptional(),
}) satisfies z.ZodType<MeasureOptions>;

/** What was chosen last for each kind of measurement; what a later version wrote and this one does not know is dropped. */
export const rememberedOptionsSchema = z.partialRecord(z.enum(presets), measureOptionsSchema);

const count = whole.min(0);

/** The same in a record: bounds may have been others when it was written. */
export const recordedOptionsSchema = z.object({
  preset: z.enum(presets),
  bytes: count,
  queuePairs: count,
  seconds: count,
  bidirectional: z.boolean(),
  latencyIterations: count,
  gidIndex: count.exactOptional(),
  bandwidthTool: z.enum(bandwidthTools).exactOptional(),
  latencyTool: z.enum(latencyTools).exactOptional(),
  sizeIterations: count.exactOptional(),
  mtu: z.literal(pathMtus).exactOptional(),
  serviceLevel: count.exactOptional(),
  gpu: count.exactOptional(),
}) satisfies z.ZodType<MeasureOptions>;
