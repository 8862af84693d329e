/** The options of commands that measure: what is run. */
import { err, ok, type Result } from "../../shared/base/result.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { optionsProblem, presetOptions } from "../../shared/measure/steps.ts";
import { bandwidthTools, latencyTools, type MeasureOptions, pathMtus, presets } from "../../shared/measure/types.ts";
import { type OptionName, type Options, readNumber } from "./options.ts";

export const measureOptionNames = [
  "preset",
  "seconds",
  "bytes",
  "qps",
  "both",
  "bw-tool",
  "lat-tool",
  "messages",
  "all-sizes",
  "mtu",
  "gid-index",
  "sl",
  "gpu",
] as const satisfies OptionName[];

/** Messages of each size when all are measured: 67 GB with 4 queue pairs, a few seconds on a fast link. */
const messagesOfEachSize = 1000;

/** A word, or a number, out of a list. */
function readOneOf<T extends string | number>(
  options: Options,
  name: OptionName,
  allowed: readonly T[],
): Result<T | undefined, AppError> {
  const text = options.text(name);
  if (text === undefined) return ok(undefined);
  const value = allowed.find((known) => String(known) === text);
  if (value === undefined) return err({ kind: "bad-request", detail: `--${name} is one of ${allowed.join(", ")}` });
  return ok(value);
}

function numberOf(options: Options, name: OptionName, min: number, max: number): Result<number | undefined, AppError> {
  return readNumber(options.text(name), name, min, max);
}

/** What is run, from the options of a command; `bad-request` for values out of bounds, or that do not go together. */
export function readMeasureOptions(options: Options): Result<MeasureOptions, AppError> {
  const preset = readOneOf(options, "preset", presets);
  if (!preset.ok) return preset;
  const seconds = numberOf(options, "seconds", 2, 300);
  if (!seconds.ok) return seconds;
  const bytes = numberOf(options, "bytes", 2, 8 * 1024 * 1024);
  if (!bytes.ok) return bytes;
  const queuePairs = numberOf(options, "qps", 1, 256);
  if (!queuePairs.ok) return queuePairs;
  const allSizes = options.flag("all-sizes");
  const messages = numberOf(options, "messages", 5, allSizes ? 20_000 : 1_000_000);
  if (!messages.ok) return messages;
  const bandwidthTool = readOneOf(options, "bw-tool", bandwidthTools);
  if (!bandwidthTool.ok) return bandwidthTool;
  const latencyTool = readOneOf(options, "lat-tool", latencyTools);
  if (!latencyTool.ok) return latencyTool;
  const mtu = readOneOf(options, "mtu", pathMtus);
  if (!mtu.ok) return mtu;
  const gidIndex = numberOf(options, "gid-index", 0, 64);
  if (!gidIndex.ok) return gidIndex;
  const serviceLevel = numberOf(options, "sl", 0, 15);
  if (!serviceLevel.ok) return serviceLevel;
  const gpu = numberOf(options, "gpu", 0, 63);
  if (!gpu.ok) return gpu;
  const wanted: MeasureOptions = {
    ...presetOptions(preset.value ?? "quick"),
    bidirectional: options.flag("both"),
    ...(seconds.value === undefined ? {} : { seconds: seconds.value }),
    ...(bytes.value === undefined ? {} : { bytes: bytes.value }),
    ...(queuePairs.value === undefined ? {} : { queuePairs: queuePairs.value }),
    ...(allSizes
      ? { sizeIterations: messages.value ?? messagesOfEachSize }
      : messages.value === undefined
        ? {}
        : { latencyIterations: messages.value }),
    ...(bandwidthTool.value === undefined ? {} : { bandwidthTool: bandwidthTool.value }),
    ...(latencyTool.value === undefined ? {} : { latencyTool: latencyTool.value }),
    ...(mtu.value === undefined ? {} : { mtu: mtu.value }),
    ...(gidIndex.value === undefined ? {} : { gidIndex: gidIndex.value }),
    ...(serviceLevel.value === undefined ? {} : { serviceLevel: serviceLevel.value }),
    ...(gpu.value === undefined ? {} : { gpu: gpu.value }),
  };
  const problem = optionsProblem(wanted);
  return problem === undefined ? ok(wanted) : err({ kind: "bad-request", detail: problem });
}
