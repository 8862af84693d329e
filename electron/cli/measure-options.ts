/** The options of commands that measure: what is run. */
import { err, ok, type Result } from "../../shared/base/result.ts";
import type { AppError } from "../../shared/errors/kinds.ts";
import { defaultMeasureOptions, type MeasureOptions, type Preset, presets } from "../../shared/measure/types.ts";
import { type OptionName, type Options, readNumber } from "./options.ts";

export const measureOptionNames = ["preset", "seconds", "bytes", "qps", "both"] as const satisfies OptionName[];

function isPreset(text: string): text is Preset {
  return (presets as readonly string[]).includes(text);
}

/** What is run, from the options of a command. */
export function readMeasureOptions(options: Options): Result<MeasureOptions, AppError> {
  const preset = options.text("preset") ?? defaultMeasureOptions.preset;
  if (!isPreset(preset)) return err({ kind: "bad-request", detail: `--preset is one of ${presets.join(", ")}` });
  const seconds = readNumber(options.text("seconds"), "seconds", 2, 300);
  if (!seconds.ok) return seconds;
  const bytes = readNumber(options.text("bytes"), "bytes", 2, 8 * 1024 * 1024);
  if (!bytes.ok) return bytes;
  const queuePairs = readNumber(options.text("qps"), "qps", 1, 256);
  if (!queuePairs.ok) return queuePairs;
  return ok({
    ...defaultMeasureOptions,
    preset,
    bidirectional: options.flag("both"),
    ...(seconds.value === undefined ? {} : { seconds: seconds.value }),
    ...(bytes.value === undefined ? {} : { bytes: bytes.value }),
    ...(queuePairs.value === undefined ? {} : { queuePairs: queuePairs.value }),
  });
}
